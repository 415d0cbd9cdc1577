/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Which communicators of different ranks are the same one. No message is needed to agree on that: all ranks of a
 * communicator make others of it in the same order, so that its id, how many have been made of it and the members tell.
 */
#include "recorder.h"

#include <stdlib.h>

static struct comm *known;

static uint64_t mix(uint64_t hash, uint64_t number) {
  for (int byte = 0; byte < 8; byte++)
    hash = (hash ^ (number >> 8 * byte & 255)) * 1099511628211ull;
  return hash;
}

/* Large, since mix makes nothing of small numbers. */
static const uint64_t start = 14695981039346656037ull;
static const uint64_t of_world = 0x9e3779b97f4a7c15ull, of_self = 0xbf58476d1ce4e5b9ull;

/* How often this was asked before with that key. */
static unsigned count_of(uint64_t key) {
  static struct counter {
    uint64_t key;
    unsigned count;
    struct counter *next;
  } *counters;
  struct counter **at = &counters;
  while (*at && (*at)->key != key)
    at = &(*at)->next;
  if (!*at) {
    *at = calloc(1, sizeof **at);
    (*at)->key = key;
  }
  return (*at)->count++;
}

/* The members of a group by their ranks in MPI_COMM_WORLD; the caller frees them. */
static int *world_ranks(MPI_Group group, int *size) {
  MPI_Group world;
  int *from, *to;
  PMPI_Group_size(group, size);
  from = malloc(sizeof *from * (size_t)(*size + 1));
  to = malloc(sizeof *to * (size_t)(*size + 1));
  for (int rank = 0; rank < *size; rank++)
    from[rank] = rank;
  PMPI_Comm_group(MPI_COMM_WORLD, &world);
  PMPI_Group_translate_ranks(group, *size, from, world, to);
  PMPI_Group_free(&world);
  free(from);
  return to;
}

/* Of both groups of an intercommunicator, in any order: members are added up, each one scattered first. */
static uint64_t hash_members(const int *ranks, int size) {
  uint64_t sum = 0;
  for (int i = 0; i < size; i++)
    sum += mix(start, (uint64_t)ranks[i]);
  return sum;
}

static struct comm *add(MPI_Comm handle, uint64_t id, int *world, int size) {
  struct comm *comm = malloc(sizeof *comm);
  *comm = (struct comm){.handle = handle, .id = id, .size = size, .world = world, .uses = 1, .next = known};
  return known = comm;
}

void comms_begin(void) {
  MPI_Comm handles[] = {MPI_COMM_WORLD, MPI_COMM_SELF};
  for (int i = 0; i < 2; i++) {
    MPI_Group group;
    int size, *world;
    PMPI_Comm_group(handles[i], &group);
    world = world_ranks(group, &size);
    PMPI_Group_free(&group);
    add(handles[i], i ? mix(of_self, (uint64_t)world[0]) : of_world, world, size); /* each rank has its own self */
  }
}

struct comm *comm_find(MPI_Comm handle) {
  struct comm *comm = known;
  while (comm && comm->handle != handle)
    comm = comm->next;
  return comm;
}

struct comm *comm_hold(struct comm *comm) {
  if (comm)
    comm->uses++;
  return comm;
}

void comm_release(struct comm *comm) {
  if (comm && !--comm->uses) {
    free(comm->world);
    free(comm);
  }
}

static void forget(MPI_Comm handle) {
  for (struct comm **at = &known; *at; at = &(*at)->next)
    if ((*at)->handle == handle) {
      struct comm *gone = *at;
      *at = gone->next;
      comm_release(gone);
      return;
    }
}

/* Adds a communicator that was made by the call that has this key. Apart: which of several calls at the same time it
 * was is known by the members alone. */
static uint64_t add_made(MPI_Comm made, uint64_t key, bool apart) {
  MPI_Group group;
  int is_inter, size, *world;
  uint64_t members;
  PMPI_Comm_group(made, &group);
  world = world_ranks(group, &size);
  PMPI_Group_free(&group);
  members = hash_members(world, size);
  PMPI_Comm_test_inter(made, &is_inter);
  if (is_inter) {
    free(world);
    PMPI_Comm_remote_group(made, &group);
    world = world_ranks(group, &size);
    PMPI_Group_free(&group);
    members += hash_members(world, size);
  }
  key = mix(key, members);
  if (apart)
    key = mix(key, count_of(key));
  add(made, key, world, size);
  return key;
}

/* The key of a call that all ranks of `parent` make in the same order; 0: it is not known. */
static uint64_t collective_key(MPI_Comm parent) {
  struct comm *comm = comm_find(parent);
  return comm ? mix(comm->id, count_of(comm->id)) : 0;
}

static void made_of(int site, uint64_t key, int error, const MPI_Comm *made) {
  if (key)
    say("maker %d %llx", site, (unsigned long long)key);
  if (key && error == MPI_SUCCESS && *made != MPI_COMM_NULL)
    add_made(*made, key, false);
  unlock();
}

/* All ranks of `parent` make the call. Where it is collective all threads keep away from the communicator, so the lock
 * need not be held meanwhile. */
#define MAKER(function, parent, made, call)                                                                            \
  int error, site = enter(function, HERE);                                                                             \
  uint64_t key = collective_key(parent);                                                                               \
  unlock();                                                                                                            \
  error = call;                                                                                                        \
  lock();                                                                                                              \
  made_of(site, key, error, made);                                                                                     \
  return error

EXPORT int MPI_Comm_dup(MPI_Comm comm, MPI_Comm *made) { MAKER("MPI_Comm_dup", comm, made, PMPI_Comm_dup(comm, made)); }

