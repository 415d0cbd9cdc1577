# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# mpishm_tool_room(NAME [LLVM | CLANG] [USES ROOM...] FILES FILE...) makes the library mpishm_NAME of a folder of tool/.
# An include names the room of a header. It may be NAME itself, one of those that NAME uses, LLVM's and Clang's where
# the room may know them; the build refuses any other, so that the rooms stay layers.

include(MpishmUnity)

function(mpishm_tool_room name)
  cmake_parse_arguments(PARSE_ARGV 1 arg "LLVM;CLANG" "" "USES;FILES")
  if(NOT arg_FILES OR arg_UNPARSED_ARGUMENTS)
    message(FATAL_ERROR "mpishm_tool_room(${name}): FILES missing, or unknown: ${arg_UNPARSED_ARGUMENTS}")
  endif()
  add_library(mpishm_${name} STATIC ${arg_FILES})
  mpishm_warnings(mpishm_${name})
  # -O3 makes the tool no faster, most of whose time is Clang's, and takes a sixth longer to compile. At -O2 GCC takes
  # pointers in headers of Clang for null.
  target_compile_options(mpishm_${name} PRIVATE $<$<CONFIG:Release>:-O2> $<$<CXX_COMPILER_ID:GNU>:-Wno-nonnull>)
  target_include_directories(mpishm_${name} PUBLIC "${PROJECT_SOURCE_DIR}/tool")
  set(known ${name} ${arg_USES})
  if(arg_LLVM OR arg_CLANG)
    target_link_libraries(mpishm_${name} PUBLIC mpishm_llvm)
    list(APPEND known llvm)
  endif()
  if(arg_CLANG)
    list(APPEND known clang)
  endif()
  foreach(room IN LISTS arg_USES)
    target_link_libraries(mpishm_${name} PUBLIC mpishm_${room})
  endforeach()
  mpishm_unity(mpishm_${name})

  list(JOIN known "|" known)
  file(GLOB sources CONFIGURE_DEPENDS *.h *.cpp *.def)
  set(stamp "${CMAKE_CURRENT_BINARY_DIR}/includes")
  add_custom_command(OUTPUT "${stamp}"
    COMMAND sh -c "! grep -nE '^ *# *include *(\"|<[a-z]+/.*\\.h>)' \"$@\" | grep -vE '(\"(${known})|<sys)/'" sh ${sources}
    COMMAND "${CMAKE_COMMAND}" -E touch "${stamp}"
    WORKING_DIRECTORY "${CMAKE_CURRENT_SOURCE_DIR}" DEPENDS ${sources} VERBATIM
    COMMENT "Includes of ${name} name rooms that it uses")
  add_custom_target(mpishm_includes_of_tool_${name} ALL DEPENDS "${stamp}")
endfunction()
