/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * A rank that sends to one with a board: sender_match and sender_claim of channel/channel_match.c, and who calls them.
 */

/* find_posted after count_before: the posted receive of the message at `p`, in `found`, or NONE. */
inline find_posted(p) {
  skip_over = 0;
  other = consumed[me];
  do
  :: other < p ->
     skip_over = skip_over + (!skipped[MESSAGE(me, other)] && COMM(MESSAGE(me, other)) == COMM(MESSAGE(me, p)));
     other++
  :: else -> break
  od;
  found = 0;
  do
  :: found == RECEIVES -> found = NONE; break
  :: found < RECEIVES && posted[found] && ACCEPTS(found, MESSAGE(me, p)) ->
     if
     :: skip_over == 0 -> break
     :: else -> skip_over--; found++
     fi
  :: else -> found++
  od;
  skip_over = 0;
  other = 0
}

/* Whether the i-th may still be claimed. */
#ifdef MISTAKE_CLAIM_SURVIVES
#define IS_FREE(i) (board_claimer[i] == NONE || board_claimer[i] == me)
#else
#define IS_FREE(i) (board_claimer[i] == NONE || (board_claimer[i] == me && board_position[i] >= from))
#endif

/* Claims the first receive for the message at `p` that none before it has got; `found`: its place, or NONE. */
inline find_on_board(p) {
  found = 0;
  do
  :: found == board_count -> found = NONE; break
  :: found < board_count && IS_FREE(found) && !(got & 1 << found) &&
     ACCEPTS(board_receive[found], MESSAGE(me, p)) ->
     got = got | 1 << found;
     board_claimer[found] = me;
     board_position[found] = p;
     break
  :: else -> found++
  od
}

/* sender_match: takes the posted receive of the message, and delivers. */
inline sender_match(p) {
  if
  :: consumed[me] <= p ->
     find_posted(p);
     if
     :: found != NONE ->
        REACHED("matched by its sender")
        posted[found] = 0;
        skipped[MESSAGE(me, p)] = 1;
        give(found, MESSAGE(me, p))
     :: else
     fi;
     found = 0
  :: else
  fi
}

/* The receive that a message is promised which its rank has seen; `found`: its place, or NONE. */
inline find_promise(p) {
  found = 0;
  do
  :: found == board_count -> found = NONE; break
  :: found < board_count && board_claimer[found] == me && board_position[found] == p -> REACHED("promised") break
  :: else -> found++
  od
}

/* All messages before have a receive. (Taking that for granted would do no harm: a receive for one that has none comes
 * with its rank's looking for messages, which gives it that.) */
#define IS_SETTLED_BEFORE(p) (settled == (p))

/* sender_claim, while the board's lock is free. */
inline sender_claim(p) {
  found = NONE;
  settled = (settled > consumed[me] -> settled : consumed[me]);
#ifdef MISTAKE_CLAIM_ALONE
  from = (settled > p -> settled : p);
#else
  from = settled;
#endif
  at = from;
  if
  :: from > p -> find_promise(p)
  :: else
  fi;
  do
  :: at <= p ->
     found = NONE;
     if
     :: skipped[MESSAGE(me, at)]
     :: else -> find_posted(at)
     fi;
     if
     :: found == NONE && !skipped[MESSAGE(me, at)] ->
        find_on_board(at);
        if
        :: IS_SETTLED_BEFORE(at) && found != NONE -> settled = at + 1
        :: else
        fi
     :: else ->
        found = NONE;
        if
        :: IS_SETTLED_BEFORE(at) -> settled = at + 1
        :: else
        fi
     fi;
     at++
  :: else -> break
  od;
  if
  :: found != NONE ->
     REACHED("claimed")
     ended = ended | 1 << p;
     posted_at_end[MESSAGE(me, p)] = posted_count
  :: else
  fi;
  at = 0;
  got = 0;
  from = 0;
  found = 0
}

/* Others wait while this rank has the board's lock, so that what it does meanwhile is one step. */
inline send_poll(p) {
  atomic {
    look_again[MESSAGE(me, p)] = 0;
    sender_match(p);
    if
    :: received[MESSAGE(me, p)] -> ended = ended | 1 << p
    :: else
    fi
  };
  atomic {
    if
    :: !(ended & 1 << p) && !board_lock -> sender_claim(p)
    :: else -> look_again[MESSAGE(me, p)] = 1 /* another has the lock */
    fi
  }
}

#define WAITS(p) (next > (p) && !(ended & 1 << (p)))

proctype Sender(byte me) {
  byte found, other, skip_over, got, at, from, settled, next, ended;

  do
  :: next < MESSAGES ->
     atomic {
       sent[me]++;
       if
       :: !IS_SYNCHRONOUS(MESSAGE(me, next)) -> ended = ended | 1 << next
       :: else
       fi;
       next++
     }
  :: atomic { WAITS(0) && received[MESSAGE(me, 0)] -> ended = ended | 1 }
  :: atomic { WAITS(1) && received[MESSAGE(me, 1)] -> ended = ended | 2 }
  :: WAITS(0) && look_again[MESSAGE(me, 0)] && !board_lock -> send_poll(0)
  :: WAITS(1) && look_again[MESSAGE(me, 1)] && !board_lock -> send_poll(1)
  :: ended == 3 -> break
  od;
  sender_finished[me] = 1
}
