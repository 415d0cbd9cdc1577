/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * The collectives, for counted.h.
 */
NET int FORM(MPI_Bcast)(void *buffer, COUNT count, MPI_Datatype datatype, int root, MPI_Comm comm) {
  NET_SERVE(net_has_collectives(comm), CALL(BCAST), FORM(Bcast), (buffer, count, datatype, root, comm));
}

NET int FORM(MPI_Allreduce)(const void *sendbuf, void *recvbuf, COUNT count, MPI_Datatype datatype, MPI_Op op,
                            MPI_Comm comm) {
  NET_SERVE(net_has_collectives(comm), CALL(ALLREDUCE), FORM(Allreduce), (sendbuf, recvbuf, count, datatype, op, comm));
}

NET int FORM(MPI_Reduce)(const void *sendbuf, void *recvbuf, COUNT count, MPI_Datatype datatype, MPI_Op op, int root,
                         MPI_Comm comm) {
  NET_SERVE(net_has_collectives(comm), CALL(REDUCE), FORM(Reduce), (sendbuf, recvbuf, count, datatype, op, root, comm));
}

NET int FORM(MPI_Alltoall)(const void *sendbuf, COUNT sendcount, MPI_Datatype sendtype, void *recvbuf, COUNT recvcount,
                           MPI_Datatype recvtype, MPI_Comm comm) {
  NET_SERVE(net_has_collectives(comm), CALL(ALLTOALL), FORM(Alltoall),
            (sendbuf, sendcount, sendtype, recvbuf, recvcount, recvtype, comm));
}

NET int FORM(MPI_Alltoallv)(const void *sendbuf, const COUNT sendcounts[], const DISPLACEMENT sdispls[],
                            MPI_Datatype sendtype, void *recvbuf, const COUNT recvcounts[],
                            const DISPLACEMENT rdispls[], MPI_Datatype recvtype, MPI_Comm comm) {
  NET_SERVE(net_has_collectives(comm), CALL(ALLTOALLV), FORM(Alltoallv),
            (sendbuf, sendcounts, sdispls, sendtype, recvbuf, recvcounts, rdispls, recvtype, comm));
}

NET int FORM(MPI_Alltoallw)(const void *sendbuf, const COUNT sendcounts[], const DISPLACEMENT sdispls[],
                            const MPI_Datatype sendtypes[], void *recvbuf, const COUNT recvcounts[],
                            const DISPLACEMENT rdispls[], const MPI_Datatype recvtypes[], MPI_Comm comm) {
  NET_SERVE(net_has_collectives(comm), CALL(ALLTOALLW), FORM(Alltoallw),
            (sendbuf, sendcounts, sdispls, sendtypes, recvbuf, recvcounts, rdispls, recvtypes, comm));
}

NET int FORM(MPI_Allgather)(const void *sendbuf, COUNT sendcount, MPI_Datatype sendtype, void *recvbuf, COUNT recvcount,
                            MPI_Datatype recvtype, MPI_Comm comm) {
  NET_SERVE(net_has_collectives(comm), CALL(ALLGATHER), FORM(Allgather),
            (sendbuf, sendcount, sendtype, recvbuf, recvcount, recvtype, comm));
}

NET int FORM(MPI_Allgatherv)(const void *sendbuf, COUNT sendcount, MPI_Datatype sendtype, void *recvbuf,
                             const COUNT recvcounts[], const DISPLACEMENT displs[], MPI_Datatype recvtype,
                             MPI_Comm comm) {
  NET_SERVE(net_has_collectives(comm), CALL(ALLGATHERV), FORM(Allgatherv),
            (sendbuf, sendcount, sendtype, recvbuf, recvcounts, displs, recvtype, comm));
}

NET int FORM(MPI_Gather)(const void *sendbuf, COUNT sendcount, MPI_Datatype sendtype, void *recvbuf, COUNT recvcount,
                         MPI_Datatype recvtype, int root, MPI_Comm comm) {
  NET_SERVE(net_has_collectives(comm), CALL(GATHER), FORM(Gather),
            (sendbuf, sendcount, sendtype, recvbuf, recvcount, recvtype, root, comm));
}

NET int FORM(MPI_Gatherv)(const void *sendbuf, COUNT sendcount, MPI_Datatype sendtype, void *recvbuf,
                          const COUNT recvcounts[], const DISPLACEMENT displs[], MPI_Datatype recvtype, int root,
                          MPI_Comm comm) {
  NET_SERVE(net_has_collectives(comm), CALL(GATHERV), FORM(Gatherv),
            (sendbuf, sendcount, sendtype, recvbuf, recvcounts, displs, recvtype, root, comm));
}

NET int FORM(MPI_Scatter)(const void *sendbuf, COUNT sendcount, MPI_Datatype sendtype, void *recvbuf, COUNT recvcount,
                          MPI_Datatype recvtype, int root, MPI_Comm comm) {
  NET_SERVE(net_has_collectives(comm), CALL(SCATTER), FORM(Scatter),
            (sendbuf, sendcount, sendtype, recvbuf, recvcount, recvtype, root, comm));
}

