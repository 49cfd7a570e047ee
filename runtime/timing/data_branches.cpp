// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Which routines' control flow a run has to record for the walk.
#include "runtime/timing/data_branches.h"

namespace tpuc::timing {

static bool takesData(const isa::Executable &exe, const isa::Inst &inst) {
  switch (inst.op) {
    case isa::Op::VToS:
    case isa::Op::Call:
    case isa::Op::Grid:
      return true;
    case isa::Op::DmaStart:
      return exe.descriptors[isa::getField(inst, "desc")].dstSpace == isa::Space::Smem;
    default:
      return false;
  }
}

std::set<uint32_t> routinesWithoutData(const isa::Executable &exe) {
  const std::vector<uint32_t> starts = exe.bundleStarts();
  std::set<uint32_t> out;
  for (const isa::proto::Routine &routine : exe.index.routines()) {
    bool free = routine.bundles() > 0;
    for (uint32_t i = starts[routine.bundle()]; free && i < starts[routine.bundle() + routine.bundles()]; ++i)
      free = !takesData(exe, exe.code[i]);
    if (free) out.insert(routine.bundle());
  }
  return out;
}

}  // namespace tpuc::timing
