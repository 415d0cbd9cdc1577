/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Entry points: what each member has for each other one.
 */
#include "collectives/parts.h"
#include "mpishm.h"
#include "watch/enter.h"

/* The send or the receive arguments of a call. */
struct side {
  enum { SAME, COUNTS, DATATYPES } form;
  const void *buffer;
  int count; /* SAME: for each member; else, for the i-th: */
  const int *counts;
  const int *displacements;
  MPI_Datatype datatype;
  const MPI_Datatype *datatypes; /* DATATYPES: of the i-th, and displacements are bytes */
};

/* The part that is the i-th member's. False: MPI would refuse it. */
static inline bool find_part(const struct side *side, unsigned i, struct part *part) {
  struct layout *layout = layout_find(side->form == DATATYPES ? side->datatypes[i] : side->datatype);
  int count = side->form == SAME ? side->count : side->counts[i];
  if (!part_is_valid(side->buffer, count, layout))
    return false;
  MPI_Aint unit = side->form == DATATYPES ? 1 : layout->extent;
  MPI_Aint steps = side->form == SAME ? (MPI_Aint)i * count : side->displacements[i];
  *part = part_of(displaced(side->buffer, steps * unit), (size_t)count, layout);
  return true;
}

static void release_parts(const struct part parts[], unsigned count) {
  for (unsigned i = 0; i < count; i++)
    part_release(&parts[i]);
}

/* False: MPI is to refuse the call, and nothing is held. */
static inline bool find_parts(const struct side *side, struct part parts[], unsigned count) {
  if (side->buffer == MPI_IN_PLACE || (side->form != SAME && (!side->counts || !side->displacements)) ||
      (side->form == DATATYPES && !side->datatypes))
    return false;
  for (unsigned i = 0; i < count; i++)
    if (UNLIKELY(!find_part(side, i, &parts[i]))) {
      release_parts(parts, i);
      return false;
    }
  return true;
}

/* What a member gives: a part to all others, or parts, one to each. */
enum gift { TO_ALL, TO_EACH };

/* Each takes what is for it from all others, in an order of its own, so that not all read from one. Parts that are
 * NULL: MPI is to look at this member's arguments, and so at all. */
static inline bool exchange_parts(struct communicator *communicator, enum gift gift, const struct part *send,
                                  const struct part receive[], int *error) {
  const struct seat *seat = &communicator->seat;
  struct collective collective = collective_begin(communicator);
  const struct part *own = send && gift == TO_EACH ? &send[seat->place] : send;
  if (UNLIKELY(!send))
    publish_refusal(&collective);
  else if (gift == TO_EACH)
    publish_parts(&collective, send);
  else
    publish_part(&collective, send, PUBLISH_TO_ALL);
  if (own && own != &receive[seat->place] && !part_copy(&receive[seat->place], own))
    collective.error = MPI_ERR_TRUNCATE;
  for (unsigned i = 1; i < seat->members; i++) {
    unsigned from = (seat->place + i) % seat->members;
    const struct slot *slot = hear(&collective, from);
    if (own && gift == TO_EACH)
      take_own_part(&collective, slot, from, &receive[from]);
    else if (own)
      take_part(&collective, slot, from, &receive[from]);
  }
  bool by_mpi = collective_end_of_all(&collective, false, false);
  *error = by_mpi ? MPI_SUCCESS : collective_raise(&collective);
  return by_mpi;
}

/* Entered already. True: the call is MPI's. So it is where both buffers are one, which some libraries refuse. */
static inline bool exchange(MPI_Comm comm, const struct side *send, const struct side *receive, int *error) {
  struct communicator *communicator = collective_find(comm);
  if (!communicator || (size_t)communicator->size > most_parts(communicator))
    return true;
  unsigned members = communicator->seat.members;
  struct part sent[members], received[members];
  bool may_send = send->buffer != receive->buffer && find_parts(send, sent, members);
  bool may_receive = may_send && find_parts(receive, received, members);
  bool by_mpi = may_receive ? exchange_parts(communicator, TO_EACH, sent, received, error)
                            : exchange_parts(communicator, TO_EACH, NULL, NULL, error);
  if (may_send)
    release_parts(sent, members);
  if (may_receive)
    release_parts(received, members);
  return by_mpi;
}

HOT int MPISHM_Alltoall(const void *sendbuf, int sendcount, MPI_Datatype sendtype, void *recvbuf, int recvcount,
                        MPI_Datatype recvtype, MPI_Comm comm) {
  int error = MPI_SUCCESS;
  struct side send = {SAME, .buffer = sendbuf, .count = sendcount, .datatype = sendtype};
  struct side receive = {SAME, .buffer = recvbuf, .count = recvcount, .datatype = recvtype};
  runtime_enter(CALL_ALLTOALL);
  if (UNLIKELY(exchange(comm, &send, &receive, &error))) {
    runtime_unlock();
    return runtime_return(MPI_Alltoall(sendbuf, sendcount, sendtype, recvbuf, recvcount, recvtype, comm));
  }
  runtime_leave();
  return error;
}

