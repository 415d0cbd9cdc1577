/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Registered communicators: an id that the members on a node share, and who they are.
 */
#include "communicators/communicators.h"
#include "base/handles.h"
#include "communicators/nodes.h"
#include "node/agreement.h"
#include "node/library.h"

#include <stdlib.h>
#include <string.h>

enum { CONTEXT_WORLD = OWN_CONTEXTS, CONTEXT_SELF = OWN_CONTEXTS + 2 }; /* below FIRST_CONTEXT */

/* Ids that are kept for what MPI_Comm_idup makes of MPI_COMM_WORLD, and of each communicator with one of the first ids.
 */
enum { CHILDREN = 1 << 12, WITH_CHILDREN = 1 << 15, WORLD_CHILDREN = 1 << 26 };
_Static_assert((UINT32_MAX - FIRST_CHILD_CONTEXT) / 2 >= (uint64_t)WITH_CHILDREN * CHILDREN + WORLD_CHILDREN - 1,
               "there are as many");

static struct handle_table communicators;
static int communicator_keyval = MPI_KEYVAL_INVALID;
static bool handles_come_at_once; /* those of MPI_Comm_idup */
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

/* Of one whose handle is not known yet: a place that is kept for it. */
static uint64_t key_of(const struct communicator *communicator) {
  return communicator->handle == MPI_COMM_NULL ? HANDLE_KEY(communicator) : HANDLE_KEY(communicator->handle);
}

/* MPI frees the communicator. Operations in flight keep our record (MPI 3.1, 6.4.3: they complete normally). */
static int forget_communicator(MPI_Comm comm, int key, void *value, void *extra) {
  (void)key, (void)extra;
  struct communicator *communicator = value;
  if (communicator->leaders)
    communicator_loses_leaders(communicator);
  runtime_lock();
  handle_remove(&communicators, key_of(communicator));
  forget_last();
  communicator->handle = MPI_COMM_NULL;
  if (communicator->references > 1 && mpishm.active)
    PMPI_Comm_get_errhandler(comm, &communicator->errhandler);
  communicator_release(communicator);
  runtime_unlock();
  return MPI_SUCCESS;
}

static _Thread_local struct communicator *expected_child;

struct communicator *communicator_expect(struct communicator *child) {
  struct communicator *before = expected_child;
  expected_child = child;
  return before;
}

/* MPI copies a communicator. What MPI_Comm_idup makes gets the record that it has begun; all else is registered once it
 * is there. */
