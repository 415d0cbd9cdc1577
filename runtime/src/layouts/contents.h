/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * What a datatype was made from (MPI 3.1, 4.1.13; MPI 4.0, 5.1.13).
 */
#ifndef MPISHM_CONTENTS_H
#define MPISHM_CONTENTS_H

#include "layouts/layout.h"

/* Counts and places are what the constructor with int arguments was, or would have been,
 * given, in its order: MPI 4 keeps those of large-count constructors elsewhere. */
struct contents {
  MPI_Count integer_count, address_count, large_count, datatype_count;
  MPI_Count *integers;
  MPI_Count *addresses;
  MPI_Datatype *datatypes;
  struct layout **children;
  int combiner;
};

/* Asks MPI for the combiner and how much of each there is. False when it refuses. */
bool contents_envelope(struct contents *c, MPI_Datatype datatype);
/* After contents_envelope, for a datatype that is not named: the rest, and the layouts of what it was made of. False
 * when MPI refuses or there is no memory; to be closed in any case. */
bool contents_open(struct contents *c, MPI_Datatype datatype);
void contents_close(struct contents *c);

#endif
