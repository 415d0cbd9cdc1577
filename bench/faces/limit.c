/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * limit - each face is packed straight where its neighbour unpacks it, in a shared window, and nothing but flags tell
 * of it: what no message can be faster than. The ranks share memory.
 */
#include "faces.h"

#include <mpi.h>
#include <stdatomic.h>

enum { LINE = 64 };

/* Of a rank, per face, a line each: the exchange that its receive is ready for, and that which has filled it. */
struct flags {
  struct {
    _Alignas(LINE) atomic_uint at;
  } ready[FACES], filled[FACES];
};

static struct {
  struct cube *cube;
  MPI_Win window;
  struct flags *own, *neighbours[FACES];
  double *in[FACES], *out[FACES]; /* own faces, and where they go in the neighbours */
  unsigned exchanges;
} s;

static void set_up(struct cube *cube) {
  const size_t face = ((size_t)cube->n * (size_t)cube->n * sizeof(double) + LINE - 1) / LINE * LINE;
  int unit = 1;
  MPI_Aint bytes;
  char *base = NULL;
  s.cube = cube;
  s.exchanges = 0;
  MPI_Win_allocate_shared((MPI_Aint)(sizeof(struct flags) + FACES * face), 1, MPI_INFO_NULL, MPI_COMM_WORLD, &base,
                          &s.window);
  s.own = (struct flags *)base;
  for (int f = 0; f < FACES; f++) {
    char *there = NULL;
    MPI_Win_shared_query(s.window, cube->neighbour[f], &bytes, &unit, &there);
    s.neighbours[f] = (struct flags *)there;
    s.in[f] = (double *)(base + sizeof(struct flags) + (size_t)f * face);
    s.out[f] = (double *)(there + sizeof(struct flags) + (size_t)(f ^ 1) * face);
    atomic_init(&s.own->ready[f].at, 0);
    atomic_init(&s.own->filled[f].at, 0);
  }
  MPI_Barrier(MPI_COMM_WORLD);
}

static void wait_for(atomic_uint *flag, unsigned value) {
  while (atomic_load_explicit(flag, memory_order_acquire) != value) {
  }
}

static void exchange(void) {
  const unsigned now = ++s.exchanges;
  for (int f = 0; f < FACES; f++)
    atomic_store_explicit(&s.own->ready[f].at, now, memory_order_release);
  for (int f = 0; f < FACES; f++) {
    wait_for(&s.neighbours[f]->ready[f ^ 1].at, now);
    pack_face(s.cube, f, s.out[f]);
    atomic_store_explicit(&s.neighbours[f]->filled[f ^ 1].at, now, memory_order_release);
  }
  for (int f = 0; f < FACES; f++) {
    wait_for(&s.own->filled[f].at, now);
    unpack_face(s.cube, f, s.in[f]);
  }
}

static void tear_down(void) { MPI_Win_free(&s.window); }

const struct exchange limit = {.name = "limit", .set_up = set_up, .exchange = exchange, .tear_down = tear_down};