static int hand_over(MPI_Comm comm, int key, void *extra, void *value, void *copy, int *copied) {
  (void)comm, (void)key, (void)extra;
  struct communicator *child = expected_child;
  *copied = child && child->made_of == value;
  if (*copied) {
    *(void **)copy = child;
    expected_child = NULL;
  }
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
  free(communicator->kinds);
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

/* NULL: there is no memory. */
static struct communicator *new_record(int rank, int size, int local_count) {
  ASSUME(local_count > 0); /* this rank */
  struct communicator *communicator = calloc(1, sizeof *communicator);
  if (!communicator)
    return NULL;
  communicator->handle = MPI_COMM_NULL;
  communicator->errhandler = MPI_ERRHANDLER_NULL;
  communicator->references = 1;
  for (int kind = 0; kind < COUNTED_KINDS; kind++)
    communicator->left_to_library[kind] = mpishm.left_to_library;
  communicator->waiting_tail = &communicator->waiting;
  communicator->rank = rank;
  communicator->size = size;
  communicator->node_rank = malloc(sizeof(int) * (size_t)size * (mpishm.nodewise ? 2 : 1));
  communicator->local = malloc(sizeof(int) * (size_t)local_count);
  if (communicator->node_rank && communicator->local)
    return communicator;
  communicator_free(communicator);
  return NULL;
}

/* The rest of one that knows its members. The same. */
static struct communicator *finish_record(struct communicator *communicator) {
  decide_messages(communicator);
  if (!communicator_begins || communicator_begins(communicator))
    return communicator;
  communicator_free(communicator);
  return NULL;
}

static struct communicator *describe(MPI_Comm comm, const int ranks[]) {
  int local_count = 0, rank, size;
  for (int i = 0; i < mpishm.node_size; i++)
    local_count += ranks[i] != MPI_UNDEFINED;
  PMPI_Comm_rank(comm, &rank);
  PMPI_Comm_size(comm, &size);
  struct communicator *communicator = new_record(rank, size, local_count);
  if (!communicator)
    return NULL;
  communicator->handle = comm;
  list_local(communicator, ranks);
  return finish_record(communicator);
}

/* An id, and those that are kept for what is made of the communicator. */
static void set_context(struct communicator *communicator, uint32_t context) {
  uint32_t number = context / 2;
  struct child_contexts own = {0};
  if (context == CONTEXT_WORLD)
    own = (struct child_contexts){FIRST_CHILD_CONTEXT + 2u * WITH_CHILDREN * CHILDREN, WORLD_CHILDREN - 1, 0};
  else if (number < WITH_CHILDREN)
    own = (struct child_contexts){FIRST_CHILD_CONTEXT + 2 * number * CHILDREN, CHILDREN, 0};
  communicator->context = context;
  communicator->child_contexts = own;
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
    set_context(communicator, context);
  return store(communicator);
}

bool communicators_init(void) {
  handles_come_at_once = library_gives_handles_at_once();
  return PMPI_Comm_create_keyval(hand_over, forget_communicator, &communicator_keyval, NULL) == MPI_SUCCESS &&
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
  uint32_t barren;  /* one of them has no ids for what is made of it */
};

static void combine_registrations(void *value, const void *other) {
  struct registration *all = value;
  const struct registration *one = other;
  all->context |= one->context;
  all->fails |= one->fails;
  all->barren |= one->barren;
}

/* Collective over all members, of a communicator whose collectives may go by leaders: each must have it registered, and
 * know where the members are. */
static void agree_on_nodes(MPI_Comm comm, struct communicator *communicator) {
  struct nodes *nodes = NULL;
  struct registration agreed = {0};
  struct circle circle = {.comm = comm};
  if (!nodes_find(comm, &nodes))
    return;
  PMPI_Comm_size(comm, &circle.count);
  PMPI_Comm_rank(comm, &circle.place);
  agreed.fails = !communicator || !nodes;
  agreed.barren = !communicator || communicator->child_contexts.count == 0;
  agree(&circle, &agreed, sizeof agreed, combine_registrations);
  if (!agreed.fails && communicator)
    communicator->nodes = nodes;
  else
    free(nodes);
  if (agreed.barren && communicator)
    communicator->child_contexts.count = 0;
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
  struct registration agreed = {place == 0 ? segment_new_context(mpishm.first_segment) : 0, !stored, 0};
  agree(&(struct circle){comm, members, count, place}, &agreed, sizeof agreed, combine_registrations);
  bool registered = stored && agreed.context != 0 && !agreed.fails;
  if (registered)
    set_context(communicator, agreed.context);
  else if (stored)
    PMPI_Comm_delete_attr(comm, communicator_keyval); /* forgets it */
  agree_on_nodes(comm, registered ? communicator : NULL);
}

/* ---- MPI_Comm_idup: no member may wait for another. So what they have to agree on they know beforehand: the ids of
 * the communicators that are made of one so, which calls are in the same order on all its members, lie one after the
 * other; members and nodes are the same as its own. ---- */

static bool has_child_contexts(struct child_contexts *of) {
  if (of->share == 0)
    of->share = 1u << (31 - __builtin_clz(of->count | 1)) / 3;
  return of->count >= of->share;
}

/* The next of them, and those for what is made of that one. */
static void take_child_contexts(struct child_contexts *from, struct communicator *child) {
  child->context = from->first;
  child->child_contexts = (struct child_contexts){from->first + 2, from->share - 1, 0};
  from->first += 2 * from->share;
  from->count -= from->share;
}

/* The call has failed, and may be made again; unless another was made meanwhile, in a function of the program's that
 * copies an attribute. */
static void give_child_contexts_back(struct child_contexts *to, uint32_t context) {
  if (to->first != context + 2 * to->share)
    return;
  to->first = context;
  to->count += to->share;
}

static bool copy_nodes(struct communicator *child, const struct communicator *parent) {
  size_t bytes = sizeof(struct nodes) + sizeof(int) * (size_t)parent->size;
  child->nodes = parent->nodes ? malloc(bytes) : NULL;
  if (child->nodes)
    memcpy(child->nodes, parent->nodes, bytes);
  return child->nodes || !parent->nodes;
}

/* With the mutex. NULL: there is no memory. */
static struct communicator *describe_child(const struct communicator *parent) {
  struct communicator *child = new_record(parent->rank, parent->size, parent->local_count);
  if (!child)
    return NULL;
  memcpy(child->node_rank, parent->node_rank, sizeof(int) * (size_t)parent->size);
  memcpy(child->local, parent->local, sizeof(int) * (size_t)parent->local_count);
  child->local_count = parent->local_count;
  child->made_of = parent;
  if (!copy_nodes(child, parent)) {
    communicator_free(child);
    return NULL;
  }
  child = finish_record(child);
  if (child && handle_set(&communicators, key_of(child), child))
    return child;
  if (child)
    communicator_free(child);
  return NULL;
}

bool communicator_begin_child(MPI_Comm comm, struct communicator **child) {
  *child = NULL;
  runtime_lock();
  struct communicator *parent = handles_come_at_once ? communicator_find(comm) : NULL;
  bool registered = parent && has_child_contexts(&parent->child_contexts);
  if (registered && (*child = describe_child(parent)))
    take_child_contexts(&parent->child_contexts, *child);
  runtime_unlock();
  return !registered || *child;
}

void communicator_end_child(MPI_Comm comm, struct communicator *child, uint32_t context, bool handed_over,
                            MPI_Comm made) {
  bool is_made = made != MPI_COMM_NULL;
  runtime_lock();
  struct communicator *parent = communicator_find(comm);
  if (!is_made && parent)
    give_child_contexts_back(&parent->child_contexts, context);
  if (is_made || !handed_over) { /* else MPI has deleted what it had copied */
    handle_remove(&communicators, key_of(child));
    child->made_of = NULL;
    child->handle = made;
  }
  if (is_made && handed_over)
    handle_set(&communicators, key_of(child), child); /* there is room: the place that was kept */
  else if (!handed_over)
    communicator_release(child);
  runtime_unlock();
}

struct communicator *communicator_look_up(MPI_Comm comm) {
  struct communicator *communicator = mpishm.active ? handle_find(&communicators, HANDLE_KEY(comm)) : NULL;
  if (communicator)
    remember(comm, communicator);
  return communicator;
}
