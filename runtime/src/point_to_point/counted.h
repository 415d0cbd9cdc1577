/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * counted.h - writes out the entry points of the file that COUNTED names once with counts of int and, where the MPI
 * library has them (MPI 4), once with large counts. There
 *
 *   COUNT         is the type of counts
 *   DISPLACEMENT  is that of displacements
 *   FORM(name)    is the name of a function, or of a pointer to one: name, or name_c
 *   CALL(name)    is the enum call of MPISHM_name in that form; name in capitals
 *   IS_LARGE      is 1 for large counts, else 0
 *
 * No include guard: a source file may include this several times.
 */
#define COUNT int
#define DISPLACEMENT int
#define IS_LARGE 0
#define FORM(name) name
#define CALL(name) CALL_##name
#include COUNTED
#undef COUNT
#undef DISPLACEMENT
#undef IS_LARGE
#undef FORM
#undef CALL

#if MPI_VERSION >= 4
#define COUNT MPI_Count
#define DISPLACEMENT MPI_Aint
#define IS_LARGE 1
#define FORM(name) name##_c
#define CALL(name) CALL_##name##_C
#include COUNTED
#undef COUNT
#undef DISPLACEMENT
#undef IS_LARGE
#undef FORM
#undef CALL
#endif
#undef COUNTED
