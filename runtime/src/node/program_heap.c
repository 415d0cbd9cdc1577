/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Entry points: memory for message buffers, in the window where both sides of a message can reach it. And what becomes
 * of that memory when MPI takes the window away, or the process forks: as with any memory of malloc, it stays, and the
 * child has its own.
 */
#include "node/program_heap.h"
#include "memory/buffers.h"
#include "mpishm.h"
#include "node/runtime.h"

#include <errno.h>
#include <fcntl.h>
#include <malloc.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

struct buffer_range buffer_range;
static struct buffers program_buffers;
/* Its own, since a program may allocate from several threads at any thread level of MPI. */
static pthread_mutex_t buffers_mutex = PTHREAD_MUTEX_INITIALIZER;
/* Whether new memory may come from the window. w: whoever attaches or finalizes, release; r: all, acquire. */
static atomic_bool buffers_open;

/* ---- Fork. The pages are shared, but a child that writes into its memory must not write into its parent's. It gets a
 * copy; the parent waits for that, so as not to change what is fork_pipe. ---- */

static int fork_pipe[2]; /* pipe: its write end closes when the child has its copy; -1: none */

static void before_fork(void) {
  pthread_mutex_lock(&buffers_mutex);
  if (pipe2(fork_pipe, O_CLOEXEC) != 0)
    fork_pipe[0] = fork_pipe[1] = -1; /* nothing to wait with */
}

static void after_fork_in_parent(void) {
  char nothing;
  int before = errno;
  if (fork_pipe[1] >= 0) {
    close(fork_pipe[1]);
    while (read(fork_pipe[0], &nothing, 1) < 0 && errno == EINTR) {
    }
    close(fork_pipe[0]);
  }
  errno = before;
  pthread_mutex_unlock(&buffers_mutex);
}

/* Not memcpy, which AddressSanitizer would watch reading what is poisoned. */
__attribute__((no_sanitize("address", "thread"))) void copy_pages(volatile uint64_t *to, const volatile uint64_t *from,
                                                                  size_t bytes) {
  for (size_t i = 0; i < bytes / sizeof *to; i++)
    to[i] = from[i];
}

void *map_private(void *start, size_t bytes, int flags) {
  return mmap(start, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | flags, -1, 0);
}

/* (MREMAP_FIXED would save a copy, but UCX's mremap, which
 * takes the place of the C library's, does not know it.) */
void make_pages_private(char *start, size_t bytes) {
  void *copy = map_private(NULL, bytes, 0);
  if (copy == MAP_FAILED) { /* rather a crash in the child than a wrong result in the parent */
    mprotect(start, bytes, PROT_READ);
    return;
  }
  copy_pages(copy, (void *)start, bytes);
  if (map_private(start, bytes, MAP_FIXED) == start)
    copy_pages((void *)start, copy, bytes);
  munmap(copy, bytes);
}

/* What is not committed stays shared: nothing is there, and the child gets nothing from there. */
static void after_fork_in_child(void) {
  const struct heap *pages = &program_buffers.pages;
  size_t page = 0, count;
  arrays_after_fork();
  atomic_store_explicit(&buffers_open, false, memory_order_release);
  for (page = heap_committed_run(pages, 0, &count); count > 0; page = heap_committed_run(pages, page + count, &count))
    make_pages_private(pages->base + (page << HEAP_PAGE_SHIFT), count << HEAP_PAGE_SHIFT);
  if (fork_pipe[1] >= 0) {
    close(fork_pipe[0]);
    close(fork_pipe[1]);
  }
  pthread_mutex_unlock(&buffers_mutex);
}

/* ---- Opening and closing. ---- */

void memory_open(uint64_t offset, size_t bytes) {
  enum { PAGE_MASK = (1 << HEAP_PAGE_SHIFT) - 1 };
  uint64_t gap =
      -((uintptr_t)mpishm.segment + offset) & PAGE_MASK; /* no MPI promises that segments start with a page */
  if (bytes <= gap + PAGE_MASK)
    return;
  offset += gap;
  bytes = (bytes - gap) & ~(size_t)PAGE_MASK;
  /* With an old size of 0 a shared mapping is mapped once more (mremap(2)); anything else is refused. */
  void *start = mremap((char *)mpishm.segment + offset, 0, bytes, MREMAP_MAYMOVE);
  if (start == MAP_FAILED)
    return;
  if (!buffers_init(&program_buffers, start, bytes) ||
      pthread_atfork(before_fork, after_fork_in_parent, after_fork_in_child) != 0) {
    munmap(start, bytes);
    return;
  }
  buffer_range.start = start;
  buffer_range.offset = offset;
  atomic_store_explicit(&buffer_range.bytes, bytes, memory_order_release);
  atomic_store_explicit(&buffers_open, true, memory_order_release);
  arrays_open();
}

