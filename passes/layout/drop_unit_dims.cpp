// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Ops on the dims of more than one element only; the others come back by reshapes, which cost nothing inside a kernel.
// A reduction over such dims, or over none, combines each element with the initial value.
//
// A trailing dim of one element would make every element a row of its own, padded to 128 lanes, and hides that a
// transpose moves nothing.
#include "dialects/stablehlo/traits.h"
#include "mlir/IR/Iterators.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "passes/builders/build.h"
#include "passes/builders/inline_region.h"
#include "passes/layout/passes.h"

using namespace mlir;

namespace tpuc::layout {
using namespace builders;
#define GEN_PASS_DEF_DROPUNITDIMSPASS
#include "passes/layout/passes.h.inc"
namespace {

bool isStatic(Value v) {
  auto type = dyn_cast<RankedTensorType>(v.getType());
  return type && type.hasStaticShape() && !type.getEncoding();
}

SmallVector<int64_t> keptDims(RankedTensorType t) {
  SmallVector<int64_t> out;
  for (int64_t d = 0; d < t.getRank(); ++d)
    if (t.getDimSize(d) != 1) out.push_back(d);
  return out;
}

RankedTensorType squeezed(RankedTensorType t) {
  SmallVector<int64_t> shape;
  for (int64_t d : keptDims(t)) shape.push_back(t.getDimSize(d));
  return t.clone(shape);
}

// Elements of 2 and 4 bits: only where the program's own arrays lie, and nothing moves them alone
// (passes/legalise/legalise_sub_byte.cpp).
bool isBelowByte(Value v) {
  const Type element = typeOf(v).getElementType();
  return element.isInteger() && !element.isInteger(1) && element.getIntOrFloatBitWidth() < 8;
}

// Where each of `dims` of `t` is once its unit dims are gone; unit ones are left out.
SmallVector<int64_t> remap(RankedTensorType t, ArrayRef<int64_t> dims) {
  SmallVector<int64_t> kept = keptDims(t), out;
  for (int64_t d : dims)
    if (auto *it = llvm::find(kept, d); it != kept.end()) out.push_back(it - kept.begin());
  return out;
}

class Dropper {
 public:
  explicit Dropper(OpBuilder &b) : b_(b) {}

  // The op's twin without unit dims; its uses go to reshapes of the twin's results.
  void drop(Operation *op) {
    bool all = llvm::all_of(op->getOperands(), isStatic) && llvm::all_of(op->getResults(), isStatic);
    auto unit = [](Value v) { return squeezed(typeOf(v)) != typeOf(v); };
    auto reduce = dyn_cast<stablehlo::ReduceOp>(op);
    bool ofOne = reduce && reduce.getDimensions().empty();
    if (!all || !(ofOne || llvm::any_of(op->getOperands(), unit) || llvm::any_of(op->getResults(), unit))) return;
    b_.setInsertionPoint(op);
    loc_ = op->getLoc();
    SmallVector<Value> twins = twinOf(op);
    if (twins.empty()) return;
    for (auto [old, twin] : llvm::zip(op->getResults(), twins)) {
      Value back = twin.getType() == old.getType()
                       ? twin
                       : stablehlo::ReshapeOp::create(b_, loc_, old.getType(), twin).getResult();
      old.replaceAllUsesWith(back);
    }
    op->erase();
  }

 private:
  Value squeeze(Value v) {
    RankedTensorType to = squeezed(typeOf(v));
    while (auto reshape = v.getDefiningOp<stablehlo::ReshapeOp>()) {
      if (squeezed(typeOf(reshape.getOperand())) != to) break;
      v = reshape.getOperand();
    }
    if (v.getType() == to) return v;
    return stablehlo::ReshapeOp::create(b_, loc_, to, v);
  }

  SmallVector<Value> twinOf(Operation *op) {
    if (op->hasTrait<stablehlo::IsElementwise>()) return elementwise(op);
    if (auto constant = dyn_cast<stablehlo::ConstantOp>(op)) return {constantOf(constant)};
    if (auto iota = dyn_cast<stablehlo::IotaOp>(op)) return iotaOf(iota);
    if (auto reshape = dyn_cast<stablehlo::ReshapeOp>(op)) return reshapeOf(reshape);
    if (auto transpose = dyn_cast<stablehlo::TransposeOp>(op)) return {transposeOf(transpose)};
    if (auto broadcast = dyn_cast<stablehlo::BroadcastInDimOp>(op)) return {broadcastOf(broadcast)};
    if (auto reduce = dyn_cast<stablehlo::ReduceOp>(op)) return reduceOf(reduce);
    if (auto dot = dyn_cast<stablehlo::DotGeneralOp>(op)) return {dotOf(dot)};
    return {};
  }

  SmallVector<Value> elementwise(Operation *op) {
    if (llvm::any_of(op->getOperands(), isBelowByte) || llvm::any_of(op->getResults(), isBelowByte)) return {};
    SmallVector<Value> operands;
    for (Value v : op->getOperands()) {
      // A scalar next to arrays stays one.
      if (typeOf(v).getRank() && typeOf(v).getShape() != typeOf(op->getResult(0)).getShape()) return {};
      operands.push_back(squeeze(v));
    }
    Operation *twin = b_.clone(*op);
    twin->setOperands(operands);
    for (Value v : twin->getResults()) v.setType(squeezed(typeOf(v)));
    return llvm::to_vector_of<Value>(twin->getResults());
  }

