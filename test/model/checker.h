/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * What of a checker that Spin 6.5 generates is worth being optimised: to store a state, most of its time. The rest,
 * the model's transitions, takes GCC ten times as long to optimise as to compile, and is run no faster for that.
 */
#define FAST __attribute__((optimize("O2")))
FAST long col_p(int, char *);
FAST long col_q(int, char *);
FAST void d_sfh(unsigned char *, int);
FAST unsigned long ordinal(char *, long, short);
FAST int compress(char *, int);
FAST int h_store(char *, int);
#undef FAST
