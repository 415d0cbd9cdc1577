/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * The protocol between two ranks, one direction: every program of MESSAGES sends and their receives within the limits
 * that the driver (check_model.py) gives:
 *
 *   KINDS       set of kinds of messages (sender.pml), a bit each
 *   LAST_KINDS  that of the last message, if it differs
 *   FORMS       set of forms of receives (segment.pml), a bit each
 *   PROGRAMS    set of programs (below), a bit each
 *   WITHDRAW    how many receives the program may try to cancel, the first ones; needs as many more RECEIVES
 *   KERNEL_REFUSES  1: the kernel may refuse any copy
 *   WINDOW_FULL 1: nothing can be staged in the window
 *   ONE_TAG     1: all have the same envelope
 */
#include "segment.pml"

#ifndef KERNEL_REFUSES
#define KERNEL_REFUSES 0
#endif
#ifndef WINDOW_FULL
#define WINDOW_FULL 0
#endif
#ifndef WITHDRAW
#define WITHDRAW 0
#endif
#ifndef LAST_KINDS
#define LAST_KINDS KINDS
#endif
#define KINDS_OF(m) ((m) == MESSAGES - 1 -> LAST_KINDS : KINDS)
#ifndef ONE_TAG
#define ONE_TAG 0
#endif

/* What the two ranks do. */
#define ANY 0            /* whatever they like: start and poll in any order */
#define WAITALL 1        /* start everything, then wait for one after the other */
#define RECEIVER_STOPS 2 /* the same, and between the two the receiver waits in a barrier until the sender is through */
#define SENDER_STOPS 3   /* the same the other way round */
#define LATE 4           /* the receiver posts when the sender is through */
#define LOOKS_ONCE 5     /* as RECEIVER_STOPS, but it looks for each receive once before it waits in the barrier */

/* A scenario in two bits per message or three; constants of a run. */
#define KIND(m) ((kinds >> (3 * (m))) & 7)
#define TAG(m) ((tags >> (m)) & 1)
#define RECEIVE_TAG(j) ((receive_tags >> (j)) & 1)
#define RECEIVE_FORM(j) ((forms >> (2 * (j))) & 3)

#include "sender.pml"
#include "receiver.pml"

#define START 1
#define POLL 2
#define RECLAIM 3
#define END 4

/* One of several, as the program likes. */
#if MESSAGES > 2
#define CHOOSE_BELOW(variable, n) \
  if :: variable = 0 :: n > 1 -> variable = 1 :: n > 2 -> variable = 2 :: n > 3 -> variable = 3 fi
#else
#define CHOOSE_BELOW(variable, n) \
  if :: variable = 0 :: n > 1 -> variable = 1 :: n > 2 -> variable = 2 fi
#endif

/* Memory goes back to its slab, and the buffer to the program, which writes into it. */
inline tidy_up(m) {
  if
  :: released -> atomic { REACHED("released") released = 0; release_rendezvous(m) }
  :: else
  fi;
  if
  :: state[m] == DONE && !used[m] ->
     atomic {
       plain_write(SEND_BUFFER(m));
       send_buffer[m] = 0;
       used[m] = 1;
       polled[m] = 0;
       matched_by_us[m] = 0;
       op_position[m] = 0;
       finished++
     }
  :: else
  fi
}

