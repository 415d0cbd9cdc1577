/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * The rank that receives: channel/channel_receive.c and messages/receiving.c, function by function, written as
 * sender.pml is.
 */

/* States of an operation. */
#define NOT_POSTED 0
#define PENDING 1
#define FETCH 2    /* fetch[j]: its rendezvous */
#define FROM_MPI 3 /* fetch[j]: which of MPI's messages */
#define FILLED 4   /* the program has not looked yet */
#define RECEIVED 5
#define WITHDRAWN 6

/* What is done under the lock. */
#define DRAIN 1
#define WITHDRAWING 2
#define FORGET 3
#define ANNOUNCED 4

/* ---- Posted receives. Operation j uses record j. ---- */

/* At the end of the chain; without the lock. */
inline link_receive(j) {
  store(NEXT(j), 0, RELAXED);
  if
  :: posted_tail > 0 -> store(NEXT(posted_tail - 1), j + 1, POST_ORDER)
  :: else -> store(POSTED, j + 1, POST_ORDER)
  fi;
  posted_tail = j + 1
}

/* Whether a record is the one to take out: the oldest unmatched one with this tag, or `only` (1 + record). */
#define WANTED(r, tag, only) \
  (only > 0 -> (r) + 1 == only : receive_tag[r] == tag && word[RECEIVE_STATE(r)].value == RECEIVE_POSTED)

/* take_receive and take_this: sets `found` to 1 + the record that it has taken out, or to 0. Under the lock, which
 * makes it one step: others look at the chain under the lock alone. */
inline take_receive(tag, only) {
  found = word[POSTED].value;
  do
  :: found > 0 && WANTED(found - 1, tag, only) ->
     after = word[NEXT(found - 1)].value;
     if
     :: previous > 0 -> store(NEXT(previous - 1), after, RELAXED)
     :: else -> store(POSTED, after, RELAXED)
     fi;
     after = 0;
     if
     :: posted_tail == found -> posted_tail = previous
     :: else
     fi;
     break
  :: found > 0 && !WANTED(found - 1, tag, only) -> previous = found; found = word[NEXT(found - 1)].value
  :: found == 0 -> break
  od;
  previous = 0
}

/* ---- Arrivals. ---- */

/* operation_arrive */
inline arrive(j, kind, what) {
  if
  :: kind == CELL_RENDEZVOUS -> op[j] = FETCH; fetch[j] = what; matched[j] = 1
  :: kind == CELL_MPI -> op[j] = FROM_MPI; fetch[j] = what; matched[j] = 1
  :: else -> plain_write(RECEIVE_BUFFER(j)); receive_buffer[j] = what; op[j] = FILLED
  fi
}

/* ---- Consuming. ---- */

#define NEXT_CELL (base + ((position - start) & (cells - 1)))

/* Counts as a cell, with a ring and without. */
inline leave_ring() {
  mpi_only = 1;
  position++
}

/* Sets `kind`. */
inline next_kind() {
  load(kind, CELL(NEXT_CELL), CONSUME_ORDER);
  kind = (kind == CELL_WORD((kind & 7), position) -> kind & 7 : CELL_NONE)
}

/* A drain that looks for the message of a receive may leave what no receive is there for once that has got it: then
 * `kind` is CELL_NONE. */
inline match_cell(wanted) {
  plain_read(CELL_REST(NEXT_CELL));
  content = cell_ref[NEXT_CELL];
  if
  :: kind == CELL_EAGER -> plain_read(EAGER(content)); content = eager[content]
  :: kind == CELL_RENDEZVOUS -> plain_read(RENDEZVOUS(content)) /* its length */
  :: else
  fi;
  take_receive(cell_tag[NEXT_CELL], 0);
  if
  :: found > 0 -> REACHED("matched as it came") found--; arrive(found, kind, content)
  :: found == 0 -> REACHED("unexpected") unexpected[cell_tag[NEXT_CELL]]!kind, content
#ifdef MISTAKE_LEFT_THOUGH_AWAITED
  :: found == 0 && section == DRAIN -> kind = CELL_NONE
#else
  :: found == 0 && section == DRAIN && op[wanted] >= FETCH && op[wanted] <= FILLED ->
     REACHED("left in the ring") kind = CELL_NONE
#endif
  fi;
  found = 0;
  content = 0
}

