/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * What generated programs with collectives share: whom each rank sends how much to, and where that lies. Ranks compute
 * alike what the others send them.
 */
#ifndef PARTS_H
#define PARTS_H

#include "fuzz.h"

enum { MOST_PEERS = 64 };

struct peers {
  int count, who[MOST_PEERS];
};

/* Items for each peer, or from each: so many, after so many others; in bytes and with datatypes of their own, too. */
struct parts {
  int peers, total;
  int count[MOST_PEERS], place[MOST_PEERS], before[MOST_PEERS]; /* and so many parts */
  int count_of_type[MOST_PEERS], byte[MOST_PEERS];
  MPI_Aint far_byte[MOST_PEERS];
  MPI_Datatype type[MOST_PEERS];
};

static inline struct peers one_peer(int who) {
  struct peers peers;
  peers.count = 1;
  peers.who[0] = who;
  return peers;
}

static inline struct peers all_peers(int size) {
  struct peers peers;
  int i;
  peers.count = size;
  for (i = 0; i < size; i++)
    peers.who[i] = i;
  return peers;
}

static inline struct peers grid_peers(MPI_Comm grid, int dimensions) {
  struct peers peers;
  int i;
  peers.count = 2 * dimensions;
  for (i = 0; i < dimensions; i++)
    MPI_Cart_shift(grid, i, 1, &peers.who[2 * i], &peers.who[2 * i + 1]);
  return peers;
}

enum on_whom { ON_BOTH, ON_SOURCE, ON_DESTINATION };

/* How many units go from rank to rank: spread 0: one; below 0: as many as back. */
static inline int units_between(int from, int to, int spread) {
  if (spread == 0 || from < 0 || to < 0)
    return 1;
  return spread < 0 ? (3 * (from + to) - spread) % 4 : (from * (1 + spread % 3) + to * (spread % 5) + spread) % 4;
}

/* The parts that rank `me` sends to its peers, or gets of them, each of some units of `unit` items. */
static inline struct parts parts_of(const struct peers *peers, int me, int sends, enum on_whom on, int spread,
                                    int unit) {
  struct parts parts;
  int at;
  memset(&parts, 0, sizeof parts);
  parts.peers = peers->count;
  for (at = 0; at < peers->count; at++) {
    int i = spread % 2 ? peers->count - 1 - at : at;
    int from = sends ? me : peers->who[i], to = sends ? peers->who[i] : me;
    parts.count[i] = unit * units_between(on == ON_DESTINATION ? 0 : from, on == ON_SOURCE ? 0 : to, spread);
    parts.total += spread > 0 ? spread % 3 : 0;
    parts.place[i] = parts.total;
    parts.before[i] = at;
    parts.total += parts.count[i];
  }
  return parts;
}

/* Gives the parts bytes between them, and those of odd peers the elements of their items, `elements` in each, as
 * such. */
static inline void give_types(struct parts *parts, const struct peers *peers, MPI_Datatype type, MPI_Datatype element,
                              int elements) {
  MPI_Aint lower, extent;
  int i;
  MPI_Type_get_extent(type, &lower, &extent);
  for (i = 0; i < parts->peers; i++) {
    int plain = elements > 0 && peers->who[i] % 2 == 1;
    parts->type[i] = plain ? element : type;
    parts->count_of_type[i] = plain ? parts->count[i] * elements : parts->count[i];
    parts->far_byte[i] = parts->place[i] * extent + 64 * (parts->before[i] + 1);
    parts->byte[i] = (int)parts->far_byte[i];
  }
}

/* Memory for all parts, and the bytes between them. */
static inline struct buffer make_room(MPI_Datatype type, const struct parts *parts) {
  struct buffer made = make_buffer(type, parts->total + 1);
  long before = made.at - made.base;
  made.bytes += 64 * (size_t)(parts->peers + 2);
  made.base = (char *)realloc(made.base, made.bytes);
  made.at = made.base + before;
  return made;
}

/* The left one of two: associative, and commutative it is not. */
static inline void keep_left(void *left, void *into, int *count, MPI_Datatype *type) {
  int i;
  (void)type;
  for (i = 0; i < *count; i++)
    ((int *)into)[i] = ((int *)left)[i];
}

#endif
