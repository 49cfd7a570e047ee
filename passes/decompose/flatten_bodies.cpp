// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The computations of reductions, scatters and sorts: branches as selects, moves of single elements as the element;
// sorts and scatters whose computations loop or read what is outside.
#include "dialects/diagnostics/diagnose.h"
#include "dialects/stablehlo/sorts.h"
#include "passes/builders/build.h"
#include "passes/builders/inline_region.h"
#include "passes/decompose/loop_bodies.h"
#include "passes/decompose/passes.h"

using namespace mlir;

namespace tpuc::decompose {
using namespace builders;
#define GEN_PASS_DEF_FLATTENBODIESPASS
#include "passes/decompose/passes.h.inc"
namespace {

constexpr int64_t kMostPairs = int64_t{1} << 26;  // of elements that a comparator with a loop sees

bool hasBody(Operation *op) {
  return mlir::isa<stablehlo::MapOp, stablehlo::ReduceOp, stablehlo::ReduceWindowOp, stablehlo::ScatterOp,
                   stablehlo::SelectAndScatterOp, stablehlo::SortOp>(op);
}

bool hasControlFlow(Block &block) {
  return block
      .walk([](Operation *op) {
        return mlir::isa<stablehlo::IfOp, stablehlo::CaseOp, stablehlo::WhileOp>(op) ? WalkResult::interrupt()
                                                                                     : WalkResult::advance();
      })
      .wasInterrupted();
}

// What an op that moves a single element leaves of it; null for any other op.
Value movedElement(Operation *op) {
  auto isOne = [](Value v) {
    auto type = dyn_cast<RankedTensorType>(v.getType());
    return type && type.hasStaticShape() && type.getNumElements() == 1;
  };
  if (op->getNumResults() != 1 || !isOne(op->getResult(0)) || !llvm::all_of(op->getOperands(), isOne)) return {};
  if (auto pad = dyn_cast<stablehlo::PadOp>(op)) {
    bool kept = llvm::all_of(pad.getEdgePaddingLow(), [](int64_t low) { return low == 0; });
    return kept ? pad.getOperand() : pad.getPaddingValue();
  }
  if (auto update = dyn_cast<stablehlo::DynamicUpdateSliceOp>(op)) return update.getUpdate();
  bool moves = mlir::isa<stablehlo::SliceOp, stablehlo::ReverseOp, stablehlo::DynamicSliceOp, stablehlo::GatherOp>(op);
  return moves || (mlir::isa<stablehlo::ConcatenateOp>(op) && op->getNumOperands() == 1) ? op->getOperand(0) : Value();
}

void replaceMoves(Region &region) {
  SmallVector<Operation *> ops;
  region.walk([&](Operation *op) { ops.push_back(op); });
  for (Operation *op : ops) {
    OpBuilder b(op);
    Build build{b, op->getLoc()};
    Value element = movedElement(op);
    if (auto iota = dyn_cast<stablehlo::IotaOp>(op); iota && typeOf(iota).getNumElements() == 1)
      element = build.zero(typeOf(iota).getElementType());
    if (!element) continue;
    op->getResult(0).replaceAllUsesWith(build.reshape(element, typeOf(op->getResult(0)).getShape()));
    op->erase();
  }
}

// The type of 32 bits for one that has fewer.
Type widened(Type element) {
  if (!element.isIntOrFloat() || element.getIntOrFloatBitWidth() >= 32) return element;
  auto *context = element.getContext();
  return element.isUnsignedInteger()     ? Type(IntegerType::get(context, 32, IntegerType::Unsigned))
         : mlir::isa<FloatType>(element) ? Type(Float32Type::get(context))
                                         : Type(IntegerType::get(context, 32));
}

// Operands of several widths, which a scatter's kernel combines where they have one.
bool mixesWidths(stablehlo::ScatterOp op) {
  llvm::SmallDenseSet<unsigned> widths;
  for (Value v : op.getInputs()) {
    Type element = typeOf(v).getElementType();
    if (!element.isIntOrFloat() && !mlir::isa<ComplexType>(element)) return false;
    widths.insert(widened(element) == element ? 32 : element.getIntOrFloatBitWidth());
  }
  ValueRange kept = op.getUpdateComputation().front().getTerminator()->getOperands(),
             arguments = op.getUpdateComputation().getArguments();
  return widths.size() > 1 && kept != arguments.take_back(kept.size());
}

// The narrow operands, updates and results as 32 bits; the computation is on what they were.
void widen(stablehlo::ScatterOp op) {
  OpBuilder b(op);
  Build build{b, op.getLoc()};
  Block &body = op.getUpdateComputation().front();
  Operation *end = body.getTerminator();
  unsigned n = op.getNumResults();
  for (unsigned i = 0; i < n; ++i) {
    Type narrow = typeOf(op.getResult(i)).getElementType(), wide = widened(narrow);
    if (wide == narrow) continue;
    b.setInsertionPoint(op);
    for (unsigned operand : {i, n + 1 + i}) op->setOperand(operand, build.convert(op->getOperand(operand), wide));
    b.setInsertionPointToStart(&body);
    for (unsigned argument : {i, n + i}) {
      BlockArgument v = body.getArgument(argument);
      v.setType(typeOf(v).clone(wide));
      Value before = build.convert(v, narrow);
      v.replaceAllUsesExcept(before, before.getDefiningOp());
    }
    b.setInsertionPoint(end);
    end->setOperand(i, build.convert(end->getOperand(i), wide));
    b.setInsertionPointAfter(op);
    Value result = op.getResult(i);
    result.setType(typeOf(result).clone(wide));
    Value after = build.convert(result, narrow);
    result.replaceAllUsesExcept(after, after.getDefiningOp());
  }
}

struct FlattenBodies : impl::FlattenBodiesPassBase<FlattenBodies> {
  using FlattenBodiesPassBase::FlattenBodiesPassBase;

