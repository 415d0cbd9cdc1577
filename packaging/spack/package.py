# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# Spack's recipe. In a checkout of mpishm:
#
#   mkdir -p REPOSITORY/packages/mpishm
#   cp packaging/spack/package.py REPOSITORY/packages/mpishm/
#   spack repo add REPOSITORY                   # a repository made by `spack repo create`
#   spack dev-build mpishm@0.1.0 %gcc ^mpich    # builds the checkout it is called in
#
# In the style of `spack style` (black, isort and flake8 with 99 columns).

try:
    from spack_repo.builtin.build_systems.cmake import CMakePackage  # since Spack 1.0

    from spack.package import *
except ImportError:
    from spack.package import *  # Spack 0.18 to 0.23
    from spack.package import CMakePackage


class Mpishm(CMakePackage):
    """Rewrites C and C++ MPI programs so that their messages inside a node go through an MPI-3
    shared-memory window: a Clang tool, mpishm-rewrite, and the library that rewritten programs
    call."""

    license("Apache-2.0 WITH LLVM-exception")

    version("0.1.0")

    variant("tool", default=True, description="Build mpishm-rewrite, not only the library")

    depends_on("c", type="build")
    depends_on("cxx", type="build")
    depends_on("cmake@3.25:", type="build")
    depends_on("ninja", type="build")
    depends_on("python@3", type="build")

    depends_on("mpi@3:")
    depends_on("llvm@19 +clang", when="+tool")
    depends_on("elfutils", type="run")  # names of call sites in MPISHM_STATS, where it is there

    generator("ninja")

    def cmake_args(self):
        mpi = self.spec["mpi"]
        args = [
            self.define_from_variant("MPISHM_BUILD_TOOL", "tool"),
            self.define("MPISHM_BUILD_TESTS", False),
            # The wrappers of the installation call these.
            self.define("MPISHM_DEFAULT_MPICC", mpi.mpicc),
            self.define("MPISHM_DEFAULT_MPICXX", mpi.mpicxx),
            self.define("MPI_C_COMPILER", mpi.mpicc),
            self.define("MPI_CXX_COMPILER", mpi.mpicxx),
        ]
        if self.spec.satisfies("+tool"):
            args.append(self.define("LLVM_DIR", self.spec["llvm"].prefix.lib.cmake.llvm))
        return args
