/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Messages on registered communicators.
 */
#include "net/serving.h"
#include "point_to_point/at_once.h"

#define COUNTED "net/messages_calls.h"
#include "point_to_point/counted.h"

#define OWN_LARGE(name) OWN(name##_c)

NET int MPI_Probe(int source, int tag, MPI_Comm comm, MPI_Status *status) {
  NET_SERVE(net_has(comm), CALL_PROBE, Probe, (source, tag, comm, status));
}

NET int MPI_Iprobe(int source, int tag, MPI_Comm comm, int *flag, MPI_Status *status) {
  NET_SERVE(net_has(comm), CALL_IPROBE, Iprobe, (source, tag, comm, flag, status));
}

NET int MPI_Mprobe(int source, int tag, MPI_Comm comm, MPI_Message *message, MPI_Status *status) {
  NET_SERVE(net_has(comm), CALL_MPROBE, Mprobe, (source, tag, comm, message, status));
}

NET int MPI_Improbe(int source, int tag, MPI_Comm comm, int *flag, MPI_Message *message, MPI_Status *status) {
  NET_SERVE(net_has(comm), CALL_IMPROBE, Improbe, (source, tag, comm, flag, message, status));
}

MPISHM_COUNTED(OWN)
MPISHM_LARGE(OWN_LARGE)
MPISHM_PROBES(OWN)
