// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef HALO_HPP
#define HALO_HPP

#include "block.hpp"

#include <mpi.h>

/// Exchange of the six faces of a block with the neighbours in a box of ranks. Faces are packed: what is sent and what
/// arrives has buffers of its own. A step goes post_receives(), send(), [work that needs no shell], wait().
class Halo {
public:
  /// Cuts the ranks of `world` into a box; collective. Neighbours are joined around the ends.
  Halo(MPI_Comm world, int points);
  ~Halo();
  Halo(const Halo &) = delete;
  Halo &operator=(const Halo &) = delete;

  void post_receives();
  void send(const Block &block);
  /// Completes what was posted and fills the block's shell.
  void wait(Block &block);

  MPI_Comm communicator() const { return comm; }
  int rank() const { return me; }

private:
  enum { FACES = 6 };
  int rank_at(int x, int y, int z) const;
  void pack(const Block &block, int face);
  void unpack(Block &block, int face);

  MPI_Comm comm;
  int me, n;
  int dims[3];
  int neighbour[FACES];
  double *outgoing[FACES];
  double *incoming[FACES];
  MPI_Request receives[FACES];
  MPI_Request sends[FACES];
};

#endif
