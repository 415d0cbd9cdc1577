/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * A field of side³ doubles, from pencils along x to pencils along y: each rank has all z. By Alltoallw of subarrays; by
 * Alltoallv, packed and unpacked by hand; and the bare limit, in which each rank copies out of the others' memory into
 * its own what it gets, row by row, between two barriers by hand.
 */
#include "cubes.h"
#include "fail.h"

#include <mpishm.h>
#include <sched.h>
#include <stdatomic.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_RANKS = 1024 };

static int ones[MOST_RANKS], nowhere[MOST_RANKS], counts[MOST_RANKS], places[MOST_RANKS];
static MPI_Datatype from_x[MOST_RANKS], to_y[MOST_RANKS];
static double *packed_out, *packed_in;

/* The fields as they lie in memory, z first; `part` of each is for, or from, one rank. */
static void make_datatypes(const struct buffers *b) {
  const int side = (int)b->side, share = side / b->ranks;
  const int x_pencils[] = {side, share, side}, y_pencils[] = {side, side, share}, part[] = {side, share, share};
  for (int i = 0; i < b->ranks; i++) {
    const int x_start[] = {0, 0, i * share}, y_start[] = {0, i * share, 0};
    MPI_Type_create_subarray(3, x_pencils, part, x_start, MPI_ORDER_C, MPI_DOUBLE, &from_x[i]);
    MPI_Type_create_subarray(3, y_pencils, part, y_start, MPI_ORDER_C, MPI_DOUBLE, &to_y[i]);
    MPI_Type_commit(&from_x[i]);
    MPI_Type_commit(&to_y[i]);
    ones[i] = 1;
    counts[i] = side * share * share;
    places[i] = i * counts[i];
  }
}

/* What the limit shares: how many barriers a rank has come to, and its field behind. */
struct shared {
  _Alignas(64) _Atomic unsigned come; /* w: the rank, release; r: the others, acquire */
  double field[];
};
static MPI_Win window;
static struct shared *shared[MOST_RANKS];
static unsigned barriers;

static void share(const struct buffers *b) {
  const MPI_Aint bytes = (MPI_Aint)(sizeof(struct shared) + (size_t)b->bytes * (size_t)b->ranks);
  void *mine;
  MPI_Win_allocate_shared((bytes + 63) / 64 * 64, 1, MPI_INFO_NULL, MPI_COMM_WORLD, &mine, &window);
  for (int i = 0; i < b->ranks; i++) {
    MPI_Aint size;
    int unit;
    MPI_Win_shared_query(window, i, &size, &unit, (void *)&shared[i]);
  }
  atomic_store(&shared[b->rank]->come, 0);
  barriers = 0;
  memset(shared[b->rank]->field, 0, (size_t)b->bytes * (size_t)b->ranks);
  MPI_Win_lock_all(MPI_MODE_NOCHECK, window);
  MPI_Barrier(MPI_COMM_WORLD);
}

void set_up_cubes(const struct buffers *b) {
  const long bytes = b->bytes * b->ranks;
  make_datatypes(b);
  packed_out = b->moved ? MPISHM_Malloc((size_t)bytes) : checked_malloc(bytes);
  packed_in = b->moved ? MPISHM_Malloc((size_t)bytes) : checked_malloc(bytes);
  if (!packed_out || !packed_in)
    fail("no memory to pack in");
  if (b->nodes == 1)
    share(b);
}

void tear_down_cubes(const struct buffers *b) {
  for (int i = 0; i < b->ranks; i++) {
    MPI_Type_free(&from_x[i]);
    MPI_Type_free(&to_y[i]);
  }
  MPISHM_Free(packed_out); /* takes any pointer */
  MPISHM_Free(packed_in);
  if (b->nodes > 1)
    return;
  MPI_Win_unlock_all(window);
  MPI_Win_free(&window);
}

/* ---- Alltoallw. ---- */

void cubes_by_type_library(const struct buffers *b) {
  MPI_Alltoallw(b->mine, ones, nowhere, from_x, b->all, ones, nowhere, to_y, MPI_COMM_WORLD);
}
void cubes_by_type_window(const struct buffers *b) {
  MPISHM_Alltoallw(b->mine, ones, nowhere, from_x, b->all, ones, nowhere, to_y, MPI_COMM_WORLD);
}

/* ---- Alltoallv. ---- */

static void pack(const struct buffers *b) {
  const size_t side = (size_t)b->side, share = side / (size_t)b->ranks;
  double *to = packed_out;
  for (size_t rank = 0; rank < (size_t)b->ranks; rank++)
    for (size_t row = 0; row < side * share; row++, to += share)
      memcpy(to, (const double *)b->mine + row * side + rank * share, share * sizeof *to);
}
static void unpack(const struct buffers *b) {
  const size_t side = (size_t)b->side, share = side / (size_t)b->ranks;
  const double *from = packed_in;
  for (size_t rank = 0; rank < (size_t)b->ranks; rank++)
    for (size_t z = 0; z < side; z++, from += share * share)
      memcpy((double *)b->all + (z * side + rank * share) * share, from, share * share * sizeof *from);
}
void cubes_packed_library(const struct buffers *b) {
  pack(b);
  MPI_Alltoallv(packed_out, counts, places, MPI_DOUBLE, packed_in, counts, places, MPI_DOUBLE, MPI_COMM_WORLD);
  unpack(b);
}
void cubes_packed_window(const struct buffers *b) {
  pack(b);
  MPISHM_Alltoallv(packed_out, counts, places, MPI_DOUBLE, packed_in, counts, places, MPI_DOUBLE, MPI_COMM_WORLD);
  unpack(b);
}

/* ---- The limit. ---- */

static void meet(const struct buffers *b) {
  barriers++;
  atomic_store_explicit(&shared[b->rank]->come, barriers, memory_order_release);
  for (int i = 0; i < b->ranks; i++)
    for (int spins = 0; atomic_load_explicit(&shared[i]->come, memory_order_acquire) - barriers > 1U << 31; spins++)
      if (spins > 1000)
        sched_yield();
}

void fill_cubes(const struct buffers *b) {
  memcpy(shared[b->rank]->field, b->mine, (size_t)b->bytes * (size_t)b->ranks);
}

void cubes_pulled(const struct buffers *b) {
  const size_t side = (size_t)b->side, ranks = (size_t)b->ranks, share = side / ranks;
  meet(b);
  for (size_t i = 0; i < ranks; i++) {
    const size_t rank = (i + (size_t)b->rank) % ranks;
    const double *from = shared[rank]->field + (size_t)b->rank * share;
    for (size_t z = 0; z < side; z++)
      for (size_t y = 0; y < share; y++)
        memcpy((double *)b->all + (z * side + rank * share + y) * share, from + (z * share + y) * side,
               share * sizeof *from);
  }
  meet(b);
}
