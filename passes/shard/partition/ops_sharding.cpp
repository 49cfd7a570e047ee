//===- ops_sharding.cpp - ops of sdy: other layouts, and computations on parts -------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===-----------------------------------------------------------------------------===//
#include "dialects/diagnostics/diagnose.h"
#include "dialects/kernel/host_call.h"
#include "llvm/Support/FormatVariadic.h"
#include "mlir/IR/Remarks.h"
#include "passes/shard/partition/partitioner.h"
#include "passes/shard/partition/passes.h"

using namespace mlir;

namespace tpuc::shard {
namespace {

// A value of the same elements in the layout that the op states.
LogicalResult moved(Operation *op, Partitioner &p) {
  Value input = op->getOperand(0), result = op->getResult(0);
  Layout layout = p.wanted(result);
  p.set(result, p.get(input, layout), layout);
  return success();
}

LogicalResult same(Operation *op, Partitioner &p) {
  Layout layout = p.current(op->getOperand(0)).layout;
  p.set(op->getResult(0), p.get(op->getOperand(0), layout), layout);
  return success();
}

LogicalResult nothing(Operation *, Partitioner &) { return success(); }

// A body whose arrays are the parts along the manual axes.
class Manual {
 public:
  Manual(sdy::ManualComputationOp op, Partitioner &p) : op(op), p(p), outer(p.emit.manual) {}

  LogicalResult run() {
    findAxes();
    Block &body = op.getBody().front();
    for (auto [i, argument] : llvm::enumerate(body.getArguments())) {
      auto [outside, inside] = layouts(op.getInShardings().getShardings()[i], op->getOperand(i), argument);
      p.set(argument, p.get(op->getOperand(i), outside), inside);
    }
    p.emit.manual.append(axes.begin(), axes.end());
    if (failed(p.block(body))) return failure();
    std::vector<std::pair<Value, Layout>> results;
    for (auto [i, value] : llvm::enumerate(body.getTerminator()->getOperands())) {
      auto [outside, inside] = layouts(op.getOutShardings().getShardings()[i], op->getResult(i), value);
      results.emplace_back(p.get(value, inside), outside);
    }
    p.emit.manual = outer;
    for (auto [global, local] : llvm::zip_equal(op->getResults(), results)) p.set(global, local.first, local.second);
    return success();
  }

 private:
  void findAxes() {
    auto note = [&](ArrayRef<sdy::TensorShardingAttr> shardings) {
      for (sdy::TensorShardingAttr sharding : shardings)
        for (auto [i, axis] : llvm::enumerate(p.table.decode(sharding)->mesh->attr.getAxes()))
          if (llvm::any_of(op.getManualAxes().getValue(), [&](StringAttr name) { return name == axis.getName(); }) &&
              !llvm::is_contained(axes, static_cast<int>(i)))
            axes.push_back(i);
    };
    note(op.getInShardings().getShardings());
    note(op.getOutShardings().getShardings());
  }

  // The layouts of a value outside and of the one inside. Free axes stay where the blocks of both sides agree.
  std::pair<Layout, Layout> layouts(sdy::TensorShardingAttr sharding, Value outer, Value inner) {
    auto type = dyn_cast<RankedTensorType>(outer.getType());
    if (!type) return {Layout::whole({}), Layout::whole({})};
    Sharding stated = *p.table.decode(sharding);
    ArrayRef<int64_t> own = cast<RankedTensorType>(inner.getType()).getShape();
    bool isCut = true;
    for (auto [dim, size] : llvm::zip_equal(stated.dims, own)) {
      int64_t parts = 1;
      for (Axis axis : dim.axes) parts *= isManual(axis) ? 1 : axis.size;
      if (size % parts == 0) continue;
      llvm::erase_if(dim.axes, [&](Axis axis) { return !isManual(axis); });
      isCut = false;
    }
    SmallVector<int> inside(p.emit.manual);
    if (!llvm::is_contained(inside, axes.empty() ? -1 : axes.front())) llvm::append_range(inside, axes);
    Layout outside = layoutOf(stated, type.getShape(), this->outer);
    // Only manual axes are partial outside.
    llvm::erase_if(outside.unreduced, [&](Axis axis) { return !isManual(axis); });
    Layout in = layoutOf(stated, own, inside);
    in.unreduced.clear();
    if (const int64_t bytes = isCut ? 0 : p.bytesTo(outer, outside))
      remark::missed(op.getLoc(), remark::RemarkOpts::name("gather").category("sharding"))
          << llvm::formatv(
                 "'sdy.manual_computation' needs an operand whole along axes that are not manual: {0} bytes are moved; "
                 "give its body parts that these axes divide, or make them manual (axis_names of jax.shard_map)",
                 bytes)
                 .str();
    return {outside, in};
  }
  bool isManual(Axis axis) const { return llvm::is_contained(axes, axis.index); }

