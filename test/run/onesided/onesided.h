/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * For the programs in this folder: windows of libmpishm, and twins of them that are MPI's own. Without the net, which
 * would serve MPI's functions where they are given a window of libmpishm's.
 */
#ifndef TEST_ONESIDED_H
#define TEST_ONESIDED_H

#include "report.h"
#include <mpishm.h>

static int rank, size, checks;
static MPI_Comm node; /* the members of MPI_COMM_WORLD that are on one node */

static inline void wrong(const char *what, long number) {
  fprintf(stderr, "rank %d: %s is wrong (%ld)\n", rank, what, number);
  fflush(stderr);
  MPI_Abort(MPI_COMM_WORLD, 1);
}

static inline void expect(const char *what, long found, long wanted) {
  if (found != wanted)
    wrong(what, found);
  checks++;
}

static inline void start(int *argc, char ***argv) {
  setenv("MPISHM_NET", "0", 1);
  MPISHM_Init(argc, argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  MPISHM_Comm_split_type(MPI_COMM_WORLD, MPI_COMM_TYPE_SHARED, 0, MPI_INFO_NULL, &node);
}

/* The ways to have a window. */
enum way { CREATE_PRIVATE, CREATE_MOVED, ALLOCATE, ALLOCATE_SHARED, WAYS };

struct made {
  MPI_Win win;
  char *base;
  void *memory; /* to be freed; NULL: MPI's */
  int moved;
};

static inline struct made make(enum way way, MPI_Aint bytes, int unit, MPI_Comm comm) {
  struct made made = {MPI_WIN_NULL, NULL, NULL, way == CREATE_MOVED};
  MPI_Info info = MPI_INFO_NULL;
  if (way == ALLOCATE) {
    MPISHM_Win_allocate(bytes, unit, info, comm, &made.base, &made.win);
  } else if (way == ALLOCATE_SHARED) {
    MPISHM_Win_allocate_shared(bytes, unit, info, comm, &made.base, &made.win);
  } else {
    made.memory = made.base = made.moved ? MPISHM_Malloc((size_t)bytes + 1) : malloc((size_t)bytes + 1);
    MPISHM_Win_create(made.base, bytes, unit, info, comm, &made.win);
  }
  return made;
}

static inline void unmake(struct made *made) {
  MPISHM_Win_free(&made->win);
  if (made->win != MPI_WIN_NULL)
    wrong("a window that was freed", 0);
  made->moved ? MPISHM_Free(made->memory) : free(made->memory);
}

/* All have come so far without a difference. */
static inline int finish(int least) {
  if (checks < least)
    wrong("the number of checks", checks);
  MPI_Comm_free(&node);
  MPI_Barrier(MPI_COMM_WORLD);
  if (rank == 0)
    printf("all right\n");
  MPI_Finalize();
  return 0;
}

#endif
