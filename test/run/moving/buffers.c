// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Buffers that the tool moves into the window: made and freed in every exchange, resized between steps, cut from one
// block, members of structures, arrays of pointers, made by helpers and macros of the program. And, in a program of its
// own, more of them than a small window has room for.
//
// RUN: %run-both %s --work %t --moves 9
// RUN: %run-both %s --work %t --again --one-node --env MPISHM_BUFFERS=1M
#include "report.h"

enum { LEFT, RIGHT, SIDES };
#define RELEASE(p)                                                                                                     \
  do {                                                                                                                 \
    free(p);                                                                                                           \
    (p) = NULL;                                                                                                        \
  } while (0)
#define NEW(type, n) ((type *)calloc((n), sizeof(type)))

struct halo {
  int n;
  double *send[SIDES], *receive[SIDES];
};
typedef struct message {
  int step;
  double values[7];
} message;

static int rank, size, left, right;

static void *take(size_t bytes) {
  void *memory = malloc(bytes);
  if (memory == NULL) {
    fprintf(stderr, "out of memory\n");
    MPI_Abort(MPI_COMM_WORLD, 1);
  }
  return memory;
}

static double *take_doubles(int n) { return take(n * sizeof(double)); }
static void *take_plain(size_t bytes) { return malloc(bytes); }
static void give_back(void *memory) { free(memory); }

static void take_pair(double **first, double **second, int n) {
  if (posix_memalign((void **)first, 64, n * sizeof(double)) != 0)
    abort();
  *second = aligned_alloc(64, (n * sizeof(double) + 63) / 64 * 64);
}

static hash_t exchange(hash_t h, double *in, const double *out, int n) {
  MPI_Request r[2];
  MPI_Irecv(in, n, MPI_DOUBLE, left, 3, MPI_COMM_WORLD, &r[0]);
  MPI_Isend(out, n, MPI_DOUBLE, right, 3, MPI_COMM_WORLD, &r[1]);
  MPI_Waitall(2, r, MPI_STATUSES_IGNORE);
  return hash_bytes(h, in, n * sizeof(double));
}

// Freed as soon as the request is done, while the neighbour may still be reading or writing elsewhere.
static hash_t every_step(hash_t h, int step, int n) {
  double *in = take_plain(n * sizeof *in), *out = take_doubles(n);
  fill_bytes(out, n * sizeof(double), step + rank);
  h = exchange(h, in, out, n);
  give_back(out);
  give_back(in);
  return h;
}

static struct halo *make_halo(int n) {
  struct halo *halo = NEW(struct halo, 1);
  halo->n = n;
  for (int side = 0; side < SIDES; side++) {
    halo->send[side] = NEW(double, n);
    halo->receive[side] = malloc(n * sizeof *halo->receive[side]);
  }
  return halo;
}

static hash_t both_sides(hash_t h, struct halo *halo, int step) {
  int peers[SIDES] = {left, right}, requests = 0;
  MPI_Request r[2 * SIDES];
  for (int side = 0; side < SIDES; side++) {
    fill_bytes(halo->send[side], halo->n * sizeof(double), 10 * step + side + rank);
    MPI_Irecv(halo->receive[side], halo->n, MPI_DOUBLE, peers[side], side, MPI_COMM_WORLD, &r[requests++]);
    MPI_Isend(halo->send[side], halo->n, MPI_DOUBLE, peers[side], 1 - side, MPI_COMM_WORLD, &r[requests++]);
  }
  MPI_Waitall(requests, r, MPI_STATUSES_IGNORE);
  for (int side = 0; side < SIDES; side++)
    h = hash_bytes(h, halo->receive[side], halo->n * sizeof(double));
  return h;
}

static void free_halo(struct halo **halo) {
  for (int side = 0; side < SIDES; side++) {
    RELEASE((*halo)->send[side]);
    RELEASE((*halo)->receive[side]);
  }
  free(*halo);
  *halo = NULL;
}

// One block, grown between steps: a ghost row before, the messages in the middle, one after.
static hash_t grown(hash_t h, double **block, int n) {
  *block = realloc(*block, 3 * n * sizeof(double));
  fill_bytes(*block, 3 * n * sizeof(double), n + rank);
  double *middle = *block + n;
  h = exchange(h, *block, middle, n);
  return exchange(h, &middle[n], middle + n / 2, n / 2);
}

static hash_t records(hash_t h, int step) {
  message *out = take(4 * sizeof *out), *in = calloc(4, sizeof *in);
  MPI_Request r[2];
  memset(out, 0, 4 * sizeof *out);
  for (int i = 0; i < 4; i++) {
    out[i].step = step;
    out[i].values[i] = rank + 0.5 * i;
  }
  MPI_Irecv(in, 4 * sizeof *in, MPI_BYTE, right, 9, MPI_COMM_WORLD, &r[0]);
  MPI_Isend(out, 4 * sizeof *out, MPI_BYTE, left, 9, MPI_COMM_WORLD, &r[1]);
  MPI_Waitall(2, r, MPI_STATUSES_IGNORE);
  h = hash_bytes(h, in, 4 * sizeof *in);
  give_back(in);
  free(out);
  return h;
}

int main(int argc, char **argv) {
  hash_t h = HASH_START;
  double *block = NULL, *first, *second;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  left = (rank + size - 1) % size;
  right = (rank + 1) % size;
  struct halo *halo = make_halo(3000);
  take_pair(&first, &second, 5000);
  for (int step = 0; step < 4; step++) {
    h = every_step(h, step, 1 << (4 * step + 2));
    h = both_sides(h, halo, step);
    h = grown(h, &block, 100 + 9000 * step);
    h = records(h, step);
    fill_bytes(first, 5000 * sizeof(double), step);
    h = exchange(h, second, first, 5000);
  }
  free_halo(&halo);
  free(first);
  give_back(second);
  free(block);
  report("moved", h);
  return MPI_Finalize();
}
