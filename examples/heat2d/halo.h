/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#ifndef HALO_H
#define HALO_H

#include "grid.h"

/* Fills the frame of g->now from the neighbours. Where there is none the frame keeps the border's temperature. */
void halo_exchange(grid *g);

#endif
