/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * The rank that has the board: messages/wildcards.c and what it stands on.
 */

#define HAS_SOMETHING(s) (sent[s] > consumed[s])
#if SENDERS > 1
#define SOMETHING_HAS_COME (HAS_SOMETHING(0) || HAS_SOMETHING(1))
#else
#define SOMETHING_HAS_COME HAS_SOMETHING(0)
#endif

/* receives_match: what has come meets posted receives, or waits. */
inline drain(s) {
  atomic {
    if
    :: HAS_SOMETHING(s) ->
       do
       :: HAS_SOMETHING(s) ->
          m = MESSAGE(s, consumed[s]);
          r = 0;
          do
          :: skipped[m] || r == RECEIVES -> break
          :: !skipped[m] && r < RECEIVES && posted[r] && ACCEPTS(r, m) -> posted[r] = 0; give(r, m); break
          :: else -> r++
          od;
          if
          :: r == RECEIVES -> unexpected!m
          :: else
          fi;
          consumed[s]++
       :: else -> break
       od;
       m = 0;
       r = 0
    :: else
    fi
  }
}

/* Takes the i-th off the board. */
inline board_remove(i) {
  board_count--;
  other = i;
  do
  :: other < board_count ->
     board_receive[other] = board_receive[other + 1];
     board_claimer[other] = board_claimer[other + 1];
     board_position[other] = board_position[other + 1];
     other++
  :: else -> break
  od;
  board_receive[board_count] = 0;
  board_claimer[board_count] = NONE;
  board_position[board_count] = 0;
  tell_senders()
}

/* held_back: a wildcard that may match the same messages waits before the i-th. */
inline is_held_back(i, which) {
  held = 0;
  other = 0;
  do
  :: other < i ->
     held = held || (wanted_source[board_receive[other]] == ANY &&
                     RECEIVE_COMM(board_receive[other]) == RECEIVE_COMM(which));
     other++
  :: else -> break
  od;
  other = 0
}

/* The oldest message that receive `which` may take, of its claimer if it has one; `m`, or NONE. Goes through all of
 * them, which leaves them in their order. */
inline oldest_message(which, claimer) {
  m = NONE;
  other = len(unexpected);
  do
  :: other > 0 ->
     unexpected?look;
     unexpected!look;
     if
     :: m == NONE && ACCEPTS(which, look) && (claimer == NONE || claimer == SENDER(look)) -> m = look
     :: else
     fi;
     other--
  :: else -> break
  od;
  look = 0
}

inline take_unexpected(which) {
  unexpected??eval(m);
  give(which, m)
}

#ifdef MISTAKE_CLAIMED_TAKES_ANY
#define CLAIMER(i) NONE
#else
#define CLAIMER(i) board_claimer[i]
#endif

/* Something before the i-th may still take message `m`. */
inline is_wanted(i) {
  held = 0;
  other = 0;
  do
  :: other < i ->
     held = held || (ACCEPTS(board_receive[other], m) && (CLAIMER(other) == NONE || CLAIMER(other) == SENDER(m)));
     other++
  :: else -> break
  od;
  other = 0
}

/* Of a receive that is no wildcard. */
inline receive_post(which) {
  oldest_message(which, NONE);
  if
  :: m != NONE -> take_unexpected(which)
  :: else -> posted[which] = 1; tell_senders()
  fi
}

/* settle, or what becomes of a receive that is held back. */
inline settle(i) {
  r = board_receive[i];
  if
  :: wanted_source[r] == ANY ->
     oldest_message(r, CLAIMER(i));
     if
     :: m != NONE -> is_wanted(i)
     :: else -> held = 1
     fi;
     if
     :: !held && ELSEWHERE && !(cancelling & 1 << r) ->
        REACHED("not cancelled yet")
        quiet = 0;
        cancelling = cancelling | 1 << r;
        held = 1
     :: !held -> take_unexpected(r); board_remove(i)
     :: else
     fi
  :: else ->
     is_held_back(i, r);
     if
     :: !held -> board_remove(i); receive_post(r)
     :: else
     fi
  fi;
  m = 0;
  r = 0
}

/* Whatever it is asked for, what has come may be for others. */
#ifdef MISTAKE_SETTLE_ONE
#define IS_SETTLED(r, comm) (RECEIVE_COMM(r) == comm)
#else
#define IS_SETTLED(r, comm) true
#endif
inline settle_all(comm) {
  do
  :: place < board_count ->
     if
     :: IS_SETTLED(board_receive[place], comm) -> settle(place)
     :: else -> held = 1
     fi;
     place = place + held;
     held = 0
  :: else -> break
  od;
  place = 0
}

/* ---- Promises. ---- */

