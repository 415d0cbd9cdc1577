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
 *
 * Names of arguments end in an underscore: this file stands behind whatever macros the program's headers define.
 *
 * With -DMPISHM_OFF every name below is MPI's own again, and nothing but this file is needed. A project may carry a
 * copy of it, so that its rewritten sources also build where mpishm is not installed: the licence in the first line,
 * Apache's with LLVM's exception, permits that as long as this comment stays.
 */
#ifndef MPISHM_H
#define MPISHM_H

#include <mpi.h>
#include <stddef.h>
#if defined(MPISHM_OFF)
/* In C++ it takes these two, which the program may have as macros, out of the way. */
#if defined(__cplusplus) && defined(__GNUC__)
#pragma push_macro("max")
#pragma push_macro("min")
#endif
#include <stdlib.h>
#if defined(__cplusplus) && defined(__GNUC__)
#pragma pop_macro("max")
#pragma pop_macro("min")
#endif
#endif

/* What the program's compiler is to warn of concerns the program. Not before mpi.h, which stays what it is. The space
 * is for -Wtraditional. */
/* clang-format off */
#if defined(__GNUC__)
 #pragma GCC system_header
#endif
/* clang-format on */

#if defined(MPISHM_Free) || defined(MPISHM_Malloc) || defined(MPISHM_Calloc) || defined(MPISHM_Realloc) ||             \
    defined(MPISHM_Aligned_alloc) || defined(MPISHM_Posix_memalign) || defined(MPISHM_To_window) ||                    \
    defined(MPISHM_TO_WINDOW)
#error "a file that was rewritten to be compiled with and without MPI stands before the first include of mpi.h"
#endif

#define MPISHM_VERSION_MAJOR 0
#define MPISHM_VERSION_MINOR 1
#define MPISHM_VERSION_PATCH 0

/* What C++ programs may ask functions for (noexcept) is as it was: MPISHM_THROW is how the C library declares those
 * that MPISHM_Malloc and relatives stand for. */
#if !defined(__cplusplus)
#define MPISHM_NOEXCEPT
#elif __cplusplus >= 201103L
#define MPISHM_NOEXCEPT noexcept
#else
#define MPISHM_NOEXCEPT throw()
#endif
#if defined(__cplusplus) && defined(__has_include)
#if __has_include(<features.h>)
#include <features.h>
#endif
#endif
#if defined(__cplusplus) && defined(__THROW)
#define MPISHM_THROW __THROW
#else
#define MPISHM_THROW
#endif

/** An array of static storage duration, of `bytes_` bytes: for MPISHM_Place_arrays. */
struct MPISHM_Array {
  const volatile void *start_;
  size_t bytes_;
};

#ifndef MPISHM_OFF

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
static const char *const mpishm_mpi_kind __attribute__((__used__)) = &MPISHM_MPI_KIND;
#endif

/* ---- Set-up. Collective over MPI_COMM_WORLD. Teardown happens inside MPI_Finalize. ---- */

/** MPI_Init, then MPISHM_Attach. A second call is a second MPI_Init: its error, and nothing else. */
int MPISHM_Init(int *argc_, char ***argv_);

/** MPI_Init_thread, then MPISHM_Attach; the same goes for a second call. */
int MPISHM_Init_thread(int *argc_, char ***argv_, int required_, int *provided_);

/** Sets the runtime up and registers MPI_COMM_WORLD and MPI_COMM_SELF. Collective over MPI_COMM_WORLD, after MPI_Init;
 *  for programs whose MPI_Init is out of reach. A second call does nothing but warn. Always returns MPI_SUCCESS: where
 *  the node cannot share memory, one warning is printed and every message goes through MPI. */
int MPISHM_Attach(void);

/** The same three for a program in which calls were rewritten although it was not proved that they meet only rewritten
 *  ones (mpishm-rewrite --guarded). What was not rewritten is served at run time, without a warning; where that is not
 *  possible, on any rank, one warning is printed and every message goes through MPI. One rank that calls one of these
 *  makes that count for all. */
int MPISHM_Init_guarded(int *argc_, char ***argv_);
int MPISHM_Init_thread_guarded(int *argc_, char ***argv_, int required_, int *provided_);
int MPISHM_Attach_guarded(void);

/** The same for a program whose synchronous sends may be received from any source: all messages on communicators with
 *  members on several nodes go through MPI, and so do probes there; those on communicators within a node use shared
 *  memory as ever. One rank that calls one of these makes that count for all. Without this, such a send may end
 *  although its receive gets a message of another node. */
int MPISHM_Init_nodewise(int *argc_, char ***argv_);
int MPISHM_Init_thread_nodewise(int *argc_, char ***argv_, int required_, int *provided_);
int MPISHM_Attach_nodewise(void);

/** Both of these at once. */
int MPISHM_Init_nodewise_guarded(int *argc_, char ***argv_);
int MPISHM_Init_thread_nodewise_guarded(int *argc_, char ***argv_, int required_, int *provided_);
int MPISHM_Attach_nodewise_guarded(void);

/* ---- Communicator constructors: MPI's own, then a registration that is collective over the new communicator's members
 * on a node. ---- */

int MPISHM_Comm_dup(MPI_Comm comm_, MPI_Comm *newcomm_);
int MPISHM_Comm_dup_with_info(MPI_Comm comm_, MPI_Info info_, MPI_Comm *newcomm_);
/** These two wait for nobody: all members know beforehand how the new communicator is registered. */
int MPISHM_Comm_idup(MPI_Comm comm_, MPI_Comm *newcomm_, MPI_Request *request_);
#if MPI_VERSION >= 4 || (defined(OMPI_MAJOR_VERSION) && OMPI_MAJOR_VERSION >= 5)
#define MPISHM_HAVE_IDUP_WITH_INFO 1
int MPISHM_Comm_idup_with_info(MPI_Comm comm_, MPI_Info info_, MPI_Comm *newcomm_, MPI_Request *request_);
#endif
int MPISHM_Comm_split(MPI_Comm comm_, int color_, int key_, MPI_Comm *newcomm_);
int MPISHM_Comm_split_type(MPI_Comm comm_, int split_type_, int key_, MPI_Info info_, MPI_Comm *newcomm_);
int MPISHM_Comm_create(MPI_Comm comm_, MPI_Group group_, MPI_Comm *newcomm_);
int MPISHM_Comm_create_group(MPI_Comm comm_, MPI_Group group_, int tag_, MPI_Comm *newcomm_);
int MPISHM_Cart_create(MPI_Comm comm_, int ndims_, const int dims_[], const int periods_[], int reorder_,
                       MPI_Comm *newcomm_);
int MPISHM_Cart_sub(MPI_Comm comm_, const int remain_dims_[], MPI_Comm *newcomm_);
int MPISHM_Graph_create(MPI_Comm comm_, int nnodes_, const int index_[], const int edges_[], int reorder_,
                        MPI_Comm *newcomm_);
int MPISHM_Dist_graph_create(MPI_Comm comm_, int n_, const int sources_[], const int degrees_[],
                             const int destinations_[], const int weights_[], MPI_Info info_, int reorder_,
                             MPI_Comm *newcomm_);
int MPISHM_Dist_graph_create_adjacent(MPI_Comm comm_, int indegree_, const int sources_[], const int sourceweights_[],
                                      int outdegree_, const int destinations_[], const int destweights_[],
                                      MPI_Info info_, int reorder_, MPI_Comm *newcomm_);

/* ---- Messages. ---- */

int MPISHM_Send(const void *buf_, int count_, MPI_Datatype datatype_, int dest_, int tag_, MPI_Comm comm_);
int MPISHM_Ssend(const void *buf_, int count_, MPI_Datatype datatype_, int dest_, int tag_, MPI_Comm comm_);
int MPISHM_Bsend(const void *buf_, int count_, MPI_Datatype datatype_, int dest_, int tag_, MPI_Comm comm_);
int MPISHM_Rsend(const void *buf_, int count_, MPI_Datatype datatype_, int dest_, int tag_, MPI_Comm comm_);
int MPISHM_Isend(const void *buf_, int count_, MPI_Datatype datatype_, int dest_, int tag_, MPI_Comm comm_,
                 MPI_Request *request_);
int MPISHM_Issend(const void *buf_, int count_, MPI_Datatype datatype_, int dest_, int tag_, MPI_Comm comm_,
                  MPI_Request *request_);
int MPISHM_Ibsend(const void *buf_, int count_, MPI_Datatype datatype_, int dest_, int tag_, MPI_Comm comm_,
                  MPI_Request *request_);
int MPISHM_Irsend(const void *buf_, int count_, MPI_Datatype datatype_, int dest_, int tag_, MPI_Comm comm_,
                  MPI_Request *request_);
int MPISHM_Recv(void *buf_, int count_, MPI_Datatype datatype_, int source_, int tag_, MPI_Comm comm_,
                MPI_Status *status_);
int MPISHM_Irecv(void *buf_, int count_, MPI_Datatype datatype_, int source_, int tag_, MPI_Comm comm_,
                 MPI_Request *request_);
int MPISHM_Sendrecv(const void *sendbuf_, int sendcount_, MPI_Datatype sendtype_, int dest_, int sendtag_,
                    void *recvbuf_, int recvcount_, MPI_Datatype recvtype_, int source_, int recvtag_, MPI_Comm comm_,
                    MPI_Status *status_);

int MPISHM_Sendrecv_replace(void *buf_, int count_, MPI_Datatype datatype_, int dest_, int sendtag_, int source_,
                            int recvtag_, MPI_Comm comm_, MPI_Status *status_);

/** As MPI_Probe and MPI_Iprobe. A receive from the status' source with its tag, on the same communicator, gets that
 *  message. */
int MPISHM_Probe(int source_, int tag_, MPI_Comm comm_, MPI_Status *status_);
int MPISHM_Iprobe(int source_, int tag_, MPI_Comm comm_, int *flag_, MPI_Status *status_);
/** Matched probes, and the receives of what they have found. A message handle of ours is one that MPI knows, but MPI
 * has no more than an empty message for it. */
int MPISHM_Mprobe(int source_, int tag_, MPI_Comm comm_, MPI_Message *message_, MPI_Status *status_);
int MPISHM_Improbe(int source_, int tag_, MPI_Comm comm_, int *flag_, MPI_Message *message_, MPI_Status *status_);
int MPISHM_Mrecv(void *buf_, int count_, MPI_Datatype datatype_, MPI_Message *message_, MPI_Status *status_);
int MPISHM_Imrecv(void *buf_, int count_, MPI_Datatype datatype_, MPI_Message *message_, MPI_Request *request_);

/* ---- Messages that are packed where they are received. ---- */

/** Where to pack the message that is sent next from `buf_` with these arguments, by one of the two functions below: the
 *  buffer of its receive, if that is posted already and lies in the window, else `buf_` itself. To be called before
 *  each such message; several may be under way. Up to its send
 *
 *  - every byte of the message is to be written there, and none is read there or in `buf_`;
 *  - nothing else that the same receive could match is sent to `dest_`, unless its place was asked for before;
 *  - this thread waits for no other rank, and neither is `buf_` freed nor `comm_` nor MPI finalized.
 *
 *  The message must follow, with no more elements than here. Where one of these rules is broken the runtime takes what
 *  has been packed so far over to `buf_`, and warns; what is written later to the place is lost. After the send the
 *  contents of `buf_` are undefined. Returns `buf_` also for arguments that the send is to refuse. */
void *MPISHM_Packing_buffer(void *buf_, int count_, MPI_Datatype datatype_, int dest_, int tag_, MPI_Comm comm_);
/** As MPI_Isend and MPI_Send, of a message that was packed where MPISHM_Packing_buffer said for `buf_`, `dest_`, `tag_`
 *  and `comm_`. Without that call they are just MPISHM_Isend and MPISHM_Send. */
int MPISHM_Isend_packed(const void *buf_, int count_, MPI_Datatype datatype_, int dest_, int tag_, MPI_Comm comm_,
                        MPI_Request *request_);
int MPISHM_Send_packed(const void *buf_, int count_, MPI_Datatype datatype_, int dest_, int tag_, MPI_Comm comm_);
/** The same in two steps, as mpishm-rewrite writes it where one function packs what another sends. First this: the
 *  thread's next send is that of a packed message with these arguments. */
void MPISHM_Packing_begin(const void *buf_, int count_, MPI_Datatype datatype_, int dest_, int tag_, MPI_Comm comm_);
/** Then this, by who is going to write `rows_` times `row_` elements of `element_` bytes each from `to_` on: where to
 *  write them instead, what MPISHM_Packing_buffer says. `to_` itself unless that is the buffer of the announced message
 *  and these are all of its bytes, more than MPISHM_PLACE. MPISHM_PACK_THERE(to, rows, row) sets the pointer `to` so.
 */
