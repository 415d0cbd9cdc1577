/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * The nonblocking collectives, for counted.h.
 */
NET int FORM(MPI_Ibcast)(void *buffer, COUNT count, MPI_Datatype datatype, int root, MPI_Comm comm,
                         MPI_Request *request) {
  NET_SERVE(net_has_collectives(comm), CALL(IBCAST), FORM(Ibcast), (buffer, count, datatype, root, comm, request));
}

NET int FORM(MPI_Igather)(const void *sendbuf, COUNT sendcount, MPI_Datatype sendtype, void *recvbuf, COUNT recvcount,
                          MPI_Datatype recvtype, int root, MPI_Comm comm, MPI_Request *request) {
  NET_SERVE(net_has_collectives(comm), CALL(IGATHER), FORM(Igather),
            (sendbuf, sendcount, sendtype, recvbuf, recvcount, recvtype, root, comm, request));
}

NET int FORM(MPI_Igatherv)(const void *sendbuf, COUNT sendcount, MPI_Datatype sendtype, void *recvbuf,
                           const COUNT recvcounts[], const DISPLACEMENT displs[], MPI_Datatype recvtype, int root,
                           MPI_Comm comm, MPI_Request *request) {
  NET_SERVE(net_has_collectives(comm), CALL(IGATHERV), FORM(Igatherv),
            (sendbuf, sendcount, sendtype, recvbuf, recvcounts, displs, recvtype, root, comm, request));
}

NET int FORM(MPI_Iscatter)(const void *sendbuf, COUNT sendcount, MPI_Datatype sendtype, void *recvbuf, COUNT recvcount,
                           MPI_Datatype recvtype, int root, MPI_Comm comm, MPI_Request *request) {
  NET_SERVE(net_has_collectives(comm), CALL(ISCATTER), FORM(Iscatter),
            (sendbuf, sendcount, sendtype, recvbuf, recvcount, recvtype, root, comm, request));
}

NET int FORM(MPI_Iscatterv)(const void *sendbuf, const COUNT sendcounts[], const DISPLACEMENT displs[],
                            MPI_Datatype sendtype, void *recvbuf, COUNT recvcount, MPI_Datatype recvtype, int root,
                            MPI_Comm comm, MPI_Request *request) {
  NET_SERVE(net_has_collectives(comm), CALL(ISCATTERV), FORM(Iscatterv),
            (sendbuf, sendcounts, displs, sendtype, recvbuf, recvcount, recvtype, root, comm, request));
}

NET int FORM(MPI_Iallgather)(const void *sendbuf, COUNT sendcount, MPI_Datatype sendtype, void *recvbuf,
                             COUNT recvcount, MPI_Datatype recvtype, MPI_Comm comm, MPI_Request *request) {
  NET_SERVE(net_has_collectives(comm), CALL(IALLGATHER), FORM(Iallgather),
            (sendbuf, sendcount, sendtype, recvbuf, recvcount, recvtype, comm, request));
}

NET int FORM(MPI_Iallgatherv)(const void *sendbuf, COUNT sendcount, MPI_Datatype sendtype, void *recvbuf,
                              const COUNT recvcounts[], const DISPLACEMENT displs[], MPI_Datatype recvtype,
                              MPI_Comm comm, MPI_Request *request) {
  NET_SERVE(net_has_collectives(comm), CALL(IALLGATHERV), FORM(Iallgatherv),
            (sendbuf, sendcount, sendtype, recvbuf, recvcounts, displs, recvtype, comm, request));
}

NET int FORM(MPI_Ialltoall)(const void *sendbuf, COUNT sendcount, MPI_Datatype sendtype, void *recvbuf, COUNT recvcount,
                            MPI_Datatype recvtype, MPI_Comm comm, MPI_Request *request) {
  NET_SERVE(net_has_collectives(comm), CALL(IALLTOALL), FORM(Ialltoall),
            (sendbuf, sendcount, sendtype, recvbuf, recvcount, recvtype, comm, request));
}

NET int FORM(MPI_Ialltoallv)(const void *sendbuf, const COUNT sendcounts[], const DISPLACEMENT sdispls[],
                             MPI_Datatype sendtype, void *recvbuf, const COUNT recvcounts[],
                             const DISPLACEMENT rdispls[], MPI_Datatype recvtype, MPI_Comm comm, MPI_Request *request) {
  NET_SERVE(net_has_collectives(comm), CALL(IALLTOALLV), FORM(Ialltoallv),
            (sendbuf, sendcounts, sdispls, sendtype, recvbuf, recvcounts, rdispls, recvtype, comm, request));
}

NET int FORM(MPI_Ialltoallw)(const void *sendbuf, const COUNT sendcounts[], const DISPLACEMENT sdispls[],
                             const MPI_Datatype sendtypes[], void *recvbuf, const COUNT recvcounts[],
                             const DISPLACEMENT rdispls[], const MPI_Datatype recvtypes[], MPI_Comm comm,
                             MPI_Request *request) {
  NET_SERVE(net_has_collectives(comm), CALL(IALLTOALLW), FORM(Ialltoallw),
            (sendbuf, sendcounts, sdispls, sendtypes, recvbuf, recvcounts, rdispls, recvtypes, comm, request));
}

