/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * MPISHM_TIMEOUT: who waits for whom. Each rank speaks for itself, on standard error, in one piece.
 */
#include "timeout.h"
#include "completion.h"
#include "places.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum {
  ABORT_AFTER_SECONDS = 1, /* the other ranks of a deadlock began to wait at about the same time */
  MAX_LISTED = 16,         /* unfinished messages of one call */
  MAX_UNEXPECTED = 3,
  PLACE_BYTES = 1024
};
static const double NANOSECONDS = 1e9;

static struct {
  uint64_t limit; /* nanoseconds, 0: off */
  bool aborts;
} timeout;

/* ---- Settings. ---- */

int64_t timeout_wanted(void) {
  const char *text = getenv("MPISHM_TIMEOUT");
  char *end;
  if (!text || !*text)
    return 0;
  double seconds = strtod(text, &end);
  if (*end || !isfinite(seconds) || seconds < 0 || seconds > 1e9) {
    fprintf(stderr, "mpishm: warning: MPISHM_TIMEOUT is '%s', expected seconds; it is ignored\n", text);
    return 0;
  }
  return (int64_t)(seconds * NANOSECONDS);
}

bool timeout_aborts(void) {
  const char *text = getenv("MPISHM_TIMEOUT_ACTION");
  bool aborts = text && strcmp(text, "abort") == 0;
  if (text && *text && !aborts && strcmp(text, "continue") != 0)
    fprintf(stderr, "mpishm: warning: MPISHM_TIMEOUT_ACTION is '%s', expected abort or continue\n", text);
  return aborts;
}

void timeout_start(uint64_t nanoseconds, bool aborts) {
  timeout.limit = nanoseconds;
  timeout.aborts = aborts;
}

bool timeout_is_on(void) { return timeout.limit != 0; }
bool timeout_aborts_soon(void) { return timeout.aborts; }

/* ---- What is waited for. ---- */

static void print_site(enum call call, const void *site, FILE *to) {
  struct module_offset where = module_offset_of(site);
  struct place place = place_find(where.module, where.offset);
  char text[PLACE_BYTES];
  place_text(&place, where.module, where.offset, text, sizeof text);
  place_clear(&place);
  fprintf(to, "%s at %s", call_names[call], text);
}

static int world_rank(MPI_Comm comm, int rank) {
  MPI_Group group, world;
  int inter = 0, found = MPI_UNDEFINED;
  PMPI_Comm_test_inter(comm, &inter);
  PMPI_Comm_group(MPI_COMM_WORLD, &world);
  inter ? PMPI_Comm_remote_group(comm, &group) : PMPI_Comm_group(comm, &group);
  PMPI_Group_translate_ranks(group, 1, &rank, world, &found);
  PMPI_Group_free(&group);
  PMPI_Group_free(&world);
  return found;
}

/* "rank 1 of MPI_COMM_WORLD", "rank 0 of rows (rank 4 of MPI_COMM_WORLD)" */
static void print_peer(MPI_Comm comm, int peer, FILE *to) {
  char name[MPI_MAX_OBJECT_NAME] = "";
  int length = 0, rank;
  if (comm == MPI_COMM_NULL || peer < 0) {
    fprintf(to, peer == MPI_ANY_SOURCE ? "any rank" : "rank %d of a communicator that was freed", peer);
    return;
  }
  PMPI_Comm_get_name(comm, name, &length);
  fprintf(to, "rank %d of %s", peer, length ? name : "a communicator without name");
  rank = comm == MPI_COMM_WORLD ? MPI_UNDEFINED : world_rank(comm, peer);
  if (rank != MPI_UNDEFINED)
    fprintf(to, " (rank %d of MPI_COMM_WORLD)", rank);
}

struct message_text {
  bool is_send, is_probe;
  MPI_Comm comm;
  int peer, tag;
  uint64_t bytes;
  enum call call;
  const void *site;
};

