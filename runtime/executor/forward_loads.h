// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Loads of VMEM whose vreg only goes to instructions that take it apart anyway (packing, the matrix unit): they read
// VMEM themselves.
#pragma once
#include <vector>

#include "runtime/executor/live_registers.h"

namespace tpuc::exec {

// In a block whose `out` is known. A load that is forwarded only notes the address.
void forwardLoads(LiveBlock &block);
// The handler of such a load.
const DInst *noteForwarded(Core &core, const DInst *i);

}  // namespace tpuc::exec
