/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Entry points: windows are made by MPI, registered, and freed.
 */
#include "mpishm.h"
#include "next/next.h"
#include "onesided/deferred.h"
#include "requests/requests.h"
#include "watch/enter.h"

#include <stdlib.h>

/* Entered already, without the mutex; ends the call. */
static int register_made(int error, MPI_Comm comm, const MPI_Win *win, struct window_part part) {
  runtime_lock();
  struct communicator *communicator = error == MPI_SUCCESS ? communicator_find(comm) : NULL;
  struct window *window = communicator ? window_register(communicator, *win, part) : NULL;
  for (int i = 0; window && window->is_ours && !window->deferred && i < window->size; i++)
    if (window->targets[i].reach == REACH_BY_KERNEL && window->targets[i].bytes > 0)
      window->deferred = deferred_make();
  runtime_leave();
  return error;
}

/* ---- MPI_Win_allocate: memory in the node's window, where MPI's own allocations often are not. MPI makes its window
 * over that; an attribute of it says which memory goes with it, whether it is registered or not. ---- */

static int memory_keyval = MPI_KEYVAL_INVALID;

void makers_destroy(void) {
  if (memory_keyval != MPI_KEYVAL_INVALID)
    PMPI_Win_free_keyval(&memory_keyval);
}

/* What the program asks for by MPI 4.0's hint; at least a line. */
static size_t alignment_of(MPI_Info info) {
  char value[32] = "";
  int flag = 0;
  if (info != MPI_INFO_NULL)
    PMPI_Info_get(info, "mpi_minimum_memory_alignment", sizeof value - 1, value, &flag);
  size_t asked = flag ? strtoull(value, NULL, 10) : 0;
  return asked > LINE && (asked & (asked - 1)) == 0 ? asked : LINE;
}

/* All members are here, and see that alike: they all make the window in the same way. A member whose other arguments
 * MPI refuses gets MPI's error, while the others wait for it, as in MPI. */
static bool is_of_this_node(MPI_Comm comm) {
  runtime_lock();
  const struct communicator *communicator = communicator_find(comm);
  bool here = communicator && communicator->local_count == communicator->size;
  runtime_unlock();
  return here;
}

/* At least one byte, so that each member has an address of its own. */
static bool allocate_part(MPI_Aint size, MPI_Info info, void **memory) {
  return MPISHM_Posix_memalign(memory, alignment_of(info), size > 0 ? (size_t)size : 1) == 0;
}

/* The memory belongs to MPI's window, if that was made. Returns the error. */
static int keep_part(int error, void *memory, MPI_Win win) {
  if (error != MPI_SUCCESS)
    MPISHM_Free(memory);
  else if (window_keyval_ready(&memory_keyval, MPI_WIN_NULL_DELETE_FN)) /* else it stays until the process ends */
    PMPI_Win_set_attr(win, memory_keyval, memory);
  return error;
}

/* NULL: the memory is the program's, or MPI's. */
static void *part_of_window(MPI_Win win) {
  void *memory = NULL;
  int found = 0;
  runtime_lock();
  int keyval = memory_keyval;
  runtime_unlock();
  if (keyval == MPI_KEYVAL_INVALID || win == MPI_WIN_NULL)
    return NULL;
  PMPI_Win_get_attr(win, keyval, &memory, &found);
  return found ? memory : NULL;
}

#define COUNTED "onesided/makers_calls.h"
#include "point_to_point/counted.h"

/* MPI made such a window by MPI_Win_create, and may have forgotten the address of a part that has no bytes. */
int MPISHM_Win_get_attr(MPI_Win win, int win_keyval, void *attribute_val, int *flag) {
  static int allocated = MPI_WIN_FLAVOR_ALLOCATE;
  int error = mpi_first.Win_get_attr(win, win_keyval, attribute_val, flag);
  bool asks = win_keyval == MPI_WIN_CREATE_FLAVOR || win_keyval == MPI_WIN_BASE;
  void *memory = asks && error == MPI_SUCCESS && *flag ? part_of_window(win) : NULL;
  if (memory)
    *(void **)attribute_val = win_keyval == MPI_WIN_BASE ? memory : &allocated;
  return error;
}

/* Entered already. Whether an epoch is open that has to be closed first. */
static bool is_in_epoch(const struct window *window) {
  return window->locked || window->all_locked || window->is_started || window->is_posted;
}

/* Nobody frees its memory before all have come, and so have ended their accesses. */
int MPISHM_Win_free(MPI_Win *win) {
  runtime_enter(CALL_WIN_FREE);
  struct window *window = win ? window_find(*win) : NULL;
  if (window && is_in_epoch(window)) {
    runtime_unlock();
    return runtime_return(window_raise(*win, MPI_ERR_RMA_SYNC));
  }
  if (window) {
    deferred_finish(window);
    window_barrier(window);
    handed_free(window);
    window_leave(window);
  }
  runtime_unlock();
  void *memory = win ? part_of_window(*win) : NULL;
  int error = mpi_first.Win_free(win);
  if (error == MPI_SUCCESS && memory)
    MPISHM_Free(memory);
  runtime_lock();
  windows_reclaim();
  runtime_leave();
  return error;
}
