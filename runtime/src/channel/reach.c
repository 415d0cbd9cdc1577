/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "channel/reach.h"
#include "base/attributes.h"
#include "base/copy.h"
#include "channel/segment.h"

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

/* The kernel copies by the instruction for strings, which takes four times as long, on AMD's Zen 3, at such a distance
 * in a page (base/copy.c): then it copies to or from a line of the same kind, and this process does the rest. */
enum { SLOW_DISTANCE = 32, LEAST_IN_PIECES = 4096, REACHED_PIECE = 32 * 1024 };

static bool is_slow_by_kernel(uintptr_t to, uintptr_t from, size_t bytes) {
  size_t distance = distance_in_page(to, from);
  return distance > 0 && distance < SLOW_DISTANCE && bytes >= LEAST_IN_PIECES;
}

/* Not inlined: the stack is for those that need it. */
static NOINLINE bool read_in_pieces(int64_t pid, uintptr_t remote, char *local, size_t bytes) {
  char memory[REACHED_PIECE + LINE], *piece = memory + (remote - (uintptr_t)memory) % LINE;
  for (size_t at = 0, n; at < bytes; at += n) {
    n = bytes - at < REACHED_PIECE ? bytes - at : REACHED_PIECE;
    if (!copy_all(process_vm_readv, pid, (uintptr_t)piece, remote + at, n))
      return false;
    copy_bytes(local + at, piece, n);
  }
  return true;
}

static NOINLINE bool write_in_pieces(int64_t pid, uintptr_t remote, const char *local, size_t bytes) {
  char memory[REACHED_PIECE + LINE], *piece = memory + (remote - (uintptr_t)memory) % LINE;
  for (size_t at = 0, n; at < bytes; at += n) {
    n = bytes - at < REACHED_PIECE ? bytes - at : REACHED_PIECE;
    copy_bytes(piece, local + at, n);
    if (!copy_all(process_vm_writev, pid, (uintptr_t)piece, remote + at, n))
      return false;
  }
  return true;
}

bool reach_read(int64_t pid, uint64_t address, void *destination, size_t bytes) {
  if (UNLIKELY(is_slow_by_kernel((uintptr_t)destination, (uintptr_t)address, bytes)))
    return read_in_pieces(pid, (uintptr_t)address, destination, bytes);
  return copy_all(process_vm_readv, pid, (uintptr_t)destination, (uintptr_t)address, bytes);
}

bool reach_write(int64_t pid, uint64_t address, const void *source, size_t bytes) {
  if (UNLIKELY(is_slow_by_kernel((uintptr_t)address, (uintptr_t)source, bytes)))
    return write_in_pieces(pid, (uintptr_t)address, source, bytes);
  return copy_all(process_vm_writev, pid, (uintptr_t)source, (uintptr_t)address, bytes);
}

/* Whether one of the pieces is better copied by itself. */
static bool has_slow_piece(const struct reach_batch *batch, bool writes) {
  for (unsigned i = 0; i < batch->count; i++) {
    uintptr_t here = (uintptr_t)batch->here[i].iov_base, there = (uintptr_t)batch->there[i].iov_base;
    if (is_slow_by_kernel(writes ? there : here, writes ? here : there, batch->here[i].iov_len))
      return true;
  }
  return false;
}

static bool copy_one_by_one(const struct reach_batch *batch, bool writes) {
  bool ok = true;
  for (unsigned i = 0; ok && i < batch->count; i++) {
    void *here = batch->here[i].iov_base;
    uint64_t there = (uintptr_t)batch->there[i].iov_base;
    size_t bytes = batch->here[i].iov_len;
    ok = writes ? reach_write(batch->pid, there, here, bytes) : reach_read(batch->pid, there, here, bytes);
  }
  return ok;
}

bool reach_read_batch(const struct reach_batch *batch) {
  if (UNLIKELY(has_slow_piece(batch, false)))
    return copy_one_by_one(batch, false);
  return process_vm_readv((pid_t)batch->pid, batch->here, batch->count, batch->there, batch->count, 0) ==
         (ssize_t)batch->bytes;
}

bool reach_write_batch(const struct reach_batch *batch) {
  if (UNLIKELY(has_slow_piece(batch, true)))
    return copy_one_by_one(batch, true);
  return process_vm_writev((pid_t)batch->pid, batch->here, batch->count, batch->there, batch->count, 0) ==
         (ssize_t)batch->bytes;
}
