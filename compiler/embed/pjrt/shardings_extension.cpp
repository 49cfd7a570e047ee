// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Source of the interface: openxla/xla, xla/pjrt/c/pjrt_c_api_shardings_extension.h, version 0.114.
#include "compiler/embed/pjrt/shardings_extension.h"

#include "compiler/embed/pjrt/program.h"

namespace tpuc::pjrt {
namespace {

struct Executable_Shardings_Args : Args {
  PJRT_Executable *executable;
  size_t count;
  const char *const *shardings;  // null: they have none
  const size_t *sizes;
};

// A program for one device has no shardings.
PJRT_Error *list(const CompiledProgram &program, const CompiledProgram::Shardings &shardings, size_t count,
                 Executable_Shardings_Args *args) {
  const bool several = program.exe->index.num_devices() > 1;
  args->count = count;
  args->shardings = several ? shardings.bytes.data() : nullptr;
  args->sizes = several ? shardings.sizes.data() : nullptr;
  return nullptr;
}

PJRT_Error *parameterShardings(Executable_Shardings_Args *args) {
  const CompiledProgram &program = *args->executable->program;
  return list(program, program.argumentShardings, program.arguments.size(), args);
}
PJRT_Error *outputShardings(Executable_Shardings_Args *args) {
  const CompiledProgram &program = *args->executable->program;
  return list(program, program.resultShardings, program.results.size(), args);
}

struct Extension : PJRT_Extension_Base {
  PJRT_Error *(*parameterShardings)(Executable_Shardings_Args *);
  PJRT_Error *(*outputShardings)(Executable_Shardings_Args *);
};

}  // namespace

PJRT_Extension_Base *shardingsExtension(PJRT_Extension_Base *next) {
  static Extension extension = {
      {sizeof(Extension), PJRT_Extension_Type_Shardings, next}, parameterShardings, outputShardings};
  return &extension;
}

}  // namespace tpuc::pjrt
