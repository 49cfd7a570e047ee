// Reshapes that no strided transfers can make go through one dim.
#include "passes/fusion/group.h"

#include "mlir/IR/Builders.h"
#include "llvm/ADT/STLExtras.h"

using namespace mlir;

namespace tpuc::fusion {
namespace {

// A kernel of copies holds so many transfers; below, each element may have its own.
constexpr int64_t kFewElements = 2048;

// From the innermost dims on, one divides the other and leaves a quotient: then runs of both are at constant distances.
// 16x7x2 and 56x4 fail at 7 and 2.
bool haveCommonParts(ArrayRef<int64_t> from, ArrayRef<int64_t> to) {
  SmallVector<int64_t> a(from), b(to);
  llvm::erase(a, 1);
  llvm::erase(b, 1);
  while (!a.empty() && !b.empty()) {
    int64_t x = a.pop_back_val(), y = b.pop_back_val();
    if (x % y && y % x) return false;
    if (x > y) a.push_back(x / y);
    if (y > x) b.push_back(y / x);
  }
  return true;
}

}  // namespace

void splitReshapes(func::FuncOp func) {
  func.walk([](stablehlo::ReshapeOp reshape) {
    auto from = cast<RankedTensorType>(reshape.getOperand().getType()), to = cast<RankedTensorType>(reshape.getType());
    int64_t count = from.getNumElements();
    if (count <= kFewElements || from.getRank() < 2 || to.getRank() < 2 || haveCommonParts(from.getShape(), to.getShape())) return;
    OpBuilder b(reshape);
    auto line = RankedTensorType::get({count}, from.getElementType());
    reshape.setOperand(stablehlo::ReshapeOp::create(b, reshape.getLoc(), line, reshape.getOperand()));
  });
}

}  // namespace tpuc::fusion
