// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Ranges of values by how they are computed.
#include "passes/lowering/body/ranges.h"

#include "dialects/stablehlo/stablehlo.h"
#include "passes/analysis/scan.h"
#include "passes/lowering/body/body.h"

using namespace mlir;

namespace tpuc::lowering {
namespace {

// What `v` shows, dims broadcast or moved; `map`: where its dims come from, null where that is not asked for.
Value sourceOf(Value v, DimMap *map) {
  while (mlir::isa_and_nonnull<stablehlo::BroadcastInDimOp, stablehlo::ReshapeOp, stablehlo::TransposeOp>(
      v.getDefiningOp())) {
    if (map) {
      auto under = operandMap(v.getDefiningOp(), 0, *map);
      if (!under) return {};
      *map = *under;
    }
    v = v.getDefiningOp()->getOperand(0);
  }
  return v;
}

template <typename Combine>
stablehlo::ReduceOp reductionBy(Value v) {
  auto reduce = v ? v.getDefiningOp<stablehlo::ReduceOp>() : stablehlo::ReduceOp();
  return reduce && mlir::isa_and_nonnull<Combine>(analysis::onlyOp(reduce.getBody().front())) ? reduce
                                                                                              : stablehlo::ReduceOp();
}

// Whether the reduction's result is that of its elements alone.
bool startsUnchanged(stablehlo::ReduceOp reduce) {
  return analysis::startsUnchanged(analysis::onlyOp(reduce.getBody().front()), reduce.getInitValues()[0]);
}

// The maximum that `v` is x minus, each element along its own row; null for any other value.
stablehlo::ReduceOp maximumUnder(Value v) {
  auto difference = v.getDefiningOp<stablehlo::SubtractOp>();
  // Narrower types may have the maximum rounded, and x not.
  if (!difference || !getElementTypeOrSelf(v.getType()).isF32()) return {};
  Value x = difference.getLhs();
  auto shape = cast<ShapedType>(x.getType()).getShape();
  DimMap map = llvm::to_vector<4>(llvm::seq<int64_t>(0, shape.size()));
  auto reduce = reductionBy<stablehlo::MaxOp>(sourceOf(difference.getRhs(), &map));
  if (!reduce || reduce.getInputs()[0] != x) return {};
  size_t kept = 0;
  for (int64_t d = 0; d < static_cast<int64_t>(shape.size()); ++d) {
    if (llvm::is_contained(reduce.getDimensions(), d)) continue;
    if (map[kept] != d && shape[d] != 1) return {};
    ++kept;
  }
  return reduce;
}

}  // namespace

// Whatever the maximum starts from, it is x at least.
bool isAtMostZero(Value v) { return maximumUnder(v) != nullptr; }

bool isSumFromOne(Value v) {
  auto sum = reductionBy<stablehlo::AddOp>(sourceOf(v, nullptr));
  auto exp = sum ? sum.getInputs()[0].getDefiningOp<stablehlo::ExpOp>() : stablehlo::ExpOp();
  auto maximum = exp ? maximumUnder(exp.getOperand()) : stablehlo::ReduceOp();
  // A maximum that started from another number may be none of the row's: no term is then exp(0).
  if (!maximum || maximum.getDimensions() != sum.getDimensions() || !startsUnchanged(maximum) || !startsUnchanged(sum))
    return false;
  // A sum of at most 2^24 terms: f32 counts each of them.
  constexpr int64_t kMostTerms = int64_t{1} << 24;
  return cast<ShapedType>(exp.getType()).getNumElements() <=
         kMostTerms * std::max<int64_t>(1, cast<ShapedType>(sum.getResult(0).getType()).getNumElements());
}

}  // namespace tpuc::lowering
