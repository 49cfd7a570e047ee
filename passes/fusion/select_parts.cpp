// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Concatenations of packed rows that come out of step, and of an array's own rows, as selections of padded parts.
#include "passes/analysis/domain.h"
#include "passes/builders/build.h"
#include "passes/fusion/widen.h"

using namespace mlir;

namespace tpuc::fusion {
using namespace builders;
namespace {

constexpr size_t kMostParts = 4;                 // a kernel reads a block of each for every block of the result
constexpr int64_t kFewBytes = int64_t{1} << 22;  // that lie in VMEM between kernels: a copy costs less than to select

// Whether the part is some of another array's rows, and of all of its other dims.
stablehlo::SliceOp rowsOf(Value part, int64_t dim) {
  auto slice = part.getDefiningOp<stablehlo::SliceOp>();
  if (!slice || slice.getStrides()[dim] != 1) return {};
  for (int64_t d = 0; d < typeOf(part).getRank(); ++d)
    if (d != dim && typeOf(part).getDimSize(d) != typeOf(slice.getOperand()).getDimSize(d)) return {};
  return slice;
}

// The part where it lies in `type`, along `dim` from `at`: nothing where a loop cannot read it so. Rows of another
// array are read where they lie in it.
Value inPlace(Build &build, Value part, RankedTensorType type, int64_t dim, int64_t at) {
  // One row of 32 bits is a view by itself.
  const bool isRow = typeOf(part).getDimSize(dim) == 1 && analysis::packingOf(type.getElementType()) == 1;
  if (auto slice = rowsOf(part, dim); slice && !isRow) {
    at -= slice.getStartIndices()[dim];
    part = slice.getOperand();
  }
  const int64_t rows = typeOf(part).getDimSize(dim);
  if (rows == 1) {
    SmallVector<int64_t> shape(type.getShape()), dims;
    shape.erase(shape.begin() + dim);
    for (int64_t d = 0; d < type.getRank(); ++d)
      if (d != dim) dims.push_back(d);
    return build.broadcast(build.reshape(part, shape), type.getShape(), dims);
  }
  SmallVector<int64_t> low(type.getRank(), 0), high(type.getRank(), 0), between(type.getRank(), 0);
  low[dim] = at;
  high[dim] = type.getDimSize(dim) - at - rows;
  Value padded = build.pad(part, build.zero(type.getElementType()), low, high, between);
  return analysis::isShuffledView(padded.getDefiningOp()) ? padded : Value();
}

}  // namespace

// Whether rows of one array, in another order, are computed with: who copies them reads and writes them once more.
static bool turnsRows(stablehlo::ConcatenateOp op) {
  const auto dim = static_cast<int64_t>(op.getDimension());
  auto first = rowsOf(op.getInputs()[0], dim);
  auto isOfFirst = [&](Value part) {
    auto slice = rowsOf(part, dim);
    return slice && first && slice.getOperand() == first.getOperand();
  };
  return llvm::all_of(op.getInputs(), isOfFirst) &&
         llvm::all_of(op->getUsers(), [](Operation *user) { return user->hasTrait<stablehlo::IsElementwise>(); });
}

bool joinsRows(stablehlo::ConcatenateOp op) {
  const auto dim = static_cast<int64_t>(op.getDimension());
  if (dim != typeOf(op.getResult()).getRank() - 2) return false;
  if (analysis::packingOf(typeOf(op.getResult()).getElementType()) == 1) return turnsRows(op);
  return llvm::any_of(op.getInputs(), [&](Value part) { return part.hasOneUse() && rowsOf(part, dim); });
}

bool selectParts(stablehlo::ConcatenateOp op) {
  const auto dim = static_cast<int64_t>(op.getDimension());
  const bool isPacked = analysis::packingOf(typeOf(op.getResult()).getElementType()) != 1;
  if (op.getInputs().size() > kMostParts || (isPacked && analysis::paddedBytes(typeOf(op.getResult())) <= kFewBytes))
    return false;
  OpBuilder b(op);
  Build build{b, op.getLoc()};
  RankedTensorType type = typeOf(op.getResult()), numbers = cast<RankedTensorType>(type.clone(b.getI32Type()));
  Value out;
  int64_t at = 0;
  for (Value part : op.getInputs()) {
    Value placed = inPlace(build, part, type, dim, at);
    if (!placed) return false;  // what was made is not used
    if (out) {
      Value row = stablehlo::IotaOp::create(b, op.getLoc(), numbers, dim), first = build.splat(numbers, at);
      Value before = stablehlo::CompareOp::create(b, op.getLoc(), row, first, stablehlo::ComparisonDirection::LT);
      placed = stablehlo::SelectOp::create(b, op.getLoc(), before, out, placed);
    }
    out = placed;
    at += typeOf(part).getDimSize(dim);
  }
  op.replaceAllUsesWith(out);
  op.erase();
  return true;
}

}  // namespace tpuc::fusion