NET int FORM(MPI_Iallreduce)(const void *sendbuf, void *recvbuf, COUNT count, MPI_Datatype datatype, MPI_Op op,
                             MPI_Comm comm, MPI_Request *request) {
  NET_SERVE(net_has_collectives(comm), CALL(IALLREDUCE), FORM(Iallreduce),
            (sendbuf, recvbuf, count, datatype, op, comm, request));
}

NET int FORM(MPI_Ireduce)(const void *sendbuf, void *recvbuf, COUNT count, MPI_Datatype datatype, MPI_Op op, int root,
                          MPI_Comm comm, MPI_Request *request) {
  NET_SERVE(net_has_collectives(comm), CALL(IREDUCE), FORM(Ireduce),
            (sendbuf, recvbuf, count, datatype, op, root, comm, request));
}

NET int FORM(MPI_Iscan)(const void *sendbuf, void *recvbuf, COUNT count, MPI_Datatype datatype, MPI_Op op,
                        MPI_Comm comm, MPI_Request *request) {
  NET_SERVE(net_has_collectives(comm), CALL(ISCAN), FORM(Iscan),
            (sendbuf, recvbuf, count, datatype, op, comm, request));
}

NET int FORM(MPI_Iexscan)(const void *sendbuf, void *recvbuf, COUNT count, MPI_Datatype datatype, MPI_Op op,
                          MPI_Comm comm, MPI_Request *request) {
  NET_SERVE(net_has_collectives(comm), CALL(IEXSCAN), FORM(Iexscan),
            (sendbuf, recvbuf, count, datatype, op, comm, request));
}

NET int FORM(MPI_Ireduce_scatter)(const void *sendbuf, void *recvbuf, const COUNT recvcounts[], MPI_Datatype datatype,
                                  MPI_Op op, MPI_Comm comm, MPI_Request *request) {
  NET_SERVE(net_has_collectives(comm), CALL(IREDUCE_SCATTER), FORM(Ireduce_scatter),
            (sendbuf, recvbuf, recvcounts, datatype, op, comm, request));
}

NET int FORM(MPI_Ireduce_scatter_block)(const void *sendbuf, void *recvbuf, COUNT recvcount, MPI_Datatype datatype,
                                        MPI_Op op, MPI_Comm comm, MPI_Request *request) {
  NET_SERVE(net_has_collectives(comm), CALL(IREDUCE_SCATTER_BLOCK), FORM(Ireduce_scatter_block),
            (sendbuf, recvbuf, recvcount, datatype, op, comm, request));
}

NET int FORM(MPI_Ineighbor_allgather)(const void *sendbuf, COUNT sendcount, MPI_Datatype sendtype, void *recvbuf,
                                      COUNT recvcount, MPI_Datatype recvtype, MPI_Comm comm, MPI_Request *request) {
  NET_SERVE(net_has_collectives(comm), CALL(INEIGHBOR_ALLGATHER), FORM(Ineighbor_allgather),
            (sendbuf, sendcount, sendtype, recvbuf, recvcount, recvtype, comm, request));
}

NET int FORM(MPI_Ineighbor_allgatherv)(const void *sendbuf, COUNT sendcount, MPI_Datatype sendtype, void *recvbuf,
                                       const COUNT recvcounts[], const DISPLACEMENT displs[], MPI_Datatype recvtype,
                                       MPI_Comm comm, MPI_Request *request) {
  NET_SERVE(net_has_collectives(comm), CALL(INEIGHBOR_ALLGATHERV), FORM(Ineighbor_allgatherv),
            (sendbuf, sendcount, sendtype, recvbuf, recvcounts, displs, recvtype, comm, request));
}

NET int FORM(MPI_Ineighbor_alltoall)(const void *sendbuf, COUNT sendcount, MPI_Datatype sendtype, void *recvbuf,
                                     COUNT recvcount, MPI_Datatype recvtype, MPI_Comm comm, MPI_Request *request) {
  NET_SERVE(net_has_collectives(comm), CALL(INEIGHBOR_ALLTOALL), FORM(Ineighbor_alltoall),
            (sendbuf, sendcount, sendtype, recvbuf, recvcount, recvtype, comm, request));
}

NET int FORM(MPI_Ineighbor_alltoallv)(const void *sendbuf, const COUNT sendcounts[], const DISPLACEMENT sdispls[],
                                      MPI_Datatype sendtype, void *recvbuf, const COUNT recvcounts[],
                                      const DISPLACEMENT rdispls[], MPI_Datatype recvtype, MPI_Comm comm,
                                      MPI_Request *request) {
  NET_SERVE(net_has_collectives(comm), CALL(INEIGHBOR_ALLTOALLV), FORM(Ineighbor_alltoallv),
            (sendbuf, sendcounts, sdispls, sendtype, recvbuf, recvcounts, rdispls, recvtype, comm, request));
}

NET int FORM(MPI_Ineighbor_alltoallw)(const void *sendbuf, const COUNT sendcounts[], const MPI_Aint sdispls[],
                                      const MPI_Datatype sendtypes[], void *recvbuf, const COUNT recvcounts[],
                                      const MPI_Aint rdispls[], const MPI_Datatype recvtypes[], MPI_Comm comm,
                                      MPI_Request *request) {
  NET_SERVE(net_has_collectives(comm), CALL(INEIGHBOR_ALLTOALLW), FORM(Ineighbor_alltoallw),
            (sendbuf, sendcounts, sdispls, sendtypes, recvbuf, recvcounts, rdispls, recvtypes, comm, request));
}
