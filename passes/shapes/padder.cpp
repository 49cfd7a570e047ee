// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "passes/shapes/padder.h"

#include "dialects/diagnostics/diagnose.h"
#include "dialects/diagnostics/outer_codes.h"

using namespace mlir;

namespace tpuc::shapes {

namespace hlo = tpuc::stablehlo;

namespace {

RankedTensorType tensor(Value value) { return dyn_cast<RankedTensorType>(value.getType()); }

}  // namespace

Padder::Padder(func::FuncOp main) : main_(main) {
  addElementwiseRules(rules_);
  addMoveRules(rules_);
  addReductionRules(rules_);
  addWindowRules(rules_);
  addSortRules(rules_);
  addIndexingRules(rules_);
  addNormRules(rules_);
  addControlRules(rules_);
}

LogicalResult Padder::run() { return block(main_.getBody().front()); }

Extents Padder::extents(Value value) const {
  auto found = extents_.find(value);
  if (found != extents_.end()) return found->second;
  Extents result;
  if (RankedTensorType type = tensor(value))
    for (int64_t size : type.getShape()) result.push_back(Extent::number(size));
  return result;
}

bool Padder::isPadded(Value value, int64_t dim) const {
  auto found = extents_.find(value);
  return found != extents_.end() && !found->second[dim].asNumber();
}

bool Padder::isPadded(Value value) const {
  auto found = extents_.find(value);
  return found != extents_.end() &&
         llvm::any_of(found->second, [](const Extent &extent) { return !extent.asNumber(); });
}

SmallVector<int64_t> Padder::paddedAmong(Value value, ArrayRef<int64_t> dims) const {
  return llvm::filter_to_vector(dims, [&](int64_t dim) { return isPadded(value, dim); });
}

SmallVector<int64_t> Padder::capacity(ArrayRef<Extent> extents) {
  return llvm::map_to_vector(extents,
                             [&](const Extent &extent) { return std::max<int64_t>(space.range(extent).most, 0); });
}

RankedTensorType Padder::typeOf(Type element, ArrayRef<Extent> extents) {
  return RankedTensorType::get(capacity(extents), element);
}

LogicalResult Padder::retype(Operation *op, ArrayRef<Extents> all) {
  for (auto [result, extents] : llvm::zip_equal(op->getResults(), all)) {
    if (RankedTensorType type = tensor(result)) result.setType(typeOf(type.getElementType(), extents));
    setExtents(result, extents);
  }
  return success();
}

LogicalResult Padder::replace(Operation *op, ArrayRef<Value> values, ArrayRef<Extents> all) {
  OpBuilder builder(op);
  SmallVector<Value> fit;
  for (auto [value, extents] : llvm::zip_equal(values, all)) {
    fit.push_back(fitted(builder, op->getLoc(), value, capacity(extents)));
    setExtents(fit.back(), extents);
  }
  op->replaceAllUsesWith(fit);
  erase(op);
  return success();
}

void Padder::erase(Operation *op) {
  op->walk([&](Operation *inner) {
    for (Value result : inner->getResults()) {
      extents_.erase(result);
      joins_.erase(result);
      values.forget(result);
      rows.forget(result);
    }
  });
  op->erase();
}

std::optional<Join> Padder::joinOf(Value value) const {
  auto found = joins_.find(value);
  return found == joins_.end() ? std::nullopt : std::optional(found->second);
}

std::optional<SmallVector<Value>> Padder::resultsOf(Operation *op) {
  OpBuilder builder(op->getContext());
  builder.setInsertionPointAfter(op);
  // Follows what replaces the results.
  auto holder = hlo::OptimizationBarrierOp::create(builder, op->getLoc(), op->getResultTypes(), op->getResults());
  const bool done = succeeded(visit(op));
  SmallVector<Value> values(holder.getOperands());
  holder.erase();
  if (done) return values;
  refused_ = nullptr;
  whyRefused_.clear();
  erase(op);
  return std::nullopt;
}

LogicalResult Padder::refuse(Operation *op, const Twine &why) {
  if (!refused_) {
    refused_ = op;
    whyRefused_ = why.str();
  }
  return failure();
}

LogicalResult Padder::requireTrue(Operation *op, const Extent &holds, const Twine &message) {
  const ExtentRange range = space.range(holds);
  if (range.least >= 1) return success();
  if (range.most <= 0) return diagnose(op, codes::kAssertion) << message.str();
  conditions_.push_back(
      {space.text(ExtentSpace::subtract(holds, Extent::number(1))), true, message.str(), op->getLoc()});
  return success();
}

LogicalResult Padder::requireEqual(Operation *op, const Extent &a, const Extent &b, const Twine &what) {
  if (space.equal(a, b)) return success();
  const Extent difference = ExtentSpace::subtract(a, b);
  const ExtentRange range = space.range(difference);
  const std::string message =
      ("expects " + what + " to be equal, but got " + space.text(a) + " and " + space.text(b)).str();
  if (range.least > 0 || range.most < 0) return diagnose(op, codes::kSizes) << message;
  conditions_.push_back({space.text(difference), true, message, op->getLoc()});
  return success();
}

LogicalResult Padder::requireAtLeast(Operation *op, const Extent &a, const Extent &b, const Twine &what) {
  const Extent difference = ExtentSpace::subtract(a, b);
  const ExtentRange range = space.range(difference);
  if (range.least >= 0) return success();
  const std::string message =
      ("expects " + what + " of " + space.text(b) + " at least, but got " + space.text(a)).str();
  if (range.most < 0) return diagnose(op, codes::kSizes) << message;
  conditions_.push_back({space.text(difference), false, message, op->getLoc()});
  return success();
}

LogicalResult Padder::block(Block &block) {
  for (Operation &op : llvm::make_early_inc_range(block))
    if (failed(visit(&op))) return failure();
  return success();
}

// Other ops on arrays without padding are as they are.
bool Padder::needsRule(Operation *op) const {
  if (isa<hlo::WhileOp, hlo::IfOp, hlo::CaseOp, hlo::GetDimensionSizeOp, hlo::SetDimensionSizeOp, hlo::CustomCallOp>(
          op))
    return true;
  // Their shapes are operands, of known sizes too.
  if (isa<hlo::DynamicBroadcastInDimOp, hlo::DynamicReshapeOp, hlo::DynamicIotaOp, hlo::DynamicPadOp,
          hlo::RealDynamicSliceOp, hlo::DynamicGatherOp, hlo::DynamicConvOp>(op))
    return true;
  if (llvm::any_of(op->getOperands(), [&](Value operand) { return isPadded(operand); })) return true;
  return llvm::any_of(op->getResults(), [](Value result) {
    RankedTensorType type = tensor(result);
    return type && !type.hasStaticShape();
  });
}

LogicalResult Padder::visit(Operation *op) {
  if (op->hasTrait<OpTrait::IsTerminator>()) return success();
  values.visit(op);
  if (!needsRule(op)) return success();
  if (!joins_.empty() && doApart(op, *this)) return success();
  auto rule = rules_.find(op->getName().getStringRef());
  PadRule apply = rule != rules_.end()                 ? rule->second
                  : op->hasTrait<hlo::IsElementwise>() ? rules_.lookup("elementwise")
                                                       : nullptr;
  return apply ? apply(op, *this) : refuse(op, "nothing is known of padding in it");
}

}  // namespace tpuc::shapes
