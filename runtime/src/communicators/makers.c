/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Entry points: communicator constructors. MPI makes the communicator, the runtime registers it.
 */
#include "communicators/communicators.h"
#include "mpishm.h"
#include "next/next.h"

static int registered(int error, const MPI_Comm *newcomm) {
  if (error == MPI_SUCCESS)
    communicator_register(*newcomm);
  return error;
}

int MPISHM_Comm_dup(MPI_Comm comm, MPI_Comm *newcomm) { return registered(mpi_first.Comm_dup(comm, newcomm), newcomm); }

int MPISHM_Comm_dup_with_info(MPI_Comm comm, MPI_Info info, MPI_Comm *newcomm) {
  return registered(mpi_first.Comm_dup_with_info(comm, info, newcomm), newcomm);
}

int MPISHM_Comm_split(MPI_Comm comm, int color, int key, MPI_Comm *newcomm) {
  return registered(mpi_first.Comm_split(comm, color, key, newcomm), newcomm);
}

int MPISHM_Comm_split_type(MPI_Comm comm, int split_type, int key, MPI_Info info, MPI_Comm *newcomm) {
  return registered(mpi_first.Comm_split_type(comm, split_type, key, info, newcomm), newcomm);
}

int MPISHM_Comm_create(MPI_Comm comm, MPI_Group group, MPI_Comm *newcomm) {
  return registered(mpi_first.Comm_create(comm, group, newcomm), newcomm);
}

int MPISHM_Comm_create_group(MPI_Comm comm, MPI_Group group, int tag, MPI_Comm *newcomm) {
  return registered(mpi_first.Comm_create_group(comm, group, tag, newcomm), newcomm);
}

int MPISHM_Cart_create(MPI_Comm comm, int ndims, const int dims[], const int periods[], int reorder,
                       MPI_Comm *newcomm) {
  return registered(mpi_first.Cart_create(comm, ndims, dims, periods, reorder, newcomm), newcomm);
}

int MPISHM_Cart_sub(MPI_Comm comm, const int remain_dims[], MPI_Comm *newcomm) {
  return registered(mpi_first.Cart_sub(comm, remain_dims, newcomm), newcomm);
}

int MPISHM_Graph_create(MPI_Comm comm, int nnodes, const int index[], const int edges[], int reorder,
                        MPI_Comm *newcomm) {
  return registered(mpi_first.Graph_create(comm, nnodes, index, edges, reorder, newcomm), newcomm);
}

int MPISHM_Dist_graph_create(MPI_Comm comm, int n, const int sources[], const int degrees[], const int destinations[],
                             const int weights[], MPI_Info info, int reorder, MPI_Comm *newcomm) {
  return registered(
      mpi_first.Dist_graph_create(comm, n, sources, degrees, destinations, weights, info, reorder, newcomm), newcomm);
}

int MPISHM_Dist_graph_create_adjacent(MPI_Comm comm, int indegree, const int sources[], const int sourceweights[],
                                      int outdegree, const int destinations[], const int destweights[], MPI_Info info,
                                      int reorder, MPI_Comm *newcomm) {
  return registered(mpi_first.Dist_graph_create_adjacent(comm, indegree, sources, sourceweights, outdegree,
                                                         destinations, destweights, info, reorder, newcomm),
                    newcomm);
}
