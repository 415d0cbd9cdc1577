/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Entry points: memory for message buffers, in the window where both sides of a message can reach it.
 */
#include "mpishm.h"
#include "runtime.h"

#include <stdlib.h>

int MPISHM_Alloc_mem(MPI_Aint size, MPI_Info info, void *baseptr) {
  void *memory = NULL;
  runtime_lock();
  if (mpishm.active && size > 0 && baseptr)
    memory = heap_allocate(&mpishm.buffers, (size_t)size);
  runtime_unlock();
  if (!memory)
    return MPI_Alloc_mem(size, info, baseptr);
  *(void **)baseptr = memory;
  return MPI_SUCCESS;
}

int MPISHM_Free_mem(void *base) {
  runtime_lock();
  bool ours = mpishm.active && offset_inside(mpishm.segment, base, 1) != 0;
  if (ours)
    heap_free(&mpishm.buffers, base);
  runtime_unlock();
  return ours ? MPI_SUCCESS : MPI_Free_mem(base);
}

/* ---- The C library's functions. ---- */

void *MPISHM_Window_allocate(size_t alignment, size_t size) {
  (void)alignment, (void)size;
  return NULL;
}

int MPISHM_Window_free(void *pointer) {
  (void)pointer;
  return 0;
}

void *MPISHM_Malloc(size_t size) { return malloc(size); }

void *MPISHM_Calloc(size_t count, size_t size) { return calloc(count, size); }

void *MPISHM_Realloc(void *pointer, size_t size) { return realloc(pointer, size); }

void *MPISHM_Aligned_alloc(size_t alignment, size_t size) { return aligned_alloc(alignment, size); }

int MPISHM_Posix_memalign(void **pointer, size_t alignment, size_t size) {
  return posix_memalign(pointer, alignment, size);
}

void MPISHM_Free(void *pointer) { free(pointer); }
