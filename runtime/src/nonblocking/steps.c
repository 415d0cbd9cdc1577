/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "nonblocking/steps.h"

#include <stdlib.h>

static void tell(const struct communicator *communicator, unsigned to, const struct part *part) {
  struct envelope envelope = parcel_envelope(communicator->context, PARCELS_OF_REQUESTS);
  struct operation op;
  operation_init(&op);
  if (parcel_send_with(&op, communicator, to, part, envelope, mpishm.eager_limit))
    parcel_complete(&op, communicator, to);
}

static void be_told(const struct communicator *communicator, const struct part *part) {
  struct envelope envelope = parcel_envelope(communicator->context, PARCELS_OF_REQUESTS);
  struct operation op;
  operation_init(&op);
  parcel_receive_with(&op, communicator, 0, part, envelope);
  if (UNLIKELY(mpishm.watching))
    watch_member(communicator->handle, 0);
  operation_wait(&op);
  op.crosses = false; /* the parcels of each start say so again */
  parcel_finish(&op);
}

uint32_t steps_agree_on_context(const struct communicator *communicator) {
  uint32_t context = communicator->rank == 0 ? segment_new_context(mpishm.first_segment) : 0;
  struct part part = part_of(&context, sizeof context, layout_find(MPI_BYTE));
  if (communicator->rank > 0)
    be_told(communicator, &part);
  else
    for (int to = 1; to < communicator->size; to++)
      tell(communicator, (unsigned)to, &part);
  return context;
}

struct steps *steps_make(unsigned most) {
  struct steps *steps = malloc(sizeof *steps + most * sizeof *steps->step);
  if (steps)
    steps->count = 0;
  return steps;
}

void steps_add(struct steps *steps, struct step step) {
  layout_retain(step.part.layout);
  layout_retain(step.from.layout);
  steps->step[steps->count++] = step;
}

void steps_free(struct steps *steps) {
  for (unsigned i = 0; steps && i < steps->count; i++) {
    layout_release(steps->step[i].part.layout);
    layout_release(steps->step[i].from.layout);
  }
  free(steps);
}
