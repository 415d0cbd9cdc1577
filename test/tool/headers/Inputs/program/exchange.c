/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "exchange.h"

void halo_start(struct halo *h, double *in, const double *out) {
  POST(in, h->before, TAG_HALO, h->comm, &h->requests[0]);
  POST(in + 4, h->after, TAG_HALO + 1, h->comm, &h->requests[1]);
  MPI_Isend(out, 1, h->column, h->after, TAG_HALO, h->comm, &h->requests[2]);
  MPI_Isend(out + 4, 4, MPI_DOUBLE, h->before, TAG_HALO + 1, h->comm, &h->requests[3]);
}

void halo_finish(struct halo *h) {
  MPI_Status statuses[4];
  int i, count;
  MPI_Waitall(4, h->requests, statuses);
  for (i = 0; i < 4; i++) {
    MPI_Get_count(&statuses[i], MPI_DOUBLE, &count);
    h->requests[i] = MPI_REQUEST_NULL;
  }
}
