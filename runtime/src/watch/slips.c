/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * One warning for each call, on each node.
 */
#include "watch/slips.h"
#include "base/environment.h"
#include "base/handles.h"
#include "node/runtime.h"
#include "watch/places.h"
#include "watch/words.h"

#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <unistd.h>

static enum net_mode current_mode = NET_OFF; /* until set-up */

enum net_mode slips_wanted(void) {
  const char *text = getenv("MPISHM_NET");
  if (!text || !*text)
    return NET_ON;
  if (strcasecmp(text, "abort") == 0)
    return NET_ABORT;
  int on = environment_switch(text);
  if (on < 0)
    environment_ignore("MPISHM_NET", text, "0, 1 or abort");
  return on ? NET_ON : NET_OFF;
}

static bool slips_expected;
static const char *in_the_way[NET_PARTS];

void slips_start(enum net_mode wanted, bool expected, const char *const obstacles[NET_PARTS]) {
  current_mode = wanted;
  slips_expected = expected;
  memcpy(in_the_way, obstacles, sizeof in_the_way);
}

void net_text(char *text, size_t bytes) {
  if (current_mode == NET_OFF)
    snprintf(text, bytes, "off");
  else if (in_the_way[NET_MESSAGES])
    snprintf(text, bytes, "for requests only: %s", in_the_way[NET_MESSAGES]);
  else if (in_the_way[NET_COLLECTIVES])
    snprintf(text, bytes, "in force, but not for collectives: %s", in_the_way[NET_COLLECTIVES]);
  else
    snprintf(text, bytes, "in force");
}

/* What this rank has said. */
static struct handle_table said;

static bool needs_no_word(uint64_t what) {
  static char yes;
  if (current_mode == NET_ABORT)
    return false;
  return slips_expected || handle_find(&said, what) || !handle_set(&said, what, &yes);
}

/* Whether no rank of this node has said this yet. Tables that are full keep silent: the user knows by then. */
static bool is_new(uint64_t what) {
  uint32_t mark = (uint32_t)(what * UINT64_C(0x9e3779b97f4a7c15) >> 32) | 1;
  for (int i = 0; i < SLIPS; i++) {
    uint32_t there = 0;
    if (atomic_compare_exchange_strong_explicit(&mpishm.first_segment->slips[i], &there, mark, memory_order_relaxed,
                                                memory_order_relaxed))
      return true;
    if (there == mark)
      return false;
  }
  return false;
}

__attribute__((format(printf, 2, 3))) static void slip_say(uint64_t what, const char *format, ...) {
  if (!is_new(what) && current_mode != NET_ABORT)
    return;
  char line[2048];
  va_list arguments;
  va_start(arguments, format);
  vsnprintf(line, sizeof line, format, arguments);
  va_end(arguments);
  const char *end = current_mode == NET_ABORT ? "MPISHM_NET=abort ends the job"
                                              : "it was served all the same (docs/net.md); please report this program";
  fprintf(stderr, "mpishm: %s: %s; %s\n", current_mode == NET_ABORT ? "error" : "warning", line, end);
  if (current_mode == NET_ABORT) {
    sleep(1); /* launchers drop what a rank says right before it aborts */
    PMPI_Abort(MPI_COMM_WORLD, 1);
  }
}

/* Text for the place, and a number for it that is the same in all processes. */
static uint64_t name_place(const void *site, char *text, size_t bytes) {
  struct module_offset where = module_offset_of(site);
  struct place place = place_find(where.module, where.offset);
  place_text(&place, where.module, where.offset, text, bytes);
  place_clear(&place);
  places_close();
  const char *slash = strrchr(where.module, '/');
  uint64_t number = where.offset;
  for (const char *c = slash ? slash + 1 : where.module; *c; c++) /* paths may differ from process to process */
    number = number * 31 + (unsigned char)*c;
  return number;
}

enum { SLIP_PLACE_BYTES = 1024 };

void slip_handle(enum call call, const void *site, const char *what) {
  char place[SLIP_PLACE_BYTES];
  if (needs_no_word(HANDLE_KEY(site)))
    return;
  uint64_t offset = name_place(site, place, sizeof place);
  slip_say(offset, "MPI_%s at %s was not rewritten, but is given a %s of rewritten code", mpi_name(call), place, what);
}

void slip_receive(enum call call, const void *site, int source, int tag) {
  char place[SLIP_PLACE_BYTES];
  if (needs_no_word(HANDLE_KEY(site)))
    return;
  uint64_t offset = name_place(site, place, sizeof place);
  slip_say(offset, "MPI_%s at %s was not rewritten, but its message from rank %d with tag %d is of rewritten code",
           mpi_name(call), place, source, tag);
}

void slip_collective(enum call call, const void *site) {
  char place[SLIP_PLACE_BYTES];
  if (needs_no_word(HANDLE_KEY(site)))
    return;
  uint64_t offset = name_place(site, place, sizeof place);
  slip_say(offset, "MPI_%s at %s was not rewritten, but calls of other ranks in the same collective were",
           mpi_name(call), place);
}

void slip_member(MPI_Comm comm, int rank) {
  char name[MPI_MAX_OBJECT_NAME];
  uint64_t what = UINT64_C(3) << 62 | (uint64_t)(uint32_t)rank;
  if (needs_no_word(what))
    return;
  name_communicator(comm, name);
  slip_say(what,
           "rewritten code took part in a collective of %s "
           "with a call of rank %d that was not rewritten",
           name, rank);
}

void slip_send(MPI_Comm comm, int source, int tag) {
  char name[MPI_MAX_OBJECT_NAME];
  uint64_t what = UINT64_C(1) << 63 | (uint64_t)(uint32_t)tag;
  if (needs_no_word(what))
    return;
  name_communicator(comm, name);
  slip_say(what,
           "rewritten code received a message from rank %d of %s with tag %d "
           "that a call which was not rewritten has sent",
           source, name, tag);
}
