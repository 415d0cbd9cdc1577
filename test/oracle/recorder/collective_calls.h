/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * The functions of collectives.c that have counts, of the type COUNT, and places of the type PLACE. No include guard:
 * collectives.c includes it once for each form.
 */
#define ONE const void *give, COUNT gives, MPI_Datatype from
#define EACH const void *give, const COUNT gives[], const PLACE given_at[], MPI_Datatype from
#define EACH_TYPE const void *give, const COUNT gives[], const PLACE given_at[], const MPI_Datatype from[]
#define FAR_TYPE const void *give, const COUNT gives[], const MPI_Aint given_at[], const MPI_Datatype from[]
#define INTO_ONE void *take, COUNT takes, MPI_Datatype into
#define INTO_EACH void *take, const COUNT takes[], const PLACE taken_at[], MPI_Datatype into
#define INTO_EACH_TYPE void *take, const COUNT takes[], const PLACE taken_at[], const MPI_Datatype into[]
#define INTO_FAR_TYPE void *take, const COUNT takes[], const MPI_Aint taken_at[], const MPI_Datatype into[]
#define OPERANDS const void *give, void *take, COUNT count, MPI_Datatype type, MPI_Op op

ALL_FORMS(Bcast, bcast, (void *at, COUNT count, MPI_Datatype type, int root, MPI_Comm comm),
          (at, count, type, root, comm))
ALL_FORMS(Gather, gather, (ONE, INTO_ONE, int root, MPI_Comm comm), (give, gives, from, take, takes, into, root, comm))
ALL_FORMS(Gatherv, gatherv, (ONE, INTO_EACH, int root, MPI_Comm comm),
          (give, gives, from, take, takes, taken_at, into, root, comm))
ALL_FORMS(Scatter, scatter, (ONE, INTO_ONE, int root, MPI_Comm comm),
          (give, gives, from, take, takes, into, root, comm))
ALL_FORMS(Scatterv, scatterv, (EACH, INTO_ONE, int root, MPI_Comm comm),
          (give, gives, given_at, from, take, takes, into, root, comm))
ALL_FORMS(Allgather, allgather, (ONE, INTO_ONE, MPI_Comm comm), (give, gives, from, take, takes, into, comm))
ALL_FORMS(Allgatherv, allgatherv, (ONE, INTO_EACH, MPI_Comm comm),
          (give, gives, from, take, takes, taken_at, into, comm))
ALL_FORMS(Alltoall, alltoall, (ONE, INTO_ONE, MPI_Comm comm), (give, gives, from, take, takes, into, comm))
ALL_FORMS(Alltoallv, alltoallv, (EACH, INTO_EACH, MPI_Comm comm),
          (give, gives, given_at, from, take, takes, taken_at, into, comm))
ALL_FORMS(Alltoallw, alltoallw, (EACH_TYPE, INTO_EACH_TYPE, MPI_Comm comm),
          (give, gives, given_at, from, take, takes, taken_at, into, comm))
ALL_FORMS(Neighbor_allgather, neighbor_allgather, (ONE, INTO_ONE, MPI_Comm comm),
          (give, gives, from, take, takes, into, comm))
ALL_FORMS(Neighbor_allgatherv, neighbor_allgatherv, (ONE, INTO_EACH, MPI_Comm comm),
          (give, gives, from, take, takes, taken_at, into, comm))
ALL_FORMS(Neighbor_alltoall, neighbor_alltoall, (ONE, INTO_ONE, MPI_Comm comm),
          (give, gives, from, take, takes, into, comm))
ALL_FORMS(Neighbor_alltoallv, neighbor_alltoallv, (EACH, INTO_EACH, MPI_Comm comm),
          (give, gives, given_at, from, take, takes, taken_at, into, comm))
ALL_FORMS(Neighbor_alltoallw, neighbor_alltoallw, (FAR_TYPE, INTO_FAR_TYPE, MPI_Comm comm),
          (give, gives, given_at, from, take, takes, taken_at, into, comm))
ALL_FORMS(Allreduce, allreduce, (OPERANDS, MPI_Comm comm), (give, take, count, type, op, comm))
ALL_FORMS(Reduce, reduce, (OPERANDS, int root, MPI_Comm comm), (give, take, count, type, op, root, comm))
ALL_FORMS(Scan, scan, (OPERANDS, MPI_Comm comm), (give, take, count, type, op, comm))
ALL_FORMS(Exscan, exscan, (OPERANDS, MPI_Comm comm), (give, take, count, type, op, comm))
ALL_FORMS(Reduce_scatter_block, reduce_scatter_block, (OPERANDS, MPI_Comm comm), (give, take, count, type, op, comm))
ALL_FORMS(Reduce_scatter, reduce_scatter,
          (const void *give, void *take, const COUNT counts[], MPI_Datatype type, MPI_Op op, MPI_Comm comm),
          (give, take, counts, type, op, comm))

#undef ONE
#undef EACH
#undef EACH_TYPE
#undef FAR_TYPE
#undef INTO_ONE
#undef INTO_EACH
#undef INTO_EACH_TYPE
#undef INTO_FAR_TYPE
#undef OPERANDS
