/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "next/next.h"

#include <dlfcn.h>
#include <string.h>

/* MPI's own names, for what is called before find_next, and for programs that are linked statically. */
struct mpi_next mpi_next = {
#define MEMBER(name) .name = PMPI_##name,
    MPISHM_COUNTED(MEMBER) MPISHM_COUNTED_SINCE(MEMBER) MPISHM_UNCOUNTED(MEMBER)
#undef MEMBER
#if MPI_VERSION >= 4
#define MEMBER(name) .name##_c = PMPI_##name##_c,
        MPISHM_COUNTED(MEMBER) MPISHM_COUNTED_SINCE(MEMBER)
#undef MEMBER
#endif
};

/* ISO C has no conversion from an object's address to a function's; POSIX has dlsym. */
static void find(const char *name, void *function) {
  void *found = dlsym(RTLD_NEXT, name);
  if (found)
    memcpy(function, &found, sizeof found);
}

__attribute__((constructor)) static void find_next(void) {
#define MEMBER(name) find("MPI_" #name, &mpi_next.name);
  MPISHM_COUNTED(MEMBER)
  MPISHM_COUNTED_SINCE(MEMBER) MPISHM_UNCOUNTED(MEMBER)
#undef MEMBER
#if MPI_VERSION >= 4
#define MEMBER(name) find("MPI_" #name "_c", &mpi_next.name##_c);
      MPISHM_COUNTED(MEMBER) MPISHM_COUNTED_SINCE(MEMBER)
#undef MEMBER
#endif
}
