/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * What makes persistent collectives, for counted.h.
 */
NET int FORM(MPI_Bcast_init)(void *buffer, COUNT count, MPI_Datatype datatype, int root, MPI_Comm comm, MPI_Info info,
                             MPI_Request *request) {
  NET_SERVE(net_has_collectives(comm), CALL(BCAST_INIT), FORM(Bcast_init),
            (buffer, count, datatype, root, comm, info, request));
}

NET int FORM(MPI_Gather_init)(const void *sendbuf, COUNT sendcount, MPI_Datatype sendtype, void *recvbuf,
                              COUNT recvcount, MPI_Datatype recvtype, int root, MPI_Comm comm, MPI_Info info,
                              MPI_Request *request) {
  NET_SERVE(net_has_collectives(comm), CALL(GATHER_INIT), FORM(Gather_init),
            (sendbuf, sendcount, sendtype, recvbuf, recvcount, recvtype, root, comm, info, request));
}

NET int FORM(MPI_Gatherv_init)(const void *sendbuf, COUNT sendcount, MPI_Datatype sendtype, void *recvbuf,
                               const COUNT recvcounts[], const DISPLACEMENT displs[], MPI_Datatype recvtype, int root,
                               MPI_Comm comm, MPI_Info info, MPI_Request *request) {
  NET_SERVE(net_has_collectives(comm), CALL(GATHERV_INIT), FORM(Gatherv_init),
            (sendbuf, sendcount, sendtype, recvbuf, recvcounts, displs, recvtype, root, comm, info, request));
}

NET int FORM(MPI_Scatter_init)(const void *sendbuf, COUNT sendcount, MPI_Datatype sendtype, void *recvbuf,
                               COUNT recvcount, MPI_Datatype recvtype, int root, MPI_Comm comm, MPI_Info info,
                               MPI_Request *request) {
  NET_SERVE(net_has_collectives(comm), CALL(SCATTER_INIT), FORM(Scatter_init),
            (sendbuf, sendcount, sendtype, recvbuf, recvcount, recvtype, root, comm, info, request));
}

NET int FORM(MPI_Scatterv_init)(const void *sendbuf, const COUNT sendcounts[], const DISPLACEMENT displs[],
                                MPI_Datatype sendtype, void *recvbuf, COUNT recvcount, MPI_Datatype recvtype, int root,
                                MPI_Comm comm, MPI_Info info, MPI_Request *request) {
  NET_SERVE(net_has_collectives(comm), CALL(SCATTERV_INIT), FORM(Scatterv_init),
            (sendbuf, sendcounts, displs, sendtype, recvbuf, recvcount, recvtype, root, comm, info, request));
}

NET int FORM(MPI_Allgather_init)(const void *sendbuf, COUNT sendcount, MPI_Datatype sendtype, void *recvbuf,
                                 COUNT recvcount, MPI_Datatype recvtype, MPI_Comm comm, MPI_Info info,
                                 MPI_Request *request) {
  NET_SERVE(net_has_collectives(comm), CALL(ALLGATHER_INIT), FORM(Allgather_init),
            (sendbuf, sendcount, sendtype, recvbuf, recvcount, recvtype, comm, info, request));
}

NET int FORM(MPI_Allgatherv_init)(const void *sendbuf, COUNT sendcount, MPI_Datatype sendtype, void *recvbuf,
                                  const COUNT recvcounts[], const DISPLACEMENT displs[], MPI_Datatype recvtype,
                                  MPI_Comm comm, MPI_Info info, MPI_Request *request) {
  NET_SERVE(net_has_collectives(comm), CALL(ALLGATHERV_INIT), FORM(Allgatherv_init),
            (sendbuf, sendcount, sendtype, recvbuf, recvcounts, displs, recvtype, comm, info, request));
}

