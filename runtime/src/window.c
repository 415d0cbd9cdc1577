/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * The node's window: one MPI_Win_allocate_shared for everything, a segment per rank.
 */
#include "reach.h"
#include "runtime.h"

#include <sched.h>
#include <stdio.h>
#include <string.h>
#include <sys/statvfs.h>
#include <unistd.h>

/* Limits in bytes; docs/runtime.md says what was measured. */
enum {
  PAGE_BYTES = 4096,
  MAXIMUM_EAGER = 256 << 10,
  DEFAULT_EAGER = 16 << 10,
  DEFAULT_STAGE = 4 << 20,
  DIRECT_ABOVE = 8 << 10
};
static const size_t DEFAULT_HEAP = (size_t)64 << 20, DEFAULT_BUFFERS = (size_t)1 << 30,
                    MINIMUM_HEAP = (size_t)128 << 10, SMALL_HEAP = (size_t)4 << 20;

static uint64_t smaller(uint64_t a, uint64_t b) { return a < b ? a : b; }
static size_t round_up(size_t bytes, size_t unit) { return (bytes + unit - 1) / unit * unit; }

static size_t books_bytes(void) {
  return round_up(sizeof(struct segment) + (size_t)mpishm.node_size * sizeof(struct inbox), PAGE_BYTES);
}

/* The parts of a segment, in bytes. */
struct extents {
  uint64_t heap, buffers; /* heap: with the books before it */
};

/* What the user says, else out of a fair share of half of what /dev/shm has free, at most DEFAULT_HEAP and
 * DEFAULT_BUFFERS. Of a small share half is for messages, but no less than SMALL_HEAP. Pages that are never used are
 * never committed. The first rank of the node decides. */
static struct extents choose_extents(void) {
  struct extents extents = {0, 0};
  if (mpishm.node_rank == 0) {
    uint64_t share = 2 * DEFAULT_HEAP;
    struct statvfs shm;
    if (statvfs("/dev/shm", &shm) == 0)
      share = (uint64_t)shm.f_bavail * shm.f_frsize / 2 / (uint64_t)mpishm.node_size;
    uint64_t heap = smaller(share, share / 2 > SMALL_HEAP ? share / 2 : SMALL_HEAP);
    extents.heap = environment_bytes("MPISHM_WINDOW", smaller(heap, DEFAULT_HEAP));
    uint64_t rest = share > extents.heap ? share - extents.heap : 0;
    extents.buffers = environment_bytes("MPISHM_BUFFERS", smaller(rest, DEFAULT_BUFFERS));
  }
  PMPI_Bcast(&extents, 2, MPI_UINT64_T, 0, mpishm.node);
  return (struct extents){round_up((size_t)extents.heap, PAGE_BYTES), round_up((size_t)extents.buffers, PAGE_BYTES)};
}

static bool all_agree(bool mine) {
  int in = mine, out = 0;
  PMPI_Allreduce(&in, &out, 1, MPI_INT, MPI_MIN, mpishm.node);
  return out;
}

/* How often MPICH tries to place a window at one address on all ranks: a variable of MPI's tool interface (MPI 4.0,
 * 15.3), an int. False where the library has none. The interface is left initialised: with the last MPI_T_finalize
 * MPICH 4.0.2 would lose its variables for good, and the program may want them later. */
static bool find_symmetric_tries(MPI_T_cvar_handle *tries) {
  static bool initialised;
  int provided, index, count;
  if (!initialised && MPI_T_init_thread(MPI_THREAD_SERIALIZED, &provided) != MPI_SUCCESS)
    return false;
  initialised = true;
  return MPI_T_cvar_get_index("MPIR_CVAR_SHM_SYMHEAP_RETRY", &index) == MPI_SUCCESS &&
         MPI_T_cvar_handle_alloc(index, NULL, tries, &count) == MPI_SUCCESS;
}

/* MPICH would look for a range of addresses that is free on every rank, page by page: 0.15 s for each GiB of the node.
 * Nothing here needs that. The public name is called, not PMPI's, so that a layer above MPI sees the allocation. */
