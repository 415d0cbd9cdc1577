/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Nanoseconds, of networks as they are common; nothing but speed depends on them. Integers, so that all ranks come to
 * the same.
 */
#include "leaders/model.h"

enum {
  LATENCY = 1500,    /* of a message between nodes */
  OVERHEAD = 400,    /* of a process for each message that it sends and receives */
  GAP = 50,          /* of a node's network for each message */
  MEETING = 1000,    /* of members with their leaders */
  HANDLING = 3,      /* of a leader for each part that it puts into a message or takes out of one */
  COPIES = 200,      /* of 1000 bytes that leaders bring, more than without */
  LONG = 64 << 10,   /* bytes: libraries broadcast longer ones in pieces that members put together */
  FEW_NODES = 4,     /* among which that is no faster */
  LONGEST = 2 << 10, /* bytes of a part that leaders bring, however many they are */
  TYPICAL = 256      /* bytes of one, where its size is not known */
};

static int wanted = -1;

void model_start(int most) { wanted = most; }

bool model_takes_broadcast(const struct leaders *leaders, size_t bytes) {
  return wanted > 0 || leaders->nodes->count <= FEW_NODES || bytes <= LONG;
}

static int64_t time_of_part(size_t bytes) { return HANDLING + (int64_t)bytes * COPIES / 1000; }

static int at_most(int64_t count, int most) { return count > most ? most : count < 1 ? 1 : (int)count; }

int model_gathering_leaders(const struct leaders *leaders) {
  int64_t rounds = 0; /* of a library */
  if (wanted > 0)
    return at_most(wanted, leaders->nodes->least);
  while (INT64_C(1) << rounds < leaders->communicator->size)
    rounds++;
  return MEETING + (leaders->nodes->count - 1) * (int64_t)OVERHEAD <= (rounds - 1) * LATENCY;
}

int model_leaders(const struct leaders *leaders, size_t bytes) {
  const struct nodes *nodes = leaders->nodes;
  int64_t most = nodes->most, others = nodes->count - 1, elsewhere = leaders->communicator->size - most, count = 1;
  if (wanted > 0)
    return at_most(wanted, nodes->least);
  if (bytes == SIZE_UNKNOWN)
    bytes = TYPICAL;
  if (bytes > LONGEST)
    return 0;
  /* Each of n leaders takes parts / n for each other node, and the network n messages: least where both take as long.
   */
  int64_t parts = most * most * time_of_part(bytes);
  while (count < nodes->least && count * count * GAP < parts)
    count++;
  int64_t by_leaders = MEETING + others * (OVERHEAD + parts / count + count * GAP);
  int64_t by_all = elsewhere * (OVERHEAD + most * GAP);
  return by_leaders < by_all ? (int)count : 0;
}

/* A message of its own costs its sender OVERHEAD; with leaders each part keeps others waiting that are in the same
 * message. */
size_t model_part_limit(const struct leaders *leaders, int count) {
  int64_t bytes = ((int64_t)OVERHEAD * count / leaders->nodes->most - HANDLING) * 1000 / COPIES;
  return wanted > 0 || bytes > LONGEST ? LONGEST : bytes < 0 ? 0 : (size_t)bytes;
}