void *MPISHM_Packing_place(void *to_, MPI_Aint rows_, MPI_Aint row_, size_t element_);

/* ---- Persistent requests. MPISHM_Start and MPISHM_Startall take ours and MPI's own. ---- */

int MPISHM_Send_init(const void *buf_, int count_, MPI_Datatype datatype_, int dest_, int tag_, MPI_Comm comm_,
                     MPI_Request *request_);
int MPISHM_Ssend_init(const void *buf_, int count_, MPI_Datatype datatype_, int dest_, int tag_, MPI_Comm comm_,
                      MPI_Request *request_);
int MPISHM_Rsend_init(const void *buf_, int count_, MPI_Datatype datatype_, int dest_, int tag_, MPI_Comm comm_,
                      MPI_Request *request_);
int MPISHM_Bsend_init(const void *buf_, int count_, MPI_Datatype datatype_, int dest_, int tag_, MPI_Comm comm_,
                      MPI_Request *request_);
int MPISHM_Recv_init(void *buf_, int count_, MPI_Datatype datatype_, int source_, int tag_, MPI_Comm comm_,
                     MPI_Request *request_);
int MPISHM_Start(MPI_Request *request_);
int MPISHM_Startall(int count_, MPI_Request requests_[]);

/* ---- Where the MPI library has them: both halves under one request (MPI 4, and Open MPI 5), and large counts (MPI 4).
 * ---- */

#if MPI_VERSION >= 4 || (defined(OMPI_MAJOR_VERSION) && OMPI_MAJOR_VERSION >= 5)
#define MPISHM_HAVE_ISENDRECV 1
int MPISHM_Isendrecv(const void *sendbuf_, int sendcount_, MPI_Datatype sendtype_, int dest_, int sendtag_,
                     void *recvbuf_, int recvcount_, MPI_Datatype recvtype_, int source_, int recvtag_, MPI_Comm comm_,
                     MPI_Request *request_);
int MPISHM_Isendrecv_replace(void *buf_, int count_, MPI_Datatype datatype_, int dest_, int sendtag_, int source_,
                             int recvtag_, MPI_Comm comm_, MPI_Request *request_);
#endif

#if MPI_VERSION >= 4
int MPISHM_Send_c(const void *buf_, MPI_Count count_, MPI_Datatype datatype_, int dest_, int tag_, MPI_Comm comm_);
int MPISHM_Ssend_c(const void *buf_, MPI_Count count_, MPI_Datatype datatype_, int dest_, int tag_, MPI_Comm comm_);
int MPISHM_Bsend_c(const void *buf_, MPI_Count count_, MPI_Datatype datatype_, int dest_, int tag_, MPI_Comm comm_);
int MPISHM_Rsend_c(const void *buf_, MPI_Count count_, MPI_Datatype datatype_, int dest_, int tag_, MPI_Comm comm_);
int MPISHM_Isend_c(const void *buf_, MPI_Count count_, MPI_Datatype datatype_, int dest_, int tag_, MPI_Comm comm_,
                   MPI_Request *request_);
int MPISHM_Issend_c(const void *buf_, MPI_Count count_, MPI_Datatype datatype_, int dest_, int tag_, MPI_Comm comm_,
                    MPI_Request *request_);
int MPISHM_Ibsend_c(const void *buf_, MPI_Count count_, MPI_Datatype datatype_, int dest_, int tag_, MPI_Comm comm_,
                    MPI_Request *request_);
int MPISHM_Irsend_c(const void *buf_, MPI_Count count_, MPI_Datatype datatype_, int dest_, int tag_, MPI_Comm comm_,
                    MPI_Request *request_);
int MPISHM_Recv_c(void *buf_, MPI_Count count_, MPI_Datatype datatype_, int source_, int tag_, MPI_Comm comm_,
                  MPI_Status *status_);
int MPISHM_Irecv_c(void *buf_, MPI_Count count_, MPI_Datatype datatype_, int source_, int tag_, MPI_Comm comm_,
                   MPI_Request *request_);
int MPISHM_Sendrecv_c(const void *sendbuf_, MPI_Count sendcount_, MPI_Datatype sendtype_, int dest_, int sendtag_,
                      void *recvbuf_, MPI_Count recvcount_, MPI_Datatype recvtype_, int source_, int recvtag_,
                      MPI_Comm comm_, MPI_Status *status_);
int MPISHM_Sendrecv_replace_c(void *buf_, MPI_Count count_, MPI_Datatype datatype_, int dest_, int sendtag_,
                              int source_, int recvtag_, MPI_Comm comm_, MPI_Status *status_);
int MPISHM_Isendrecv_c(const void *sendbuf_, MPI_Count sendcount_, MPI_Datatype sendtype_, int dest_, int sendtag_,
                       void *recvbuf_, MPI_Count recvcount_, MPI_Datatype recvtype_, int source_, int recvtag_,
                       MPI_Comm comm_, MPI_Request *request_);
int MPISHM_Isendrecv_replace_c(void *buf_, MPI_Count count_, MPI_Datatype datatype_, int dest_, int sendtag_,
                               int source_, int recvtag_, MPI_Comm comm_, MPI_Request *request_);
int MPISHM_Send_init_c(const void *buf_, MPI_Count count_, MPI_Datatype datatype_, int dest_, int tag_, MPI_Comm comm_,
                       MPI_Request *request_);
int MPISHM_Ssend_init_c(const void *buf_, MPI_Count count_, MPI_Datatype datatype_, int dest_, int tag_, MPI_Comm comm_,
                        MPI_Request *request_);
int MPISHM_Rsend_init_c(const void *buf_, MPI_Count count_, MPI_Datatype datatype_, int dest_, int tag_, MPI_Comm comm_,
                        MPI_Request *request_);
int MPISHM_Bsend_init_c(const void *buf_, MPI_Count count_, MPI_Datatype datatype_, int dest_, int tag_, MPI_Comm comm_,
                        MPI_Request *request_);
int MPISHM_Recv_init_c(void *buf_, MPI_Count count_, MPI_Datatype datatype_, int source_, int tag_, MPI_Comm comm_,
                       MPI_Request *request_);
int MPISHM_Mrecv_c(void *buf_, MPI_Count count_, MPI_Datatype datatype_, MPI_Message *message_, MPI_Status *status_);
int MPISHM_Imrecv_c(void *buf_, MPI_Count count_, MPI_Datatype datatype_, MPI_Message *message_, MPI_Request *request_);
#endif

/* ---- Completion. Requests of ours, of MPI's own and MPI_REQUEST_NULL may stand in one array in any order. ---- */

int MPISHM_Wait(MPI_Request *request_, MPI_Status *status_);
int MPISHM_Waitall(int count_, MPI_Request requests_[], MPI_Status statuses_[]);
int MPISHM_Waitany(int count_, MPI_Request requests_[], int *index_, MPI_Status *status_);
int MPISHM_Waitsome(int incount_, MPI_Request requests_[], int *outcount_, int indices_[], MPI_Status statuses_[]);
int MPISHM_Test(MPI_Request *request_, int *flag_, MPI_Status *status_);
int MPISHM_Testall(int count_, MPI_Request requests_[], int *flag_, MPI_Status statuses_[]);
int MPISHM_Testany(int count_, MPI_Request requests_[], int *index_, int *flag_, MPI_Status *status_);
int MPISHM_Testsome(int incount_, MPI_Request requests_[], int *outcount_, int indices_[], MPI_Status statuses_[]);
int MPISHM_Request_free(MPI_Request *request_);
int MPISHM_Request_get_status(MPI_Request request_, int *flag_, MPI_Status *status_);
/* The same of several requests, where the MPI library has that (MPI 4.1). */
#if MPI_VERSION > 4 || (MPI_VERSION == 4 && MPI_SUBVERSION >= 1)
#define MPISHM_HAVE_STATUSES 1
#if defined(I_MPI_NUMVERSION) && I_MPI_NUMVERSION < 20220000000 /* Intel MPI 2021.18 has forgotten it */
#define MPISHM_CONST_REQUESTS
#else
#define MPISHM_CONST_REQUESTS const
#endif
int MPISHM_Request_get_status_all(int count_, MPISHM_CONST_REQUESTS MPI_Request requests_[], int *flag_,
                                  MPI_Status statuses_[]);
int MPISHM_Request_get_status_any(int count_, MPISHM_CONST_REQUESTS MPI_Request requests_[], int *index_, int *flag_,
                                  MPI_Status *status_);
int MPISHM_Request_get_status_some(int incount_, MPISHM_CONST_REQUESTS MPI_Request requests_[], int *outcount_,
                                   int indices_[], MPI_Status statuses_[]);
#endif
/** Cancels a receive that nothing has matched yet. A send of ours is never cancelled: it completes. */
int MPISHM_Cancel(MPI_Request *request_);

/* ---- Collectives. Where all members of the communicator are on one node they go through the window, else through MPI.
 * All members must call these functions, or all MPI's. ---- */

int MPISHM_Barrier(MPI_Comm comm_);
int MPISHM_Bcast(void *buffer_, int count_, MPI_Datatype datatype_, int root_, MPI_Comm comm_);
/** The result has the bits of the library's own. Sums and products of floating-point numbers of more than two members
 *  are the library's own, as are operations that the program has made. */
int MPISHM_Allreduce(const void *sendbuf_, void *recvbuf_, int count_, MPI_Datatype datatype_, MPI_Op op_,
                     MPI_Comm comm_);
int MPISHM_Reduce(const void *sendbuf_, void *recvbuf_, int count_, MPI_Datatype datatype_, MPI_Op op_, int root_,
                  MPI_Comm comm_);
int MPISHM_Alltoall(const void *sendbuf_, int sendcount_, MPI_Datatype sendtype_, void *recvbuf_, int recvcount_,
                    MPI_Datatype recvtype_, MPI_Comm comm_);
int MPISHM_Alltoallv(const void *sendbuf_, const int sendcounts_[], const int sdispls_[], MPI_Datatype sendtype_,
                     void *recvbuf_, const int recvcounts_[], const int rdispls_[], MPI_Datatype recvtype_,
                     MPI_Comm comm_);
int MPISHM_Alltoallw(const void *sendbuf_, const int sendcounts_[], const int sdispls_[],
                     const MPI_Datatype sendtypes_[], void *recvbuf_, const int recvcounts_[], const int rdispls_[],
                     const MPI_Datatype recvtypes_[], MPI_Comm comm_);
int MPISHM_Allgather(const void *sendbuf_, int sendcount_, MPI_Datatype sendtype_, void *recvbuf_, int recvcount_,
                     MPI_Datatype recvtype_, MPI_Comm comm_);
int MPISHM_Allgatherv(const void *sendbuf_, int sendcount_, MPI_Datatype sendtype_, void *recvbuf_,
                      const int recvcounts_[], const int displs_[], MPI_Datatype recvtype_, MPI_Comm comm_);
int MPISHM_Gather(const void *sendbuf_, int sendcount_, MPI_Datatype sendtype_, void *recvbuf_, int recvcount_,
                  MPI_Datatype recvtype_, int root_, MPI_Comm comm_);
int MPISHM_Gatherv(const void *sendbuf_, int sendcount_, MPI_Datatype sendtype_, void *recvbuf_,
                   const int recvcounts_[], const int displs_[], MPI_Datatype recvtype_, int root_, MPI_Comm comm_);
int MPISHM_Scatter(const void *sendbuf_, int sendcount_, MPI_Datatype sendtype_, void *recvbuf_, int recvcount_,
                   MPI_Datatype recvtype_, int root_, MPI_Comm comm_);
int MPISHM_Scatterv(const void *sendbuf_, const int sendcounts_[], const int displs_[], MPI_Datatype sendtype_,
                    void *recvbuf_, int recvcount_, MPI_Datatype recvtype_, int root_, MPI_Comm comm_);
int MPISHM_Scan(const void *sendbuf_, void *recvbuf_, int count_, MPI_Datatype datatype_, MPI_Op op_, MPI_Comm comm_);
int MPISHM_Exscan(const void *sendbuf_, void *recvbuf_, int count_, MPI_Datatype datatype_, MPI_Op op_, MPI_Comm comm_);
int MPISHM_Reduce_scatter(const void *sendbuf_, void *recvbuf_, const int recvcounts_[], MPI_Datatype datatype_,
                          MPI_Op op_, MPI_Comm comm_);
int MPISHM_Reduce_scatter_block(const void *sendbuf_, void *recvbuf_, int recvcount_, MPI_Datatype datatype_,
                                MPI_Op op_, MPI_Comm comm_);
