# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

# Warnings as errors for our own code only: headers of LLVM and MPI are included as system headers. In C++ GCC's plain
# -Wshadow also refuses LLVM's way to write constructors, `explicit Merger(Program &P) : P(P) {}`, which Clang's allows.
function(mpishm_warnings target)
  target_compile_options(${target} PRIVATE -Wall -Wextra -Wpedantic -Werror
                         $<IF:$<COMPILE_LANG_AND_ID:CXX,GNU>,-Wshadow=local,-Wshadow>)
endfunction()
