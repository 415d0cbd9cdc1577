/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Copies between this process and the private memory of another one on the node, by the kernel (process_vm_readv and
 * process_vm_writev). The kernel may forbid them: reach_probe tells, once, at set-up.
 */
#ifndef MPISHM_REACH_H
#define MPISHM_REACH_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/uio.h>

/* Lets other processes of the same user copy from and to this one, where the kernel asks for that (Yama). */
void reach_allow(void);
/* True when all bytes were copied; false when the kernel refused any of them. */
bool reach_read(int64_t pid, uint64_t address, void *destination, size_t bytes);
/* Several pieces from, or to, one process in one call of the kernel, which costs more than copying a small message.
 * False: any of the pieces may or may not have been copied. */
enum { REACH_BATCH = 16 };
struct reach_batch {
  int64_t pid;
  unsigned count;
  size_t bytes;
  struct iovec here[REACH_BATCH], there[REACH_BATCH];
};
bool reach_read_batch(const struct reach_batch *batch);
bool reach_write_batch(const struct reach_batch *batch);
bool reach_write(int64_t pid, uint64_t address, const void *source, size_t bytes);

#endif
