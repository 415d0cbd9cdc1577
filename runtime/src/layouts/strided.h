/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * The loops that columns of a matrix become; the compiler turns the constant-size copies into loads and stores.
 */
#ifndef MPISHM_STRIDED_H
#define MPISHM_STRIDED_H

#include "base/copy.h"

#include <mpi.h>
#include <string.h>

#define STRIDED_COPY(COPY, BYTES)                                                                                      \
  for (size_t i = 0; i < n; i++, to += to_step, from += from_step)                                                     \
  COPY(to, from, BYTES)

/* `n` blocks of `bytes` bytes. */
static inline void strided_copy(char *to, MPI_Aint to_step, const char *from, MPI_Aint from_step, size_t bytes,
                                size_t n) {
  switch (bytes) {
  case 4:
    STRIDED_COPY(memcpy, 4);
    break;
  case 8:
    STRIDED_COPY(memcpy, 8);
    break;
  case 16:
    STRIDED_COPY(memcpy, 16);
    break;
  case 24: /* vectors of three doubles, of four, and of five, as programs have them */
    STRIDED_COPY(memcpy, 24);
    break;
  case 32:
    STRIDED_COPY(memcpy, 32);
    break;
  case 40:
    STRIDED_COPY(memcpy, 40);
    break;
  case 64: /* a line */
    STRIDED_COPY(memcpy, 64);
    break;
  default:
    STRIDED_COPY(copy_bytes, bytes);
  }
}
#undef STRIDED_COPY

#endif
