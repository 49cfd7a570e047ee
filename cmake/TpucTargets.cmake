# Two kinds of library: plain C++ (the runtime), and C++ that sees MLIR (dialects, passes, compiler).

# tpuc_library(NAME SRCS ... DEPS ...): no MLIR anywhere.
function(tpuc_library name)
  cmake_parse_arguments(ARG "" "" "SRCS;DEPS" ${ARGN})
  add_library(${name} STATIC ${ARG_SRCS})
  set_property(GLOBAL APPEND PROPERTY TPUC_LIBRARIES ${name})
  target_link_libraries(${name} PUBLIC ${ARG_DEPS})
endfunction()

# The precompiled header that every MLIR library shares.
function(tpuc_make_mlir_pch)
  file(WRITE ${CMAKE_BINARY_DIR}/tpuc_pch.cpp.in "")
  configure_file(${CMAKE_BINARY_DIR}/tpuc_pch.cpp.in ${CMAKE_BINARY_DIR}/tpuc_pch.cpp COPYONLY)
  add_library(tpuc_mlir_pch OBJECT ${CMAKE_BINARY_DIR}/tpuc_pch.cpp)
  target_include_directories(tpuc_mlir_pch SYSTEM PUBLIC ${MLIR_INCLUDE_DIRS} ${LLVM_INCLUDE_DIRS})
  target_compile_options(tpuc_mlir_pch PUBLIC -fno-exceptions -Wno-comment)
  target_precompile_headers(tpuc_mlir_pch PRIVATE ${CMAKE_SOURCE_DIR}/cmake/mlir_pch.h)
endfunction()

# tpuc_mlir_library(NAME SRCS ... DEPS ... [TABLEGEN targets])
function(tpuc_mlir_library name)
  cmake_parse_arguments(ARG "" "" "SRCS;DEPS;TABLEGEN" ${ARGN})
  add_library(${name} STATIC ${ARG_SRCS})
  set_property(GLOBAL APPEND PROPERTY TPUC_LIBRARIES ${name})
  target_include_directories(${name} SYSTEM PUBLIC ${MLIR_INCLUDE_DIRS} ${LLVM_INCLUDE_DIRS})
  target_compile_options(${name} PRIVATE -fno-exceptions -Wno-comment)
  target_precompile_headers(${name} REUSE_FROM tpuc_mlir_pch)
  target_link_libraries(${name} PUBLIC ${ARG_DEPS} MLIR LLVM)
  if(ARG_TABLEGEN)
    add_dependencies(${name} ${ARG_TABLEGEN})
  endif()
endfunction()

# tpuc_mlir_executable(NAME SRCS ... DEPS ...): no precompiled header, which is for -fPIC and not for -fPIE.
function(tpuc_mlir_executable name)
  cmake_parse_arguments(ARG "" "" "SRCS;DEPS" ${ARGN})
  add_executable(${name} ${ARG_SRCS})
  target_include_directories(${name} SYSTEM PUBLIC ${MLIR_INCLUDE_DIRS} ${LLVM_INCLUDE_DIRS})
  target_compile_options(${name} PRIVATE -fno-exceptions -Wno-comment)
  target_link_libraries(${name} PRIVATE ${ARG_DEPS} MLIR LLVM)
endfunction()

# tpuc_tablegen(NAME TD_FILE "out.inc;flag;..." pairs): runs mlir-tblgen into the build tree beside the sources' path.
function(tpuc_tablegen name td)
  set(LLVM_TARGET_DEFINITIONS ${td})
  set(pairs ${ARGN})
  while(pairs)
    list(POP_FRONT pairs out)
    list(POP_FRONT pairs flags)
    separate_arguments(flags)
    mlir_tablegen(${out} ${flags})
  endwhile()
  add_public_tablegen_target(${name})
endfunction()

tpuc_make_mlir_pch()
