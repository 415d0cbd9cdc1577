/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Registration of windows: who the members on the node are, and where their memory is.
 */
#include "onesided/windows.h"
#include "base/handles.h"
#include "errors/errors.h"
#include "members/parcels.h"
#include "node/program_heap.h"
#include "node/window.h"

#include <stdlib.h>

enum { SHARE_OF_WINDOWS = 4 }; /* what is shared for windows takes at most this part of what their makers have */

static struct handle_table windows;
static int window_keyval = MPI_KEYVAL_INVALID;
struct window_memo last_window;

/* ---- Records. ---- */

static void window_discard(struct window *window) {
  if (window->group != MPI_GROUP_NULL)
    PMPI_Group_free(&window->group);
  free(window->deferred);
  free(window);
}

/* MPI frees the window. Where that was not by MPISHM_Win_free, others may still access it: what it has of memory then
 * stays until the process ends. */
static int forget_window(MPI_Win win, int key, void *value, void *extra) {
  (void)key, (void)extra;
  runtime_lock();
  handle_remove(&windows, HANDLE_KEY(win));
  last_window.window = NULL;
  window_discard(value);
  runtime_unlock();
  return MPI_SUCCESS;
}

/* In one piece with its lists, since programs make windows more often than they need memory for them. */
static struct window *window_allocate(size_t size, size_t local) {
  struct window *window = calloc(1, sizeof *window + size * sizeof(struct target) + (2 * size + local) * sizeof(int));
  if (!window)
    return NULL;
  window->targets = (struct target *)(window + 1);
  window->started.ranks = (int *)(window->targets + size);
  window->posted.ranks = window->started.ranks + size;
  window->node_ranks = window->posted.ranks + size;
  return window;
}

static struct window *window_describe(const struct communicator *communicator, MPI_Win win) {
  struct window *window = window_allocate((size_t)communicator->size, (size_t)communicator->local_count);
  if (!window)
    return NULL;
  window->handle = win;
  window->rank = communicator->rank;
  window->size = communicator->size;
  window->local_count = communicator->local_count;
  window->group = MPI_GROUP_NULL;
  for (int i = 0; i < window->size; i++)
    window->targets[i].place = -1;
  for (int place = 0; place < window->local_count; place++) {
    window->node_ranks[place] = communicator->node_rank[communicator->local[place]];
    window->targets[communicator->local[place]].place = place;
  }
  return window;
}

bool window_keyval_ready(int *keyval, MPI_Win_delete_attr_function *forget) {
  int made = MPI_KEYVAL_INVALID;
  runtime_lock();
  bool ready = *keyval != MPI_KEYVAL_INVALID;
  runtime_unlock();
  if (ready)
    return true;
  if (PMPI_Win_create_keyval(MPI_WIN_NULL_COPY_FN, forget, &made, NULL) != MPI_SUCCESS)
    return false;
  runtime_lock();
  if (*keyval == MPI_KEYVAL_INVALID) {
    *keyval = made;
    made = MPI_KEYVAL_INVALID;
  }
  runtime_unlock();
  if (made != MPI_KEYVAL_INVALID) /* another thread was faster */
    PMPI_Win_free_keyval(&made);
  return true;
}

/* Its record goes. */
static void window_drop(MPI_Win win) {
  runtime_unlock();
  PMPI_Win_delete_attr(win, window_keyval);
  runtime_lock();
}

/* False: there is no memory, or MPI refuses. MPI is called without the mutex, since it may hold a lock of its own while
 * it calls forget_window. */
static bool window_store(struct window *window) {
  runtime_unlock();
  bool ready = window_keyval_ready(&window_keyval, forget_window) &&
               PMPI_Win_set_attr(window->handle, window_keyval, window) == MPI_SUCCESS;
  runtime_lock();
  if (!ready) {
    window_discard(window);
    return false;
  }
  if (handle_set(&windows, HANDLE_KEY(window->handle), window))
    return true; /* belongs to MPI's window now */
  window_drop(window->handle);
  return false;
}

