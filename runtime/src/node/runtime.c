/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "node/runtime.h"

struct runtime mpishm = {.node = MPI_COMM_NULL, .node_group = MPI_GROUP_NULL, .window = MPI_WIN_NULL};
