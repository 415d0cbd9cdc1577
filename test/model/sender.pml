/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * The rank that sends: channel/channel_send.c and messages/sending.c, function by function. Each `atomic` makes one
 * access to a word that the other rank uses; what is private, and plain data, goes with it. A function that several
 * others call in C has one place here, since Spin writes it out wherever it is called.
 */

/* Kinds of messages, as scenarios name them. */
#define INLINE 0
#define EAGER_KIND 1
#define STANDARD 2           /* a rendezvous on the buffer */
#define SYNCHRONOUS 3        /* the same */
#define STANDARD_STAGED 4    /* a rendezvous on a staged copy from the start */
#define SYNCHRONOUS_STAGED 5 /* the same */
#define PLACED 6             /* packed where it is received, if it has a receive when it is packed; else STANDARD */
#define IS_SYNCHRONOUS(m) (KIND(m) == SYNCHRONOUS || KIND(m) == SYNCHRONOUS_STAGED)
#define IS_STAGED(m) (KIND(m) == STANDARD_STAGED || KIND(m) == SYNCHRONOUS_STAGED)

/* States of an operation. */
#define IDLE 0
#define ACTIVE 1 /* a rendezvous */
#define BY_MPI 2 /* a synchronous send through MPI */
#define DONE 3

/* ---- Memory that cells are done with. ---- */

/* The last free cell of a ring is kept for the jump, or for sender_leave. */
#define SET_LIMIT limit = (consumed > start -> consumed : start) + cells - 1

/* heap_free: the memory is somebody else's at once. */
inline free_first_ring() {
  plain_write(CELL_REST(0));
  plain_write(CELL_REST(1));
  word[CELL(0)].value = FREED;
  word[CELL(1)].value = FREED
}

inline refresh_consumed() {
  load(consumed, CONSUMED, REFRESH_ORDER);
  if
  :: cells > 0 && !mpi_only -> SET_LIMIT
  :: else
  fi;
  if
  :: consumed > start -> eager_tail = eager_end[(consumed - 1 - start) & (cells - 1)]
  :: else
  fi;
  if
  :: retired_ring > 0 && retired_ring <= consumed -> REACHED("ring freed") free_first_ring(); retired_ring = 0
  :: else
  fi;
  if
  :: retired_eager > 0 && retired_eager <= consumed ->
     REACHED("eager memory freed") plain_write(EAGER(0)); eager[0] = FREED; retired_eager = 0
  :: else
  fi
}

/* ---- The ring. ---- */

#define CELL_AT(p) (base + (((p) - start) & (cells - 1)))

inline publish(kind, tag, ref) {
  plain_write(CELL_REST(CELL_AT(position)));
  cell_tag[CELL_AT(position)] = tag;
  cell_ref[CELL_AT(position)] = ref;
  eager_end[(position - start) & (cells - 1)] = eager_head;
  store(CELL(CELL_AT(position)), CELL_WORD(kind, position), PUBLISH_ORDER);
  position++
}

inline grow_ring() {
  if
  :: cells == 0 && RINGS > 0 -> /* the first; its cells have no lap yet */
     cells = FIRST_RING_CELLS;
     plain_write(RING_CELLS);
     SET_LIMIT;
     store(RING, 1, FIRST_RING_ORDER)
  :: cells == FIRST_RING_CELLS && RINGS > 1 ->
     REACHED("jump")
     scratch = FIRST_RING_CELLS;
     do
     :: scratch < CELLS -> plain_write(CELL_REST(scratch)); scratch++
     :: else -> break
     od;
     scratch = 0;
     publish(CELL_JUMP, 0, 0);
     retired_ring = position;
     base = FIRST_RING_CELLS;
     cells = CELLS - FIRST_RING_CELLS;
     start = position;
     SET_LIMIT
  :: else
  fi
}

/* Sets `room`. */
inline make_room() {
  if
  :: position >= limit && !mpi_only && cells > 0 -> atomic { refresh_consumed() }
  :: else
  fi;
  if
  :: position >= limit && !mpi_only -> atomic { grow_ring() }
  :: else
  fi;
  room = position < limit
}

/* ---- Memory of eager messages: one message each. ---- */

#define EAGER_FITS (eager_slots > 0 && eager_head == eager_tail)
#define EAGER_PLACE (eager_slots - 1)

