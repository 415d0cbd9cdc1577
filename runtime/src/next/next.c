/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "next/next.h"

const char MPISHM_MPI_KIND = 1;

/* MPI's own names, until net/ has looked who stands in line. */
#define MEMBER(name) .name = PMPI_##name,
#define LARGE_MEMBER(name) .name##_c = PMPI_##name##_c,
#define MEMBERS                                                                                                        \
  MPISHM_COUNTED(MEMBER)                                                                                               \
  MPISHM_LARGE(LARGE_MEMBER)                                                                                           \
  MPISHM_PROBES(MEMBER)                                                                                                \
  MPISHM_COMPLETIONS(MEMBER)                                                                                           \
  MPISHM_MAKERS(MEMBER)                                                                                                \
  MPISHM_COLLECTIVES(MEMBER)                                                                                           \
  MPISHM_LARGE_COLLECTIVES(LARGE_MEMBER)                                                                               \
  MPISHM_COUNTED_ONESIDED(MEMBER)                                                                                      \
  MPISHM_LARGE_ONESIDED(LARGE_MEMBER)                                                                                  \
  MPISHM_ONESIDED(MEMBER) MPISHM_WINDOW_MAKERS(MEMBER) MPISHM_LARGE_WINDOW_MAKERS(LARGE_MEMBER)

struct mpi_functions mpi_own = {
    MEMBERS}; /* constant, which a compiler must not know: it would make direct calls of it */
struct mpi_functions mpi_next = {MEMBERS};
struct mpi_functions mpi_first = {MEMBERS};
const struct mpi_functions *mpi_beyond = &mpi_first;

#undef MEMBER
#undef LARGE_MEMBER
#undef MEMBERS
