/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "channel/reach.h"

#include <errno.h>
#include <sys/prctl.h>
#include <unistd.h>

void reach_allow(void) {
#ifdef PR_SET_PTRACER
  prctl(PR_SET_PTRACER, PR_SET_PTRACER_ANY, 0, 0, 0);
#endif
}

typedef ssize_t vm_function(pid_t, const struct iovec *, unsigned long, const struct iovec *, unsigned long,
                            unsigned long);

/* The kernel may copy less than asked for; only an error, or nothing at all, is a refusal. */
static bool copy_all(vm_function *copy, int64_t pid, uintptr_t local, uintptr_t remote, size_t bytes) {
  while (bytes > 0) {
    struct iovec here = {(void *)local, bytes}, there = {(void *)remote, bytes};
    ssize_t n = copy((pid_t)pid, &here, 1, &there, 1, 0);
    if (n < 0 && errno == EINTR)
      continue;
    if (n <= 0)
      return false;
    local += (size_t)n;
    remote += (size_t)n;
    bytes -= (size_t)n;
  }
  return true;
}

bool reach_read(int64_t pid, uint64_t address, void *destination, size_t bytes) {
  return copy_all(process_vm_readv, pid, (uintptr_t)destination, (uintptr_t)address, bytes);
}

bool reach_read_batch(const struct reach_batch *batch) {
  return process_vm_readv((pid_t)batch->pid, batch->here, batch->count, batch->there, batch->count, 0) ==
         (ssize_t)batch->bytes;
}

bool reach_write_batch(const struct reach_batch *batch) {
  return process_vm_writev((pid_t)batch->pid, batch->here, batch->count, batch->there, batch->count, 0) ==
         (ssize_t)batch->bytes;
}

bool reach_write(int64_t pid, uint64_t address, const void *source, size_t bytes) {
  return copy_all(process_vm_writev, pid, (uintptr_t)source, (uintptr_t)address, bytes);
}
