// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Matmuls of an image's patches, cut out by a reshape and a transpose, are convolutions of the image.
//
//  1. Patches: [batch, rows p, columns q, features], its dims in any order, as [batch, rows, columns, (p, q,
//  features)],
//     p, q and features in any order; these three are one dim then, and rows and columns may be.
//  2. A matmul over what a patch holds is a convolution whose window moves by its own size. One over all patches is the
//     gradient of its weights.
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "passes/builders/build.h"
#include "passes/layout/passes.h"
#include "passes/layout/refinement.h"

using namespace mlir;

namespace tpuc::layout {
using namespace builders;
#define GEN_PASS_DEF_FINDPATCHESPASS
#include "passes/layout/passes.h.inc"
namespace {

constexpr int64_t kFewFeatures = 32;  // of 128 lanes; patches of more are rows of their own

// An image's dims, the patch's size, and the order of (p, q, features) in a patch, by those numbers: 0, 1, 2.
struct Patches {
  Value image;
  int64_t batch = 0, features = 0;
  SmallVector<int64_t> space, size, count;
  SmallVector<int64_t> inner;

  int64_t elements() const { return size[0] * size[1] * typeOf(image).getDimSize(features); }
  SmallVector<int64_t> innerShape() const {
    const int64_t shape[] = {size[0], size[1], typeOf(image).getDimSize(features)};
    return llvm::map_to_vector(inner, [&](int64_t i) { return shape[i]; });
  }
  // Where p, q or the features are in a patch.
  int64_t placeOf(int64_t i) const { return llvm::find(inner, i) - inner.begin(); }
};

// The patches that `merged` holds. Other passes have joined dims that move together: the dims' parts tell.
std::optional<Patches> patchesOf(stablehlo::ReshapeOp merged) {
  auto transpose = merged.getOperand().getDefiningOp<stablehlo::TransposeOp>();
  auto reshape = transpose ? transpose.getOperand().getDefiningOp<stablehlo::ReshapeOp>() : stablehlo::ReshapeOp();
  if (!reshape || typeOf(reshape.getOperand()).getRank() != 4) return std::nullopt;
  Patches p;
  p.image = reshape.getOperand();
  ArrayRef<int64_t> shape = typeOf(p.image).getShape();
  auto parts = refine(shape, typeOf(reshape).getShape());
  if (!parts) return std::nullopt;
  SmallVector<int64_t> order, whole;
  for (int64_t d : transpose.getPermutation()) llvm::append_range(order, parts->ofSplit[d]);
  parts->ofWhole.resize(4);
  for (int64_t d = 0; d < 4; ++d) {
    ArrayRef<int64_t> its = parts->ofWhole[d];
    if (its.size() > 2) return std::nullopt;
    (its.size() == 2 ? p.space : whole).push_back(d);
  }
  if (p.space.size() != 2) return std::nullopt;
  // The batch comes first, or is of one element and no part.
  auto isBatch = [&](int64_t d) {
    return parts->ofWhole[d].empty() ? parts->ofWhole[p.space[0]][0] == order[0] : parts->ofWhole[d][0] == order[0];
  };
  p.batch = isBatch(whole[0]) ? whole[0] : whole[1];
  p.features = whole[0] + whole[1] - p.batch;
  if (!isBatch(p.batch) || shape[p.features] > kFewFeatures) return std::nullopt;
  SmallVector<int64_t> outer(parts->ofWhole[p.batch]);
  for (int64_t s : p.space) {
    outer.push_back(parts->ofWhole[s][0]);
    p.count.push_back(parts->parts[parts->ofWhole[s][0]]);
    p.size.push_back(parts->parts[parts->ofWhole[s][1]]);
  }
  if (ArrayRef<int64_t>(order).take_front(outer.size()) != ArrayRef(outer)) return std::nullopt;
  for (int64_t part : ArrayRef<int64_t>(order).drop_front(outer.size()))
    p.inner.push_back(part == parts->ofWhole[p.space[0]][1] ? 0 : part == parts->ofWhole[p.space[1]][1] ? 1 : 2);
  if (p.inner.size() == 2) p.inner.push_back(2);  // one feature: no part
  const int64_t n = shape[p.batch];
  ArrayRef<int64_t> to = typeOf(merged).getShape();
  if (to != ArrayRef({n, p.count[0] * p.count[1], p.elements()}) &&
      to != ArrayRef({n, p.count[0], p.count[1], p.elements()}))
    return std::nullopt;
  return p;
}

bool isFloat(Value v) {
  Type t = typeOf(v).getElementType();
  return t.isF32() || t.isBF16() || t.isF16();
}

class Rewriter {
 public:
  Rewriter(stablehlo::ReshapeOp merged, Patches patches) : merged_(merged), patches_(std::move(patches)) {}
  // Whether all that reads the patches, as they are or converted, is such a matmul.
  bool collect(Value v) {
    return llvm::all_of(v.getUses(), [&](OpOperand &use) {
      if (auto convert = dyn_cast<stablehlo::ConvertOp>(use.getOwner())) return isFloat(convert) && collect(convert);
      auto dot = dyn_cast<stablehlo::DotGeneralOp>(use.getOwner());
      if (!dot || !isFloat(v) || !isFloat(dot) || dot.getLhs() == dot.getRhs() ||
          !dot.getDotDimensionNumbers().getLhsBatchingDimensions().empty() || dot.getAlgorithm())
        return false;
      uses_.push_back(&use);
      return isForward(use) || isGradient(use);
    });
  }
  void rewrite() {
    for (OpOperand *use : uses_) isForward(*use) ? toConvolution(*use) : toGradient(*use);
    eraseDead(merged_);
  }

