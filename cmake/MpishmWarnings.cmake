# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

# Warnings as errors for our own code only: headers of LLVM and MPI are included as system headers. In C++ GCC's plain
# -Wshadow also refuses LLVM's way to write constructors, `explicit Merger(Program &P) : P(P) {}`, which Clang's allows;
# and GCC 12 sees overlapping copies in std::string's own operator+ (its bug 105651).
function(mpishm_warnings target)
  target_compile_options(${target} PRIVATE -Wall -Wextra -Wpedantic -Werror
                         $<$<AND:$<COMPILE_LANG_AND_ID:CXX,GNU>,$<VERSION_LESS:$<CXX_COMPILER_VERSION>,13>>:-Wno-restrict>
                         $<IF:$<COMPILE_LANG_AND_ID:CXX,GNU>,-Wshadow=local,-Wshadow>)
endfunction()
