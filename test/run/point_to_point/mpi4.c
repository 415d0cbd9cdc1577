// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What MPI 4 added: large-count variants of every operation, against each other and against the older ones; datatypes
// made with large counts; matched probes; MPI_Isendrecv and MPI_Isendrecv_replace with every way to complete, to
// oneself, to the node, to another node, to nobody, and halves of different kinds.
//
// REQUIRES: mpi4
// RUN: %run-both %s --work %t
// RUN: FileCheck %s --check-prefix=TEXT < %t/rewritten/mpi4.c
// RUN: env MPISHM_CMA=0 timeout 60 mpiexec -n 4 %t/rewritten/program > %t/out1
// RUN: env MPISHM_DISABLE=1 timeout 60 mpiexec -n 4 %t/rewritten/program > %t/out2
// RUN: diff %t/out1 %t/out2
#include "report.h"
#include <string.h>

enum { MAX = 30000 };

static int rank, size, in[2 * MAX], out[2 * MAX]; // mpishm: keep
static int ours; /* all messages are the runtime's, once the program is rewritten */

static hash_t blocking_and_not(hash_t h, int n, int to, int from) {
  MPI_Request r[4];
  MPI_Status s;
  int k;
  for (k = 0; k < 4; k++) {
    // TEXT: {{^ +}}MPISHM_Irecv_c(in
    MPI_Irecv_c(in, MAX, MPI_INT, from, k, MPI_COMM_WORLD, &r[0]);
    switch (k) {
    case 0: MPI_Send_c(out, n, MPI_INT, to, k, MPI_COMM_WORLD); break;
    case 1: MPI_Ssend_c(out, n, MPI_INT, to, k, MPI_COMM_WORLD); break;
    case 2: MPI_Bsend_c(out, n, MPI_INT, to, k, MPI_COMM_WORLD); break;
    default:
      MPI_Barrier(MPI_COMM_WORLD);
      // TEXT: {{^ +}}MPISHM_Rsend_c(out
      MPI_Rsend_c(out, n, MPI_INT, to, k, MPI_COMM_WORLD);
    }
    MPI_Wait(&r[0], &s);
    h = hash_bytes(hash_status(h, &s, MPI_INT), in, n * sizeof *in);
    MPI_Irecv(in, MAX, MPI_INT, from, k, MPI_COMM_WORLD, &r[1]);
    switch (k) {
    case 0: MPI_Isend_c(out, n, MPI_INT, to, k, MPI_COMM_WORLD, &r[0]); break;
    case 1: MPI_Issend_c(out, n, MPI_INT, to, k, MPI_COMM_WORLD, &r[0]); break;
    case 2: MPI_Ibsend_c(out, n, MPI_INT, to, k, MPI_COMM_WORLD, &r[0]); break;
    default:
      MPI_Barrier(MPI_COMM_WORLD);
      MPI_Irsend_c(out, n, MPI_INT, to, k, MPI_COMM_WORLD, &r[0]);
    }
    MPI_Wait(&r[1], &s);
    MPI_Wait(&r[0], MPI_STATUS_IGNORE);
    h = hash_bytes(hash_status(h, &s, MPI_INT), in, n * sizeof *in);
    MPI_Isend(out, n, MPI_INT, to, k, MPI_COMM_WORLD, &r[0]);
    MPI_Recv_c(in, MAX, MPI_INT, from, k, MPI_COMM_WORLD, &s);
    MPI_Wait(&r[0], MPI_STATUS_IGNORE);
    h = hash_bytes(hash_status(h, &s, MPI_INT), in, n * sizeof *in);
  }
  return h;
}

static hash_t persistent(hash_t h, int n, int to, int from) {
  MPI_Request r[8];
  int i, step;
  MPI_Send_init_c(out, n, MPI_INT, to, 10, MPI_COMM_WORLD, &r[0]);
  MPI_Ssend_init_c(out + n, n, MPI_INT, to, 11, MPI_COMM_WORLD, &r[1]);
  MPI_Bsend_init_c(out + 2, n, MPI_INT, to, 12, MPI_COMM_WORLD, &r[2]);
  MPI_Rsend_init_c(out + 3, 1, MPI_INT, to, 13, MPI_COMM_WORLD, &r[3]);
  for (i = 0; i < 4; i++)
    MPI_Recv_init_c(in + i * (MAX / 2), i == 3 ? 1 : MAX / 2, MPI_INT, from, 10 + i, MPI_COMM_WORLD, &r[4 + i]);
  for (step = 0; step < 2; step++) {
    MPI_Startall(4, r + 4);
    MPI_Barrier(MPI_COMM_WORLD);
    MPI_Startall(4, r);
    MPI_Waitall(8, r, MPI_STATUSES_IGNORE);
    h = hash_bytes(h, in, sizeof in);
  }
  for (i = 0; i < 8; i++)
    MPI_Request_free(&r[i]);
  return h;
}