/* Sets `kind` to CELL_NONE when there is no more. */
inline consume(wanted) {
  atomic {
    next_kind();
    if
    :: kind == CELL_NONE || kind == CELL_MPI_ONLY
    :: kind == CELL_JUMP ->
       plain_read(CELL_REST(NEXT_CELL));
       position++;
       start = position;
       base = FIRST_RING_CELLS;
       cells = CELLS - FIRST_RING_CELLS
    :: kind == CELL_SKIP -> REACHED("skipped") position++
    :: else ->
       match_cell(wanted);
       if
       :: kind != CELL_NONE -> position++
       :: else
       fi
    fi
  }
}

/* Under the lock. */
inline consume_all(wanted) {
  if
  :: cells == 0 ->
     atomic {
       load(kind, RING, ORDERED); /* connect */
       if
       :: kind == 1 -> plain_read(RING_CELLS); cells = FIRST_RING_CELLS
       :: kind == RING_NONE -> kind = CELL_MPI_ONLY
       :: else
       fi
     }
  :: else
  fi;
  if
  :: cells > 0 ->
     do
     :: consume(wanted);
        if
        :: kind == CELL_NONE || kind == CELL_MPI_ONLY -> break
        :: else
        fi
     od
  :: else
  fi;
  atomic {
    if
    :: kind == CELL_MPI_ONLY && !mpi_only -> leave_ring()
    :: else
    fi;
    kind = 0;
#ifndef MISTAKE_CONSUMED_OUTSIDE
    store(CONSUMED, position, CONSUMED_ORDER)
#endif
  }
}

/* receiver_announced; under the lock. */
inline match_announced() {
  atomic {
    content = announcement[heard];
    heard++;
    take_receive(TAG(content), 0);
    if
    :: found > 0 -> REACHED("announced as it was posted") found--; arrive(found, CELL_MPI, content)
    :: else -> REACHED("announced before it was posted") unexpected[TAG(content)]!CELL_MPI, content
    fi;
    found = 0;
    content = 0;
    position++;
    store(CONSUMED, position, CONSUMED_ORDER)
  }
}

/* Sets `kind`; looks without the lock. */
inline something_has_come() {
  if
  :: mpi_only
  :: !mpi_only && cells == 0 -> load(kind, RING, RELAXED)
  :: else -> atomic { next_kind() }
  fi
}

/* ---- Posting. ---- */

inline receiver_post(j) {
  atomic {
    plain_write(RECEIVE(j));
    plain_write(OUTCOME(j));
    receive_tag[j] = RECEIVE_TAG(j);
    receive_form[j] = RECEIVE_FORM(j);
    receive_owner[j] = j;
    op[j] = PENDING;
    store(RECEIVE_STATE(j), RECEIVE_POSTED, RELAXED)
  };
  atomic {
    if
    :: nempty(unexpected[RECEIVE_TAG(j)]) -> unexpected[RECEIVE_TAG(j)]?kind, content
    :: empty(unexpected[RECEIVE_TAG(j)])
    fi;
    if
    :: kind != CELL_NONE -> arrive(j, kind, content); kind = 0; content = 0
    :: else -> link_receive(j)
    fi
  }
}

/* receiver_take_next, as far as it looks. Sets `kind`; CELL_NONE: the receive is posted. */
#ifdef MISTAKE_TAKE_THOUGH_POSTED
#define NONE_POSTED true
#else
#define NONE_POSTED (word[POSTED].value == 0)
#endif
#ifdef MISTAKE_TAKE_THOUGH_KEPT
#define NONE_KEPT true
#else
#define NONE_KEPT empty(unexpected[RECEIVE_TAG(j)])
#endif
inline look_for_next(j) {
  atomic {
    if
    :: cells > 0 && NONE_POSTED && NONE_KEPT -> next_kind()
    :: else
    fi;
    if
    :: kind == CELL_INLINE || kind == CELL_EAGER ->
       plain_read(CELL_REST(NEXT_CELL));
       if
       :: cell_tag[NEXT_CELL] != RECEIVE_TAG(j) -> kind = CELL_NONE
       :: else
       fi
    :: else -> kind = CELL_NONE
    fi
  }
}

