/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Which functions lie on the path of every message. Hints: nothing depends on them but speed.
 */
#ifndef MPISHM_ATTRIBUTES_H
#define MPISHM_ATTRIBUTES_H

/* An entry point of that path: what it calls is made part of it... */
#define HOT __attribute__((flatten))
/* ... but for what a message needs that does not find everything in place. */
#define COLD __attribute__((cold, noinline))
#define NOINLINE __attribute__((noinline))
#define UNLIKELY(condition) __builtin_expect(!!(condition), 0)
/* What the compiler cannot know but may rely on. */
#define ASSUME(condition) ((condition) ? (void)0 : __builtin_unreachable())

#endif
