/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "onesided/elements.h"
#include "base/copy.h"
#include "layouts/contents.h"

#include <limits.h>

MPI_Datatype elements_of(MPI_Datatype datatype) {
  struct contents contents = {0};
  if (layout_is_named(datatype))
    return datatype;
  if (!contents_envelope(&contents, datatype))
    return MPI_DATATYPE_NULL;
  bool open = contents_open(&contents, datatype) && contents.datatype_count > 0;
  MPI_Datatype found = open ? elements_of(contents.datatypes[0]) : MPI_DATATYPE_NULL;
  for (MPI_Count i = 1; i < contents.datatype_count && found != MPI_DATATYPE_NULL; i++)
    if (elements_of(contents.datatypes[i]) != found)
      found = MPI_DATATYPE_NULL; /* not of one kind */
  contents_close(&contents);
  return found;
}

static bool is_one_of(MPI_Datatype datatype, const MPI_Datatype datatypes[], size_t count) {
  for (size_t i = 0; i < count; i++)
    if (datatypes[i] == datatype)
      return true;
  return false;
}
#define IS_ONE_OF(datatype, datatypes) is_one_of(datatype, datatypes, sizeof(datatypes) / sizeof *(datatypes))

/* What MPI_Reduce_local takes, whose errors would be no window's. */
static bool mpi_can_combine(MPI_Op op, MPI_Datatype datatype) {
  const MPI_Datatype pairs[] = {MPI_2INT,     MPI_DOUBLE_INT, MPI_FLOAT_INT,
                                MPI_LONG_INT, MPI_SHORT_INT,  MPI_LONG_DOUBLE_INT};
  const MPI_Datatype numbers[] = {
      MPI_LONG_DOUBLE, MPI_C_FLOAT_COMPLEX, MPI_C_DOUBLE_COMPLEX, MPI_C_LONG_DOUBLE_COMPLEX,
      MPI_SHORT,       MPI_UNSIGNED_SHORT,  MPI_INT16_T,          MPI_UINT16_T,
      MPI_SIGNED_CHAR, MPI_UNSIGNED_CHAR,   MPI_INT8_T,           MPI_UINT8_T,
#ifdef MPICH_NUMVERSION
      MPI_CHAR, /* which the standard has only for text */
#endif
  };
  if (op == MPI_MINLOC || op == MPI_MAXLOC)
    return IS_ONE_OF(datatype, pairs);
  if (op == MPI_SUM || op == MPI_PROD)
    return IS_ONE_OF(datatype, numbers);
  return (op == MPI_MIN || op == MPI_MAX) && datatype == MPI_LONG_DOUBLE;
}

bool elements_can_combine(MPI_Op op, MPI_Datatype datatype) {
  return reduction_find(op, datatype) || mpi_can_combine(op, datatype);
}

static void combine_by_mpi(MPI_Op op, MPI_Datatype datatype, char *into, const char *from, size_t count) {
  MPI_Aint lower, extent;
  PMPI_Type_get_extent(datatype, &lower, &extent);
  for (size_t at = 0, n; at < count; at += n) {
    n = count - at < INT_MAX ? count - at : INT_MAX;
    PMPI_Reduce_local(from + at * (size_t)extent, into + at * (size_t)extent, (int)n, datatype, op);
  }
}

/* Of what the bits may depend on who computes, what was there is kept, for MPI to compute it. */
static void combine_doubtful(const struct reduction *reduction, MPI_Op op, MPI_Datatype datatype, char *into,
                             const char *from, size_t count) {
  enum { KEPT = 512 };
  char kept[KEPT];
  size_t most = KEPT / reduction->bytes;
  for (size_t at = 0, n; at < count; at += n) {
    n = count - at < most ? count - at : most;
    size_t bytes = n * reduction->bytes, offset = at * reduction->bytes;
    copy_bytes(kept, into + offset, bytes);
    if (!reduction->combine(into + offset, from + offset, n))
      continue;
    copy_bytes(into + offset, kept, bytes);
    combine_by_mpi(op, datatype, into + offset, from + offset, n);
  }
}

/* What the origin's operand settles, of which nothing need be kept; and as much as was looked at of what it does not.
 */
static void combine_settled(const struct reduction *reduction, MPI_Op op, MPI_Datatype datatype, char *into,
                            const char *from, size_t count) {
  enum { UNSETTLED = 8 };
  for (size_t at = 0, n; at < count; at += n) {
    at += reduction->settled(into + at * reduction->bytes, from + at * reduction->bytes, count - at);
    n = count - at < UNSETTLED ? count - at : UNSETTLED;
    combine_doubtful(reduction, op, datatype, into + at * reduction->bytes, from + at * reduction->bytes, n);
  }
}

void elements_combine(MPI_Op op, MPI_Datatype datatype, void *into, const void *from, size_t count) {
  const struct reduction *reduction = reduction_find(op, datatype);
  if (reduction)
    elements_combine_by(reduction, op, datatype, into, from, count);
  else
    combine_by_mpi(op, datatype, into, from, count);
}

void elements_combine_by(const struct reduction *reduction, MPI_Op op, MPI_Datatype datatype, void *into,
                         const void *from, size_t count) {
  if (reduction->settled)
    combine_settled(reduction, op, datatype, into, from, count);
  else if (reduction->doubtful)
    combine_doubtful(reduction, op, datatype, into, from, count);
  else
    reduction->combine(into, from, count);
}