static bool allocate_window(size_t bytes) {
  const int none = 0;
  int before;
  MPI_T_cvar_handle tries;
  MPI_Info info;
  void *base = NULL;
  PMPI_Info_create(&info);
  PMPI_Info_set(info, "alloc_shared_noncontig", "true");
  bool found = find_symmetric_tries(&tries);
  bool changed =
      found && MPI_T_cvar_read(tries, &before) == MPI_SUCCESS && MPI_T_cvar_write(tries, &none) == MPI_SUCCESS;
  int error = MPI_Win_allocate_shared((MPI_Aint)bytes, 1, info, mpishm.node, &base, &mpishm.window);
  if (changed)
    MPI_T_cvar_write(tries, &before);
  if (found)
    MPI_T_cvar_handle_free(&tries);
  PMPI_Info_free(&info);
  if (error != MPI_SUCCESS)
    mpishm.window = MPI_WIN_NULL;
  mpishm.segment = base;
  return error == MPI_SUCCESS;
}

/* An MPI may refuse, to all ranks, what /dev/shm has room for: its windows may lie elsewhere. Then the program's
 * buffers stay private. */
static bool allocate_best(struct extents *extents) {
  bool mine = allocate_window(extents->heap + extents->buffers);
  if (all_agree(mine))
    return true;
  if (!all_agree(!mine) || extents->buffers == 0)
    return false;
  extents->buffers = 0;
  return all_agree(allocate_window(extents->heap));
}

static bool prepare_segment(struct extents extents) {
  /* The owner touches its pages first, so that they lie in its own memory. */
  if (!mpishm.segment || !commit_pages(mpishm.segment, books_bytes()))
    return false;
  memset(mpishm.segment, 0, books_bytes());
  *mpishm.segment = (struct segment){
      .magic = SEGMENT_MAGIC, .bytes = extents.heap + extents.buffers, .heap = books_bytes(), .pid = getpid()};
  return heap_init(&mpishm.heap, (char *)mpishm.segment + books_bytes(), extents.heap - books_bytes());
}

static bool prepare_endpoints(void) {
  mpishm.endpoints = calloc((size_t)mpishm.node_size, sizeof *mpishm.endpoints);
  mpishm.rendezvous_slab = (struct slab){.heap = &mpishm.heap, .record_bytes = sizeof(struct rendezvous)};
  mpishm.receive_slab = (struct slab){.heap = &mpishm.heap, .record_bytes = sizeof(struct receive)};
  return mpishm.endpoints != NULL;
}

/* Whether the kernel copies between processes here: each rank reads a private word of the next one. */
static bool probe_kernel_copies(void) {
  struct address {
    int64_t pid;
    uint64_t word;
  };
  static uint64_t word;
  word = SEGMENT_MAGIC ^ (uint64_t)mpishm.node_rank;
  reach_allow();
  struct address mine = {getpid(), (uint64_t)(uintptr_t)&word}, *all = calloc((size_t)mpishm.node_size, sizeof *all);
  if (!all_agree(all != NULL) || !all) {
    free(all);
    return false;
  }
  PMPI_Allgather(&mine, sizeof mine, MPI_BYTE, all, sizeof mine, MPI_BYTE, mpishm.node);
  int next = (mpishm.node_rank + 1) % mpishm.node_size;
  uint64_t seen = 0;
  bool ok = environment_flag("MPISHM_CMA", true) && reach_read(all[next].pid, all[next].word, &seen, sizeof seen) &&
            seen == (SEGMENT_MAGIC ^ (uint64_t)next);
  free(all);
  return all_agree(ok);
}

/* More ranks on the node than cores that any of them may run on. */
static bool probe_oversubscription(void) {
  cpu_set_t mine, all;
  CPU_ZERO(&mine);
  CPU_ZERO(&all);
  bool known = sched_getaffinity(0, sizeof mine, &mine) == 0;
  PMPI_Allreduce(&mine, &all, sizeof mine, MPI_BYTE, MPI_BOR, mpishm.node);
  return known && CPU_COUNT(&all) < mpishm.node_size;
}

