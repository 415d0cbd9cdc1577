/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * libmpishm_try.so, which mpishm-try preloads: libmpishm for a program that was not rewritten. The program's MPI_Init
 * sets the runtime up, and the net serves all its calls.
 */
#include "mpishm.h"
#include "net/net.h"

#include <dlfcn.h>
#include <stdbool.h>
#include <string.h>

#define TRY __attribute__((visibility("default")))

/* As in line.c. */
static bool find_next(const char *name, void *function) {
  void *found = dlsym(RTLD_NEXT, name);
  if (found)
    memcpy(function, &found, sizeof found);
  return found != NULL;
}

static int attach(int error) {
  net_serve_all();
  return error == MPI_SUCCESS ? MPISHM_Attach() : error;
}

TRY int MPI_Init(int *argc, char ***argv) {
  __typeof__(MPI_Init) *next = PMPI_Init;
  find_next("MPI_Init", &next);
  return attach(next(argc, argv));
}

TRY int MPI_Init_thread(int *argc, char ***argv, int required, int *provided) {
  __typeof__(MPI_Init_thread) *next = PMPI_Init_thread;
  find_next("MPI_Init_thread", &next);
  return attach(next(argc, argv, required, provided));
}
