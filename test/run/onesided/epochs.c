// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The tool rewrites windows of every kind in records and arrays, made, used and freed by functions that are given them,
// in epochs of every kind; what is put, got and accumulated is the same as by MPI alone. (Windows are multiples of 16
// bytes: of others MPICH 4.0.2 misplaces the memory of MPI_Win_allocate.)
//
// RUN: %run-both %s --work %t
// RUN: %run-both %s --work %t --again --ranks 3 --ragged
// RUN: %run-both %s --work %t --again --ranks 1 --one-node
#include "report.h"

enum { WAYS = 3, N = 96 };

struct field {
  int way;
  MPI_Win win;
  double *cells, *own; /* own: to be freed, or NULL */
};

static int rank, size;
static struct field fields[WAYS];

static void make(struct field *f, int way, MPI_Comm comm) {
  MPI_Aint bytes = 2 * N * (MPI_Aint)sizeof(double);
  f->way = way;
  f->own = NULL;
  if (way == 0) {
    f->own = f->cells = malloc((size_t)bytes);
    MPI_Win_create(f->cells, bytes, sizeof(double), MPI_INFO_NULL, comm, &f->win);
  } else if (way == 1) {
    MPI_Win_allocate(bytes, sizeof(double), MPI_INFO_NULL, comm, &f->cells, &f->win);
  } else {
    MPI_Win_allocate_shared(bytes, sizeof(double), MPI_INFO_NULL, comm, &f->cells, &f->win);
  }
}

static void clear(struct field *f) {
  for (int i = 0; i < 2 * N; i++)
    f->cells[i] = 1000 * rank + i;
}

static void put(const struct field *f, const double *from, int to, int at, int n) {
  MPI_Put(from, n, MPI_DOUBLE, to, at, n, MPI_DOUBLE, f->win);
}

/* All kinds of operations on the neighbour `to`, each on cells of its own; `got` is valid when the epoch is over. */
static void operate(const struct field *f, int to, const double *values, double *got) {
  MPI_Datatype every_other;
  MPI_Type_vector(N / 8, 1, 2, MPI_DOUBLE, &every_other);
  MPI_Type_commit(&every_other);
  put(f, values, to, 0, N / 4);
  MPI_Get(got, N / 4, MPI_DOUBLE, to, N, N / 4, MPI_DOUBLE, f->win);
  MPI_Accumulate(values, N / 8, MPI_DOUBLE, to, N / 4, 1, every_other, MPI_SUM, f->win);
  MPI_Get_accumulate(values, N / 4, MPI_DOUBLE, got + N / 4, N / 4, MPI_DOUBLE, to, N / 2, N / 4, MPI_DOUBLE,
                     MPI_REPLACE, f->win);
  MPI_Put(values, 1, MPI_DOUBLE, MPI_PROC_NULL, 0, 1, MPI_DOUBLE, f->win);
  MPI_Type_free(&every_other);
}

static hash_t by_fences(hash_t h, struct field *f) {
  double values[N], got[N] = {0};
  fill_bytes(values, sizeof values, rank);
  for (int i = 0; i < N; i++)
    values[i] = rank + 0.25 * i;
  MPI_Win_fence(MPI_MODE_NOPRECEDE, f->win);
  operate(f, (rank + 1) % size, values, got);
  MPI_Win_fence(MPI_MODE_NOSUCCEED, f->win);
  h = hash_bytes(h, f->cells, N * sizeof(double));
  return hash_bytes(h, got, sizeof got);
}

static hash_t by_posts(hash_t h, struct field *f, MPI_Group origins, MPI_Group targets) {
  double values[N], got[N] = {0};
  int done = 0;
  for (int i = 0; i < N; i++)
    values[i] = 7 * rank - 0.5 * i;
  MPI_Win_post(origins, 0, f->win);
  MPI_Win_start(targets, 0, f->win);
  operate(f, (rank + 1) % size, values, got);
  MPI_Win_complete(f->win);
  if (rank % 2)
    MPI_Win_wait(f->win);
  else
    while (!done)
      MPI_Win_test(f->win, &done);
  h = hash_bytes(h, f->cells, N * sizeof(double));
  return hash_bytes(h, got, sizeof got);
}

