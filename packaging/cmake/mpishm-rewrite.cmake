# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
#   mpishm_rewrite(target...)
#
# Has the targets built from rewritten copies of their sources, which stay as they are. What is proved about messages
# holds for whole programs; so the targets go together with the project's libraries that they link, and with every other
# target that links one of these. A group of such targets is analysed together, by the target mpishm-NAME, whenever one
# of its files has changed; then only what is different is compiled again. In <build>/mpishm/NAME are
#
#   report.html, report.json   what was rewritten, and why the rest was not
#   mirror                     the files of the group: edited, or links to the originals
#
# -DMPISHM=OFF builds the original. MPISHM_REWRITE_OPTIONS: further options for mpishm-rewrite, as --trust-call=NAME and
# --guarded.
# Call it in the folder that makes the targets, after their sources are known.

option(MPISHM "Build the targets of mpishm_rewrite from rewritten sources" ON)
set(MPISHM_REWRITE_OPTIONS "" CACHE STRING "Further options for mpishm-rewrite")

# For the call at the end, which sees no variables of the package.
set_property(GLOBAL PROPERTY mpishm_tool "${mpishm_BINDIR}/mpishm-rewrite")

function(mpishm_rewrite)
  if(NOT MPISHM)
    return()
  endif()
  get_property(several GLOBAL PROPERTY GENERATOR_IS_MULTI_CONFIG)
  if(several OR NOT CMAKE_GENERATOR MATCHES "Ninja|Makefiles")
    message(FATAL_ERROR "mpishm_rewrite works with the generators Ninja and Makefiles, not with ${CMAKE_GENERATOR}.\n"
                        "  Configure anew with -G Ninja, or for the original program with -DMPISHM=OFF")
  endif()
  foreach(target IN LISTS ARGN)
    if(NOT TARGET "${target}")
      message(FATAL_ERROR "mpishm_rewrite: there is no target ${target}")
    endif()
    # A target of this folder, since only here is known how its sources are made.
    _mpishm_sources(${target} sources generated)
    if(generated)
      add_custom_target(mpishm-sources-${target} DEPENDS ${generated})
    endif()
    set_property(GLOBAL APPEND PROPERTY mpishm_targets ${target})
  endforeach()
  get_property(deferred GLOBAL PROPERTY mpishm_deferred)
  if(NOT deferred)
    set_property(GLOBAL PROPERTY mpishm_deferred TRUE)
    # When all targets and what they link are known.
    cmake_language(DEFER DIRECTORY "${CMAKE_SOURCE_DIR}" CALL _mpishm_rewrite_groups)
  endif()
endfunction()

# The absolute paths of a target's sources that are there, and of those that the build makes.
function(_mpishm_sources target sources_variable generated_variable)
  get_target_property(sources ${target} SOURCES)
  get_target_property(source_dir ${target} SOURCE_DIR)
  get_target_property(binary_dir ${target} BINARY_DIR)
  set(there "")
  set(made "")
  foreach(source IN LISTS sources)
    if(source MATCHES "\\$<" OR NOT source)
      continue()
    endif()
    get_filename_component(path "${source}" ABSOLUTE BASE_DIR "${source_dir}")
    get_source_file_property(generated "${source}" TARGET_DIRECTORY ${target} GENERATED)
    if(NOT generated AND EXISTS "${path}")
      list(APPEND there "${path}")
    else()
      get_filename_component(path "${source}" ABSOLUTE BASE_DIR "${binary_dir}")
      list(APPEND made "${path}")
    endif()
  endforeach()
  set(${sources_variable} "${there}" PARENT_SCOPE)
  set(${generated_variable} "${made}" PARENT_SCOPE)
endfunction()

# All targets of a folder and those below it.
function(_mpishm_targets_below folder variable)
  get_property(found DIRECTORY "${folder}" PROPERTY BUILDSYSTEM_TARGETS)
  get_property(folders DIRECTORY "${folder}" PROPERTY SUBDIRECTORIES)
  foreach(below IN LISTS folders)
    _mpishm_targets_below("${below}" more)
    list(APPEND found ${more})
  endforeach()
  set(${variable} "${found}" PARENT_SCOPE)
endfunction()

# The project's own targets that a target names in what it links, whatever the generator expressions around them.
function(_mpishm_links target variable)
  set(words "")
  foreach(property LINK_LIBRARIES INTERFACE_LINK_LIBRARIES SOURCES)
    get_target_property(value ${target} ${property})
    if(value)
      string(REGEX REPLACE "\\$<[A-Z_]*:?|[>,;]" " " value "${value}")
      string(REGEX MATCHALL "[^ ]+" value "${value}")
      list(APPEND words ${value})
    endif()
  endforeach()
  set(found "")
  foreach(word IN LISTS words)
    string(REGEX REPLACE "^:([^:])" "\\1" word "${word}")
    if(NOT TARGET "${word}")
      continue()
    endif()
    get_target_property(aliased "${word}" ALIASED_TARGET)
    if(aliased)
      set(word "${aliased}")
    endif()
    get_target_property(imported "${word}" IMPORTED)
    if(NOT imported)
      list(APPEND found "${word}")
    endif()
  endforeach()
  list(REMOVE_DUPLICATES found)
  set(${variable} "${found}" PARENT_SCOPE)
endfunction()