bool window_create(const char **reason) {
  struct extents extents = choose_extents();
  static char text[160];
  *reason = text;
  if (extents.heap < books_bytes() + MINIMUM_HEAP) {
    snprintf(text, sizeof text,
             "too little shared memory (%zu KiB per rank; raise the size of /dev/shm or MPISHM_WINDOW)",
             (size_t)extents.heap >> 10);
    return false;
  }
  if (!allocate_best(&extents)) {
    snprintf(text, sizeof text, "MPI refuses a shared window (MPI_Win_allocate_shared of %zu KiB per rank)",
             (size_t)extents.heap >> 10);
    return false;
  }
  PMPI_Win_set_errhandler(mpishm.window, MPI_ERRORS_RETURN);
  if (!all_agree(prepare_segment(extents)) || !all_agree(prepare_endpoints())) {
    snprintf(text, sizeof text, "no memory behind the shared window (is /dev/shm full?)");
    free(mpishm.endpoints);
    heap_destroy(&mpishm.heap);
    PMPI_Win_free(&mpishm.window);
    return false;
  }
  memory_open(extents.heap, extents.buffers);
  mpishm.lock_all = environment_flag("MPISHM_LOCK_ALL", false);
  if (mpishm.lock_all)
    PMPI_Win_lock_all(MPI_MODE_NOCHECK, mpishm.window);
  mpishm.kernel_copies = probe_kernel_copies();
  mpishm.oversubscribed = probe_oversubscription();
  mpishm.eager_limit = environment_bytes("MPISHM_EAGER", DEFAULT_EAGER);
  if (mpishm.eager_limit > MAXIMUM_EAGER)
    mpishm.eager_limit = MAXIMUM_EAGER;
  mpishm.stage_limit = environment_bytes("MPISHM_STAGE", DEFAULT_STAGE);
  mpishm.direct_limit = mpishm.eager_limit < DIRECT_ABOVE ? mpishm.eager_limit : DIRECT_ABOVE;
  MPI_Aint first_bytes;
  int first_unit;
  PMPI_Win_shared_query(mpishm.window, 0, &first_bytes, &first_unit, &mpishm.first_segment);
  PMPI_Barrier(mpishm.node); /* every segment is ready before anybody's first contact */
  return true;
}

void endpoint_open(struct endpoint *endpoint, int node_rank) {
  MPI_Aint bytes;
  int unit;
  void *base = NULL;
  if (!mpishm.lock_all)
    PMPI_Win_lock(MPI_LOCK_SHARED, node_rank, MPI_MODE_NOCHECK, mpishm.window);
  PMPI_Win_shared_query(mpishm.window, node_rank, &bytes, &unit, &base);
  /* The standard's own words for what the barrier of set-up means for the window; afterwards every hand-over is a
   * release and an acquire on words of the window, which the unified memory model carries. */
  PMPI_Win_sync(mpishm.window);
  endpoint->segment = base;
  endpoint->pid = endpoint->segment->pid;
  sender_init(&endpoint->sender, mpishm.segment, endpoint->segment, &mpishm.heap, (unsigned)mpishm.node_rank);
  receiver_init(&endpoint->receiver, mpishm.segment, endpoint->segment, (unsigned)node_rank, &mpishm.unexpected);
}

void window_destroy(void) {
  for (int i = 0; i < mpishm.node_size; i++)
    if (mpishm.endpoints[i].segment) {
      sender_destroy(&mpishm.endpoints[i].sender);
      receiver_destroy(&mpishm.endpoints[i].receiver);
      if (!mpishm.lock_all)
        PMPI_Win_unlock(i, mpishm.window);
    }
  if (mpishm.lock_all)
    PMPI_Win_unlock_all(mpishm.window);
  free(mpishm.endpoints);
  heap_destroy(&mpishm.heap);
  /* Collective: nobody's segment goes before all are through. */
  PMPI_Win_free(&mpishm.window);
}
