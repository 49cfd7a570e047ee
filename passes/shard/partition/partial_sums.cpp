//===- partial_sums.cpp - ops on the parts of sums ----------------------------------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Where the program states that a result is unreduced along axes, and the op is linear in operands of which one is so
// already, each device computes with its parts. For that time the axes are manual: nothing lies along them.
//===-----------------------------------------------------------------------------===//
#include "passes/shard/partition/partitioner.h"

using namespace mlir;

namespace tpuc::shard {
namespace {

namespace hlo = tpuc::stablehlo;
using Numbers = SmallVector<unsigned>;

// Integers wrap around: a wider type would see by how much.
bool keepsSums(Type from, Type to) {
  Type a = cast<RankedTensorType>(from).getElementType(), b = cast<RankedTensorType>(to).getElementType();
  if (isa<FloatType, ComplexType>(a)) return isa<FloatType, ComplexType>(b);
  return a.isInteger() && b.isInteger() && b.getIntOrFloatBitWidth() > 1 &&
         b.getIntOrFloatBitWidth() <= a.getIntOrFloatBitWidth();
}

// The one of both factors that is partial.
Numbers factorOf(Operation *op, llvm::function_ref<bool(Value)> isPartial) {
  bool first = isPartial(op->getOperand(0)), second = isPartial(op->getOperand(1));
  if (first == second) return {};
  return {first ? 0u : 1u};
}

Numbers allOperands(Operation *op) { return llvm::to_vector(llvm::seq<unsigned>(0, op->getNumOperands())); }

// Operands that the result is linear in, all of them at once.
Numbers linearOperands(Operation *op, llvm::function_ref<bool(Value)> isPartial) {
  return llvm::TypeSwitch<Operation *, Numbers>(op)
      .Case<hlo::AddOp, hlo::SubtractOp, hlo::ConcatenateOp, hlo::PadOp>([&](auto) { return allOperands(op); })
      .Case<hlo::NegOp, hlo::TransposeOp, hlo::ReshapeOp, hlo::ReverseOp, hlo::SliceOp, hlo::BroadcastInDimOp,
            hlo::DynamicSliceOp>([](auto) { return Numbers{0}; })
      .Case<hlo::DynamicUpdateSliceOp>([](auto) { return Numbers{0, 1}; })
      .Case<hlo::SelectOp>([](auto) { return Numbers{1, 2}; })
      .Case<hlo::ConvertOp>([](hlo::ConvertOp op) {
        return keepsSums(op.getOperand().getType(), op.getResult().getType()) ? Numbers{0} : Numbers{};
      })
      .Case<hlo::DivOp>([](hlo::DivOp op) {
        return keepsSums(op->getOperand(0).getType(), op->getResult(0).getType()) &&
                       isa<FloatType>(typeOf(op->getResult(0)).getElementType())
                   ? Numbers{0}
                   : Numbers{};
      })
      .Case<hlo::MulOp, hlo::DotGeneralOp>([&](auto) { return factorOf(op, isPartial); })
      .Case<hlo::ReduceOp>([&](hlo::ReduceOp reduce) {
        bool sums = op->getNumOperands() == 2 && reducerOf(reduce.getBody()) == Reducer::Sum;
        return sums ? Numbers{0, 1} : Numbers{};
      })
      .Default([](auto) { return Numbers{}; });
}

bool isWholeAxis(Axis axis, const Mesh *mesh) {
  return axis.pre == 1 && axis.size == mesh->attr.getAxes()[axis.index].getSize();
}

}  // namespace

bool Partitioner::isOnMesh(Operation *op, const Mesh *mesh) {
  auto fits = [&](const Layout &layout) { return layout.isWhole() || layout.mesh->attr == mesh->attr; };
  return llvm::all_of(op->getOperands(), [&](Value operand) {
    auto entry = versions.find(operand);
    return fits(wanted(operand)) &&
           (entry == versions.end() || llvm::all_of(entry->second, [&](const auto &v) { return fits(v.layout); }));
  });
}

// The value's part along the axes, as it is or made: in the layout that it would have without them.
Version Partitioner::partAlong(Value global, const Layout &stated) {
  for (const Version &version : versions[global])
    if (isPartOf(version, stated)) return version;
  SmallVector<int> outer(emit.manual);
  for (Axis axis : stated.unreduced) emit.manual.push_back(axis.index);
  Layout layout = wanted(global);
  emit.manual = outer;
  layout.mesh = stated.mesh;
  layout.unreduced = stated.unreduced;
  layout.reducer = stated.reducer;
  return {get(global, layout), layout};
}

bool Partitioner::isPartOf(const Version &version, const Layout &stated) {
  return version.layout.unreduced == stated.unreduced && version.layout.reducer == stated.reducer &&
         isVisible(version.value);
}

// The op, while `linear` operands are their parts.
LogicalResult Partitioner::handleParts(Operation *op, ArrayRef<unsigned> linear, const Layout &stated) {
  llvm::SmallMapVector<Value, SmallVector<Version, 2>, 2> hidden;
  for (unsigned i : linear) {
    Value operand = op->getOperand(i);
    if (hidden.contains(operand)) continue;
    Version part = partAlong(operand, stated);
    part.layout.unreduced.clear();
    hidden[operand] = std::exchange(versions[operand], {part});
  }
  SmallVector<int> outer(emit.manual);
  for (Axis axis : stated.unreduced) emit.manual.push_back(axis.index);
  LogicalResult result = handle(op);
  Value global = op->getResult(0);
  // One that is made where it is used, is made here.
  if (succeeded(result) && !versions.contains(global)) get(global, wanted(global));
  emit.manual = outer;
  for (Version &version : versions[global]) {
    version.layout.mesh = stated.mesh;
    llvm::append_range(version.layout.unreduced, stated.unreduced);
    version.layout.unreduced = sdy::inOrder(version.layout.unreduced);
  }
  for (auto &[operand, own] : hidden) versions[operand] = std::move(own);
  return result;
}

// Nothing where the op is no such one.
std::optional<LogicalResult> Partitioner::onParts(Operation *op) {
  if (op->getNumResults() != 1 || !isa<RankedTensorType>(op->getResult(0).getType())) return std::nullopt;
  Layout stated = wanted(op->getResult(0));
  const Axes &axes = stated.unreduced;
  bool sums = !axes.empty() && stated.reducer == Reducer::Sum;
  if (!sums || !llvm::all_of(axes, [&](Axis axis) { return isWholeAxis(axis, stated.mesh); })) return std::nullopt;
  auto isPartial = [&](Value value) {
    auto entry = versions.find(value);
    return entry != versions.end() &&
           llvm::any_of(entry->second, [&](const Version &version) { return isPartOf(version, stated); });
  };
  Numbers linear = linearOperands(op, isPartial);
  bool any = llvm::any_of(linear, [&](unsigned i) { return isPartial(op->getOperand(i)); });
  if (!any || !isOnMesh(op, stated.mesh)) return std::nullopt;
  return handleParts(op, linear, stated);
}

}  // namespace tpuc::shard
