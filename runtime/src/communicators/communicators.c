/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Registered communicators: an id that the members on a node share, and who they are.
 */
#include "communicators/communicators.h"
#include "base/handles.h"
#include "communicators/nodes.h"
#include "node/agreement.h"

#include <stdlib.h>

enum { CONTEXT_WORLD = 2, CONTEXT_SELF = 4 }; /* below FIRST_CONTEXT */

static struct handle_table communicators;
static int communicator_keyval = MPI_KEYVAL_INVALID;
struct communicator_memo last_communicator;
struct plain_communicator plain_communicator;
bool (*communicator_begins)(struct communicator *communicator);
void (*communicator_ends)(struct communicator *communicator);
void (*communicator_loses_leaders)(struct communicator *communicator);

static void remember(MPI_Comm comm, struct communicator *communicator) {
  last_communicator = (struct communicator_memo){comm, communicator};
  if (!mpishm.attended && mpishm.eager_limit >= INLINE_BYTES)
    plain_communicator = (struct plain_communicator){comm, (unsigned)communicator->size, communicator};
}

static void forget_last(void) {
  last_communicator.communicator = NULL;
  if (!mpishm.attended)
    plain_communicator.size = 0;
}

/* MPI frees the communicator. Operations in flight keep our record (MPI 3.1, 6.4.3: they complete normally). */
static int forget_communicator(MPI_Comm comm, int key, void *value, void *extra) {
  (void)key, (void)extra;
  struct communicator *communicator = value;
  if (communicator->leaders)
    communicator_loses_leaders(communicator);
  runtime_lock();
  handle_remove(&communicators, HANDLE_KEY(comm));
  forget_last();
  communicator->handle = MPI_COMM_NULL;
  if (communicator->references > 1 && mpishm.active)
    PMPI_Comm_get_errhandler(comm, &communicator->errhandler);
  communicator_release(communicator);
  runtime_unlock();
  return MPI_SUCCESS;
}

void communicator_free(struct communicator *communicator) {
  if (communicator->collectives == COLLECTIVES_HERE && mpishm.active)
    communicator_ends(communicator);
  if (communicator->errhandler != MPI_ERRHANDLER_NULL)
    PMPI_Errhandler_free(&communicator->errhandler);
  free(communicator->node_rank);
  free(communicator->local);
  free(communicator->neighborhood);
  free(communicator->grid);
  free(communicator->nodes);
  free(communicator->sums);
  free(communicator->trials);
  free(communicator);
}

int communicator_member_on_node(const struct communicator *communicator, int node_rank) {
  for (int i = 0; i < communicator->local_count; i++)
    if (communicator->node_rank[communicator->local[i]] == node_rank)
      return communicator->local[i];
  return MPI_ANY_SOURCE;
}

/* The handler gets a communicator that is made for it. */
static void raise_freed(MPI_Errhandler errhandler, int error) {
  if (errhandler == MPI_ERRORS_RETURN)
    return;
  MPI_Comm alone = error_private_communicator();
  if (errhandler != MPI_ERRORS_ARE_FATAL) /* or nobody has set it */
    PMPI_Comm_set_errhandler(alone, errhandler);
  error_on_communicator(alone, error);
  PMPI_Comm_free(&alone);
}

void communicator_raise(const struct communicator *communicator, enum error_in in, int error) {
  MPI_Comm on = error_is_on(in, communicator->size == 1);
  if (on == MPI_COMM_NULL)
    on = communicator->handle;
  if (on == MPI_COMM_NULL && communicator->errhandler != MPI_ERRHANDLER_NULL)
    raise_freed(communicator->errhandler, error);
  else
    error_on_communicator(on == MPI_COMM_NULL ? MPI_COMM_SELF : on, error);
}

/* The rank in `comm` of each rank of this node, or MPI_UNDEFINED. Those of another MPI_COMM_WORLD, spawned or
 * connected, are not of this node, whatever machine they are on. */