static hash_t by_locks(hash_t h, struct field *f, int all) {
  int to = (rank + 1) % size;
  double values[N], got[N] = {0};
  for (int i = 0; i < N; i++)
    values[i] = rank * rank + 0.125 * i;
  if (all)
    MPI_Win_lock_all(MPI_MODE_NOCHECK, f->win);
  else
    MPI_Win_lock(MPI_LOCK_EXCLUSIVE, to, 0, f->win);
  operate(f, to, values, got);
  if (all) {
    MPI_Win_flush_local(to, f->win);
    MPI_Win_flush_all(f->win);
    put(f, values + N / 2, to, N / 8, 3);
    MPI_Win_flush(to, f->win);
    MPI_Win_flush_local_all(f->win);
    MPI_Barrier(MPI_COMM_WORLD);
    MPI_Win_sync(f->win);
    MPI_Win_unlock_all(f->win);
  } else {
    MPI_Win_unlock(to, f->win);
  }
  MPI_Barrier(MPI_COMM_WORLD);
  MPI_Win_lock(MPI_LOCK_SHARED, rank, 0, f->win);
  h = hash_bytes(h, f->cells, N * sizeof(double));
  MPI_Win_unlock(rank, f->win);
  return hash_bytes(h, got, sizeof got);
}

static void unmake(struct field *f) {
  MPI_Win_free(&f->win);
  if (f->win != MPI_WIN_NULL)
    MPI_Abort(MPI_COMM_WORLD, 1);
  free(f->own);
}

/* What MPI tells of a window. */
static hash_t attributes(hash_t h, const struct field *f) {
  int found = 0, *flavor = NULL, *unit = NULL;
  MPI_Aint *bytes = NULL;
  double *base = NULL;
  MPI_Group group;
  MPI_Win_get_attr(f->win, MPI_WIN_CREATE_FLAVOR, &flavor, &found);
  h = hash_number(hash_number(h, found), found ? *flavor : -1);
  MPI_Win_get_attr(f->win, MPI_WIN_SIZE, &bytes, &found);
  h = hash_number(h, found ? *bytes : -1);
  MPI_Win_get_attr(f->win, MPI_WIN_DISP_UNIT, &unit, &found);
  h = hash_number(h, found ? *unit : -1);
  MPI_Win_get_attr(f->win, MPI_WIN_BASE, &base, &found);
  h = hash_number(h, base == f->cells);
  MPI_Win_get_group(f->win, &group);
  MPI_Group_size(group, &found);
  MPI_Group_free(&group);
  return hash_number(h, found);
}

int main(int argc, char **argv) {
  int next, before;
  hash_t h = HASH_START;
  MPI_Group world, origins, targets;
  MPI_Comm node;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  MPI_Comm_split_type(MPI_COMM_WORLD, MPI_COMM_TYPE_SHARED, 0, MPI_INFO_NULL, &node);
  next = (rank + 1) % size, before = (rank + size - 1) % size;
  MPI_Comm_group(MPI_COMM_WORLD, &world);
  MPI_Group_incl(world, 1, &before, &origins);
  MPI_Group_incl(world, 1, &next, &targets);
  for (int way = 0; way < WAYS; way++) {
    struct field *f = &fields[way];
    int of_node;
    MPI_Comm_size(node, &of_node);
    MPI_Allreduce(MPI_IN_PLACE, &of_node, 1, MPI_INT, MPI_MIN, MPI_COMM_WORLD);
    if (way == 2 && of_node < size) /* which MPI has inside a node alone */
      break;
    make(f, way, MPI_COMM_WORLD);
    h = attributes(h, f);
    for (int step = 0; step < 4; step++) {
      clear(f);
      MPI_Barrier(MPI_COMM_WORLD);
      h = step == 0 ? by_fences(h, f) : step == 1 ? by_posts(h, f, origins, targets) : by_locks(h, f, step == 3);
      MPI_Barrier(MPI_COMM_WORLD);
    }
    unmake(f);
    report("window", h);
  }
  MPI_Group_free(&world), MPI_Group_free(&origins), MPI_Group_free(&targets);
  MPI_Comm_free(&node);
  MPI_Finalize();
  return 0;
}
