/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * What the preprocessor makes of this names the MPI library: mpishm_library, its name, its version. */
#include <mpi.h>
/* This is no C: */
/* clang-format off */
#if defined(OPEN_MPI)
mpishm_library open-mpi OMPI_MAJOR_VERSION OMPI_MINOR_VERSION OMPI_RELEASE_VERSION
#elif defined(I_MPI_NUMVERSION)
mpishm_library intel-mpi I_MPI_NUMVERSION
#elif defined(MVAPICH_VERSION)
mpishm_library mvapich MVAPICH_VERSION
#elif defined(MVAPICH2_VERSION)
mpishm_library mvapich MVAPICH2_VERSION
#elif defined(MPICH_VERSION)
mpishm_library mpich MPICH_VERSION
#else
mpishm_library mpi MPI_VERSION MPI_SUBVERSION
#endif
