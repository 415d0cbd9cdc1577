/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "communicators/routes.h"
#include "node/warnings.h"

struct special_route route_special(const struct communicator *communicator, MPI_Count count, MPI_Datatype datatype,
                                   int peer, int tag, bool receive) {
  const struct special_route mpi = {ROUTE_MPI, NULL}, invalid = {ROUTE_INVALID, NULL};
  if (!communicator) {
    if (!mpishm.attached)
      warn_once(WARN_NOT_ATTACHED, "the program did not call MPISHM_Init or MPISHM_Attach; messages go through MPI");
    return mpi;
  }
  if (peer == MPI_PROC_NULL)
    return mpi;
  bool any_source = receive && peer == MPI_ANY_SOURCE, any_tag = receive && tag == MPI_ANY_TAG;
  bool peer_fits = any_source || (peer >= 0 && peer < communicator->size);
  bool tag_fits = any_tag || (tag >= 0 && tag <= mpishm.tag_ub);
  if (!peer_fits || !tag_fits || count < 0)
    return invalid;
  if (communicator->messages_by_mpi || (!any_source && communicator->message_rank[peer] < 0))
    return mpi;
  struct layout *layout = layout_find(datatype);
  return layout ? (struct special_route){ROUTE_NODE, layout} : invalid;
}
