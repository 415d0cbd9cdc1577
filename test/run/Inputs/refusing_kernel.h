/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * A kernel that refuses to read other processes' memory while `refuses` is not 0, once it has read `reads_before`
 * times, with the error `refuses_with`, and how often it did; and that writes no more than the first piece of several,
 * or nothing, while `refuses_to_write` is not 0. For programs of one file, which define _GNU_SOURCE and are linked
 * with libmpishm.a: what a shared library calls is let through.
 */
#ifndef TEST_REFUSING_KERNEL_H
#define TEST_REFUSING_KERNEL_H

#include <errno.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <unistd.h>

static int refuses, refuses_to_write, refused, refuses_with = EPERM;
extern char __executable_start, etext;

#define IS_OURS(caller) ((const char *)(caller) > &__executable_start && (const char *)(caller) < &etext)

/* In the place of the C library's, which refuses what this program, and no library of MPI's, wants of it. */
ssize_t process_vm_readv(pid_t pid, const struct iovec *here, unsigned long count, const struct iovec *there,
                         unsigned long there_count, unsigned long flags) {
  if (refuses && IS_OURS(__builtin_return_address(0))) {
    refused++;
    errno = refuses_with;
    return -1;
  }
  return syscall(SYS_process_vm_readv, pid, here, count, there, there_count, flags);
}

ssize_t process_vm_writev(pid_t pid, const struct iovec *here, unsigned long count, const struct iovec *there,
                          unsigned long there_count, unsigned long flags) {
  if (refuses_to_write && IS_OURS(__builtin_return_address(0))) {
    refused++;
    errno = refuses_with;
    if (count == 1)
      return -1;
    count = there_count = 1;
  }
  return syscall(SYS_process_vm_writev, pid, here, count, there, there_count, flags);
}

#endif