  sdy::ManualComputationOp op;
  Partitioner &p;
  SmallVector<int> outer, axes;
};

LogicalResult manualComputation(Operation *op, Partitioner &p) {
  return Manual(cast<sdy::ManualComputationOp>(op), p).run();
}

// JAX asks what an array's sharding is: whoever compiles the program tells it (compiler/pipeline/compile.h).
LogicalResult inspected(Operation *op, Partitioner &p) {
  Value input = op->getOperand(0);
  const Layout layout = p.wanted(input);
  Builder builder(op->getContext());
  const std::string text = layout.isUnsharded() ? "{replicated}" : hloSharding(layout);
  remark::analysis(op->getLoc(), remark::RemarkOpts::name("inspected").category("sharding")) << "sharding: " << text;
  auto module = op->getParentOfType<ModuleOp>();
  SmallVector<Attribute> all;
  if (auto before = module->getAttrOfType<ArrayAttr>(kInspectedAttr)) llvm::append_range(all, before);
  Attribute asked = cast<stablehlo::CustomCallOp>(op).getBackendConfigAttr();
  all.push_back(builder.getDictionaryAttr(
      {builder.getNamedAttr("asked", asked ? asked : builder.getStringAttr("")),
       builder.getNamedAttr("rank", builder.getI64IntegerAttr(static_cast<int64_t>(layout.dims.size()))),
       builder.getNamedAttr("sharding", builder.getStringAttr(text))}));
  module->setAttr(kInspectedAttr, builder.getArrayAttr(all));
  return same(op, p);
}

// The borders of GSPMD's manual computations: between them an array is a device's part.
LogicalResult customCall(Operation *op, Partitioner &p) {
  if (kernel::isHostCall(op)) return hostCall(op, p);
  StringRef name = cast<stablehlo::CustomCallOp>(op).getCallTargetName();
  if (name == "Eigh") return factorisation(op, p);
  if (name == "InspectSharding" && op->getNumOperands() == 1 && op->getNumResults() == 1) return inspected(op, p);
  if (name != "SPMDFullToShardShape" && name != "SPMDShardToFullShape") return p.byFactors(op);
  Value input = op->getOperand(0), result = op->getResult(0);
  bool enters = name == "SPMDFullToShardShape";
  auto stated = op->getAttrOfType<sdy::TensorShardingAttr>("tpuc.in_sharding");
  Layout outside = !enters ? p.wanted(result) : stated ? p.decode(stated, input.getType()) : p.wanted(input);
  Type part = enters ? result.getType() : input.getType();
  if (localType(enters ? input.getType() : result.getType(), outside) != part)
    return diagnose(op, codes::kMalformed)
           << "'" << name << "' expects the parts of its array, "
           << localType(enters ? input.getType() : result.getType(), outside) << ", but got " << part;
  Layout inside = Layout::whole(cast<RankedTensorType>(part).getShape());
  enters ? p.set(result, p.get(input, outside), inside) : p.set(result, p.get(input, inside), outside);
  return success();
}

// Its body, in place.
LogicalResult namedComputation(Operation *op, Partitioner &p) {
  Block &body = cast<sdy::NamedComputationOp>(op).getBody().front();
  for (auto [argument, operand] : llvm::zip_equal(body.getArguments(), op->getOperands())) {
    Layout layout = p.current(operand).layout;
    p.set(argument, p.get(operand, layout), layout);
  }
  if (failed(p.block(body))) return failure();
  for (auto [result, value] : llvm::zip_equal(op->getResults(), body.getTerminator()->getOperands())) {
    Layout layout = p.current(value).layout;
    p.set(result, p.get(value, layout), layout);
  }
  return success();
}

}  // namespace

void addSharding(Handlers &handlers) {
  for (StringRef name :
       {"sharding_constraint", "reshard", "all_gather", "all_slice", "all_to_all", "all_reduce", "reduce_scatter",
        "collective_permute", "sharded_to_unreduced", "replicated_to_unreduced", "data_flow_edge"})
    handlers[("sdy." + name).str()] = moved;
  handlers["stablehlo.custom_call"] = customCall;
  handlers["sdy.propagation_barrier"] = same;
  handlers["sdy.func_data_flow_edge"] = same;
  handlers["sdy.sharding_group"] = nothing;
  handlers["sdy.manual_computation"] = manualComputation;
  handlers["sdy.named_computation"] = namedComputation;
}

}  // namespace tpuc::shard
