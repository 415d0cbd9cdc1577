/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * What the members of a communicator share for its collectives (area/area.h, and what collectives/ does with it), for
 * MEMBERS members that make one collective after the other for ever. Which one comes next whoever comes first chooses,
 * among those that the driver (check_model.py) gives:
 *
 *   KINDS     set of collectives (below), a bit each
 *   MEMBERS   2 or 3
 *   LIMIT     how many collectives in all; 0: no end
 *   FINDINGS  each member tells a finding behind the first collective, and reads those of all as soon as it may
 *
 * Epochs of barriers wrap again and again. A run without LIMIT makes nothing else, for those of slots must not wrap:
 * MISTAKE_EPOCHS_WRAP is one that does.
 */
#ifndef MEMBERS
#define MEMBERS 2
#endif
#ifndef LIMIT
#define LIMIT 0
#endif
#define SLOTS 2
#define ROUNDS (MEMBERS > 2 -> 2 : 1)
#define EPOCHS 16
#define BARRIERS 4
#define BARRIER_BITS 2
#define BITS ((1 << BARRIER_BITS) - 1)

/* Collectives. */
#define BARRIER 0     /* and bits go along */
#define ALL 1         /* what each publishes goes to all */
#define ROOTED 2      /* what one member publishes goes to all */
#define PULL_ALL 3    /* each publishes where its data lie, all read there, then a barrier */
#define PULL_ROOTED 4 /* the same for one member, which waits until all are done */
#define MEETING 5     /* members publish for their leader, which publishes for them when it has heard all (leaders/) */
#define EXCHANGE 6    /* what all publish goes to all, and their leader reads their outboxes; then always: */
#define LETTERS 7     /* all read the inbox of the leader, which others than members have written for it */
#define OPERANDS 8    /* what all publish, or where it lies, goes to those that have a slice; then always: */
#define SLICES 9      /* what these publish goes to all, whose operands are free then (reductions/slices.h) */
#define LEADER 0

/* Words. */
#define FLAG(m, round, parity) (((m) * 2 + (round)) * 2 + (parity))
#define DONE(m) (MEMBERS * 4 + (m))
#define SLOT(m, e) (MEMBERS * 5 + (m) * SLOTS + (e) % SLOTS)
#define FOUND(m) (MEMBERS * (5 + SLOTS) + (m))
#define WORDS (MEMBERS * (6 + SLOTS))

/* Of OPERANDS: whether all members have a slice, or all but the last; and whether operands are in slots, and then who
 * has no result does not hear the slices. */
#define SLICERS(e) (root_of[e] % 2 == 0 -> MEMBERS : MEMBERS - 1)
#define IN_SLOTS(e) (root_of[e] >= 2)
#define IS_HEARING(e) (!IN_SLOTS(e) || me == 0)

/* Plain data. */
#define PAYLOAD(m, e) ((m) * SLOTS + (e) % SLOTS)
#define BUFFER(m) (MEMBERS * SLOTS + (m))
#define INBOX MEMBERS /* its buffer; outboxes are the members' */
#define FINDING(m) (MEMBERS * (SLOTS + 1) + 1 + (m))
#define PLAIN (MEMBERS * (SLOTS + 2) + 1)

#include "area_memory.pml"

#define NOTHING 0
#define FIRST (SLOTS + 1) /* so that no epoch before it is negative */
byte payload[MEMBERS * SLOTS], buffer[MEMBERS + 1]; /* the epoch they are of */

/* The orders, and the mistakes that can be seeded. */
#ifdef MISTAKE_TELL_RELAXED
#define TELL RELAXED
#else
#define TELL ORDERED
#endif
#ifdef MISTAKE_TOLD_RELAXED
#define TOLD RELAXED
#else
#define TOLD ORDERED
#endif
#ifdef MISTAKE_SLOT_PUBLISH_RELAXED
#define PUBLISH RELAXED
#else
#define PUBLISH ORDERED
#endif
#ifdef MISTAKE_SLOT_LOOK_RELAXED
#define LOOK RELAXED
#else
#define LOOK ORDERED
#endif
#ifdef MISTAKE_END_RELAXED
#define ENDED RELAXED
#else
#define ENDED ORDERED
#endif
#ifdef MISTAKE_IS_DONE_RELAXED
#define IS_DONE RELAXED
#else
#define IS_DONE ORDERED
#endif
#ifdef MISTAKE_ONE_FLAG
#define PARITY(b) 0
#else
#define PARITY(b) ((b) % 2)
#endif
#ifdef MISTAKE_ONE_ROUND
#define ROUNDS_MADE 1
#else
#define ROUNDS_MADE ROUNDS
#endif
#ifdef MISTAKE_BITS_OVERLAP
#define OF_EPOCH 1
#else
#define OF_EPOCH BARRIER_BITS
#endif
#ifdef MISTAKE_BIT_LOST
#define CARRIED 1
#else
#define CARRIED BITS
#endif
#ifdef MISTAKE_SLOT_EARLY
#define BEFORE(e) ((e) - SLOTS - 1)
#else
#define BEFORE(e) ((e) - SLOTS)
#endif
#ifdef MISTAKE_KNOWN_EARLY
#define SEEN_BY_ALL(e) (e)
#else
#define SEEN_BY_ALL(e) ((e) - 1)
#endif