/* Sets `room`; the slot is that of the head. */
inline reserve_eager() {
  if
  :: !EAGER_FITS -> atomic { refresh_consumed() }
  :: else
  fi;
  if
  :: !EAGER_FITS && eager_slots < 2 -> /* grow_eager */
     d_step {
       retired_eager = (eager_slots > 0 -> position : 0);
       eager_slots = eager_slots + 1;
       eager_tail = eager_head;
       eager_end[0] = eager_head;
       eager_end[1] = eager_head;
       eager_end[2] = eager_head;
       eager_end[3] = eager_head
     }
  :: else
  fi;
  room = EAGER_FITS
}

/* ---- Starting. ---- */

inline gather_staged(m) {
  plain_read(SEND_BUFFER(m));
  plain_write(STAGED(m));
  staged[m] = send_buffer[m];
  has_staged[m] = 1
}

/* A standard send's copy follows the cell. A synchronous one's comes first: its receiver may have matched it, found no
 * copy, and gone into a barrier, and the sender could not tell that it was matched. */
#ifdef MISTAKE_PUT_LATE
#define PUT_AFTER_CELL(m) IS_STAGED(m)
#else
#define PUT_AFTER_CELL(m) (IS_STAGED(m) && !IS_SYNCHRONOUS(m))
#endif

/* rendezvous[m] = 1 + a record of the slab, or 0 when there is none. */
inline prepare_rendezvous(m) {
  rendezvous[m] = (!(slab & 1) -> 1 : (RENDEZVOUSES > 1 && !(slab & 2) -> 2 : 0));
  if
  :: rendezvous[m] > 0 ->
     slab = slab | (1 << (rendezvous[m] - 1));
     plain_write(RENDEZVOUS(rendezvous[m] - 1));
     plain_write(ADDRESS(rendezvous[m] - 1));
     rendezvous_message[rendezvous[m] - 1] = m;
     rendezvous_staged[rendezvous[m] - 1] = IS_STAGED(m);
     if
     :: IS_STAGED(m) && !PUT_AFTER_CELL(m) -> REACHED("put before the cell") gather_staged(m)
     :: else
     fi;
     store(PUT(rendezvous[m] - 1), !PUT_AFTER_CELL(m), RELAXED);
     store(RENDEZVOUS_STATE(rendezvous[m] - 1), (IS_STAGED(m) -> RENDEZVOUS_STAGED : RENDEZVOUS_POSTED), RELAXED)
  :: else -> REACHED("no rendezvous left")
  fi
}

/* pack_followed: the copy comes after the cell, or after the state that tells of it. */
inline put_staged(m) {
  gather_staged(m);
  store(PUT(rendezvous[m] - 1), 1, PUT_ORDER)
}

inline release_rendezvous(m) {
  plain_write(RENDEZVOUS(rendezvous[m] - 1));
  plain_write(ADDRESS(rendezvous[m] - 1));
  rendezvous_message[rendezvous[m] - 1] = FREED;
  slab = slab & ~(1 << (rendezvous[m] - 1));
  rendezvous[m] = 0;
  if
  :: has_staged[m] -> plain_write(STAGED(m)); staged[m] = FREED; has_staged[m] = 0
  :: else
  fi
}

inline send_by_mpi(m) {
  mpi_message[m] = send_buffer[m];
  mpi_sent[m] = 1;
  state[m] = (IS_SYNCHRONOUS(m) -> BY_MPI : DONE)
}