NET int FORM(MPI_Alltoall_init)(const void *sendbuf, COUNT sendcount, MPI_Datatype sendtype, void *recvbuf,
                                COUNT recvcount, MPI_Datatype recvtype, MPI_Comm comm, MPI_Info info,
                                MPI_Request *request) {
  NET_SERVE(net_has_collectives(comm), CALL(ALLTOALL_INIT), FORM(Alltoall_init),
            (sendbuf, sendcount, sendtype, recvbuf, recvcount, recvtype, comm, info, request));
}

NET int FORM(MPI_Alltoallv_init)(const void *sendbuf, const COUNT sendcounts[], const DISPLACEMENT sdispls[],
                                 MPI_Datatype sendtype, void *recvbuf, const COUNT recvcounts[],
                                 const DISPLACEMENT rdispls[], MPI_Datatype recvtype, MPI_Comm comm, MPI_Info info,
                                 MPI_Request *request) {
  NET_SERVE(net_has_collectives(comm), CALL(ALLTOALLV_INIT), FORM(Alltoallv_init),
            (sendbuf, sendcounts, sdispls, sendtype, recvbuf, recvcounts, rdispls, recvtype, comm, info, request));
}

NET int FORM(MPI_Alltoallw_init)(const void *sendbuf, const COUNT sendcounts[], const DISPLACEMENT sdispls[],
                                 const MPI_Datatype sendtypes[], void *recvbuf, const COUNT recvcounts[],
                                 const DISPLACEMENT rdispls[], const MPI_Datatype recvtypes[], MPI_Comm comm,
                                 MPI_Info info, MPI_Request *request) {
  NET_SERVE(net_has_collectives(comm), CALL(ALLTOALLW_INIT), FORM(Alltoallw_init),
            (sendbuf, sendcounts, sdispls, sendtypes, recvbuf, recvcounts, rdispls, recvtypes, comm, info, request));
}

NET int FORM(MPI_Allreduce_init)(const void *sendbuf, void *recvbuf, COUNT count, MPI_Datatype datatype, MPI_Op op,
                                 MPI_Comm comm, MPI_Info info, MPI_Request *request) {
  NET_SERVE(net_has_collectives(comm), CALL(ALLREDUCE_INIT), FORM(Allreduce_init),
            (sendbuf, recvbuf, count, datatype, op, comm, info, request));
}

NET int FORM(MPI_Reduce_init)(const void *sendbuf, void *recvbuf, COUNT count, MPI_Datatype datatype, MPI_Op op,
                              int root, MPI_Comm comm, MPI_Info info, MPI_Request *request) {
  NET_SERVE(net_has_collectives(comm), CALL(REDUCE_INIT), FORM(Reduce_init),
            (sendbuf, recvbuf, count, datatype, op, root, comm, info, request));
}

NET int FORM(MPI_Scan_init)(const void *sendbuf, void *recvbuf, COUNT count, MPI_Datatype datatype, MPI_Op op,
                            MPI_Comm comm, MPI_Info info, MPI_Request *request) {
  NET_SERVE(net_has_collectives(comm), CALL(SCAN_INIT), FORM(Scan_init),
            (sendbuf, recvbuf, count, datatype, op, comm, info, request));
}

NET int FORM(MPI_Exscan_init)(const void *sendbuf, void *recvbuf, COUNT count, MPI_Datatype datatype, MPI_Op op,
                              MPI_Comm comm, MPI_Info info, MPI_Request *request) {
  NET_SERVE(net_has_collectives(comm), CALL(EXSCAN_INIT), FORM(Exscan_init),
            (sendbuf, recvbuf, count, datatype, op, comm, info, request));
}

NET int FORM(MPI_Reduce_scatter_init)(const void *sendbuf, void *recvbuf, const COUNT recvcounts[],
                                      MPI_Datatype datatype, MPI_Op op, MPI_Comm comm, MPI_Info info,
                                      MPI_Request *request) {
  NET_SERVE(net_has_collectives(comm), CALL(REDUCE_SCATTER_INIT), FORM(Reduce_scatter_init),
            (sendbuf, recvbuf, recvcounts, datatype, op, comm, info, request));
}

