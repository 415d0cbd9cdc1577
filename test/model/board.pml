/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * The board of a rank (channel/board.h): senders that claim receives for their synchronous messages, and the rank that
 * gives messages to its wildcards (messages/wildcards.c), function by function. What the inbox's lock guards is one
 * step here, receiver.pml and sender.pml have it in detail, and all messages are as those whose receiver must act.
 * Every program of MESSAGES messages of each of SENDERS ranks, and as many receives, within the limits that the driver
 * (check_model.py) gives:
 *
 *   KINDS      set of kinds of messages, a bit each
 *   LAST_KINDS that of the last message, if it differs
 *   FORMS      set of forms of receives (below), a bit each
 *   PROGRAMS   set of programs, a bit each
 *   SENDERS    ranks that send
 *   ELSEWHERE  1: a wildcard also has a receive of MPI's, which it cancels and looks at again before it takes a message
 *
 * The receives are chosen so that all messages are received, whichever of the wildcards takes which.
 */
#ifndef SENDERS
#define SENDERS 2
#endif
#ifndef ELSEWHERE
#define ELSEWHERE 0
#endif
#ifndef LAST_KINDS
#define LAST_KINDS KINDS
#endif
#define MESSAGES 2 /* of a sender */
#define ALL (SENDERS * MESSAGES)
#define RECEIVES ALL

/* Kinds. */
#define STANDARD 0 /* done at once */
#define SYNCHRONOUS 1

/* Forms of all receives together. */
#define WILDCARDS 0      /* from any source, on one communicator */
#define EXACT_FIRST 1    /* the first is from the first sender */
#define EXACT_SECOND 2   /* the second is: it is held back while the first waits */
#define EXACT_BOTH 3     /* and the third is from the second sender */
#define COMMUNICATORS 4  /* wildcards on two communicators, in any order */

/* Programs. */
#define BARRIER 0 /* posts all, and then waits in a barrier until the senders are through */
#define POLLS 1   /* posts all, and then waits for one after the other */

/* Messages are numbered sender by sender; a sender's position is that of the message among its own. */
#define MESSAGE(s, p) ((s) * MESSAGES + (p))
#define SENDER(m) ((m) / MESSAGES)
#define POSITION(m) ((m) % MESSAGES)
#define IS_SYNCHRONOUS(m) ((kinds >> (m)) & 1)
#define ANY 9
#define NONE 9

/* A scenario. */
byte kinds, message_comm, receive_comm; /* a bit per message or receive */
byte wanted_source[RECEIVES];
#define COMM(m) ((message_comm >> (m)) & 1)
#define RECEIVE_COMM(r) ((receive_comm >> (r)) & 1)
#define ACCEPTS(r, m) \
  (RECEIVE_COMM(r) == COMM(m) && (wanted_source[r] == ANY || wanted_source[r] == SENDER(m)))

/* ---- What is shared. ---- */

byte sent[SENDERS], consumed[SENDERS]; /* cells */
bit skipped[ALL];                      /* CELL_SKIP */
bit posted[RECEIVES];                  /* in its inbox, in the order of their numbers */

bit board_lock;
byte board_count;
byte board_receive[RECEIVES];
byte board_claimer[RECEIVES]; /* or NONE */
byte board_position[RECEIVES];

bit received[ALL]; /* a rendezvous is done */
bit sender_finished[SENDERS];

/* A sender polls again and again. What would find nothing new is left out, so that who waits for ever stands still. */
bit look_again[ALL];

/* What must hold: which receive got a message, and how many had been posted when it was claimed. */
byte receive_of[ALL], posted_at_end[ALL], posted_count;
byte message_of[RECEIVES];

inline tell_senders() {
  other = 0;
  do
  :: other < ALL -> look_again[other] = 1; other++
  :: else -> break
  od;
  other = 0
}

inline give(r, m) {
  assert(message_of[r] == NONE); /* else two messages for one receive */
  assert(receive_of[m] == NONE);
  /* A synchronous send that has ended has a receive that was posted by then. */
  assert(posted_at_end[m] == NONE || r < posted_at_end[m]);
  posted_at_end[m] = NONE;
  message_of[r] = m;
  receive_of[m] = r;
  received[m] = 1
}

#define REACHED(what) c_code { note_reached(what); };
c_decl {
  static const char *noted[64];
  static int noted_count;
  static void print_noted(void) {
    for (int i = 0; i < noted_count; i++)
      printf("reached: %s\n", noted[i]);
  }
  static void note_reached(const char *what) {
    for (int i = 0; i < noted_count; i++)
      if (strcmp(noted[i], what) == 0)
        return;
    if (noted_count == 0)
      atexit(print_noted);
    noted[noted_count++] = what;
  }
}

#include "board_sender.pml"
#include "board_receiver.pml"

/* As many receives on each communicator as messages. */
inline choose_communicators() {
  do
  :: at < ALL ->
     if
     :: at > 0 -> message_comm = message_comm | 1 << at; ones++
     :: zeros++
     fi;
     at++
  :: else -> break
  od;
  at = 0;
  do
  :: at < ALL ->
     if
     :: ones > 0 -> ones--; receive_comm = receive_comm | 1 << at
     :: zeros > 0 -> zeros--
     fi;
     at++
  :: else -> break
  od;
  at = 0
}

#define KINDS_OF(m) (POSITION(m) == MESSAGES - 1 -> LAST_KINDS : KINDS)
#define CHOOSE(set, value) (((set) >> (value)) & 1) -> choice = value

init {
  byte choice, at, ones, zeros, program;
  atomic {
    do
    :: at < ALL ->
       receive_of[at] = NONE;
       posted_at_end[at] = NONE;
       message_of[at] = NONE;
       board_claimer[at] = NONE;
       wanted_source[at] = ANY;
       look_again[at] = 1;
       if
       :: CHOOSE(KINDS_OF(at), STANDARD)
       :: CHOOSE(KINDS_OF(at), SYNCHRONOUS) ; kinds = kinds | 1 << at
       fi;
       at++
    :: else -> break
    od;
    at = 0;
    if
    :: CHOOSE(FORMS, WILDCARDS)
    :: CHOOSE(FORMS, EXACT_FIRST) ; wanted_source[0] = 0
    :: CHOOSE(FORMS, EXACT_SECOND) ; wanted_source[1] = 0
    :: CHOOSE(FORMS, EXACT_BOTH) ; wanted_source[1] = 0; wanted_source[2] = 1
    :: CHOOSE(FORMS, COMMUNICATORS) ; choose_communicators()
    fi;
    if
    :: CHOOSE(PROGRAMS, BARRIER)
    :: CHOOSE(PROGRAMS, POLLS)
    fi;
    program = choice;
    choice = 0;
    run Receiver(program);
    run Sender(0);
#if SENDERS > 1
    run Sender(1)
#endif
  }
}
