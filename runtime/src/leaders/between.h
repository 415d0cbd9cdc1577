/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Messages between members on several nodes. Of one kind from one member to another they match by their order.
 */
#ifndef MPISHM_BETWEEN_H
#define MPISHM_BETWEEN_H

#include "leaders/leaders.h"

/* Tags. */
enum between_kind { BETWEEN_BARRIERS, BETWEEN_BROADCASTS, BETWEEN_REDUCTIONS, BETWEEN_BOXES, BETWEEN_PARTS };

/* Elements of the program's, or bytes. */
struct message {
  void *buffer;
  MPI_Count count;
  MPI_Datatype datatype;
};
static inline struct message message_of_bytes(const void *bytes, size_t count) {
  return (struct message){(void *)bytes, (MPI_Count)count, MPI_BYTE};
}

/* Start one. An error of MPI's, which nobody has raised, is returned; the request is null then. */
int between_send(const struct leaders *leaders, struct message message, int to, enum between_kind kind,
                 MPI_Request *request);
int between_receive(const struct leaders *leaders, struct message message, int from, enum between_kind kind,
                    MPI_Request *request);
/* Waits for all of them, the last of which is of the member `peer`, in case anybody asks. The last error. */
int between_wait(const struct leaders *leaders, int count, MPI_Request requests[], int peer);

/* The last error that is one. */
static inline int worse(int error, int other) { return other == MPI_SUCCESS ? error : other; }

/* Both at once, with two members, or one. */
int between_exchange(const struct leaders *leaders, struct message send, int to, struct message receive, int from,
                     enum between_kind kind);

/* Raises an error with the program's handler, and returns it. */
int between_raise(const struct leaders *leaders, int error);

#endif