static void translate(MPI_Comm comm, int ranks[]) {
  int node_ranks[mpishm.node_size], size;
  MPI_Group group;
  for (int i = 0; i < mpishm.node_size; i++)
    node_ranks[i] = i;
  PMPI_Comm_group(comm, &group);
  PMPI_Group_translate_ranks(mpishm.node_group, mpishm.node_size, node_ranks, group, ranks);
  PMPI_Group_free(&group);
  /* MPICH 5.0's group of a grid or a graph with fewer members than the communicator that it was made of has all of
   * those, in order, so that the first ones are its members. */
  PMPI_Comm_size(comm, &size);
  for (int i = 0; i < mpishm.node_size; i++)
    if (ranks[i] >= size)
      ranks[i] = MPI_UNDEFINED;
}

static void list_local(struct communicator *communicator, const int ranks[]) {
  for (int i = 0; i < communicator->size; i++)
    communicator->node_rank[i] = -1;
  for (int i = 0; i < mpishm.node_size; i++)
    if (ranks[i] != MPI_UNDEFINED)
      communicator->node_rank[ranks[i]] = i;
  for (int i = 0; i < communicator->size; i++)
    if (communicator->node_rank[i] >= 0)
      communicator->local[communicator->local_count++] = i;
}

/* A member has others on its node alone, or all have some elsewhere: so all decide alike. */
static void decide_messages(struct communicator *communicator) {
  int *none = communicator->node_rank + communicator->size;
  communicator->messages_by_mpi = mpishm.nodewise && communicator->local_count < communicator->size;
  communicator->message_rank = communicator->messages_by_mpi ? none : communicator->node_rank;
  for (int i = 0; communicator->messages_by_mpi && i < communicator->size; i++)
    none[i] = -1;
}

static struct communicator *describe(MPI_Comm comm, const int ranks[]) {
  int local_count = 0;
  for (int i = 0; i < mpishm.node_size; i++)
    local_count += ranks[i] != MPI_UNDEFINED;
  ASSUME(local_count > 0); /* this rank */
  struct communicator *communicator = calloc(1, sizeof *communicator);
  if (!communicator)
    return NULL;
  communicator->handle = comm;
  communicator->errhandler = MPI_ERRHANDLER_NULL;
  communicator->references = 1;
  for (int kind = 0; kind < COUNTED_KINDS; kind++)
    communicator->left_to_library[kind] = mpishm.left_to_library;
  communicator->waiting_tail = &communicator->waiting;
  PMPI_Comm_rank(comm, &communicator->rank);
  PMPI_Comm_size(comm, &communicator->size);
  communicator->node_rank = malloc(sizeof(int) * (size_t)communicator->size * (mpishm.nodewise ? 2 : 1));
  communicator->local = malloc(sizeof(int) * (size_t)local_count);
  if (!communicator->node_rank || !communicator->local) {
    communicator_free(communicator);
    return NULL;
  }
  list_local(communicator, ranks);
  decide_messages(communicator);
  if (communicator_begins && !communicator_begins(communicator)) {
    communicator_free(communicator);
    return NULL;
  }
  return communicator;
}

/* MPI is called without the mutex: it may hold a lock of its own while it calls forget_communicator. */
static bool store(struct communicator *communicator) {
  if (!communicator)
    return false;
  runtime_lock();
  bool stored = handle_set(&communicators, HANDLE_KEY(communicator->handle), communicator);
  runtime_unlock();
  if (stored && PMPI_Comm_set_attr(communicator->handle, communicator_keyval, communicator) == MPI_SUCCESS)
    return true;
  runtime_lock();
  if (stored)
    handle_remove(&communicators, HANDLE_KEY(communicator->handle));
  communicator_release(communicator);
  runtime_unlock();
  return false;
}

