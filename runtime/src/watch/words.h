/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Messages and calls in words, for people. Opens files: not for a path that matters. Under the runtime's mutex.
 */
#ifndef MPISHM_WORDS_H
#define MPISHM_WORDS_H

#include "watch/watch.h"

#include <stdio.h>

struct message_text {
  bool is_send, is_probe;
  MPI_Comm comm;
  int peer, tag;
  uint64_t bytes;
  enum call call;
  const void *site;
};

/* "Recv" */
const char *mpi_name(enum call call);
void name_communicator(MPI_Comm comm, char name[MPI_MAX_OBJECT_NAME]);
/* "MPISHM_Recv at dir/file.c:12" */
void print_site(enum call call, const void *site, FILE *to);
/* "rank 1 of MPI_COMM_WORLD", "rank 0 of rows (rank 4 of MPI_COMM_WORLD)" */
void print_peer(MPI_Comm comm, int peer, FILE *to);
/* A line of the report of a long wait; `state` says what the message waits for. */
void print_message(const struct message_text *message, const char *state, FILE *to);
/* The same for one that MPI carries. */
void print_mpi_message(const struct mpi_message *known, FILE *to);

#endif
