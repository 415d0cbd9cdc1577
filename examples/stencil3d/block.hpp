// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef BLOCK_HPP
#define BLOCK_HPP

#include <cstddef>
#include <vector>

/// A box of n x n x n points with a shell of one point around it.
class Block {
public:
  explicit Block(int n) : n(n), now(volume()), next(volume()) {}

  int points() const { return n; }
  double &at(int x, int y, int z) { return now[index(x, y, z)]; }
  double at(int x, int y, int z) const { return now[index(x, y, z)]; }

  /// Seven-point average of the points whose neighbours all lie inside the box: needs no shell.
  void relax_inside();
  /// The same for the points that touch the shell; then the new values are the current ones.
  void relax_surface();
  /// Depends on every point and on where it stands.
  double checksum() const;

private:
  std::size_t volume() const { return index(n + 1, n + 1, n + 1) + 1; }
  std::size_t index(int x, int y, int z) const { return (static_cast<std::size_t>(z) * (n + 2) + y) * (n + 2) + x; }
  void relax(int x, int y, int z);
  bool on_surface(int x, int y, int z) const;

  int n;
  std::vector<double> now, next;
};

#endif
