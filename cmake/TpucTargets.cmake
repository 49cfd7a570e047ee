# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
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

# tpuc_link_static(NAME): for objects that leave this machine or live beside other people's LLVM. All libraries of the
# tree, MLIR's and LLVM's static archives and the C++ runtime go in; the shared ones, which the libraries of the tree
# name as their dependencies, do not.
function(tpuc_link_static name)
  get_property(libraries GLOBAL PROPERTY TPUC_LIBRARIES)
  list(TRANSFORM libraries REPLACE "(.+)" "$<TARGET_FILE:\\1>" OUTPUT_VARIABLE archives)
  file(GLOB mlir ${LLVM_LIBRARY_DIR}/libMLIR*.a)
  list(FILTER mlir EXCLUDE REGEX "CAPI|ExecutionEngine|Lsp")
  set(llvm)
  foreach(component Support Demangle Core BinaryFormat Remarks BitstreamReader TargetParser)
    list(APPEND llvm ${LLVM_LIBRARY_DIR}/libLLVM${component}.a)
  endforeach()
  # abseil's package has archives beside its shared objects; CMake's targets are the latter.
  get_target_property(strings absl::strings IMPORTED_LOCATION_NONE)
  get_filename_component(folder ${strings} DIRECTORY)
  set(absl)
  foreach(part strings strings_internal int128 raw_logging_internal throw_delegate base spinlock_wait log_severity)
    list(APPEND absl ${folder}/libabsl_${part}.a)
  endforeach()
  add_dependencies(${name} ${libraries})
  target_include_directories(${name} SYSTEM PRIVATE ${MLIR_INCLUDE_DIRS} ${LLVM_INCLUDE_DIRS})
  target_link_options(${name} PRIVATE -Wl,--gc-sections -static-libstdc++ -static-libgcc)
  target_link_libraries(${name} PRIVATE -Wl,--start-group ${archives} ${mlir} ${llvm} ${absl} -Wl,--end-group libz.a
    libzstd.a
                                        Threads::Threads)
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