/* The oldest message that receive `which` may take and that is not promised; `m`, or NONE. */
inline oldest_unpromised(which) {
  m = NONE;
  other = len(unexpected);
  do
  :: other > 0 ->
     unexpected?look;
     unexpected!look;
     held = 0;
     entry = 0;
     do
     :: entry < board_count ->
        held = held || (board_claimer[entry] == SENDER(look) && board_position[entry] == POSITION(look));
        entry++
     :: else -> break
     od;
     if
     :: m == NONE && !held && ACCEPTS(which, look) -> m = look
     :: else
     fi;
     other--
  :: else -> break
  od;
  look = 0;
  entry = 0;
  held = 0
}

/* Whether something on the board waits for what MPI says. */
inline is_undecided() {
  held = 0;
  other = 0;
  do
  :: other < board_count -> held = held || (cancelling >> board_receive[other]) & 1; other++
  :: else -> break
  od;
  other = 0
}

inline promise_all() {
  is_undecided();
  do
  :: place < board_count && held ->
     if
     :: board_claimer[place] == NONE ->
        oldest_unpromised(board_receive[place]);
        held = 1;
        if
        :: m != NONE ->
           board_claimer[place] = SENDER(m);
           board_position[place] = POSITION(m);
           tell_senders()
        :: else
        fi;
        m = 0
     :: else
     fi;
     place++
  :: else -> break
  od;
  place = 0;
  held = 0
}

inline drain_all() {
  drain(0);
#if SENDERS > 1
  drain(1);
#endif
}

/* What is done under the board's lock, in one place, since Spin writes a function out wherever it is called. */
#define ADDS 1     /* wildcards_hold */
#define ADVANCES 2 /* wildcards_advance */
#define DRAINS 3   /* wildcards_drain */

inline receive_start(which) {
  atomic {
    is_held_back(board_count, which);
    if
    :: wanted_source[which] == ANY || held -> section = ADDS
    :: else -> receive_post(which); posted_count++
    fi;
    held = 0;
    m = 0
  }
}

/* The locks aside, others see nothing of this but what is drained and posted. */
inline locked_section(which) {
#ifdef MISTAKE_DRAIN_OUTSIDE
  drain_all();
#endif
  atomic {
    !board_lock -> board_lock = 1;
    if
    :: section == ADDS ->
       board_receive[board_count] = which;
       board_claimer[board_count] = NONE;
       board_count++;
       posted_count++;
       tell_senders()
    :: else
    fi
  };
#ifndef MISTAKE_DRAIN_OUTSIDE
  if
  :: section == DRAINS -> drain(wanted_source[which])
  :: else -> drain_all()
  fi;
#endif
  atomic {
    settle_all(RECEIVE_COMM(which));
#ifndef MISTAKE_NO_PROMISE
    promise_all();
#endif
    section = 0;
    board_lock = 0
  }
}

/* What one rank sends on a communicator is received in the order of posting. */
inline check_order() {
  d_step {
    m = 0;
    do
    :: m < ALL ->
       assert(POSITION(m) == 0 || COMM(m - 1) != COMM(m) || receive_of[m - 1] < receive_of[m]);
       m++
    :: else -> break
    od;
    m = 0
  }
}

proctype Receiver(byte program) {
  chan unexpected = [ALL] of {byte};
  byte m, r, other, look, place, entry, next, section, cancelling;
  bit held, quiet; /* quiet: as look_again, for the receive that is waited for */

  do
  :: next < RECEIVES ->
     if
     :: receive_start(next); next++
     :: program == POLLS && board_count > 0 && SOMETHING_HAS_COME -> section = ADVANCES
     fi;
     if
     :: section > 0 -> locked_section((next - 1))
     :: else
     fi
  :: else -> break
  od;
  next = 0;
  if
  :: program == BARRIER ->
     sender_finished[0];
#if SENDERS > 1
     sender_finished[1];
#endif
  :: else
  fi;
  do
  :: next < RECEIVES && message_of[next] != NONE -> next++; quiet = 0
  :: next < RECEIVES && message_of[next] == NONE && (!quiet || SOMETHING_HAS_COME) ->
     quiet = 1;
     if
     :: !posted[next] -> section = ADVANCES
     :: posted[next] && board_count > 0 && HAS_SOMETHING(wanted_source[next]) -> section = DRAINS
     :: posted[next] && board_count == 0 -> drain(wanted_source[next])
     :: else
     fi;
     if
     :: section > 0 -> locked_section(next)
     :: else
     fi
  :: next == RECEIVES -> break
  od;
  sender_finished[0];
#if SENDERS > 1
  sender_finished[1];
#endif
  check_order()
}
