/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Messages of the runtime's own between members of a communicator, which no wildcard of the program's gets. They match
 * by their order, and a send is finished without its receiver, as any standard one.
 */
#ifndef MPISHM_PARCELS_H
#define MPISHM_PARCELS_H

#include "members/parts.h"
#include "messages/operations.h"

/* Whose they are. */
enum parcel_kind {
  PARCELS_OF_CALLS,   /* of blocking collectives whose members have met in a slot */
  PARCELS_OF_REQUESTS /* of nonblocking ones (nonblocking/), which say whether they are of rewritten code */
};

/* That of parcels about a communicator, or about a collective that has a context of its own (nonblocking/steps.h): all
 * are of one count. */
struct envelope parcel_envelope(uint32_t context, enum parcel_kind kind);
/* Of the blocking collective that this rank is in, whose members do not meet in a slot. Each function has its own, as
 * in MPI libraries: what calls of another one have sent, or are to get, is not taken for that. */
struct envelope parcel_envelope_of_call(const struct communicator *communicator);

/* False: it was done at once, and the operation is not needed. */
COLD bool parcel_send(struct operation *op, const struct communicator *communicator, unsigned to,
                      const struct part *part);
COLD void parcel_receive(struct operation *op, const struct communicator *communicator, unsigned from,
                         const struct part *part);
/* The same with an operation that is initialised, and may be one that a request could stand for. Of at most `limit`
 * bytes a send is done at once where there is room. */
bool parcel_send_with(struct operation *op, const struct communicator *communicator, unsigned to,
                      const struct part *part, struct envelope envelope, size_t limit);
void parcel_receive_with(struct operation *op, const struct communicator *communicator, unsigned from,
                         const struct part *part, struct envelope envelope);
/* Waits for one to or from that member, in a blocking collective of the communicator. */
COLD void parcel_await(struct operation *op, const struct communicator *communicator, unsigned member);
/* Ends a parcel that is done, and returns MPI's error, which nobody has raised. */
COLD int parcel_finish(struct operation *op);
/* Waits for one to or from that member before. */
COLD int parcel_complete(struct operation *op, const struct communicator *communicator, unsigned member);

#endif