/* When what is told behind the first collective may be read: finding_epoch. */
#ifdef MISTAKE_FINDING_EARLY
#define ALL_HAVE_TOLD (FIRST + SLOTS)
#else
#define ALL_HAVE_TOLD (FIRST + 1 + SLOTS)
#endif

#define PLUS(e, n) (((e) + (n)) % EPOCHS)

/* What must hold. */
byte entered[MEMBERS]; /* barriers */
byte any_bits[BARRIERS]; /* what any member has come with */
/* Which collective it is. */
byte kind_of[EPOCHS], root_of[EPOCHS], latest;

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

/* collective_agree */
inline agree(own_bits) {
  atomic {
    barrier = (barrier + 1) % BARRIERS;
    told = own_bits;
    /* The entry is that of the barrier before the last one, of which nobody is left. */
    if
    :: entered[0] != barrier && entered[1] != barrier && (MEMBERS < 3 || entered[MEMBERS - 1] != barrier) ->
       any_bits[barrier] = own_bits
    :: else -> any_bits[barrier] = any_bits[barrier] | own_bits
    fi;
    entered[me] = barrier
  }
  round = 0;
  do
  :: round < ROUNDS_MADE ->
     store(FLAG((me + (1 << round)) % MEMBERS, round, PARITY(barrier)), barrier << OF_EPOCH | told, TELL);
     load_until(FLAG(me, round, PARITY(barrier)),
                word[FLAG(me, round, PARITY(barrier))].value >> OF_EPOCH == barrier, TOLD);
     told = told | (word[FLAG(me, round, PARITY(barrier))].value & CARRIED);
     round++
  :: else -> break
  od;
  round = 0;
  d_step {
    at = 0;
    do
    :: at < MEMBERS -> /* all have come, and some may be in the next one */
       assert(entered[at] == barrier || entered[at] == (barrier + 1) % BARRIERS);
       at++
    :: else -> break
    od;
    at = 0;
    known_done = epoch
  };
  REACHED("barrier")
}

/* slot_is_known_free, slot_is_free */
inline await_free() {
#ifndef MISTAKE_NO_LOOK
  if
  :: known_done >= BEFORE(epoch) -> REACHED("known to be free")
  :: else ->
     at = 0;
     known_done = EPOCHS;
     do
     :: at < MEMBERS && at == me -> at++
     :: at < MEMBERS && at != me ->
        atomic { /* the least of what is loaded */
          load_until(DONE(at), word[DONE(at)].value >= BEFORE(epoch), IS_DONE);
          known_done = (word[DONE(at)].value < known_done -> word[DONE(at)].value : known_done)
        };
        at++
     :: else -> break
     od;
     at = 0;
#ifdef MISTAKE_KNOWN_OF_LAST /* not the least */
     known_done = word[DONE((me + 1) % MEMBERS)].value;
#endif
     if
     :: known_done > BEFORE(epoch) -> REACHED("saw that more is free")
     :: else -> REACHED("looked whether it is free")
     fi
  fi
#else
  skip
#endif
}

inline publish() {
  await_free();
  plain_write(PAYLOAD(me, epoch));
  payload[PAYLOAD(me, epoch)] = epoch;
  store(SLOT(me, epoch), epoch, PUBLISH)
}

inline fetch(from) {
  load_until(SLOT(from, epoch), word[SLOT(from, epoch)].value == epoch, LOOK);
  plain_read(PAYLOAD(from, epoch));
  assert(payload[PAYLOAD(from, epoch)] == epoch) /* else what it read is of another collective */
}