int MPISHM_Neighbor_allgather(const void *sendbuf_, int sendcount_, MPI_Datatype sendtype_, void *recvbuf_,
                              int recvcount_, MPI_Datatype recvtype_, MPI_Comm comm_);
int MPISHM_Neighbor_allgatherv(const void *sendbuf_, int sendcount_, MPI_Datatype sendtype_, void *recvbuf_,
                               const int recvcounts_[], const int displs_[], MPI_Datatype recvtype_, MPI_Comm comm_);
int MPISHM_Neighbor_alltoall(const void *sendbuf_, int sendcount_, MPI_Datatype sendtype_, void *recvbuf_,
                             int recvcount_, MPI_Datatype recvtype_, MPI_Comm comm_);
int MPISHM_Neighbor_alltoallv(const void *sendbuf_, const int sendcounts_[], const int sdispls_[],
                              MPI_Datatype sendtype_, void *recvbuf_, const int recvcounts_[], const int rdispls_[],
                              MPI_Datatype recvtype_, MPI_Comm comm_);
int MPISHM_Neighbor_alltoallw(const void *sendbuf_, const int sendcounts_[], const MPI_Aint sdispls_[],
                              const MPI_Datatype sendtypes_[], void *recvbuf_, const int recvcounts_[],
                              const MPI_Aint rdispls_[], const MPI_Datatype recvtypes_[], MPI_Comm comm_);
#if MPI_VERSION >= 4
int MPISHM_Bcast_c(void *buffer_, MPI_Count count_, MPI_Datatype datatype_, int root_, MPI_Comm comm_);
int MPISHM_Allreduce_c(const void *sendbuf_, void *recvbuf_, MPI_Count count_, MPI_Datatype datatype_, MPI_Op op_,
                       MPI_Comm comm_);
int MPISHM_Reduce_c(const void *sendbuf_, void *recvbuf_, MPI_Count count_, MPI_Datatype datatype_, MPI_Op op_,
                    int root_, MPI_Comm comm_);
int MPISHM_Alltoall_c(const void *sendbuf_, MPI_Count sendcount_, MPI_Datatype sendtype_, void *recvbuf_,
                      MPI_Count recvcount_, MPI_Datatype recvtype_, MPI_Comm comm_);
int MPISHM_Alltoallv_c(const void *sendbuf_, const MPI_Count sendcounts_[], const MPI_Aint sdispls_[],
                       MPI_Datatype sendtype_, void *recvbuf_, const MPI_Count recvcounts_[], const MPI_Aint rdispls_[],
                       MPI_Datatype recvtype_, MPI_Comm comm_);
int MPISHM_Alltoallw_c(const void *sendbuf_, const MPI_Count sendcounts_[], const MPI_Aint sdispls_[],
                       const MPI_Datatype sendtypes_[], void *recvbuf_, const MPI_Count recvcounts_[],
                       const MPI_Aint rdispls_[], const MPI_Datatype recvtypes_[], MPI_Comm comm_);
int MPISHM_Allgather_c(const void *sendbuf_, MPI_Count sendcount_, MPI_Datatype sendtype_, void *recvbuf_,
                       MPI_Count recvcount_, MPI_Datatype recvtype_, MPI_Comm comm_);
int MPISHM_Allgatherv_c(const void *sendbuf_, MPI_Count sendcount_, MPI_Datatype sendtype_, void *recvbuf_,
                        const MPI_Count recvcounts_[], const MPI_Aint displs_[], MPI_Datatype recvtype_,
                        MPI_Comm comm_);
int MPISHM_Gather_c(const void *sendbuf_, MPI_Count sendcount_, MPI_Datatype sendtype_, void *recvbuf_,
                    MPI_Count recvcount_, MPI_Datatype recvtype_, int root_, MPI_Comm comm_);
int MPISHM_Gatherv_c(const void *sendbuf_, MPI_Count sendcount_, MPI_Datatype sendtype_, void *recvbuf_,
                     const MPI_Count recvcounts_[], const MPI_Aint displs_[], MPI_Datatype recvtype_, int root_,
                     MPI_Comm comm_);
int MPISHM_Scatter_c(const void *sendbuf_, MPI_Count sendcount_, MPI_Datatype sendtype_, void *recvbuf_,
                     MPI_Count recvcount_, MPI_Datatype recvtype_, int root_, MPI_Comm comm_);
int MPISHM_Scatterv_c(const void *sendbuf_, const MPI_Count sendcounts_[], const MPI_Aint displs_[],
                      MPI_Datatype sendtype_, void *recvbuf_, MPI_Count recvcount_, MPI_Datatype recvtype_, int root_,
                      MPI_Comm comm_);
int MPISHM_Scan_c(const void *sendbuf_, void *recvbuf_, MPI_Count count_, MPI_Datatype datatype_, MPI_Op op_,
                  MPI_Comm comm_);
int MPISHM_Exscan_c(const void *sendbuf_, void *recvbuf_, MPI_Count count_, MPI_Datatype datatype_, MPI_Op op_,
                    MPI_Comm comm_);
int MPISHM_Reduce_scatter_c(const void *sendbuf_, void *recvbuf_, const MPI_Count recvcounts_[], MPI_Datatype datatype_,
                            MPI_Op op_, MPI_Comm comm_);
int MPISHM_Reduce_scatter_block_c(const void *sendbuf_, void *recvbuf_, MPI_Count recvcount_, MPI_Datatype datatype_,
                                  MPI_Op op_, MPI_Comm comm_);
int MPISHM_Neighbor_allgather_c(const void *sendbuf_, MPI_Count sendcount_, MPI_Datatype sendtype_, void *recvbuf_,
                                MPI_Count recvcount_, MPI_Datatype recvtype_, MPI_Comm comm_);
int MPISHM_Neighbor_allgatherv_c(const void *sendbuf_, MPI_Count sendcount_, MPI_Datatype sendtype_, void *recvbuf_,
                                 const MPI_Count recvcounts_[], const MPI_Aint displs_[], MPI_Datatype recvtype_,
                                 MPI_Comm comm_);
int MPISHM_Neighbor_alltoall_c(const void *sendbuf_, MPI_Count sendcount_, MPI_Datatype sendtype_, void *recvbuf_,
                               MPI_Count recvcount_, MPI_Datatype recvtype_, MPI_Comm comm_);
int MPISHM_Neighbor_alltoallv_c(const void *sendbuf_, const MPI_Count sendcounts_[], const MPI_Aint sdispls_[],
                                MPI_Datatype sendtype_, void *recvbuf_, const MPI_Count recvcounts_[],
                                const MPI_Aint rdispls_[], MPI_Datatype recvtype_, MPI_Comm comm_);
int MPISHM_Neighbor_alltoallw_c(const void *sendbuf_, const MPI_Count sendcounts_[], const MPI_Aint sdispls_[],
                                const MPI_Datatype sendtypes_[], void *recvbuf_, const MPI_Count recvcounts_[],
                                const MPI_Aint rdispls_[], const MPI_Datatype recvtypes_[], MPI_Comm comm_);
#endif

/* ---- Nonblocking collectives. Among members that are all on one node they are messages in the window, else MPI's. All
 * members must call these functions, or all MPI's; the requests go where those of messages go, but not to
 * MPISHM_Cancel or MPISHM_Request_free, and MPISHM_Wait or a relative ends them. ---- */

int MPISHM_Ibarrier(MPI_Comm comm_, MPI_Request *request_);
int MPISHM_Ibcast(void *buffer_, int count_, MPI_Datatype datatype_, int root_, MPI_Comm comm_, MPI_Request *request_);
int MPISHM_Igather(const void *sendbuf_, int sendcount_, MPI_Datatype sendtype_, void *recvbuf_, int recvcount_,
                   MPI_Datatype recvtype_, int root_, MPI_Comm comm_, MPI_Request *request_);
int MPISHM_Igatherv(const void *sendbuf_, int sendcount_, MPI_Datatype sendtype_, void *recvbuf_,
                    const int recvcounts_[], const int displs_[], MPI_Datatype recvtype_, int root_, MPI_Comm comm_,
                    MPI_Request *request_);
int MPISHM_Iscatter(const void *sendbuf_, int sendcount_, MPI_Datatype sendtype_, void *recvbuf_, int recvcount_,
                    MPI_Datatype recvtype_, int root_, MPI_Comm comm_, MPI_Request *request_);
int MPISHM_Iscatterv(const void *sendbuf_, const int sendcounts_[], const int displs_[], MPI_Datatype sendtype_,
                     void *recvbuf_, int recvcount_, MPI_Datatype recvtype_, int root_, MPI_Comm comm_,
                     MPI_Request *request_);
int MPISHM_Iallgather(const void *sendbuf_, int sendcount_, MPI_Datatype sendtype_, void *recvbuf_, int recvcount_,
                      MPI_Datatype recvtype_, MPI_Comm comm_, MPI_Request *request_);
int MPISHM_Iallgatherv(const void *sendbuf_, int sendcount_, MPI_Datatype sendtype_, void *recvbuf_,
                       const int recvcounts_[], const int displs_[], MPI_Datatype recvtype_, MPI_Comm comm_,
                       MPI_Request *request_);
int MPISHM_Ialltoall(const void *sendbuf_, int sendcount_, MPI_Datatype sendtype_, void *recvbuf_, int recvcount_,
                     MPI_Datatype recvtype_, MPI_Comm comm_, MPI_Request *request_);
int MPISHM_Ialltoallv(const void *sendbuf_, const int sendcounts_[], const int sdispls_[], MPI_Datatype sendtype_,
                      void *recvbuf_, const int recvcounts_[], const int rdispls_[], MPI_Datatype recvtype_,
                      MPI_Comm comm_, MPI_Request *request_);
int MPISHM_Ialltoallw(const void *sendbuf_, const int sendcounts_[], const int sdispls_[],
                      const MPI_Datatype sendtypes_[], void *recvbuf_, const int recvcounts_[], const int rdispls_[],
                      const MPI_Datatype recvtypes_[], MPI_Comm comm_, MPI_Request *request_);
/** Reductions of floating-point numbers, and others whose bits may depend on the library, are its own. */
int MPISHM_Iallreduce(const void *sendbuf_, void *recvbuf_, int count_, MPI_Datatype datatype_, MPI_Op op_,
                      MPI_Comm comm_, MPI_Request *request_);
int MPISHM_Ireduce(const void *sendbuf_, void *recvbuf_, int count_, MPI_Datatype datatype_, MPI_Op op_, int root_,
                   MPI_Comm comm_, MPI_Request *request_);
int MPISHM_Iscan(const void *sendbuf_, void *recvbuf_, int count_, MPI_Datatype datatype_, MPI_Op op_, MPI_Comm comm_,
                 MPI_Request *request_);
int MPISHM_Iexscan(const void *sendbuf_, void *recvbuf_, int count_, MPI_Datatype datatype_, MPI_Op op_, MPI_Comm comm_,
                   MPI_Request *request_);
int MPISHM_Ireduce_scatter(const void *sendbuf_, void *recvbuf_, const int recvcounts_[], MPI_Datatype datatype_,
                           MPI_Op op_, MPI_Comm comm_, MPI_Request *request_);
int MPISHM_Ireduce_scatter_block(const void *sendbuf_, void *recvbuf_, int recvcount_, MPI_Datatype datatype_,
                                 MPI_Op op_, MPI_Comm comm_, MPI_Request *request_);
int MPISHM_Ineighbor_allgather(const void *sendbuf_, int sendcount_, MPI_Datatype sendtype_, void *recvbuf_,
                               int recvcount_, MPI_Datatype recvtype_, MPI_Comm comm_, MPI_Request *request_);
int MPISHM_Ineighbor_allgatherv(const void *sendbuf_, int sendcount_, MPI_Datatype sendtype_, void *recvbuf_,
                                const int recvcounts_[], const int displs_[], MPI_Datatype recvtype_, MPI_Comm comm_,
                                MPI_Request *request_);
int MPISHM_Ineighbor_alltoall(const void *sendbuf_, int sendcount_, MPI_Datatype sendtype_, void *recvbuf_,
                              int recvcount_, MPI_Datatype recvtype_, MPI_Comm comm_, MPI_Request *request_);
int MPISHM_Ineighbor_alltoallv(const void *sendbuf_, const int sendcounts_[], const int sdispls_[],
                               MPI_Datatype sendtype_, void *recvbuf_, const int recvcounts_[], const int rdispls_[],
                               MPI_Datatype recvtype_, MPI_Comm comm_, MPI_Request *request_);
int MPISHM_Ineighbor_alltoallw(const void *sendbuf_, const int sendcounts_[], const MPI_Aint sdispls_[],
                               const MPI_Datatype sendtypes_[], void *recvbuf_, const int recvcounts_[],
                               const MPI_Aint rdispls_[], const MPI_Datatype recvtypes_[], MPI_Comm comm_,
                               MPI_Request *request_);