function(_mpishm_rewrite_groups)
  _mpishm_targets_below("${CMAKE_SOURCE_DIR}" all)
  foreach(target IN LISTS all)
    _mpishm_links(${target} links_of_${target})
    foreach(library IN LISTS links_of_${target})
      list(APPEND users_of_${library} ${target})
    endforeach()
  endforeach()

  get_property(wanted GLOBAL PROPERTY mpishm_targets)
  set(done "")
  foreach(target IN LISTS wanted)
    if(target IN_LIST done)
      continue()
    endif()
    set(group "")
    set(open ${target})
    while(open)
      list(POP_FRONT open next)
      if(next IN_LIST group)
        continue()
      endif()
      list(APPEND group ${next})
      list(APPEND open ${links_of_${next}})
      # What is compiled once is there for all that link it; an interface library is compiled by each of them.
      get_target_property(type ${next} TYPE)
      if(NOT type STREQUAL INTERFACE_LIBRARY)
        list(APPEND open ${users_of_${next}})
      endif()
    endwhile()
    list(APPEND done ${group})
    _mpishm_rewrite_group(${target} ${group})
  endforeach()
endfunction()

function(_mpishm_rewrite_group name)
  set(folder "${CMAKE_BINARY_DIR}/mpishm/${name}")
  set(mirror "${folder}/mirror")
  set(analysis mpishm-${name})
  set(library mpishm::mpishm)
  set(members "")
  foreach(target IN LISTS ARGN)
    get_target_property(type ${target} TYPE)
    if(type MATCHES "^(EXECUTABLE|STATIC_LIBRARY|OBJECT_LIBRARY|SHARED_LIBRARY|MODULE_LIBRARY)$")
      list(APPEND members ${target})
    endif()
    # One runtime in a process, wherever it is called from.
    if(type MATCHES "SHARED|MODULE")
      set(library mpishm::mpishm_shared)
    endif()
  endforeach()
  list(JOIN members " " shown)
  message(STATUS "mpishm: ${analysis} rewrites together: ${shown}")

  set(sources "")
  set(copies "")
  set(objects "")
  set(order "")
  foreach(target IN LISTS members)
    _mpishm_sources(${target} here generated)
    list(APPEND sources ${here})
    foreach(source IN LISTS here generated)
      list(APPEND copies "${mirror}${source}")
    endforeach()
    if(TARGET mpishm-sources-${target})
      list(APPEND order mpishm-sources-${target})
    elseif(generated AND CMAKE_GENERATOR MATCHES Makefiles)
      message(FATAL_ERROR "mpishm_rewrite: the build makes sources of ${target}, which belongs to ${name}; so name it, "
                          "too, in the folder that makes it: mpishm_rewrite(${target})")
    else()
      list(APPEND sources ${generated})
    endif()
    get_target_property(dependencies ${target} MANUALLY_ADDED_DEPENDENCIES)
    foreach(dependency IN LISTS dependencies)
      if(TARGET "${dependency}" AND NOT dependency IN_LIST members)
        list(APPEND order ${dependency})
      endif()
    endforeach()
    list(APPEND objects "$<TARGET_OBJECTS:${target}>")
    _mpishm_rewrite_target(${target} ${library} "${mirror}")
  endforeach()
  list(REMOVE_DUPLICATES copies)
  file(GENERATE OUTPUT "${folder}/objects.txt" CONTENT "$<JOIN:${objects},\n>\n")

  get_property(tool GLOBAL PROPERTY mpishm_tool)
  add_custom_command(
    OUTPUT "${folder}/report.html"
    BYPRODUCTS "${folder}/report.json" ${copies}
    COMMAND "${tool}" -p "${CMAKE_BINARY_DIR}" --objects "${folder}/objects.txt"
            --mirror "${mirror}" --report "${folder}/report.html" --report "${folder}/report.json"
            --depfile "${folder}/report.d" --cache "${folder}/facts" ${MPISHM_REWRITE_OPTIONS}
    DEPENDS ${sources} "${CMAKE_BINARY_DIR}/compile_commands.json" "${folder}/objects.txt"
            "${tool}"
    DEPFILE "${folder}/report.d"
    COMMENT "Rewriting ${shown}" VERBATIM)
  add_custom_target(${analysis} DEPENDS "${folder}/report.html")
  if(order)
    add_dependencies(${analysis} ${order})
  endif()
  foreach(target IN LISTS members)
    add_dependencies(${target} ${analysis})
  endforeach()
endfunction()

# Has one target compiled from the mirror, and linked with the library.
function(_mpishm_rewrite_target target library mirror)
  set_property(TARGET ${target} PROPERTY EXPORT_COMPILE_COMMANDS ON)
  foreach(language C CXX)
    get_target_property(launcher ${target} ${language}_COMPILER_LAUNCHER)
    if(NOT launcher)
      set(launcher "")
    endif()
    set_property(TARGET ${target} PROPERTY ${language}_COMPILER_LAUNCHER
                 "${CMAKE_CURRENT_FUNCTION_LIST_DIR}/mpishm-compile" "${mirror}" ${launcher})
    # What a program says of its files (__FILE__) is as before.
    set_property(TARGET ${target} APPEND PROPERTY COMPILE_OPTIONS
                 "$<$<COMPILE_LANG_AND_ID:${language},GNU,Clang,IntelLLVM>:-fmacro-prefix-map=${mirror}/=/>")
  endforeach()
  set_property(TARGET ${target} APPEND PROPERTY LINK_LIBRARIES ${library})
  get_target_property(type ${target} TYPE)
  if(type MATCHES "STATIC|OBJECT")
    set_property(TARGET ${target} APPEND PROPERTY INTERFACE_LINK_LIBRARIES "$<LINK_ONLY:${library}>")
  endif()
endfunction()
