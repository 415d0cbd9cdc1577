/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * memory.pml for any number of processes: which plain accesses of each process which other one knows of.
 *
 * A release store hands to the word what its process knows, its own accesses included; an acquire load takes that from
 * there. An access that conflicts with one that is not known is a data race, and an assertion fails.
 *
 * Before including this, define WORDS, MEMBERS and PLAIN, the number of plain data, 16 at most. Each process has `me`.
 */
#define RELAXED 0
#define ORDERED 1

#define ALL_PLAIN ((1 << PLAIN) - 1)

typedef Known {
  short writes[MEMBERS]; /* of each process: a bit for each datum whose last such access is known */
  short reads[MEMBERS]
};
typedef Word {
  byte value;
  Known carried
};
Word word[WORDS];
Known known[MEMBERS];

hidden byte self, target, order_of_access, new_value;
hidden byte good;

c_code {
  static void plain_access(int writes) {
    int bit = 1 << target;
    good = 1;
    for (int p = 0; p < MEMBERS; p++)
      if (p != self) {
        good = good && now.known[self].writes[p] & bit && (!writes || now.known[self].reads[p] & bit);
        *(writes ? &now.known[p].writes[self] : &now.known[p].reads[self]) &= ~bit;
      }
    for (int i = 0; i < WORDS; i++)
      *(writes ? &now.word[i].carried.writes[self] : &now.word[i].carried.reads[self]) &= ~bit;
  }

  static void learn(void) {
    for (int p = 0; p < MEMBERS; p++) {
      now.known[self].writes[p] |= now.word[target].carried.writes[p];
      now.known[self].reads[p] |= now.word[target].carried.reads[p];
    }
  }

  static void put(void) {
    now.word[target].value = new_value;
    for (int p = 0; p < MEMBERS; p++) {
      now.word[target].carried.writes[p] = order_of_access ? now.known[self].writes[p] : 0;
      now.word[target].carried.reads[p] = order_of_access ? now.known[self].reads[p] : 0;
    }
  }

  static void know_all(void) {
    for (int p = 0; p < MEMBERS; p++)
      for (int q = 0; q < MEMBERS; q++)
        now.known[p].writes[q] = now.known[p].reads[q] = ALL_PLAIN;
  }
}

inline plain_write(x) {
  d_step { self = me; target = x; c_code { plain_access(1); }; assert(good) /* else a data race */ }
}
inline plain_read(x) {
  d_step { self = me; target = x; c_code { plain_access(0); }; assert(good) /* else a data race */ }
}
inline store(x, v, order) {
  d_step { self = me; target = x; new_value = v; order_of_access = order; c_code { put(); } }
}
/* Looks again until the word has that value: who waits for ever stands still. */
inline load_until(x, condition, order) {
  atomic {
    condition;
    d_step {
      self = me; target = x; order_of_access = order;
      c_code { if (order_of_access) learn(); }
    }
  }
}