HOT int MPISHM_Alltoallv(const void *sendbuf, const int sendcounts[], const int sdispls[], MPI_Datatype sendtype,
                         void *recvbuf, const int recvcounts[], const int rdispls[], MPI_Datatype recvtype,
                         MPI_Comm comm) {
  int error = MPI_SUCCESS;
  struct side send = {COUNTS, .buffer = sendbuf, .counts = sendcounts, .displacements = sdispls, .datatype = sendtype};
  struct side receive = {COUNTS, .buffer = recvbuf, .counts = recvcounts, .displacements = rdispls,
                         .datatype = recvtype};
  runtime_enter(CALL_ALLTOALLV);
  if (UNLIKELY(exchange(comm, &send, &receive, &error))) {
    runtime_unlock();
    return runtime_return(
        MPI_Alltoallv(sendbuf, sendcounts, sdispls, sendtype, recvbuf, recvcounts, rdispls, recvtype, comm));
  }
  runtime_leave();
  return error;
}

HOT int MPISHM_Alltoallw(const void *sendbuf, const int sendcounts[], const int sdispls[],
                         const MPI_Datatype sendtypes[], void *recvbuf, const int recvcounts[], const int rdispls[],
                         const MPI_Datatype recvtypes[], MPI_Comm comm) {
  int error = MPI_SUCCESS;
  struct side send = {DATATYPES, .buffer = sendbuf, .counts = sendcounts, .displacements = sdispls,
                      .datatypes = sendtypes};
  struct side receive = {DATATYPES, .buffer = recvbuf, .counts = recvcounts, .displacements = rdispls,
                         .datatypes = recvtypes};
  runtime_enter(CALL_ALLTOALLW);
  if (UNLIKELY(exchange(comm, &send, &receive, &error))) {
    runtime_unlock();
    return runtime_return(
        MPI_Alltoallw(sendbuf, sendcounts, sdispls, sendtypes, recvbuf, recvcounts, rdispls, recvtypes, comm));
  }
  runtime_leave();
  return error;
}

/* ---- What each has for all. ---- */

/* Entered already. True: the call is MPI's. For MPI_IN_PLACE the own part is where it belongs already. */
static inline bool gather_from_all(MPI_Comm comm, const void *sendbuf, int sendcount, MPI_Datatype sendtype,
                                   const struct side *receive, int *error) {
  struct communicator *communicator = collective_find(comm);
  if (!communicator)
    return true;
  unsigned members = communicator->seat.members;
  struct part received[members], sent;
  bool in_place = sendbuf == MPI_IN_PLACE;
  struct layout *layout = in_place ? NULL : layout_find(sendtype);
  bool may_send = in_place || (part_is_valid(sendbuf, sendcount, layout) && sendbuf != receive->buffer);
  bool by_mpi;
  if (!may_send || !find_parts(receive, received, members))
    return exchange_parts(communicator, TO_ALL, NULL, NULL, error);
  if (in_place) {
    by_mpi = exchange_parts(communicator, TO_ALL, &received[communicator->seat.place], received, error);
  } else {
    sent = part_of(sendbuf, (size_t)sendcount, layout);
    by_mpi = exchange_parts(communicator, TO_ALL, &sent, received, error);
    part_release(&sent);
  }
  release_parts(received, members);
  return by_mpi;
}

HOT int MPISHM_Allgather(const void *sendbuf, int sendcount, MPI_Datatype sendtype, void *recvbuf, int recvcount,
                         MPI_Datatype recvtype, MPI_Comm comm) {
  int error = MPI_SUCCESS;
  struct side receive = {SAME, .buffer = recvbuf, .count = recvcount, .datatype = recvtype};
  runtime_enter(CALL_ALLGATHER);
  if (UNLIKELY(gather_from_all(comm, sendbuf, sendcount, sendtype, &receive, &error))) {
    runtime_unlock();
    return runtime_return(MPI_Allgather(sendbuf, sendcount, sendtype, recvbuf, recvcount, recvtype, comm));
  }
  runtime_leave();
  return error;
}

HOT int MPISHM_Allgatherv(const void *sendbuf, int sendcount, MPI_Datatype sendtype, void *recvbuf,
                          const int recvcounts[], const int displs[], MPI_Datatype recvtype, MPI_Comm comm) {
  int error = MPI_SUCCESS;
  struct side receive = {COUNTS, .buffer = recvbuf, .counts = recvcounts, .displacements = displs,
                         .datatype = recvtype};
  runtime_enter(CALL_ALLGATHERV);
  if (UNLIKELY(gather_from_all(comm, sendbuf, sendcount, sendtype, &receive, &error))) {
    runtime_unlock();
    return runtime_return(MPI_Allgatherv(sendbuf, sendcount, sendtype, recvbuf, recvcounts, displs, recvtype, comm));
  }
  runtime_leave();
  return error;
}
