/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * What the members of a window share for its epochs (epochs/epochs.h), function by function, but for fences, which are
 * the barriers of area.pml. MEMBERS members that do one thing after the other for ever, each what it likes among those
 * that the driver (check_model.py) gives:
 *
 *   KINDS    set of uses (below), a bit each
 *   MEMBERS  2 or 3
 *
 * All numbers wrap, after as few as can be told apart.
 */
#ifndef MEMBERS
#define MEMBERS 2
#endif

/* Uses. Exposing does not mix with others: who waits for a post waits for all. */
#define READ_LOCKED 0  /* a shared lock of the first member's memory */
#define WRITE_LOCKED 1 /* an exclusive one */
#define ACCUMULATE 2   /* holds its latch */
#define EXPOSE_ALL 3   /* all post to all others, start, put, complete and wait */
#define EXPOSE_ONE 4   /* the first posts and waits, the others start, put and complete */
#define CHANGE_WORD 5  /* of the first member's memory: by an instruction where the latch is open */
#define HAND_TO_ONE 6  /* the others post and wait, each by itself, the first starts with one, hands to it, completes */
#define HAND_TO_ALL 7  /* all hand to all others, and fence */
#define HANDS ((KINDS >> HAND_TO_ONE | KINDS >> HAND_TO_ALL) & 1)

/* Words. */
#define NEXT 0
#define READERS 1
#define WRITERS 2
#define LATCH 3
#define PAIR(t, o) ((t) * MEMBERS + (o))
#define POSTED(t, o) (4 + PAIR(t, o))
#define COMPLETED(t, o) (4 + MEMBERS * MEMBERS + PAIR(t, o))
#define ANNOUNCED(m) (4 + 2 * MEMBERS * MEMBERS + (m))
#define BYTES(t, o) (4 + 2 * MEMBERS * MEMBERS + MEMBERS + PAIR(t, o)) /* handed, to that target */
#define FENCED(m) (4 + 3 * MEMBERS * MEMBERS + MEMBERS + (m))
#if HANDS
#define WORDS (4 + 3 * MEMBERS * MEMBERS + 2 * MEMBERS)
#else
#define WORDS (4 + 2 * MEMBERS * MEMBERS + MEMBERS)
#endif

/* Values of the latch: how many turns were taken, and by whom, decides only when it opens, which it may at any time. */
#define CLOSED 0
#define HELD 1
#define OPEN 2

/* Plain data. */
#define PART(t, o) PAIR(t, o) /* of the target's memory, where that origin puts; PART(t, t): what all of them read */
#define LOCKED (MEMBERS * MEMBERS)
#define ACCUMULATED (MEMBERS * MEMBERS + 1)
#define HANDED(o) (MEMBERS * MEMBERS + 2 + (o)) /* memory of that origin's */
#if HANDS
#define PLAIN (MEMBERS * MEMBERS + 2 + MEMBERS)
#else
#define PLAIN (MEMBERS * MEMBERS + 2)
#endif

#include "area_memory.pml"

#define NUMBERS 4 /* more than members that may hold a ticket */
#define PLUS(n, m) (((n) + (m)) % NUMBERS)