static bool store_as(MPI_Comm comm, uint32_t context) {
  int ranks[mpishm.node_size];
  translate(comm, ranks);
  struct communicator *communicator = describe(comm, ranks);
  if (communicator)
    communicator->context = context;
  return store(communicator);
}

bool communicators_init(void) {
  return PMPI_Comm_create_keyval(MPI_COMM_NULL_COPY_FN, forget_communicator, &communicator_keyval, NULL) ==
             MPI_SUCCESS &&
         store_as(MPI_COMM_WORLD, CONTEXT_WORLD) && store_as(MPI_COMM_SELF, CONTEXT_SELF);
}

bool communicators_know_nodes(void) {
  if (!nodes_init())
    return false;
  runtime_lock();
  struct communicator *world = communicator_find(MPI_COMM_WORLD);
  ASSUME(world); /* the node has a window */
  nodes_find(MPI_COMM_WORLD, &world->nodes);
  runtime_unlock();
  return true;
}

void communicators_destroy(void) {
  handle_table_destroy(&communicators);
  forget_last();
}

/* What the members on a node tell one another. Not by MPI_Allreduce, also since a first collective makes some libraries
 * set the communicator up for collectives that the program may never call: Open MPI 5 makes two more communicators, and
 * keeps 1.4 KiB of them for ever. */
struct registration {
  uint32_t context; /* 0, but from the first of them: their id */
  uint32_t fails;   /* one of them cannot register the communicator */
};

static void combine_registrations(void *value, const void *other) {
  struct registration *all = value;
  const struct registration *one = other;
  all->context |= one->context;
  all->fails |= one->fails;
}

/* Collective over all members, of a communicator whose collectives may go by leaders: each must have it registered, and
 * know where the members are. */
static void agree_on_nodes(MPI_Comm comm, struct communicator *communicator) {
  struct nodes *nodes = NULL;
  struct registration agreed = {0, 0};
  struct circle circle = {.comm = comm};
  if (!nodes_find(comm, &nodes))
    return;
  PMPI_Comm_size(comm, &circle.count);
  PMPI_Comm_rank(comm, &circle.place);
  agreed.fails = !communicator || !nodes;
  agree(&circle, &agreed, sizeof agreed, combine_registrations);
  if (!agreed.fails && communicator)
    communicator->nodes = nodes;
  else
    free(nodes);
}

/* Collective over the members on this node: what other nodes send goes through MPI in any case. A member without memory
 * makes those on its node go through MPI, too, since they could not know. (And collective over all members where their
 * collectives may go by leaders.) */
void communicator_register(MPI_Comm comm) {
  int inter = 0, count = 0, place = 0;
  if (!mpishm.active || comm == MPI_COMM_NULL)
    return;
  PMPI_Comm_test_inter(comm, &inter);
  if (inter)
    return;
  int members[mpishm.node_size];
  translate(comm, members);
  struct communicator *communicator = describe(comm, members);
  bool stored = store(communicator);
  for (int i = 0; i < mpishm.node_size; i++) {
    if (i == mpishm.node_rank)
      place = count;
    if (members[i] != MPI_UNDEFINED)
      members[count++] = members[i];
  }
  struct registration agreed = {place == 0 ? segment_new_context(mpishm.first_segment) : 0, !stored};
  agree(&(struct circle){comm, members, count, place}, &agreed, sizeof agreed, combine_registrations);
  bool registered = stored && agreed.context != 0 && !agreed.fails;
  if (registered)
    communicator->context = agreed.context;
  else if (stored)
    PMPI_Comm_delete_attr(comm, communicator_keyval); /* forgets it */
  agree_on_nodes(comm, registered ? communicator : NULL);
}

struct communicator *communicator_look_up(MPI_Comm comm) {
  struct communicator *communicator = mpishm.active ? handle_find(&communicators, HANDLE_KEY(comm)) : NULL;
  if (communicator)
    remember(comm, communicator);
  return communicator;
}
