/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * A library to be preloaded (LD_PRELOAD) into an MPI program: it stands before MPI's functions and writes down which
 * call did what. From the logs of all ranks ../meetings.py tells which send met which receive.
 *
 * Every rank writes a file of its own into the folder that MPISHM_TEST_RECORD names, a line per event, with write(2),
 * so that nothing is lost when the program ends early. Without that variable nothing is written. Ranks are those of
 * MPI_COMM_WORLD throughout; `*` is a wildcard, `?` a communicator of which it was not seen how it was made.
 *
 *   rank RANK                                 the first line
 *   site NUMBER FUNCTION ADDRESS MODULE       a call: its return address less one, as MODULE's debug information has it
 *   init SITE
 *   maker SITE KEY                            takes part in making a communicator; all ranks have the same KEY then
 *   send OP SITE COMM DESTINATION TAG         a send starts; operations are numbered from 1
 *   post OP SITE COMM SOURCE TAG              a receive is posted, or a matched probe has found a message
 *   collective SITE COMM NUMBER               takes part in the collective on COMM before which so many were started
 *   window MAKER SITE                         a window that MAKER has made was handed to SITE; once for each pair
 *   probe SITE COMM SOURCE TAG                a probe has found a message
 *   mrecv OP SITE                             receives what the matched probe OP has found
 *   got OP SOURCE TAG                         what a receive received
 *   drop OP                                   refused by MPI, or cancelled: it meets nothing
 *   lost OP                                   it can no longer be known whether, or what, it met
 *   use SITE OTHER                            a request that SITE made was handed to the call OTHER; once for each pair
 *
 * The order of `send` lines is the order of starts, that of `post` and `probe` lines the order in which messages are
 * taken. With MPI_THREAD_MULTIPLE, too: there blocking operations are nonblocking ones and a wait, started under the
 * lock (only MPI_Sendrecv_replace is not).
 */
#ifndef MPISHM_TEST_RECORDER_H
#define MPISHM_TEST_RECORDER_H

#include <mpi.h>
#include <stdbool.h>
#include <stdint.h>

#define EXPORT __attribute__((visibility("default")))
#define HERE __builtin_return_address(0)

/* log.c: the file and its lock, which is recursive, as error handlers and attributes may call MPI. */

/* Whether the program has threads that call MPI at the same time. Set once, by log_open. */
extern bool several_threads;

void log_open(int rank, bool several);
void log_close(void);
void lock(void);
void unlock(void);
/* Writes a line. The lock must be held, as for all that follows. */
void say(const char *format, ...) __attribute__((format(printf, 1, 2)));
/* The number of the call of `function`, a literal, that returns to `address`. */
int site_of(const char *function, const void *address);
/* lock, then site_of. */
int enter(const char *function, const void *address);

/* communicators.c */

/* A communicator of known origin. `world` has the ranks in MPI_COMM_WORLD of the group that messages go to. */
struct comm {
  MPI_Comm handle;
  uint64_t id; /* the same on all ranks */
  int size;
  int *world;
  unsigned collectives; /* that this rank has started on it */
  unsigned uses;        /* the table's, and one for each receive on it */
  struct comm *next;
};

void comms_begin(void);
/* The communicator of a handle, null when it was not seen how it was made. */
struct comm *comm_find(MPI_Comm handle);
struct comm *comm_hold(struct comm *comm);
void comm_release(struct comm *comm);
/* What MPI_Comm_idup makes: begin where it starts, end where its request is complete. */
struct idup;
struct idup *idup_begin(int site, MPI_Comm parent, MPI_Comm *made);
void idup_end(struct idup *idup);

/* messages.c */

/* What a send or receive was given. Holds the communicator. */
struct envelope {
  struct comm *comm;
  int peer, tag; /* peer: in the communicator */
};

/* A send or receive that has begun; number 0: none. */
struct operation {
  unsigned number;
  struct envelope given;
};

struct envelope envelope_of(MPI_Comm comm, int peer, int tag);
/* Write down that it starts. Nothing starts where the peer is MPI_PROC_NULL. They take over what `given` holds. */
struct operation start_send(int site, struct envelope given);
struct operation start_receive(int site, struct envelope given);
/* It is complete; `error` is what MPI says of it. They give back what it holds. */
void end_send(struct operation *send, const MPI_Status *status, int error);
void end_receive(struct operation *receive, const MPI_Status *status, int error);
/* Of one request, or one call, that may have both. */
void end_both(struct operation *send, struct operation *receive, const MPI_Status *status, int error);
/* Nobody will know how it ends, unless no wildcard and no MPI_Cancel leaves that open. */
void end_unseen(struct operation *operation, bool is_send, bool cancelled);

/* collectives.c: the call `site` starts the next collective on a communicator. */
void collective_start(int site, MPI_Comm comm);

/* requests.c */

enum direction { SENDS, RECEIVES, NEITHER };

/* A request that was returned with these operations. Gives it a handle of its own where the library gives many complete
 * requests the same one, which is why it takes a pointer. */
void request_made(int site, MPI_Request *handle, struct operation send, struct operation receive);
/* The same of a persistent one. Takes over what `given` holds. */
void request_persistent(int site, MPI_Request handle, enum direction direction, struct envelope given);
/* The same of MPI_Comm_idup. */
void request_idup(int site, MPI_Request *handle, struct idup *idup);

#endif
