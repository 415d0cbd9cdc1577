// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A kernel that copied a word between the processes when MPI was initialised and refuses all that is larger, as it may
// from then on: every message arrives nevertheless, whatever its sender waits for meanwhile, be it another message of
// the rank that waits for this one. With room in the window for what must be staged then, and without.
//
// RUN: %run-both %s --work %t --ranks 2 --timeout 60
// RUN: env REFUSE=1 timeout 60 mpiexec -n 2 %t/rewritten/program | FileCheck %s
// RUN: env REFUSE=1 MPISHM_STAGE=0 timeout 60 mpiexec -n 2 %t/rewritten/program | FileCheck %s
// RUN: env REFUSE=1 MPISHM_WINDOW=200K timeout 60 mpiexec -n 2 %t/rewritten/program 2>&1 | FileCheck %s
// RUN: env REFUSE=1 MPISHM_WINDOW=200K MPISHM_BUFFERS=4K timeout 60 mpiexec -n 2 %t/rewritten/program 2>&1 \
// RUN:   | FileCheck %s --check-prefixes=FULL,CHECK
//
// FULL: mpishm: warning: the window is full
// CHECK: refused: rank 0
// CHECK: wrong: 0
#define _GNU_SOURCE
#include "report.h"
#include <errno.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <unistd.h>

enum { MOST = 6000000, SIZES = 3 };

static const int sizes[SIZES] = {20000, 700000, MOST};
static char in[2][MOST], out[2][MOST];
static int rank, other, wrong;

extern char __executable_start, etext;

/* In the place of the C library's. Whatever MPI's own library does with the kernel it may go on with. */
static ssize_t copy(long call, const char *caller, pid_t pid, const struct iovec *here, unsigned long count,
                    const struct iovec *there, unsigned long there_count, unsigned long flags) {
  size_t bytes = 0;
  unsigned long i;
  for (i = 0; i < there_count; i++)
    bytes += there[i].iov_len;
  if (bytes > 64 && caller > &__executable_start && caller < &etext && getenv("REFUSE")) {
    errno = EPERM;
    return -1;
  }
  return syscall(call, pid, here, count, there, there_count, flags);
}

ssize_t process_vm_readv(pid_t pid, const struct iovec *here, unsigned long count, const struct iovec *there,
                         unsigned long there_count, unsigned long flags) {
  return copy(SYS_process_vm_readv, __builtin_return_address(0), pid, here, count, there, there_count, flags);
}

ssize_t process_vm_writev(pid_t pid, const struct iovec *here, unsigned long count, const struct iovec *there,
                          unsigned long there_count, unsigned long flags) {
  return copy(SYS_process_vm_writev, __builtin_return_address(0), pid, here, count, there, there_count, flags);
}

static void look(int which, int n, int seed) {
  static char expected[MOST];
  fill_bytes(expected, n, seed + other);
  wrong += memcmp(in[which], expected, n) != 0;
}

static void exchange(int how, int n) {
  int seed = 10 * how, token = 7, done = 0, i;
  MPI_Request r[4];
  MPI_Status s[4];
  for (i = 0; i < 2; i++) {
    fill_bytes(out[i], n, seed + rank);
    memset(in[i], 0, n);
  }
  switch (how) {
  case 0: /* all wait for their receives first */
    for (i = 0; i < 2; i++)
      MPI_Irecv(in[i], n, MPI_CHAR, other, i, MPI_COMM_WORLD, &r[i]);
    for (i = 0; i < 2; i++)
      MPI_Isend(out[i], n, MPI_CHAR, other, i, MPI_COMM_WORLD, &r[2 + i]);
    MPI_Waitall(4, r, s);
    look(1, n, seed);
    break;
  case 1:
    MPI_Isend(out[0], n, MPI_CHAR, other, 5, MPI_COMM_WORLD, &r[0]);
    MPI_Recv(in[0], n, MPI_CHAR, other, 5, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    MPI_Wait(&r[0], MPI_STATUS_IGNORE);
    break;
  case 2: /* what the receiver sends once it has the message */
    MPI_Issend(out[0], n, MPI_CHAR, other, 6, MPI_COMM_WORLD, &r[0]);
    if (rank == 0)
      MPI_Recv(&token, 1, MPI_INT, 1, 7, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    MPI_Recv(in[0], n, MPI_CHAR, other, 6, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    if (rank == 1)
      MPI_Send(&token, 1, MPI_INT, 0, 7, MPI_COMM_WORLD);
    MPI_Wait(&r[0], MPI_STATUS_IGNORE);
    break;
  case 3: /* a send that is through, from a copy that nobody may read either */
    if (rank == 0) {
      MPI_Send(out[0], n, MPI_CHAR, 1, 8, MPI_COMM_WORLD);
      MPI_Recv(in[0], n, MPI_CHAR, 1, 8, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    } else {
      MPI_Recv(in[0], n, MPI_CHAR, 0, 8, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
      MPI_Send(out[0], n, MPI_CHAR, 0, 8, MPI_COMM_WORLD);
    }
    break;
  case 4: /* a wait that looks again and again */
    MPI_Irecv(in[0], n, MPI_CHAR, other, 9, MPI_COMM_WORLD, &r[0]);
    MPI_Isend(out[0], n, MPI_CHAR, other, 9, MPI_COMM_WORLD, &r[1]);
    while (!done)
      MPI_Test(&r[0], &done, MPI_STATUS_IGNORE);
    MPI_Wait(&r[1], MPI_STATUS_IGNORE);
    break;
  default:
    MPI_Sendrecv(out[0], n, MPI_CHAR, other, 11, in[0], n, MPI_CHAR, other, 11, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  }
  look(0, n, seed);
}

int main(int argc, char **argv) {
  int how, size, all_wrong = 0;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  other = 1 - rank;
  for (how = 0; how < 6; how++)
    for (size = 0; size < SIZES; size++)
      exchange(how, sizes[size]);
  MPI_Allreduce(&wrong, &all_wrong, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
  report("refused", hash_number(HASH_START, all_wrong));
  if (rank == 0)
    printf("wrong: %d\n", all_wrong);
  MPI_Finalize();
  return 0;
}
