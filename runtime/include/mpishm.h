/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * mpishm.h - MPI point-to-point messages by loads and stores inside a node.
 *
 * Every function takes the arguments of the MPI function whose name it carries, means the same and returns the same
 * error codes through the same error handlers. Between two ranks of one node, on a communicator that was registered,
 * the message moves through one MPI-3 shared-memory window; everywhere else the call is MPI's own. Sender and receiver
 * must both use these functions for a message: that is what mpishm-rewrite proves before it edits a program.
 *
 * A request made here may only be completed here (MPISHM_Wait and relatives, which also take MPI's own requests). In a
 * completion function of MPI itself it never counts as done.
 *
 * Thread safety: that of the thread level which MPI provides; with MPI_THREAD_MULTIPLE any thread may call.
 *
 * Environment: MPISHM_DISABLE=1 sends everything through MPI. The full table is in docs/reference.md.
 */
#ifndef MPISHM_H
#define MPISHM_H

#include <mpi.h>

#define MPISHM_VERSION_MAJOR 0
#define MPISHM_VERSION_MINOR 1
#define MPISHM_VERSION_PATCH 0

#if defined(__GNUC__)
#pragma GCC visibility push(default)
#endif
#ifdef __cplusplus
extern "C" {
#endif

/* Handles and constants differ between MPI libraries. A program that includes this header refers to the kind that it
 * was compiled for, so that the linker refuses a libmpishm of another kind, by this name. MPICH, Intel MPI and MVAPICH
 * are one kind: they share a binary interface. */
#if defined(OPEN_MPI)
#define MPISHM_MPI_KIND mpishm_is_built_for_open_mpi
#elif defined(MPICH_VERSION)
#define MPISHM_MPI_KIND mpishm_is_built_for_mpich
#elif defined(MPI_ABI_VERSION)
#define MPISHM_MPI_KIND mpishm_is_built_for_the_standard_abi
#else
#define MPISHM_MPI_KIND mpishm_is_built_for_an_mpi_it_does_not_know
#endif
extern const char MPISHM_MPI_KIND;
#if defined(__GNUC__)
static const char *const mpishm_mpi_kind __attribute__((used)) = &MPISHM_MPI_KIND;
#endif

/* ---- Set-up. Collective over MPI_COMM_WORLD. Teardown happens inside MPI_Finalize. ---- */

/** MPI_Init, then MPISHM_Attach. A second call does nothing but warn. */
int MPISHM_Init(int *argc, char ***argv);

/** MPI_Init_thread, then MPISHM_Attach. A second call does nothing but warn. */
int MPISHM_Init_thread(int *argc, char ***argv, int required, int *provided);

/** Sets the runtime up and registers MPI_COMM_WORLD and MPI_COMM_SELF. Collective over MPI_COMM_WORLD, after MPI_Init;
 *  for programs whose MPI_Init is out of reach. A second call does nothing but warn. Always returns MPI_SUCCESS: where
 *  the node cannot share memory, one warning is printed and every message goes through MPI. */
int MPISHM_Attach(void);

/* ---- Communicator constructors: MPI's own, then a registration that is collective over the new communicator. ---- */

int MPISHM_Comm_dup(MPI_Comm comm, MPI_Comm *newcomm);
int MPISHM_Comm_dup_with_info(MPI_Comm comm, MPI_Info info, MPI_Comm *newcomm);
int MPISHM_Comm_split(MPI_Comm comm, int color, int key, MPI_Comm *newcomm);
int MPISHM_Comm_split_type(MPI_Comm comm, int split_type, int key, MPI_Info info, MPI_Comm *newcomm);
int MPISHM_Comm_create(MPI_Comm comm, MPI_Group group, MPI_Comm *newcomm);
int MPISHM_Comm_create_group(MPI_Comm comm, MPI_Group group, int tag, MPI_Comm *newcomm);
int MPISHM_Cart_create(MPI_Comm comm, int ndims, const int dims[], const int periods[], int reorder, MPI_Comm *newcomm);
int MPISHM_Cart_sub(MPI_Comm comm, const int remain_dims[], MPI_Comm *newcomm);
int MPISHM_Graph_create(MPI_Comm comm, int nnodes, const int index[], const int edges[], int reorder,
                        MPI_Comm *newcomm);
int MPISHM_Dist_graph_create(MPI_Comm comm, int n, const int sources[], const int degrees[], const int destinations[],
                             const int weights[], MPI_Info info, int reorder, MPI_Comm *newcomm);
int MPISHM_Dist_graph_create_adjacent(MPI_Comm comm, int indegree, const int sources[], const int sourceweights[],
                                      int outdegree, const int destinations[], const int destweights[], MPI_Info info,
                                      int reorder, MPI_Comm *newcomm);

/* ---- Messages. ---- */

int MPISHM_Send(const void *buf, int count, MPI_Datatype datatype, int dest, int tag, MPI_Comm comm);
int MPISHM_Ssend(const void *buf, int count, MPI_Datatype datatype, int dest, int tag, MPI_Comm comm);
int MPISHM_Bsend(const void *buf, int count, MPI_Datatype datatype, int dest, int tag, MPI_Comm comm);
int MPISHM_Rsend(const void *buf, int count, MPI_Datatype datatype, int dest, int tag, MPI_Comm comm);
int MPISHM_Isend(const void *buf, int count, MPI_Datatype datatype, int dest, int tag, MPI_Comm comm,
                 MPI_Request *request);
int MPISHM_Issend(const void *buf, int count, MPI_Datatype datatype, int dest, int tag, MPI_Comm comm,
                  MPI_Request *request);
int MPISHM_Ibsend(const void *buf, int count, MPI_Datatype datatype, int dest, int tag, MPI_Comm comm,
                  MPI_Request *request);
int MPISHM_Irsend(const void *buf, int count, MPI_Datatype datatype, int dest, int tag, MPI_Comm comm,
                  MPI_Request *request);
int MPISHM_Recv(void *buf, int count, MPI_Datatype datatype, int source, int tag, MPI_Comm comm, MPI_Status *status);
int MPISHM_Irecv(void *buf, int count, MPI_Datatype datatype, int source, int tag, MPI_Comm comm, MPI_Request *request);
int MPISHM_Sendrecv(const void *sendbuf, int sendcount, MPI_Datatype sendtype, int dest, int sendtag, void *recvbuf,
                    int recvcount, MPI_Datatype recvtype, int source, int recvtag, MPI_Comm comm, MPI_Status *status);

int MPISHM_Sendrecv_replace(void *buf, int count, MPI_Datatype datatype, int dest, int sendtag, int source, int recvtag,
                            MPI_Comm comm, MPI_Status *status);

/* ---- Persistent requests. MPISHM_Start and MPISHM_Startall take ours and MPI's own. ---- */

int MPISHM_Send_init(const void *buf, int count, MPI_Datatype datatype, int dest, int tag, MPI_Comm comm,
                     MPI_Request *request);
int MPISHM_Ssend_init(const void *buf, int count, MPI_Datatype datatype, int dest, int tag, MPI_Comm comm,
                      MPI_Request *request);
int MPISHM_Rsend_init(const void *buf, int count, MPI_Datatype datatype, int dest, int tag, MPI_Comm comm,
                      MPI_Request *request);
int MPISHM_Bsend_init(const void *buf, int count, MPI_Datatype datatype, int dest, int tag, MPI_Comm comm,
                      MPI_Request *request);
int MPISHM_Recv_init(void *buf, int count, MPI_Datatype datatype, int source, int tag, MPI_Comm comm,
                     MPI_Request *request);
int MPISHM_Start(MPI_Request *request);
int MPISHM_Startall(int count, MPI_Request requests[]);

/* ---- Where the MPI library has them: both halves under one request (MPI 4, and Open MPI 5), and large counts (MPI 4).
 * ---- */

#if MPI_VERSION >= 4 || (defined(OMPI_MAJOR_VERSION) && OMPI_MAJOR_VERSION >= 5)
#define MPISHM_HAVE_ISENDRECV 1
int MPISHM_Isendrecv(const void *sendbuf, int sendcount, MPI_Datatype sendtype, int dest, int sendtag, void *recvbuf,
                     int recvcount, MPI_Datatype recvtype, int source, int recvtag, MPI_Comm comm,
                     MPI_Request *request);
int MPISHM_Isendrecv_replace(void *buf, int count, MPI_Datatype datatype, int dest, int sendtag, int source,
                             int recvtag, MPI_Comm comm, MPI_Request *request);
#endif

#if MPI_VERSION >= 4
int MPISHM_Send_c(const void *buf, MPI_Count count, MPI_Datatype datatype, int dest, int tag, MPI_Comm comm);
int MPISHM_Ssend_c(const void *buf, MPI_Count count, MPI_Datatype datatype, int dest, int tag, MPI_Comm comm);
int MPISHM_Bsend_c(const void *buf, MPI_Count count, MPI_Datatype datatype, int dest, int tag, MPI_Comm comm);
int MPISHM_Rsend_c(const void *buf, MPI_Count count, MPI_Datatype datatype, int dest, int tag, MPI_Comm comm);
int MPISHM_Isend_c(const void *buf, MPI_Count count, MPI_Datatype datatype, int dest, int tag, MPI_Comm comm,
                   MPI_Request *request);
int MPISHM_Issend_c(const void *buf, MPI_Count count, MPI_Datatype datatype, int dest, int tag, MPI_Comm comm,
                    MPI_Request *request);
int MPISHM_Ibsend_c(const void *buf, MPI_Count count, MPI_Datatype datatype, int dest, int tag, MPI_Comm comm,
                    MPI_Request *request);
int MPISHM_Irsend_c(const void *buf, MPI_Count count, MPI_Datatype datatype, int dest, int tag, MPI_Comm comm,
                    MPI_Request *request);
int MPISHM_Recv_c(void *buf, MPI_Count count, MPI_Datatype datatype, int source, int tag, MPI_Comm comm,
                  MPI_Status *status);
int MPISHM_Irecv_c(void *buf, MPI_Count count, MPI_Datatype datatype, int source, int tag, MPI_Comm comm,
                   MPI_Request *request);
int MPISHM_Sendrecv_c(const void *sendbuf, MPI_Count sendcount, MPI_Datatype sendtype, int dest, int sendtag,
                      void *recvbuf, MPI_Count recvcount, MPI_Datatype recvtype, int source, int recvtag, MPI_Comm comm,
                      MPI_Status *status);
int MPISHM_Sendrecv_replace_c(void *buf, MPI_Count count, MPI_Datatype datatype, int dest, int sendtag, int source,
                              int recvtag, MPI_Comm comm, MPI_Status *status);
int MPISHM_Isendrecv_c(const void *sendbuf, MPI_Count sendcount, MPI_Datatype sendtype, int dest, int sendtag,
                       void *recvbuf, MPI_Count recvcount, MPI_Datatype recvtype, int source, int recvtag,
                       MPI_Comm comm, MPI_Request *request);
int MPISHM_Isendrecv_replace_c(void *buf, MPI_Count count, MPI_Datatype datatype, int dest, int sendtag, int source,
                               int recvtag, MPI_Comm comm, MPI_Request *request);
int MPISHM_Send_init_c(const void *buf, MPI_Count count, MPI_Datatype datatype, int dest, int tag, MPI_Comm comm,
                       MPI_Request *request);
int MPISHM_Ssend_init_c(const void *buf, MPI_Count count, MPI_Datatype datatype, int dest, int tag, MPI_Comm comm,
                        MPI_Request *request);
int MPISHM_Rsend_init_c(const void *buf, MPI_Count count, MPI_Datatype datatype, int dest, int tag, MPI_Comm comm,
                        MPI_Request *request);
int MPISHM_Bsend_init_c(const void *buf, MPI_Count count, MPI_Datatype datatype, int dest, int tag, MPI_Comm comm,
                        MPI_Request *request);
int MPISHM_Recv_init_c(void *buf, MPI_Count count, MPI_Datatype datatype, int source, int tag, MPI_Comm comm,
                       MPI_Request *request);
#endif

/* ---- Completion. Requests of ours, of MPI's own and MPI_REQUEST_NULL may stand in one array in any order. ---- */

int MPISHM_Wait(MPI_Request *request, MPI_Status *status);
int MPISHM_Waitall(int count, MPI_Request requests[], MPI_Status statuses[]);
int MPISHM_Waitany(int count, MPI_Request requests[], int *index, MPI_Status *status);
int MPISHM_Waitsome(int incount, MPI_Request requests[], int *outcount, int indices[], MPI_Status statuses[]);
int MPISHM_Test(MPI_Request *request, int *flag, MPI_Status *status);
int MPISHM_Testall(int count, MPI_Request requests[], int *flag, MPI_Status statuses[]);
int MPISHM_Testany(int count, MPI_Request requests[], int *index, int *flag, MPI_Status *status);
int MPISHM_Testsome(int incount, MPI_Request requests[], int *outcount, int indices[], MPI_Status statuses[]);
int MPISHM_Request_free(MPI_Request *request);
int MPISHM_Request_get_status(MPI_Request request, int *flag, MPI_Status *status);
/** Cancels a receive that nothing has matched yet. A send of ours is never cancelled: it completes. */
int MPISHM_Cancel(MPI_Request *request);

/* ---- Memory for message buffers. ---- */

/** MPI_Alloc_mem with the memory in the window, page aligned, as long as there is room; then messages that are sent
 * from it or received into it are copied once. Belongs to the caller until MPISHM_Free_mem. */
int MPISHM_Alloc_mem(MPI_Aint size, MPI_Info info, void *baseptr);
/** Frees what MPISHM_Alloc_mem or MPI_Alloc_mem returned. */
int MPISHM_Free_mem(void *base);

#ifdef __cplusplus
}
#endif
#if defined(__GNUC__)
#pragma GCC visibility pop
#endif

#endif