/* The orders, and the mistakes that can be seeded. */
#ifdef MISTAKE_LET_IN_RELAXED
#define LET_IN RELAXED
#else
#define LET_IN ORDERED
#endif
#ifdef MISTAKE_READS_RELAXED
#define READS RELAXED
#else
#define READS ORDERED
#endif
#ifdef MISTAKE_WRITES_RELAXED
#define WRITES RELAXED
#else
#define WRITES ORDERED
#endif
#ifdef MISTAKE_READ_RELAXED
#define READ RELAXED
#else
#define READ ORDERED
#endif
#ifdef MISTAKE_WRITTEN_FOR_READERS_RELAXED
#define WRITTEN_FOR_READERS RELAXED
#else
#define WRITTEN_FOR_READERS ORDERED
#endif
#ifdef MISTAKE_WRITTEN_FOR_WRITERS_RELAXED
#define WRITTEN_FOR_WRITERS RELAXED
#else
#define WRITTEN_FOR_WRITERS ORDERED
#endif
#ifdef MISTAKE_LATCH_TAKE_RELAXED
#define TAKE RELAXED
#else
#define TAKE ORDERED
#endif
#ifdef MISTAKE_LATCH_GIVE_BACK_RELAXED
#define GIVE_BACK RELAXED
#else
#define GIVE_BACK ORDERED
#endif
#ifdef MISTAKE_WORD_BEGIN_RELAXED
#define WORD_BEGIN RELAXED
#else
#define WORD_BEGIN ORDERED
#endif
#ifdef MISTAKE_WORD_END_RELAXED
#define WORD_END RELAXED
#else
#define WORD_END ORDERED
#endif
#ifdef MISTAKE_WORD_IS_OVER_RELAXED
#define WORD_IS_OVER RELAXED
#else
#define WORD_IS_OVER ORDERED
#endif
#ifdef MISTAKE_EXPOSE_RELAXED
#define POST RELAXED
#else
#define POST ORDERED
#endif
#ifdef MISTAKE_START_RELAXED
#define START RELAXED
#else
#define START ORDERED
#endif
#ifdef MISTAKE_COMPLETE_RELAXED
#define COMPLETE RELAXED
#else
#define COMPLETE ORDERED
#endif
#ifdef MISTAKE_WAIT_RELAXED
#define WAIT RELAXED
#else
#define WAIT ORDERED
#endif
#ifdef MISTAKE_BROUGHT_RELAXED
#define BROUGHT RELAXED
#else
#define BROUGHT ORDERED
#endif
#ifdef MISTAKE_HANDED_IS_READ_RELAXED
#define HANDED_IS_READ RELAXED
#else
#define HANDED_IS_READ ORDERED
#endif

/* What must hold: who holds the lock, how many tickets are through, who is in the latch, and who changes words by
 * instructions, and of which epoch a part is. */
byte holds_to_read, holds_to_write, through, holds_latch, in_words;
byte part[MEMBERS * MEMBERS], epoch_of[MEMBERS];
byte handed_to; /* by the first member, with HAND_TO_ONE */

c_code {
  /* A store by a read-modify-write: what the word carried stays with it (C11 5.1.2.4, release sequences). */
  static void add(void) {
    now.word[target].value = (now.word[target].value + 1) % 4;
    for (int p = 0; p < MEMBERS && order_of_access; p++) {
      now.word[target].carried.writes[p] |= now.known[self].writes[p];
      now.word[target].carried.reads[p] |= now.known[self].reads[p];
    }
  }
}

