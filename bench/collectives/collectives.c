/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * The calls that are timed: each as the MPI library's and as this one's.
 */
#include "collectives.h"
#include "cubes.h"

#include <mpishm.h>
#include <stddef.h>

enum { MOST_RANKS = 1024 };

static void nothing(const struct buffers *b) { (void)b; }

/* Two functions with one body, in which CALL(Foo) is MPI_Foo and MPISHM_Foo. */
#define BOTH(row, body)                                                                                                \
  static void row##_library(const struct buffers *b) { body(MPI_); }                                                   \
  static void row##_window(const struct buffers *b) { body(MPISHM_); }
#define ROW(row, title, least, most, set_up, tear_down)                                                                \
  static const struct collective row = {title, least, most, set_up, row##_library, row##_window, tear_down, NULL, NULL}

#define BARRIER(prefix) (void)b, prefix##Barrier(MPI_COMM_WORLD)
BOTH(barrier, BARRIER)
ROW(barrier, "Barrier", 0, 0, nothing, nothing);

#define BCAST(prefix)                                                                                                  \
  if (b->rank == 0)                                                                                                    \
    prefix##Bcast(b->mine, (int)b->bytes, MPI_BYTE, 0, MPI_COMM_WORLD);                                                \
  else                                                                                                                 \
    prefix##Bcast(b->all, (int)b->bytes, MPI_BYTE, 0, MPI_COMM_WORLD)
BOTH(bcast, BCAST)
ROW(bcast, "Bcast", 8, 16 << 20, nothing, nothing);

#define ALLREDUCE(prefix) prefix##Allreduce(b->mine, b->all, (int)(b->bytes / 8), MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD)
BOTH(allreduce, ALLREDUCE)
ROW(allreduce, "Allreduce", 8, 1 << 20, nothing, nothing);

#define ALLREDUCE_INTEGERS(prefix)                                                                                     \
  prefix##Allreduce(b->mine, b->all, (int)(b->bytes / 8), MPI_INT64_T, MPI_MAX, MPI_COMM_WORLD)
BOTH(allreduce_integers, ALLREDUCE_INTEGERS)
ROW(allreduce_integers, "Allreduce integers", 8, 1 << 20, nothing, nothing);

#define REDUCE(prefix) prefix##Reduce(b->mine, b->all, (int)(b->bytes / 8), MPI_DOUBLE, MPI_SUM, 0, MPI_COMM_WORLD)
BOTH(reduce, REDUCE)
ROW(reduce, "Reduce", 8, 1 << 20, nothing, nothing);

#define REDUCE_MAXIMA(prefix)                                                                                          \
  prefix##Reduce(b->mine, b->all, (int)(b->bytes / 8), MPI_DOUBLE, MPI_MAX, 0, MPI_COMM_WORLD)
BOTH(reduce_maxima, REDUCE_MAXIMA)
ROW(reduce_maxima, "Reduce maxima", 8, 1 << 20, nothing, nothing);

#define ALLTOALL(prefix)                                                                                               \
  prefix##Alltoall(b->mine, (int)b->bytes, MPI_BYTE, b->all, (int)b->bytes, MPI_BYTE, MPI_COMM_WORLD)
BOTH(alltoall, ALLTOALL)
ROW(alltoall, "Alltoall", 8, 1 << 20, nothing, nothing);

static int counts[MOST_RANKS], places[MOST_RANKS];
static void list_counts(const struct buffers *b) {
  for (int i = 0; i < b->ranks; i++) {
    counts[i] = (int)(b->bytes / 8);
    places[i] = i * counts[i];
  }
}
#define ALLTOALLV(prefix)                                                                                              \
  prefix##Alltoallv(b->mine, counts, places, MPI_DOUBLE, b->all, counts, places, MPI_DOUBLE, MPI_COMM_WORLD)
BOTH(alltoallv, ALLTOALLV)
ROW(alltoallv, "Alltoallv", 8, 1 << 20, list_counts, nothing);

/* Rows of a square matrix become columns: to the i-th rank goes the i-th block of each of this rank's rows, which come
 * one after the other there. */
static MPI_Datatype blocks[MOST_RANKS], rows[MOST_RANKS];
static int ones[MOST_RANKS], block_places[MOST_RANKS], row_places[MOST_RANKS];
static void make_blocks(const struct buffers *b) {
  enum { WIDTH = 8 };
  const int height = (int)(b->bytes / 8 / WIDTH);
  for (int i = 0; i < b->ranks; i++) {
    MPI_Type_vector(height, WIDTH, WIDTH * b->ranks, MPI_DOUBLE, &blocks[i]);
    MPI_Type_commit(&blocks[i]);
    rows[i] = MPI_DOUBLE;
    ones[i] = 1;
    counts[i] = height * WIDTH;
    block_places[i] = i * WIDTH * 8;
    row_places[i] = i * height * WIDTH * 8;
  }
}
static void free_blocks(const struct buffers *b) {
  for (int i = 0; i < b->ranks; i++)
    MPI_Type_free(&blocks[i]);
}
#define ALLTOALLW(prefix)                                                                                              \
  prefix##Alltoallw(b->mine, ones, block_places, blocks, b->all, counts, row_places, rows, MPI_COMM_WORLD)
BOTH(alltoallw, ALLTOALLW)
ROW(alltoallw, "Alltoallw blocks", 1024, 1 << 20, make_blocks, free_blocks);

#define ALLGATHER(prefix)                                                                                              \
  prefix##Allgather(b->mine, (int)b->bytes, MPI_BYTE, b->all, (int)b->bytes, MPI_BYTE, MPI_COMM_WORLD)
BOTH(allgather, ALLGATHER)
ROW(allgather, "Allgather", 8, 1 << 20, nothing, nothing);

#define ALLGATHERV(prefix)                                                                                             \
  prefix##Allgatherv(b->mine, counts[0], MPI_DOUBLE, b->all, counts, places, MPI_DOUBLE, MPI_COMM_WORLD)
BOTH(allgatherv, ALLGATHERV)
ROW(allgatherv, "Allgatherv", 8, 1 << 20, list_counts, nothing);

#define GATHER(prefix)                                                                                                 \
  prefix##Gather(b->mine, (int)b->bytes, MPI_BYTE, b->all, (int)b->bytes, MPI_BYTE, 0, MPI_COMM_WORLD)
BOTH(gather, GATHER)
ROW(gather, "Gather", 8, 1 << 20, nothing, nothing);

#define GATHERV(prefix)                                                                                                \
  prefix##Gatherv(b->mine, counts[0], MPI_DOUBLE, b->all, counts, places, MPI_DOUBLE, 0, MPI_COMM_WORLD)
BOTH(gatherv, GATHERV)
ROW(gatherv, "Gatherv", 8, 1 << 20, list_counts, nothing);

#define SCATTER(prefix)                                                                                                \
  prefix##Scatter(b->mine, (int)b->bytes, MPI_BYTE, b->all, (int)b->bytes, MPI_BYTE, 0, MPI_COMM_WORLD)
BOTH(scatter, SCATTER)
ROW(scatter, "Scatter", 8, 1 << 20, nothing, nothing);

#define SCATTERV(prefix)                                                                                               \
  prefix##Scatterv(b->mine, counts, places, MPI_DOUBLE, b->all, counts[0], MPI_DOUBLE, 0, MPI_COMM_WORLD)
BOTH(scatterv, SCATTERV)
ROW(scatterv, "Scatterv", 8, 1 << 20, list_counts, nothing);

#define SCAN(prefix) prefix##Scan(b->mine, b->all, (int)(b->bytes / 8), MPI_INT64_T, MPI_SUM, MPI_COMM_WORLD)
BOTH(scan, SCAN)
ROW(scan, "Scan integers", 8, 1 << 20, nothing, nothing);

#define SCAN_MAXIMA(prefix) prefix##Scan(b->mine, b->all, (int)(b->bytes / 8), MPI_DOUBLE, MPI_MAX, MPI_COMM_WORLD)
BOTH(scan_maxima, SCAN_MAXIMA)
ROW(scan_maxima, "Scan maxima", 8, 1 << 20, nothing, nothing);

#define REDUCE_SCATTER(prefix)                                                                                         \
  prefix##Reduce_scatter_block(b->mine, b->all, (int)(b->bytes / 8), MPI_INT64_T, MPI_SUM, MPI_COMM_WORLD)
BOTH(reduce_scatter, REDUCE_SCATTER)
ROW(reduce_scatter, "Reduce_scatter_block", 8, 1 << 20, nothing, nothing);

/* Nonblocking ones, each started and waited for. */
#define WAITED(prefix, start)                                                                                          \
  MPI_Request request;                                                                                                 \
  prefix##start;                                                                                                       \
  prefix##Wait(&request, MPI_STATUS_IGNORE)

#define IBARRIER(prefix)                                                                                               \
  (void)b;                                                                                                             \
  WAITED(prefix, Ibarrier(MPI_COMM_WORLD, &request))
BOTH(ibarrier, IBARRIER)
ROW(ibarrier, "Ibarrier", 0, 0, nothing, nothing);

#define IBCAST(prefix)                                                                                                 \
  WAITED(prefix, Ibcast(b->rank ? b->all : b->mine, (int)b->bytes, MPI_BYTE, 0, MPI_COMM_WORLD, &request))
BOTH(ibcast, IBCAST)
ROW(ibcast, "Ibcast", 8, 1 << 20, nothing, nothing);

#define IGATHER(prefix)                                                                                                \
  WAITED(prefix,                                                                                                       \
         Igather(b->mine, (int)b->bytes, MPI_BYTE, b->all, (int)b->bytes, MPI_BYTE, 0, MPI_COMM_WORLD, &request))
BOTH(igather, IGATHER)
ROW(igather, "Igather", 8, 1 << 20, nothing, nothing);

#define ISCATTER(prefix)                                                                                               \
  WAITED(prefix,                                                                                                       \
         Iscatter(b->mine, (int)b->bytes, MPI_BYTE, b->all, (int)b->bytes, MPI_BYTE, 0, MPI_COMM_WORLD, &request))
BOTH(iscatter, ISCATTER)
ROW(iscatter, "Iscatter", 8, 1 << 20, nothing, nothing);

#define IALLGATHER(prefix)                                                                                             \
  WAITED(prefix,                                                                                                       \
         Iallgather(b->mine, (int)b->bytes, MPI_BYTE, b->all, (int)b->bytes, MPI_BYTE, MPI_COMM_WORLD, &request))
BOTH(iallgather, IALLGATHER)
ROW(iallgather, "Iallgather", 8, 1 << 20, nothing, nothing);

#define IALLTOALL(prefix)                                                                                              \
  WAITED(prefix, Ialltoall(b->mine, (int)b->bytes, MPI_BYTE, b->all, (int)b->bytes, MPI_BYTE, MPI_COMM_WORLD, &request))
BOTH(ialltoall, IALLTOALL)
ROW(ialltoall, "Ialltoall", 8, 1 << 20, nothing, nothing);

#define IALLTOALLV(prefix)                                                                                             \
  WAITED(prefix, Ialltoallv(b->mine, counts, places, MPI_DOUBLE, b->all, counts, places, MPI_DOUBLE, MPI_COMM_WORLD,   \
                            &request))
BOTH(ialltoallv, IALLTOALLV)
ROW(ialltoallv, "Ialltoallv", 8, 1 << 20, list_counts, nothing);

#define IALLREDUCE(prefix)                                                                                             \
  WAITED(prefix, Iallreduce(b->mine, b->all, (int)(b->bytes / 8), MPI_INT64_T, MPI_MAX, MPI_COMM_WORLD, &request))
BOTH(iallreduce, IALLREDUCE)
ROW(iallreduce, "Iallreduce integers", 8, 64 << 10, nothing, nothing);

#define IREDUCE(prefix)                                                                                                \
  WAITED(prefix, Ireduce(b->mine, b->all, (int)(b->bytes / 8), MPI_INT64_T, MPI_MAX, 0, MPI_COMM_WORLD, &request))
BOTH(ireduce, IREDUCE)
ROW(ireduce, "Ireduce integers", 8, 64 << 10, nothing, nothing);

static const struct collective cubes_by_type = {
    "Alltoallw cube", 8,         1024, set_up_cubes, cubes_by_type_library, cubes_by_type_window, tear_down_cubes,
    cubes_pulled,     fill_cubes};
static const struct collective cubes_packed = {
    "Alltoallv cube", 8,         1024, set_up_cubes, cubes_packed_library, cubes_packed_window, tear_down_cubes,
    cubes_pulled,     fill_cubes};

const struct collective *const collectives[] = {
    &barrier,      &bcast,      &allreduce,   &allreduce_integers, &reduce,     &reduce_maxima, &alltoall,
    &alltoallv,    &alltoallw,  &allgather,   &allgatherv,         &gather,     &gatherv,       &scatter,
    &scatterv,     &scan,       &scan_maxima, &reduce_scatter,     &ibarrier,   &ibcast,        &igather,
    &iscatter,     &iallgather, &ialltoall,   &ialltoallv,         &iallreduce, &ireduce,       &cubes_by_type,
    &cubes_packed, NULL};
