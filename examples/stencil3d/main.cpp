// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// stencil3d - seven-point relaxation in a box that is joined around its ends, one block of points per rank.
//
//   mpiexec -n P stencil3d [points per edge] [steps]
//
// The faces of a block are packed into buffers, exchanged while the inner points are computed, and unpacked as they
// come. halo.cpp has the exchange, in three methods: post the receives, send, wait; block.cpp has the arithmetic.
#include "block.hpp"
#include "halo.hpp"

#include <cstdio>
#include <cstdlib>
#include <mpi.h>
#include <vector>

static int run(int points, int steps) {
  Halo halo(MPI_COMM_WORLD, points);
  Block block(points);
  for (int z = 1; z <= points; z++)
    for (int y = 1; y <= points; y++)
      for (int x = 1; x <= points; x++)
        block.at(x, y, z) = halo.rank() + (x * 3 + y * 5 + z * 7) % 13;

  for (int step = 0; step < steps; step++) {
    halo.post_receives();
    halo.send(block);
    block.relax_inside();
    halo.wait(block);
    block.relax_surface();
  }

  int size;
  MPI_Comm_size(halo.communicator(), &size);
  std::vector<double> sums(size);
  double mine = block.checksum();
  MPI_Gather(&mine, 1, MPI_DOUBLE, sums.data(), 1, MPI_DOUBLE, 0, halo.communicator());
  if (halo.rank() == 0) {
    double checksum = 0;
    for (int r = 0; r < size; r++)
      checksum += (r + 1) * sums[r];
    std::printf("stencil3d: %d ranks, %d points per edge, %d steps\n", size, points, steps);
    std::printf("checksum %.15e\n", checksum);
  }
  return 0;
}

int main(int argc, char **argv) {
  MPI_Init(&argc, &argv);
  int points = argc > 1 ? std::atoi(argv[1]) : 12;
  int steps = argc > 2 ? std::atoi(argv[2]) : 10;
  if (points < 1 || steps < 1) {
    std::fprintf(stderr, "usage: stencil3d [points per edge] [steps]\n");
    MPI_Abort(MPI_COMM_WORLD, 1);
  }
  int status = run(points, steps);
  MPI_Finalize();
  return status;
}