#if MPI_VERSION >= 4
int MPISHM_Ibcast_c(void *buffer_, MPI_Count count_, MPI_Datatype datatype_, int root_, MPI_Comm comm_,
                    MPI_Request *request_);
int MPISHM_Igather_c(const void *sendbuf_, MPI_Count sendcount_, MPI_Datatype sendtype_, void *recvbuf_,
                     MPI_Count recvcount_, MPI_Datatype recvtype_, int root_, MPI_Comm comm_, MPI_Request *request_);
int MPISHM_Igatherv_c(const void *sendbuf_, MPI_Count sendcount_, MPI_Datatype sendtype_, void *recvbuf_,
                      const MPI_Count recvcounts_[], const MPI_Aint displs_[], MPI_Datatype recvtype_, int root_,
                      MPI_Comm comm_, MPI_Request *request_);
int MPISHM_Iscatter_c(const void *sendbuf_, MPI_Count sendcount_, MPI_Datatype sendtype_, void *recvbuf_,
                      MPI_Count recvcount_, MPI_Datatype recvtype_, int root_, MPI_Comm comm_, MPI_Request *request_);
int MPISHM_Iscatterv_c(const void *sendbuf_, const MPI_Count sendcounts_[], const MPI_Aint displs_[],
                       MPI_Datatype sendtype_, void *recvbuf_, MPI_Count recvcount_, MPI_Datatype recvtype_, int root_,
                       MPI_Comm comm_, MPI_Request *request_);
int MPISHM_Iallgather_c(const void *sendbuf_, MPI_Count sendcount_, MPI_Datatype sendtype_, void *recvbuf_,
                        MPI_Count recvcount_, MPI_Datatype recvtype_, MPI_Comm comm_, MPI_Request *request_);
int MPISHM_Iallgatherv_c(const void *sendbuf_, MPI_Count sendcount_, MPI_Datatype sendtype_, void *recvbuf_,
                         const MPI_Count recvcounts_[], const MPI_Aint displs_[], MPI_Datatype recvtype_,
                         MPI_Comm comm_, MPI_Request *request_);
int MPISHM_Ialltoall_c(const void *sendbuf_, MPI_Count sendcount_, MPI_Datatype sendtype_, void *recvbuf_,
                       MPI_Count recvcount_, MPI_Datatype recvtype_, MPI_Comm comm_, MPI_Request *request_);
int MPISHM_Ialltoallv_c(const void *sendbuf_, const MPI_Count sendcounts_[], const MPI_Aint sdispls_[],
                        MPI_Datatype sendtype_, void *recvbuf_, const MPI_Count recvcounts_[],
                        const MPI_Aint rdispls_[], MPI_Datatype recvtype_, MPI_Comm comm_, MPI_Request *request_);
int MPISHM_Ialltoallw_c(const void *sendbuf_, const MPI_Count sendcounts_[], const MPI_Aint sdispls_[],
                        const MPI_Datatype sendtypes_[], void *recvbuf_, const MPI_Count recvcounts_[],
                        const MPI_Aint rdispls_[], const MPI_Datatype recvtypes_[], MPI_Comm comm_,
                        MPI_Request *request_);
int MPISHM_Iallreduce_c(const void *sendbuf_, void *recvbuf_, MPI_Count count_, MPI_Datatype datatype_, MPI_Op op_,
                        MPI_Comm comm_, MPI_Request *request_);
int MPISHM_Ireduce_c(const void *sendbuf_, void *recvbuf_, MPI_Count count_, MPI_Datatype datatype_, MPI_Op op_,
                     int root_, MPI_Comm comm_, MPI_Request *request_);
int MPISHM_Iscan_c(const void *sendbuf_, void *recvbuf_, MPI_Count count_, MPI_Datatype datatype_, MPI_Op op_,
                   MPI_Comm comm_, MPI_Request *request_);
int MPISHM_Iexscan_c(const void *sendbuf_, void *recvbuf_, MPI_Count count_, MPI_Datatype datatype_, MPI_Op op_,
                     MPI_Comm comm_, MPI_Request *request_);
int MPISHM_Ireduce_scatter_c(const void *sendbuf_, void *recvbuf_, const MPI_Count recvcounts_[],
                             MPI_Datatype datatype_, MPI_Op op_, MPI_Comm comm_, MPI_Request *request_);
int MPISHM_Ireduce_scatter_block_c(const void *sendbuf_, void *recvbuf_, MPI_Count recvcount_, MPI_Datatype datatype_,
                                   MPI_Op op_, MPI_Comm comm_, MPI_Request *request_);
int MPISHM_Ineighbor_allgather_c(const void *sendbuf_, MPI_Count sendcount_, MPI_Datatype sendtype_, void *recvbuf_,
                                 MPI_Count recvcount_, MPI_Datatype recvtype_, MPI_Comm comm_, MPI_Request *request_);
int MPISHM_Ineighbor_allgatherv_c(const void *sendbuf_, MPI_Count sendcount_, MPI_Datatype sendtype_, void *recvbuf_,
                                  const MPI_Count recvcounts_[], const MPI_Aint displs_[], MPI_Datatype recvtype_,
                                  MPI_Comm comm_, MPI_Request *request_);
int MPISHM_Ineighbor_alltoall_c(const void *sendbuf_, MPI_Count sendcount_, MPI_Datatype sendtype_, void *recvbuf_,
                                MPI_Count recvcount_, MPI_Datatype recvtype_, MPI_Comm comm_, MPI_Request *request_);
int MPISHM_Ineighbor_alltoallv_c(const void *sendbuf_, const MPI_Count sendcounts_[], const MPI_Aint sdispls_[],
                                 MPI_Datatype sendtype_, void *recvbuf_, const MPI_Count recvcounts_[],
                                 const MPI_Aint rdispls_[], MPI_Datatype recvtype_, MPI_Comm comm_,
                                 MPI_Request *request_);
int MPISHM_Ineighbor_alltoallw_c(const void *sendbuf_, const MPI_Count sendcounts_[], const MPI_Aint sdispls_[],
                                 const MPI_Datatype sendtypes_[], void *recvbuf_, const MPI_Count recvcounts_[],
                                 const MPI_Aint rdispls_[], const MPI_Datatype recvtypes_[], MPI_Comm comm_,
                                 MPI_Request *request_);
#endif

/* ---- Persistent collectives, where the MPI library has them (MPI 4, and Open MPI 5). As the nonblocking ones, and the
 * same of the start of each; all members must make their requests by these functions, or all by MPI's. MPISHM_Start and
 * MPISHM_Startall start them, MPISHM_Request_free frees one that is not under way. ---- */

#ifdef MPISHM_HAVE_ISENDRECV
#define MPISHM_HAVE_PERSISTENT_COLLECTIVES 1
int MPISHM_Barrier_init(MPI_Comm comm_, MPI_Info info_, MPI_Request *request_);
int MPISHM_Bcast_init(void *buffer_, int count_, MPI_Datatype datatype_, int root_, MPI_Comm comm_, MPI_Info info_,
                      MPI_Request *request_);
int MPISHM_Gather_init(const void *sendbuf_, int sendcount_, MPI_Datatype sendtype_, void *recvbuf_, int recvcount_,
                       MPI_Datatype recvtype_, int root_, MPI_Comm comm_, MPI_Info info_, MPI_Request *request_);
int MPISHM_Gatherv_init(const void *sendbuf_, int sendcount_, MPI_Datatype sendtype_, void *recvbuf_,
                        const int recvcounts_[], const int displs_[], MPI_Datatype recvtype_, int root_, MPI_Comm comm_,
                        MPI_Info info_, MPI_Request *request_);
int MPISHM_Scatter_init(const void *sendbuf_, int sendcount_, MPI_Datatype sendtype_, void *recvbuf_, int recvcount_,
                        MPI_Datatype recvtype_, int root_, MPI_Comm comm_, MPI_Info info_, MPI_Request *request_);
int MPISHM_Scatterv_init(const void *sendbuf_, const int sendcounts_[], const int displs_[], MPI_Datatype sendtype_,
                         void *recvbuf_, int recvcount_, MPI_Datatype recvtype_, int root_, MPI_Comm comm_,
                         MPI_Info info_, MPI_Request *request_);
int MPISHM_Allgather_init(const void *sendbuf_, int sendcount_, MPI_Datatype sendtype_, void *recvbuf_, int recvcount_,
                          MPI_Datatype recvtype_, MPI_Comm comm_, MPI_Info info_, MPI_Request *request_);
int MPISHM_Allgatherv_init(const void *sendbuf_, int sendcount_, MPI_Datatype sendtype_, void *recvbuf_,
                           const int recvcounts_[], const int displs_[], MPI_Datatype recvtype_, MPI_Comm comm_,
                           MPI_Info info_, MPI_Request *request_);
int MPISHM_Alltoall_init(const void *sendbuf_, int sendcount_, MPI_Datatype sendtype_, void *recvbuf_, int recvcount_,
                         MPI_Datatype recvtype_, MPI_Comm comm_, MPI_Info info_, MPI_Request *request_);
int MPISHM_Alltoallv_init(const void *sendbuf_, const int sendcounts_[], const int sdispls_[], MPI_Datatype sendtype_,
                          void *recvbuf_, const int recvcounts_[], const int rdispls_[], MPI_Datatype recvtype_,
                          MPI_Comm comm_, MPI_Info info_, MPI_Request *request_);
int MPISHM_Alltoallw_init(const void *sendbuf_, const int sendcounts_[], const int sdispls_[],
                          const MPI_Datatype sendtypes_[], void *recvbuf_, const int recvcounts_[],
                          const int rdispls_[], const MPI_Datatype recvtypes_[], MPI_Comm comm_, MPI_Info info_,
                          MPI_Request *request_);
/** Reductions of floating-point numbers, and others whose bits may depend on the library, are its own. */
int MPISHM_Allreduce_init(const void *sendbuf_, void *recvbuf_, int count_, MPI_Datatype datatype_, MPI_Op op_,
                          MPI_Comm comm_, MPI_Info info_, MPI_Request *request_);
int MPISHM_Reduce_init(const void *sendbuf_, void *recvbuf_, int count_, MPI_Datatype datatype_, MPI_Op op_, int root_,
                       MPI_Comm comm_, MPI_Info info_, MPI_Request *request_);
int MPISHM_Scan_init(const void *sendbuf_, void *recvbuf_, int count_, MPI_Datatype datatype_, MPI_Op op_,
                     MPI_Comm comm_, MPI_Info info_, MPI_Request *request_);
int MPISHM_Exscan_init(const void *sendbuf_, void *recvbuf_, int count_, MPI_Datatype datatype_, MPI_Op op_,
                       MPI_Comm comm_, MPI_Info info_, MPI_Request *request_);
int MPISHM_Reduce_scatter_init(const void *sendbuf_, void *recvbuf_, const int recvcounts_[], MPI_Datatype datatype_,
                               MPI_Op op_, MPI_Comm comm_, MPI_Info info_, MPI_Request *request_);
int MPISHM_Reduce_scatter_block_init(const void *sendbuf_, void *recvbuf_, int recvcount_, MPI_Datatype datatype_,
                                     MPI_Op op_, MPI_Comm comm_, MPI_Info info_, MPI_Request *request_);
int MPISHM_Neighbor_allgather_init(const void *sendbuf_, int sendcount_, MPI_Datatype sendtype_, void *recvbuf_,
                                   int recvcount_, MPI_Datatype recvtype_, MPI_Comm comm_, MPI_Info info_,
                                   MPI_Request *request_);
int MPISHM_Neighbor_allgatherv_init(const void *sendbuf_, int sendcount_, MPI_Datatype sendtype_, void *recvbuf_,
                                    const int recvcounts_[], const int displs_[], MPI_Datatype recvtype_,
                                    MPI_Comm comm_, MPI_Info info_, MPI_Request *request_);
int MPISHM_Neighbor_alltoall_init(const void *sendbuf_, int sendcount_, MPI_Datatype sendtype_, void *recvbuf_,
                                  int recvcount_, MPI_Datatype recvtype_, MPI_Comm comm_, MPI_Info info_,
                                  MPI_Request *request_);
int MPISHM_Neighbor_alltoallv_init(const void *sendbuf_, const int sendcounts_[], const int sdispls_[],
                                   MPI_Datatype sendtype_, void *recvbuf_, const int recvcounts_[],
                                   const int rdispls_[], MPI_Datatype recvtype_, MPI_Comm comm_, MPI_Info info_,
                                   MPI_Request *request_);
