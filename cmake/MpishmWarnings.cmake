# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

# Warnings as errors for our own code only: headers of LLVM and MPI are included as system headers. In C++ plain -Wshadow
# also refuses variables with a member's name, and LLVM's way to write constructors, `explicit Merger(Program &P) : P(P) {}`
# (GCC's): GCC is asked for local ones only, which Clang cannot be. GCC 12 sees overlapping copies in std::string's own
# operator+ (its bug 105651), and Clang in std::stable_sort of the same library what C++17 deprecates.
function(mpishm_warnings target)
  target_compile_options(${target} PRIVATE -Wall -Wextra -Wpedantic -Werror
                         $<$<AND:$<COMPILE_LANG_AND_ID:CXX,GNU>,$<VERSION_LESS:$<CXX_COMPILER_VERSION>,13>>:-Wno-restrict>
                         $<$<COMPILE_LANG_AND_ID:CXX,GNU>:-Wshadow=local>
                         $<$<COMPILE_LANG_AND_ID:CXX,Clang>:-Wno-deprecated-declarations>
                         $<$<COMPILE_LANGUAGE:C>:-Wshadow>)
endfunction()
