/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "leaders/boxes.h"
#include "leaders/model.h"
#include "members/parts.h"
#include "memory/heap.h"

#include <stdlib.h>

enum {
  SHARE_OF_HEAP_OF_BOX = 64, /* a box takes at most this part of what its owner has for messages, */
  SHARE_OF_HEAP_OF_BOXES = 8 /* and all of its boxes this part */
};

static size_t bytes_of_boxes;

size_t boxes_limit(void) { return (mpishm.heap.pages << HEAP_PAGE_SHIFT) / SHARE_OF_HEAP_OF_BOX; }

size_t bundle_at(const struct leaders *leaders, int node) {
  size_t at = 0;
  for (int i = 0; i < node; i++)
    if (i != leaders->node)
      at += bundle_room(leaders->boxes, node_size(leaders, i));
  return at;
}

size_t letter_room(const struct leaders *leaders, int from, int to, int leader) {
  int bundles = most_spoken_for(node_size(leaders, from), leader);
  return sizeof(struct letter) + (size_t)bundles * bundle_room(leaders->boxes, node_size(leaders, to));
}

size_t letter_at(const struct leaders *leaders, int from, int to, int leader) {
  size_t at = 0;
  for (int node = 0; node < from; node++)
    if (node != to)
      at += letter_room(leaders, node, to, leader);
  return at;
}

/* ---- Making them. ---- */

/* The longest parts for which no member's boxes are too large; of what all members know alike. */
static size_t find_part_bytes(const struct leaders *leaders) {
  size_t most = (size_t)leaders->nodes->most, elsewhere = (size_t)(leaders->communicator->size - leaders->nodes->least);
  size_t bytes = leaders->box_limit / (most * elsewhere), longest = model_part_limit(leaders, leaders->nodes->least);
  size_t other = sizeof(uint32_t) + sizeof(struct letter);
  bytes = bytes > other ? bytes - other : 0;
  return (bytes < longest ? bytes : longest) & ~(size_t)7;
}

static size_t own_out_bytes(const struct leaders *leaders) { return bundle_at(leaders, leaders->nodes->count); }
static size_t own_in_bytes(const struct leaders *leaders) {
  return letter_at(leaders, leaders->nodes->count, leaders->node, leaders->here->rank);
}
/* All letters that this leader sends in one collective. */
static size_t outgoing_bytes(const struct leaders *leaders) {
  size_t bytes = 1; /* there is another node, which the analyzer does not see */
  for (int node = 0; node < leaders->nodes->count; node++)
    if (node != leaders->node)
      bytes += letter_room(leaders, leaders->node, node, leaders->here->rank);
  return bytes;
}
static bool may_lead(const struct leaders *leaders) { return leaders->here->rank < leaders->nodes->least; }

/* Both own boxes in one piece. */
static size_t own_bytes(const struct leaders *leaders) {
  return own_out_bytes(leaders) + (may_lead(leaders) ? own_in_bytes(leaders) : 0);
}

static bool allocate_boxes(struct leaders *leaders) {
  struct boxes *boxes = leaders->boxes;
  size_t heap = mpishm.heap.pages << HEAP_PAGE_SHIFT, bytes = own_bytes(leaders);
  boxes->out_of = malloc(sizeof(char *) * (size_t)leaders->here->size);
  boxes->in_of = malloc(sizeof(char *) * (size_t)leaders->here->size);
  boxes->outgoing = may_lead(leaders) ? malloc(outgoing_bytes(leaders)) : NULL;
  if (!boxes->out_of || !boxes->in_of || (may_lead(leaders) && !boxes->outgoing) ||
      bytes_of_boxes + bytes > heap / SHARE_OF_HEAP_OF_BOXES)
    return false;
  boxes->out = heap_allocate(&mpishm.heap, bytes);
  if (!boxes->out)
    return false;
  bytes_of_boxes += bytes;
  return true;
}

static void make_boxes(struct leaders *leaders) {
  size_t part_bytes = find_part_bytes(leaders);
  if (part_bytes == 0)
    return;
  leaders->boxes = calloc(1, sizeof *leaders->boxes);
  if (!leaders->boxes)
    return;
  leaders->boxes->part_bytes = part_bytes;
  if (!allocate_boxes(leaders))
    boxes_destroy(leaders);
}

/* Members on a node tell one another where their boxes lie. */
static void show_boxes(const struct leaders *leaders, const struct boxes *boxes) {
  const struct communicator *here = leaders->here;
  struct collective collective = collective_begin(leaders->here);
  struct slot *slot = own_slot(&collective);
  *(uint64_t *)slot->payload = offset_of(mpishm.segment, boxes->out);
  publish_slot(&collective, slot, SLOT_DATA, sizeof(uint64_t));
  boxes->out_of[here->rank] = boxes->out;
  for (int i = 0; i < here->size; i++)
    if (i != here->rank)
      boxes->out_of[i] = at_offset(endpoint_of_member(&collective, (unsigned)i)->segment,
                                   *(const uint64_t *)hear(&collective, (unsigned)i)->payload);
  for (int i = 0; i < leaders->nodes->least; i++)
    boxes->in_of[i] = boxes->out_of[i] + own_out_bytes(leaders);
  epoch_end_of_all(&leaders->here->seat);
}

struct boxes *boxes_find(struct leaders *leaders) {
  if (leaders->knows_boxes)
    return leaders->boxes;
  make_boxes(leaders);
  int64_t made = leaders->boxes != NULL;
  bool all_made = leaders_agree(leaders->communicator, &made, 1) && made;
  if (all_made && leaders->boxes)
    show_boxes(leaders, leaders->boxes);
  else
    boxes_destroy(leaders);
  leaders->knows_boxes = true;
  return leaders->boxes;
}

void boxes_await_readers(struct leaders *leaders) {
  const struct seat *seat = &leaders->here->seat;
  for (unsigned i = 0; leaders->boxes && i < seat->members; i++) {
    struct waiter waiter = {0};
    while (!member_is_done(seat, i, leaders->boxes->told))
      collective_pause(&waiter, leaders->here, i);
  }
}

void boxes_destroy(struct leaders *leaders) {
  struct boxes *boxes = leaders->boxes;
  if (!boxes)
    return;
  if (boxes->out) {
    bytes_of_boxes -= own_bytes(leaders);
    heap_free(&mpishm.heap, boxes->out);
  }
  free(boxes->outgoing);
  free(boxes->in_of);
  free(boxes->out_of);
  free(boxes);
  leaders->boxes = NULL;
}
