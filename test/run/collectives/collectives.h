/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * For the programs in this folder: each collective is done by MPI and by libmpishm on the same data, and every byte of
 * both results has to be the same, those that are not to be written included. Without the net, which would serve MPI's
 * as it serves libmpishm's.
 */
#ifndef TEST_COLLECTIVES_H
#define TEST_COLLECTIVES_H

#include "report.h"
#include <mpishm.h>

static int rank, size, checks;

static inline void wrong(const char *what, long number) {
  fprintf(stderr, "rank %d: %s is wrong (%ld)\n", rank, what, number);
  fflush(stderr);
  MPI_Abort(MPI_COMM_WORLD, 1);
}

/* Memory of both kinds, in turns. */
static inline void *allocate(size_t bytes, int moved) {
  void *memory = moved ? MPISHM_Malloc(bytes + 1) : malloc(bytes + 1);
  if (!memory)
    wrong("memory", (long)bytes);
  return memory;
}
static inline void release(void *memory, int moved) { moved ? MPISHM_Free(memory) : free(memory); }

static inline void same(const char *what, const void *ours, const void *mpis, size_t bytes, long number) {
  if (memcmp(ours, mpis, bytes) != 0)
    wrong(what, number);
  checks++;
}

/* Both return the same class of errors, an error or none; `is_error` is -1 where libraries differ. */
static inline void alike(int error, int mpis, int is_error) {
  int class, mpis_class;
  MPI_Error_class(error, &class);
  MPI_Error_class(mpis, &mpis_class);
  if (class != mpis_class || (is_error >= 0 && (mpis != MPI_SUCCESS) != is_error))
    wrong("an error class", class);
}

static inline void start(int *argc, char ***argv) {
  setenv("MPISHM_NET", "0", 1);
  MPISHM_Init(argc, argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
}

/* All have come so far without a difference. */
static inline int finish(int least) {
  if (checks < least)
    wrong("the number of checks", checks);
  MPI_Barrier(MPI_COMM_WORLD);
  if (rank == 0)
    printf("all right\n");
  MPI_Finalize();
  return 0;
}

#endif
