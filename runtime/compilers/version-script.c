/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * What the preprocessor makes of this is the linker's version script for libmpishm.so: all names of ours have one
 * version, which says for which kind of MPI library it is. The dynamic linker compares versions before it does anything
 * else with a library; without, the first to fail would be one of the MPI library's own, with words of its own. (MPI's
 * names, which the net defines, have none, as they have in most MPI libraries: what asks for a version of those finds
 * ours, too.) */
#include <mpishm.h>
#define JOINED(kind, major) kind##_##major
#define VERSION_OF(kind, major) JOINED(kind, major)
/* This is no C: */
/* clang-format off */
mpishm_version VERSION_OF(MPISHM_MPI_KIND, MPISHM_VERSION_MAJOR) { global: MPISHM_*; mpishm_*; };
