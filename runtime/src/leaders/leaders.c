/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Opening and closing.
 */
#include "leaders/leaders.h"
#include "base/environment.h"
#include "leaders/boxes.h"
#include "leaders/model.h"
#include "leaders/served.h"
#include "next/next.h"

#include <stdlib.h>

/* Each has a communicator of its own; MPI libraries have some two thousand for a process, which are the program's. */
enum { MOST_OPEN = 64 };

static struct leaders *open_leaders;
static int open_count;

/* ---- Memory of this member's. ---- */

/* A part of a communicator, as one for which the area is made. */
static struct communicator *make_part(const struct communicator *whole) {
  struct communicator *part = calloc(1, sizeof *part);
  size_t bytes = sizeof(int) * (size_t)whole->local_count;
  if (!part)
    return NULL;
  *part = (struct communicator){.handle = whole->handle,
                                .errhandler = MPI_ERRHANDLER_NULL,
                                .context = whole->context,
                                .size = whole->local_count,
                                .node_rank = malloc(bytes),
                                .local = malloc(bytes),
                                .local_count = whole->local_count,
                                .references = 1,
                                .ranks = whole->local};
  part->waiting_tail = &part->waiting;
  if (!part->node_rank || !part->local) {
    communicator_release(part);
    return NULL;
  }
  for (int i = 0; i < part->size; i++) {
    part->local[i] = i;
    part->node_rank[i] = whole->node_rank[whole->local[i]];
    if (whole->local[i] == whole->rank)
      part->rank = i;
  }
  return part;
}

static void list_members(struct leaders *leaders) {
  int count = 0;
  for (int node = 0; node < leaders->nodes->count; node++) {
    leaders->start[node] = count;
    for (int rank = 0; rank < leaders->communicator->size; rank++)
      if (leaders->nodes->of[rank] == node)
        leaders->members[count++] = rank;
  }
  leaders->start[leaders->nodes->count] = count;
}

static void destroy_leaders(struct leaders *leaders) {
  boxes_destroy(leaders);
  if (leaders->here)
    communicator_release(leaders->here);
  free(leaders->start);
  free(leaders->members);
  free(leaders);
}

static struct leaders *make_leaders(struct communicator *communicator) {
  struct leaders *leaders = calloc(1, sizeof *leaders);
  if (!leaders)
    return NULL;
  leaders->communicator = communicator;
  leaders->comm = MPI_COMM_NULL;
  leaders->nodes = communicator->nodes;
  leaders->node = leaders->nodes->of[communicator->rank];
  leaders->here = make_part(communicator);
  leaders->start = malloc(sizeof(int) * ((size_t)leaders->nodes->count + 1));
  leaders->members = malloc(sizeof(int) * (size_t)communicator->size);
  if (!leaders->here || !leaders->start || !leaders->members) {
    destroy_leaders(leaders);
    return NULL;
  }
  list_members(leaders);
  return leaders;
}

/* ---- What all members agree on. ---- */

/* No MPI_Iallreduce: Intel MPI's may not end while many messages of the program wait for their receives. */
bool leaders_agree(const struct communicator *communicator, int64_t least[], int count) {
  int size = communicator->size; /* at most MOST_MEMBERS_OF_NODES */
  ASSUME(size > 0 && count > 0);
  int64_t of_all[size * count];
  int done = 0;
  struct waiter waiter = {0};
  MPI_Request request;
  if (mpi_own.Iallgather(least, count, MPI_INT64_T, of_all, count, MPI_INT64_T, communicator->handle, &request) !=
      MPI_SUCCESS)
    return false;
  while (PMPI_Test(&request, &done, MPI_STATUS_IGNORE) == MPI_SUCCESS && !done)
    waiter_pause(&waiter);
  for (int i = 0; done && i < size * count; i++)
    if (of_all[i] < least[i % count])
      least[i % count] = of_all[i];
  return done;
}

/* MPI's call waits for other members, and other threads may have to go on for them. An error, of a library that has no
 * more communicators, is none of the program's: its handler is spared that where no other thread can need it now. */
static MPI_Comm make_communicator(const struct communicator *communicator) {
  MPI_Errhandler handler = MPI_ERRHANDLER_NULL;
  MPI_Comm comm = MPI_COMM_NULL;
  runtime_unlock();
  if (!mpishm.threaded && PMPI_Comm_get_errhandler(communicator->handle, &handler) == MPI_SUCCESS)
    PMPI_Comm_set_errhandler(communicator->handle, MPI_ERRORS_RETURN);
  if (PMPI_Comm_split(communicator->handle, 0, communicator->rank, &comm) != MPI_SUCCESS)
    comm = MPI_COMM_NULL;
  if (handler != MPI_ERRHANDLER_NULL) {
    PMPI_Comm_set_errhandler(communicator->handle, handler);
    PMPI_Errhandler_free(&handler);
  }
  if (comm != MPI_COMM_NULL)
    PMPI_Comm_set_errhandler(comm, MPI_ERRORS_RETURN);
  runtime_lock();
  return comm;
}

/* On this node, and between all. False: this member has not got all it needs. */
static bool open_both(struct leaders *leaders) {
  collective_open(leaders->here);
  leaders->comm = make_communicator(leaders->communicator);
  if (leaders->here->collectives != COLLECTIVES_HERE || leaders->comm == MPI_COMM_NULL)
    return false;
  leaders->short_bytes = slot_room(&leaders->here->seat);
  leaders->box_limit = boxes_limit();
  return true;
}

static bool open_all(struct leaders *leaders, const struct communicator *communicator) {
  int64_t ready = leaders && open_count < MOST_OPEN;
  if (!leaders_agree(communicator, &ready, 1) || !ready)
    return false;
  ASSUME(leaders);
  int64_t opened = open_both(leaders);
  int64_t least[] = {opened, (int64_t)leaders->short_bytes, (int64_t)leaders->box_limit};
  if (!leaders_agree(communicator, least, 3) || !least[0])
    return false;
  leaders->short_bytes = (size_t)least[1];
  leaders->box_limit = (size_t)least[2];
  return true;
}

static void free_communicator(struct leaders *leaders) {
  if (leaders->comm != MPI_COMM_NULL)
    PMPI_Comm_free(&leaders->comm);
}

struct leaders *leaders_open(struct communicator *communicator) {
  struct leaders *leaders = make_leaders(communicator);
  if (open_all(leaders, communicator)) {
    leaders->next = open_leaders;
    open_leaders = leaders;
    open_count++;
    return communicator->leaders = leaders;
  }
  if (leaders) {
    runtime_unlock();
    free_communicator(leaders);
    runtime_lock();
    destroy_leaders(leaders);
  }
  free(communicator->nodes);
  communicator->nodes = NULL;
  return NULL;
}

/* ---- The end. ---- */

static void close_leaders(struct communicator *communicator) {
  struct leaders *leaders = communicator->leaders;
  free_communicator(leaders);
  runtime_lock();
  boxes_await_readers(leaders);
  for (struct leaders **link = &open_leaders; *link; link = &(*link)->next)
    if (*link == leaders) {
      *link = leaders->next;
      break;
    }
  open_count--;
  communicator->leaders = NULL;
  destroy_leaders(leaders);
  runtime_unlock();
}

void leaders_start(int most) {
  model_start(most);
  served_start();
  communicator_loses_leaders = close_leaders;
}

void leaders_end(void) {
  while (open_leaders)
    close_leaders(open_leaders->communicator);
}

int leaders_wanted(void) { return environment_number("MPISHM_LEADERS", MOST_MEMBERS_OF_NODES); }
