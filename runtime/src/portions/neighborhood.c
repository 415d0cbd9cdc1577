/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "portions/neighborhood.h"

#include <stdlib.h>

/* With room for both lists behind it. */
static struct neighborhood *make_neighborhood(int source_count, int destination_count) {
  size_t count = (size_t)source_count + (size_t)destination_count;
  struct neighborhood *neighborhood = calloc(1, sizeof *neighborhood + count * sizeof *neighborhood->sources);
  if (!neighborhood)
    return NULL;
  neighborhood->source_count = (unsigned)source_count;
  neighborhood->destination_count = (unsigned)destination_count;
  neighborhood->sources = (unsigned *)(neighborhood + 1);
  neighborhood->destinations = neighborhood->sources + source_count;
  return neighborhood;
}

/* In each dimension the one before and the one after. */
static struct neighborhood *cartesian(MPI_Comm comm) {
  int dimensions = 0;
  PMPI_Cartdim_get(comm, &dimensions);
  struct neighborhood *neighborhood = make_neighborhood(2 * dimensions, 2 * dimensions);
  for (int i = 0; neighborhood && i < dimensions; i++) {
    const size_t k = 2 * (size_t)i;
    int before = MPI_PROC_NULL, after = MPI_PROC_NULL;
    PMPI_Cart_shift(comm, i, 1, &before, &after);
    neighborhood->sources[k] = neighborhood->destinations[k] = member_of_rank(before);
    neighborhood->sources[k + 1] = neighborhood->destinations[k + 1] = member_of_rank(after);
  }
  return neighborhood;
}

static struct neighborhood *of_graph(MPI_Comm comm, int rank) {
  int count = 0;
  PMPI_Graph_neighbors_count(comm, rank, &count);
  struct neighborhood *neighborhood = make_neighborhood(count, count);
  int ranks[count + 1];
  PMPI_Graph_neighbors(comm, rank, count, ranks);
  for (int i = 0; neighborhood && i < count; i++)
    neighborhood->sources[i] = neighborhood->destinations[i] = member_of_rank(ranks[i]);
  return neighborhood;
}

static struct neighborhood *of_distributed_graph(MPI_Comm comm) {
  int sources = 0, destinations = 0, weighted;
  PMPI_Dist_graph_neighbors_count(comm, &sources, &destinations, &weighted);
  struct neighborhood *neighborhood = make_neighborhood(sources, destinations);
  int from[sources + 1], to[destinations + 1], weights[sources + 1], to_weights[destinations + 1];
  PMPI_Dist_graph_neighbors(comm, sources, from, weighted ? weights : MPI_UNWEIGHTED, destinations, to,
                            weighted ? to_weights : MPI_UNWEIGHTED);
  for (int i = 0; neighborhood && i < sources; i++)
    neighborhood->sources[i] = member_of_rank(from[i]);
  for (int i = 0; neighborhood && i < destinations; i++)
    neighborhood->destinations[i] = member_of_rank(to[i]);
  return neighborhood;
}

static struct neighborhood *read_topology(const struct communicator *communicator) {
  int topology = MPI_UNDEFINED;
  PMPI_Topo_test(communicator->handle, &topology);
  switch (topology) {
  case MPI_CART:
    return cartesian(communicator->handle);
  case MPI_GRAPH:
    return of_graph(communicator->handle, communicator->rank);
  case MPI_DIST_GRAPH:
    return of_distributed_graph(communicator->handle);
  default:
    return NULL;
  }
}

static bool has_twice(const unsigned members[], unsigned count) {
  for (unsigned i = 0; i < count; i++)
    for (unsigned k = 0; k < i; k++)
      if (members[i] != NOBODY && members[i] == members[k])
        return true;
  return false;
}

COLD static void find_neighborhood(struct communicator *communicator) {
  struct neighborhood *found = read_topology(communicator);
  bool by_mpi = !found || communicator->seat.members > most_parts(communicator) ||
                has_twice(found->sources, found->source_count) ||
                has_twice(found->destinations, found->destination_count);
  if (collective_agree(communicator, by_mpi)) {
    free(found);
    found = NULL;
  }
  communicator->neighborhood = found;
  communicator->knows_neighborhood = true;
}

const struct neighborhood *neighborhood_of(struct communicator *communicator) {
  if (UNLIKELY(!communicator->knows_neighborhood))
    find_neighborhood(communicator);
  return communicator->neighborhood;
}
