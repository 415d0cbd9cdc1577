/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#ifndef TEST_LAYOUTS_HARNESS_H
#define TEST_LAYOUTS_HARNESS_H

#ifdef __cplusplus
extern "C" {
#endif

/* Copies between two layouts that are drawn from `seed`, once as they are and once as others would read the first; and
 * byte for byte. Returns how many bytes were to be copied, or -1 where any byte of the destination is wrong, or what
 * layout_span says. */
long copy_drawn(unsigned seed);

#ifdef __cplusplus
}
#endif

#endif