/* send_eager, then sender_offer, then sender_announce_mpi, then sender_leave: the next when there is no room. */
inline send_start(m) {
  what = (KIND(m) == INLINE -> CELL_INLINE : (KIND(m) == EAGER_KIND -> CELL_EAGER : CELL_RENDEZVOUS));
  do
  :: what < CELL_MPI_ONLY ->
     if
     :: what == CELL_RENDEZVOUS ->
        atomic {
          if
          :: !mpi_only -> prepare_rendezvous(m)
          :: else
          fi;
          if
          :: rendezvous[m] == 0 -> what = CELL_MPI
          :: else
          fi
        }
     :: else
     fi;
     make_room();
     if
     :: what == CELL_EAGER && room -> reserve_eager()
     :: else
     fi;
     if
     :: room -> break
     :: else
     fi;
     if
     :: what < CELL_RENDEZVOUS -> what = CELL_RENDEZVOUS /* no memory for an eager message */
     :: what == CELL_RENDEZVOUS -> atomic { what = CELL_MPI; release_rendezvous(m) }
     :: what == CELL_MPI -> what = CELL_MPI_ONLY
     fi
  :: what == CELL_MPI_ONLY -> break
  od;
  if
  :: what == CELL_MPI_ONLY && cells == 0 ->
     atomic { REACHED("leave to MPI at once") store(RING, RING_NONE, FIRST_RING_ORDER) }
  :: what == CELL_MPI_ONLY && mpi_only
  :: else ->
     atomic {
       if
       :: what == CELL_INLINE -> REACHED("inline") plain_read(SEND_BUFFER(m)); ref = send_buffer[m]
       :: what == CELL_EAGER ->
          REACHED("eager")
          ref = EAGER_PLACE;
          plain_read(SEND_BUFFER(m));
          plain_write(EAGER(ref));
          eager[ref] = send_buffer[m];
          eager_head++
       :: what == CELL_RENDEZVOUS -> ref = rendezvous[m] - 1
       :: what == CELL_MPI -> REACHED("announce MPI") ref = m
       :: else -> REACHED("leave to MPI")
       fi;
       op_position[m] = position;
       publish(what, TAG(m), ref);
       ref = 0
     }
  fi;
  if
  :: what == CELL_RENDEZVOUS && PUT_AFTER_CELL(m) -> atomic { REACHED("put after the cell") put_staged(m) }
  :: else
  fi;
  atomic {
    if
    :: what < CELL_RENDEZVOUS -> state[m] = DONE
    :: what == CELL_RENDEZVOUS -> state[m] = (IS_STAGED(m) && !IS_SYNCHRONOUS(m) -> DONE : ACTIVE)
    :: what == CELL_MPI -> send_by_mpi(m)
    :: what == CELL_MPI_ONLY ->
       if
       :: !mpi_only -> mpi_only = 1; limit = 0; leave_position = (cells > 0 -> position - 1 : 0)
       :: else
       fi;
       left_tags = left_tags | (TAG(m) << left_count); /* sender_note_left */
       left_count++;
       op_position[m] = leave_position + left_count;
       announcement[announced] = m; /* announcement_send */
       announced++;
       send_by_mpi(m)
    fi;
    what = 0
  }
}

/* ---- Matching by the sender. ---- */

#define UNCONSUMED_CELL(p) (retired_ring > 0 && (p) < retired_ring -> (p) & (FIRST_RING_CELLS - 1) : CELL_AT(p))

/* How many of the receives that follow are those of earlier messages, in `count`. */
inline count_before(from, p, tag) {
  count = 0;
#ifndef MISTAKE_NO_COUNT
  scratch = from;
  do
  :: scratch < p ->
     seen = word[CELL(UNCONSUMED_CELL(scratch))].value & 7;
     count = count + (seen != CELL_SKIP && seen != CELL_JUMP && cell_tag[UNCONSUMED_CELL(scratch)] == tag);
     scratch++
  :: else -> break
  od;
  scratch = 0
#endif
}

/* And of those that were announced through MPI since the window was exhausted. */
inline count_left(from, p, tag) {
  scratch = (from > leave_position -> from : leave_position + 1);
  do
  :: scratch < p -> count = count + (((left_tags >> (scratch - leave_position - 1)) & 1) == tag); scratch++
  :: else -> break
  od;
  scratch = 0
}

/* Sets `found` to 1 + the unmatched record of this tag that follows `count` others, or to 0. Under the lock. Those that
 * lie outside the segment mean nothing here: the search ends at the first. */
inline find_posted(tag) {
  load(found, POSTED, FOLLOW_ORDER);
  do
  :: found > 0 && RECEIVE_FORM(found - 1) == PRIVATE -> found = 0
  :: found > 0 && RECEIVE_FORM(found - 1) != PRIVATE ->
     atomic {
       plain_read(RECEIVE(found - 1));
       seen = (receive_tag[found - 1] == tag && word[RECEIVE_STATE(found - 1)].value == RECEIVE_POSTED);
       if
       :: seen && count == 0 -> seen = 0; break
       :: else -> count = count - seen; load(found, NEXT(found - 1), FOLLOW_ORDER)
       fi
     }
  :: found == 0 -> break
  od;
  count = 0
}

