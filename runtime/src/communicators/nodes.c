/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "communicators/nodes.h"
#include "communicators/communicators.h"
#include "next/next.h"
#include "node/agreement.h"

#include <stdlib.h>

/* Per rank of MPI_COMM_WORLD: the rank that is the first of its node. NULL: not known, on all ranks. */
static int *first_of_node;
static MPI_Group world_group = MPI_GROUP_NULL;
static struct nodes *of_world; /* not in use yet: that MPI_COMM_WORLD has some must not fail on one rank alone */

static struct nodes *allocate_nodes(int size) { return malloc(sizeof(struct nodes) + sizeof(int) * (size_t)size); }

bool nodes_prepare(void) {
  int size;
  PMPI_Comm_size(MPI_COMM_WORLD, &size);
  first_of_node = malloc(sizeof(int) * (size_t)size);
  of_world = allocate_nodes(size);
  return first_of_node && of_world;
}

void nodes_destroy(void) {
  free(first_of_node);
  free(of_world);
  first_of_node = NULL;
  of_world = NULL;
  if (world_group != MPI_GROUP_NULL)
    PMPI_Group_free(&world_group);
}

/* The rank in MPI_COMM_WORLD of this node's first one; -1: its ranks do not take part. */
static int own_first(void) {
  int first = 0, rank = -1;
  if (mpishm.active)
    PMPI_Group_translate_ranks(mpishm.node_group, 1, &first, world_group, &rank);
  return rank;
}

bool nodes_init(void) {
  int size, mine;
  bool known = true;
  MPI_Request request;
  PMPI_Comm_size(MPI_COMM_WORLD, &size);
  if (size == mpishm.node_size) { /* the only node */
    nodes_destroy();
    return false;
  }
  PMPI_Comm_group(MPI_COMM_WORLD, &world_group);
  mine = own_first();
  mpi_own.Iallgather(&mine, 1, MPI_INT, first_of_node, 1, MPI_INT, MPI_COMM_WORLD, &request);
  wait_yielding(&request);
  for (int i = 0; i < size; i++)
    known &= first_of_node[i] >= 0;
  if (!known)
    nodes_destroy();
  return known;
}

/* What a communicator's members are in MPI_COMM_WORLD. False: one is not of it. */
static bool find_world_ranks(MPI_Comm comm, int size, int ranks[]) {
  int members[size];
  MPI_Group group;
  for (int i = 0; i < size; i++)
    members[i] = i;
  PMPI_Comm_group(comm, &group);
  PMPI_Group_translate_ranks(group, size, members, world_group, ranks);
  PMPI_Group_free(&group);
  for (int i = 0; i < size; i++)
    if (ranks[i] == MPI_UNDEFINED)
      return false;
  return true;
}

/* In place of ranks of MPI_COMM_WORLD the numbers of their nodes. */
static void number_nodes_of(int size, int of[], struct nodes *shape) {
  int firsts[size], members[size];
  *shape = (struct nodes){.least = size};
  for (int i = 0; i < size; i++) {
    int first = first_of_node[of[i]], node = 0;
    while (node < shape->count && firsts[node] != first)
      node++;
    if (node == shape->count) {
      firsts[shape->count] = first;
      members[shape->count++] = 0;
    }
    members[node]++;
    of[i] = node;
  }
  for (int node = 0; node < shape->count; node++) {
    shape->least = members[node] < shape->least ? members[node] : shape->least;
    shape->most = members[node] > shape->most ? members[node] : shape->most;
  }
}

bool nodes_find(MPI_Comm comm, struct nodes **nodes) {
  int size;
  struct nodes shape;
  PMPI_Comm_size(comm, &size);
  if (!first_of_node || size > MOST_MEMBERS_OF_NODES)
    return false;
  int of[size];
  if (!find_world_ranks(comm, size, of))
    return false;
  number_nodes_of(size, of, &shape);
  if (shape.count < 2 || shape.most < 2)
    return false;
  *nodes = of_world ? of_world : allocate_nodes(size);
  of_world = NULL;
  if (*nodes) {
    **nodes = shape;
    for (int i = 0; i < size; i++)
      (*nodes)->of[i] = of[i];
  }
  return true;
}
