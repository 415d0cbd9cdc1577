/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * What accumulates compute: into[i] = into[i] op from[i], with the bits of the MPI library.
 */
#ifndef MPISHM_ELEMENTS_H
#define MPISHM_ELEMENTS_H

#include "layouts/layout.h"
#include "reductions/reductions.h"

/* The predefined datatype that all of a datatype is made of; MPI_DATATYPE_NULL: there is none, or no memory. */
MPI_Datatype elements_of(MPI_Datatype datatype);
/* Whether they are combined here; else the accumulate is MPI's, to do or to refuse. MPI_REPLACE and MPI_NO_OP combine
 * nothing. */
bool elements_can_combine(MPI_Op op, MPI_Datatype datatype);
/* Then: `count` elements of a predefined datatype, as they lie in an array. */
void elements_combine(MPI_Op op, MPI_Datatype datatype, void *into, const void *from, size_t count);
/* The same where reduction_find has found that one. */
void elements_combine_by(const struct reduction *reduction, MPI_Op op, MPI_Datatype datatype, void *into,
                         const void *from, size_t count);

#endif