inline pull(from) {
  plain_read(BUFFER(from));
  assert(buffer[from] == epoch)
}

inline fetch_all(pulls) { fetch_first(MEMBERS, pulls) }
inline fetch_first(members, pulls) {
  peer = 0;
  do
  :: peer < members && peer == me -> peer++
  :: peer < members && peer != me ->
     fetch(peer);
     if
     :: pulls -> pull(peer)
     :: else
     fi;
     peer++
  :: else -> break
  od;
  peer = 0
}

/* What all have written before a barrier is there after it. */
inline fetch_buffers() {
  peer = 0;
  do
  :: peer < MEMBERS && peer == me -> peer++
  :: peer < MEMBERS && peer != me -> pull(peer); peer++
  :: else -> break
  od;
  peer = 0
}

/* epoch_end */
inline end_epoch() { store(DONE(me), epoch, ENDED) }

inline fill_buffer() { plain_write(BUFFER(me)); buffer[me] = epoch }
inline use_buffer() { plain_write(BUFFER(me)); buffer[me] = NOTHING }

/* boxes_await_readers; then others may write into the inbox for the next epoch */
inline receive_letters() {
#ifndef MISTAKE_INBOX_UNASKED
  at = 0;
  do
  :: at < MEMBERS ->
     load_until(DONE(at), word[DONE(at)].value >= letters_told, IS_DONE);
     at++
  :: else -> break
  od;
  at = 0;
#endif
  plain_write(BUFFER(INBOX));
  buffer[INBOX] = PLUS(epoch, 1)
}

/* What the members have left for other nodes. */
inline read_outboxes() {
  peer = 0;
  do
  :: peer < MEMBERS -> pull(peer); peer++
  :: else -> break
  od;
  peer = 0
}

/* finding_tell; finding_told, which nobody has to wait for by then */
inline tell_or_read_findings() {
  if
  :: epoch == FIRST ->
     plain_write(FINDING(me));
     store(FOUND(me), 1, ORDERED)
  :: epoch == ALL_HAVE_TOLD ->
     at = 0;
     do
     :: at < MEMBERS ->
        atomic {
          assert(word[FOUND(at)].value == 1);
          load_until(FOUND(at), word[FOUND(at)].value == 1, ORDERED)
        };
        plain_read(FINDING(at));
        at++
     :: else -> break
     od;
     at = 0;
     REACHED("read findings")
  :: else
  fi
}

#define CHOOSE(value) (KINDS >> (value)) & 1 -> kind_of[epoch] = value

/* The next collective: who comes first chooses. */
inline choose() {
  atomic {
    epoch = PLUS(epoch, 1);
    if
    :: epoch == PLUS(latest, 1) ->
       latest = epoch;
       if
       :: kind_of[PLUS(epoch, EPOCHS - 1)] == EXCHANGE -> kind_of[epoch] = LETTERS
       :: kind_of[PLUS(epoch, EPOCHS - 1)] == OPERANDS -> kind_of[epoch] = SLICES
       :: else ->
          if
          :: CHOOSE(BARRIER)
          :: CHOOSE(ALL)
          :: CHOOSE(ROOTED)
          :: CHOOSE(PULL_ALL)
          :: CHOOSE(PULL_ROOTED)
          :: CHOOSE(MEETING)
          :: CHOOSE(EXCHANGE)
          :: CHOOSE(OPERANDS)
          fi
       fi;
       root_of[epoch] = 0;
       if
       :: kind_of[epoch] == ROOTED || kind_of[epoch] == PULL_ROOTED ->
          if :: true :: root_of[epoch] = 1 :: MEMBERS > 2 -> root_of[epoch] = MEMBERS - 1 fi
       :: kind_of[epoch] == OPERANDS ->
          if :: true :: root_of[epoch] = 1 :: root_of[epoch] = 2 :: root_of[epoch] = 3 fi
       :: kind_of[epoch] == SLICES -> root_of[epoch] = root_of[PLUS(epoch, EPOCHS - 1)]
       :: else
       fi
    :: else
    fi
  }
}

