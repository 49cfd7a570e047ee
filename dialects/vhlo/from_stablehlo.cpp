#include "dialects/vhlo/artifact.h"
using namespace mlir;
namespace tpuc::vhlo {
LogicalResult convertFromStablehlo(ModuleOp module, const Version &version) { return failure(); }
}
