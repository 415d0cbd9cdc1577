/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "onesided/deferred.h"

#include <stdlib.h>

struct deferred *deferred_make(void) { return calloc(1, sizeof(struct deferred)); }

static bool has_room(const struct deferred *deferred, int rank, size_t bytes) {
  return deferred->batch.count == 0 || (deferred->rank == rank && deferred->batch.count < REACH_BATCH &&
                                        deferred->bytes + bytes <= sizeof deferred->data);
}

/* Whether it goes on where the put before it ends, as its copy does: one piece for the kernel, each of which costs. */
static bool goes_on(const struct reach_batch *batch, const char *there) {
  if (batch->count == 0)
    return false;
  const struct iovec *last = &batch->there[batch->count - 1];
  return (const char *)last->iov_base + last->iov_len == there;
}

bool deferred_keep(struct window *window, int rank, const struct part *remote, const struct part *local) {
  struct deferred *deferred = window->deferred;
  const struct target *target = &window->targets[rank];
  if (!deferred || !remote->piece || local->bytes > DEFERRED_MOST)
    return false;
  while (!has_room(deferred, rank, local->bytes)) /* what another thread keeps meanwhile may fill it again */
    deferred_finish(window);
  char *copy = deferred->data + deferred->bytes;
  part_pack(local, copy);
  deferred->rank = rank;
  deferred->bytes += local->bytes;
  deferred->batch.pid = target->pid;
  deferred->batch.bytes += local->bytes;
  if (goes_on(&deferred->batch, remote->piece)) {
    deferred->batch.here[deferred->batch.count - 1].iov_len += local->bytes;
    deferred->batch.there[deferred->batch.count - 1].iov_len += local->bytes;
    return true;
  }
  unsigned i = deferred->batch.count++;
  deferred->batch.here[i] = (struct iovec){copy, local->bytes};
  deferred->batch.there[i] = (struct iovec){remote->piece, local->bytes};
  return true;
}

/* The kernel has refused: by MPI, in a lock of its own. The mutex is not held meanwhile. */
static void write_by_mpi(struct window *window, const struct deferred *deferred) {
  const char *base = window->targets[deferred->rank].base;
  mpi_lock_begin(window, deferred->rank);
  for (unsigned i = 0; i < deferred->batch.count; i++) {
    const struct iovec *here = &deferred->batch.here[i];
    MPI_Aint offset = (char *)deferred->batch.there[i].iov_base - base; /* which need be no multiple of the unit */
    int bytes = (int)here->iov_len;
    MPI_Datatype placed;
    PMPI_Type_create_hindexed(1, &bytes, &offset, MPI_BYTE, &placed);
    PMPI_Type_commit(&placed);
    PMPI_Put(here->iov_base, bytes, MPI_BYTE, deferred->rank, 0, 1, placed, window->handle);
    PMPI_Type_free(&placed);
  }
  mpi_lock_end(window, deferred->rank);
}

static void deferred_clear(struct deferred *deferred) {
  deferred->batch.count = 0;
  deferred->bytes = deferred->batch.bytes = 0;
}

static void write_copy_by_mpi(struct window *window) {
  struct deferred *deferred = window->deferred, copy = *deferred; /* another thread may put meanwhile */
  for (unsigned i = 0; i < copy.batch.count; i++)
    copy.batch.here[i].iov_base = copy.data + ((char *)deferred->batch.here[i].iov_base - deferred->data);
  deferred_clear(deferred);
  deferred->writing++;
  write_by_mpi(window, &copy);
  deferred->writing--;
}

void deferred_write(struct window *window) {
  struct deferred *deferred = window->deferred;
  struct waiter waiter = {0};
  if (deferred->batch.count && !reach_write_batch(&deferred->batch))
    write_copy_by_mpi(window);
  else
    deferred_clear(deferred);
  while (deferred->writing) /* other threads' */
    waiter_pause(&waiter);
}
