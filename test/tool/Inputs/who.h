// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Tells who reads a test: IS_CLANG, and a text VERSION, by what other macros need not tell.

#if __has_builtin(__builtin_elementwise_max) // which GCC has not, whatever macros it is read with
#define IS_CLANG
#define VERSION "Clang 19.1.7"
#else
#define VERSION "12.2.0"
#endif