/* The status of a MPI_Isendrecv. Not compared with MPICH's: its version 4.0 leaves source and tag as they were. */
static void look_at(const MPI_Status *s, int from, int n) {
#ifdef MPISHM_VERSION_MAJOR
  int count, null = from == MPI_PROC_NULL;
  MPI_Get_count(s, MPI_INT, &count);
  if (ours && (s->MPI_SOURCE != from || s->MPI_TAG != (null ? MPI_ANY_TAG : 20) || count != (null ? 0 : n)))
    printf("rank %d: from %d, tag %d, %d elements\n", rank, s->MPI_SOURCE, s->MPI_TAG, count);
#else
  (void)s, (void)from, (void)n;
#endif
}

/* How: which completion; peers may be MPI_PROC_NULL. */
static hash_t both_in_one(hash_t h, int n, int to, int from, int how) {
  MPI_Request r[2];
  MPI_Status s[2];
  int flag = 0, index, count, indices[2], k;
  memset(in, 0x11, sizeof in);
  for (k = 0; k < 4; k++) {
    r[1] = MPI_REQUEST_NULL;
    switch (k) {
    // TEXT: {{^ +}}MPISHM_Isendrecv(out
    case 0:
      MPI_Isendrecv(out, n, MPI_INT, to, 20, in, MAX, MPI_INT, from, 20, MPI_COMM_WORLD, &r[0]);
      break;
    case 1:
      MPI_Isendrecv_c(out, n, MPI_INT, to, 20, in, MAX, MPI_INT, from, 20, MPI_COMM_WORLD, &r[0]);
      break;
    // TEXT: {{^ +case 2: }}MPISHM_Isendrecv_replace(in
    case 2: MPI_Isendrecv_replace(in, n, MPI_INT, to, 20, from, 20, MPI_COMM_WORLD, &r[0]); break;
    default: MPI_Isendrecv_replace_c(in, n, MPI_INT, to, 20, from, 20, MPI_COMM_WORLD, &r[0]);
    }
    switch (how) {
    case 0: MPI_Wait(&r[0], &s[0]); break;
    case 1:
      for (flag = 0; !flag;)
        MPI_Test(&r[0], &flag, &s[0]);
      break;
    case 2: MPI_Waitall(2, r, s); break;
    case 3: MPI_Waitany(2, r, &index, &s[0]); break;
    case 4: MPI_Waitsome(2, r, &count, indices, s); break;
    default:
      for (flag = 0; !flag;)
        MPI_Request_get_status(r[0], &flag, &s[0]);
      MPI_Barrier(MPI_COMM_WORLD);
      MPI_Wait(&r[0], &s[0]);
    }
    look_at(&s[0], from, n);
    h = hash_bytes(hash_number(h, r[0] == MPI_REQUEST_NULL), in, sizeof in);
  }
  return h;
}

static hash_t matched(hash_t h, int n, int to, int from) {
  MPI_Message message;
  MPI_Request r[2];
  MPI_Status s;
  MPI_Isend_c(out, n, MPI_INT, to, 40, MPI_COMM_WORLD, &r[0]);
  MPI_Isend(out, n, MPI_INT, to, 40, MPI_COMM_WORLD, &r[1]);
  // TEXT: {{^ +}}MPISHM_Mprobe(from
  MPI_Mprobe(from, 40, MPI_COMM_WORLD, &message, &s);
  // TEXT: {{^ +}}MPISHM_Mrecv_c(in
  MPI_Mrecv_c(in, n, MPI_INT, &message, &s);
  h = hash_bytes(hash_status(h, &s, MPI_INT), in, n * sizeof *in);
  MPI_Wait(&r[0], MPI_STATUS_IGNORE);
  MPI_Mprobe(from, 40, MPI_COMM_WORLD, &message, &s);
  // TEXT: {{^ +}}MPISHM_Imrecv_c(in
  MPI_Imrecv_c(in + 1, n, MPI_INT, &message, &r[0]);
  MPI_Waitall(2, r, MPI_STATUSES_IGNORE);
  return hash_bytes(hash_status(h, &s, MPI_INT), in + 1, n * sizeof *in);
}

