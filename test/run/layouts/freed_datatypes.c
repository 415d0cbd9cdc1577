// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A datatype that is freed, and its handle used again for another one, while messages or persistent requests still need
// it: wildcards, which MPI has to look for too, after a restart, after a cancel, behind another wildcard; exact receives
// and sends; in a full window. What the program has put beside a datatype is neither copied nor deleted
// too early or too often.
//
// RUN: %run-both %s --work %t --cancels
// RUN: timeout 60 mpiexec -n 4 %t/rewritten/program > %t/out1
// RUN: env MPISHM_WINDOW=200K timeout 60 mpiexec -n 4 %t/rewritten/program > %t/out2
// RUN: env MPISHM_WINDOW=200K MPISHM_CMA=0 timeout 60 mpiexec -n 4 %t/rewritten/program > %t/out3
// RUN: diff %t/out1 %t/out2
// RUN: diff %t/out1 %t/out3
#include "report.h"

enum { SIZES = 2, MAX = 20000, BYTES = MAX * 4 * 8, OTHERS = 8 };

static const int lengths[SIZES] = {5, MAX};
static double in[BYTES / 8], out[BYTES / 8], more[BYTES / 8]; // mpishm: keep
static int rank, size, copied, deleted, key;
static MPI_Datatype others[OTHERS];

static int on_copy(MPI_Datatype type, int keyval, void *extra, void *value, void *copy, int *flag) {
  (void)type, (void)keyval, (void)extra;
  *(void **)copy = value;
  copied++;
  *flag = 1;
  return MPI_SUCCESS;
}

static int on_delete(MPI_Datatype type, int keyval, void *value, void *extra) {
  (void)type, (void)keyval, (void)extra;
  deleted += value != NULL;
  return MPI_SUCCESS;
}

/* Those that are not `counted` may be deleted at any time: MPICH 4.0.2 keeps the datatype of a cancelled receive. */
static MPI_Datatype make_type(int n, int counted) {
  MPI_Datatype type;
  MPI_Type_vector(n, 1, 3, MPI_DOUBLE, &type);
  MPI_Type_commit(&type);
  MPI_Type_set_attr(type, key, counted ? &key : NULL);
  return type;
}

/* Frees it, and makes others that may get its handle. */
static void free_type(MPI_Datatype *type) {
  int i;
  MPI_Type_free(type);
  for (i = 0; i < OTHERS; i++) {
    MPI_Type_vector(2, 1, 7 + i, MPI_DOUBLE, &others[i]);
    MPI_Type_commit(&others[i]);
  }
}

static void free_others(void) {
  int i;
  for (i = 0; i < OTHERS; i++)
    MPI_Type_free(&others[i]);
}

static hash_t check(hash_t h, MPI_Status *s) {
  h = hash_bytes(hash_status(h, s, MPI_DOUBLE), in, sizeof in);
  memset(in, 0x3c, sizeof in);
  return h;
}

/* To the rank that is `distance` further, from the one that is as far behind. Nobody else sends then. */
static void send_plain(int n, int distance, int tag) {
  MPI_Barrier(MPI_COMM_WORLD);
  fill_bytes(out, n * sizeof *out, rank * 7 + tag);
  MPI_Send(out, n, MPI_DOUBLE, (rank + distance) % size, tag, MPI_COMM_WORLD);
}

/* A persistent wildcard, started for messages from near and far, cancelled now and then. */
static hash_t persistent_wildcard(hash_t h, int n) {
  MPI_Datatype type = make_type(n, 0);
  MPI_Request r, behind;
  MPI_Status s;
  int distance, cancelled, token;
  MPI_Recv_init(in, 1, type, MPI_ANY_SOURCE, 10, MPI_COMM_WORLD, &r);
  free_type(&type);
  for (distance = 0; distance < size + 2; distance++) {
    if (distance % 3 == 1) { /* nobody sends: a barrier keeps what comes next away */
      MPI_Start(&r);
      MPI_Cancel(&r);
      MPI_Wait(&r, &s);
      MPI_Test_cancelled(&s, &cancelled);
      h = hash_number(h, cancelled);
    }
    MPI_Start(&r);
    MPI_Irecv(&token, 1, MPI_INT, MPI_ANY_SOURCE, MPI_ANY_TAG, MPI_COMM_WORLD, &behind);
    MPI_Barrier(MPI_COMM_WORLD);
    fill_bytes(out, n * sizeof *out, rank * 7 + distance);
    MPI_Send(out, n, MPI_DOUBLE, (rank + distance) % size, 10, MPI_COMM_WORLD);
    MPI_Wait(&r, &s);
    h = check(h, &s);
    MPI_Send(&rank, 1, MPI_INT, (rank + distance) % size, 11, MPI_COMM_WORLD);
    MPI_Wait(&behind, MPI_STATUS_IGNORE);
    h = hash_number(h, token);
    MPI_Barrier(MPI_COMM_WORLD);
  }
  MPI_Request_free(&r);
  free_others();
  return h;
}