int MPISHM_Neighbor_alltoallw_init(const void *sendbuf_, const int sendcounts_[], const MPI_Aint sdispls_[],
                                   const MPI_Datatype sendtypes_[], void *recvbuf_, const int recvcounts_[],
                                   const MPI_Aint rdispls_[], const MPI_Datatype recvtypes_[], MPI_Comm comm_,
                                   MPI_Info info_, MPI_Request *request_);
#endif
#if MPI_VERSION >= 4
int MPISHM_Bcast_init_c(void *buffer_, MPI_Count count_, MPI_Datatype datatype_, int root_, MPI_Comm comm_,
                        MPI_Info info_, MPI_Request *request_);
int MPISHM_Gather_init_c(const void *sendbuf_, MPI_Count sendcount_, MPI_Datatype sendtype_, void *recvbuf_,
                         MPI_Count recvcount_, MPI_Datatype recvtype_, int root_, MPI_Comm comm_, MPI_Info info_,
                         MPI_Request *request_);
int MPISHM_Gatherv_init_c(const void *sendbuf_, MPI_Count sendcount_, MPI_Datatype sendtype_, void *recvbuf_,
                          const MPI_Count recvcounts_[], const MPI_Aint displs_[], MPI_Datatype recvtype_, int root_,
                          MPI_Comm comm_, MPI_Info info_, MPI_Request *request_);
int MPISHM_Scatter_init_c(const void *sendbuf_, MPI_Count sendcount_, MPI_Datatype sendtype_, void *recvbuf_,
                          MPI_Count recvcount_, MPI_Datatype recvtype_, int root_, MPI_Comm comm_, MPI_Info info_,
                          MPI_Request *request_);
int MPISHM_Scatterv_init_c(const void *sendbuf_, const MPI_Count sendcounts_[], const MPI_Aint displs_[],
                           MPI_Datatype sendtype_, void *recvbuf_, MPI_Count recvcount_, MPI_Datatype recvtype_,
                           int root_, MPI_Comm comm_, MPI_Info info_, MPI_Request *request_);
int MPISHM_Allgather_init_c(const void *sendbuf_, MPI_Count sendcount_, MPI_Datatype sendtype_, void *recvbuf_,
                            MPI_Count recvcount_, MPI_Datatype recvtype_, MPI_Comm comm_, MPI_Info info_,
                            MPI_Request *request_);
int MPISHM_Allgatherv_init_c(const void *sendbuf_, MPI_Count sendcount_, MPI_Datatype sendtype_, void *recvbuf_,
                             const MPI_Count recvcounts_[], const MPI_Aint displs_[], MPI_Datatype recvtype_,
                             MPI_Comm comm_, MPI_Info info_, MPI_Request *request_);
int MPISHM_Alltoall_init_c(const void *sendbuf_, MPI_Count sendcount_, MPI_Datatype sendtype_, void *recvbuf_,
                           MPI_Count recvcount_, MPI_Datatype recvtype_, MPI_Comm comm_, MPI_Info info_,
                           MPI_Request *request_);
int MPISHM_Alltoallv_init_c(const void *sendbuf_, const MPI_Count sendcounts_[], const MPI_Aint sdispls_[],
                            MPI_Datatype sendtype_, void *recvbuf_, const MPI_Count recvcounts_[],
                            const MPI_Aint rdispls_[], MPI_Datatype recvtype_, MPI_Comm comm_, MPI_Info info_,
                            MPI_Request *request_);
int MPISHM_Alltoallw_init_c(const void *sendbuf_, const MPI_Count sendcounts_[], const MPI_Aint sdispls_[],
                            const MPI_Datatype sendtypes_[], void *recvbuf_, const MPI_Count recvcounts_[],
                            const MPI_Aint rdispls_[], const MPI_Datatype recvtypes_[], MPI_Comm comm_, MPI_Info info_,
                            MPI_Request *request_);
int MPISHM_Allreduce_init_c(const void *sendbuf_, void *recvbuf_, MPI_Count count_, MPI_Datatype datatype_, MPI_Op op_,
                            MPI_Comm comm_, MPI_Info info_, MPI_Request *request_);
int MPISHM_Reduce_init_c(const void *sendbuf_, void *recvbuf_, MPI_Count count_, MPI_Datatype datatype_, MPI_Op op_,
                         int root_, MPI_Comm comm_, MPI_Info info_, MPI_Request *request_);
int MPISHM_Scan_init_c(const void *sendbuf_, void *recvbuf_, MPI_Count count_, MPI_Datatype datatype_, MPI_Op op_,
                       MPI_Comm comm_, MPI_Info info_, MPI_Request *request_);
int MPISHM_Exscan_init_c(const void *sendbuf_, void *recvbuf_, MPI_Count count_, MPI_Datatype datatype_, MPI_Op op_,
                         MPI_Comm comm_, MPI_Info info_, MPI_Request *request_);
int MPISHM_Reduce_scatter_init_c(const void *sendbuf_, void *recvbuf_, const MPI_Count recvcounts_[],
                                 MPI_Datatype datatype_, MPI_Op op_, MPI_Comm comm_, MPI_Info info_,
                                 MPI_Request *request_);
int MPISHM_Reduce_scatter_block_init_c(const void *sendbuf_, void *recvbuf_, MPI_Count recvcount_,
                                       MPI_Datatype datatype_, MPI_Op op_, MPI_Comm comm_, MPI_Info info_,
                                       MPI_Request *request_);
int MPISHM_Neighbor_allgather_init_c(const void *sendbuf_, MPI_Count sendcount_, MPI_Datatype sendtype_, void *recvbuf_,
                                     MPI_Count recvcount_, MPI_Datatype recvtype_, MPI_Comm comm_, MPI_Info info_,
                                     MPI_Request *request_);
int MPISHM_Neighbor_allgatherv_init_c(const void *sendbuf_, MPI_Count sendcount_, MPI_Datatype sendtype_,
                                      void *recvbuf_, const MPI_Count recvcounts_[], const MPI_Aint displs_[],
                                      MPI_Datatype recvtype_, MPI_Comm comm_, MPI_Info info_, MPI_Request *request_);
int MPISHM_Neighbor_alltoall_init_c(const void *sendbuf_, MPI_Count sendcount_, MPI_Datatype sendtype_, void *recvbuf_,
                                    MPI_Count recvcount_, MPI_Datatype recvtype_, MPI_Comm comm_, MPI_Info info_,
                                    MPI_Request *request_);
int MPISHM_Neighbor_alltoallv_init_c(const void *sendbuf_, const MPI_Count sendcounts_[], const MPI_Aint sdispls_[],
                                     MPI_Datatype sendtype_, void *recvbuf_, const MPI_Count recvcounts_[],
                                     const MPI_Aint rdispls_[], MPI_Datatype recvtype_, MPI_Comm comm_, MPI_Info info_,
                                     MPI_Request *request_);
int MPISHM_Neighbor_alltoallw_init_c(const void *sendbuf_, const MPI_Count sendcounts_[], const MPI_Aint sdispls_[],
                                     const MPI_Datatype sendtypes_[], void *recvbuf_, const MPI_Count recvcounts_[],
                                     const MPI_Aint rdispls_[], const MPI_Datatype recvtypes_[], MPI_Comm comm_,
                                     MPI_Info info_, MPI_Request *request_);
#endif

/* ---- One-sided communication. MPI makes the window, then it is registered, collectively over the members on a node:
 * operations on it, and its epochs, are by loads and stores inside the node. A window that was not made by one of the
 * first three is MPI's. All operations on a window, and its epochs, must be by these functions, or all by MPI's. ----
 */

int MPISHM_Win_create(void *base_, MPI_Aint size_, int disp_unit_, MPI_Info info_, MPI_Comm comm_, MPI_Win *win_);
int MPISHM_Win_allocate(MPI_Aint size_, int disp_unit_, MPI_Info info_, MPI_Comm comm_, void *baseptr_, MPI_Win *win_);
int MPISHM_Win_allocate_shared(MPI_Aint size_, int disp_unit_, MPI_Info info_, MPI_Comm comm_, void *baseptr_,
                               MPI_Win *win_);
/** Frees the window, and what MPISHM_Win_allocate has allocated for it. */
int MPISHM_Win_free(MPI_Win *win_);
/** Also of a window of MPISHM_Win_allocate, which MPI's own function may take for one of MPI_Win_create. */
int MPISHM_Win_get_attr(MPI_Win win_, int win_keyval_, void *attribute_val_, int *flag_);

int MPISHM_Put(const void *origin_addr_, int origin_count_, MPI_Datatype origin_datatype_, int target_rank_,
               MPI_Aint target_disp_, int target_count_, MPI_Datatype target_datatype_, MPI_Win win_);
int MPISHM_Get(void *origin_addr_, int origin_count_, MPI_Datatype origin_datatype_, int target_rank_,
               MPI_Aint target_disp_, int target_count_, MPI_Datatype target_datatype_, MPI_Win win_);
int MPISHM_Accumulate(const void *origin_addr_, int origin_count_, MPI_Datatype origin_datatype_, int target_rank_,
                      MPI_Aint target_disp_, int target_count_, MPI_Datatype target_datatype_, MPI_Op op_,
                      MPI_Win win_);
int MPISHM_Get_accumulate(const void *origin_addr_, int origin_count_, MPI_Datatype origin_datatype_,
                          void *result_addr_, int result_count_, MPI_Datatype result_datatype_, int target_rank_,
                          MPI_Aint target_disp_, int target_count_, MPI_Datatype target_datatype_, MPI_Op op_,
                          MPI_Win win_);
int MPISHM_Fetch_and_op(const void *origin_addr_, void *result_addr_, MPI_Datatype datatype_, int target_rank_,
                        MPI_Aint target_disp_, MPI_Op op_, MPI_Win win_);
int MPISHM_Compare_and_swap(const void *origin_addr_, const void *compare_addr_, void *result_addr_,
                            MPI_Datatype datatype_, int target_rank_, MPI_Aint target_disp_, MPI_Win win_);
/** Requests of these are MPI's: any completion takes them, MPI's own as well. */
int MPISHM_Rput(const void *origin_addr_, int origin_count_, MPI_Datatype origin_datatype_, int target_rank_,
                MPI_Aint target_disp_, int target_count_, MPI_Datatype target_datatype_, MPI_Win win_,
                MPI_Request *request_);
int MPISHM_Rget(void *origin_addr_, int origin_count_, MPI_Datatype origin_datatype_, int target_rank_,
                MPI_Aint target_disp_, int target_count_, MPI_Datatype target_datatype_, MPI_Win win_,
                MPI_Request *request_);
int MPISHM_Raccumulate(const void *origin_addr_, int origin_count_, MPI_Datatype origin_datatype_, int target_rank_,
                       MPI_Aint target_disp_, int target_count_, MPI_Datatype target_datatype_, MPI_Op op_,
                       MPI_Win win_, MPI_Request *request_);
int MPISHM_Rget_accumulate(const void *origin_addr_, int origin_count_, MPI_Datatype origin_datatype_,
                           void *result_addr_, int result_count_, MPI_Datatype result_datatype_, int target_rank_,
                           MPI_Aint target_disp_, int target_count_, MPI_Datatype target_datatype_, MPI_Op op_,
                           MPI_Win win_, MPI_Request *request_);

int MPISHM_Win_fence(int assert_, MPI_Win win_);
int MPISHM_Win_post(MPI_Group group_, int assert_, MPI_Win win_);
int MPISHM_Win_start(MPI_Group group_, int assert_, MPI_Win win_);
int MPISHM_Win_complete(MPI_Win win_);
int MPISHM_Win_wait(MPI_Win win_);
int MPISHM_Win_test(MPI_Win win_, int *flag_);
int MPISHM_Win_lock(int lock_type_, int rank_, int assert_, MPI_Win win_);
int MPISHM_Win_unlock(int rank_, MPI_Win win_);
int MPISHM_Win_lock_all(int assert_, MPI_Win win_);
int MPISHM_Win_unlock_all(MPI_Win win_);
int MPISHM_Win_flush(int rank_, MPI_Win win_);
int MPISHM_Win_flush_all(MPI_Win win_);
int MPISHM_Win_flush_local(int rank_, MPI_Win win_);
int MPISHM_Win_flush_local_all(MPI_Win win_);
int MPISHM_Win_sync(MPI_Win win_);

#if MPI_VERSION >= 4
int MPISHM_Win_create_c(void *base_, MPI_Aint size_, MPI_Aint disp_unit_, MPI_Info info_, MPI_Comm comm_,
                        MPI_Win *win_);
int MPISHM_Win_allocate_c(MPI_Aint size_, MPI_Aint disp_unit_, MPI_Info info_, MPI_Comm comm_, void *baseptr_,
                          MPI_Win *win_);
