/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#ifndef HALO_H
#define HALO_H

#include "field.h"

/* Fills a field's border from the neighbours'. At the edge of the square it stays zero. */
void halo_exchange(part *p, double *field);

#endif