inline add(x, order) {
  d_step { self = me; target = x; order_of_access = order; c_code { add(); } }
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

/* ---- Locks. ---- */

/* lock_ticket */
inline take_ticket() {
  d_step { ticket = word[NEXT].value; word[NEXT].value = PLUS(ticket, 1) }
}

/* lock_reads, until it is so; then lock_read */
inline read_locked() {
  take_ticket();
  load_until(READERS, word[READERS].value == ticket, READS);
#ifndef MISTAKE_NEXT_NOT_LET_IN
  store(READERS, PLUS(ticket, 1), LET_IN);
#endif
  d_step { holds_to_read++; assert(holds_to_write == 0) };
  plain_read(LOCKED);
  if
  :: holds_to_read > 1 -> REACHED("read together")
  :: else
  fi;
  d_step { holds_to_read--; through = PLUS(through, 1) };
  add(WRITERS, READ);
  ticket = 0
}

/* lock_writes, until it is so; then lock_written */
inline write_locked() {
  take_ticket();
#ifndef MISTAKE_WRITER_AS_READER
  load_until(WRITERS, word[WRITERS].value == ticket, WRITES);
#else
  load_until(READERS, word[READERS].value == ticket, WRITES);
#endif
  d_step {
    holds_to_write++;
    assert(holds_to_write == 1 && holds_to_read == 0);
    assert(through == ticket) /* in the order of coming */
  };
  plain_write(LOCKED);
  d_step { holds_to_write--; through = PLUS(through, 1) };
  add(READERS, WRITTEN_FOR_READERS);
#ifndef MISTAKE_WRITTEN_BY_STORE
  add(WRITERS, WRITTEN_FOR_WRITERS);
#else
  store(WRITERS, PLUS(ticket, 1), WRITTEN_FOR_WRITERS);
#endif
  ticket = 0;
  REACHED("wrote")
}

/* ---- Latches. ---- */

/* latch_take, until it is so: a look, and then the exchange, which somebody else may have done before. Then word_is_over
 * for all, where it was open. */
inline take_latch() {
  do
  :: true ->
     load_until(LATCH, word[LATCH].value != HELD, RELAXED);
#ifndef MISTAKE_LATCH_WITHOUT_EXCHANGE
     if
     :: atomic {
          word[LATCH].value != HELD ->
          d_step {
            self = me; target = LATCH; order_of_access = TAKE;
            number = word[LATCH].value;
            word[LATCH].value = HELD;
            c_code { if (order_of_access) learn(); }
          }
        };
        break
     :: atomic { word[LATCH].value == HELD -> REACHED("latch was taken before") }
     fi
#else
     load_until(LATCH, true, TAKE);
     d_step { number = word[LATCH].value; word[LATCH].value = HELD };
     break
#endif
  od;
#ifndef MISTAKE_WORDS_NOT_AWAITED
  if
  :: number == OPEN ->
     peer = 0;
     do
     :: peer < MEMBERS -> load_until(ANNOUNCED(peer), word[ANNOUNCED(peer)].value == 0, WORD_IS_OVER); peer++
     :: else -> break
     od;
     peer = 0
  :: else
  fi;
#else
  skip;
#endif
  d_step { holds_latch++; assert(holds_latch == 1 && in_words == 0) }
}

inline accumulate() {
  take_latch();
  plain_read(ACCUMULATED);
  plain_write(ACCUMULATED);
  d_step { holds_latch--; number = 0 };
  store(LATCH, CLOSED, GIVE_BACK)
}

/* word_begin: `number` is 1 where it returns true. */
inline begin_word() {
  atomic { number = (word[LATCH].value == OPEN) };
  if
  :: number == 0
  :: number == 1 ->
#ifdef MISTAKE_ANNOUNCED_AFTER_LOOK /* what a store that is no exchange permits */
     look_at_latch();
     if
     :: number == 1 -> store(ANNOUNCED(me), 1, ORDERED)
     :: else
     fi
#else
     store(ANNOUNCED(me), 1, ORDERED);
#ifndef MISTAKE_NOT_LOOKED_AGAIN
     look_at_latch();
     if
     :: number == 0 -> store(ANNOUNCED(me), 0, WORD_END); REACHED("latch was taken meanwhile")
     :: else
     fi
#endif
#endif
  fi
}

inline look_at_latch() {
  d_step {
    self = me; target = LATCH; order_of_access = WORD_BEGIN;
    number = (word[LATCH].value == OPEN);
    c_code { if (order_of_access) learn(); }
  }
}

/* Any number of words one after the other (kept_words_finish). An instruction races with no other one, only with plain
 * accesses: which a plain read does, too, since those with the latch also write. Else as accumulate, and then the latch
 * may open (latch_give_back_word). */
inline change_word() {
  begin_word();
  if
  :: number == 1 ->
     d_step { in_words++; assert(holds_latch == 0 && in_words > 0) };
     plain_read(ACCUMULATED);
     if
     :: in_words > 1 -> REACHED("words changed together")
     :: else
     fi;
#ifdef MISTAKE_WORD_AFTER_END
     store(ANNOUNCED(me), 0, WORD_END);
#endif
     do
     :: plain_read(ACCUMULATED); REACHED("changed another word")
     :: break
     od;
     skip;
     d_step { in_words--; number = 0 };
#ifndef MISTAKE_WORD_AFTER_END
     store(ANNOUNCED(me), 0, WORD_END)
#endif
  :: else ->
     take_latch();
     plain_read(ACCUMULATED);
     plain_write(ACCUMULATED);
     d_step { holds_latch--; number = 0 };
     if
     :: store(LATCH, CLOSED, GIVE_BACK)
     :: store(LATCH, OPEN, GIVE_BACK)
     fi
  fi
}

/* ---- Post, start, complete, wait. ---- */

/* pair_add: of who calls, alone */
inline pair_add(pair, order_of_it) {
  d_step { number = PLUS(word[pair].value, 1) };
  store(pair, number, order_of_it);
  number = 0
}

/* exposure_post, to all of them */
inline post() {
  peer = 0;
  do
  :: peer < MEMBERS && peer == me -> peer++
  :: peer < MEMBERS && peer != me ->
     plain_write(PART(me, peer));
     part[PART(me, peer)] = 0;
     peer++
  :: else -> break
  od;
  plain_write(PART(me, me));
  epoch_of[me] = PLUS(epoch_of[me], 1);
  peer = 0;
  do
  :: peer < MEMBERS && peer == me -> peer++
  :: peer < MEMBERS && peer != me -> pair_add(POSTED(me, peer), POST); peer++
  :: else -> break
  od;
  peer = 0
}

/* exposure_is_there, and exposure_complete */
inline access(t) {
#ifndef MISTAKE_NOT_STARTED
  load_until(POSTED(t, me), word[POSTED(t, me)].value != word[COMPLETED(t, me)].value, START);
#endif
#ifdef MISTAKE_COMPLETE_EARLY
  pair_add(COMPLETED(t, me), COMPLETE);
#endif
  plain_read(PART(t, t));
  plain_write(PART(t, me));
  part[PART(t, me)] = 1;
#ifndef MISTAKE_COMPLETE_EARLY
  pair_add(COMPLETED(t, me), COMPLETE);
#endif
  REACHED("completed")
}

inline access_all() {
  peer = 0;
  do
  :: peer < MEMBERS && peer == me -> peer++
  :: peer < MEMBERS && peer != me -> access(peer); peer++
  :: else -> break
  od;
  peer = 0
}

/* exposure_is_over, of all of them */
inline wait() {
  peer = 0;
  do
  :: peer < MEMBERS && peer == me -> peer++
  :: peer < MEMBERS && peer != me ->
     load_until(COMPLETED(me, peer), word[COMPLETED(me, peer)].value == word[POSTED(me, peer)].value, WAIT);
     plain_read(PART(me, peer));
     assert(part[PART(me, peer)] == 1); /* else it was not put */
     peer++
  :: else -> break
  od;
  peer = 0;
  REACHED("waited")
}

/* ---- What is handed. ---- */

/* handed_is_read, of all targets: `number` is 1 where the memory may be written again. */
inline look_whether_read() {
  number = 1;
  peer = 1;
  do
  :: peer < MEMBERS ->
     d_step {
       self = me; target = BYTES(peer, me); order_of_access = HANDED_IS_READ;
       number = number && word[BYTES(peer, me)].value == 0;
       c_code { if (order_of_access) learn(); }
     };
     peer++
  :: else -> break
  od;
  peer = 0
}

/* One epoch with that target: handed_keep, or by the kernel, and handed_complete. */
inline hand_to(t) {
  load_until(POSTED(t, me), word[POSTED(t, me)].value != word[COMPLETED(t, me)].value, START);
  look_whether_read();
#ifdef MISTAKE_HANDED_UNASKED
  number = 1;
#endif
  if
  :: number == 1 ->
     plain_write(HANDED(me));
     handed_to = t;
#ifdef MISTAKE_COMPLETE_BEFORE_HANDED
     pair_add(COMPLETED(t, me), COMPLETE);
     store(BYTES(t, me), 1, RELAXED);
     REACHED("handed")
#else
     store(BYTES(t, me), 1, RELAXED);
     pair_add(COMPLETED(t, me), COMPLETE);
     REACHED("handed")
#endif
  :: else ->
     plain_write(PART(t, me));
     part[PART(t, me)] = 1;
     pair_add(COMPLETED(t, me), COMPLETE);
     REACHED("could not hand yet")
  fi
}

/* exposure_post to the first, exposure_is_over, handed_bring_completed */
inline be_handed() {
  plain_write(PART(me, 0));
  part[PART(me, 0)] = 0;
  pair_add(POSTED(me, 0), POST);
  load_until(COMPLETED(me, 0), word[COMPLETED(me, 0)].value == word[POSTED(me, 0)].value, WAIT);
  atomic { number = word[BYTES(me, 0)].value };
  if
  :: number == 1 ->
     plain_read(HANDED(0));
     assert(handed_to == me); /* else it was written again */
     plain_write(PART(me, 0));
     part[PART(me, 0)] = 1;
     store(BYTES(me, 0), 0, BROUGHT)
  :: else
  fi;
  number = 0;
  plain_read(PART(me, 0));
  assert(part[PART(me, 0)] == 1) /* else it was not put */
}

/* What the area's barriers are (area.pml). */
inline fence_barrier() {
  d_step { number = PLUS(word[FENCED(me)].value, 1) };
  store(FENCED(me), number, ORDERED);
  peer = 0;
  do
  :: peer < MEMBERS ->
     load_until(FENCED(peer), word[FENCED(peer)].value == number || word[FENCED(peer)].value == PLUS(number, 1), ORDERED);
     peer++
  :: else -> break
  od;
  peer = 0;
  number = 0
}

/* handed_fence, handed_bring_fenced, handed_is_fenced; then all get from all what was brought there. */
inline hand_to_all() {
  plain_write(HANDED(me));
  fence_barrier();
  peer = 0;
  do
  :: peer < MEMBERS && peer == me -> peer++
  :: peer < MEMBERS && peer != me -> plain_read(HANDED(peer)); plain_write(PART(me, peer)); peer++
  :: else -> break
  od;
#ifndef MISTAKE_ONE_BARRIER
  fence_barrier();
#endif
  peer = 0;
  do
  :: peer < MEMBERS && peer == me -> peer++
  :: peer < MEMBERS && peer != me -> plain_read(PART(peer, (peer + 1) % MEMBERS)); peer++
  :: else -> break
  od;
  peer = 0;
  REACHED("handed by a fence")
}

#define DOES(value) (KINDS >> (value)) & 1

proctype Member(byte me) {
  byte ticket, peer, number;
  do
  :: DOES(READ_LOCKED) -> read_locked()
  :: DOES(WRITE_LOCKED) -> write_locked()
  :: DOES(ACCUMULATE) -> accumulate()
  :: DOES(CHANGE_WORD) -> change_word()
  :: DOES(EXPOSE_ALL) -> post(); access_all(); wait()
  :: DOES(EXPOSE_ONE) && me == 0 -> post(); wait()
  :: DOES(EXPOSE_ONE) && me != 0 -> access(0)
  :: DOES(HAND_TO_ONE) && me == 0 -> hand_to(1)
#if MEMBERS > 2
  :: DOES(HAND_TO_ONE) && me == 0 -> hand_to(2)
#endif
  :: DOES(HAND_TO_ONE) && me != 0 -> be_handed()
  :: DOES(HAND_TO_ALL) -> hand_to_all()
  od
}

init {
  atomic {
    c_code { know_all(); };
    run Member(0);
    run Member(1);
#if MEMBERS > 2
    run Member(2)
#endif
  }
}