int MPISHM_Win_allocate_shared_c(MPI_Aint size_, MPI_Aint disp_unit_, MPI_Info info_, MPI_Comm comm_, void *baseptr_,
                                 MPI_Win *win_);
int MPISHM_Put_c(const void *origin_addr_, MPI_Count origin_count_, MPI_Datatype origin_datatype_, int target_rank_,
                 MPI_Aint target_disp_, MPI_Count target_count_, MPI_Datatype target_datatype_, MPI_Win win_);
int MPISHM_Get_c(void *origin_addr_, MPI_Count origin_count_, MPI_Datatype origin_datatype_, int target_rank_,
                 MPI_Aint target_disp_, MPI_Count target_count_, MPI_Datatype target_datatype_, MPI_Win win_);
int MPISHM_Accumulate_c(const void *origin_addr_, MPI_Count origin_count_, MPI_Datatype origin_datatype_,
                        int target_rank_, MPI_Aint target_disp_, MPI_Count target_count_, MPI_Datatype target_datatype_,
                        MPI_Op op_, MPI_Win win_);
int MPISHM_Get_accumulate_c(const void *origin_addr_, MPI_Count origin_count_, MPI_Datatype origin_datatype_,
                            void *result_addr_, MPI_Count result_count_, MPI_Datatype result_datatype_,
                            int target_rank_, MPI_Aint target_disp_, MPI_Count target_count_,
                            MPI_Datatype target_datatype_, MPI_Op op_, MPI_Win win_);
int MPISHM_Rput_c(const void *origin_addr_, MPI_Count origin_count_, MPI_Datatype origin_datatype_, int target_rank_,
                  MPI_Aint target_disp_, MPI_Count target_count_, MPI_Datatype target_datatype_, MPI_Win win_,
                  MPI_Request *request_);
int MPISHM_Rget_c(void *origin_addr_, MPI_Count origin_count_, MPI_Datatype origin_datatype_, int target_rank_,
                  MPI_Aint target_disp_, MPI_Count target_count_, MPI_Datatype target_datatype_, MPI_Win win_,
                  MPI_Request *request_);
int MPISHM_Raccumulate_c(const void *origin_addr_, MPI_Count origin_count_, MPI_Datatype origin_datatype_,
                         int target_rank_, MPI_Aint target_disp_, MPI_Count target_count_,
                         MPI_Datatype target_datatype_, MPI_Op op_, MPI_Win win_, MPI_Request *request_);
int MPISHM_Rget_accumulate_c(const void *origin_addr_, MPI_Count origin_count_, MPI_Datatype origin_datatype_,
                             void *result_addr_, MPI_Count result_count_, MPI_Datatype result_datatype_,
                             int target_rank_, MPI_Aint target_disp_, MPI_Count target_count_,
                             MPI_Datatype target_datatype_, MPI_Op op_, MPI_Win win_, MPI_Request *request_);
#endif

/* ---- Memory for message buffers. ---- */

/** MPI_Alloc_mem with the memory in the window, page aligned, as long as there is room; then messages that are sent
 * from it or received into it are copied once. Belongs to the caller until MPISHM_Free_mem. */
int MPISHM_Alloc_mem(MPI_Aint size_, MPI_Info info_, void *baseptr_);
/** Frees what MPISHM_Alloc_mem or MPI_Alloc_mem returned. */
int MPISHM_Free_mem(void *base_);

/* The C library's functions of these names, with the memory in the window as long as there is room, else, and before
 * MPISHM_Init, after MPI_Finalize and with MPISHM_DISABLE, from the C library. Results, alignment (64 bytes in the
 * window) and errno are those of the C library; what is not freed can be used after MPI_Finalize. Thread-safe at every
 * thread level. MPISHM_Free and MPISHM_Realloc take any pointer of these functions or of the C library; free and
 * realloc must not be given one of these functions. */
void *MPISHM_Malloc(size_t size_) MPISHM_THROW;
void *MPISHM_Calloc(size_t count_, size_t size_) MPISHM_THROW;
void *MPISHM_Realloc(void *pointer_, size_t size_) MPISHM_THROW;
void *MPISHM_Aligned_alloc(size_t alignment_, size_t size_) MPISHM_THROW;
int MPISHM_Posix_memalign(void **pointer_, size_t alignment_, size_t size_) MPISHM_THROW;
void MPISHM_Free(void *pointer_) MPISHM_THROW;

/** Moves what the C library's malloc or a relative has just returned into the window, and returns its new place; where
 * there is no room, and for NULL, does nothing and returns `pointer_`. So memory that a function of the program's makes
 * for many gets there where that function is called, `face = MPISHM_To_window(take(n))`, and nowhere else. Its content
 * moves along, its alignment stays that of `pointer_`; nobody else may have its address yet. Freed by MPISHM_Free. */
void *MPISHM_To_window(void *pointer_) MPISHM_NOEXCEPT;

/** Lets the arrays from `first_` on, up to `end_`, lie in the window, at the addresses where they are and with what is
 * in them, from MPISHM_Init on. Where that cannot be (no room; other threads of the program's may run; a shared
 * library's array; MPI is initialised already) nothing changes; nor where an array, or the records at `first_`, were
 * told of before. Not thread-safe. See MPISHM_ARRAY. */
void MPISHM_Place_arrays(const struct MPISHM_Array *first_, const struct MPISHM_Array *end_) MPISHM_NOEXCEPT;

/** Memory in the window or NULL, never the C library's. */
void *MPISHM_Window_allocate(size_t alignment_, size_t size_) MPISHM_NOEXCEPT;
/** Frees memory in the window and returns 1; returns 0 for any other pointer, which it leaves alone. */
int MPISHM_Window_free(void *pointer_) MPISHM_NOEXCEPT;

#ifdef __cplusplus
}
#endif
#if defined(__GNUC__)
#pragma GCC visibility pop
#endif

#else /* MPISHM_OFF */

/* ---- Without libmpishm each name is again MPI's or the C library's. A new function needs its line here. ---- */

