// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Kinds of kernels that are routines, and who lowers them.
#include "passes/lowering/kernels.h"

using namespace mlir;

namespace tpuc::lowering {

const Lowering *findLowering(StringRef name) {
  static const Lowering lowerings[] = {
      {"loop", lowerLoopKernel},          // elementwise ops and reductions
      {"dot", lowerDotKernel},            // matmuls
      {"conv", lowerConvKernel},          // convolutions on the matrix unit
      {"window", lowerWindowKernel},      // windows on the vector unit, scans
      {"copy", lowerOpKernel},            // one op that moves elements, or a transpose with work around it
      {"relayout", lowerRelayoutKernel},  // reshapes that move elements, with the transposes and broadcasts around them
  };
  const auto *lowering = llvm::find_if(lowerings, [&](const Lowering &l) { return l.name == name; });
  return lowering == std::end(lowerings) ? nullptr : lowering;
}

}  // namespace tpuc::lowering
