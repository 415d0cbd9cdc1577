/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * One-sided communication: which call has made the window that another one uses. All members of a communicator make
 * their windows in one order, among its collectives.
 */
#include "recorder.h"

#include <stdlib.h>

/* A window, and the call of this rank that has made it. */
struct window {
  MPI_Win handle;
  int site;
  struct window *next;
};

static struct window *windows;

static struct window **find(MPI_Win handle) {
  struct window **at = &windows;
  while (*at && (*at)->handle != handle)
    at = &(*at)->next;
  return at;
}

/* Dynamic windows have no call that counts, since the tool leaves them to MPI whatever is done on them. */
static void made(int site, MPI_Win handle) {
  struct window *window = malloc(sizeof *window);
  *window = (struct window){.handle = handle, .site = site, .next = windows};
  windows = window;
}

/* The number of a pair of calls is once enough. */
static void used(int site, MPI_Win handle) {
  static struct pair {
    int maker, site;
    struct pair *next;
  } *pairs;
  struct window *window = *find(handle);
  struct pair *pair = pairs;
  if (!window)
    return;
  while (pair && (pair->maker != window->site || pair->site != site))
    pair = pair->next;
  if (pair)
    return;
  pair = malloc(sizeof *pair);
  *pair = (struct pair){.maker = window->site, .site = site, .next = pairs};
  pairs = pair;
  say("window %d %d", window->site, site);
}

#define TEXT_OF(name) #name
#define TEXT(name) TEXT_OF(name)
#define UNPACK(...) __VA_ARGS__

/* The lock is not held while it waits for others. */
#define MAKER(name, arguments, passed)                                                                                 \
  EXPORT int FORM(MPI_##name) arguments {                                                                              \
    int error, site = enter(TEXT(FORM(MPI_##name)), HERE);                                                             \
    collective_start(site, comm);                                                                                      \
    unlock();                                                                                                          \
    error = FORM(PMPI_##name) passed;                                                                                  \
    lock();                                                                                                            \
    if (error == MPI_SUCCESS)                                                                                          \
      made(site, *win);                                                                                                \
    unlock();                                                                                                          \
    return error;                                                                                                      \
  }

#define USE(name, arguments, passed)                                                                                   \
  EXPORT int FORM(MPI_##name) arguments {                                                                              \
    used(enter(TEXT(FORM(MPI_##name)), HERE), win);                                                                    \
    unlock();                                                                                                          \
    return FORM(PMPI_##name) passed;                                                                                   \
  }

static const struct operation nothing;

#define WITH_REQUEST(name, arguments, passed)                                                                          \
  EXPORT int FORM(MPI_##name) arguments {                                                                              \
    int error, site = enter(TEXT(FORM(MPI_##name)), HERE);                                                             \
    used(site, win);                                                                                                   \
    error = FORM(PMPI_##name) passed;                                                                                  \
    if (error == MPI_SUCCESS)                                                                                          \
      request_made(site, request, nothing, nothing);                                                                   \
    unlock();                                                                                                          \
    return error;                                                                                                      \
  }

#define BOTH(name, requested, arguments, passed)                                                                       \
  USE(name, arguments, passed)                                                                                         \
  WITH_REQUEST(requested, (UNPACK arguments, MPI_Request * request), (UNPACK passed, request))

#define FORM(name) name
#define COUNT int
#define UNIT int
#include "window_calls.h"
#undef COUNT
#undef UNIT

USE(Fetch_and_op, (const void *from, void *into, MPI_Datatype type, int target, MPI_Aint at, MPI_Op op, MPI_Win win),
    (from, into, type, target, at, op, win))
USE(Compare_and_swap,
    (const void *from, const void *compared, void *into, MPI_Datatype type, int target, MPI_Aint at, MPI_Win win),
    (from, compared, into, type, target, at, win))
USE(Win_get_attr, (MPI_Win win, int key, void *value, int *flag), (win, key, value, flag))
USE(Win_fence, (int assertion, MPI_Win win), (assertion, win))
USE(Win_post, (MPI_Group group, int assertion, MPI_Win win), (group, assertion, win))
USE(Win_start, (MPI_Group group, int assertion, MPI_Win win), (group, assertion, win))
USE(Win_complete, (MPI_Win win), (win))
USE(Win_wait, (MPI_Win win), (win))
USE(Win_test, (MPI_Win win, int *flag), (win, flag))
USE(Win_lock, (int type, int target, int assertion, MPI_Win win), (type, target, assertion, win))
USE(Win_unlock, (int target, MPI_Win win), (target, win))
USE(Win_lock_all, (int assertion, MPI_Win win), (assertion, win))
USE(Win_unlock_all, (MPI_Win win), (win))
USE(Win_flush, (int target, MPI_Win win), (target, win))
USE(Win_flush_all, (MPI_Win win), (win))
USE(Win_flush_local, (int target, MPI_Win win), (target, win))
USE(Win_flush_local_all, (MPI_Win win), (win))
USE(Win_sync, (MPI_Win win), (win))
#undef FORM

#if MPI_VERSION >= 4
#define COUNT MPI_Count
#define UNIT MPI_Aint
#define FORM(name) name##_c
#include "window_calls.h"
#undef FORM
#endif

EXPORT int MPI_Win_free(MPI_Win *win) {
  struct window **at, *gone;
  used(enter("MPI_Win_free", HERE), *win);
  at = find(*win), gone = *at;
  if (gone) {
    *at = gone->next;
    free(gone);
  }
  unlock();
  return PMPI_Win_free(win);
}