proctype Sender(byte program; short kinds; byte tags; byte forms) {
  byte me = 0;
  /* struct sender */
  byte base, cells, start, position, limit, consumed, retired_ring;
  byte eager_slots, eager_head, eager_tail, eager_end[4], retired_eager;
  bit mpi_only;
  byte leave_position, left_tags, left_count; /* of what was announced through MPI after that */
  byte slab; /* records in use, a bit each */
  /* struct operation */
  byte state[MESSAGES], rendezvous[MESSAGES], op_position[MESSAGES];
  bit has_staged[MESSAGES], matched_by_us[MESSAGES], polled[MESSAGES];
  /* the program */
  byte action, m, next, at, finished;
  bit stopped, used[MESSAGES];
  /* inside a function only */
  byte scratch, room, seen, known, count, found, look, taken, what, ref, place;
  bit released;

  do
  :: /* What next: local, so that it costs few states. */
     if
     :: next < MESSAGES -> action = START; m = next; next++
     :: program == ANY && next > 0 && finished < MESSAGES -> action = POLL; CHOOSE_BELOW(m, next)
     :: program == ANY && next > 0 && slab != 0 -> action = RECLAIM; CHOOSE_BELOW(m, next)
     :: program != ANY && next == MESSAGES && at < MESSAGES ->
        if
        :: state[at] == DONE -> at++
        :: else -> action = POLL; m = at
        fi
     :: finished == MESSAGES -> action = END
     fi;
     if
     :: action == START ->
        if
        :: KIND(m) == PLACED -> pack_in_place(m)
        :: else
        fi;
        if
        :: state[m] == IDLE -> send_start(m)
        :: else
        fi;
#ifdef MISTAKE_GIVEN_BACK_LATE
        if
        :: place > 0 && word[RECEIVE_STATE(place - 1)].value == RECEIVE_PUSHING -> sender_give_back()
        :: else
        fi;
#endif
        place = 0
     :: action == POLL && program == SENDER_STOPS && !stopped -> receiver_finished; stopped = 1
     :: action == POLL && (program != SENDER_STOPS || stopped) && state[m] == ACTIVE -> send_poll(m)
     :: action == POLL && (program != SENDER_STOPS || stopped) && state[m] == BY_MPI -> mpi_poll(m)
     :: action == RECLAIM && state[m] == DONE && rendezvous[m] > 0 -> /* reclaim_staged */
        atomic {
          load(look, RENDEZVOUS_STATE(rendezvous[m] - 1), ORDERED);
          released = (look == RENDEZVOUS_DONE);
          look = 0
        }
     :: action == END -> sender_finished = 1; break
     :: else
     fi;
     tidy_up(m);
     action = 0;
     m = 0
  od;
  /* What was staged comes back. */
  receiver_finished;
  do
  :: slab != 0 ->
     m = (m + 1) % MESSAGES;
     if
     :: rendezvous[m] > 0 ->
        assert(word[RENDEZVOUS_STATE(rendezvous[m] - 1)].value == RENDEZVOUS_DONE);
        slab = slab & ~(1 << (rendezvous[m] - 1))
     :: else
     fi
  :: else -> break
  od;
  all_finished = 1
}

proctype Receiver(byte program; short kinds; byte tags; byte receive_tags; byte forms) {
  byte me = 1;
  /* struct receiver */
  byte base, cells, start, position, posted_tail;
  bit mpi_only;
  byte heard; /* announcements */
  chan unexpected[TAGS] = [MESSAGES] of {byte, byte};
  bit matched[RECEIVES];
  /* struct operation */
  byte op[RECEIVES], fetch[RECEIVES], got[RECEIVES];
  /* the program */
  byte action, j, next, at, looked, withdrawn, finished, expected, next_of_tag[TAGS];
  bit stopped;
  /* inside a function only */
  byte kind, content, found, previous, after, claim, ready, taken, look, which, which_message, section;

  if
  :: program == LATE -> sender_finished
  :: else
  fi;
  do
  :: if
     :: next < MESSAGES + withdrawn -> action = START; j = next; next++
     :: program == ANY && next > 0 -> action = POLL; CHOOSE_BELOW(j, next)
#if WITHDRAW
     :: program == ANY && op[0] == PENDING -> section = WITHDRAWING
#endif
     :: program == LOOKS_ONCE && next == MESSAGES && looked < MESSAGES -> action = POLL; j = looked; looked++
     :: program == LOOKS_ONCE && looked == MESSAGES && !stopped -> sender_finished; stopped = 1
     :: program != ANY && next == MESSAGES && at < MESSAGES && (program != LOOKS_ONCE || stopped) ->
        if
        :: op[at] == RECEIVED -> at++
        :: else -> action = POLL; j = at
        fi
     :: finished == MESSAGES && (program != LOOKS_ONCE || stopped) -> break
     fi;
     if
#if TAKES
     :: action == START -> /* MPI_Irecv posts always, MPI_Recv what it cannot take */
        if
        :: look_for_next(j)
        :: true
        fi;
        if
        :: kind != CELL_NONE -> take_next(j)
        :: else -> receiver_post(j)
        fi
#else
     :: action == START -> receiver_post(j)
#endif
     :: action == POLL && program == RECEIVER_STOPS && !stopped -> sender_finished; stopped = 1
     :: action == POLL && !(program == RECEIVER_STOPS && !stopped) -> poll_receive(j)
     :: else
     fi;
     if
     :: section > 0 -> locked_section(j)
     :: else
     fi;
     if
     :: action == POLL && op[j] == PENDING -> poll_matched_by_sender(j)
     :: else
     fi;
     finish_matched();
     found = 0;
     do
     :: found < RECEIVES && op[found] == FILLED -> use(found); finished++; found++
     :: found < RECEIVES && op[found] != FILLED -> found++
     :: found == RECEIVES -> break
     od;
     found = 0;
     action = 0;
     j = 0
  od;

  at = 0;
  /* The k-th receive of a tag that was not withdrawn has got the k-th message of that tag. */
  d_step {
    at = 0;
    do
    :: at < MESSAGES + withdrawn && op[at] == RECEIVED ->
       expected = next_of_tag[RECEIVE_TAG(at)];
       do
       :: expected < MESSAGES && TAG(expected) != RECEIVE_TAG(at) -> expected++
       :: else -> break
       od;
       assert(got[at] == expected + 1);
       next_of_tag[RECEIVE_TAG(at)] = expected + 1;
       at++
    :: at < MESSAGES + withdrawn && op[at] != RECEIVED -> at++
    :: at == MESSAGES + withdrawn -> break
    od;
    at = 0;
    expected = 0
  };
  receiver_finished = 1
}

