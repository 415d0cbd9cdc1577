/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "node/program_arrays.h"
#include "memory/heap.h"
#include "mpishm.h"
#include "node/program_heap.h"

#include <link.h>
#include <pthread.h>
#include <signal.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

enum {
  MOST_ARRAYS = 128,
  MOST_ARRAY_BYTES = 64 << 20, /* of one: programs make them as long as may ever be, and here all of it is committed */
  ARRAY_PAGE = 1 << HEAP_PAGE_SHIFT
};

struct array_span {
  char *start;
  size_t bytes;
  uint64_t offset; /* in the own segment, once it is placed */
};

struct array_hull array_hull;
/* All by the thread that initialises MPI; `placed_arrays` and their number are read by all, after array_hull. */
static struct array_span told_arrays[MOST_ARRAYS], placed_arrays[MOST_ARRAYS];
static size_t arrays_told, arrays_placed;
static long threads_before, threads_after; /* how many the process has; 0: not known */
static bool arrays_are_open;

static long count_threads(void) {
  struct stat task;
  return stat("/proc/self/task", &task) == 0 && task.st_nlink > 2 ? (long)task.st_nlink - 2 : 0;
}

void arrays_before_mpi(void) { threads_before = count_threads(); }

void arrays_after_mpi(void) { threads_after = count_threads(); }

/* ---- Where they are. ---- */

struct array_search {
  uintptr_t start, end;
  bool is_executable; /* the one that is looked at: it comes first */
  bool is_there, is_dynamic, mpi_is_apart;
};

static int look_for_array(struct dl_phdr_info *object, size_t size, void *given) {
  struct array_search *search = given;
  (void)size;
  for (int i = 0; search->is_executable && i < object->dlpi_phnum; i++) {
    const ElfW(Phdr) *segment = &object->dlpi_phdr[i];
    uintptr_t first = object->dlpi_addr + segment->p_vaddr;
    if (segment->p_type == PT_INTERP)
      search->is_dynamic = true;
    if (segment->p_type == PT_LOAD && (segment->p_flags & PF_W) && first <= search->start &&
        search->end <= first + segment->p_memsz)
      search->is_there = true;
  }
  const char *name = object->dlpi_name ? strrchr(object->dlpi_name, '/') : NULL;
  if (!search->is_executable && name && strncmp(name, "/libmpi", 7) == 0 && strncmp(name, "/libmpishm", 10) != 0)
    search->mpi_is_apart = true;
  search->is_executable = false;
  return 0;
}

/* In the executable, where the C library's and MPI's own variables are not. */
static bool may_be_placed(const char *start, size_t bytes) {
  struct array_search search = {.start = (uintptr_t)start, .end = (uintptr_t)start + bytes, .is_executable = true};
  dl_iterate_phdr(look_for_array, &search);
  return search.is_there && search.is_dynamic && search.mpi_is_apart;
}

/* ---- Placing. ---- */

/* The pages of `memory` in place of those from `start` on, with what is there. Between the copy and the mapping nothing
 * is written but registers and this stack: our own variables may lie there, too. The system call itself, since UCX's
 * mremap, which takes the place of the C library's, does not know MREMAP_FIXED. */
static bool map_in_place(char *start, char *memory, size_t bytes) {
  char *again = mremap(memory, 0, bytes, MREMAP_MAYMOVE); /* once more, as memory_open does it */
  if (again == MAP_FAILED)
    return false;
  copy_pages((void *)memory, (void *)start, bytes);
  long result = syscall(SYS_mremap, again, bytes, bytes, MREMAP_MAYMOVE | MREMAP_FIXED, start);
  if (result == (long)start)
    return true;
  /* The kernel may have taken the old pages away before it found that it cannot. */
  if (map_private(start, bytes, MAP_FIXED) == start)
    copy_pages((void *)start, (void *)memory, bytes);
  munmap(again, bytes);
  return false;
}

/* A handler of a signal could write to a page that is being copied. */
static bool place_undisturbed(char *start, char *memory, size_t bytes) {
  sigset_t all, before;
  sigfillset(&all);
  pthread_sigmask(SIG_BLOCK, &all, &before);
  bool done = map_in_place(start, memory, bytes);
  pthread_sigmask(SIG_SETMASK, &before, NULL);
  return done;
}

