/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Registered communicators: an id that all members agree on, and who of them is on this node.
 */
#include "runtime.h"

enum { CONTEXT_WORLD = 1, CONTEXT_SELF = 2, FIRST_CONTEXT = 3 };

static struct handle_table communicators;
static uint32_t next_context = FIRST_CONTEXT;
static int communicator_keyval = MPI_KEYVAL_INVALID;
struct communicator_memo last_communicator;

/* MPI frees the communicator. Operations in flight keep our record (MPI 3.1, 6.4.3: they complete normally). */
static int forget_communicator(MPI_Comm comm, int key, void *value, void *extra) {
  (void)key, (void)extra;
  struct communicator *communicator = value;
  runtime_lock();
  handle_remove(&communicators, HANDLE_KEY(comm));
  last_communicator.communicator = NULL;
  communicator->handle = MPI_COMM_NULL;
  communicator_release(communicator);
  runtime_unlock();
  return MPI_SUCCESS;
}

void communicator_free(struct communicator *communicator) {
  free(communicator->node_rank);
  free(communicator->local);
  free(communicator);
}

/* False for members of another MPI_COMM_WORLD (spawned or connected): they may run a program that does not register. */
static bool translate(MPI_Comm comm, int size, int *node_rank, bool *all_in_world) {
  int *ranks = calloc(2 * (size_t)size, sizeof(int));
  if (!ranks)
    return false;
  MPI_Group group;
  for (int i = 0; i < size; i++)
    ranks[i] = i;
  PMPI_Comm_group(comm, &group);
  PMPI_Group_translate_ranks(group, size, ranks, mpishm.world_group, ranks + size);
  *all_in_world = true;
  for (int i = 0; i < size; i++)
    *all_in_world = *all_in_world && ranks[size + i] != MPI_UNDEFINED;
  PMPI_Group_translate_ranks(group, size, ranks, mpishm.node_group, node_rank);
  for (int i = 0; i < size; i++)
    if (node_rank[i] == MPI_UNDEFINED)
      node_rank[i] = -1;
  PMPI_Group_free(&group);
  free(ranks);
  return true;
}

/* Which of the ranks are here. */
static bool list_local(struct communicator *communicator) {
  for (int i = 0; i < communicator->size; i++)
    communicator->local_count += communicator->node_rank[i] >= 0;
  communicator->local = malloc(sizeof(int) * (size_t)(communicator->local_count + 1));
  for (int i = 0, at = 0; communicator->local && i < communicator->size; i++)
    if (communicator->node_rank[i] >= 0)
      communicator->local[at++] = i;
  return communicator->local != NULL;
}

static struct communicator *describe(MPI_Comm comm, bool *all_in_world) {
  struct communicator *communicator = calloc(1, sizeof *communicator);
  *all_in_world = false;
  if (!communicator)
    return NULL;
  communicator->handle = comm;
  communicator->references = 1;
  communicator->waiting_tail = &communicator->waiting;
  PMPI_Comm_rank(comm, &communicator->rank);
  PMPI_Comm_size(comm, &communicator->size);
  communicator->node_rank = malloc(sizeof(int) * (size_t)communicator->size);
  if (communicator->node_rank && translate(comm, communicator->size, communicator->node_rank, all_in_world) &&
      list_local(communicator))
    return communicator;
  communicator_release(communicator);
  return NULL;
}

static bool store(struct communicator *communicator) {
  return communicator && handle_set(&communicators, HANDLE_KEY(communicator->handle), communicator) &&
         PMPI_Comm_set_attr(communicator->handle, communicator_keyval, communicator) == MPI_SUCCESS;
}

bool communicators_init(void) {
  bool in_world;
  if (PMPI_Comm_create_keyval(MPI_COMM_NULL_COPY_FN, forget_communicator, &communicator_keyval, NULL) != MPI_SUCCESS)
    return false;
  struct communicator *world = describe(MPI_COMM_WORLD, &in_world), *self = describe(MPI_COMM_SELF, &in_world);
  if (!store(world) || !store(self))
    return false;
  world->context = CONTEXT_WORLD;
  self->context = CONTEXT_SELF;
  return true;
}

void communicators_destroy(void) {
  handle_table_destroy(&communicators);
  last_communicator.communicator = NULL;
}