EXPORT int MPI_Comm_dup_with_info(MPI_Comm comm, MPI_Info info, MPI_Comm *made) {
  MAKER("MPI_Comm_dup_with_info", comm, made, PMPI_Comm_dup_with_info(comm, info, made));
}

EXPORT int MPI_Comm_split(MPI_Comm comm, int color, int key_, MPI_Comm *made) {
  MAKER("MPI_Comm_split", comm, made, PMPI_Comm_split(comm, color, key_, made));
}

EXPORT int MPI_Comm_split_type(MPI_Comm comm, int type, int key_, MPI_Info info, MPI_Comm *made) {
  MAKER("MPI_Comm_split_type", comm, made, PMPI_Comm_split_type(comm, type, key_, info, made));
}

EXPORT int MPI_Comm_create(MPI_Comm comm, MPI_Group group, MPI_Comm *made) {
  MAKER("MPI_Comm_create", comm, made, PMPI_Comm_create(comm, group, made));
}

EXPORT int MPI_Cart_create(MPI_Comm comm, int dims, const int *size, const int *periods, int reorder, MPI_Comm *made) {
  MAKER("MPI_Cart_create", comm, made, PMPI_Cart_create(comm, dims, size, periods, reorder, made));
}

EXPORT int MPI_Cart_sub(MPI_Comm comm, const int *remain, MPI_Comm *made) {
  MAKER("MPI_Cart_sub", comm, made, PMPI_Cart_sub(comm, remain, made));
}

EXPORT int MPI_Graph_create(MPI_Comm comm, int nodes, const int *index, const int *edges, int reorder, MPI_Comm *made) {
  MAKER("MPI_Graph_create", comm, made, PMPI_Graph_create(comm, nodes, index, edges, reorder, made));
}

EXPORT int MPI_Dist_graph_create(MPI_Comm comm, int n, const int *sources, const int *degrees, const int *destinations,
                                 const int *weights, MPI_Info info, int reorder, MPI_Comm *made) {
  MAKER("MPI_Dist_graph_create", comm, made,
        PMPI_Dist_graph_create(comm, n, sources, degrees, destinations, weights, info, reorder, made));
}

EXPORT int MPI_Dist_graph_create_adjacent(MPI_Comm comm, int indegree, const int *sources, const int *source_weights,
                                          int outdegree, const int *destinations, const int *destination_weights,
                                          MPI_Info info, int reorder, MPI_Comm *made) {
  MAKER("MPI_Dist_graph_create_adjacent", comm, made,
        PMPI_Dist_graph_create_adjacent(comm, indegree, sources, source_weights, outdegree, destinations,
                                        destination_weights, info, reorder, made));
}

EXPORT int MPI_Intercomm_merge(MPI_Comm comm, int high, MPI_Comm *made) {
  MAKER("MPI_Intercomm_merge", comm, made, PMPI_Intercomm_merge(comm, high, made));
}

/* Calls that only the members of the new communicator make. */
static int made_apart(int site, uint64_t key, int error, const MPI_Comm *made) {
  lock();
  if (key && error == MPI_SUCCESS && *made != MPI_COMM_NULL)
    say("maker %d %llx", site, (unsigned long long)add_made(*made, key, true));
  unlock();
  return error;
}

EXPORT int MPI_Comm_create_group(MPI_Comm comm, MPI_Group group, int tag, MPI_Comm *made) {
  int site = enter("MPI_Comm_create_group", HERE);
  struct comm *parent = comm_find(comm);
  uint64_t key = parent ? mix(mix(parent->id, UINT64_MAX), (uint64_t)tag) : 0;
  unlock();
  return made_apart(site, key, PMPI_Comm_create_group(comm, group, tag, made), made);
}

EXPORT int MPI_Intercomm_create(MPI_Comm local, int local_leader, MPI_Comm peer, int remote_leader, int tag,
                                MPI_Comm *made) {
  int site = enter("MPI_Intercomm_create", HERE);
  uint64_t key = comm_find(local) ? mix(start, (uint64_t)tag) : 0;
  unlock();
  return made_apart(site, key, PMPI_Intercomm_create(local, local_leader, peer, remote_leader, tag, made), made);
}

struct idup {
  MPI_Comm *made;
  uint64_t key;
};

struct idup *idup_begin(int site, MPI_Comm parent, MPI_Comm *made) {
  struct idup *idup = malloc(sizeof *idup);
  *idup = (struct idup){made, collective_key(parent)};
  if (idup->key)
    say("maker %d %llx", site, (unsigned long long)idup->key);
  return idup;
}

void idup_end(struct idup *idup) {
  if (idup->key)
    add_made(*idup->made, idup->key, false);
  free(idup);
}

EXPORT int MPI_Comm_idup(MPI_Comm comm, MPI_Comm *made, MPI_Request *request) {
  int error, site = enter("MPI_Comm_idup", HERE);
  struct idup *idup = idup_begin(site, comm, made);
  error = PMPI_Comm_idup(comm, made, request);
  if (error == MPI_SUCCESS)
    request_idup(site, request, idup);
  unlock();
  return error;
}

EXPORT int MPI_Comm_free(MPI_Comm *comm) {
  lock();
  forget(*comm);
  unlock();
  return PMPI_Comm_free(comm);
}

EXPORT int MPI_Comm_disconnect(MPI_Comm *comm) {
  lock();
  forget(*comm);
  unlock();
  return PMPI_Comm_disconnect(comm);
}
