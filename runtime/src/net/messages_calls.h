/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Sends, receives and what makes persistent ones, for counted.h.
 */
NET HOT int FORM(MPI_Send)(const void *buf, COUNT count, MPI_Datatype datatype, int dest, int tag, MPI_Comm comm) {
  NET_SERVE_AT_ONCE(net_has_at_once(comm), (buf, count, datatype, dest, tag, comm, NET_SITE), net_has(comm), CALL(SEND),
                    FORM(Send), (buf, count, datatype, dest, tag, comm));
}

NET int FORM(MPI_Ssend)(const void *buf, COUNT count, MPI_Datatype datatype, int dest, int tag, MPI_Comm comm) {
  NET_SERVE(net_has(comm), CALL(SSEND), FORM(Ssend), (buf, count, datatype, dest, tag, comm));
}

NET int FORM(MPI_Bsend)(const void *buf, COUNT count, MPI_Datatype datatype, int dest, int tag, MPI_Comm comm) {
  NET_SERVE(net_has(comm), CALL(BSEND), FORM(Bsend), (buf, count, datatype, dest, tag, comm));
}

NET int FORM(MPI_Rsend)(const void *buf, COUNT count, MPI_Datatype datatype, int dest, int tag, MPI_Comm comm) {
  NET_SERVE(net_has(comm), CALL(RSEND), FORM(Rsend), (buf, count, datatype, dest, tag, comm));
}

NET HOT int FORM(MPI_Isend)(const void *buf, COUNT count, MPI_Datatype datatype, int dest, int tag, MPI_Comm comm,
                            MPI_Request *request) {
  NET_SERVE_AT_ONCE(net_has_at_once(comm), (buf, count, datatype, dest, tag, comm, request, NET_SITE), net_has(comm),
                    CALL(ISEND), FORM(Isend), (buf, count, datatype, dest, tag, comm, request));
}

NET int FORM(MPI_Issend)(const void *buf, COUNT count, MPI_Datatype datatype, int dest, int tag, MPI_Comm comm,
                         MPI_Request *request) {
  NET_SERVE(net_has(comm), CALL(ISSEND), FORM(Issend), (buf, count, datatype, dest, tag, comm, request));
}

NET int FORM(MPI_Ibsend)(const void *buf, COUNT count, MPI_Datatype datatype, int dest, int tag, MPI_Comm comm,
                         MPI_Request *request) {
  NET_SERVE(net_has(comm), CALL(IBSEND), FORM(Ibsend), (buf, count, datatype, dest, tag, comm, request));
}

NET int FORM(MPI_Irsend)(const void *buf, COUNT count, MPI_Datatype datatype, int dest, int tag, MPI_Comm comm,
                         MPI_Request *request) {
  NET_SERVE(net_has(comm), CALL(IRSEND), FORM(Irsend), (buf, count, datatype, dest, tag, comm, request));
}

NET HOT int FORM(MPI_Recv)(void *buf, COUNT count, MPI_Datatype datatype, int source, int tag, MPI_Comm comm,
                           MPI_Status *status) {
  NET_SERVE_AT_ONCE(net_has_at_once(comm), (buf, count, datatype, source, tag, comm, status, NET_SITE), net_has(comm),
                    CALL(RECV), FORM(Recv), (buf, count, datatype, source, tag, comm, status));
}

NET HOT int FORM(MPI_Irecv)(void *buf, COUNT count, MPI_Datatype datatype, int source, int tag, MPI_Comm comm,
                            MPI_Request *request) {
  NET_SERVE_AT_ONCE(net_has_at_once(comm), (buf, count, datatype, source, tag, comm, request, NET_SITE), net_has(comm),
                    CALL(IRECV), FORM(Irecv), (buf, count, datatype, source, tag, comm, request));
}

NET int FORM(MPI_Sendrecv)(const void *sendbuf, COUNT sendcount, MPI_Datatype sendtype, int dest, int sendtag,
                           void *recvbuf, COUNT recvcount, MPI_Datatype recvtype, int source, int recvtag,
                           MPI_Comm comm, MPI_Status *status) {
  NET_SERVE(net_has(comm), CALL(SENDRECV), FORM(Sendrecv),
            (sendbuf, sendcount, sendtype, dest, sendtag, recvbuf, recvcount, recvtype, source, recvtag, comm, status));
}

