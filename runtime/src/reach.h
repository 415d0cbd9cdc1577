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

/* Lets other processes of the same user copy from and to this one, where the kernel asks for that (Yama). */
void reach_allow(void);
/* True when all bytes were copied; false when the kernel refused any of them. */
bool reach_read(int64_t pid, uint64_t address, void *destination, size_t bytes);
bool reach_write(int64_t pid, uint64_t address, const void *source, size_t bytes);

#endif
