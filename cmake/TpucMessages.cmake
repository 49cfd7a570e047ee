# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# Classes for the messages of a schema (cmake/messages.py).
find_package(Python3 REQUIRED COMPONENTS Interpreter)

# tpuc_messages(OUT_SRCS NAME.proto): NAME_messages.h in the build tree beside the schema's path, and its source in
# OUT_SRCS.
function(tpuc_messages out schema)
  get_filename_component(name ${schema} NAME_WE)
  file(RELATIVE_PATH folder ${CMAKE_SOURCE_DIR} ${CMAKE_CURRENT_SOURCE_DIR})
  set(base ${CMAKE_CURRENT_BINARY_DIR}/${name}_messages)
  add_custom_command(
    OUTPUT ${base}.h ${base}.cpp
    COMMAND Python3::Interpreter ${CMAKE_SOURCE_DIR}/cmake/messages.py ${CMAKE_CURRENT_SOURCE_DIR}/${schema}
      ${folder}/${name}_messages.h ${base}.h ${base}.cpp
    DEPENDS ${CMAKE_CURRENT_SOURCE_DIR}/${schema} ${CMAKE_SOURCE_DIR}/cmake/messages.py
    VERBATIM)
  set(${out} ${base}.h ${base}.cpp PARENT_SCOPE)
endfunction()
