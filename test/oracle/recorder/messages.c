/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Sends, receives and probes: when they begin and what they met. The entry points are in message_calls.h.
 */
#include "recorder.h"

#include <sched.h>
#include <stdio.h>
#include <stdlib.h>

static unsigned operations;

struct envelope envelope_of(MPI_Comm comm, int peer, int tag) {
  return (struct envelope){comm_hold(comm_find(comm)), peer, tag};
}

/* Peer and tag, wildcards as `*`; what MPI will refuse as it is. */
static void say_envelope(const char *what, unsigned number, int site, struct envelope given) {
  char comm[20] = "?", peer[20] = "*", tag[20] = "*";
  if (given.comm)
    snprintf(comm, sizeof comm, "%llx", (unsigned long long)given.comm->id);
  if (given.peer != MPI_ANY_SOURCE) {
    bool member = given.comm && given.peer >= 0 && given.peer < given.comm->size;
    snprintf(peer, sizeof peer, "%d", member ? given.comm->world[given.peer] : given.peer);
  }
  if (given.tag != MPI_ANY_TAG)
    snprintf(tag, sizeof tag, "%d", given.tag);
  if (number)
    say("%s %u %d %s %s %s", what, number, site, comm, peer, tag);
  else
    say("%s %d %s %s %s", what, site, comm, peer, tag);
}

static struct operation start(const char *what, int site, struct envelope given) {
  struct operation operation = {0, given};
  if (given.peer != MPI_PROC_NULL)
    say_envelope(what, operation.number = ++operations, site, given);
  return operation;
}

struct operation start_send(int site, struct envelope given) { return start("send", site, given); }
struct operation start_receive(int site, struct envelope given) { return start("post", site, given); }

/* The end of an operation, whatever it says. */
static void end(struct operation *operation) {
  comm_release(operation->given.comm);
  *operation = (struct operation){0};
}

static bool was_cancelled(const MPI_Status *status) {
  int cancelled = 0;
  PMPI_Test_cancelled(status, &cancelled);
  return cancelled;
}

void end_send(struct operation *send, const MPI_Status *status, int error) {
  if (send->number && (error != MPI_SUCCESS || (status && was_cancelled(status))))
    say("drop %u", send->number);
  end(send);
}

/* What was asked for is sure; a status may lie (MPI_Isendrecv's in MPICH 4.0.2, or that of a receive that failed). */
static void say_got(const struct operation *receive, const MPI_Status *status) {
  const struct comm *comm = receive->given.comm;
  int source = receive->given.peer == MPI_ANY_SOURCE ? status->MPI_SOURCE : receive->given.peer;
  int tag = receive->given.tag == MPI_ANY_TAG ? status->MPI_TAG : receive->given.tag;
  bool member = comm && source >= 0 && source < comm->size;
  say("got %u %d %d", receive->number, member ? comm->world[source] : source, tag);
}

void end_receive(struct operation *receive, const MPI_Status *status, int error) {
  int class = MPI_SUCCESS;
  if (error != MPI_SUCCESS)
    PMPI_Error_class(error, &class);
  if (receive->number && (class == MPI_SUCCESS || class == MPI_ERR_TRUNCATE) && !was_cancelled(status))
    say_got(receive, status);
  else if (receive->number)
    say("drop %u", receive->number);
  end(receive);
}

void end_both(struct operation *send, struct operation *receive, const MPI_Status *status, int error) {
  int class = MPI_SUCCESS;
  if (error != MPI_SUCCESS)
    PMPI_Error_class(error, &class);
  end_send(send, status, class == MPI_ERR_TRUNCATE ? MPI_SUCCESS : error); /* the receive alone has failed */
  end_receive(receive, status, error);
}

void end_unseen(struct operation *operation, bool is_send, bool cancelled) {
  bool is_wild = operation->given.peer == MPI_ANY_SOURCE || operation->given.tag == MPI_ANY_TAG;
  if (operation->number && (cancelled || is_wild))
    say("lost %u", operation->number);
  else if (operation->number && !is_send)
    say_got(operation, NULL);
  end(operation);
}

/* Messages that matched probes have found and nobody has received yet. */
static struct found {
  MPI_Message handle;
  unsigned operation;
  struct found *next;
} *found;

