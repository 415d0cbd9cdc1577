/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * programs.h - rows of the benchmark that are small programs.
 */
#ifndef PROGRAMS_H
#define PROGRAMS_H

#include "onesided.h"

enum { RANDOM_UPDATES = 1024 };

void random_access(struct side *s);
void stencil_of_64(struct side *s);
void stencil_of_1k(struct side *s);
void put_to_busy(struct side *s);

#endif
