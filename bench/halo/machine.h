/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * machine.h - what times depend on, in words.
 */
#ifndef MACHINE_H
#define MACHINE_H

#include <mpi.h>

enum { WORDS = 256 };

struct machine {
  char processor[WORDS];
  int cores;             /* that the ranks of this node may use, all together */
  char mpi[WORDS];       /* name and version */
  char transport[WORDS]; /* MPICH's device, and the variables that choose transports where they are set */
  char settings[WORDS];  /* variables of mpishm that are set */
};

/* Collective over the ranks of a node. */
struct machine describe_machine(MPI_Comm node);

#endif
