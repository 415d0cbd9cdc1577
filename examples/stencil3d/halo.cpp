// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "halo.hpp"

namespace {

// Faces 2a and 2a + 1 look down and up along axis a; face ^ 1 is the opposite one.
int axis(int face) { return face / 2; }
bool looks_up(int face) { return face % 2 != 0; }

/// The point with coordinate `along` on the face's axis, and i, j on the other two in order.
template <typename BlockType> decltype(auto) point(BlockType &block, int face, int along, int i, int j) {
  switch (axis(face)) {
  case 0:
    return block.at(along, i, j);
  case 1:
    return block.at(i, along, j);
  default:
    return block.at(i, j, along);
  }
}

} // namespace

Halo::Halo(MPI_Comm world, int points) : n(points), dims{0, 0, 0} {
  int size;
  MPI_Comm_dup(world, &comm);
  MPI_Comm_rank(comm, &me);
  MPI_Comm_size(comm, &size);
  MPI_Dims_create(size, 3, dims);

  int place[3] = {me % dims[0], me / dims[0] % dims[1], me / dims[0] / dims[1]};
  for (int face = 0; face < FACES; face++) {
    int there[3] = {place[0], place[1], place[2]};
    there[axis(face)] += looks_up(face) ? 1 : -1;
    neighbour[face] = rank_at(there[0], there[1], there[2]);
    outgoing[face] = new double[n * n];
    incoming[face] = new double[n * n];
  }
}

Halo::~Halo() {
  for (int face = 0; face < FACES; face++) {
    delete[] outgoing[face];
    delete[] incoming[face];
  }
  MPI_Comm_free(&comm);
}

int Halo::rank_at(int x, int y, int z) const {
  x = (x + dims[0]) % dims[0];
  y = (y + dims[1]) % dims[1];
  z = (z + dims[2]) % dims[2];
  return (z * dims[1] + y) * dims[0] + x;
}

void Halo::pack(const Block &block, int face) {
  double *to = outgoing[face];
  for (int j = 1; j <= n; j++)
    for (int i = 1; i <= n; i++)
      *to++ = point(block, face, looks_up(face) ? n : 1, i, j);
}

void Halo::unpack(Block &block, int face) {
  const double *from = incoming[face];
  for (int j = 1; j <= n; j++)
    for (int i = 1; i <= n; i++)
      point(block, face, looks_up(face) ? n + 1 : 0, i, j) = *from++;
}

void Halo::post_receives() {
  // The neighbour sends from the face that looks at us, which is the opposite of ours.
  for (int face = 0; face < FACES; face++)
    MPI_Irecv(incoming[face], n * n, MPI_DOUBLE, neighbour[face], face ^ 1, comm, &receives[face]);
}

void Halo::send(const Block &block) {
  for (int face = 0; face < FACES; face++) {
    pack(block, face);
    MPI_Isend(outgoing[face], n * n, MPI_DOUBLE, neighbour[face], face, comm, &sends[face]);
  }
}

void Halo::wait(Block &block) {
  for (int done = 0; done < FACES; done++) {
    int face;
    MPI_Status status;
    MPI_Waitany(FACES, receives, &face, &status);
    unpack(block, face);
  }
  MPI_Waitall(FACES, sends, MPI_STATUSES_IGNORE);
}