void memory_close(void) { atomic_store_explicit(&buffers_open, false, memory_order_release); }

/* ---- Pieces. ---- */

void *MPISHM_Window_allocate(size_t alignment, size_t size) {
  if (!atomic_load_explicit(&buffers_open, memory_order_acquire))
    return NULL;
  int before = errno;
  pthread_mutex_lock(&buffers_mutex);
  void *memory = buffers_allocate(&program_buffers, alignment, size);
  pthread_mutex_unlock(&buffers_mutex);
  errno = before;
  return memory;
}

/* As the C library does. */
COLD static void invalid_pointer(const char *function) {
  fprintf(stderr, "mpishm: %s: invalid pointer, or freed before\n", function);
  abort();
}

int MPISHM_Window_free(void *pointer) {
  if (!heap_offset(pointer, 1))
    return 0;
  pthread_mutex_lock(&buffers_mutex);
  bool freed = buffers_free(&program_buffers, pointer);
  pthread_mutex_unlock(&buffers_mutex);
  if (!freed)
    invalid_pointer("MPISHM_Free");
  return 1;
}

/* ---- MPI's functions. ---- */

int MPISHM_Alloc_mem(MPI_Aint size, MPI_Info info, void *baseptr) {
  void *memory = size > 0 && baseptr ? MPISHM_Window_allocate(BUFFER_ALIGNMENT, (size_t)size) : NULL;
  if (!memory)
    return MPI_Alloc_mem(size, info, baseptr);
  *(void **)baseptr = memory;
  return MPI_SUCCESS;
}

int MPISHM_Free_mem(void *base) { return MPISHM_Window_free(base) ? MPI_SUCCESS : MPI_Free_mem(base); }

/* ---- The C library's functions. ---- */

void *MPISHM_Malloc(size_t size) {
  void *memory = MPISHM_Window_allocate(BUFFER_ALIGNMENT, size);
  return memory ? memory : malloc(size);
}

void *MPISHM_Calloc(size_t count, size_t size) {
  size_t bytes;
  void *memory = __builtin_mul_overflow(count, size, &bytes) ? NULL : MPISHM_Window_allocate(BUFFER_ALIGNMENT, bytes);
  return memory ? memset(memory, 0, bytes) : calloc(count, size);
}

void *MPISHM_Aligned_alloc(size_t alignment, size_t size) {
  bool valid = alignment && (alignment & (alignment - 1)) == 0;
  void *memory = valid ? MPISHM_Window_allocate(alignment, size) : NULL;
  return memory ? memory : aligned_alloc(alignment, size);
}

int MPISHM_Posix_memalign(void **pointer, size_t alignment, size_t size) {
  bool valid = alignment >= sizeof(void *) && (alignment & (alignment - 1)) == 0;
  void *memory = valid ? MPISHM_Window_allocate(alignment, size) : NULL;
  if (!memory)
    return posix_memalign(pointer, alignment, size);
  *pointer = memory;
  return 0;
}

/* Of a piece in the window. */
static void *resize(void *pointer, size_t size) {
  size_t holds;
  pthread_mutex_lock(&buffers_mutex);
  bool resized = buffers_resize(&program_buffers, pointer, size, &holds);
  pthread_mutex_unlock(&buffers_mutex);
  if (holds == 0)
    invalid_pointer("MPISHM_Realloc");
  if (resized)
    return pointer;
  void *memory = MPISHM_Malloc(size);
  if (memory) {
    memcpy(memory, pointer, size < holds ? size : holds);
    MPISHM_Window_free(pointer);
  }
  return memory;
}

void *MPISHM_Realloc(void *pointer, size_t size) {
  if (!pointer)
    return MPISHM_Malloc(size);
  if (!heap_offset(pointer, 1))
    return realloc(pointer, size);
  if (size > 0)
    return resize(pointer, size);
  MPISHM_Window_free(pointer); /* what the GNU C library does */
  return NULL;
}

/* The piece is as large as the C library's, so that we need not be told what was asked for. An alignment of more than a
 * page, which we cannot give, may have been asked for as well. */
void *MPISHM_To_window(void *pointer) {
  uintptr_t alignment = (uintptr_t)pointer & -(uintptr_t)pointer;
  if (!pointer || alignment > (uintptr_t)1 << HEAP_PAGE_SHIFT || heap_offset(pointer, 1))
    return pointer;
  size_t bytes = malloc_usable_size(pointer);
  void *memory = MPISHM_Window_allocate(alignment, bytes);
  if (!memory)
    return pointer;
  memcpy(memory, pointer, bytes);
  int before = errno;
  free(pointer);
  errno = before;
  return memory;
}

void MPISHM_Free(void *pointer) {
  if (!MPISHM_Window_free(pointer))
    free(pointer);
}