/* Freed while it is on its way: a wildcard, an exact receive behind it, a send. */
static hash_t under_way(hash_t h, int n, int distance) {
  int from = (rank + size - distance) % size, to = (rank + distance) % size;
  MPI_Datatype type = make_type(n, 0);
  MPI_Request r[3];
  MPI_Status s[3];
  MPI_Irecv(in, 1, type, MPI_ANY_SOURCE, 20, MPI_COMM_WORLD, &r[0]);
  MPI_Irecv(in + 3 * MAX, n / 3, MPI_DOUBLE, from, 20, MPI_COMM_WORLD, &r[1]);
  fill_bytes(out, sizeof out, rank + distance);
  MPI_Barrier(MPI_COMM_WORLD);
  MPI_Isend(out, 1, type, to, 20, MPI_COMM_WORLD, &r[2]);
  free_type(&type);
  MPI_Send(out, n / 3, MPI_DOUBLE, to, 20, MPI_COMM_WORLD);
  MPI_Waitall(3, r, s);
  h = check(hash_status(h, &s[1], MPI_DOUBLE), &s[0]);
  MPI_Barrier(MPI_COMM_WORLD);
  free_others();
  return h;
}

/* Persistent sends, buffered or not, and an exact persistent receive. */
static hash_t persistent_exact(hash_t h, int n, int distance) {
  static char buffer[2 * BYTES];
  int from = (rank + size - distance) % size, to = (rank + distance) % size, kind, step, detached;
  void *attached;
  MPI_Datatype type = make_type(n, 1);
  MPI_Request r, s[2];
  MPI_Status status;
  MPI_Buffer_attach(buffer, sizeof buffer);
  MPI_Recv_init(in, 1, type, from, 30, MPI_COMM_WORLD, &r);
  MPI_Send_init(out, 1, type, to, 30, MPI_COMM_WORLD, &s[0]);
  MPI_Bsend_init(out, 1, type, to, 30, MPI_COMM_WORLD, &s[1]);
  free_type(&type);
  for (kind = 0; kind < 2; kind++)
    for (step = 0; step < 2; step++) {
      fill_bytes(out, sizeof out, rank + 10 * kind + step);
      if (step)
        MPI_Start(&r);
      MPI_Start(&s[kind]);
      if (!step)
        MPI_Start(&r);
      MPI_Wait(&r, &status);
      MPI_Wait(&s[kind], MPI_STATUS_IGNORE);
      h = check(h, &status);
    }
  for (kind = 0; kind < 2; kind++)
    MPI_Request_free(&s[kind]);
  MPI_Request_free(&r);
  MPI_Buffer_detach(&attached, &detached);
  free_others();
  return h;
}

static MPI_Datatype cached;

static int free_cached(MPI_Comm comm, int keyval, void *value, void *extra) {
  (void)comm, (void)keyval, (void)value, (void)extra;
  free_type(&cached);
  return MPI_SUCCESS;
}

/* Freed by the callback of a communicator that is freed while the receive waits. */
static hash_t in_a_callback(hash_t h, int n, int distance) {
  int keyval;
  MPI_Comm twin;
  MPI_Request r[2];
  MPI_Status s;
  cached = make_type(n, 0);
  MPI_Comm_dup(MPI_COMM_WORLD, &twin);
  MPI_Comm_create_keyval(MPI_COMM_NULL_COPY_FN, free_cached, &keyval, NULL);
  MPI_Comm_set_attr(twin, keyval, NULL);
  MPI_Recv_init(in, 1, cached, MPI_ANY_SOURCE, 40, MPI_COMM_WORLD, &r[0]);
  MPI_Recv_init(more, 1, cached, (rank + size - distance) % size, 41, MPI_COMM_WORLD, &r[1]);
  MPI_Start(&r[1]);
  MPI_Comm_free_keyval(&keyval);
  MPI_Comm_free(&twin);
  MPI_Start(&r[0]);
  send_plain(n, distance, 40);
  send_plain(n, distance, 41);
  MPI_Wait(&r[0], &s);
  MPI_Wait(&r[1], MPI_STATUS_IGNORE);
  h = hash_bytes(check(h, &s), more, sizeof more);
  MPI_Request_free(&r[0]);
  MPI_Request_free(&r[1]);
  free_others();
  return h;
}

int main(int argc, char **argv) {
  int i, distance;
  hash_t h = HASH_START;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  MPI_Type_create_keyval(on_copy, on_delete, &key, NULL);
  memset(in, 0x3c, sizeof in);
  for (i = 0; i < SIZES; i++) {
    h = persistent_wildcard(h, lengths[i]);
    for (distance = 1; distance < size; distance++) {
      h = under_way(h, lengths[i], distance);
      h = persistent_exact(h, lengths[i], distance);
    }
    h = in_a_callback(h, lengths[i], size / 2);
  }
  report("freed datatypes", h);
  report("copied", (hash_t)copied);
  report("deleted", (hash_t)deleted);
  MPI_Type_free_keyval(&key);
  MPI_Finalize();
  return 0;
}
