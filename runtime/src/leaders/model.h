/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * What leaders gain, from sizes that all members know alike (docs/collectives.md says how). Constant after set-up.
 */
#ifndef MPISHM_MODEL_H
#define MPISHM_MODEL_H

#include "leaders/leaders.h"

/* As leaders_wanted, and more than 0 or -1. */
void model_start(int most);

/* Whether a broadcast of so many bytes goes by leaders. */
bool model_takes_broadcast(const struct leaders *leaders, size_t bytes);
/* How many leaders of a node bring what each of its members has for all others. 0: MPI does. */
int model_gathering_leaders(const struct leaders *leaders);
/* How many leaders of a node bring each of its members' parts to each member elsewhere, of so many bytes each or, where
 * members know nothing in common of that, SIZE_UNKNOWN. 0: MPI does. */
#define SIZE_UNKNOWN SIZE_MAX
int model_leaders(const struct leaders *leaders, size_t bytes);
/* The longest part that travels so. Longer ones go from their sender to their receiver. */
size_t model_part_limit(const struct leaders *leaders, int count);

#endif