/* The maximum of `value` over all members: dissemination (Hensgen, Finkel, Manber 1988), which may count a value twice
 * and so suits a maximum. Not MPI_Allreduce, since a first collective makes some libraries set the communicator up for
 * collectives that the program may never call: Open MPI 5 makes two more communicators, and keeps 1.4 KiB of them for
 * ever. Nobody else has messages on a new communicator; what members send once they are through cannot overtake. */
static void agree_on_maximum(MPI_Comm comm, uint32_t value[2]) {
  int rank, size;
  PMPI_Comm_rank(comm, &rank);
  PMPI_Comm_size(comm, &size);
  for (int64_t distance = 1; distance < size; distance *= 2) {
    uint32_t other[2] = {0, 0};
    int to = (int)((rank + distance) % size), from = (int)((rank - distance + size) % size);
    PMPI_Sendrecv(value, 2, MPI_UINT32_T, to, 0, other, 2, MPI_UINT32_T, from, 0, comm, MPI_STATUS_IGNORE);
    for (int i = 0; i < 2; i++)
      value[i] = other[i] > value[i] ? other[i] : value[i];
  }
}

/* Two ranks that share two communicators must not see one id for both: the id agreed for a new one is above every id
 * that any member has used. */
void communicator_register(MPI_Comm comm) {
  int inter = 0;
  bool in_world;
  if (!mpishm.registers || comm == MPI_COMM_NULL)
    return;
  PMPI_Comm_test_inter(comm, &inter);
  if (inter)
    return;
  struct communicator *communicator = describe(comm, &in_world);
  if (communicator && !in_world) {
    communicator_release(communicator);
    return;
  }
  runtime_lock();
  bool stored = communicator && mpishm.active && store(communicator);
  runtime_unlock();
  if (!stored && communicator) {
    communicator_release(communicator);
    communicator = NULL;
  }
  /* A rank on a node without a window takes part and makes no use of it. One without memory makes all members of the
   * communicator go through MPI, since its neighbours could not know. */
  uint32_t agreed[2] = {next_context, mpishm.active && !stored};
  agree_on_maximum(comm, agreed);
  next_context = agreed[0] + 1;
  if (!communicator)
    return;
  communicator->context = agreed[0];
  if (agreed[1])
    PMPI_Comm_delete_attr(comm, communicator_keyval); /* forgets it */
}

struct communicator *communicator_look_up(MPI_Comm comm) {
  struct communicator *communicator = mpishm.active ? handle_find(&communicators, HANDLE_KEY(comm)) : NULL;
  if (communicator)
    last_communicator = (struct communicator_memo){comm, communicator};
  return communicator;
}

enum path route_reason(int peer, MPI_Comm comm) {
  if (peer == MPI_PROC_NULL)
    return PATH_NONE;
  if (!mpishm.active)
    return mpishm.registers ? PATH_MPI_NO_WINDOW : PATH_MPI_DISABLED;
  return communicator_find(comm) ? PATH_MPI_OTHER_NODE : PATH_MPI_UNREGISTERED;
}

struct special_route route_special(const struct communicator *communicator, MPI_Count count, MPI_Datatype datatype,
                                   int peer, int tag, bool receive) {
  const struct special_route mpi = {ROUTE_MPI, NULL}, invalid = {ROUTE_INVALID, NULL};
  if (!communicator) {
    if (!mpishm.attached)
      warn_once(WARN_NOT_ATTACHED, "the program did not call MPISHM_Init or MPISHM_Attach; messages go through MPI");
    return mpi;
  }
  if (peer == MPI_PROC_NULL)
    return mpi;
  bool any_source = receive && peer == MPI_ANY_SOURCE, any_tag = receive && tag == MPI_ANY_TAG;
  bool peer_fits = any_source || (peer >= 0 && peer < communicator->size);
  bool tag_fits = any_tag || (tag >= 0 && tag <= mpishm.tag_ub);
  if (!peer_fits || !tag_fits || count < 0)
    return invalid;
  if (!any_source && communicator->node_rank[peer] < 0)
    return mpi;
  struct layout *layout = layout_find(datatype);
  return layout ? (struct special_route){ROUTE_NODE, layout} : invalid;
}
