/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Shared memory as C11 gives it to two processes: atomic words, plain data, and which accesses to plain data have
 * happened before which.
 *
 * Spin interleaves the steps of its processes, one word access each. Beside that, this file keeps which plain accesses
 * of each process the other one does not know of yet. A release store hands them to the word; an acquire load that
 * reads the word takes them from there. An access that conflicts with one that is not known is a data race, and an
 * assertion fails, whatever the interleaving made of the values: so a release or acquire that is missing is found.
 * With two processes these sets are exact; vector clocks are not needed.
 *
 * Before including this, define WORDS, the number of words, and number the plain data from 0 to 30 at most. Each
 * process has a constant `me`, 0 or 1.
 */
#define RELAXED 0
#define ORDERED 1 /* acquire for a load, release for a store */

typedef Word {
  byte value;
  bit by;     /* who stored it */
  int writes; /* the plain accesses that its release handed over and that the other process does not know of yet */
  int reads
};
Word word[WORDS];

/* Per process: its plain accesses that the other one does not know of. */
int unknown_writes[2], unknown_reads[2];

/* Arguments of the functions below; no part of the state. */
hidden byte self, target, order_of_access, new_value;
hidden byte good;

c_code {
  /* Plain access to `target`. One that comes after a release is not covered by it. */
  static void plain_access(int writes) {
    int bit = 1 << target, other = 1 - self;
    good = !((now.unknown_writes[other] | (writes ? now.unknown_reads[other] : 0)) & bit);
    *(writes ? &now.unknown_writes[self] : &now.unknown_reads[self]) |= bit;
    for (int i = 0; i < WORDS; i++)
      if (now.word[i].by == self)
        *(writes ? &now.word[i].writes : &now.word[i].reads) &= ~bit;
  }

  /* An acquire load of word `target`. What is known is taken out of the words too, to keep the states few. */
  static void learn(void) {
    int other = 1 - self;
    if (now.word[target].by == self)
      return;
    now.unknown_writes[other] &= ~now.word[target].writes;
    now.unknown_reads[other] &= ~now.word[target].reads;
    for (int i = 0; i < WORDS; i++)
      if (now.word[i].by == other) {
        now.word[i].writes &= now.unknown_writes[other];
        now.word[i].reads &= now.unknown_reads[other];
      }
  }

  static void put(void) {
    now.word[target].value = new_value;
    now.word[target].by = self;
    now.word[target].writes = order_of_access ? now.unknown_writes[self] : 0;
    now.word[target].reads = order_of_access ? now.unknown_reads[self] : 0;
  }
}

inline plain_write(x) {
  d_step { self = me; target = x; c_code { plain_access(1); }; assert(good) /* else a data race */ }
}
inline plain_read(x) {
  d_step { self = me; target = x; c_code { plain_access(0); }; assert(good) /* else a data race */ }
}

/* atomic_store_explicit */
inline store(x, v, order) {
  d_step { self = me; target = x; new_value = v; order_of_access = order; c_code { put(); } }
}

/* atomic_load_explicit */
inline load(variable, x, order) {
  d_step {
    self = me; target = x; order_of_access = order;
    c_code { if (order_of_access) learn(); };
    variable = word[target].value
  }
}

/* atomic_compare_exchange_strong_explicit, acq_rel, acquire when it fails */
inline compare_exchange(ok, x, from, to) {
  d_step {
    self = me; target = x; new_value = to; order_of_access = ORDERED;
    c_code { learn(); };
    ok = (word[target].value == from);
    if
    :: ok -> c_code { put(); }
    :: else
    fi
  }
}

/* atomic_exchange_explicit of a lock, acquire; waits until it is free */
inline lock(x) {
  atomic {
    word[x].value == 0;
    d_step { self = me; target = x; new_value = 1; order_of_access = RELAXED; c_code { learn(); put(); } }
  }
}
