// Reshapes that take more strided transfers than a kernel should hold go through one dim of 32-bit elements, whose bytes all
// follow each other: to and from it a few transfers do. Narrower elements share words by rows and are widened for the way.
#include "dialects/kernel/kernel.h"
#include "dialects/kernel/strides.h"
#include "mlir/IR/Builders.h"
#include "passes/fusion/group.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/Sequence.h"

using namespace mlir;

namespace tpuc::fusion {
namespace {

constexpr int64_t kFewTransfers = 128;

kernel::Tiles tilesOf(RankedTensorType type) { return {type, llvm::to_vector(llvm::seq<int64_t>(type.getRank()))}; }

bool takesFewTransfers(RankedTensorType from, RankedTensorType to) {
  int64_t transfers = 1;
  for (const kernel::CopyGroup &group : kernel::reshapeGroups(tilesOf(from), tilesOf(to))) {
    transfers *= kernel::compress(group).size();
    if (transfers > kFewTransfers) return false;
  }
  return true;
}

// The type of a lane that holds every value of a narrower one; null if a lane holds it as it is.
Type widened(Type type) {
  if (!type.isIntOrFloat() || type.getIntOrFloatBitWidth() >= 32) return {};
  if (mlir::isa<FloatType>(type)) return Float32Type::get(type.getContext());
  return IntegerType::get(type.getContext(), 32, cast<IntegerType>(type).getSignedness());
}

Value narrowed(OpBuilder &b, Location loc, Value wide, RankedTensorType to) {
  if (!to.getElementType().isInteger(1)) return stablehlo::ConvertOp::create(b, loc, to, wide);
  auto zero = stablehlo::ConstantOp::create(b, loc, cast<ElementsAttr>(b.getZeroAttr(wide.getType())));
  return stablehlo::CompareOp::create(b, loc, wide, zero, stablehlo::ComparisonDirection::NE);
}

void split(stablehlo::ReshapeOp reshape) {
  RankedTensorType to = reshape.getType();
  Value v = reshape.getOperand();
  OpBuilder b(reshape);
  Location loc = reshape.getLoc();
  Type wide = widened(to.getElementType());
  if (wide) v = stablehlo::ConvertOp::create(b, loc, cast<RankedTensorType>(v.getType()).clone(wide), v);
  auto from = cast<RankedTensorType>(v.getType()), target = to.clone(from.getElementType());
  if (!takesFewTransfers(from, target)) v = stablehlo::ReshapeOp::create(b, loc, from.clone(ArrayRef<int64_t>{to.getNumElements()}), v);
  if (v.getType() != target) v = stablehlo::ReshapeOp::create(b, loc, target, v);
  reshape.replaceAllUsesWith(wide ? narrowed(b, loc, v, to) : v);
  reshape.erase();
}

}  // namespace

void splitReshapes(func::FuncOp func) {
  SmallVector<stablehlo::ReshapeOp> many;
  func.walk([&](stablehlo::ReshapeOp reshape) {
    auto from = cast<RankedTensorType>(reshape.getOperand().getType());
    if (!kernel::haveSameBytes(from, reshape.getType()) && !takesFewTransfers(from, reshape.getType())) many.push_back(reshape);
  });
  for (stablehlo::ReshapeOp reshape : many) split(reshape);
}

}  // namespace tpuc::fusion
