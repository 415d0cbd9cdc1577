/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * faces.h - what the files of the faces benchmark share: a cube of n * n * n cells per rank, with one layer of ghost
 * cells around it, and the ways to exchange its six faces with the neighbours.
 *
 * Face f belongs to dimension f / 2 (0 is the one that is contiguous in memory) and lies at its low (f % 2 == 0) or
 * high end. What a rank sends by face f its neighbour receives at face f ^ 1.
 */
#ifndef FACES_H
#define FACES_H

#include <stddef.h>

enum { FACES = 6 };

/* The files with the exchanges are linked as they are, rewritten and, one of them, rewritten with --zero-copy=on; this
 * tells them apart by name. */
#ifdef FACES_ZERO_COPY
#define VARIANT(name) name##_zero_copy
#elif defined(FACES_REWRITTEN)
#define VARIANT(name) name##_rewritten
#else
#define VARIANT(name) name
#endif

struct cube {
  int n;
  double *cells;        /* (n + 2) cubed */
  int neighbour[FACES]; /* ranks of MPI_COMM_WORLD */
};

/* Cells of one face as two nested loops: `n` times `n` of them, so many cells apart. */
struct plane {
  ptrdiff_t first, inner, outer;
};

/* The layer of cells at face f: `layer` 1 is the outermost of the cube's own, 0 the ghost cells. */
static inline struct plane plane_of(int n, int f, int layer) {
  const ptrdiff_t side = n + 2, stride[3] = {1, side, side * side};
  const int dimension = f / 2, low = dimension == 0 ? 1 : 0, high = dimension == 2 ? 1 : 2;
  const ptrdiff_t at = f % 2 == 0 ? layer : n + 1 - layer;
  return (struct plane){at * stride[dimension] + stride[low] + stride[high], stride[low], stride[high]};
}

/* The outermost layer of face f, into `to`. (packed.c, which is to look like programs do, has its own.) */
static inline void pack_face(const struct cube *cube, int f, double *to) {
  const int n = cube->n;
  const struct plane p = plane_of(n, f, 1);
  const double *row = cube->cells + p.first;
  for (int j = 0; j < n; j++, row += p.outer)
    for (int i = 0; i < n; i++)
      *to++ = row[i * p.inner];
}

/* What was packed, into the ghost cells of face f. */
static inline void unpack_face(struct cube *cube, int f, const double *from) {
  const int n = cube->n;
  const struct plane p = plane_of(n, f, 0);
  double *row = cube->cells + p.first;
  for (int j = 0; j < n; j++, row += p.outer)
    for (int i = 0; i < n; i++)
      row[i * p.inner] = *from++;
}

/* One way to exchange the faces. Collective. After `exchange` all ghost cells but those of edges and corners are
 * filled. */
struct exchange {
  const char *name;
  void (*set_up)(struct cube *cube);
  void (*exchange)(void);
  void (*tear_down)(void);
};
extern const struct exchange packed, by_type, packed_rewritten, packed_zero_copy, by_type_rewritten, placed, limit;

#endif
