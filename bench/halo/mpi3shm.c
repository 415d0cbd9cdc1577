/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "mpi3shm.h"

#include <string.h>

static unsigned char *part_of(const struct mpi3shm *s, int node_rank) {
  MPI_Aint size = 0;
  int unit = 0;
  unsigned char *memory = NULL;
  MPI_Win_shared_query(s->window, node_rank, &size, &unit, &memory);
  return memory;
}

static void find_node_ranks(struct mpi3shm *s) {
  MPI_Group world = MPI_GROUP_NULL, node = MPI_GROUP_NULL;
  MPI_Comm_group(s->world, &world);
  MPI_Comm_group(s->node, &node);
  MPI_Group_translate_ranks(world, s->h->npartner, s->h->partner, node, s->node_rank);
  MPI_Group_free(&world);
  MPI_Group_free(&node);
}

void mpi3shm_set_up(struct mpi3shm *s, struct halo *h) {
  MPI_Aint bytes = (MPI_Aint)h->npartner * h->max_bytes;
  MPI_Info info = MPI_INFO_NULL;

  s->h = h;
  MPI_Comm_dup(MPI_COMM_WORLD, &s->world);
  MPI_Comm_split_type(s->world, MPI_COMM_TYPE_SHARED, h->rank, MPI_INFO_NULL, &s->node);
  MPI_Info_create(&info);
  MPI_Info_set(info, "alloc_shared_noncontig", "true");
  MPI_Win_allocate_shared(bytes, 1, info, s->node, &s->mine, &s->window);
  MPI_Info_free(&info);
  memset(s->mine, 0, (size_t)bytes); /* each owner touches its own pages first */

  find_node_ranks(s);
  for (int j = 0; j < h->npartner; j++) {
    int here = s->node_rank[j] != MPI_UNDEFINED;
    s->from[j] = here ? part_of(s, s->node_rank[j]) + (long)(j ^ 1) * h->max_bytes : NULL;
  }
  if (h->alloc_mem)
    point_buffers(h, s->mine, h->receive[0]);
  MPI_Barrier(s->node);
}

void mpi3shm_tear_down(struct mpi3shm *s) {
  MPI_Win_free(&s->window);
  MPI_Comm_free(&s->node);
  MPI_Comm_free(&s->world);
}

void mpi3shm_copy_out(struct mpi3shm *s) {
  const struct halo *h = s->h;
  s->count = 0;
  for (int j = 0; j < h->npartner; j++) {
    unsigned char *place = s->mine + (long)j * h->max_bytes;
    if (s->from[j] == NULL) {
      MPI_Irecv(h->receive[j], s->bytes, MPI_BYTE, h->partner[j], j ^ 1, s->world, &s->requests[s->count++]);
      MPI_Isend(h->send[j], s->bytes, MPI_BYTE, h->partner[j], j, s->world, &s->requests[s->count++]);
    } else if (h->send[j] != place) {
      memcpy(place, h->send[j], (size_t)s->bytes);
    }
  }
}

void mpi3shm_copy_in(struct mpi3shm *s) {
  for (int j = 0; j < s->h->npartner; j++)
    if (s->from[j] != NULL)
      memcpy(s->h->receive[j], s->from[j], (size_t)s->bytes);
  MPI_Waitall(s->count, s->requests, MPI_STATUSES_IGNORE);
}

void mpi3shm_barrier(struct mpi3shm *s) {
  MPI_Win_sync(s->window);
  MPI_Barrier(s->node);
  MPI_Win_sync(s->window);
}