/* sender_match, which marks the receive, and sender_is_met, which only looks (state BY_MPI). Sets `found`. */
inline sender_match(m) {
  load(seen, CONSUMED, ORDERED);
  if
  :: seen <= op_position[m] ->
     inbox_lock();
     atomic {
       load(known, CONSUMED, RELAXED);
       if
       :: known <= op_position[m] ->
          if
          :: mpi_only && op_position[m] > leave_position ->
             count_before(known, leave_position, TAG(m));
             count_left(known, op_position[m], TAG(m))
          :: else -> count_before(known, op_position[m], TAG(m))
          fi;
          seen = 1
       :: else -> seen = 0
       fi
     };
     if
     :: seen -> seen = 0; find_posted(TAG(m))
     :: else
     fi;
     if
     :: found > 0 && state[m] == ACTIVE ->
        store(RECEIVE_STATE(found - 1), RECEIVE_PUSHING, RELAXED);
#ifndef MISTAKE_NO_SKIP
        atomic {
          known = UNCONSUMED_CELL(op_position[m]);
          scratch = (word[CELL(known)].value & ~7) | CELL_SKIP; /* as it was written here */
          store(CELL(known), scratch, RELAXED);
          scratch = 0
        }
#endif
     :: else
     fi;
     known = 0;
     inbox_unlock()
  :: else
  fi;
  seen = 0
}

/* ---- Getting on. ---- */

inline push(m, r) {
  plain_write(RECEIVE_BUFFER(receive_owner[r]));
  if
  :: has_staged[m] -> plain_read(STAGED(m)); receive_buffer[receive_owner[r]] = staged[m]
  :: else -> plain_read(SEND_BUFFER(m)); receive_buffer[receive_owner[r]] = send_buffer[m]
  fi
}

inline receive_hand_over(r, to) {
  store(RECEIVE_STATE(r), to, HAND_OVER_ORDER)
}

#ifdef MISTAKE_MATCHED_WAITS
#define MAY_LEAVE(m) (!IS_SYNCHRONOUS(m) && !matched_by_us[m])
#else
#define MAY_LEAVE(m) (!IS_SYNCHRONOUS(m) || matched_by_us[m])
#endif

/* Done when `released`; when it is not the rendezvous is left with the receive, and the buffer is taken back. */
inline match_and_push(m) {
  sender_match(m);
  if
  :: found > 0 && receive_form[found - 1] == CONTIGUOUS ->
#ifdef MISTAKE_DONE_BEFORE_COPY
     receive_hand_over(found - 1, RECEIVE_DONE);
     atomic { push(m, found - 1) };
#else
     atomic {
       REACHED("pushed")
       push(m, found - 1);
       plain_write(OUTCOME(found - 1));
       receive_hand_over(found - 1, RECEIVE_DONE)
     };
#endif
     state[m] = DONE;
     released = 1
  :: found > 0 && (receive_form[found - 1] != CONTIGUOUS || KERNEL_REFUSES) ->
     atomic {
       REACHED("left to fetch")
       matched_by_us[m] = 1;
       plain_write(OUTCOME(found - 1));
       receive_rendezvous[found - 1] = rendezvous[m] - 1;
       receive_hand_over(found - 1, RECEIVE_MATCHED)
     };
     if
     :: has_staged[m] && MAY_LEAVE(m) -> state[m] = DONE
     :: else
     fi
  :: else
  fi;
  found = 0
}

inline rendezvous_take_back(m) {
#ifdef MISTAKE_TAKE_BACK_WITHOUT_SWAP
  load(taken, RENDEZVOUS_STATE(rendezvous[m] - 1), ORDERED);
  taken = (taken == RENDEZVOUS_POSTED);
  if
  :: taken -> store(RENDEZVOUS_STATE(rendezvous[m] - 1), RENDEZVOUS_STAGING, ORDERED)
  :: else
  fi
#else
#ifdef MISTAKE_NO_STAGING
  load(taken, RENDEZVOUS_STATE(rendezvous[m] - 1), ORDERED);
  taken = (taken == RENDEZVOUS_POSTED)
#else
  compare_exchange(taken, RENDEZVOUS_STATE(rendezvous[m] - 1), RENDEZVOUS_POSTED, RENDEZVOUS_STAGING)
#endif
#endif
}

/* stage_in_mpi: the rendezvous tells the receiver which message of MPI's it is. */
inline stage_in_mpi(m) {
  atomic {
    REACHED("staged in MPI")
    taken = 0;
    plain_write(ADDRESS(rendezvous[m] - 1));
    store(RENDEZVOUS_STATE(rendezvous[m] - 1), RENDEZVOUS_BY_MPI, STAGED_ORDER)
  };
  atomic {
    plain_read(SEND_BUFFER(m));
    mpi_message[m] = send_buffer[m];
    mpi_sent[m] = 1;
    state[m] = DONE
  }
}

