/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Sends of MPI's from memory of ours, which the program has finished. MPI is asked about all of them with one call now
 * and then: each such call drives MPI, and in a flood of messages one call for each would cost the square.
 */
#include "messages/left_sends.h"

#include <stdlib.h>

/* Starts between two looks; a look costs about as much as so many starts. */
enum { LOOK_EVERY = 32, FIRST_LEFT = 64 };

/* In arrays, since MPI wants the requests in one; completed ones are taken out, so that it looks at few. */
static MPI_Request *left_requests;
static void **left_copies;
static int *completed;
static MPI_Status *left_statuses; /* GCC takes MPICH's MPI_STATUSES_IGNORE for an array of no size */
static int left_count, left_room, starts;

static bool grow_left(void **array, size_t element, int room) {
  void *larger = realloc(*array, element * (size_t)room);
  if (larger)
    *array = larger;
  return larger;
}

static bool make_room_for_left(void) {
  if (left_count < left_room)
    return true;
  int room = left_room ? 2 * left_room : FIRST_LEFT;
  void *requests = left_requests, *copies = left_copies, *indices = completed, *statuses = left_statuses;
  bool grown = grow_left(&requests, sizeof *left_requests, room) && grow_left(&copies, sizeof *left_copies, room) &&
               grow_left(&indices, sizeof *completed, room) && grow_left(&statuses, sizeof *left_statuses, room);
  left_requests = requests;
  left_copies = copies;
  completed = indices;
  left_statuses = statuses;
  if (grown)
    left_room = room;
  return grown;
}

bool left_sends_add(void *copy, MPI_Request request) {
  if (!make_room_for_left())
    return false;
  left_requests[left_count] = request;
  left_copies[left_count++] = copy;
  return true;
}

bool left_sends_poll(void) {
  int count = 0, kept = 0;
  if (left_count == 0)
    return false;
  PMPI_Testsome(left_count, left_requests, &count, completed, left_statuses);
  if (count <= 0) /* or MPI_UNDEFINED */
    return true;
  for (int i = 0; i < left_count; i++) {
    if (left_requests[i] == MPI_REQUEST_NULL) {
      free(left_copies[i]);
      continue;
    }
    left_requests[kept] = left_requests[i];
    left_copies[kept++] = left_copies[i];
  }
  left_count = kept;
  return left_count > 0;
}

void left_sends_reclaim(void) {
  if (++starts % LOOK_EVERY == 0)
    left_sends_poll();
}

void left_sends_discard(void) {
  for (int i = 0; i < left_count; i++)
    free(left_copies[i]);
  free(left_requests);
  free(left_copies);
  free(completed);
  free(left_statuses);
  left_requests = NULL;
  left_copies = NULL;
  completed = NULL;
  left_statuses = NULL;
  left_count = left_room = 0;
}