  Value constantOf(stablehlo::ConstantOp op) {
    auto value = dyn_cast<DenseElementsAttr>(op.getValue());
    if (!value) return op;
    return stablehlo::ConstantOp::create(b_, loc_, value.reshape(squeezed(typeOf(op))));
  }

  SmallVector<Value> iotaOf(stablehlo::IotaOp op) {
    SmallVector<int64_t> dim = remap(typeOf(op), {static_cast<int64_t>(op.getIotaDimension())});
    if (dim.empty()) return {};
    return {stablehlo::IotaOp::create(b_, loc_, squeezed(typeOf(op)), dim[0])};
  }

  SmallVector<Value> reshapeOf(stablehlo::ReshapeOp op) {
    RankedTensorType from = squeezed(typeOf(op.getOperand())), to = squeezed(typeOf(op));
    if (from == to) return {};
    return {stablehlo::ReshapeOp::create(b_, loc_, to, squeeze(op.getOperand()))};
  }

  Value transposeOf(stablehlo::TransposeOp op) {
    SmallVector<int64_t> permutation = remap(typeOf(op.getOperand()), op.getPermutation());
    Value v = squeeze(op.getOperand());
    if (llvm::is_sorted(permutation)) return v;
    return stablehlo::TransposeOp::create(b_, loc_, squeezed(typeOf(op)), v, permutation);
  }

  Value broadcastOf(stablehlo::BroadcastInDimOp op) {
    RankedTensorType from = typeOf(op.getOperand()), to = typeOf(op);
    SmallVector<int64_t> dims;
    for (int64_t d : keptDims(from)) dims.push_back(op.getBroadcastDimensions()[d]);
    Value v = squeeze(op.getOperand());
    if (v.getType() == squeezed(to)) return v;
    return stablehlo::BroadcastInDimOp::create(b_, loc_, squeezed(to), v, remap(to, dims));
  }

  SmallVector<Value> reduceOf(stablehlo::ReduceOp op) {
    RankedTensorType in = typeOf(op.getInputs()[0]);
    SmallVector<Value> operands;
    for (Value v : op.getInputs()) operands.push_back(squeeze(v));
    if (remap(in, op.getDimensions()).empty()) return combineOnce(op, operands);
    llvm::append_range(operands, op.getInitValues());
    auto twin = cast<stablehlo::ReduceOp>(b_.clone(*op));
    twin->setOperands(operands);
    twin.setDimensions(remap(in, op.getDimensions()));
    for (Value v : twin->getResults()) v.setType(squeezed(typeOf(v)));
    return llvm::to_vector_of<Value>(twin->getResults());
  }

  // A reduction of one element combines it with the initial value.
  SmallVector<Value> combineOnce(stablehlo::ReduceOp op, ArrayRef<Value> elements) {
    Block &body = op.getBody().front();
    if (!isElementwiseRegion(body)) return {};
    ArrayRef<int64_t> shape = typeOf(elements[0]).getShape();
    SmallVector<Value> arguments;
    for (Value v : op.getInitValues())
      arguments.push_back(
          stablehlo::BroadcastInDimOp::create(b_, loc_, typeOf(v).clone(shape), v, ArrayRef<int64_t>{}));
    llvm::append_range(arguments, elements);
    // What is summed may be wider than what is given.
    for (auto [v, arg] : llvm::zip(arguments, body.getArguments()))
      if (Type type = typeOf(v).clone(typeOf(arg).getElementType()); type != v.getType())
        v = stablehlo::ConvertOp::create(b_, loc_, type, v);
    return inlineElementwise(b_, body, arguments);
  }

  Value dotOf(stablehlo::DotGeneralOp op) {
    auto numbers = op.getDotDimensionNumbers();
    RankedTensorType l = typeOf(op.getLhs()), r = typeOf(op.getRhs());
    auto attr = stablehlo::DotDimensionNumbersAttr::get(
        op.getContext(), remap(l, numbers.getLhsBatchingDimensions()), remap(r, numbers.getRhsBatchingDimensions()),
        remap(l, numbers.getLhsContractingDimensions()), remap(r, numbers.getRhsContractingDimensions()));
    return stablehlo::DotGeneralOp::create(b_, loc_, squeezed(typeOf(op)), squeeze(op.getLhs()), squeeze(op.getRhs()),
                                           attr, op.getPrecisionConfigAttr(), op.getAlgorithmAttr());
  }

  OpBuilder &b_;
  Location loc_ = b_.getUnknownLoc();
};

struct DropUnitDims : impl::DropUnitDimsPassBase<DropUnitDims> {
  using DropUnitDimsPassBase::DropUnitDimsPassBase;
  void runOnOperation() override {
    SmallVector<Operation *> ops;
    getOperation().walk<WalkOrder::PreOrder>([&](Operation *op) {
      if (mlir::isa<stablehlo::ReduceOp, stablehlo::ReduceWindowOp, stablehlo::ScatterOp, stablehlo::SortOp,
                    stablehlo::MapOp, stablehlo::SelectAndScatterOp>(op)) {
        ops.push_back(op);
        return WalkResult::skip();  // their bodies are scalars'
      }
      if (op->getNumResults()) ops.push_back(op);
      return WalkResult::advance();
    });
    OpBuilder b(&getContext());
    Dropper dropper(b);
    for (Operation *op : ops) dropper.drop(op);
    // Reshapes that nothing reads any more would count as uses.
    getOperation().walk<WalkOrder::PostOrder, ReverseIterator>([](Operation *op) {
      if (isOpTriviallyDead(op)) op->erase();
    });
  }
};

}  // namespace
}  // namespace tpuc::layout