NET int FORM(MPI_Reduce_scatter_block_init)(const void *sendbuf, void *recvbuf, COUNT recvcount, MPI_Datatype datatype,
                                            MPI_Op op, MPI_Comm comm, MPI_Info info, MPI_Request *request) {
  NET_SERVE(net_has_collectives(comm), CALL(REDUCE_SCATTER_BLOCK_INIT), FORM(Reduce_scatter_block_init),
            (sendbuf, recvbuf, recvcount, datatype, op, comm, info, request));
}

NET int FORM(MPI_Neighbor_allgather_init)(const void *sendbuf, COUNT sendcount, MPI_Datatype sendtype, void *recvbuf,
                                          COUNT recvcount, MPI_Datatype recvtype, MPI_Comm comm, MPI_Info info,
                                          MPI_Request *request) {
  NET_SERVE(net_has_collectives(comm), CALL(NEIGHBOR_ALLGATHER_INIT), FORM(Neighbor_allgather_init),
            (sendbuf, sendcount, sendtype, recvbuf, recvcount, recvtype, comm, info, request));
}

NET int FORM(MPI_Neighbor_allgatherv_init)(const void *sendbuf, COUNT sendcount, MPI_Datatype sendtype, void *recvbuf,
                                           const COUNT recvcounts[], const DISPLACEMENT displs[], MPI_Datatype recvtype,
                                           MPI_Comm comm, MPI_Info info, MPI_Request *request) {
  NET_SERVE(net_has_collectives(comm), CALL(NEIGHBOR_ALLGATHERV_INIT), FORM(Neighbor_allgatherv_init),
            (sendbuf, sendcount, sendtype, recvbuf, recvcounts, displs, recvtype, comm, info, request));
}

NET int FORM(MPI_Neighbor_alltoall_init)(const void *sendbuf, COUNT sendcount, MPI_Datatype sendtype, void *recvbuf,
                                         COUNT recvcount, MPI_Datatype recvtype, MPI_Comm comm, MPI_Info info,
                                         MPI_Request *request) {
  NET_SERVE(net_has_collectives(comm), CALL(NEIGHBOR_ALLTOALL_INIT), FORM(Neighbor_alltoall_init),
            (sendbuf, sendcount, sendtype, recvbuf, recvcount, recvtype, comm, info, request));
}

NET int FORM(MPI_Neighbor_alltoallv_init)(const void *sendbuf, const COUNT sendcounts[], const DISPLACEMENT sdispls[],
                                          MPI_Datatype sendtype, void *recvbuf, const COUNT recvcounts[],
                                          const DISPLACEMENT rdispls[], MPI_Datatype recvtype, MPI_Comm comm,
                                          MPI_Info info, MPI_Request *request) {
  NET_SERVE(net_has_collectives(comm), CALL(NEIGHBOR_ALLTOALLV_INIT), FORM(Neighbor_alltoallv_init),
            (sendbuf, sendcounts, sdispls, sendtype, recvbuf, recvcounts, rdispls, recvtype, comm, info, request));
}

NET int FORM(MPI_Neighbor_alltoallw_init)(const void *sendbuf, const COUNT sendcounts[], const MPI_Aint sdispls[],
                                          const MPI_Datatype sendtypes[], void *recvbuf, const COUNT recvcounts[],
                                          const MPI_Aint rdispls[], const MPI_Datatype recvtypes[], MPI_Comm comm,
                                          MPI_Info info, MPI_Request *request) {
  NET_SERVE(net_has_collectives(comm), CALL(NEIGHBOR_ALLTOALLW_INIT), FORM(Neighbor_alltoallw_init),
            (sendbuf, sendcounts, sdispls, sendtypes, recvbuf, recvcounts, rdispls, recvtypes, comm, info, request));
}
