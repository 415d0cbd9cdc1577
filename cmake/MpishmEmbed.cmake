# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

# mpishm_embed(<variable> <file>): sets the variable to C string literals, one for each line (a single literal may be too
# long for some compilers), that make up the text of the file. The build is configured anew when the file changes.
function(mpishm_embed variable path)
  set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS "${path}")
  file(READ "${path}" text)
  string(REPLACE "\\" "\\\\" text "${text}")
  string(REPLACE "\"" "\\\"" text "${text}")
  string(REPLACE "\n" "\\n\"\n    \"" text "${text}")
  set(${variable} "\"${text}\"" PARENT_SCOPE)
endfunction()