static hash_t sendrecv(hash_t h, int n, int to, int from) {
  MPI_Status s;
  MPI_Sendrecv_c(out, n, MPI_INT, to, 30, in, MAX, MPI_INT, from, 30, MPI_COMM_WORLD, &s);
  h = hash_bytes(hash_status(h, &s, MPI_INT), in, n * sizeof *in);
  // TEXT: {{^ +}}MPISHM_Sendrecv_replace_c(in
  MPI_Sendrecv_replace_c(in, n, MPI_INT, to, 31, from, 31, MPI_COMM_WORLD, &s);
  return hash_bytes(hash_status(h, &s, MPI_INT), in, n * sizeof *in);
}

/* Made with large counts, which the calls of MPI 3 cannot look into. */
static hash_t large_types(hash_t h, int to, int from) {
  enum { TYPES = 9 };
  MPI_Count lengths[] = {2, 1, 3}, places[] = {7, 0, 11}, bytes[] = {100, 0, 40}, sizes[] = {6, 8}, part[] = {2, 3},
            start[] = {3, 4};
  MPI_Datatype parts[] = {MPI_INT, MPI_DOUBLE, MPI_SHORT}, type[TYPES];
  MPI_Request r[2];
  MPI_Status s;
  int i;
  MPI_Type_contiguous_c(5, MPI_INT, &type[0]);
  MPI_Type_vector_c(4, 2, 3, MPI_INT, &type[1]);
  MPI_Type_create_hvector_c(4, 2, 20, MPI_INT, &type[2]);
  MPI_Type_indexed_c(3, lengths, places, MPI_INT, &type[3]);
  MPI_Type_create_hindexed_c(3, lengths, bytes, MPI_INT, &type[4]);
  MPI_Type_create_indexed_block_c(3, 2, places, MPI_INT, &type[5]);
  MPI_Type_create_hindexed_block_c(3, 2, bytes, MPI_INT, &type[6]);
  MPI_Type_create_struct_c(3, lengths, bytes, parts, &type[7]);
  MPI_Type_create_subarray_c(2, sizes, part, start, MPI_ORDER_FORTRAN, MPI_INT, &type[8]);
  for (i = 0; i < TYPES; i++) {
    MPI_Datatype wide;
    MPI_Type_create_resized_c(type[i], -4, 400, &wide);
    MPI_Type_commit(&type[i]);
    MPI_Type_commit(&wide);
    memset(in, 0x22, sizeof in);
    MPI_Irecv(in + 10, 3, type[i], from, 40, MPI_COMM_WORLD, &r[0]);
    MPI_Isend(out + 10, 3, type[i], to, 40, MPI_COMM_WORLD, &r[1]);
    MPI_Wait(&r[0], &s);
    MPI_Wait(&r[1], MPI_STATUS_IGNORE);
    h = hash_bytes(hash_status(h, &s, type[i]), in, sizeof in);
    MPI_Irecv(in + 10, 100, wide, from, 41, MPI_COMM_WORLD, &r[0]);
    MPI_Isend(out + 10, 100, wide, to, 41, MPI_COMM_WORLD, &r[1]);
    MPI_Wait(&r[0], &s);
    MPI_Wait(&r[1], MPI_STATUS_IGNORE);
    h = hash_bytes(hash_status(h, &s, wide), in, sizeof in);
    MPI_Type_free(&type[i]);
    MPI_Type_free(&wide);
  }
  return h;
}

int main(int argc, char **argv) {
  static const int lengths[] = {0, 7, 2000, MAX / 2};
  int k, how, attached_bytes = 32 * MAX;
  char *attached = malloc(attached_bytes);
  MPI_Comm node;
  hash_t h = HASH_START;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  MPI_Buffer_attach(attached, attached_bytes);
  MPI_Comm_split_type(MPI_COMM_WORLD, MPI_COMM_TYPE_SHARED, 0, MPI_INFO_NULL, &node);
  MPI_Comm_size(node, &ours);
  MPI_Comm_free(&node);
  ours = ours == size && !getenv("MPISHM_DISABLE");
  for (k = 0; k < 4; k++) {
    int n = lengths[k], after = (rank + 1) % size, before = (rank + size - 1) % size;
    fill_bytes(out, sizeof out, rank + k);
    h = blocking_and_not(h, n, after, before);
    h = persistent(h, n, after, before);
    h = matched(sendrecv(h, n, after, before), n, after, before);
    for (how = 0; how < 6; how++)
      h = both_in_one(h, n, after, before, how);
    h = both_in_one(h, n, rank, rank, k);
    h = both_in_one(h, n, rank + 1 < size ? rank + 1 : MPI_PROC_NULL, rank > 0 ? rank - 1 : MPI_PROC_NULL, k);
  }
  h = large_types(h, (rank + 1) % size, (rank + size - 1) % size);
  MPI_Buffer_detach(&attached, &attached_bytes);
  free(attached);
  report("MPI 4", h);
  MPI_Finalize();
  return 0;
}
