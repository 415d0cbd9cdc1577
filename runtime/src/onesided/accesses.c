/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "onesided/accesses.h"
#include "channel/reach.h"
#include "requests/requests.h"

/* ---- Copies by the kernel. ---- */

/* A place in a part of another process. */
struct cursor {
  const struct part *part;
  size_t element, block, skip; /* of a scattered one */
  size_t position;             /* of one in a piece */
};

/* The next bytes that lie together, at most `most` of them. */
static struct iovec cursor_next(struct cursor *cursor, size_t most) {
  const struct part *part = cursor->part;
  if (part->piece) {
    struct iovec all = {part->piece + cursor->position, most};
    cursor->position += most;
    return all;
  }
  struct block block = layout_block(part->layout, cursor->block);
  size_t bytes = block.bytes - cursor->skip < most ? block.bytes - cursor->skip : most;
  MPI_Aint offset = (MPI_Aint)cursor->element * part->layout->extent + block.offset + (MPI_Aint)cursor->skip;
  struct iovec next = {displaced(part->buffer, offset), bytes};
  cursor->skip += bytes;
  if (cursor->skip == block.bytes) {
    cursor->skip = 0;
    if (++cursor->block == part->layout->block_count) {
      cursor->block = 0;
      cursor->element++;
    }
  }
  return next;
}

/* Between memory here, in one piece, and as many bytes there. */
static bool move_on(struct cursor *there, int64_t pid, char *here, size_t bytes, bool writes) {
  while (bytes > 0) {
    struct reach_batch batch = {.pid = pid};
    while (bytes > 0 && batch.count < REACH_BATCH) {
      struct iovec next = cursor_next(there, bytes);
      batch.there[batch.count] = next;
      batch.here[batch.count++] = (struct iovec){here, next.iov_len};
      batch.bytes += next.iov_len;
      here += next.iov_len;
      bytes -= next.iov_len;
    }
    if (!(writes ? reach_write_batch(&batch) : reach_read_batch(&batch)))
      return false;
  }
  return true;
}

bool remote_copy_by_kernel(const struct target *target, const struct part *remote, const struct part *local,
                           bool writes) {
  enum { BOUNCE = 16 << 10 };
  char bounce[BOUNCE];
  struct cursor cursor = {.part = remote};
  if (local->piece && remote->piece) { /* of any size, unlike a batch */
    uint64_t there = (uint64_t)(uintptr_t)remote->piece;
    return writes ? reach_write(target->pid, there, local->piece, local->bytes)
                  : reach_read(target->pid, there, local->piece, local->bytes);
  }
  if (local->piece)
    return move_on(&cursor, target->pid, local->piece, local->bytes, writes);
  for (size_t at = 0, n; at < local->bytes; at += n) {
    n = local->bytes - at < sizeof bounce ? local->bytes - at : sizeof bounce;
    if (writes)
      layout_pack(local->layout, local->buffer, at, bounce, n);
    if (!move_on(&cursor, target->pid, bounce, n, writes))
      return false;
    if (!writes)
      layout_unpack(local->layout, local->buffer, at, bounce, n);
  }
  return true;
}

/* ---- What is not done here. ---- */

void mpi_lock_begin(struct window *window, int rank) {
  struct waiter waiter = {0};
  while (window->mpi_locked)
    waiter_pause(&waiter);
  window->mpi_locked = true;
  runtime_unlock();
  PMPI_Win_lock(MPI_LOCK_SHARED, rank, 0, window->handle);
}

void mpi_lock_end(struct window *window, int rank) {
  PMPI_Win_unlock(rank, window->handle);
  runtime_lock();
  window->mpi_locked = false;
}

static bool is_in_lock(enum outcome outcome) { return outcome == OUTCOME_IN_LOCK || outcome == OUTCOME_IN_LATCH; }

void elsewhere_begin(enum outcome outcome, MPI_Win win, int rank) {
  if (!is_in_lock(outcome))
    return;
  runtime_lock();
  mpi_lock_begin(window_find(win), rank);
}

void elsewhere_end(enum outcome outcome, MPI_Win win, int rank) {
  if (!is_in_lock(outcome))
    return;
  runtime_lock();
  struct window *window = window_find(win);
  runtime_unlock();
  mpi_lock_end(window, rank);
  if (outcome == OUTCOME_IN_LATCH)
    latch_give_back(&window->epochs.members[window->targets[rank].place]);
  runtime_unlock();
}

int request_complete(MPI_Request *request) {
  int error = handle_start(NULL, request);
  return error == MPI_SUCCESS ? PMPI_Grequest_complete(*request) : error;
}
