/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * cubes.h - rows of the benchmark that turn a field; `side` of the buffers counts.
 */
#ifndef CUBES_H
#define CUBES_H

#include "collectives.h"

void set_up_cubes(const struct buffers *b);
void tear_down_cubes(const struct buffers *b);

void cubes_by_type_library(const struct buffers *b);
void cubes_by_type_window(const struct buffers *b);
void cubes_packed_library(const struct buffers *b);
void cubes_packed_window(const struct buffers *b);
void fill_cubes(const struct buffers *b);
void cubes_pulled(const struct buffers *b);

#endif
