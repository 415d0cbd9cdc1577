/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Communicators that are made of registered ones: registered as well, since their members may be rewritten code.
 */
#include "net/serving.h"

/* Whether what is made of this communicator is to be registered; not a second time within MPISHM_Comm_dup and
 * relatives. */
static bool net_makes(MPI_Comm comm) { return !communicator_is_being_made() && net_has(comm); }

NET int MPI_Comm_dup(MPI_Comm comm, MPI_Comm *newcomm) {
  return net_makes(comm) ? MPISHM_Comm_dup(comm, newcomm) : mpi_next.Comm_dup(comm, newcomm);
}

NET int MPI_Comm_dup_with_info(MPI_Comm comm, MPI_Info info, MPI_Comm *newcomm) {
  return net_makes(comm) ? MPISHM_Comm_dup_with_info(comm, info, newcomm)
                         : mpi_next.Comm_dup_with_info(comm, info, newcomm);
}

NET int MPI_Comm_idup(MPI_Comm comm, MPI_Comm *newcomm, MPI_Request *request) {
  return net_makes(comm) ? MPISHM_Comm_idup(comm, newcomm, request) : mpi_next.Comm_idup(comm, newcomm, request);
}

#ifdef MPISHM_HAVE_IDUP_WITH_INFO
NET int MPI_Comm_idup_with_info(MPI_Comm comm, MPI_Info info, MPI_Comm *newcomm, MPI_Request *request) {
  return net_makes(comm) ? MPISHM_Comm_idup_with_info(comm, info, newcomm, request)
                         : mpi_next.Comm_idup_with_info(comm, info, newcomm, request);
}
#endif

NET int MPI_Comm_split(MPI_Comm comm, int color, int key, MPI_Comm *newcomm) {
  return net_makes(comm) ? MPISHM_Comm_split(comm, color, key, newcomm)
                         : mpi_next.Comm_split(comm, color, key, newcomm);
}

NET int MPI_Comm_split_type(MPI_Comm comm, int split_type, int key, MPI_Info info, MPI_Comm *newcomm) {
  return net_makes(comm) ? MPISHM_Comm_split_type(comm, split_type, key, info, newcomm)
                         : mpi_next.Comm_split_type(comm, split_type, key, info, newcomm);
}

NET int MPI_Comm_create(MPI_Comm comm, MPI_Group group, MPI_Comm *newcomm) {
  return net_makes(comm) ? MPISHM_Comm_create(comm, group, newcomm) : mpi_next.Comm_create(comm, group, newcomm);
}

NET int MPI_Comm_create_group(MPI_Comm comm, MPI_Group group, int tag, MPI_Comm *newcomm) {
  return net_makes(comm) ? MPISHM_Comm_create_group(comm, group, tag, newcomm)
                         : mpi_next.Comm_create_group(comm, group, tag, newcomm);
}

NET int MPI_Cart_create(MPI_Comm comm, int ndims, const int dims[], const int periods[], int reorder,
                        MPI_Comm *newcomm) {
  return net_makes(comm) ? MPISHM_Cart_create(comm, ndims, dims, periods, reorder, newcomm)
                         : mpi_next.Cart_create(comm, ndims, dims, periods, reorder, newcomm);
}

NET int MPI_Cart_sub(MPI_Comm comm, const int remain_dims[], MPI_Comm *newcomm) {
  return net_makes(comm) ? MPISHM_Cart_sub(comm, remain_dims, newcomm) : mpi_next.Cart_sub(comm, remain_dims, newcomm);
}

NET int MPI_Graph_create(MPI_Comm comm, int nnodes, const int index[], const int edges[], int reorder,
                         MPI_Comm *newcomm) {
  return net_makes(comm) ? MPISHM_Graph_create(comm, nnodes, index, edges, reorder, newcomm)
                         : mpi_next.Graph_create(comm, nnodes, index, edges, reorder, newcomm);
}

NET int MPI_Dist_graph_create(MPI_Comm comm, int n, const int sources[], const int degrees[], const int destinations[],
                              const int weights[], MPI_Info info, int reorder, MPI_Comm *newcomm) {
  return net_makes(comm)
             ? MPISHM_Dist_graph_create(comm, n, sources, degrees, destinations, weights, info, reorder, newcomm)
             : mpi_next.Dist_graph_create(comm, n, sources, degrees, destinations, weights, info, reorder, newcomm);
}

NET int MPI_Dist_graph_create_adjacent(MPI_Comm comm, int indegree, const int sources[], const int sourceweights[],
                                       int outdegree, const int destinations[], const int destweights[], MPI_Info info,
                                       int reorder, MPI_Comm *newcomm) {
  return net_makes(comm) ? MPISHM_Dist_graph_create_adjacent(comm, indegree, sources, sourceweights, outdegree,
                                                             destinations, destweights, info, reorder, newcomm)
                         : mpi_next.Dist_graph_create_adjacent(comm, indegree, sources, sourceweights, outdegree,
                                                               destinations, destweights, info, reorder, newcomm);
}

MPISHM_MAKERS(OWN)
