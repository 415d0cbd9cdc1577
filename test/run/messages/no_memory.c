// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A large message of a persistent send, out of a full window and with no memory for a copy: it goes through MPI from
// where it lies. Its datatype was freed when the request was made.
//
// REQUIRES: mpi-mpich
// RUN: %run-both %s --work %t --ranks 2
// RUN: env MPISHM_DISABLE=1 timeout 60 mpiexec -n 2 %t/rewritten/program > %t/out1
// RUN: env LIMITED=1 MPISHM_WINDOW=200K MPISHM_CMA=0 timeout 60 mpiexec -n 2 %t/rewritten/program > %t/out2 2> %t/err
// RUN: diff %t/out1 %t/out2
// RUN: FileCheck %s < %t/err
//
// CHECK: the window is full
#include "report.h"
#include <sys/resource.h>

enum { BLOCKS = 1 << 18, BLOCK = 8, TYPES = 2 };

static int out[BLOCKS * 2 * BLOCK], in[BLOCKS * BLOCK]; // mpishm: keep

/* Rows of blocks, and blocks that differ. */
static MPI_Datatype make_type(int which) {
  static int lengths[BLOCKS], places[BLOCKS];
  MPI_Datatype type;
  int i;
  for (i = 0; i < BLOCKS; i++) {
    lengths[i] = BLOCK - i % 3;
    places[i] = 2 * BLOCK * i + i % 2;
  }
  if (which)
    MPI_Type_indexed(BLOCKS / 16, lengths, places, MPI_INT, &type);
  else
    MPI_Type_vector(BLOCKS, BLOCK, 2 * BLOCK, MPI_INT, &type);
  MPI_Type_commit(&type);
  return type;
}

/* No more than `more` bytes from now on; 0: as before. */
static void limit_memory(size_t more) {
  static struct rlimit before;
  struct rlimit now;
  if (KEEPS_FREED_MEMORY || !getenv("LIMITED"))
    return;
  if (!more) {
    setrlimit(RLIMIT_AS, &before);
    return;
  }
  getrlimit(RLIMIT_AS, &before);
  now = before;
  now.rlim_cur = ((rlim_t)status_kb("VmSize:") << 10) + more;
  setrlimit(RLIMIT_AS, &now);
}

int main(int argc, char **argv) {
  int rank, which;
  hash_t h = HASH_START;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  fill_bytes(out, sizeof out, rank);
  for (which = 0; which < TYPES; which++) {
    MPI_Datatype type = make_type(which), other;
    MPI_Request r;
    MPI_Status s;
    int count = which ? 16 : 1, size;
    MPI_Type_size(type, &size);
    if (which) { /* from one element to the next */
      MPI_Datatype resized;
      MPI_Type_create_resized(type, 0, (MPI_Aint)sizeof(int) * 2 * BLOCK * (BLOCKS / 16), &resized);
      MPI_Type_free(&type);
      type = resized;
      MPI_Type_commit(&type);
    }
    if (rank == 0)
      MPI_Send_init(out, count, type, 1, 1, MPI_COMM_WORLD, &r);
    else
      MPI_Recv_init(in, size / 4 * count, MPI_INT, 0, 1, MPI_COMM_WORLD, &r);
    MPI_Type_free(&type);
    MPI_Type_vector(2, 1, 3, MPI_INT, &other); /* may get the handle */
    MPI_Type_commit(&other);
    MPI_Sendrecv(&rank, 1, MPI_INT, 1 - rank, 2, &size, 1, MPI_INT, 1 - rank, 2, MPI_COMM_WORLD, &s);
    if (rank == 0)
      limit_memory(4 << 20);
    MPI_Start(&r);
    if (rank == 0)
      limit_memory(0);
    MPI_Wait(&r, &s);
    if (rank == 1)
      h = hash_bytes(hash_status(h, &s, MPI_INT), in, sizeof in);
    MPI_Request_free(&r);
    MPI_Type_free(&other);
  }
  report("no memory", h);
  MPI_Finalize();
  return 0;
}