NET int FORM(MPI_Sendrecv_replace)(void *buf, COUNT count, MPI_Datatype datatype, int dest, int sendtag, int source,
                                   int recvtag, MPI_Comm comm, MPI_Status *status) {
  NET_SERVE(net_has(comm), CALL(SENDRECV_REPLACE), FORM(Sendrecv_replace),
            (buf, count, datatype, dest, sendtag, source, recvtag, comm, status));
}

NET int FORM(MPI_Send_init)(const void *buf, COUNT count, MPI_Datatype datatype, int dest, int tag, MPI_Comm comm,
                            MPI_Request *request) {
  NET_SERVE(net_has(comm), CALL(SEND_INIT), FORM(Send_init), (buf, count, datatype, dest, tag, comm, request));
}

NET int FORM(MPI_Ssend_init)(const void *buf, COUNT count, MPI_Datatype datatype, int dest, int tag, MPI_Comm comm,
                             MPI_Request *request) {
  NET_SERVE(net_has(comm), CALL(SSEND_INIT), FORM(Ssend_init), (buf, count, datatype, dest, tag, comm, request));
}

NET int FORM(MPI_Bsend_init)(const void *buf, COUNT count, MPI_Datatype datatype, int dest, int tag, MPI_Comm comm,
                             MPI_Request *request) {
  NET_SERVE(net_has(comm), CALL(BSEND_INIT), FORM(Bsend_init), (buf, count, datatype, dest, tag, comm, request));
}

NET int FORM(MPI_Rsend_init)(const void *buf, COUNT count, MPI_Datatype datatype, int dest, int tag, MPI_Comm comm,
                             MPI_Request *request) {
  NET_SERVE(net_has(comm), CALL(RSEND_INIT), FORM(Rsend_init), (buf, count, datatype, dest, tag, comm, request));
}

NET int FORM(MPI_Recv_init)(void *buf, COUNT count, MPI_Datatype datatype, int source, int tag, MPI_Comm comm,
                            MPI_Request *request) {
  NET_SERVE(net_has(comm), CALL(RECV_INIT), FORM(Recv_init), (buf, count, datatype, source, tag, comm, request));
}

#ifdef MPISHM_HAVE_ISENDRECV
NET int FORM(MPI_Isendrecv)(const void *sendbuf, COUNT sendcount, MPI_Datatype sendtype, int dest, int sendtag,
                            void *recvbuf, COUNT recvcount, MPI_Datatype recvtype, int source, int recvtag,
                            MPI_Comm comm, MPI_Request *request) {
  NET_SERVE(
      net_has(comm), CALL(ISENDRECV), FORM(Isendrecv),
      (sendbuf, sendcount, sendtype, dest, sendtag, recvbuf, recvcount, recvtype, source, recvtag, comm, request));
}

NET int FORM(MPI_Isendrecv_replace)(void *buf, COUNT count, MPI_Datatype datatype, int dest, int sendtag, int source,
                                    int recvtag, MPI_Comm comm, MPI_Request *request) {
  NET_SERVE(net_has(comm), CALL(ISENDRECV_REPLACE), FORM(Isendrecv_replace),
            (buf, count, datatype, dest, sendtag, source, recvtag, comm, request));
}
#endif

NET int FORM(MPI_Mrecv)(void *buf, COUNT count, MPI_Datatype datatype, MPI_Message *message, MPI_Status *status) {
  NET_SERVE(net_has_message(message, CALL(MRECV), NET_SITE), CALL(MRECV), FORM(Mrecv),
            (buf, count, datatype, message, status));
}

NET int FORM(MPI_Imrecv)(void *buf, COUNT count, MPI_Datatype datatype, MPI_Message *message, MPI_Request *request) {
  NET_SERVE(net_has_message(message, CALL(IMRECV), NET_SITE), CALL(IMRECV), FORM(Imrecv),
            (buf, count, datatype, message, request));
}
