# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# mpishm_room(NAME [NO_MPI] FILE...) names a folder of src/, and what it is made of. Rooms are layers, in the order of
# the calls. Adds to mpishm_sources and, with NO_MPI, to mpishm_sources_without_mpi.
#
# With MPISHM_LAYERS each room is also compiled by itself, where only its own headers and those of the rooms before it
# are to be found, and linked with those rooms, so that neither an include nor a call can go up. (What the library is
# made of is compiled as one file, which hides that.) The target is mpishm_layers.

option(MPISHM_LAYERS "Build each room of the runtime with nothing but the rooms below it, too" ${PROJECT_IS_TOP_LEVEL})
if(MPISHM_LAYERS)
  add_custom_target(mpishm_layers ALL COMMENT "No room of the runtime uses one above it")
endif()
set(mpishm_rooms)
set(mpishm_sources)
set(mpishm_sources_without_mpi)

function(mpishm_layer room no_mpi)
  # A path to a header that leads out of the room would be found wherever the room is compiled.
  add_custom_command(OUTPUT "rooms/${room}.includes"
    COMMAND sh -c "! grep -n '^ *# *include *[<\"][./]' ./*.[ch] /dev/null" && "${CMAKE_COMMAND}" -E touch
            "${CMAKE_CURRENT_BINARY_DIR}/rooms/${room}.includes"
    WORKING_DIRECTORY "${CMAKE_CURRENT_SOURCE_DIR}/src/${room}" DEPENDS ${ARGN} VERBATIM
    COMMENT "Includes of ${room} name rooms")
  add_custom_target(mpishm_includes_of_${room} DEPENDS "rooms/${room}.includes")
  set(below "${CMAKE_CURRENT_BINARY_DIR}/rooms/${room}")
  file(REMOVE_RECURSE "${below}")
  file(MAKE_DIRECTORY "${below}")
  set(objects)
  foreach(lower IN LISTS mpishm_rooms)
    file(CREATE_LINK "${CMAKE_CURRENT_SOURCE_DIR}/src/${lower}" "${below}/${lower}" SYMBOLIC)
    list(APPEND objects $<TARGET_OBJECTS:mpishm_room_${lower}>)
  endforeach()
  add_library(mpishm_room_${room} OBJECT ${ARGN})
  target_include_directories(mpishm_room_${room} PRIVATE "${below}")
  add_library(mpishm_up_to_${room} SHARED ${objects})
  target_link_options(mpishm_up_to_${room} PRIVATE LINKER:--no-undefined)
  target_link_libraries(mpishm_up_to_${room} PRIVATE Threads::Threads ${CMAKE_DL_LIBS})
  if(NOT no_mpi)
    target_include_directories(mpishm_room_${room} PRIVATE include)
    target_link_libraries(mpishm_room_${room} PRIVATE MPI::MPI_C)
    target_link_libraries(mpishm_up_to_${room} PRIVATE MPI::MPI_C)
  endif()
  mpishm_runtime_options(mpishm_room_${room})
  target_compile_options(mpishm_room_${room} PRIVATE -O0) # nobody runs it
  set_target_properties(mpishm_room_${room} mpishm_up_to_${room} PROPERTIES EXCLUDE_FROM_ALL ON)
  set_target_properties(mpishm_up_to_${room} PROPERTIES LIBRARY_OUTPUT_DIRECTORY "${CMAKE_CURRENT_BINARY_DIR}/rooms")
  add_dependencies(mpishm_layers mpishm_up_to_${room} mpishm_includes_of_${room})
endfunction()

# What every file of the runtime is compiled with.
function(mpishm_runtime_options objects)
  mpishm_warnings(${objects})
  set_target_properties(${objects} PROPERTIES POSITION_INDEPENDENT_CODE ON C_VISIBILITY_PRESET hidden)
  target_compile_definitions(${objects} PRIVATE _GNU_SOURCE)
  # Threads have a few bytes of ours, which the dynamic linker keeps ready for a library that is opened later, too; the
  # general way to them is a call in the path of each message.
  target_compile_options(${objects} PRIVATE -ftls-model=initial-exec)
endfunction()

macro(mpishm_room room)
  cmake_parse_arguments(room "NO_MPI" "" "" ${ARGN})
  list(TRANSFORM room_UNPARSED_ARGUMENTS PREPEND "src/${room}/")
  list(APPEND mpishm_rooms ${room})
  list(APPEND mpishm_sources ${room_UNPARSED_ARGUMENTS})
  if(room_NO_MPI)
    list(APPEND mpishm_sources_without_mpi ${room_UNPARSED_ARGUMENTS})
  endif()
  if(MPISHM_LAYERS)
    mpishm_layer(${room} ${room_NO_MPI} ${room_UNPARSED_ARGUMENTS})
  endif()
endmacro()