  static void flatten(Region &region) {
    Block &old = region.front();
    SmallVector<Location> locations =
        llvm::map_to_vector(old.getArguments(), [](BlockArgument a) { return a.getLoc(); });
    OpBuilder b(region.getContext());
    Block *made = b.createBlock(&region, region.end(), old.getArgumentTypes(), locations);
    b.setInsertionPointToEnd(made);
    Location loc = old.getTerminator()->getLoc();
    SmallVector<Value> results = inlineElementwise(b, old, made->getArguments());
    stablehlo::ReturnOp::create(b, loc, results);
    old.erase();
  }

  LogicalResult flattenOf(Operation *op) {
    for (Region &region : op->getRegions()) replaceMoves(region);
    // What works on arrays is refused where it would be lowered.
    if (!llvm::all_of(op->getRegions(), [](Region &region) { return isElementwiseRegion(region.front()); }))
      return success();
    for (Region &region : op->getRegions())
      if (hasControlFlow(region.front())) flatten(region);
    Block &body = op->getRegion(0).front();
    bool loops = hasLoop(body), captures = !capturesOf(body).empty();
    if (auto scatter = dyn_cast<stablehlo::ScatterOp>(op)) {
      if (loops || captures)
        scatterInTurn(scatter);
      else if (mixesWidths(scatter))
        widen(scatter);
    }
    if (auto sort = dyn_cast<stablehlo::SortOp>(op)) {
      if (loops) return withLoop(sort);
      if (captures) sortWithCaptures(sort);
    }
    return success();
  }

  LogicalResult withLoop(stablehlo::SortOp sort) {
    auto type = typeOf(sort.getInputs()[0]);
    const int64_t size = type.getRank() ? type.getDimSize(stablehlo::sortedDim(sort)) : 1;
    if (type.getNumElements() > kMostPairs / std::max<int64_t>(size, 1))
      return diagnose(sort, codes::kRegionOfArrays)
             << "expects a comparator without loops for more than " << kMostPairs << " pairs of elements, but got "
             << type << "; write the loop's steps one after the other";
    sortByRank(sort);
    return success();
  }

  void runOnOperation() override {
    SmallVector<Operation *> ops;
    getOperation().walk([&](Operation *op) {
      if (hasBody(op)) ops.push_back(op);
    });
    for (Operation *op : ops)
      if (failed(flattenOf(op))) return signalPassFailure();
  }
};

}  // namespace
}  // namespace tpuc::decompose
