/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * buffers.c - message buffers from MPI_Alloc_mem, as a program has them that asks MPI for fast memory.
 */
#include "halo.h"

#include <mpi.h>
#include <string.h>

static struct {
  unsigned char *send, *receive;
  int users;
} s;

void VARIANT(take_buffers)(struct halo *h) {
  MPI_Aint bytes = (MPI_Aint)h->npartner * h->max_bytes;
  if (s.users++ == 0) {
    MPI_Alloc_mem(bytes, MPI_INFO_NULL, &s.send);
    MPI_Alloc_mem(bytes, MPI_INFO_NULL, &s.receive);
    memset(s.send, 0, (size_t)bytes);
    memset(s.receive, 0, (size_t)bytes);
  }
  point_buffers(h, s.send, s.receive);
}

void VARIANT(release_buffers)(void) {
  if (--s.users > 0)
    return;
  MPI_Free_mem(s.send);
  MPI_Free_mem(s.receive);
}
