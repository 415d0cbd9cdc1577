/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * halo.h - what the files of the halo benchmark share: the exchange to be made, and the interface of its patterns.
 *
 * Each rank has npartner partners. Direction j leads to partner[j], and j ^ 1 leads back: what arrives from partner[j]
 * was sent there in direction j ^ 1, and carries that as its tag. With few ranks several partners are the same rank, or
 * the rank itself; each direction has its own message and buffers all the same.
 */
#ifndef HALO_H
#define HALO_H

enum { MAX_PARTNERS = 32, CACHE_LINE = 64 };

/* The files of the program that mpishm-rewrite rewrites are linked twice, as they are and rewritten; this tells the two
 * apart by name. */
#ifdef HALO_REWRITTEN
#define VARIANT(name) name##_rewritten
#define VARIANT_NAME(name) "rewritten_" name
#else
#define VARIANT(name) name
#define VARIANT_NAME(name) name
#endif

struct halo {
  int rank, ranks; /* of MPI_COMM_WORLD */
  int nodes;
  int crowded; /* a node has more ranks than cores: whoever spins must yield */
  int npartner;
  int partner[MAX_PARTNERS];
  int max_bytes; /* room in each buffer */
  int alloc_mem; /* buffers are where the pattern can use them best, rather than private (malloc) */
  /* Set to private buffers before a pattern is set up, which may replace them by its own. One block each, so that
   * send[j] - send[0] is j * max_bytes. */
  unsigned char *send[MAX_PARTNERS], *receive[MAX_PARTNERS];
};

/* One way to exchange a halo. All functions are collective over MPI_COMM_WORLD; those marked so may be NULL.
 *
 * A measurement is begin, many times start and finish, end, all of it timed, as in the test that this one rebuilds.
 * After finish everything has arrived and the send buffers may be written. */
struct pattern {
  const char *name;
  int most_bytes;                /* larger messages are left out; 0: none is */
  int (*set_up)(struct halo *h); /* once; 0 where the pattern cannot run; h stays until tear_down */
  void (*begin)(int bytes);      /* before the first exchange of messages of this size */
  void (*start)(void);           /* posts or sends what can be (may be NULL) */
  void (*finish)(void);          /* the rest of the exchange */
  void (*end)(void);             /* undoes begin (may be NULL) */
  void (*tear_down)(void);       /* undoes set_up */
};

extern const struct pattern waitall, persistent, neighbor_alltoallv;
extern const struct pattern mpi3shm_lockall, mpi3shm_lock, mpi3shm_fence;
extern const struct pattern limit_push, limit_eager;
extern const struct pattern waitall_rewritten, persistent_rewritten;

/* Places the partners of h->rank on a ring (dimension 1) or on a torus (2), nearest first. npartner is even. */
void place_partners(struct halo *h, int dimension);

/* Points h->send and h->receive into two blocks. */
void point_buffers(struct halo *h, unsigned char *send, unsigned char *receive);

/* Points h->send and h->receive into memory of MPI_Alloc_mem, which all patterns of one variant share; release_buffers
 * undoes it. */
void VARIANT(take_buffers)(struct halo *h);
void VARIANT(release_buffers)(void);

#endif
