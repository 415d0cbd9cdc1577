/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "onesided/deferred.h"

#include <stdlib.h>

struct deferred *deferred_make(void) { return calloc(1, sizeof(struct deferred)); }

static bool has_room(const struct deferred *deferred, int rank, size_t copied, bool puts) {
  return deferred->batch.count == 0 ||
         (deferred->rank == rank && deferred->puts == puts && deferred->batch.count < REACH_BATCH &&
          deferred->copied + copied <= sizeof deferred->data);
}

static bool is_behind(const struct iovec *last, const char *piece) {
  return (const char *)last->iov_base + last->iov_len == piece;
}

/* Where it goes on where the one before it ends, on both sides, they are one piece for the kernel, each of which
 * costs. */
static void add_piece(struct reach_batch *batch, char *here, char *there, size_t bytes) {
  unsigned last = batch->count - 1;
  batch->bytes += bytes;
  if (batch->count > 0 && is_behind(&batch->here[last], here) && is_behind(&batch->there[last], there)) {
    batch->here[last].iov_len += bytes;
    batch->there[last].iov_len += bytes;
    return;
  }
  batch->here[batch->count] = (struct iovec){here, bytes};
  batch->there[batch->count++] = (struct iovec){there, bytes};
}

/* The kernel has refused: by MPI, in a lock of its own. The mutex is not held meanwhile. */
static void do_by_mpi(struct window *window, const struct deferred *deferred) {
  const char *base = window->targets[deferred->rank].base;
  mpi_lock_begin(window, deferred->rank);
  for (unsigned i = 0; i < deferred->batch.count; i++) {
    const struct iovec *here = &deferred->batch.here[i];
    MPI_Aint offset = (char *)deferred->batch.there[i].iov_base - base; /* which need be no multiple of the unit */
    int bytes = (int)here->iov_len;
    MPI_Datatype placed;
    PMPI_Type_create_hindexed(1, &bytes, &offset, MPI_BYTE, &placed);
    PMPI_Type_commit(&placed);
    if (deferred->puts)
      PMPI_Put(here->iov_base, bytes, MPI_BYTE, deferred->rank, 0, 1, placed, window->handle);
    else
      PMPI_Get(here->iov_base, bytes, MPI_BYTE, deferred->rank, 0, 1, placed, window->handle);
    PMPI_Type_free(&placed);
  }
  mpi_lock_end(window, deferred->rank);
}

static void deferred_clear(struct deferred *deferred) {
  deferred->batch.count = 0;
  deferred->batch.bytes = 0;
  deferred->copied = 0;
}

static bool is_in(const struct deferred *deferred, const void *piece) {
  uintptr_t at = (uintptr_t)piece, data = (uintptr_t)deferred->data;
  return at >= data && at < data + sizeof deferred->data;
}

static void do_copy_by_mpi(struct window *window) {
  struct deferred *deferred = window->deferred, copy = *deferred; /* another thread may keep more meanwhile */
  for (unsigned i = 0; i < copy.batch.count; i++)
    if (is_in(deferred, deferred->batch.here[i].iov_base))
      copy.batch.here[i].iov_base = copy.data + ((char *)deferred->batch.here[i].iov_base - deferred->data);
  deferred_clear(deferred);
  deferred->doing++;
  do_by_mpi(window, &copy);
  deferred->doing--;
}

static bool do_batch(const struct deferred *deferred) {
  return deferred->puts ? reach_write_batch(&deferred->batch) : reach_read_batch(&deferred->batch);
}

void deferred_do_batch(struct window *window) {
  struct deferred *deferred = window->deferred;
  struct waiter waiter = {0};
  if (deferred->batch.count && !do_batch(deferred))
    do_copy_by_mpi(window);
  else
    deferred_clear(deferred);
  while (deferred->doing) /* other threads' */
    waiter_pause(&waiter);
}

static void make_room_for_one(struct window *window, int rank, size_t copied, bool puts) {
  struct deferred *deferred = window->deferred;
  while (!has_room(deferred, rank, copied, puts)) /* what another thread keeps meanwhile may fill it again */
    deferred_do_batch(window);
  deferred->rank = rank;
  deferred->puts = puts;
  deferred->batch.pid = window->targets[rank].pid;
}

bool deferred_keep(struct window *window, int rank, const struct part *remote, const struct part *local, bool puts,
                   bool stays) {
  struct deferred *deferred = window->deferred;
  const bool is_copied = puts && local->bytes <= DEFERRED_COPY;
  if (!deferred || !remote->piece || local->bytes > DEFERRED_MOST || (!is_copied && !(local->piece && stays)))
    return false;
  if (deferred->handed.used)
    handed_do(window, rank);
  const size_t copied = is_copied ? local->bytes : 0;
  make_room_for_one(window, rank, copied, puts);
  char *here = is_copied ? deferred->data + deferred->copied : local->piece;
  if (is_copied)
    part_pack(local, here);
  deferred->copied += copied;
  add_piece(&deferred->batch, here, remote->piece, local->bytes);
  return true;
}

void deferred_keep_copy(struct window *window, int rank, const void *data, char *there, size_t bytes) {
  struct deferred *deferred = window->deferred;
  make_room_for_one(window, rank, bytes, true);
  char *here = deferred->data + deferred->copied;
  copy_bytes(here, data, bytes);
  deferred->copied += bytes;
  add_piece(&deferred->batch, here, there, bytes);
}

void deferred_do(struct window *window) {
  if (window->deferred->handed.used)
    handed_do(window, HANDED_TO_ALL);
  deferred_do_batch(window);
}
