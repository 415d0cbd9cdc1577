/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * fail.h - how the benchmarks end when they cannot go on.
 */
#ifndef FAIL_H
#define FAIL_H

/* Ends all ranks with a message. */
_Noreturn void fail(const char *format, ...) __attribute__((format(printf, 1, 2)));

/* malloc, set to 0 so that all pages are there, or fail. */
void *checked_malloc(long bytes);

#endif
