// Branches in the computations of reductions, scatters and sorts as selects; sorts and scatters whose computations loop.
#include "passes/expand/build.h"
#include "dialects/diagnostics/diagnose.h"
#include "passes/expand/inline_region.h"
#include "passes/expand/loop_bodies.h"
#include "passes/expand/passes.h"

using namespace mlir;

namespace tpuc::expand {
#define GEN_PASS_DEF_FLATTENBODIESPASS
#include "passes/expand/passes.h.inc"
namespace {

constexpr int64_t kMostPairs = int64_t{1} << 26;  // of elements that a comparator with a loop sees

bool hasBody(Operation *op) {
  return mlir::isa<stablehlo::MapOp, stablehlo::ReduceOp, stablehlo::ReduceWindowOp, stablehlo::ScatterOp, stablehlo::SelectAndScatterOp, stablehlo::SortOp>(op);
}

template <typename... Ops>
Operation *firstOf(Block &block) {
  Operation *found = nullptr;
  block.walk([&](Operation *op) {
    if (!mlir::isa<Ops...>(op)) return WalkResult::advance();
    found = op;
    return WalkResult::interrupt();
  });
  return found;
}

struct FlattenBodies : impl::FlattenBodiesPassBase<FlattenBodies> {
  using FlattenBodiesPassBase::FlattenBodiesPassBase;

  static void flatten(Region &region) {
    Block &old = region.front();
    SmallVector<Location> locations = llvm::map_to_vector(old.getArguments(), [](BlockArgument a) { return a.getLoc(); });
    OpBuilder b(region.getContext());
    Block *made = b.createBlock(&region, region.end(), old.getArgumentTypes(), locations);
    b.setInsertionPointToEnd(made);
    Location loc = old.getTerminator()->getLoc();
    SmallVector<Value> results = inlineElementwise(b, old, made->getArguments());
    stablehlo::ReturnOp::create(b, loc, results);
    old.erase();
  }

  LogicalResult flattenOf(Operation *op) {
    for (Region &region : op->getRegions()) {
      // What works on arrays is refused where it would be lowered.
      if (!firstOf<stablehlo::IfOp, stablehlo::CaseOp, stablehlo::WhileOp>(region.front()) || !isElementwiseRegion(region.front())) continue;
      flatten(region);
      Operation *loop = firstOf<stablehlo::WhileOp>(region.front());
      if (!loop) continue;
      if (auto scatter = dyn_cast<stablehlo::ScatterOp>(op)) return scatterInTurn(scatter), success();
      if (auto sort = dyn_cast<stablehlo::SortOp>(op)) return withLoop(sort);
    }
    return success();
  }

  LogicalResult withLoop(stablehlo::SortOp sort) {
    auto type = typeOf(sort.getInputs()[0]);
    int64_t dim = sort.getDimension() + (sort.getDimension() < 0 ? type.getRank() : 0);
    if (type.getNumElements() > kMostPairs / std::max<int64_t>(type.getDimSize(dim), 1))
      return diagnose(sort, codes::kRegionOfArrays) << "expects a comparator without loops for more than " << kMostPairs << " pairs of elements, but got " << type << "; write the loop's steps one after the other";
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
}  // namespace tpuc::expand
