// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Reductions of what no slot holds: from private memory, which the kernel reads for others, from the window, and from
// one here and the other there; where the kernel now and then refuses a member, all of them do it anew by MPI, of what
// they had, in place, too. Of three members and more, of what each would take long to read: by slices, also where there
// are fewer slices than members, as with slots of 512 bytes, or no memory for what is staged; short ones so only where
// each rank seems to have a core.
//
// RUN: mkdir -p %t && mpishmcc -O1 -g -I%S/../Inputs -Wno-stringop-overflow %s -o %t/program
// RUN: mpiexec -n 2 %t/program | FileCheck %s --implicit-check-not=refused
// RUN: mpiexec -n 3 %t/program | FileCheck %s --implicit-check-not=refused
// RUN: mpiexec -n 2 %t/program refused | FileCheck %s --check-prefixes=REFUSED,CHECK
// RUN: env MPISHM_CMA=0 mpiexec -n 2 %t/program | FileCheck %s
// RUN: mpiexec -n 5 %t/program | FileCheck %s
// RUN: env MPISHM_WINDOW=256K mpiexec -n 7 %t/program | FileCheck %s
// RUN: mpishmcc -O1 -g -I%S/../Inputs -Wno-stringop-overflow -DMANY_CORES %s -o %t/many
// RUN: mpiexec -n 4 %t/many | FileCheck %s
// RUN: %mpiexec --nodes 2 -n 3 %t/program | FileCheck %s
// REFUSED: refused {{[1-9][0-9]+}}
// CHECK: all right
#define _GNU_SOURCE
#include "collectives.h"
#include "refusing_kernel.h"
#include <sched.h>
#include <sys/syscall.h>
#include <unistd.h>

enum { MOST = 30000, KINDS = 6 };
enum kind { ALL, TO_ONE, SCAN, EXSCAN, SCATTER, SCATTER_BLOCK };

#ifdef MANY_CORES
enum { LENGTHS = 2, KINDS_HERE = SCAN }; /* waits take long */
/* Then there seem to be more. */
int sched_getaffinity(pid_t process, size_t bytes, cpu_set_t *cores) {
  const long error = syscall(SYS_sched_getaffinity, process, bytes, cores);
  for (int core = 0; core < 8 && bytes == sizeof *cores; core++)
    CPU_SET(core, cores);
  return error < 0 ? -1 : 0;
}
#else
enum { LENGTHS = 6, KINDS_HERE = KINDS };
#endif

static int counts[8], refusing;

static int reduce(enum kind kind, const void *from, void *to, int n, MPI_Datatype type, MPI_Op op, int root, int ours) {
#define CALL(name, ...) (ours ? MPISHM_##name(__VA_ARGS__) : MPI_##name(__VA_ARGS__))
  switch (kind) {
  case ALL:
    return CALL(Allreduce, from, to, n, type, op, MPI_COMM_WORLD);
  case TO_ONE:
    return CALL(Reduce, from, to, n, type, op, root, MPI_COMM_WORLD);
  case SCAN:
    return CALL(Scan, from, to, n, type, op, MPI_COMM_WORLD);
  case EXSCAN:
    return CALL(Exscan, from, to, n, type, op, MPI_COMM_WORLD);
  case SCATTER:
    return CALL(Reduce_scatter, from, to, counts, type, op, MPI_COMM_WORLD);
  default:
    return CALL(Reduce_scatter_block, from, to, n / size, type, op, MPI_COMM_WORLD);
  }
}

/* How many elements of the result are this member's. */
static int results(enum kind kind, int n, int root) {
  switch (kind) {
  case TO_ONE:
    return rank == root ? n : 0;
  case EXSCAN:
    return rank == 0 ? 0 : n;
  case SCATTER:
    return counts[rank];
  case SCATTER_BLOCK:
    return n / size;
  default:
    return n;
  }
}

static void fill(void *memory, int n, MPI_Datatype type, int stamp) {
  fill_bytes(memory, (size_t)n * 8, stamp + rank);
  for (int i = 0; i < n && type == MPI_DOUBLE; i++) /* one of them no number, so that the library is asked anew */
    ((double *)memory)[i] = stamp % 5 == 4 && i == n - 1 ? (double)0x7fffffff / 0.0 - (double)0x7fffffff / 0.0
                                                         : (i % 977 - 400) / (3.0 + rank) * (stamp + 1);
}

static void compare(enum kind kind, int n, MPI_Datatype type, MPI_Op op, int root, int in_place, int moved, int stamp) {
  const size_t bytes = (size_t)n * 8;
  char *from = allocate(bytes, moved), *ours = allocate(bytes, moved), *mpis = allocate(bytes, 0);
  fill(from, n, type, stamp);
  fill_bytes(ours, bytes, 5);
  counts[0] = n - n / size * (size - 1);
  for (int i = 1; i < size; i++)
    counts[i] = n / size;
  int is_in_place = in_place && (kind != TO_ONE || rank == root);
  if (is_in_place)
    memcpy(ours, from, bytes);
  memcpy(mpis, ours, bytes);
  refuses = refusing && stamp % 3 == rank;
  reduce(kind, is_in_place ? MPI_IN_PLACE : from, ours, n, type, op, root, 1);
  reduce(kind, is_in_place ? MPI_IN_PLACE : from, mpis, n, type, op, root, 0);
  same("a long reduction", ours, mpis, 8 * (size_t)results(kind, n, root), 100 * stamp + (int)kind);
  release(from, moved);
  release(ours, moved);
  release(mpis, 0);
}

int main(int argc, char **argv) {
  const int lengths[] = {270, 500, 530, 2100, 9000, MOST};
  int stamp = 0;
  start(&argc, &argv);
  refusing = argc > 1;
  refuses_with = EFAULT; /* which does not mean that it always will */
  for (int l = 0; l < LENGTHS; l++)
    for (int kind = 0; kind < KINDS_HERE; kind++)
      for (int way = 0; way < 8; way++) {
        int moved = way / 2 == 0 ? 0 : way / 2 == 1 ? 1 : (rank + way) % 2;
        /* In place at another root than 0 MPICH 4.0.2 crashes. */
        int root = way % 2 ? 0 : stamp % size;
        compare((enum kind)kind, lengths[l], MPI_LONG, way % 3 ? MPI_SUM : MPI_BXOR, root, way % 2, moved, stamp++);
        compare((enum kind)kind, lengths[l], MPI_DOUBLE, way % 3 ? MPI_SUM : MPI_MAX, root, way % 2, moved, stamp++);
      }
  MPI_Allreduce(MPI_IN_PLACE, &refused, 1, MPI_INT, MPI_MIN, MPI_COMM_WORLD);
  if (rank == 0 && refused)
    printf("refused %d\n", refused);
  return finish(LENGTHS * KINDS_HERE * 16);
}