 private:
  // An op that nothing reads any longer, its readers first.
  static void eraseDead(Operation *op) {
    for (Operation *user : llvm::make_early_inc_range(op->getUsers())) eraseDead(user);
    while (op && isOpTriviallyDead(op)) {
      Operation *def = op->getOperand(0).getDefiningOp();
      op->erase();
      op = def;
    }
  }
  static Value other(OpOperand &use) { return use.getOwner()->getOperand(1 - use.getOperandNumber()); }
  static ArrayRef<int64_t> contracted(OpOperand &use, bool its) {
    auto n = cast<stablehlo::DotGeneralOp>(use.getOwner()).getDotDimensionNumbers();
    return (use.getOperandNumber() == 0) == its ? n.getLhsContractingDimensions() : n.getRhsContractingDimensions();
  }
  bool isForward(OpOperand &use) {
    return use.getOperandNumber() == 0 && typeOf(other(use)).getRank() == 2 &&
           contracted(use, true) == ArrayRef<int64_t>{typeOf(merged_).getRank() - 1};
  }
  bool isGradient(OpOperand &use) {
    const int64_t rank = typeOf(merged_).getRank();
    SmallVector<int64_t> positions = llvm::to_vector(llvm::seq<int64_t>(0, rank - 1));
    return typeOf(other(use)).getRank() == rank && contracted(use, true) == ArrayRef(positions) &&
           contracted(use, false) == ArrayRef(positions);
  }
  Value image(Build &build, OpOperand &use) const {
    return build.convert(patches_.image, typeOf(use.get()).getElementType());
  }
  stablehlo::ConvolutionOp convolution(OpOperand &use, OpBuilder &b, Value image, Value kernel,
                                       stablehlo::ConvDimensionNumbersAttr numbers, ArrayRef<int64_t> shape,
                                       ArrayRef<int64_t> strides, ArrayRef<int64_t> dilation) const {
    auto dot = cast<stablehlo::DotGeneralOp>(use.getOwner());
    auto type = typeOf(dot).clone(shape);
    return stablehlo::ConvolutionOp::create(b, dot.getLoc(), type, image, kernel, b.getDenseI64ArrayAttr(strides),
                                            /*padding=*/nullptr, /*lhs_dilation=*/nullptr,
                                            b.getDenseI64ArrayAttr(dilation), /*window_reversal=*/nullptr, numbers,
                                            /*feature_group_count=*/1, /*batch_group_count=*/1,
                                            dot.getPrecisionConfigAttr());
  }
  void toConvolution(OpOperand &use) const;
  void toGradient(OpOperand &use) const;

