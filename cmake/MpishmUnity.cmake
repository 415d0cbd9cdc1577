# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

option(MPISHM_UNITY "Compile several files of the tool at a time, which makes a build from nothing faster" ON)

# mpishm_unity(<target>): several of its files are compiled as one, since most of the time goes into Clang's and LLVM's
# headers. To be called when the target has all its options.
#
# Two files of a target may then not give one name to things of their own. That each includes what it needs shows only
# where it is compiled alone: by clang-tidy, by the build with sanitizers, and by the target mpishm_each_file, through
# which compile_commands.json has every file, too.
function(mpishm_unity target)
  if(NOT MPISHM_UNITY)
    return()
  endif()
  set_target_properties(${target} PROPERTIES UNITY_BUILD ON UNITY_BUILD_BATCH_SIZE 10)
  get_target_property(sources ${target} SOURCES)
  add_library(${target}_each OBJECT EXCLUDE_FROM_ALL ${sources})
  foreach(property COMPILE_DEFINITIONS COMPILE_OPTIONS INCLUDE_DIRECTORIES LINK_LIBRARIES)
    get_target_property(value ${target} ${property})
    if(value)
      set_target_properties(${target}_each PROPERTIES ${property} "${value}")
    endif()
  endforeach()
  # Of anonymous namespaces in headers, which these files now are for GCC.
  target_compile_options(${target} PRIVATE $<$<CXX_COMPILER_ID:GNU>:-Wno-subobject-linkage>)
  if(NOT TARGET mpishm_each_file)
    add_custom_target(mpishm_each_file COMMENT "Each file of the tool includes what it needs")
  endif()
  add_dependencies(mpishm_each_file ${target}_each)
endfunction()
