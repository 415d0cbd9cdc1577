/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * An area with threads as members: what collectives/ does with area.h, without MPI. C, since the headers of the runtime
 * use C's atomics. Functions that take a place belong to the thread of that member.
 */
#ifndef MPISHM_TEST_AREA_H
#define MPISHM_TEST_AREA_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

struct members;

/* All epochs start there, as if so many collectives had been. */
struct members *members_create(unsigned count, uint32_t slot_bytes, uint32_t epoch);
void members_destroy(struct members *members);
size_t members_room(const struct members *members);

/* Waits for all; gives the bits that any member has come with, of two. */
unsigned members_agree(struct members *members, unsigned place, unsigned bits);

/* The next collective in which `place` publishes `bytes` bytes, or nothing for NULL. False: its slot is not free so
 * far, to be called again; `blocks` waits instead. */
bool members_publish(struct members *members, unsigned place, const void *data, size_t bytes, bool blocks);
/* Waits for what `from` has published in this collective, and copies it. */
size_t members_fetch(struct members *members, unsigned place, unsigned from, void *data);
/* Whether it is there. */
bool members_can_fetch(struct members *members, unsigned place, unsigned from);
/* The collective is over for `place`; `saw_all`: it has fetched from all others. */
void members_end(struct members *members, unsigned place, bool saw_all);
/* Waits until all are done with the collective that has just ended. */
void members_wait_done(struct members *members, unsigned place);

/* Tells what it has found, between two collectives; its number is one more than that of the last. Gives the collective
 * at whose end all have told, as members_epoch counts. */
uint64_t members_tell(struct members *members, unsigned place, uint32_t number, const uint64_t costs[2]);
bool members_told(struct members *members, unsigned place, unsigned from, uint32_t number, uint64_t costs[2]);
uint64_t members_epoch(const struct members *members, unsigned place);

void members_leave(struct members *members, unsigned place);
bool members_have_left(struct members *members);

#ifdef __cplusplus
}
#endif

#endif