static void add_to_hull(const struct array_span *span) {
  uintptr_t first = (uintptr_t)span->start, last = first + span->bytes;
  size_t bytes = atomic_load_explicit(&array_hull.bytes, memory_order_relaxed);
  if (bytes > 0 && array_hull.start < first)
    first = array_hull.start;
  if (bytes > 0 && array_hull.start + bytes > last)
    last = array_hull.start + bytes;
  array_hull.start = first;
  atomic_store_explicit(&array_hull.bytes, last - first, memory_order_release);
}

static struct array_span pages_of(const struct array_span *array) {
  uintptr_t first = (uintptr_t)array->start & ~(uintptr_t)(ARRAY_PAGE - 1);
  uintptr_t past = ((uintptr_t)array->start + array->bytes + ARRAY_PAGE - 1) & ~(uintptr_t)(ARRAY_PAGE - 1);
  return (struct array_span){.start = (char *)first, .bytes = past - first};
}

static bool meets_placed(const struct array_span *pages) {
  for (size_t i = 0; i < arrays_placed; i++)
    if (pages->start < placed_arrays[i].start + placed_arrays[i].bytes &&
        placed_arrays[i].start < pages->start + pages->bytes)
      return true;
  return false;
}

/* Whole pages, none of which is placed already. Where there is no room they stay what they are. */
static void place(const struct array_span *pages) {
  if (arrays_placed == MOST_ARRAYS || meets_placed(pages))
    return;
  char *memory = MPISHM_Window_allocate(ARRAY_PAGE, pages->bytes);
  if (!memory)
    return;
  if (!place_undisturbed(pages->start, memory, pages->bytes)) {
    MPISHM_Window_free(memory);
    return;
  }
  struct array_span *span = &placed_arrays[arrays_placed++];
  *span = *pages;
  span->offset = buffer_offset(memory, pages->bytes);
  add_to_hull(span);
}

static int by_start(const void *a, const void *b) {
  const struct array_span *x = a, *y = b;
  return x->start < y->start ? -1 : x->start > y->start;
}

static bool may_place_now(void) {
  return arrays_are_open && threads_before == 1 && threads_after > 0 && count_threads() == threads_after &&
         sysconf(_SC_PAGESIZE) == ARRAY_PAGE;
}

void arrays_open(void) {
  arrays_are_open = true;
  if (arrays_told == 0 || !may_place_now())
    return;
  qsort(told_arrays, arrays_told, sizeof told_arrays[0], by_start);
  struct array_span pages = pages_of(&told_arrays[0]);
  for (size_t i = 1; i < arrays_told; i++) {
    struct array_span next = pages_of(&told_arrays[i]);
    if (next.start >= pages.start + pages.bytes) {
      place(&pages);
      pages = next;
    } else if (next.start + next.bytes > pages.start + pages.bytes) { /* several may share a page */
      pages.bytes = (size_t)(next.start + next.bytes - pages.start);
    }
  }
  place(&pages);
}

/* ---- Fork. ---- */

void arrays_after_fork(void) {
  for (size_t i = 0; i < arrays_placed; i++)
    make_pages_private(placed_arrays[i].start, placed_arrays[i].bytes);
  arrays_placed = 0;
}

/* Handlers in the child run in the order in which they came: this one before those of main, which may write to what
 * lies in the same pages. */
static bool prepare_for_fork(void) {
  static bool prepared;
  if (!prepared)
    prepared = pthread_atfork(NULL, NULL, arrays_after_fork) == 0;
  return prepared;
}

static bool is_told(const char *start) {
  for (size_t i = 0; i < arrays_told; i++)
    if (told_arrays[i].start == start)
      return true;
  return false;
}

/* Each is tried once: a loop of main may come here again and again. */
void MPISHM_Place_in_window(void *array, size_t bytes) {
  struct array_span span = {.start = array, .bytes = bytes};
  if (bytes == 0 || bytes > MOST_ARRAY_BYTES || arrays_told == MOST_ARRAYS || is_told(array) ||
      !may_be_placed(array, bytes) || !prepare_for_fork())
    return;
  told_arrays[arrays_told++] = span;
  if (may_place_now()) {
    struct array_span pages = pages_of(&span);
    place(&pages);
  }
}

uint64_t array_offset(uintptr_t pointer, size_t bytes) {
  for (size_t i = 0; i < arrays_placed; i++) {
    uintptr_t at = pointer - (uintptr_t)placed_arrays[i].start;
    if (at < placed_arrays[i].bytes && bytes <= placed_arrays[i].bytes - at)
      return placed_arrays[i].offset + at;
  }
  return 0;
}