/* The rest of it. */
inline take_next(j) {
  atomic {
    REACHED("taken")
    content = cell_ref[NEXT_CELL];
    if
    :: kind == CELL_EAGER -> plain_read(EAGER(content)); content = eager[content]
    :: else
    fi;
    plain_write(RECEIVE_BUFFER(j));
    receive_buffer[j] = content;
    content = 0;
    kind = 0
  };
  inbox_lock();
  atomic {
    position++;
    store(CONSUMED, position, CONSUMED_ORDER)
  };
  inbox_unlock();
  op[j] = FILLED
}

inline locked_section(j) {
#ifdef MISTAKE_WITHDRAW_WITHOUT_LOCK
  if
  :: section != WITHDRAWING -> inbox_lock()
  :: else
  fi;
#else
  inbox_lock();
#endif
#ifdef MISTAKE_CONSUMED_EARLY
  if
  :: section == DRAIN && cells > 0 -> store(CONSUMED, position + 1, CONSUMED_ORDER)
  :: else
  fi;
#endif
  if
  :: section == FORGET
  :: section == ANNOUNCED -> match_announced()
#ifdef MISTAKE_WITHDRAW_WITHOUT_LOOKING
  :: section == WITHDRAWING
  :: section == DRAIN -> consume_all(j)
#else
  :: section == DRAIN || section == WITHDRAWING -> consume_all(j)
#endif
  fi;
  if
  :: section == WITHDRAWING -> /* receiver_withdraw */
     atomic {
       if
#ifdef MISTAKE_WITHDRAW_MATCHED
       :: true -> take_receive(0, (j + 1))
#else
       :: word[RECEIVE_STATE(j)].value == RECEIVE_POSTED -> take_receive(0, (j + 1))
       :: else
#endif
       fi;
       if
       :: found > 0 ->
          REACHED("withdrawn")
          op[j] = WITHDRAWN;
          withdrawn = 1;
          plain_write(RECEIVE_BUFFER(j)); /* the program's again, and the record somebody else's */
          plain_write(RECEIVE(j));
          plain_write(OUTCOME(j))
       :: else -> REACHED("not withdrawn")
       fi;
       found = 0
     }
#ifndef MISTAKE_NO_FORGET
  :: section == FORGET -> atomic { take_receive(0, (j + 1)); found = 0 } /* receiver_forget */
#endif
  :: else
  fi;
#ifdef MISTAKE_WITHDRAW_WITHOUT_LOCK
  if
  :: section != WITHDRAWING -> inbox_unlock()
  :: else
  fi;
#else
  inbox_unlock();
#endif
#ifdef MISTAKE_CONSUMED_OUTSIDE
  if
  :: section == DRAIN -> store(CONSUMED, position, CONSUMED_ORDER)
  :: else
  fi;
#endif
  section = 0
}

/* ---- Fetching. ---- */

/* Sets `claim`: the value of the state that the message was claimed in, or LATER. */
#define LATER 9
inline rendezvous_claim(k) {
  load(claim, RENDEZVOUS_STATE(k), ORDERED);
  if
  :: claim == RENDEZVOUS_POSTED ->
#ifdef MISTAKE_CLAIM_WITHOUT_SWAP
     store(RENDEZVOUS_STATE(k), RENDEZVOUS_CLAIMED, ORDERED)
#else
     compare_exchange(taken, RENDEZVOUS_STATE(k), RENDEZVOUS_POSTED, RENDEZVOUS_CLAIMED);
     if
     :: !taken -> atomic { REACHED("not claimed") load(claim, RENDEZVOUS_STATE(k), ORDERED) }
     :: else
     fi;
     taken = 0
#endif
  :: else
  fi;
  if
  :: claim != RENDEZVOUS_POSTED && claim != RENDEZVOUS_STAGED && claim != RENDEZVOUS_BY_MPI -> claim = LATER
  :: else -> plain_read(ADDRESS(k)) /* in the window, or not */
  fi
}

