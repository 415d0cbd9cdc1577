/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Collectives on registered communicators: all of them, so that all members do the same, whoever's calls theirs are.
 */
#include "net/serving.h"

#define COUNTED "net/collectives_calls.h"
#include "point_to_point/counted.h"

#define COUNTED "net/nonblocking_calls.h"
#include "point_to_point/counted.h"

#ifdef MPISHM_HAVE_PERSISTENT_COLLECTIVES
#define COUNTED "net/persistent_calls.h"
#include "point_to_point/counted.h"

NET int MPI_Barrier_init(MPI_Comm comm, MPI_Info info, MPI_Request *request) {
  NET_SERVE(net_has_collectives(comm), CALL_BARRIER_INIT, Barrier_init, (comm, info, request));
}
#endif

#define OWN_LARGE_COLLECTIVE(name) OWN(name##_c)

NET int MPI_Barrier(MPI_Comm comm) { NET_SERVE(net_has_collectives(comm), CALL_BARRIER, Barrier, (comm)); }
NET int MPI_Ibarrier(MPI_Comm comm, MPI_Request *request) {
  NET_SERVE(net_has_collectives(comm), CALL_IBARRIER, Ibarrier, (comm, request));
}

MPISHM_COLLECTIVES(OWN)
MPISHM_LARGE_COLLECTIVES(OWN_LARGE_COLLECTIVE)
