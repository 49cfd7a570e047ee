// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Gaps along leading dims, as `lax.associative_scan` puts its even and its odd results together: `pad` with interior
// padding writes an array that is mostly padding, and so does the next one that fills the gaps.
//
//  1. A dim of n elements, every k-th of n k, is two: [n, k], of which the elements are one column and the padding the
//     others. That is a selection by the second dim's position, in a loop that reads the array where it lies.
//  2. Elementwise work on such arrays is done in two dims, so that it is one kernel with the selections.
#include "mlir/Transforms/RegionUtils.h"
#include "passes/builders/build.h"
#include "passes/fusion/group.h"

using namespace mlir;

namespace tpuc::fusion {
using namespace builders;
namespace {

constexpr int64_t kMostGaps = 8;

// A leading dim in which a pad leaves gaps, and nothing but them.
struct Gaps {
  int64_t dim = -1, every = 1, first = 0;
};

std::optional<Gaps> gapsOf(stablehlo::PadOp pad) {
  Gaps gaps;
  RankedTensorType from = typeOf(pad.getOperand()), to = typeOf(pad);
  for (int64_t d = 0; d < from.getRank(); ++d) {
    const int64_t low = pad.getEdgePaddingLow()[d], high = pad.getEdgePaddingHigh()[d];
    if (const int64_t interior = pad.getInteriorPadding()[d]; interior && from.getDimSize(d) > 1) {
      if (gaps.dim >= 0 || d + 2 >= from.getRank() || low < 0 || low > interior || interior >= kMostGaps ||
          to.getDimSize(d) != from.getDimSize(d) * (interior + 1))
        return std::nullopt;
      gaps = {d, interior + 1, low};
    } else if (low || high) {
      return std::nullopt;
    }
  }
  return gaps.dim < 0 ? std::nullopt : std::optional(gaps);
}

// Work that is done in two dims as it is in one. A function has results of several planes.
bool worksInTwoDims(Operation *op) {
  return op->hasTrait<stablehlo::IsElementwise>() && mlir::isa<stablehlo::StablehloDialect>(op->getDialect());
}

SmallVector<int64_t> splitShape(ArrayRef<int64_t> shape, const Gaps &gaps) {
  SmallVector<int64_t> out(shape);
  out[gaps.dim] /= gaps.every;
  out.insert(out.begin() + gaps.dim + 1, gaps.every);
  return out;
}

// Arrays with the dim of gaps as two.
class Split {
 public:
  explicit Split(const Gaps &gaps) : gaps_(gaps) {}

  Value fill(stablehlo::PadOp pad) const {
    OpBuilder b(pad);
    Build build{b, pad.getLoc()};
    const SmallVector<int64_t> shape = splitShape(typeOf(pad).getShape(), gaps_);
    SmallVector<int64_t> dims;
    for (int64_t d = 0; d < typeOf(pad).getRank(); ++d) dims.push_back(d + (d > gaps_.dim));
    RankedTensorType positions = RankedTensorType::get(shape, b.getI32Type());
    Value position = stablehlo::IotaOp::create(b, pad.getLoc(), positions, gaps_.dim + 1);
    Value isElement = stablehlo::CompareOp::create(b, pad.getLoc(), position, build.splat(positions, gaps_.first),
                                                   stablehlo::ComparisonDirection::EQ);
    return stablehlo::SelectOp::create(b, pad.getLoc(), isElement, build.broadcast(pad.getOperand(), shape, dims),
                                       build.broadcast(pad.getPaddingValue(), shape, {}));
  }

  // The reshape that puts such an array together again, if `v` is one.
  stablehlo::ReshapeOp joined(Value v) const {
    auto reshape = v.getDefiningOp<stablehlo::ReshapeOp>();
    return reshape && splitShape(typeOf(v).getShape(), gaps_) == typeOf(reshape.getOperand()).getShape()
               ? reshape
               : stablehlo::ReshapeOp();
  }

