/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * A kernel that refuses to read other processes' memory while `refuses` is not 0, once it has read `reads_before`
 * times, with the error `refuses_with`, and how often it did. For programs of one file, which define _GNU_SOURCE and
 * are linked with libmpishm.a: what a shared library calls is let through.
 */
#ifndef TEST_REFUSING_KERNEL_H
#define TEST_REFUSING_KERNEL_H

#include <errno.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <unistd.h>

static int refuses, refused, refuses_with = EPERM;
extern char __executable_start, etext;

/* In the place of the C library's, which refuses what this program, and no library of MPI's, wants of it. */
ssize_t process_vm_readv(pid_t pid, const struct iovec *here, unsigned long count, const struct iovec *there,
                         unsigned long there_count, unsigned long flags) {
  const char *caller = __builtin_return_address(0);
  if (refuses && caller > &__executable_start && caller < &etext) {
    refused++;
    errno = refuses_with;
    return -1;
  }
  return syscall(SYS_process_vm_readv, pid, here, count, there, there_count, flags);
}

#endif