  stablehlo::ReshapeOp merged_;
  Patches patches_;
  SmallVector<OpOperand *> uses_;
};

// [batch, rows, columns, n] of weights [p, q and features as they lie in a patch, n], or n first.
void Rewriter::toConvolution(OpOperand &use) const {
  Operation *dot = use.getOwner();
  OpBuilder b(dot);
  Build build{b, dot->getLoc()};
  const Patches &p = patches_;
  const bool first = contracted(use, false)[0] == 0;
  const int64_t n = typeOf(other(use)).getDimSize(first ? 1 : 0), at = first ? 0 : 1;
  SmallVector<int64_t> shape = p.innerShape();
  shape.insert(first ? shape.end() : shape.begin(), n);
  Value weights = build.reshape(other(use), shape);
  auto numbers = stablehlo::ConvDimensionNumbersAttr::get(
      dot->getContext(), p.batch, p.features, p.space, at + p.placeOf(2), first ? 3 : 0,
      ArrayRef<int64_t>{at + p.placeOf(0), at + p.placeOf(1)}, 0, 3, ArrayRef<int64_t>{1, 2});
  Value out = convolution(use, b, image(build, use), weights, numbers,
                          {typeOf(p.image).getDimSize(p.batch), p.count[0], p.count[1], n}, p.size, {1, 1});
  dot->getResult(0).replaceAllUsesWith(build.reshape(out, typeOf(dot->getResult(0)).getShape()));
  dot->erase();
}

// [p, q, features, n] of a gradient [batch, rows, columns, n], in the order of the matmul's result.
void Rewriter::toGradient(OpOperand &use) const {
  Operation *dot = use.getOwner();
  OpBuilder b(dot);
  Build build{b, dot->getLoc()};
  const Patches &p = patches_;
  const int64_t n = typeOf(other(use)).getShape().back();
  Value by = build.reshape(other(use), {typeOf(p.image).getDimSize(p.batch), p.count[0], p.count[1], n});
  auto numbers = stablehlo::ConvDimensionNumbersAttr::get(dot->getContext(), p.features, p.batch, p.space, 0, 3,
                                                          ArrayRef<int64_t>{1, 2}, 2, 3, ArrayRef<int64_t>{0, 1});
  Value out = convolution(use, b, image(build, use), by, numbers,
                          {p.size[0], p.size[1], typeOf(p.image).getDimSize(p.features), n}, {1, 1}, p.size);
  SmallVector<int64_t> order(p.inner);
  order.insert(use.getOperandNumber() == 0 ? order.end() : order.begin(), 3);
  out = build.transpose(out, order);
  dot->getResult(0).replaceAllUsesWith(build.reshape(out, typeOf(dot->getResult(0)).getShape()));
  dot->erase();
}

struct FindPatches : impl::FindPatchesPassBase<FindPatches> {
  void runOnOperation() override {
    SmallVector<stablehlo::ReshapeOp> reshapes;
    getOperation().walk([&](stablehlo::ReshapeOp op) { reshapes.push_back(op); });
    for (auto op : reshapes) {
      auto patches = patchesOf(op);
      if (!patches || op->use_empty()) continue;
      if (Rewriter rewriter(op, *patches); rewriter.collect(op)) rewriter.rewrite();
    }
  }
};

}  // namespace
}  // namespace tpuc::layout
