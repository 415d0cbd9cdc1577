/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "node/program_arrays.h"
#include "memory/heap.h"
#include "mpishm.h"
#include "node/program_heap.h"

#include <inttypes.h>
#include <link.h>
#include <pthread.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
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
  ElfW(Word) flags;   /* of a segment that it would be in */
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
    if (segment->p_type == PT_LOAD && (segment->p_flags & search->flags) && first <= search->start &&
        search->end <= first + segment->p_memsz)
      search->is_there = true;
  }
  const char *name = object->dlpi_name ? strrchr(object->dlpi_name, '/') : NULL;
  if (!search->is_executable && name && strncmp(name, "/libmpi", 7) == 0 && strncmp(name, "/libmpishm", 10) != 0)
    search->mpi_is_apart = true;
  search->is_executable = false;
  return 0;
}

static struct array_search look_for(uintptr_t start, size_t bytes, ElfW(Word) flags) {
  struct array_search search = {.start = start, .end = start + bytes, .flags = flags, .is_executable = true};
  dl_iterate_phdr(look_for_array, &search);
  return search;
}

/* In the executable, where the C library's and MPI's own variables are not. */
static bool may_be_placed(const char *start, size_t bytes) {
  struct array_search found = look_for((uintptr_t)start, bytes, PF_W);
  return found.is_there && found.is_dynamic && found.mpi_is_apart;
}

/* True when the process still has for these pages what it began with: memory of its own that it reads and writes. The
 * program may have let other memory be there, or have code in them, or guard them. */
static bool are_plain(const struct array_span *pages) {
  char line[512], flags[5];
  uintptr_t first, past, at = (uintptr_t)pages->start, end = at + pages->bytes;
  FILE *maps = fopen("/proc/self/maps", "re");
  while (maps && at < end && fgets(line, sizeof line, maps)) {
    if (sscanf(line, "%" SCNxPTR "-%" SCNxPTR " %4s", &first, &past, flags) != 3 || past <= at)
      continue; /* the rest of a long line, or what lies before */
    if (first > at || strcmp(flags, "rw-p") != 0)
      break;
    at = past;
  }
  if (maps)
    fclose(maps);
  return at >= end;
}

/* Where MPI has threads, a signal may be handled by one of them, in which we cannot hold it back. Libraries have
 * handlers as well, which do not write to the executable's variables. */
static bool may_be_interrupted(void) {
  for (int signal = 1; threads_after > 1 && signal < NSIG; signal++) {
    struct sigaction action;
    if (sigaction(signal, NULL, &action) == 0 && look_for((uintptr_t)action.sa_handler, 1, PF_X).is_there)
      return true;
  }
  return false;
}

/* A program may run on a stack of its own making, which a placed array could share a page with. */
static bool has_our_stack(const struct array_span *pages) {
  enum { STACK_THAT_WE_USE = 64 << 10 };
  uintptr_t here = (uintptr_t)__builtin_frame_address(0), start = (uintptr_t)pages->start;
  return here + STACK_THAT_WE_USE > start && here < start + pages->bytes + STACK_THAT_WE_USE;
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

/* Where there is no room they stay what they are. */
static void place(const struct array_span *pages) {
  if (!are_plain(pages) || has_our_stack(pages))
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
  return threads_before == 1 && threads_after > 0 && count_threads() == threads_after &&
         sysconf(_SC_PAGESIZE) == ARRAY_PAGE && !may_be_interrupted();
}

void arrays_open(void) {
  bool are_open = arrays_are_open;
  arrays_are_open = true;
  if (are_open || arrays_told == 0 || !may_place_now())
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

static void note_array(char *start, size_t bytes) {
  if (bytes == 0 || bytes > MOST_ARRAY_BYTES || arrays_told == MOST_ARRAYS || is_told(start) ||
      !may_be_placed(start, bytes) || !prepare_for_fork())
    return;
  told_arrays[arrays_told++] = (struct array_span){.start = start, .bytes = bytes};
}

/* Not once MPI is at work: others may be writing into these pages, by the kernel or by a device, and MPI may have noted
 * where they are. */
void MPISHM_Place_arrays(const struct MPISHM_Array *first, const struct MPISHM_Array *end) {
  static const struct MPISHM_Array *gone_through; /* each array of an executable has all of its records told of */
  if (first == gone_through)
    return;
  gone_through = first;
  for (const struct MPISHM_Array *each = first; each < end && !arrays_are_open; each++)
    note_array((char *)each->start_, each->bytes_);
}

uint64_t array_offset(uintptr_t pointer, size_t bytes) {
  for (size_t i = 0; i < arrays_placed; i++) {
    uintptr_t at = pointer - (uintptr_t)placed_arrays[i].start;
    if (at < placed_arrays[i].bytes && bytes <= placed_arrays[i].bytes - at)
      return placed_arrays[i].offset + at;
  }
  return 0;
}
