/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * What a call waits for, in words.
 */
#include "requests/watched.h"
#include "requests/requests.h"
#include "watch/words.h"

#include <stdio.h>

enum {
  MAX_LISTED = 16, /* unfinished messages of one call */
  MAX_UNEXPECTED = 3
};

static const char *send_state(const struct operation *op) {
  if (op->by_mpi)
    return "goes through MPI, since the window is full";
  switch (rendezvous_look(op->rendezvous)) {
  case RENDEZVOUS_POSTED:
    return op->matched ? "matched, the receiver is to fetch it" : "no receive matches it yet";
  case RENDEZVOUS_CLAIMED:
    return "the receiver copies it";
  case RENDEZVOUS_REFUSED:
    return "the kernel would not copy it, this rank is to stage it";
  default:
    return "staged, no receive has taken it yet";
  }
}

static const char *receive_state(const struct operation *op) {
  if (op->by_mpi)
    return "goes through MPI, since the window is full";
  if (op->fetch)
    return "matched, the sender has to stage the message";
  if (op->waiting && op->endpoint)
    return "waits behind a receive from any rank or with any tag, which must be matched first";
  return receive_look(op->receive) == RECEIVE_POSTED ? "nothing that matches has come" : "matched, the sender copies";
}

/* What else the sender has sent: a wrong tag is the most common reason to wait for ever. */
static void print_unexpected(const struct operation *op, FILE *to) {
  const struct receiver *receiver = &op->endpoint->receiver;
  size_t printed = 0;
  for (int bucket = 0; bucket < BUCKETS; bucket++)
    for (const struct unexpected *message = receiver->unexpected[bucket]; message; message = message->next) {
      if (printed++ == MAX_UNEXPECTED) {
        fprintf(to, "mpishm:     and more, %zu messages in all\n", receiver->unexpected_count);
        return;
      }
      fprintf(to, "mpishm:     what has come from there and no receive matches: tag %d, %llu bytes%s\n",
              message->envelope.tag, (unsigned long long)message->arrival.bytes,
              message->envelope.context == op->communicator->context ? "" : ", on another communicator");
    }
}

/* False too for a send that the call has not looked at yet, because it waits for something else. */
static bool is_unfinished(const struct operation *op) {
  if (op->done || !op->is_send || op->by_mpi)
    return !op->done;
  enum rendezvous_state state = rendezvous_look(op->rendezvous);
  return state != RENDEZVOUS_DONE && (state != RENDEZVOUS_STAGED || op->synchronous);
}

static void print_work(const struct operation *op, FILE *to) {
  fputs("mpishm:   a collective, by ", to);
  print_site(op->call, op->site, to);
  fputs(": waits for ", to);
  print_peer(op->communicator->handle, op->work->awaits(op), to);
  fputs(", which has not come so far\n", to);
}

static void print_operation(const struct operation *op, FILE *to) {
  if (op->work && op->work->awaits) {
    print_work(op, to);
    return;
  }
  struct message_text message = {.is_send = op->is_send,
                                 .comm = op->communicator->handle,
                                 .peer = op->peer,
                                 .tag = op->tag,
                                 .bytes = op->is_send ? op->bytes : op->receive->capacity,
                                 .call = op->call,
                                 .site = op->site};
  print_message(&message, op->is_send ? send_state(op) : receive_state(op), to);
  if (!op->is_send && !op->by_mpi && !op->fetch && !op->waiting && receive_look(op->receive) == RECEIVE_POSTED)
    print_unexpected(op, to);
}

/* What stands in the call's array; true when that is not finished. */
static bool print_request(MPI_Request request, FILE *to) {
  struct operation *op;
  int flag = 0;
  switch (request_classify(request, &op)) {
  case REQUEST_OURS:
    if (is_unfinished(op))
      print_operation(op, to);
    return is_unfinished(op);
  case REQUEST_MPI:
    PMPI_Request_get_status(request, &flag, MPI_STATUS_IGNORE);
    if (flag)
      return false;
    if (watch_mpi_message(request))
      print_mpi_message(watch_mpi_message(request), to);
    else
      fputs("mpishm:   a request of MPI's own that was not started here\n", to);
    return true;
  default:
    return false;
  }
}

void operations_describe(const struct watched_call *call, FILE *to) {
  int listed = 0;
  for (int i = 0; i < call->count && listed < MAX_LISTED; i++)
    listed += print_request(call->requests[i], to);
  if (listed == MAX_LISTED)
    fputs("mpishm:   and perhaps more\n", to);
  for (int i = 0; i < call->posted_count; i++)
    if (is_unfinished(call->posted[i]))
      print_operation(call->posted[i], to);
  for (int i = 0; call->count == 0 && i < call->message_count; i++)
    print_mpi_message(&call->messages[i], to);
  if (call->awaits) {
    fputs("mpishm:   ", to);
    print_peer(call->awaited_comm, call->awaited_rank, to);
    fputs(", which has not come so far\n", to);
  }
}
