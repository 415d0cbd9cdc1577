/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * counted.h - writes out the entry points of the file that COUNTED names once with counts of int and, where the MPI
 * library has them (MPI 4), once with large counts. There
 *
 *   COUNT       is the type of counts
 *   FORM(name)  is the name of a function, or of a pointer to one: name, or name_c
 *   CALL(name)  is the enum call of MPISHM_name in that form; name in capitals
 *
 * No include guard: a source file may include this several times.
 */
#define COUNT int
#define FORM(name) name
#define CALL(name) CALL_##name
#include COUNTED
#undef COUNT
#undef FORM
#undef CALL

#if MPI_VERSION >= 4
#define COUNT MPI_Count
#define FORM(name) name##_c
#define CALL(name) CALL_##name##_C
#include COUNTED
#undef COUNT
#undef FORM
#undef CALL
#endif
#undef COUNTED