static void print_message(const struct message_text *message, const char *state, FILE *to) {
  fprintf(to, "mpishm:   %s ", message->is_send ? "send to" : message->is_probe ? "probe of" : "receive from");
  print_peer(message->comm, message->peer, to);
  if (message->tag == MPI_ANY_TAG)
    fputs(", any tag", to);
  else
    fprintf(to, ", tag %d", message->tag);
  if (!message->is_probe)
    fprintf(to, ", %s%llu bytes", message->is_send ? "" : "up to ", (unsigned long long)message->bytes);
  fputs(", by ", to);
  print_site(message->call, message->site, to);
  fprintf(to, ": %s\n", state);
}

static const char *send_state(const struct operation *op) {
  if (op->by_mpi)
    return "goes through MPI, since the window is full";
  switch (rendezvous_look(op->rendezvous)) {
  case RENDEZVOUS_POSTED:
    return op->matched ? "matched, the receiver is to fetch it" : "no receive matches it yet";
  case RENDEZVOUS_CLAIMED:
    return "the receiver copies it";
  case RENDEZVOUS_REFUSED:
    return "the window has no room to stage it";
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

static void print_operation(const struct operation *op, FILE *to) {
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

static void print_mpi_message(const struct mpi_message *known, FILE *to) {
  struct message_text message = {.is_send = known->is_send,
                                 .is_probe = known->path == PATH_NONE,
                                 .comm = known->comm,
                                 .peer = known->peer,
                                 .tag = known->tag,
                                 .bytes = known->bytes,
                                 .call = known->call,
                                 .site = known->site};
  print_message(&message,
                known->path == PATH_NONE               ? "nothing that matches has come"
                : known->path == PATH_MPI_OTHER_NODE   ? "goes through MPI to another node"
                : known->path == PATH_MPI_UNREGISTERED ? "goes through MPI, the communicator was not registered"
                                                       : "goes through MPI",
                to);
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

static void print_unfinished(const struct watched_call *call, FILE *to) {
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
}

/* ---- Reporting. ---- */

static void report(const struct watched_call *call, double seconds) {
  char *text = NULL;
  size_t length = 0;
  int rank = 0;
  FILE *to = open_memstream(&text, &length);
  if (!to)
    return;
  PMPI_Comm_rank(MPI_COMM_WORLD, &rank);
  fprintf(to, "mpishm: rank %d of MPI_COMM_WORLD has waited %.3g s in ", rank, seconds);
  print_site(call->call, call->site, to);
  fputs(" for\n", to);
  print_unfinished(call, to);
  places_close();
  /* Said now, since launchers drop what a rank says right before it aborts. */
  if (timeout.aborts)
    fprintf(to, "mpishm: MPISHM_TIMEOUT_ACTION=abort ends the job in %d s\n", ABORT_AFTER_SECONDS);
  if (fclose(to) == 0)
    fwrite(text, 1, length, stderr);
  free(text);
}

void timeout_check(struct watched_call *call) {
  if (!timeout.limit || !call->entered)
    return;
  uint64_t now = watch_clock();
  if (!call->reported && now - call->entered > timeout.limit) {
    report(call, (double)(now - call->entered) / NANOSECONDS);
    call->reported = true;
    call->aborts_at = watch_clock() + ABORT_AFTER_SECONDS * UINT64_C(1000000000);
  } else if (call->reported && timeout.aborts && now > call->aborts_at) {
    PMPI_Abort(MPI_COMM_WORLD, 1);
  }
}

void timeout_over(const struct watched_call *call, uint64_t nanoseconds) {
  char *text = NULL;
  size_t length = 0;
  int rank = 0;
  FILE *to = open_memstream(&text, &length);
  if (!to)
    return;
  PMPI_Comm_rank(MPI_COMM_WORLD, &rank);
  fprintf(to, "mpishm: rank %d of MPI_COMM_WORLD goes on after %.3g s in ", rank, (double)nanoseconds / NANOSECONDS);
  print_site(call->call, call->site, to);
  fputc('\n', to);
  places_close();
  if (fclose(to) == 0)
    fwrite(text, 1, length, stderr);
  free(text);
}
