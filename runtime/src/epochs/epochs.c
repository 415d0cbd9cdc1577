/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "epochs/epochs.h"

#include <string.h>

/* The area's slots are not used: the least of them. */
enum { SLOT_OF_EPOCHS = LINE };

static size_t row_of(unsigned members) {
  const size_t in_a_line = LINE / sizeof(struct epochs_pair);
  return (members + in_a_line - 1) / in_a_line * in_a_line;
}

size_t epochs_bytes(unsigned members) {
  return area_bytes(members, SLOT_OF_EPOCHS) +
         members * (sizeof(struct epochs_member) + row_of(members) * sizeof(struct epochs_pair));
}

void epochs_init(void *memory, unsigned members) {
  size_t barriers = area_bytes(members, SLOT_OF_EPOCHS);
  area_init(memory, members, SLOT_OF_EPOCHS);
  memset((char *)memory + barriers, 0, epochs_bytes(members) - barriers);
}

void epochs_take(struct epochs *epochs, void *memory, unsigned members, unsigned place) {
  seat_take(&epochs->seat, memory, place);
  epochs->members = (struct epochs_member *)((char *)memory + area_bytes(members, SLOT_OF_EPOCHS));
  epochs->pairs = (struct epochs_pair *)(epochs->members + members);
  epochs->row = row_of(members);
}

bool epochs_are_left(void *memory) { return area_is_left(memory); }