#define MPISHM_Init MPI_Init
#define MPISHM_Init_thread MPI_Init_thread
#define MPISHM_Init_guarded MPI_Init
#define MPISHM_Init_thread_guarded MPI_Init_thread
#define MPISHM_Init_nodewise MPI_Init
#define MPISHM_Init_thread_nodewise MPI_Init_thread
#define MPISHM_Init_nodewise_guarded MPI_Init
#define MPISHM_Init_thread_nodewise_guarded MPI_Init_thread
#define MPISHM_Comm_dup MPI_Comm_dup
#define MPISHM_Comm_dup_with_info MPI_Comm_dup_with_info
#define MPISHM_Comm_idup MPI_Comm_idup
#define MPISHM_Comm_idup_with_info MPI_Comm_idup_with_info
#define MPISHM_Comm_split MPI_Comm_split
#define MPISHM_Comm_split_type MPI_Comm_split_type
#define MPISHM_Comm_create MPI_Comm_create
#define MPISHM_Comm_create_group MPI_Comm_create_group
#define MPISHM_Cart_create MPI_Cart_create
#define MPISHM_Cart_sub MPI_Cart_sub
#define MPISHM_Graph_create MPI_Graph_create
#define MPISHM_Dist_graph_create MPI_Dist_graph_create
#define MPISHM_Dist_graph_create_adjacent MPI_Dist_graph_create_adjacent
#define MPISHM_Barrier MPI_Barrier
#define MPISHM_Bcast MPI_Bcast
#define MPISHM_Bcast_c MPI_Bcast_c
#define MPISHM_Allreduce MPI_Allreduce
#define MPISHM_Allreduce_c MPI_Allreduce_c
#define MPISHM_Reduce MPI_Reduce
#define MPISHM_Reduce_c MPI_Reduce_c
#define MPISHM_Alltoall MPI_Alltoall
#define MPISHM_Alltoall_c MPI_Alltoall_c
#define MPISHM_Alltoallv MPI_Alltoallv
#define MPISHM_Alltoallv_c MPI_Alltoallv_c
#define MPISHM_Alltoallw MPI_Alltoallw
#define MPISHM_Alltoallw_c MPI_Alltoallw_c
#define MPISHM_Allgather MPI_Allgather
#define MPISHM_Allgather_c MPI_Allgather_c
#define MPISHM_Allgatherv MPI_Allgatherv
#define MPISHM_Allgatherv_c MPI_Allgatherv_c
#define MPISHM_Gather MPI_Gather
#define MPISHM_Gather_c MPI_Gather_c
#define MPISHM_Gatherv MPI_Gatherv
#define MPISHM_Gatherv_c MPI_Gatherv_c
#define MPISHM_Scatter MPI_Scatter
#define MPISHM_Scatter_c MPI_Scatter_c
#define MPISHM_Scatterv MPI_Scatterv
#define MPISHM_Scatterv_c MPI_Scatterv_c
#define MPISHM_Scan MPI_Scan
#define MPISHM_Scan_c MPI_Scan_c
#define MPISHM_Exscan MPI_Exscan
#define MPISHM_Exscan_c MPI_Exscan_c
#define MPISHM_Reduce_scatter MPI_Reduce_scatter
#define MPISHM_Reduce_scatter_c MPI_Reduce_scatter_c
#define MPISHM_Reduce_scatter_block MPI_Reduce_scatter_block
#define MPISHM_Reduce_scatter_block_c MPI_Reduce_scatter_block_c
#define MPISHM_Neighbor_allgather MPI_Neighbor_allgather
#define MPISHM_Neighbor_allgather_c MPI_Neighbor_allgather_c
#define MPISHM_Neighbor_allgatherv MPI_Neighbor_allgatherv
#define MPISHM_Neighbor_allgatherv_c MPI_Neighbor_allgatherv_c
#define MPISHM_Neighbor_alltoall MPI_Neighbor_alltoall
#define MPISHM_Neighbor_alltoall_c MPI_Neighbor_alltoall_c
#define MPISHM_Neighbor_alltoallv MPI_Neighbor_alltoallv
#define MPISHM_Neighbor_alltoallv_c MPI_Neighbor_alltoallv_c
#define MPISHM_Neighbor_alltoallw MPI_Neighbor_alltoallw
#define MPISHM_Neighbor_alltoallw_c MPI_Neighbor_alltoallw_c
#define MPISHM_Ibarrier MPI_Ibarrier
#define MPISHM_Ibcast MPI_Ibcast
#define MPISHM_Ibcast_c MPI_Ibcast_c
#define MPISHM_Igather MPI_Igather
#define MPISHM_Igather_c MPI_Igather_c
#define MPISHM_Igatherv MPI_Igatherv
#define MPISHM_Igatherv_c MPI_Igatherv_c
#define MPISHM_Iscatter MPI_Iscatter
#define MPISHM_Iscatter_c MPI_Iscatter_c
#define MPISHM_Iscatterv MPI_Iscatterv
#define MPISHM_Iscatterv_c MPI_Iscatterv_c
#define MPISHM_Iallgather MPI_Iallgather
#define MPISHM_Iallgather_c MPI_Iallgather_c
#define MPISHM_Iallgatherv MPI_Iallgatherv
#define MPISHM_Iallgatherv_c MPI_Iallgatherv_c
#define MPISHM_Ialltoall MPI_Ialltoall
#define MPISHM_Ialltoall_c MPI_Ialltoall_c
#define MPISHM_Ialltoallv MPI_Ialltoallv
#define MPISHM_Ialltoallv_c MPI_Ialltoallv_c
#define MPISHM_Ialltoallw MPI_Ialltoallw
#define MPISHM_Ialltoallw_c MPI_Ialltoallw_c
#define MPISHM_Iallreduce MPI_Iallreduce
#define MPISHM_Iallreduce_c MPI_Iallreduce_c
#define MPISHM_Ireduce MPI_Ireduce
#define MPISHM_Ireduce_c MPI_Ireduce_c
#define MPISHM_Iscan MPI_Iscan
#define MPISHM_Iscan_c MPI_Iscan_c
#define MPISHM_Iexscan MPI_Iexscan
#define MPISHM_Iexscan_c MPI_Iexscan_c
#define MPISHM_Ireduce_scatter MPI_Ireduce_scatter
#define MPISHM_Ireduce_scatter_c MPI_Ireduce_scatter_c
#define MPISHM_Ireduce_scatter_block MPI_Ireduce_scatter_block
#define MPISHM_Ireduce_scatter_block_c MPI_Ireduce_scatter_block_c
#define MPISHM_Ineighbor_allgather MPI_Ineighbor_allgather
#define MPISHM_Ineighbor_allgather_c MPI_Ineighbor_allgather_c
#define MPISHM_Ineighbor_allgatherv MPI_Ineighbor_allgatherv
#define MPISHM_Ineighbor_allgatherv_c MPI_Ineighbor_allgatherv_c
#define MPISHM_Ineighbor_alltoall MPI_Ineighbor_alltoall
#define MPISHM_Ineighbor_alltoall_c MPI_Ineighbor_alltoall_c
#define MPISHM_Ineighbor_alltoallv MPI_Ineighbor_alltoallv
#define MPISHM_Ineighbor_alltoallv_c MPI_Ineighbor_alltoallv_c
#define MPISHM_Ineighbor_alltoallw MPI_Ineighbor_alltoallw
#define MPISHM_Ineighbor_alltoallw_c MPI_Ineighbor_alltoallw_c
#define MPISHM_Barrier_init MPI_Barrier_init
#define MPISHM_Bcast_init MPI_Bcast_init
#define MPISHM_Bcast_init_c MPI_Bcast_init_c
#define MPISHM_Gather_init MPI_Gather_init
#define MPISHM_Gather_init_c MPI_Gather_init_c
#define MPISHM_Gatherv_init MPI_Gatherv_init
#define MPISHM_Gatherv_init_c MPI_Gatherv_init_c
#define MPISHM_Scatter_init MPI_Scatter_init
#define MPISHM_Scatter_init_c MPI_Scatter_init_c
#define MPISHM_Scatterv_init MPI_Scatterv_init
#define MPISHM_Scatterv_init_c MPI_Scatterv_init_c
#define MPISHM_Allgather_init MPI_Allgather_init
#define MPISHM_Allgather_init_c MPI_Allgather_init_c
#define MPISHM_Allgatherv_init MPI_Allgatherv_init
#define MPISHM_Allgatherv_init_c MPI_Allgatherv_init_c
#define MPISHM_Alltoall_init MPI_Alltoall_init
#define MPISHM_Alltoall_init_c MPI_Alltoall_init_c
#define MPISHM_Alltoallv_init MPI_Alltoallv_init
#define MPISHM_Alltoallv_init_c MPI_Alltoallv_init_c
#define MPISHM_Alltoallw_init MPI_Alltoallw_init
#define MPISHM_Alltoallw_init_c MPI_Alltoallw_init_c
#define MPISHM_Allreduce_init MPI_Allreduce_init
#define MPISHM_Allreduce_init_c MPI_Allreduce_init_c
#define MPISHM_Reduce_init MPI_Reduce_init
#define MPISHM_Reduce_init_c MPI_Reduce_init_c
#define MPISHM_Scan_init MPI_Scan_init
#define MPISHM_Scan_init_c MPI_Scan_init_c
#define MPISHM_Exscan_init MPI_Exscan_init
#define MPISHM_Exscan_init_c MPI_Exscan_init_c
#define MPISHM_Reduce_scatter_init MPI_Reduce_scatter_init
#define MPISHM_Reduce_scatter_init_c MPI_Reduce_scatter_init_c
#define MPISHM_Reduce_scatter_block_init MPI_Reduce_scatter_block_init
#define MPISHM_Reduce_scatter_block_init_c MPI_Reduce_scatter_block_init_c
#define MPISHM_Neighbor_allgather_init MPI_Neighbor_allgather_init
#define MPISHM_Neighbor_allgather_init_c MPI_Neighbor_allgather_init_c
#define MPISHM_Neighbor_allgatherv_init MPI_Neighbor_allgatherv_init
#define MPISHM_Neighbor_allgatherv_init_c MPI_Neighbor_allgatherv_init_c
#define MPISHM_Neighbor_alltoall_init MPI_Neighbor_alltoall_init
#define MPISHM_Neighbor_alltoall_init_c MPI_Neighbor_alltoall_init_c
#define MPISHM_Neighbor_alltoallv_init MPI_Neighbor_alltoallv_init
#define MPISHM_Neighbor_alltoallv_init_c MPI_Neighbor_alltoallv_init_c
#define MPISHM_Neighbor_alltoallw_init MPI_Neighbor_alltoallw_init
#define MPISHM_Neighbor_alltoallw_init_c MPI_Neighbor_alltoallw_init_c
#define MPISHM_Win_create MPI_Win_create
#define MPISHM_Win_create_c MPI_Win_create_c
#define MPISHM_Win_allocate MPI_Win_allocate
#define MPISHM_Win_allocate_c MPI_Win_allocate_c
#define MPISHM_Win_allocate_shared MPI_Win_allocate_shared
#define MPISHM_Win_allocate_shared_c MPI_Win_allocate_shared_c
#define MPISHM_Put MPI_Put
#define MPISHM_Put_c MPI_Put_c
#define MPISHM_Get MPI_Get
#define MPISHM_Get_c MPI_Get_c
#define MPISHM_Accumulate MPI_Accumulate
#define MPISHM_Accumulate_c MPI_Accumulate_c
#define MPISHM_Get_accumulate MPI_Get_accumulate
#define MPISHM_Get_accumulate_c MPI_Get_accumulate_c
#define MPISHM_Rput MPI_Rput
#define MPISHM_Rput_c MPI_Rput_c
#define MPISHM_Rget MPI_Rget
#define MPISHM_Rget_c MPI_Rget_c
#define MPISHM_Raccumulate MPI_Raccumulate
#define MPISHM_Raccumulate_c MPI_Raccumulate_c
#define MPISHM_Rget_accumulate MPI_Rget_accumulate
#define MPISHM_Rget_accumulate_c MPI_Rget_accumulate_c
#define MPISHM_Fetch_and_op MPI_Fetch_and_op
#define MPISHM_Compare_and_swap MPI_Compare_and_swap
#define MPISHM_Win_free MPI_Win_free
#define MPISHM_Win_get_attr MPI_Win_get_attr
#define MPISHM_Win_fence MPI_Win_fence
#define MPISHM_Win_post MPI_Win_post
#define MPISHM_Win_start MPI_Win_start
#define MPISHM_Win_complete MPI_Win_complete
#define MPISHM_Win_wait MPI_Win_wait
#define MPISHM_Win_test MPI_Win_test
#define MPISHM_Win_lock MPI_Win_lock
#define MPISHM_Win_unlock MPI_Win_unlock
#define MPISHM_Win_lock_all MPI_Win_lock_all
#define MPISHM_Win_unlock_all MPI_Win_unlock_all
#define MPISHM_Win_flush MPI_Win_flush
#define MPISHM_Win_flush_all MPI_Win_flush_all
#define MPISHM_Win_flush_local MPI_Win_flush_local
#define MPISHM_Win_flush_local_all MPI_Win_flush_local_all
#define MPISHM_Win_sync MPI_Win_sync
#define MPISHM_Send MPI_Send
#define MPISHM_Ssend MPI_Ssend
#define MPISHM_Bsend MPI_Bsend
#define MPISHM_Rsend MPI_Rsend
#define MPISHM_Isend MPI_Isend
#define MPISHM_Issend MPI_Issend
#define MPISHM_Ibsend MPI_Ibsend
#define MPISHM_Irsend MPI_Irsend
#define MPISHM_Recv MPI_Recv
#define MPISHM_Irecv MPI_Irecv
#define MPISHM_Sendrecv MPI_Sendrecv
#define MPISHM_Sendrecv_replace MPI_Sendrecv_replace
#define MPISHM_Send_init MPI_Send_init
#define MPISHM_Ssend_init MPI_Ssend_init
#define MPISHM_Rsend_init MPI_Rsend_init
#define MPISHM_Bsend_init MPI_Bsend_init
#define MPISHM_Recv_init MPI_Recv_init
#define MPISHM_Start MPI_Start
#define MPISHM_Startall MPI_Startall
#define MPISHM_Isendrecv MPI_Isendrecv
#define MPISHM_Isendrecv_replace MPI_Isendrecv_replace
#define MPISHM_Isend_packed MPI_Isend
#define MPISHM_Send_packed MPI_Send
#define MPISHM_Send_c MPI_Send_c
#define MPISHM_Ssend_c MPI_Ssend_c
#define MPISHM_Bsend_c MPI_Bsend_c
#define MPISHM_Rsend_c MPI_Rsend_c
#define MPISHM_Isend_c MPI_Isend_c
#define MPISHM_Issend_c MPI_Issend_c
#define MPISHM_Ibsend_c MPI_Ibsend_c
#define MPISHM_Irsend_c MPI_Irsend_c
#define MPISHM_Recv_c MPI_Recv_c
#define MPISHM_Irecv_c MPI_Irecv_c
#define MPISHM_Sendrecv_c MPI_Sendrecv_c
#define MPISHM_Sendrecv_replace_c MPI_Sendrecv_replace_c
#define MPISHM_Isendrecv_c MPI_Isendrecv_c
#define MPISHM_Isendrecv_replace_c MPI_Isendrecv_replace_c
#define MPISHM_Send_init_c MPI_Send_init_c
#define MPISHM_Ssend_init_c MPI_Ssend_init_c
#define MPISHM_Rsend_init_c MPI_Rsend_init_c
#define MPISHM_Bsend_init_c MPI_Bsend_init_c
#define MPISHM_Recv_init_c MPI_Recv_init_c
#define MPISHM_Wait MPI_Wait
#define MPISHM_Waitall MPI_Waitall
#define MPISHM_Waitany MPI_Waitany
#define MPISHM_Waitsome MPI_Waitsome
#define MPISHM_Test MPI_Test
#define MPISHM_Testall MPI_Testall
#define MPISHM_Testany MPI_Testany
#define MPISHM_Testsome MPI_Testsome
#define MPISHM_Request_free MPI_Request_free
#define MPISHM_Request_get_status MPI_Request_get_status
#define MPISHM_Request_get_status_all MPI_Request_get_status_all
#define MPISHM_Request_get_status_any MPI_Request_get_status_any
#define MPISHM_Request_get_status_some MPI_Request_get_status_some
#define MPISHM_Cancel MPI_Cancel
#define MPISHM_Probe MPI_Probe
#define MPISHM_Iprobe MPI_Iprobe
#define MPISHM_Mprobe MPI_Mprobe
#define MPISHM_Improbe MPI_Improbe
#define MPISHM_Mrecv MPI_Mrecv
#define MPISHM_Imrecv MPI_Imrecv
#define MPISHM_Mrecv_c MPI_Mrecv_c
#define MPISHM_Imrecv_c MPI_Imrecv_c
#define MPISHM_Alloc_mem MPI_Alloc_mem
#define MPISHM_Free_mem MPI_Free_mem
#define MPISHM_Malloc malloc
#define MPISHM_Calloc calloc
#define MPISHM_Realloc realloc
#define MPISHM_Aligned_alloc aligned_alloc
#define MPISHM_Posix_memalign posix_memalign
#define MPISHM_Free free

#if defined(__GNUC__)
#define MPISHM_INLINE static __inline__ /* also with -ansi */
#else
#define MPISHM_INLINE static inline
#endif
MPISHM_INLINE int MPISHM_Attach(void) { return MPI_SUCCESS; }
MPISHM_INLINE int MPISHM_Attach_guarded(void) { return MPI_SUCCESS; }
MPISHM_INLINE int MPISHM_Attach_nodewise(void) { return MPI_SUCCESS; }
MPISHM_INLINE int MPISHM_Attach_nodewise_guarded(void) { return MPI_SUCCESS; }
MPISHM_INLINE void *MPISHM_Window_allocate(size_t alignment_, size_t size_) {
  (void)alignment_;
  (void)size_;
  return NULL;
}
MPISHM_INLINE int MPISHM_Window_free(void *pointer_) MPISHM_NOEXCEPT {
  (void)pointer_;
  return 0;
}

MPISHM_INLINE void *MPISHM_To_window(void *pointer_) MPISHM_NOEXCEPT { return pointer_; }
MPISHM_INLINE void MPISHM_Place_arrays(const struct MPISHM_Array *first_,
                                       const struct MPISHM_Array *end_) MPISHM_NOEXCEPT {
  (void)first_;
  (void)end_;
}
MPISHM_INLINE void *MPISHM_Packing_buffer(void *buf_, int count_, MPI_Datatype datatype_, int dest_, int tag_,
                                          MPI_Comm comm_) {
  (void)count_;
  (void)datatype_;
  (void)dest_;
  (void)tag_;
  (void)comm_;
  return buf_;
}
MPISHM_INLINE void MPISHM_Packing_begin(const void *buf_, int count_, MPI_Datatype datatype_, int dest_, int tag_,
                                        MPI_Comm comm_) {
  (void)buf_;
  (void)count_;
  (void)datatype_;
  (void)dest_;
  (void)tag_;
  (void)comm_;
}
MPISHM_INLINE void *MPISHM_Packing_place(void *to_, MPI_Aint rows_, MPI_Aint row_, size_t element_) {
  (void)rows_;
  (void)row_;
  (void)element_;
  return to_;
}

#endif /* MPISHM_OFF */