static void found_message(int site, MPI_Comm comm, const MPI_Status *status, MPI_Message handle) {
  struct operation operation;
  struct found *message;
  if (handle == MPI_MESSAGE_NO_PROC)
    return;
  operation = start_receive(site, envelope_of(comm, status->MPI_SOURCE, status->MPI_TAG));
  message = malloc(sizeof *message);
  *message = (struct found){handle, operation.number, found};
  found = message;
  end_receive(&operation, status, MPI_SUCCESS);
}

static void receives_message(int site, MPI_Message handle) {
  for (struct found **at = &found; *at; at = &(*at)->next)
    if ((*at)->handle == handle) {
      struct found *message = *at;
      *at = message->next;
      say("mrecv %u %d", message->operation, site);
      free(message);
      return;
    }
}

static void found_by_probe(int site, MPI_Comm comm, const MPI_Status *status) {
  if (status->MPI_SOURCE != MPI_PROC_NULL) {
    struct envelope envelope = envelope_of(comm, status->MPI_SOURCE, status->MPI_TAG);
    say_envelope("probe", 0, site, envelope);
    comm_release(envelope.comm);
  }
}

/* A status to be looked at, where the program wants none. */
#define LOOKED_AT(status) ((status) == MPI_STATUS_IGNORE ? &(MPI_Status){0} : (status))

/* Where several threads may take messages, blocking probes ask again and again, each time under the lock. */
static int ask_until(int (*ask)(int, int, MPI_Comm, int *, MPI_Message *, MPI_Status *), int source, int tag,
                     MPI_Comm comm, MPI_Message *message, MPI_Status *status) {
  int flag = 0, error;
  while ((error = ask(source, tag, comm, &flag, message, status)) == MPI_SUCCESS && !flag) {
    unlock();
    sched_yield();
    lock();
  }
  return error;
}

static int ask_plain(int source, int tag, MPI_Comm comm, int *flag, MPI_Message *message, MPI_Status *status) {
  (void)message;
  return PMPI_Iprobe(source, tag, comm, flag, status);
}

EXPORT int MPI_Iprobe(int source, int tag, MPI_Comm comm, int *flag, MPI_Status *status) {
  int error, site = enter("MPI_Iprobe", HERE);
  status = LOOKED_AT(status);
  error = PMPI_Iprobe(source, tag, comm, flag, status);
  if (error == MPI_SUCCESS && *flag)
    found_by_probe(site, comm, status);
  unlock();
  return error;
}

EXPORT int MPI_Probe(int source, int tag, MPI_Comm comm, MPI_Status *status) {
  int error, site = enter("MPI_Probe", HERE);
  status = LOOKED_AT(status);
  error =
      several_threads ? ask_until(ask_plain, source, tag, comm, NULL, status) : PMPI_Probe(source, tag, comm, status);
  if (error == MPI_SUCCESS)
    found_by_probe(site, comm, status);
  unlock();
  return error;
}

EXPORT int MPI_Improbe(int source, int tag, MPI_Comm comm, int *flag, MPI_Message *message, MPI_Status *status) {
  int error, site = enter("MPI_Improbe", HERE);
  status = LOOKED_AT(status);
  error = PMPI_Improbe(source, tag, comm, flag, message, status);
  if (error == MPI_SUCCESS && *flag)
    found_message(site, comm, status, *message);
  unlock();
  return error;
}

EXPORT int MPI_Mprobe(int source, int tag, MPI_Comm comm, MPI_Message *message, MPI_Status *status) {
  int error, site = enter("MPI_Mprobe", HERE);
  status = LOOKED_AT(status);
  error = several_threads ? ask_until(PMPI_Improbe, source, tag, comm, message, status)
                          : PMPI_Mprobe(source, tag, comm, message, status);
  if (error == MPI_SUCCESS)
    found_message(site, comm, status, *message);
  unlock();
  return error;
}

/* Both forms of each function with a count. */
#define COUNT int
#define FORM(name) name
#include "message_calls.h"
#undef COUNT
#undef FORM

#if MPI_VERSION >= 4
#define COUNT MPI_Count
#define FORM(name) name##_c
#include "message_calls.h"
#endif
