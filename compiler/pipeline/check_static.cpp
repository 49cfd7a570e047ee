// Bounded dims are read and verified, but nothing pads and masks them yet.
#include "compiler/pipeline/check_static.h"

#include "dialects/diagnostics/diagnose.h"

using namespace mlir;

namespace tpuc {

LogicalResult checkStatic(ModuleOp module) {
  WalkResult walk = module.walk([](Operation *op) {
    SmallVector<Type> types(op->getResultTypes());
    for (Region &region : op->getRegions())
      for (Block &block : region) llvm::append_range(types, block.getArgumentTypes());
    for (Type type : types)
      if (auto tensor = dyn_cast<RankedTensorType>(type); tensor && !tensor.hasStaticShape()) {
        diagnose(op, codes::kBoundedShape) << "expects arrays of known size, but got " << type << "; export the program with concrete shapes";
        return WalkResult::interrupt();
      }
    return WalkResult::advance();
  });
  return failure(walk.wasInterrupted());
}

}  // namespace tpuc