/* What remains of stage: from STAGING or REFUSED. */
inline stage_copy(m) {
  atomic {
    REACHED("staged")
    taken = 0;
    store(PUT(rendezvous[m] - 1), 0, ORDERED);
    plain_write(ADDRESS(rendezvous[m] - 1));
    rendezvous_staged[rendezvous[m] - 1] = 1;
    store(RENDEZVOUS_STATE(rendezvous[m] - 1), RENDEZVOUS_STAGED, STAGED_ORDER)
  };
  atomic {
    put_staged(m);
    state[m] = (MAY_LEAVE(m) -> DONE : ACTIVE)
  }
}

/* The time after which a send stages its message may have come at any poll, and has come at the second. */
inline send_poll(m) {
  load(look, RENDEZVOUS_STATE(rendezvous[m] - 1), ORDERED);
  if
  :: look == RENDEZVOUS_DONE -> state[m] = DONE; released = 1
  :: look == RENDEZVOUS_REFUSED -> matched_by_us[m] = 1; taken = 1
  :: look == RENDEZVOUS_STAGED && MAY_LEAVE(m) -> state[m] = DONE
  :: look == RENDEZVOUS_POSTED || (look == RENDEZVOUS_STAGED && !MAY_LEAVE(m)) ->
     if
     :: !matched_by_us[m] -> match_and_push(m)
     :: else
     fi;
     if
     :: look == RENDEZVOUS_POSTED && state[m] == ACTIVE && MAY_LEAVE(m) ->
        if
        :: !polled[m] && !matched_by_us[m] -> polled[m] = 1
#ifndef MISTAKE_LEFT_IN_PLACE
        :: true -> rendezvous_take_back(m)
#else
        :: else
#endif
        fi
     :: else
     fi
  :: else
  fi;
  if
  :: taken && !WINDOW_FULL -> stage_copy(m)
  :: taken && WINDOW_FULL -> stage_in_mpi(m)
  :: else
  fi;
  look = 0
}

/* ---- Packing in the receive (packing/packing.c). ---- */

/* sender_take: sets `place` to 1 + record. */
inline sender_take(m) {
  inbox_lock();
  atomic {
    load(known, CONSUMED, RELAXED);
    count_before(known, position, TAG(m));
#ifdef MISTAKE_TAKE_WITHOUT_COUNT
    count = 0;
#endif
    known = 0
  };
  find_posted(TAG(m));
  if
  :: found > 0 && receive_form[found - 1] == CONTIGUOUS ->
     atomic { REACHED("taken to pack there") place = found; store(RECEIVE_STATE(place - 1), RECEIVE_PUSHING, RELAXED) }
  :: else
  fi;
  atomic { found = 0; seen = 0 };
  inbox_unlock()
}

inline sender_give_back() {
#ifdef MISTAKE_GIVE_BACK_WITHOUT_LOCK
  store(RECEIVE_STATE(place - 1), RECEIVE_POSTED, RELAXED)
#else
  inbox_lock();
  store(RECEIVE_STATE(place - 1), RECEIVE_POSTED, HAND_OVER_ORDER);
  inbox_unlock()
#endif
}

/* The program packs between the two. Then the message is sent, which is done, or it is to be an ordinary one after all,
 * which is sent next: from the program's own buffer, in which nothing was written before. */
inline pack_in_place(m) {
  if
  :: !mpi_only -> sender_take(m)
  :: else
  fi;
  if
  :: place > 0 ->
     atomic {
       send_buffer[m] = 0;
       plain_write(RECEIVE_BUFFER(receive_owner[place - 1]));
       receive_buffer[receive_owner[place - 1]] = m + 1
     };
     if
     :: true ->
        atomic {
          REACHED("packed where it is received")
          plain_write(OUTCOME(place - 1));
          receive_hand_over(place - 1, RECEIVE_DONE);
          state[m] = DONE
        }
     :: true ->
        atomic {
          REACHED("given back")
          plain_read(RECEIVE_BUFFER(receive_owner[place - 1]));
          plain_write(SEND_BUFFER(m));
          send_buffer[m] = receive_buffer[receive_owner[place - 1]]
        };
#ifndef MISTAKE_GIVEN_BACK_LATE
        sender_give_back()
#else
        skip
#endif
     fi
  :: else
  fi
}

/* mpi_poll of a synchronous send: done when MPI says so, or when its receive is found. */
inline mpi_poll(m) {
  if
  :: mpi_received[m] -> state[m] = DONE
  :: else ->
     sender_match(m);
     if
     :: found > 0 -> atomic { REACHED("met through MPI") found = 0; state[m] = DONE }
     :: else
     fi
  fi
}
