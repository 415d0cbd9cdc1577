# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

# mpishm_embed(<variable> <file> [LINES]): sets the variable to C string literals, one for each line (a single literal may
# be too long for some compilers), that make up the text of the file; with LINES, with commas between them, as elements of
# an array: what adjacent literals make up may be too long, too, of more than 64 Ki. The build is configured anew when the
# file changes.
function(mpishm_embed variable path)
  set(separator "")
  if("LINES" IN_LIST ARGN)
    set(separator ",")
  endif()
  set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS "${path}")
  file(READ "${path}" text)
  string(REPLACE "\\" "\\\\" text "${text}")
  string(REPLACE "\"" "\\\"" text "${text}")
  string(REPLACE "\n" "\\n\"${separator}\n    \"" text "${text}")
  set(${variable} "\"${text}\"" PARENT_SCOPE)
endfunction()