/* fetch of operations.c, and the batch: each message of it is claimed, copied and finished by itself. */
inline fetch_message(j) {
  rendezvous_claim(fetch[j]);
#ifdef MISTAKE_NOT_FOLLOWED
  ready = 1;
#else
  if
  :: claim == RENDEZVOUS_STAGED -> load(ready, PUT(fetch[j]), ORDERED) /* rendezvous_ready */
  :: else -> ready = 1
  fi;
#endif
  if
  :: claim == RENDEZVOUS_POSTED && KERNEL_REFUSES ->
     atomic { REACHED("refused") store(RENDEZVOUS_STATE(fetch[j]), RENDEZVOUS_REFUSED, FINISH_ORDER) }
  :: claim == RENDEZVOUS_BY_MPI -> /* fetch_from_mpi, and payload_receive */
     atomic {
       REACHED("fetched from MPI")
       plain_read(RENDEZVOUS(fetch[j]));
       plain_read(ADDRESS(fetch[j]));
       assert(rendezvous_message[fetch[j]] != FREED);
       which_message = rendezvous_message[fetch[j]];
       store(RENDEZVOUS_STATE(fetch[j]), RENDEZVOUS_DONE, FINISH_ORDER);
       fetch[j] = which_message;
       mpi_received[which_message] = 1;
       which_message = 0;
       op[j] = FROM_MPI
     }
  :: claim != LATER && claim != RENDEZVOUS_BY_MPI && !ready -> REACHED("not there yet")
  :: claim != LATER && claim != RENDEZVOUS_BY_MPI && ready ->
     atomic {
       plain_read(RENDEZVOUS(fetch[j]));
       plain_read(ADDRESS(fetch[j]));
       plain_write(RECEIVE_BUFFER(j));
       assert(rendezvous_message[fetch[j]] != FREED);
       if
       :: rendezvous_staged[fetch[j]] ->
          REACHED("fetched from the window")
          plain_read(STAGED(rendezvous_message[fetch[j]]));
          receive_buffer[j] = staged[rendezvous_message[fetch[j]]]
       :: else ->
          REACHED("fetched from the buffer")
          plain_read(SEND_BUFFER(rendezvous_message[fetch[j]]));
          receive_buffer[j] = send_buffer[rendezvous_message[fetch[j]]]
       fi;
       store(RENDEZVOUS_STATE(fetch[j]), RENDEZVOUS_DONE, FINISH_ORDER);
       fetch[j] = 0;
       op[j] = FILLED
     }
  :: claim == LATER
  fi;
  claim = 0;
  ready = 0
}

/* In the order of posting, which is that of matching for each envelope, and no other order matters. */
inline finish_matched() {
  do
  :: which < RECEIVES && !matched[which] -> which++
  :: which < RECEIVES && matched[which] ->
     matched[which] = 0;
     if
     :: op[which] == FROM_MPI -> /* payload_receive */
        mpi_received[fetch[which]] = 1
     :: else -> fetch_message(which)
     fi
  :: which == RECEIVES -> break
  od;
  which = 0
}

/* ---- Getting on. ---- */

/* The first half of poll_receive: to fetch, or to look into the ring. */
inline poll_receive(j) {
  if
  :: op[j] == FETCH -> matched[j] = 1
  :: op[j] == FROM_MPI ->
     atomic {
       if
       :: mpi_sent[fetch[j]] ->
          REACHED("received through MPI")
          plain_write(RECEIVE_BUFFER(j));
          receive_buffer[j] = mpi_message[fetch[j]];
          fetch[j] = 0;
          op[j] = FILLED
       :: else
       fi
     }
  :: op[j] == PENDING ->
     something_has_come();
     section = (kind != CELL_NONE -> DRAIN : (mpi_only && heard < announced -> ANNOUNCED : 0));
     kind = 0
  :: else
  fi
}

/* The record must be out of its chain before it is used again. */
inline poll_matched_by_sender(j) {
  load(look, RECEIVE_STATE(j), ORDERED);
  if
  :: look == RECEIVE_DONE || look == RECEIVE_MATCHED ->
     section = FORGET;
     locked_section(j);
     atomic {
       plain_read(OUTCOME(j));
       if
       :: look == RECEIVE_DONE -> op[j] = FILLED
       :: else ->
          op[j] = FETCH;
          fetch[j] = receive_rendezvous[j];
          matched[j] = 1;
          store(RECEIVE_STATE(j), RECEIVE_POSTED, RELAXED)
       fi
     }
  :: else
  fi;
  look = 0
}

/* A receive is done: the program reads its buffer, and writes what it likes; the record is free. */
inline use(j) {
  atomic {
    plain_read(RECEIVE_BUFFER(j));
    got[j] = receive_buffer[j];
    plain_write(RECEIVE_BUFFER(j));
    receive_buffer[j] = 0;
    plain_write(RECEIVE(j));
    plain_write(OUTCOME(j));
    op[j] = RECEIVED
  }
}
