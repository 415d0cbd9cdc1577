// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Messages of 0 bytes to 4 MiB, at odd addresses, sender first, receiver first and at once; the byte after the end of
// the message must stay.
//
// RUN: %run-both %s --work %t --ranks 2
// RUN: %run-both %s --work %t --again
// RUN: timeout 60 mpiexec -n 2 %t/rewritten/program > %t/out1
// RUN: env MPISHM_STAGE=0 timeout 60 mpiexec -n 2 %t/rewritten/program > %t/out2
// RUN: diff %t/out1 %t/out2
#include "report.h"
#include <string.h>

enum { MAX = 4 << 20 };

int main(int argc, char **argv) {
  static const int sizes[] = {0,    1,     7,     8,     63,    64,    65,     127,    192,    255,        256,
                              1000, 4095,  4096,  4097,  16383, 16384, 16385,  65535,  65536,  65537,      100000,
                              262144, 262145, 1 << 20, MAX - 1, MAX};
  int rank, size, offset;
  size_t k;
  char *in, *out;
  MPI_Request r[2];
  MPI_Status s;
  hash_t h = HASH_START;

  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  in = malloc(MAX + 64);
  out = malloc(MAX + 64);
  for (k = 0; k < sizeof sizes / sizeof sizes[0]; k++) {
    int n = sizes[k], to = (rank + 1) % size, from = (rank + size - 1) % size;
    offset = (int)(k * 5 % 17);
    memset(in, 0x11, n + 64);
    fill_bytes(out, n + 64, rank + (int)k);
    switch (k % 3) {
    case 0:
      MPI_Irecv(in + offset, n, MPI_BYTE, from, 1, MPI_COMM_WORLD, &r[0]);
      MPI_Isend(out + 17 - offset, n, MPI_BYTE, to, 1, MPI_COMM_WORLD, &r[1]);
      MPI_Wait(&r[0], &s);
      break;
    case 1: /* the receive comes late */
      MPI_Isend(out + 17 - offset, n, MPI_BYTE, to, 1, MPI_COMM_WORLD, &r[1]);
      MPI_Barrier(MPI_COMM_WORLD);
      MPI_Recv(in + offset, n, MPI_BYTE, from, 1, MPI_COMM_WORLD, &s);
      break;
    case 2: /* the send comes late */
      MPI_Irecv(in + offset, n, MPI_BYTE, from, 1, MPI_COMM_WORLD, &r[0]);
      MPI_Barrier(MPI_COMM_WORLD);
      MPI_Isend(out + 17 - offset, n, MPI_BYTE, to, 1, MPI_COMM_WORLD, &r[1]);
      MPI_Wait(&r[0], &s);
      break;
    }
    MPI_Wait(&r[1], MPI_STATUS_IGNORE);
    h = hash_bytes(hash_status(h, &s, MPI_BYTE), in, n + 64);
  }
  free(in);
  free(out);
  report("sizes", h);
  MPI_Finalize();
  return 0;
}
