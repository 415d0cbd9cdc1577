// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "block.hpp"

bool Block::on_surface(int x, int y, int z) const { return x == 1 || y == 1 || z == 1 || x == n || y == n || z == n; }

void Block::relax(int x, int y, int z) {
  double around =
      at(x - 1, y, z) + at(x + 1, y, z) + at(x, y - 1, z) + at(x, y + 1, z) + at(x, y, z - 1) + at(x, y, z + 1);
  next[index(x, y, z)] = 0.4 * at(x, y, z) + 0.1 * around;
}

void Block::relax_inside() {
  for (int z = 2; z < n; z++)
    for (int y = 2; y < n; y++)
      for (int x = 2; x < n; x++)
        relax(x, y, z);
}

void Block::relax_surface() {
  for (int z = 1; z <= n; z++)
    for (int y = 1; y <= n; y++)
      for (int x = 1; x <= n; x++)
        if (on_surface(x, y, z))
          relax(x, y, z);
  now.swap(next);
}

double Block::checksum() const {
  double sum = 0;
  for (int z = 1; z <= n; z++)
    for (int y = 1; y <= n; y++)
      for (int x = 1; x <= n; x++)
        sum += at(x, y, z) * (1 + x % 5 + 2 * (y % 7) + 3 * (z % 11));
  return sum;
}
