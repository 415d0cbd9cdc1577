/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Entry points: communicator constructors. MPI makes the communicator, the runtime registers it.
 */
#include "communicators/communicators.h"
#include "mpishm.h"
#include "next/next.h"

static _Thread_local bool making;

bool communicator_is_being_made(void) { return making; }

struct before {
  bool making;
  struct communicator *child;
};

/* The first definition in line may be that of another libmpishm (a rewritten program's, under mpishm-try), which comes
 * back here by the net. */
static struct before begin(struct communicator *child) {
  struct before before = {making, communicator_expect(child)};
  making = true;
  return before;
}

static int end(struct before before, int error, const MPI_Comm *newcomm) {
  making = before.making;
  communicator_expect(before.child);
  if (error == MPI_SUCCESS)
    communicator_register(*newcomm);
  return error;
}

struct beginning {
  struct before before;
  struct communicator *child; /* NULL: it is not registered */
  uint32_t context;
};

/* False: there is no memory. */
static bool begin_child(MPI_Comm comm, struct beginning *beginning) {
  if (!communicator_begin_child(comm, &beginning->child)) {
    error_on_communicator(comm, MPI_ERR_NO_MEM);
    return false;
  }
  beginning->context = beginning->child ? beginning->child->context : 0;
  beginning->before = begin(beginning->child);
  return true;
}

static int end_child(const struct beginning *beginning, int error, MPI_Comm comm, const MPI_Comm *newcomm) {
  bool handed_over = !communicator_expect(beginning->before.child);
  making = beginning->before.making;
  if (beginning->child)
    communicator_end_child(comm, beginning->child, beginning->context, handed_over,
                           error == MPI_SUCCESS ? *newcomm : MPI_COMM_NULL);
  return error;
}

/* `arguments` are those of a call, in parentheses. NOLINTBEGIN(bugprone-macro-parentheses): not a second time. */
#define MAKE(name, arguments)                                                                                          \
  struct before before = begin(NULL);                                                                                  \
  return end(before, mpi_first.name arguments, newcomm)
/* The same of one that gives a request. */
#define MAKE_CHILD(name, arguments)                                                                                    \
  struct beginning beginning;                                                                                          \
  return begin_child(comm, &beginning) ? end_child(&beginning, mpi_first.name arguments, comm, newcomm) : MPI_ERR_NO_MEM
/* NOLINTEND(bugprone-macro-parentheses) */

int MPISHM_Comm_dup(MPI_Comm comm, MPI_Comm *newcomm) { MAKE(Comm_dup, (comm, newcomm)); }

int MPISHM_Comm_dup_with_info(MPI_Comm comm, MPI_Info info, MPI_Comm *newcomm) {
  MAKE(Comm_dup_with_info, (comm, info, newcomm));
}

int MPISHM_Comm_idup(MPI_Comm comm, MPI_Comm *newcomm, MPI_Request *request) {
  MAKE_CHILD(Comm_idup, (comm, newcomm, request));
}

#ifdef MPISHM_HAVE_IDUP_WITH_INFO
int MPISHM_Comm_idup_with_info(MPI_Comm comm, MPI_Info info, MPI_Comm *newcomm, MPI_Request *request) {
  MAKE_CHILD(Comm_idup_with_info, (comm, info, newcomm, request));
}
#endif

int MPISHM_Comm_split(MPI_Comm comm, int color, int key, MPI_Comm *newcomm) {
  MAKE(Comm_split, (comm, color, key, newcomm));
}

int MPISHM_Comm_split_type(MPI_Comm comm, int split_type, int key, MPI_Info info, MPI_Comm *newcomm) {
  MAKE(Comm_split_type, (comm, split_type, key, info, newcomm));
}

int MPISHM_Comm_create(MPI_Comm comm, MPI_Group group, MPI_Comm *newcomm) { MAKE(Comm_create, (comm, group, newcomm)); }

int MPISHM_Comm_create_group(MPI_Comm comm, MPI_Group group, int tag, MPI_Comm *newcomm) {
  MAKE(Comm_create_group, (comm, group, tag, newcomm));
}

int MPISHM_Cart_create(MPI_Comm comm, int ndims, const int dims[], const int periods[], int reorder,
                       MPI_Comm *newcomm) {
  MAKE(Cart_create, (comm, ndims, dims, periods, reorder, newcomm));
}

int MPISHM_Cart_sub(MPI_Comm comm, const int remain_dims[], MPI_Comm *newcomm) {
  MAKE(Cart_sub, (comm, remain_dims, newcomm));
}

int MPISHM_Graph_create(MPI_Comm comm, int nnodes, const int index[], const int edges[], int reorder,
                        MPI_Comm *newcomm) {
  MAKE(Graph_create, (comm, nnodes, index, edges, reorder, newcomm));
}

int MPISHM_Dist_graph_create(MPI_Comm comm, int n, const int sources[], const int degrees[], const int destinations[],
                             const int weights[], MPI_Info info, int reorder, MPI_Comm *newcomm) {
  MAKE(Dist_graph_create, (comm, n, sources, degrees, destinations, weights, info, reorder, newcomm));
}

int MPISHM_Dist_graph_create_adjacent(MPI_Comm comm, int indegree, const int sources[], const int sourceweights[],
                                      int outdegree, const int destinations[], const int destweights[], MPI_Info info,
                                      int reorder, MPI_Comm *newcomm) {
  MAKE(Dist_graph_create_adjacent,
       (comm, indegree, sources, sourceweights, outdegree, destinations, destweights, info, reorder, newcomm));
}