  // What a single op makes is made in two dims; another array is seen so.
  Value of(Value v, int depth = 0) const {
    constexpr int kDeepest = 8;
    if (!typeOf(v).getRank()) return v;
    if (stablehlo::ReshapeOp reshape = joined(v)) return reshape.getOperand();
    Operation *def = v.getDefiningOp();
    const SmallVector<int64_t> shape = splitShape(typeOf(v).getShape(), gaps_);
    if (auto pad = v.getDefiningOp<stablehlo::PadOp>())
      if (auto its = gapsOf(pad); its && its->dim == gaps_.dim && its->every == gaps_.every)
        return Split(*its).fill(pad);
    if (auto constant = v.getDefiningOp<stablehlo::ConstantOp>())
      if (auto elements = dyn_cast<DenseElementsAttr>(constant.getValue())) {
        OpBuilder b(constant);
        return stablehlo::ConstantOp::create(b, v.getLoc(), elements.reshape(typeOf(v).clone(shape)));
      }
    if (auto broadcast = v.getDefiningOp<stablehlo::BroadcastInDimOp>();
        broadcast && !llvm::is_contained(broadcast.getBroadcastDimensions(), gaps_.dim)) {
      OpBuilder b(broadcast);
      SmallVector<int64_t> dims(broadcast.getBroadcastDimensions());
      for (int64_t &d : dims) d += d > gaps_.dim;
      return Build{b, v.getLoc()}.broadcast(broadcast.getOperand(), shape, dims);
    }
    if (def && worksInTwoDims(def) && v.hasOneUse() && depth < kDeepest) return remake(def, depth);
    OpBuilder b(v.getContext());
    b.setInsertionPointAfterValue(v);
    return Build{b, v.getLoc()}.reshape(v, shape);
  }

  Value remake(Operation *op, int depth = 0) const {
    OpBuilder b(op);
    IRMapping map;
    for (Value operand : op->getOperands())
      if (!map.contains(operand)) map.map(operand, of(operand, depth + 1));
    Operation *made = b.clone(*op, map);
    Value result = made->getResult(0);
    result.setType(typeOf(result).clone(splitShape(typeOf(result).getShape(), gaps_)));
    return result;
  }

 private:
  Gaps gaps_;
};

// Whether the array is put together with another one: alone, a pad is as soon a copy, and what takes longer would be
// done with padding.
bool isJoined(stablehlo::PadOp pad) {
  return pad->hasOneUse() && mlir::isa<stablehlo::AddOp, stablehlo::OrOp, stablehlo::XorOp, stablehlo::MulOp,
                                       stablehlo::MaxOp, stablehlo::MinOp, stablehlo::SelectOp>(*pad->user_begin());
}

}  // namespace

void splitGaps(func::FuncOp func) {
  SmallVector<stablehlo::PadOp> pads;
  func.walk([&](stablehlo::PadOp pad) {
    if (gapsOf(pad) && isJoined(pad)) pads.push_back(pad);
  });
  for (stablehlo::PadOp pad : pads) {
    if (pad.use_empty()) continue;
    const std::optional<Gaps> gaps = gapsOf(pad);
    const Split split(*gaps);
    OpBuilder b(pad);
    Value whole = Build{b, pad.getLoc()}.reshape(split.fill(pad), typeOf(pad).getShape());
    pad.replaceAllUsesWith(whole);
    // On to the elementwise work behind it, as long as that is all there is.
    while (whole.hasOneUse() && worksInTwoDims(*whole.user_begin())) {
      Operation *user = *whole.user_begin();
      b.setInsertionPoint(user);
      Value made = Build{b, user->getLoc()}.reshape(split.remake(user), typeOf(user->getResult(0)).getShape());
      user->getResult(0).replaceAllUsesWith(made);
      whole = made;
    }
  }
  // What was made in two dims instead is left without users, and so are pads that only that read.
  IRRewriter rewriter(func.getContext());
  if (!pads.empty()) (void)runRegionDCE(rewriter, func->getRegions());
}

}  // namespace tpuc::fusion
