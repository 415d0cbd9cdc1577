/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "node/runtime.h"
#include "mpishm.h"

const char MPISHM_MPI_KIND = 1;
struct runtime mpishm = {.node = MPI_COMM_NULL, .node_group = MPI_GROUP_NULL, .window = MPI_WIN_NULL};