NET int FORM(MPI_Scatterv)(const void *sendbuf, const COUNT sendcounts[], const DISPLACEMENT displs[],
                           MPI_Datatype sendtype, void *recvbuf, COUNT recvcount, MPI_Datatype recvtype, int root,
                           MPI_Comm comm) {
  NET_SERVE(net_has_collectives(comm), CALL(SCATTERV), FORM(Scatterv),
            (sendbuf, sendcounts, displs, sendtype, recvbuf, recvcount, recvtype, root, comm));
}

NET int FORM(MPI_Scan)(const void *sendbuf, void *recvbuf, COUNT count, MPI_Datatype datatype, MPI_Op op,
                       MPI_Comm comm) {
  NET_SERVE(net_has_collectives(comm), CALL(SCAN), FORM(Scan), (sendbuf, recvbuf, count, datatype, op, comm));
}

NET int FORM(MPI_Exscan)(const void *sendbuf, void *recvbuf, COUNT count, MPI_Datatype datatype, MPI_Op op,
                         MPI_Comm comm) {
  NET_SERVE(net_has_collectives(comm), CALL(EXSCAN), FORM(Exscan), (sendbuf, recvbuf, count, datatype, op, comm));
}

NET int FORM(MPI_Reduce_scatter)(const void *sendbuf, void *recvbuf, const COUNT recvcounts[], MPI_Datatype datatype,
                                 MPI_Op op, MPI_Comm comm) {
  NET_SERVE(net_has_collectives(comm), CALL(REDUCE_SCATTER), FORM(Reduce_scatter),
            (sendbuf, recvbuf, recvcounts, datatype, op, comm));
}

NET int FORM(MPI_Reduce_scatter_block)(const void *sendbuf, void *recvbuf, COUNT recvcount, MPI_Datatype datatype,
                                       MPI_Op op, MPI_Comm comm) {
  NET_SERVE(net_has_collectives(comm), CALL(REDUCE_SCATTER_BLOCK), FORM(Reduce_scatter_block),
            (sendbuf, recvbuf, recvcount, datatype, op, comm));
}

NET int FORM(MPI_Neighbor_allgather)(const void *sendbuf, COUNT sendcount, MPI_Datatype sendtype, void *recvbuf,
                                     COUNT recvcount, MPI_Datatype recvtype, MPI_Comm comm) {
  NET_SERVE(net_has_collectives(comm), CALL(NEIGHBOR_ALLGATHER), FORM(Neighbor_allgather),
            (sendbuf, sendcount, sendtype, recvbuf, recvcount, recvtype, comm));
}

NET int FORM(MPI_Neighbor_allgatherv)(const void *sendbuf, COUNT sendcount, MPI_Datatype sendtype, void *recvbuf,
                                      const COUNT recvcounts[], const DISPLACEMENT displs[], MPI_Datatype recvtype,
                                      MPI_Comm comm) {
  NET_SERVE(net_has_collectives(comm), CALL(NEIGHBOR_ALLGATHERV), FORM(Neighbor_allgatherv),
            (sendbuf, sendcount, sendtype, recvbuf, recvcounts, displs, recvtype, comm));
}

NET int FORM(MPI_Neighbor_alltoall)(const void *sendbuf, COUNT sendcount, MPI_Datatype sendtype, void *recvbuf,
                                    COUNT recvcount, MPI_Datatype recvtype, MPI_Comm comm) {
  NET_SERVE(net_has_collectives(comm), CALL(NEIGHBOR_ALLTOALL), FORM(Neighbor_alltoall),
            (sendbuf, sendcount, sendtype, recvbuf, recvcount, recvtype, comm));
}

NET int FORM(MPI_Neighbor_alltoallv)(const void *sendbuf, const COUNT sendcounts[], const DISPLACEMENT sdispls[],
                                     MPI_Datatype sendtype, void *recvbuf, const COUNT recvcounts[],
                                     const DISPLACEMENT rdispls[], MPI_Datatype recvtype, MPI_Comm comm) {
  NET_SERVE(net_has_collectives(comm), CALL(NEIGHBOR_ALLTOALLV), FORM(Neighbor_alltoallv),
            (sendbuf, sendcounts, sdispls, sendtype, recvbuf, recvcounts, rdispls, recvtype, comm));
}

NET int FORM(MPI_Neighbor_alltoallw)(const void *sendbuf, const COUNT sendcounts[], const MPI_Aint sdispls[],
                                     const MPI_Datatype sendtypes[], void *recvbuf, const COUNT recvcounts[],
                                     const MPI_Aint rdispls[], const MPI_Datatype recvtypes[], MPI_Comm comm) {
  NET_SERVE(net_has_collectives(comm), CALL(NEIGHBOR_ALLTOALLW), FORM(Neighbor_alltoallw),
            (sendbuf, sendcounts, sdispls, sendtypes, recvbuf, recvcounts, rdispls, recvtypes, comm));
}
