# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

# Warnings as errors for our own code only: headers of LLVM and MPI are included as system headers.
function(mpishm_warnings target)
  target_compile_options(${target} PRIVATE -Wall -Wextra -Wpedantic -Wshadow -Werror)
endfunction()