proctype Member(byte me) {
  byte epoch = FIRST - 1, known_done = FIRST - 1, barrier, told, round, at, peer, count;
  byte own_bits, letters_told = FIRST - 1;
  do
  :: LIMIT == 0 || count < LIMIT ->
     count = (LIMIT == 0 -> 0 : count + 1);
     choose();
     if
     :: kind_of[epoch] == BARRIER ->
        if :: own_bits = 0 :: own_bits = 1 :: own_bits = 2 :: MEMBERS < 3 -> own_bits = 3 fi;
        fill_buffer();
        agree(own_bits);
        assert(told == any_bits[barrier]); /* all get the same */
        fetch_buffers();
        agree(0);
        own_bits = 0;
        end_epoch()
     :: kind_of[epoch] == ALL ->
        publish();
        fetch_all(0);
        known_done = SEEN_BY_ALL(epoch);
        end_epoch();
        REACHED("all")
     :: kind_of[epoch] == ROOTED ->
        if
        :: root_of[epoch] == me -> publish()
        :: else -> fetch(root_of[epoch])
        fi;
        end_epoch();
        REACHED("rooted")
     :: kind_of[epoch] == PULL_ALL ->
        fill_buffer();
        publish();
        fetch_all(1);
        known_done = SEEN_BY_ALL(epoch);
        end_epoch();
#ifndef MISTAKE_PULLED_UNASKED
        agree(0);
#endif
        use_buffer();
        REACHED("pulled")
     :: kind_of[epoch] == PULL_ROOTED ->
        if
        :: root_of[epoch] == me ->
           fill_buffer();
           publish();
           end_epoch();
#ifndef MISTAKE_PULLED_FROM_ROOT_UNASKED
           at = 0;
           do
           :: at < MEMBERS ->
              load_until(DONE(at), word[DONE(at)].value >= epoch, IS_DONE);
              at++
           :: else -> break
           od;
           at = 0;
#endif
           use_buffer()
        :: else -> fetch(root_of[epoch]); pull(root_of[epoch]); end_epoch()
        fi;
        REACHED("pulled from root")
     :: kind_of[epoch] == MEETING ->
        if
        :: me == LEADER ->
#ifndef MISTAKE_MEETING_UNHEARD
           fetch_all(0);
#endif
           publish()
        :: else -> publish(); fetch(LEADER)
        fi;
        known_done = SEEN_BY_ALL(epoch);
        end_epoch();
        REACHED("met")
     :: kind_of[epoch] == EXCHANGE ->
        if
        :: me == LEADER -> receive_letters()
        :: else
        fi;
        fill_buffer();
        publish();
        fetch_all(0);
        if
        :: me == LEADER -> read_outboxes()
        :: else
        fi;
        known_done = SEEN_BY_ALL(epoch);
        end_epoch();
        REACHED("exchanged")
     :: kind_of[epoch] == LETTERS ->
        if
        :: me == LEADER -> publish(); letters_told = epoch
#ifndef MISTAKE_INBOX_UNHEARD
        :: else -> fetch(LEADER)
#else
        :: else
#endif
        fi;
        pull(INBOX);
        end_epoch();
        REACHED("read letters")
     :: kind_of[epoch] == OPERANDS -> /* which nobody ends: to be done with the slices says more */
        if
        :: !IN_SLOTS(epoch) -> fill_buffer()
        :: else
        fi;
        publish();
        if
        :: me < SLICERS(epoch) && !IN_SLOTS(epoch) -> fetch_all(1)
        :: me < SLICERS(epoch) && IN_SLOTS(epoch) -> fetch_all(0)
        :: else
        fi
     :: kind_of[epoch] == SLICES ->
        if
        :: me < SLICERS(epoch) -> publish()
        :: else
        fi;
        if
        :: IS_HEARING(epoch) ->
#ifndef MISTAKE_SLICES_UNHEARD
           fetch_first(SLICERS(epoch), 0);
           known_done = SEEN_BY_ALL(epoch) /* they have heard all before, and nobody else reads what these gave */
#else
           skip
#endif
        :: else
        fi;
        if
        :: !IN_SLOTS(epoch) -> use_buffer()
        :: else
        fi;
        end_epoch();
        REACHED("took slices")
     fi;
#ifdef FINDINGS
     tell_or_read_findings()
#endif
  :: LIMIT != 0 && count == LIMIT -> break
  od
}

init {
  byte at;
  atomic {
    c_code { know_all(); };
    latest = FIRST - 1;
    do
    :: at < MEMBERS -> word[DONE(at)].value = FIRST - 1; at++
    :: else -> break
    od;
    at = 0;
    run Member(0);
    run Member(1);
#if MEMBERS > 2
    run Member(2)
#endif
  }
}
