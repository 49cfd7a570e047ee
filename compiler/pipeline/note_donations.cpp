// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Which arguments the caller gives up.
#include "compiler/pipeline/note_donations.h"

#include "compiler/encoder/encode.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"

using namespace mlir;

namespace tpuc {

void noteDonations(ModuleOp module) {
  SmallVector<int32_t> donated;
  auto main = module.lookupSymbol<func::FuncOp>("main");
  for (unsigned i = 0; main && i < main.getNumArguments(); ++i) {
    auto donor = main.getArgAttrOfType<BoolAttr>(i, "jax.buffer_donor");
    if ((donor && donor.getValue()) || main.getArgAttr(i, "tf.aliasing_output"))
      donated.push_back(static_cast<int32_t>(i));
  }
  if (!donated.empty())
    module->setAttr(encoder::kDonatedAttr, Builder(module.getContext()).getDenseI32ArrayAttr(donated));
}

}  // namespace tpuc
