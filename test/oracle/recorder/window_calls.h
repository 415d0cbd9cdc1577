/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * The functions of windows.c that have counts, of the type COUNT, and units, of the type UNIT. No include guard:
 * windows.c includes it once for each form.
 */
#define FROM const void *from, COUNT from_count, MPI_Datatype from_type
#define INTO void *into, COUNT into_count, MPI_Datatype into_type
#define THERE int target, MPI_Aint at, COUNT there_count, MPI_Datatype there_type

MAKER(Win_create, (void *base, MPI_Aint bytes, UNIT unit, MPI_Info info, MPI_Comm comm, MPI_Win *win),
      (base, bytes, unit, info, comm, win))
MAKER(Win_allocate, (MPI_Aint bytes, UNIT unit, MPI_Info info, MPI_Comm comm, void *base, MPI_Win *win),
      (bytes, unit, info, comm, base, win))
MAKER(Win_allocate_shared, (MPI_Aint bytes, UNIT unit, MPI_Info info, MPI_Comm comm, void *base, MPI_Win *win),
      (bytes, unit, info, comm, base, win))
BOTH(Put, Rput, (FROM, THERE, MPI_Win win), (from, from_count, from_type, target, at, there_count, there_type, win))
BOTH(Get, Rget, (INTO, THERE, MPI_Win win), (into, into_count, into_type, target, at, there_count, there_type, win))
BOTH(Accumulate, Raccumulate, (FROM, THERE, MPI_Op op, MPI_Win win),
     (from, from_count, from_type, target, at, there_count, there_type, op, win))
BOTH(Get_accumulate, Rget_accumulate, (FROM, INTO, THERE, MPI_Op op, MPI_Win win),
     (from, from_count, from_type, into, into_count, into_type, target, at, there_count, there_type, op, win))

#undef FROM
#undef INTO
#undef THERE
