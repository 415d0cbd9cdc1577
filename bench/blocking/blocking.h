/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * blocking.h - what the files of the benchmark of blocking calls share: patterns between two ranks, each of which
 * writes a buffer before it is sent, as programs do.
 */
#ifndef BLOCKING_H
#define BLOCKING_H

enum { MESSAGES = 8, PATTERNS = 4 };

/* patterns.c is linked twice, as it is and rewritten; this tells the two apart by name. */
#ifdef BLOCKING_REWRITTEN
#define VARIANT(name) name##_rewritten
#else
#define VARIANT(name) name
#endif

struct pattern {
  const char *name;
  int messages;      /* that a rank gets at one time, each in its part of `in`, of one that receives */
  int to_first;      /* whether the lower rank gets some, too */
  void (*run)(void); /* once */
};

/* The patterns of one build of patterns.c. Collective over MPI_COMM_WORLD; ranks of one pair are next to each other. */
struct patterns {
  void (*set_up)(int bytes); /* of each message */
  void (*tear_down)(void);
  const unsigned char *(*in)(void); /* MESSAGES times `bytes` */
  int (*stamp)(void);               /* message k holds this and k more, all bytes alike, since `run` was called last */
  struct pattern pattern[PATTERNS];
};
extern const struct patterns patterns, patterns_rewritten;

#endif