struct window *window_look_up(MPI_Win win) {
  struct window *window = mpishm.active ? handle_find(&windows, HANDLE_KEY(win)) : NULL;
  if (window)
    last_window = (struct window_memo){win, window};
  return window;
}

/* ---- What is shared. ---- */

/* Of windows that their first member has freed, and others may still use. */
struct left_window {
  void *shared;
  size_t bytes;
  struct left_window *next;
};
static struct left_window *left_windows;
static size_t bytes_of_windows; /* these, and those in use */

void *window_memory_take(size_t bytes) {
  size_t heap = mpishm.heap.pages << HEAP_PAGE_SHIFT;
  void *memory = bytes_of_windows + bytes <= heap / SHARE_OF_WINDOWS ? heap_allocate(&mpishm.heap, bytes) : NULL;
  bytes_of_windows += memory ? bytes : 0;
  return memory;
}

void window_memory_give_back(void *memory, size_t bytes) {
  bytes_of_windows -= bytes;
  heap_free(&mpishm.heap, memory);
}

/* Frees all that nobody uses any more, but for one of so many bytes, which is returned; NULL: there is none. */
static void *reclaim_but_one(size_t bytes) {
  void *kept = NULL;
  for (struct left_window **link = &left_windows; *link;) {
    struct left_window *left = *link;
    if (!epochs_are_left(left->shared)) {
      link = &left->next;
      continue;
    }
    *link = left->next;
    if (!kept && left->bytes == bytes)
      kept = left->shared;
    else
      window_memory_give_back(left->shared, left->bytes);
    free(left);
  }
  return kept;
}

/* The last one waits for the next window: many programs make one after the other. */
void windows_reclaim(void) {
  if (left_windows && left_windows->next)
    reclaim_but_one(0);
}

/* Its offset in the own segment; 0: there is no room. */
static uint64_t make_shared(unsigned members) {
  size_t bytes = epochs_bytes(members);
  void *shared = reclaim_but_one(bytes);
  if (!shared)
    shared = window_memory_take(bytes);
  if (!shared)
    return 0;
  epochs_init(shared, members);
  return offset_of(mpishm.segment, shared);
}

/* The first member tells the others on its node where that lies. */
static uint64_t agree_on_shared(const struct communicator *communicator) {
  uint64_t offset = 0;
  struct part part = part_of(&offset, sizeof offset, layout_find(MPI_BYTE));
  struct operation op;
  unsigned first = (unsigned)communicator->local[0];
  if ((int)first != communicator->rank) {
    parcel_receive(&op, communicator, first, &part);
    parcel_complete(&op, communicator, first);
    return offset;
  }
  offset = make_shared((unsigned)communicator->local_count);
  for (int i = 1; i < communicator->local_count; i++)
    if (parcel_send(&op, communicator, (unsigned)communicator->local[i], &part))
      parcel_complete(&op, communicator, (unsigned)communicator->local[i]);
  return offset;
}

bool window_any_says(struct window *window, bool mine) {
  struct seat *seat = &window->epochs.seat;
  uint32_t bits = mine;
  barrier_begin(seat);
  for (unsigned round = 0; round < seat->rounds; round++) {
    struct waiter waiter = {0};
    barrier_tell(seat, round, bits);
    while (!barrier_told(seat, round, &bits))
      window_pause(&waiter, window, (int)barrier_from(seat, round));
  }
  barrier_end(seat);
  return bits != 0;
}

void window_barrier(struct window *window) { window_any_says(window, false); }

void window_leave(struct window *window) {
  bool mine = window->targets[window->rank].place == 0;
  struct left_window *left = mine ? malloc(sizeof *left) : NULL;
  epochs_leave(&window->epochs);
  if (left) { /* else its memory is lost */
    *left = (struct left_window){window->shared, epochs_bytes((unsigned)window->local_count), left_windows};
    left_windows = left;
  }
}

/* ---- Who is where. ---- */

static struct epochs_place place_of_part(const struct window_part *part) {
  size_t bytes = part->bytes > 0 ? (size_t)part->bytes : 0;
  return (struct epochs_place){.address = (uint64_t)(uintptr_t)part->base,
                               .offset = bytes ? buffer_offset(part->base, bytes) : 0,
                               .bytes = bytes,
                               .unit = (uint64_t)part->unit,
                               .is_mapped = part->is_mapped};
}

