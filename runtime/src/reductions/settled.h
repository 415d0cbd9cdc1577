/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Sums and products of floating-point numbers where one operand settles the bits of the result, whatever the other one
 * is: a number does. What is none has its own bits then, quiet, whoever computes it and in whichever order.
 */
#ifndef MPISHM_SETTLED_H
#define MPISHM_SETTLED_H

#include <stddef.h>

/* into[i] = into[i] op from[i] of the first elements, of `count`, as long as those of `from` are numbers; wherever they
 * lie. Returns how many it has combined; the others of `into` are what they were. By the widest vectors that this
 * processor has. */
typedef size_t settled_elements(void *into, const void *from, size_t count);

settled_elements settled_sum_float, settled_sum_double, settled_product_float, settled_product_double;

#endif
