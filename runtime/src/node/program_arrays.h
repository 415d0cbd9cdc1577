/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Arrays of the program's own, of static storage duration, that lie in the window where they are: memory of the
 * program's heap there is mapped in place of their pages, with their content, so that each stays at its address.
 *
 * That is done while no other thread of the program's runs, which could write into a page while it is copied. So the
 * threads are counted: one before MPI_Init, and later no more than MPI_Init has left, which are MPI's own. A shared
 * library may be taken away with its pages: only arrays of the executable are placed. What is beside them in their
 * pages are then the executable's other variables. So MPI and the C library must not be part of it: in a child of fork
 * they write to theirs before it has its own pages.
 */
#ifndef MPISHM_PROGRAM_ARRAYS_H
#define MPISHM_PROGRAM_ARRAYS_H

#include <stdatomic.h>
#include <stddef.h>
#include <stdint.h>

/* From the first to the last byte of them; bytes, written last and with release: 0: there are none. */
struct array_hull {
  uintptr_t start;
  _Atomic size_t bytes;
};
extern struct array_hull array_hull;

/* To be called by the thread that initialises MPI, before and after that. */
void arrays_before_mpi(void);
void arrays_after_mpi(void);
/* Places what MPISHM_Place_arrays was told of. The program's heap is open. */
void arrays_open(void);
/* In a child of fork, before it writes anything and while its parent waits: its arrays are its own. */
void arrays_after_fork(void);
/* Offset of [pointer, pointer + bytes) in the own segment when it lies in one of them, else 0. Any thread that has
 * found `pointer` in array_hull. */
uint64_t array_offset(uintptr_t pointer, size_t bytes);

#endif
