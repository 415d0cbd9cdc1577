/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "watch/words.h"
#include "watch/places.h"

#include <string.h>

enum { PLACE_BYTES = 1024 };

const char *mpi_name(enum call call) { return call_names[call] + strlen("MPISHM_"); }

void name_communicator(MPI_Comm comm, char name[MPI_MAX_OBJECT_NAME]) {
  int length = 0;
  *name = '\0';
  if (comm != MPI_COMM_NULL)
    PMPI_Comm_get_name(comm, name, &length);
  if (!*name)
    snprintf(name, MPI_MAX_OBJECT_NAME, "a communicator without name");
}

void print_site(enum call call, const void *site, FILE *to) {
  struct module_offset where = module_offset_of(site);
  struct place place = place_find(where.module, where.offset);
  char text[PLACE_BYTES];
  place_text(&place, where.module, where.offset, text, sizeof text);
  place_clear(&place);
  fprintf(to, "%s at %s", call_names[call], text);
}

static int world_rank(MPI_Comm comm, int rank) {
  MPI_Group group, world;
  int inter = 0, found = MPI_UNDEFINED;
  PMPI_Comm_test_inter(comm, &inter);
  PMPI_Comm_group(MPI_COMM_WORLD, &world);
  inter ? PMPI_Comm_remote_group(comm, &group) : PMPI_Comm_group(comm, &group);
  PMPI_Group_translate_ranks(group, 1, &rank, world, &found);
  PMPI_Group_free(&group);
  PMPI_Group_free(&world);
  return found;
}

void print_peer(MPI_Comm comm, int peer, FILE *to) {
  char name[MPI_MAX_OBJECT_NAME] = "";
  int length = 0, rank;
  if (comm == MPI_COMM_NULL || peer < 0) {
    fprintf(to, peer == MPI_ANY_SOURCE ? "any rank" : "rank %d of a communicator that was freed", peer);
    return;
  }
  PMPI_Comm_get_name(comm, name, &length);
  fprintf(to, "rank %d of %s", peer, length ? name : "a communicator without name");
  rank = comm == MPI_COMM_WORLD ? MPI_UNDEFINED : world_rank(comm, peer);
  if (rank != MPI_UNDEFINED)
    fprintf(to, " (rank %d of MPI_COMM_WORLD)", rank);
}

void print_message(const struct message_text *message, const char *state, FILE *to) {
  fprintf(to, "mpishm:   %s ", message->is_send ? "send to" : message->is_probe ? "probe of" : "receive from");
  print_peer(message->comm, message->peer, to);
  if (message->tag == MPI_ANY_TAG)
    fputs(", any tag", to);
  else
    fprintf(to, ", tag %d", message->tag);
  if (!message->is_probe)
    fprintf(to, ", %s%llu bytes", message->is_send ? "" : "up to ", (unsigned long long)message->bytes);
  fputs(", by ", to);
  print_site(message->call, message->site, to);
  fprintf(to, ": %s\n", state);
}

void print_mpi_message(const struct mpi_message *known, FILE *to) {
  struct message_text message = {.is_send = known->is_send,
                                 .is_probe = known->path == PATH_NONE,
                                 .comm = known->comm,
                                 .peer = known->peer,
                                 .tag = known->tag,
                                 .bytes = known->bytes,
                                 .call = known->call,
                                 .site = known->site};
  print_message(&message,
                known->path == PATH_NONE               ? "nothing that matches has come"
                : known->path == PATH_MPI_OTHER_NODE   ? "goes through MPI to another node"
                : known->path == PATH_MPI_UNREGISTERED ? "goes through MPI, the communicator was not registered"
                                                       : "goes through MPI",
                to);
}