#define CHOOSE(set, value) (((set) >> (value)) & 1) -> choice = value

init {
  byte program, tags, receive_tags, forms, ones, zeros, choice, at;
  short kinds;
  atomic {
    if
    :: CHOOSE(PROGRAMS, ANY)
    :: CHOOSE(PROGRAMS, WAITALL)
    :: CHOOSE(PROGRAMS, RECEIVER_STOPS)
    :: CHOOSE(PROGRAMS, SENDER_STOPS)
    :: CHOOSE(PROGRAMS, LATE)
    :: CHOOSE(PROGRAMS, LOOKS_ONCE)
    fi;
    program = choice;
    do
    :: at < MESSAGES ->
       send_buffer[at] = at + 1;
       if
       :: CHOOSE(KINDS_OF(at), INLINE)
       :: CHOOSE(KINDS_OF(at), EAGER_KIND)
       :: CHOOSE(KINDS_OF(at), STANDARD)
       :: program != LATE && CHOOSE(KINDS_OF(at), SYNCHRONOUS)
       :: CHOOSE(KINDS_OF(at), STANDARD_STAGED)
       :: program != LATE && CHOOSE(KINDS_OF(at), SYNCHRONOUS_STAGED)
       :: CHOOSE(KINDS_OF(at), PLACED)
       fi;
       kinds = kinds | choice << (3 * at);
       if
       :: at > 0 && !ONE_TAG -> tags = tags | 1 << at; ones++
       :: true -> zeros++
       fi;
       at++
    :: else -> break
    od;
    at = 0;
    do
    :: at < RECEIVES ->
       if
       :: at < MESSAGES && ones > 0 -> ones--; receive_tags = receive_tags | 1 << at
       :: at < MESSAGES && zeros > 0 -> zeros--
       :: at >= MESSAGES -> receive_tags = receive_tags | (receive_tags & 1) << at /* instead of the first */
       fi;
       if
       :: CHOOSE(FORMS, CONTIGUOUS)
       :: CHOOSE(FORMS, SCATTERED)
       :: CHOOSE(FORMS, PRIVATE)
       fi;
       forms = forms | choice << (2 * at);
       at++
    :: else -> break
    od;
    at = 0;
    choice = 0;
    run Sender(program, kinds, tags, forms);
    run Receiver(program, kinds, tags, receive_tags, forms)
  }
}

#ifdef LIVENESS
/* Weakly fair: each rank that can take a step takes one at last. */
ltl finished { <> (receiver_finished && all_finished) }
#endif
