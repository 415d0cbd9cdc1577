// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Broadcasts of every size, from every root, of datatypes that differ from member to member, from and to private and
// moved buffers, with the slots full of what late members have not read; where nothing can be staged, where the kernel
// copies nothing, and where what is long is always staged or never.
//
// RUN: mkdir -p %t && mpishmcc -O1 -g -I%S/../Inputs -Wno-stringop-overflow %s -o %t/static
// RUN: env MPISHM_LINK=shared mpishmcc -O1 -g -I%S/../Inputs -Wno-stringop-overflow %s -o %t/shared
//
// RUN: mpiexec -n 2 %t/static | FileCheck %s
// RUN: mpiexec -n 3 %t/shared | FileCheck %s
// RUN: mpiexec -n 4 %t/static | FileCheck %s
// RUN: mpiexec -n 1 %t/static | FileCheck %s
// RUN: env MPISHM_CMA=0 mpiexec -n 2 %t/static | FileCheck %s
// RUN: env MPISHM_STAGE=4M MPISHM_BUFFERS=0 mpiexec -n 2 %t/static | FileCheck %s
// RUN: env MPISHM_STAGE=0 MPISHM_BUFFERS=0 mpiexec -n 2 %t/static | FileCheck %s
// RUN: env MPISHM_CMA=0 MPISHM_WINDOW=300K MPISHM_BUFFERS=0 mpiexec -n 3 %t/static 2>&1 | FileCheck %s
// RUN: %mpiexec --nodes 2 -n 3 %t/static | FileCheck %s
// RUN: env MPISHM_DISABLE=1 mpiexec -n 2 %t/static | FileCheck %s
// CHECK: all right
#include "collectives.h"
#include <unistd.h>

static const size_t sizes[] = {0, 1, 8, 47, 48, 49, 1000, 4000, 4096, 4208, 4209, 5000, 70000, 1500000};
enum { SIZES = sizeof sizes / sizeof *sizes };

/* Every second block of four bytes. */
static MPI_Datatype every_second(size_t bytes) {
  MPI_Datatype type;
  MPI_Type_vector((int)(bytes / 4), 4, 8, MPI_BYTE, &type);
  MPI_Type_commit(&type);
  return type;
}

/* `scattered`: 0 nobody's buffer, 1 the root's, 2 the others', 3 all. */
static void broadcast(size_t bytes, int root, int moved, int scattered) {
  int is_scattered = scattered & (rank == root ? 1 : 2);
  MPI_Datatype type = is_scattered ? every_second(bytes) : MPI_BYTE;
  int count = is_scattered ? 1 : (int)bytes;
  char *ours = allocate(2 * bytes, moved), *mpis = allocate(2 * bytes, moved);
  for (int turn = 0; turn < 3; turn++) { /* the buffer is written anew as soon as the call is over */
    fill_bytes(ours, 2 * bytes, (int)bytes + 10 * rank + turn);
    memcpy(mpis, ours, 2 * bytes);
    if (MPISHM_Bcast(ours, count, type, root, MPI_COMM_WORLD) != MPI_SUCCESS)
      wrong("the error of a broadcast", 0);
    MPI_Bcast(mpis, count, type, root, MPI_COMM_WORLD);
    same("a broadcast", ours, mpis, 2 * bytes, (long)bytes);
  }
  release(ours, moved);
  release(mpis, moved);
  if (is_scattered)
    MPI_Type_free(&type);
}

/* The root is far ahead of the others, who are late in turns. */
static void ahead(MPI_Comm comm) {
  int me, members;
  MPI_Comm_rank(comm, &me);
  MPI_Comm_size(comm, &members);
  for (int i = 0; i < 60; i++) {
    int value[3] = {me == i / 20 % members ? i : -1, i, me}, expected[3] = {i, i, i / 20 % members};
    if (i % 10 == 5 && me == i / 10 % members)
      usleep(2000);
    MPISHM_Bcast(value, 3, MPI_INT, i / 20 % members, comm);
    same("a broadcast in a row", value, expected, sizeof value, i);
    if (i % 7 == 0)
      MPI_Bcast(value, 3, MPI_INT, 0, comm);
    if (i % 11 == 0)
      MPISHM_Barrier(comm);
  }
}

static void refused(void) {
  int value = 0, error, class;
  MPI_Comm comm;
  MPISHM_Comm_dup(MPI_COMM_WORLD, &comm);
  MPI_Comm_set_errhandler(comm, MPI_ERRORS_RETURN);
  error = MPISHM_Bcast(&value, 1, MPI_INT, size, comm);
  MPI_Error_class(error, &class);
  if (class != MPI_ERR_ROOT)
    wrong("the class of a wrong root", class);
  error = MPISHM_Bcast(&value, -1, MPI_INT, 0, comm);
  MPI_Error_class(error, &class);
  if (class != MPI_ERR_COUNT)
    wrong("the class of a wrong count", class);
  error = MPISHM_Bcast(&value, 1, MPI_DATATYPE_NULL, 0, comm);
  MPI_Error_class(error, &class);
  if (class != MPI_ERR_TYPE)
    wrong("the class of a wrong datatype", class);
  MPI_Comm_free(&comm);
}

int main(int argc, char **argv) {
  MPI_Comm odd, backwards;
  start(&argc, &argv);
  MPISHM_Comm_split(MPI_COMM_WORLD, rank % 2, rank, &odd);
  MPISHM_Comm_split(MPI_COMM_WORLD, 0, -rank, &backwards);
  for (int i = 0; i < SIZES; i++)
    for (int variant = 0; variant < 8; variant++)
      broadcast(sizes[i], (i + variant) % size, variant & 1, sizes[i] == 0 || sizes[i] % 4 ? 0 : variant >> 1);
  ahead(MPI_COMM_WORLD);
  ahead(odd);
  MPI_Comm_free(&odd);
  ahead(backwards);
  MPI_Comm_free(&backwards);
  refused();
  return finish(500);
}