/* Arrays in the window, each by its name: `double u[N]; MPISHM_ARRAY(u);` outside functions, and in one that is called
 * once `MPISHM_STATIC double u[N]; MPISHM_ARRAY(u);`. It is a declaration, which does nothing where it stands: a record
 * says where the array is, and before main the records of all are gone through, for each of them anew. Other compilers
 * than GCC and its kin leave the arrays where they are. */
#define MPISHM_AND(type) type /* what `double u[N], x;` goes on with behind MPISHM_ARRAY(u); */
#if defined(__GNUC__)
#define MPISHM_STATIC static __attribute__((__aligned__(4096))) /* pages of its own, but for the last */
#else
#define MPISHM_STATIC static
#endif
#if defined(__GNUC__) && defined(__ELF__) && !defined(MPISHM_OFF)
extern struct MPISHM_Array mpishm_arrays_begin[] __asm__("__start_mpishm_arrays")
    __attribute__((__weak__, __visibility__("hidden")));
extern struct MPISHM_Array mpishm_arrays_end[] __asm__("__stop_mpishm_arrays")
    __attribute__((__weak__, __visibility__("hidden")));
static __inline__ __attribute__((__unused__)) void mpishm_place_arrays(void) {
  MPISHM_Place_arrays(mpishm_arrays_begin, mpishm_arrays_end);
}
#define MPISHM_ARRAY(array)                                                                                            \
  static struct MPISHM_Array mpishm_place_##array                                                                      \
      __attribute__((__used__, __section__("mpishm_arrays"), __aligned__(2 * sizeof(void *)))) = {&(array),            \
                                                                                                  sizeof(array)};      \
  __attribute__((__used__, __section__(".init_array"))) static void (*mpishm_places_##array)(void) = mpishm_place_arrays
#else
#define MPISHM_ARRAY(array) struct MPISHM_Array
#endif

/* Lets the pointer `to` point to where MPISHM_Packing_place says. */
#ifdef __cplusplus
#define MPISHM_PACK_THERE(to, rows, row)                                                                               \
  ((to) = static_cast<__typeof__(&*(to))>(                                                                             \
       MPISHM_Packing_place((to), static_cast<MPI_Aint>(rows), static_cast<MPI_Aint>(row), sizeof *(to))))
#else
#define MPISHM_PACK_THERE(to, rows, row)                                                                               \
  ((to) = MPISHM_Packing_place((to), (MPI_Aint)(rows), (MPI_Aint)(row), sizeof *(to)))
#endif

/* Lets the loops behind it write to where MPISHM_Packing_place says, by MPISHM_THERE(to): `to` itself stays what it is.
 * (A statement before them would need another behind.) */
#define MPISHM_PACKING(to, rows, row)                                                                                  \
  for (int MPISHM_once = 1; MPISHM_once;)                                                                              \
    for (__typeof__(&*(to)) MPISHM_there = (to); MPISHM_once && (MPISHM_PACK_THERE(MPISHM_there, rows, row), 1);       \
         MPISHM_once = 0)
#define MPISHM_THERE(to) MPISHM_there

/* MPISHM_To_window of the type of `call`. */
#ifdef __cplusplus
#define MPISHM_TO_WINDOW(call) MPISHM_To_window(call)
#else
#define MPISHM_TO_WINDOW(call) ((__typeof__(call))MPISHM_To_window((void *)(call)))
#endif

#ifdef __cplusplus
/* Names that are given, here or by the library's headers, are not to be macros of the program's. (Those headers take
 * min and max away, too, where they come first.) */
#if defined(__GNUC__)
#pragma push_macro("allocate")
#undef allocate
#pragma push_macro("allocator")
#undef allocator
#pragma push_macro("const_pointer")
#undef const_pointer
#pragma push_macro("const_reference")
#undef const_reference
#pragma push_macro("construct")
#undef construct
#pragma push_macro("deallocate")
#undef deallocate
#pragma push_macro("destroy")
#undef destroy
#pragma push_macro("difference_type")
#undef difference_type
#pragma push_macro("max")
#undef max
#pragma push_macro("max_size")
#undef max_size
#pragma push_macro("min")
#undef min
#pragma push_macro("other")
#undef other
#pragma push_macro("pointer")
#undef pointer
#pragma push_macro("rebind")
#undef rebind
#pragma push_macro("reference")
#undef reference
#pragma push_macro("size_type")
#undef size_type
#pragma push_macro("value_type")
#undef value_type
#pragma push_macro("window")
#undef window
#pragma push_macro("window_tag")
#undef window_tag
#endif

extern "C++" { /* where the file that includes this one says extern "C" */
/* No more than is needed: a program that says `using namespace std` may have a byte of its own. */
#include <new>
#if !defined(__GNUC__)
#include <cstdlib>
#endif

#if __cplusplus >= 201103L
#define MPISHM_CONSTEXPR constexpr
#define MPISHM_NOEXCEPT_AS_DELETE noexcept(noexcept(delete[] pointer_))
#else
#define MPISHM_CONSTEXPR
#define MPISHM_NOEXCEPT_AS_DELETE
#endif

namespace mpishm {
/** `new (mpishm::window) double[n]` is `new double[n]` with the memory in the window as long as there is room. For
 * elements without a destructor of their own; freed by MPISHM_Delete_array. */
enum window_tag { window };

/* std::malloc and relatives, as MPISHM_Malloc and relatives. The parentheses are for programs with macros of these
 * names. */
/* clang-format off */
inline void *(malloc)(std::size_t size_) MPISHM_THROW { return ::MPISHM_Malloc(size_); }
inline void *(calloc)(std::size_t count_, std::size_t size_) MPISHM_THROW { return ::MPISHM_Calloc(count_, size_); }
inline void *(realloc)(void *pointer_, std::size_t size_) MPISHM_THROW { return ::MPISHM_Realloc(pointer_, size_); }
inline void *(aligned_alloc)(std::size_t alignment_, std::size_t size_) MPISHM_THROW {
  return ::MPISHM_Aligned_alloc(alignment_, size_);
}
inline void(free)(void *pointer_) MPISHM_THROW { ::MPISHM_Free(pointer_); }
/* clang-format on */

/** For containers of the standard library: std::vector<double, mpishm::allocator<double> >. Constructed at compile
 * time, as std::allocator is, so that what C++20 initialises before all code still is. */
template <typename T_> class allocator {
public:
  typedef T_ value_type;
  typedef T_ *pointer;
  typedef const T_ *const_pointer;
  typedef T_ &reference;
  typedef const T_ &const_reference;
  typedef std::size_t size_type;
  typedef std::ptrdiff_t difference_type;
  template <typename U_> struct rebind {
    typedef allocator<U_> other;
  };

  MPISHM_CONSTEXPR allocator() MPISHM_NOEXCEPT {}
  template <typename U_> MPISHM_CONSTEXPR allocator(const allocator<U_> &) MPISHM_NOEXCEPT {}

  T_ *allocate(std::size_t n_) {
    if (n_ > max_size())
#if defined(__EXCEPTIONS)
      throw std::bad_alloc();
#elif defined(__GNUC__)
      __builtin_abort();
#else
      std::abort();
#endif
    void *memory_ = MPISHM_Window_allocate(alignment_(), n_ * sizeof(T_));
    return static_cast<T_ *>(memory_ ? memory_ : allocate_outside_(n_ * sizeof(T_)));
  }
  void deallocate(T_ *memory_, std::size_t) MPISHM_NOEXCEPT {
    if (!MPISHM_Window_free(memory_))
      free_outside_(memory_);
  }
  std::size_t max_size() const MPISHM_NOEXCEPT { return static_cast<std::size_t>(-1) / 2 / sizeof(T_); }
#if __cplusplus < 201103L
  void construct(T_ *element_, const T_ &value_) { ::new (static_cast<void *>(element_)) T_(value_); }
  void destroy(T_ *element_) { element_->~T_(); }
#endif

private:
#if defined(__cpp_aligned_new)
  static std::size_t alignment_() { return alignof(T_); }
  static void *allocate_outside_(std::size_t bytes_) {
    return alignof(T_) > __STDCPP_DEFAULT_NEW_ALIGNMENT__ ? ::operator new(bytes_, std::align_val_t(alignof(T_)))
                                                          : ::operator new(bytes_);
  }
  static void free_outside_(void *memory_) {
    if (alignof(T_) > __STDCPP_DEFAULT_NEW_ALIGNMENT__)
      ::operator delete(memory_, std::align_val_t(alignof(T_)));
    else
      ::operator delete(memory_);
  }
#else
  static std::size_t alignment_() { return sizeof(void *); }
  static void *allocate_outside_(std::size_t bytes_) { return ::operator new(bytes_); }
  static void free_outside_(void *memory_) { ::operator delete(memory_); }
#endif
};
template <typename T_, typename U_>
MPISHM_CONSTEXPR bool operator==(const allocator<T_> &, const allocator<U_> &) MPISHM_NOEXCEPT {
  return true;
}
template <typename T_, typename U_>
MPISHM_CONSTEXPR bool operator!=(const allocator<T_> &, const allocator<U_> &) MPISHM_NOEXCEPT {
  return false;
}
} /* namespace mpishm */

inline void *operator new[](std::size_t size_, mpishm::window_tag) {
  void *memory_ = MPISHM_Window_allocate(sizeof(void *), size_);
  return memory_ ? memory_ : ::operator new[](size_);
}
inline void *operator new[](std::size_t size_, mpishm::window_tag, const std::nothrow_t &nothrow_) MPISHM_NOEXCEPT {
  void *memory_ = MPISHM_Window_allocate(sizeof(void *), size_);
  return memory_ ? memory_ : ::operator new[](size_, nothrow_);
}
/* For a constructor that throws. */
inline void operator delete[](void *pointer_, mpishm::window_tag) MPISHM_NOEXCEPT {
  if (!MPISHM_Window_free(pointer_))
    ::operator delete[](pointer_);
}
inline void operator delete[](void *pointer_, mpishm::window_tag, const std::nothrow_t &) MPISHM_NOEXCEPT {
  if (!MPISHM_Window_free(pointer_))
    ::operator delete[](pointer_);
}
#if defined(__cpp_aligned_new)
inline void *operator new[](std::size_t size_, std::align_val_t alignment_, mpishm::window_tag) {
  void *memory_ = MPISHM_Window_allocate(static_cast<std::size_t>(alignment_), size_);
  return memory_ ? memory_ : ::operator new[](size_, alignment_);
}
inline void *operator new[](std::size_t size_, std::align_val_t alignment_, mpishm::window_tag,
                            const std::nothrow_t &nothrow_) noexcept {
  void *memory_ = MPISHM_Window_allocate(static_cast<std::size_t>(alignment_), size_);
  return memory_ ? memory_ : ::operator new[](size_, alignment_, nothrow_);
}
inline void operator delete[](void *pointer_, std::align_val_t alignment_, mpishm::window_tag) noexcept {
  if (!MPISHM_Window_free(pointer_))
    ::operator delete[](pointer_, alignment_);
}
inline void operator delete[](void *pointer_, std::align_val_t alignment_, mpishm::window_tag,
                              const std::nothrow_t &) noexcept {
  if (!MPISHM_Window_free(pointer_))
    ::operator delete[](pointer_, alignment_);
}
#endif

/** MPISHM_To_window for other pointers. */
template <typename T_> inline T_ *MPISHM_To_window(T_ *pointer_) MPISHM_NOEXCEPT {
  return static_cast<T_ *>(::MPISHM_To_window(const_cast<void *>(static_cast<const volatile void *>(pointer_))));
}

/** `delete[] pointer` for what `new (mpishm::window) T[n]` or `new T[n]` returned, of elements without a destructor of
 * their own. */
template <typename T_> inline void MPISHM_Delete_array(T_ *pointer_) MPISHM_NOEXCEPT_AS_DELETE {
  if (!MPISHM_Window_free(const_cast<void *>(static_cast<const volatile void *>(pointer_))))
    delete[] pointer_;
}
} /* extern "C++" */

#if defined(__GNUC__)
#pragma pop_macro("allocate")
#pragma pop_macro("allocator")
#pragma pop_macro("const_pointer")
#pragma pop_macro("const_reference")
#pragma pop_macro("construct")
#pragma pop_macro("deallocate")
#pragma pop_macro("destroy")
#pragma pop_macro("difference_type")
#pragma pop_macro("max")
#pragma pop_macro("max_size")
#pragma pop_macro("min")
#pragma pop_macro("other")
#pragma pop_macro("pointer")
#pragma pop_macro("rebind")
#pragma pop_macro("reference")
#pragma pop_macro("size_type")
#pragma pop_macro("value_type")
#pragma pop_macro("window")
#pragma pop_macro("window_tag")
#endif
#endif

#endif