/* The members on this node have written their places. */
static void find_target(struct window *window, int rank, const struct window_part *mine) {
  struct target *target = &window->targets[rank];
  struct epochs_place place = window->epochs.members[target->place].place;
  struct endpoint *endpoint = endpoint_opened(window->node_ranks[target->place]);
  target->bytes = place.bytes;
  target->unit = (MPI_Aint)place.unit;
  target->pid = endpoint->pid;
  target->reach = REACH_BY_LOADS;
  if (rank == window->rank) {
    target->base = mine->base;
  } else if (place.is_mapped) {
    MPI_Aint bytes;
    int unit;
    if (PMPI_Win_shared_query(window->handle, rank, &bytes, &unit, &target->base) != MPI_SUCCESS)
      target->reach = REACH_NOT;
  } else if (place.offset) {
    target->base = at_offset(endpoint->segment, place.offset);
  } else {
    target->base = (char *)(uintptr_t)place.address; /* NOLINT(performance-no-int-to-ptr): of another process */
    target->reach = mpishm.kernel_copies || place.bytes == 0 ? REACH_BY_KERNEL : REACH_NOT;
  }
}

/* False, on all members of the node: one of them cannot take part, or reach another. What each of them reaches differs:
 * who is the only one with memory reaches everybody. */
static bool find_targets(struct window *window, const struct window_part *part) {
  bool all_are_reached = true;
  if (window_any_says(window, false)) /* one has no record */
    return false;
  for (int rank = 0; rank < window->size; rank++)
    if (window->targets[rank].place >= 0) {
      find_target(window, rank, part);
      all_are_reached = all_are_reached && (rank == window->rank || window->targets[rank].reach != REACH_NOT);
    }
  window->is_ours = window->local_count == window->size;
  return !window_any_says(window, !all_are_reached && window->is_ours);
}

/* A member without a record has to say so to the others, who wait for it. */
static void say_failure(const struct communicator *communicator, void *shared) {
  ASSUME(communicator->local_count > 0); /* this rank */
  int node_ranks[communicator->local_count], place = 0;
  struct window stand_in = {.node_ranks = node_ranks};
  for (int i = 0; i < communicator->local_count; i++) {
    node_ranks[i] = communicator->node_rank[communicator->local[i]];
    if (communicator->local[i] == communicator->rank)
      place = i;
  }
  epochs_take(&stand_in.epochs, shared, (unsigned)communicator->local_count, (unsigned)place);
  window_any_says(&stand_in, true);
  epochs_leave(&stand_in.epochs);
}

struct window *window_register(struct communicator *communicator, MPI_Win win, struct window_part part) {
  struct window *window = window_describe(communicator, win);
  if (window && !window_store(window))
    window = NULL;
  uint64_t offset = agree_on_shared(communicator);
  void *shared =
      offset ? at_offset(endpoint_opened(communicator->node_rank[communicator->local[0]])->segment, offset) : NULL;
  if (!shared || !window) {
    if (shared)
      say_failure(communicator, shared);
    if (window)
      window_drop(win);
    return NULL;
  }
  int place = window->targets[window->rank].place;
  window->shared = shared;
  epochs_take(&window->epochs, shared, (unsigned)window->local_count, (unsigned)place);
  window->epochs.members[place].place = place_of_part(&part);
  if (find_targets(window, &part))
    return window;
  window_leave(window);
  window_drop(win);
  return NULL;
}

void windows_destroy(void) {
  handle_table_destroy(&windows);
  last_window.window = NULL;
  if (window_keyval != MPI_KEYVAL_INVALID)
    PMPI_Win_free_keyval(&window_keyval);
  while (left_windows) { /* the segment goes with all of it */
    struct left_window *left = left_windows;
    left_windows = left->next;
    free(left);
  }
}

int window_raise(MPI_Win win, int error) {
  error_on_window(win, error);
  return error;
}
