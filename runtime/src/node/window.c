/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * The node's window: one MPI_Win_allocate_shared for everything, a segment per rank.
 */
#include "node/window.h"
#include "base/environment.h"
#include "channel/reach.h"
#include "node/agreement.h"
#include "node/library.h"
#include "node/program_heap.h"

#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/statvfs.h>
#include <unistd.h>

/* Limits in bytes; docs/runtime.md says what was measured. */
enum {
  PAGE_BYTES = 4096,
  MAXIMUM_EAGER = 256 << 10,
  DEFAULT_EAGER = 16 << 10,
  DEFAULT_STAGE = 4 << 20,
  DIRECT_ABOVE = CYCLES_SHORT,
  DEFAULT_PLACE = 8 << 10
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
 * never committed. No more than three quarters of what is free, whatever the user says: Open MPI 5 refuses to one rank
 * what there is not, and leaves the others waiting for it. */
static struct extents choose_extents(void) {
  struct extents extents;
  uint64_t share = 2 * DEFAULT_HEAP, most = UINT64_MAX;
  struct statvfs shm;
  if (statvfs("/dev/shm", &shm) == 0) {
    share = (uint64_t)shm.f_bavail * shm.f_frsize / 2 / (uint64_t)mpishm.node_size;
    most = share / 2 * 3;
  }
  uint64_t heap = smaller(share, share / 2 > SMALL_HEAP ? share / 2 : SMALL_HEAP);
  extents.heap = smaller(environment_bytes("MPISHM_WINDOW", smaller(heap, DEFAULT_HEAP)), most);
  uint64_t rest = share > extents.heap ? share - extents.heap : 0;
  extents.buffers = smaller(environment_bytes("MPISHM_BUFFERS", smaller(rest, DEFAULT_BUFFERS)), most - extents.heap);
  return (struct extents){round_up((size_t)extents.heap, PAGE_BYTES), round_up((size_t)extents.buffers, PAGE_BYTES)};
}

/* ---- Agreements of set-up: one before the window is made, one after. ---- */

/* A private word that another rank can try to read. */
struct address {
  int64_t pid;
  uint64_t word;
};

struct plan {
  struct extents extents;          /* from the first rank: the others say nothing */
  cpu_set_t cores;                 /* that any of the ranks may run on */
  int unknown;                     /* whether one of them does not know its own */
  struct address mine, neighbours; /* the rank's before this one */
};
_Static_assert(sizeof(struct plan) <= MAXIMUM_AGREEMENT, "it is agreed on");

static void combine_plans(void *value, const void *other) {
  struct plan *all = value;
  const struct plan *one = other;
  all->extents.heap |= one->extents.heap;
  all->extents.buffers |= one->extents.buffers;
  CPU_OR(&all->cores, &all->cores, &one->cores);
  all->unknown |= one->unknown;
  if (all->neighbours.pid == 0)
    all->neighbours = one->mine;
}

static void combine_findings(void *value, const void *other) { *(unsigned *)value |= *(const unsigned *)other; }

static void agree_on_node(void *value, size_t bytes, combine_function *combine) {
  agree(&(struct circle){mpishm.node, NULL, mpishm.node_size, mpishm.node_rank}, value, bytes, combine);
}

/* Whether more ranks are on the node than cores that any of them may run on, and whether the kernel copies between
 * processes here: each rank tries to read a private word of the one before. */
static struct plan make_plan(void) {
  static uint64_t word;
  struct plan plan = {.mine = {getpid(), (uint64_t)(uintptr_t)&word}};
  word = SEGMENT_MAGIC ^ (uint64_t)mpishm.node_rank;
  reach_allow();
  if (mpishm.node_rank == 0)
    plan.extents = choose_extents();
  CPU_ZERO(&plan.cores);
  plan.unknown = sched_getaffinity(0, sizeof plan.cores, &plan.cores) != 0;
  agree_on_node(&plan, sizeof plan, combine_plans);
  mpishm.oversubscribed = !plan.unknown && CPU_COUNT(&plan.cores) < mpishm.node_size;
  if (mpishm.node_size == 1)
    plan.neighbours = plan.mine;
  return plan;
}

static bool probe_kernel_copies(struct address neighbours) {
  uint64_t seen = 0, before = (uint64_t)((mpishm.node_rank + mpishm.node_size - 1) % mpishm.node_size);
  return environment_flag("MPISHM_CMA", true) && reach_read(neighbours.pid, neighbours.word, &seen, sizeof seen) &&
         seen == (SEGMENT_MAGIC ^ before);
}

/* MPICH would look for a range of addresses that is free on every rank, page by page: 0.15 s for each GiB of the node.
 * Nothing here needs that, so that it is told not to try. The public name is called, not PMPI's, so that a layer above
 * MPI sees the allocation. */
static bool allocate_window(size_t bytes) {
  const int none = 0;
  int before;
  MPI_T_cvar_handle tries;
  MPI_Info info;
  void *base = NULL;
  PMPI_Info_create(&info);
  PMPI_Info_set(info, "alloc_shared_noncontig", "true");
  bool found = library_variable("MPIR_CVAR_SHM_SYMHEAP_RETRY", &tries);
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
  else
    PMPI_Win_set_errhandler(mpishm.window, MPI_ERRORS_RETURN);
  mpishm.segment = base;
  return error == MPI_SUCCESS;
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

/* What a rank finds; a node has what any of its ranks has found. */
enum { REFUSED = 1, ALLOCATED = 2, UNPREPARED = 4, NO_KERNEL_COPIES = 8, NO_MEMORY = 16 };

/* Every segment is ready before anybody's first contact: it is agreed on. */
static unsigned allocate_and_prepare(struct extents extents, unsigned findings) {
  if (!allocate_window(extents.heap + extents.buffers))
    findings |= REFUSED;
  else
    findings |= prepare_segment(extents) && prepare_endpoints() ? ALLOCATED : ALLOCATED | UNPREPARED;
  agree_on_node(&findings, sizeof findings, combine_findings);
  return findings;
}

/* Where some have it, MPI frees it with all ranks or not at all. */
static void drop_window(bool all_have_it) {
  free(mpishm.endpoints);
  mpishm.endpoints = NULL;
  heap_destroy(&mpishm.heap);
  if (all_have_it)
    PMPI_Win_free(&mpishm.window);
}

static void read_limits(void) {
  mpishm.eager_limit = environment_bytes("MPISHM_EAGER", DEFAULT_EAGER);
  if (mpishm.eager_limit > MAXIMUM_EAGER)
    mpishm.eager_limit = MAXIMUM_EAGER;
  mpishm.stage_limit = environment_bytes("MPISHM_STAGE", SIZE_MAX);
  mpishm.ways_measured = mpishm.stage_limit == SIZE_MAX;
  if (mpishm.ways_measured)
    mpishm.stage_limit = DEFAULT_STAGE;
  mpishm.direct_limit = mpishm.eager_limit < DIRECT_ABOVE ? mpishm.eager_limit : DIRECT_ABOVE;
  mpishm.place_limit = environment_bytes("MPISHM_PLACE", DEFAULT_PLACE);
}

static const char *say(const char *format, struct extents extents) {
  static char text[160];
  snprintf(text, sizeof text, format, (size_t)extents.heap >> 10);
  return text;
}

bool window_create(bool ready, const char **reason) {
  struct plan plan = make_plan();
  struct extents extents = plan.extents;
  if (extents.heap < books_bytes() + MINIMUM_HEAP) {
    *reason = say("too little shared memory (%zu KiB per rank; raise the size of /dev/shm or MPISHM_WINDOW)", extents);
    return false;
  }
  unsigned mine = (ready ? 0 : NO_MEMORY) | (probe_kernel_copies(plan.neighbours) ? 0 : NO_KERNEL_COPIES);
  unsigned found = allocate_and_prepare(extents, mine);
  /* An MPI may refuse, to all ranks, what /dev/shm has room for: its windows may lie elsewhere. Then the program's
   * buffers stay private. */
  if (!(found & ALLOCATED) && extents.buffers > 0) {
    extents.buffers = 0;
    found = allocate_and_prepare(extents, mine);
  }
  if (found & (REFUSED | UNPREPARED | NO_MEMORY)) {
    drop_window(!(found & REFUSED));
    *reason = found & REFUSED
                  ? say("MPI refuses a shared window (MPI_Win_allocate_shared of %zu KiB per rank)", extents)
              : found & UNPREPARED ? "no memory behind the shared window (is /dev/shm full?)"
                                   : "a rank has no memory";
    return false;
  }
  memory_open(extents.heap, extents.buffers);
  mpishm.lock_all = environment_flag("MPISHM_LOCK_ALL", false);
  if (mpishm.lock_all)
    PMPI_Win_lock_all(MPI_MODE_NOCHECK, mpishm.window);
  mpishm.kernel_copies = !(found & NO_KERNEL_COPIES);
  read_limits();
  MPI_Aint first_bytes;
  int first_unit;
  PMPI_Win_shared_query(mpishm.window, 0, &first_bytes, &first_unit, &mpishm.first_segment);
  return true;
}

void endpoint_open(struct endpoint *endpoint, int node_rank) {
  MPI_Aint bytes;
  int unit;
  void *base = NULL;
  if (!mpishm.lock_all)
    PMPI_Win_lock(MPI_LOCK_SHARED, node_rank, MPI_MODE_NOCHECK, mpishm.window);
  PMPI_Win_shared_query(mpishm.window, node_rank, &bytes, &unit, &base);
  /* The standard's own words for what the agreement of set-up means for the window; afterwards every hand-over is a
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
