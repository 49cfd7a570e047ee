// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// 1. Main's arguments get their types (argument_shapes.cpp).
// 2. From the first op to the last: results get the types that follow from the operands, values of shapes are kept
//    (shape_values.cpp), assertions are checked, shape operands become constants.
// 3. What is still open comes from data: an error at the first op that makes it so.
#include "dialects/diagnostics/diagnose.h"
#include "dialects/diagnostics/outer_codes.h"
#include "passes/shapes/argument_shapes.h"
#include "passes/shapes/data_slices.h"
#include "passes/shapes/dynamic_calls.h"
#include "passes/shapes/passes.h"
#include "passes/shapes/result_types.h"
#include "passes/shapes/size_arguments.h"

using namespace mlir;

namespace tpuc::shapes {
#define GEN_PASS_DEF_REFINESHAPESPASS
#include "passes/shapes/passes.h.inc"

namespace hlo = tpuc::stablehlo;

namespace {

bool isOpen(Type type) {
  auto tensor = dyn_cast<RankedTensorType>(type);
  return tensor && !tensor.hasStaticShape();
}

// Its places are operands of its own.
bool isPlaced(Operation *op) {
  return isa<hlo::RealDynamicSliceOp, hlo::DynamicPadOp, hlo::DynamicGatherOp, hlo::DynamicConvOp>(op);
}

// A static type whose encoding said bounds has nothing left to say.
Type plain(Type type) {
  auto tensor = dyn_cast<RankedTensorType>(type);
  return tensor && tensor.hasStaticShape() ? Type(RankedTensorType::get(tensor.getShape(), tensor.getElementType()))
                                           : type;
}

class Refiner {
 public:
  LogicalResult block(Block &block) {
    for (Operation &op : llvm::make_early_inc_range(block))
      if (failed(visit(&op))) return failure();
    return success();
  }

 private:
  LogicalResult visit(Operation *op) {
    if (auto call = dyn_cast<hlo::CustomCallOp>(op)) {
      FailureOr<bool> gone = this->call(call);
      if (failed(gone) || *gone) return gone;
    }
    if (auto slice = dyn_cast<hlo::RealDynamicSliceOp>(op))
      if (Operation *made = dataSlice(slice)) op = made;
    if (auto loop = dyn_cast<hlo::WhileOp>(op)) return this->loop(loop);
    if (isa<hlo::IfOp, hlo::CaseOp>(op))
      for (Region &region : op->getRegions())
        if (failed(block(region.front()))) return failure();
    if (op->hasTrait<OpTrait::IsTerminator>()) return success();
    return results(op);
  }

  LogicalResult results(Operation *op) {
    FailureOr<SmallVector<Type>> types = resultTypes(op, values_);
    if (failed(types)) return failure();
    for (auto [result, type] : llvm::zip_equal(op->getResults(), *types)) {
      if (isOpen(result.getType()) || isOpen(type)) {
        if (isOpen(type)) return unknown(op, result.getType());
        if (failed(checkElements(op, type))) return failure();
        result.setType(plain(type));
      } else if (result.getType() != type && hlo::upperBounds(cast<RankedTensorType>(type)) !=
                                                 hlo::upperBounds(cast<RankedTensorType>(result.getType()))) {
        return diagnose(op, codes::kSizes)
               << "expects a result of type " << result.getType() << ", but these sizes make it " << type;
      }
    }
    values_.visit(op);
    auto sound = [&] { return op->getName().verifyInvariants(op); };
    return succeeded(checkSizes(op, sound)) ? constantShapes(op) : failure();
  }

  // The same check as import has for types that are static there.
  LogicalResult checkElements(Operation *op, Type type) {
    auto tensor = dyn_cast<RankedTensorType>(type);
    if (!tensor) return success();
    std::optional<int64_t> elements = hlo::numElements(tensor.getShape());
    if (elements && *elements <= (int64_t{1} << 56)) return success();
    return diagnose(op, codes::kTooLarge) << "expects an array of 2^56 elements at most, but got " << type;
  }

  // Where the open size came from, for the user: the shape operand that no size decides.
  LogicalResult unknown(Operation *op, Type type) {
    CodedError error = diagnose(op, codes::kUnknownSize)
                       << "expects a size that follows from those of the arguments, but got " << type << " from '"
                       << op->getName().getStringRef() << "'";
    for (Value operand : op->getOperands())
      if (auto tensor = dyn_cast<RankedTensorType>(operand.getType());
          tensor && isa<IntegerType, IndexType>(tensor.getElementType()) && !values_.of(operand))
        error.attachNote(operand.getLoc()) << "this depends on data";
    return error;
  }

  // The rest of the compiler reads shape operands as constants.
  LogicalResult constantShapes(Operation *op) {
    if (!isa<hlo::DynamicBroadcastInDimOp, hlo::DynamicReshapeOp, hlo::DynamicIotaOp, hlo::DynamicPadOp,
             hlo::RealDynamicSliceOp, hlo::DynamicGatherOp, hlo::DynamicConvOp, hlo::RngOp>(op))
      return cutToSize(op);
    OpBuilder builder(op);
    for (OpOperand &operand : op->getOpOperands()) {
      auto type = cast<RankedTensorType>(operand.get().getType());
      const bool data = operand.getOperandNumber() == 0 || !isa<IntegerType, IndexType>(type.getElementType()) ||
                        operand.get().getDefiningOp<hlo::ConstantOp>();
      // Indices and padding values are data, known or not.
      const bool indices = isa<hlo::DynamicGatherOp>(op) && operand.getOperandNumber() == 1;
      const bool iota = isa<hlo::DynamicIotaOp>(op);
      if ((data && !iota) || indices || type.getRank() == 0 || operand.get().getDefiningOp<hlo::ConstantOp>()) continue;
      auto numbers = values_.integers(operand.get());
      if (!numbers) continue;
      auto wide = RankedTensorType::get(type.getShape(), builder.getI64Type());
      auto attribute = DenseIntElementsAttr::get(wide, *numbers);
      operand.set(hlo::ConstantOp::create(builder, op->getLoc(), wide, cast<ElementsAttr>(attribute)));
    }
    return checkKnown(op);
  }

  // Ops that have no form whose places are data.
  LogicalResult checkKnown(Operation *op) {
    if (!isPlaced(op)) return success();
    SmallVector<Value> places =
        isa<hlo::RealDynamicSliceOp>(op) ? SmallVector<Value>(op->getOperands().drop_front()) : shapeOperands(op);
    for (Value place : places) {
      if (values_.of(place) || place.getDefiningOp<hlo::ConstantOp>()) continue;
      CodedError error = diagnose(op, codes::kUnknownSize)
                         << "expects '" << op->getName().getStringRef() << "' at places that follow from sizes";
      error.attachNote(place.getLoc()) << "this depends on data";
      return error;
    }
    return success();
  }

  // A slice of known sizes from a place that is data; null for others.
  Operation *dataSlice(hlo::RealDynamicSliceOp op) {
    if (values_.integers(op.getStartIndices())) return nullptr;
    Value which = sizesOfSlice(op);
    auto sizes = which ? values_.integers(which) : std::nullopt, strides = values_.integers(op.getStrides());
    if (!sizes && !isOpen(op.getType())) sizes = llvm::to_vector(cast<RankedTensorType>(op.getType()).getShape());
    if (!sizes || !strides || !llvm::all_of(*strides, [](int64_t stride) { return stride == 1; })) return nullptr;
    OpBuilder builder(op);
    SmallVector<Value> starts = startsOfSlice(op, builder);
    auto type = RankedTensorType::get(*sizes, cast<RankedTensorType>(op.getType()).getElementType());
    auto made = hlo::DynamicSliceOp::create(builder, op.getLoc(), type, op.getOperand(), starts,
                                            builder.getDenseI64ArrayAttr(*sizes));
    op.replaceAllUsesWith(made.getResult());
    op.erase();
    return made;
  }

  // A dimension set to a size is a slice.
  LogicalResult cutToSize(Operation *op) {
    auto set = dyn_cast<hlo::SetDimensionSizeOp>(op);
    if (!set) return success();
    OpBuilder builder(op);
    auto from = cast<RankedTensorType>(set.getOperand().getType()), to = cast<RankedTensorType>(set.getType());
    const int64_t size = to.getDimSize(set.getDimension());
    if (size > from.getDimSize(set.getDimension()))
      return diagnose(op, codes::kSizes) << "expects a size of " << from.getDimSize(set.getDimension())
                                         << " at most, but got " << size;
    SmallVector<int64_t> starts(to.getRank(), 0), strides(to.getRank(), 1);
    auto slice = hlo::SliceOp::create(builder, op->getLoc(), to, set.getOperand(), starts, to.getShape(), strides);
    set.replaceAllUsesWith(slice.getResult());
    set.erase();
    return success();
  }

  // True where the call is gone.
  FailureOr<bool> call(hlo::CustomCallOp call) {
    FailureOr<bool> asserted = checkAssertion(call, values_);
    SmallVector<Operation *> made;
    if (failed(asserted)) return failure();
    FailureOr<bool> replaced = *asserted ? FailureOr<bool>(true) : replaceDynamicCall(call, values_, made);
    if (failed(replaced)) return failure();
    if (*replaced) {
      call.erase();
      for (Operation *op : made)
        if (failed(results(op))) return failure();
      return true;
    }
    if (auto types = typesByOperands(call, values_)) {
      for (auto [result, type] : llvm::zip_equal(call.getResults(), *types)) result.setType(type);
      dropShapeOperands(call);
    }
    for (Type type : call.getResultTypes())
      if (isOpen(type)) return unknown(call, type);
    return true;
  }

  // Carried values keep the types that they start with.
  LogicalResult loop(hlo::WhileOp loop) {
    for (Region &region : loop->getRegions())
      for (auto [argument, operand] : llvm::zip_equal(region.front().getArguments(), loop->getOperands()))
        argument.setType(operand.getType());
    for (Region &region : loop->getRegions())
      if (failed(block(region.front()))) return failure();
    for (auto [i, pair] :
         llvm::enumerate(llvm::zip_equal(loop.getBody().front().getTerminator()->getOperands(), loop->getOperands()))) {
      auto [end, start] = pair;
      if (end.getType() != start.getType())
        return diagnose(loop, codes::kUnknownSize)
               << "expects value " << i << " of a loop to keep its size, but it starts as " << start.getType()
               << " and becomes " << end.getType();
    }
    for (auto [result, operand] : llvm::zip_equal(loop->getResults(), loop->getOperands()))
      result.setType(operand.getType());
    return success();
  }

  ShapeValues values_;
};

struct RefineShapes : impl::RefineShapesPassBase<RefineShapes> {
  using RefineShapesPassBase::RefineShapesPassBase;

  void runOnOperation() override {
    auto main = getOperation().lookupSymbol<func::FuncOp>("main");
    if (!main || main.isExternal()) return;
    if (failed(refine(main))) signalPassFailure();
  }

  LogicalResult refine(func::FuncOp main) {
    FailureOr<ArgumentSizes> arguments = argumentSizes(main, llvm::to_vector(dims), llvm::to_vector(this->arguments));
    if (failed(arguments)) return failure();
    bool anyOpen = false;
    main.walk([&](Operation *op) {
      anyOpen |= isPlaced(op) || llvm::any_of(op->getResultTypes(), isOpen);
      for (Region &region : op->getRegions())
        for (Block &block : region) anyOpen |= llvm::any_of(block.getArgumentTypes(), isOpen);
    });
    if (!anyOpen) return success();
    Block &body = main.getBody().front();
    for (auto [i, type] : llvm::enumerate(arguments->types)) {
      body.getArgument(i).setType(type);
      main.removeArgAttr(i, kDimsAttr);
      if (failed(setValue(main, i, arguments->values[i]))) return failure();
    }
    if (failed(Refiner().block(body))) return failure();
    main.setType(FunctionType::get(&getContext(), arguments->types, body.getTerminator()->getOperandTypes()));
    return success();
  }

  // A run has to bring the same number.
  static void noteHeld(func::FuncOp main, unsigned i, StringAttr name, int64_t value) {
    Builder builder(main.getContext());
    auto module = main->getParentOfType<ModuleOp>();
    auto known = module->getAttrOfType<ArrayAttr>(kernel::kHeldSizesAttr);
    SmallVector<Attribute> held(known ? known.begin() : nullptr, known ? known.end() : nullptr);
    held.push_back(builder.getDictionaryAttr(
        {builder.getNamedAttr("argument", builder.getI64IntegerAttr(i)),
         builder.getNamedAttr("size", builder.getI64IntegerAttr(value)), builder.getNamedAttr("name", name),
         builder.getNamedAttr("place", LocationAttr(main.getArgument(i).getLoc()))}));
    module->setAttr(kernel::kHeldSizesAttr, builder.getArrayAttr(held));
  }

  // An argument that holds a size is that number.
  LogicalResult setValue(func::FuncOp main, unsigned i, std::optional<int64_t> value) {
    auto name = cast_or_null<StringAttr>(main.removeArgAttr(i, kSizeAttr));
    if (!name) return success();
    BlockArgument argument = main.getArgument(i);
    auto type = cast<RankedTensorType>(argument.getType());
    if (!value)
      return diagnose(argument.getLoc(), codes::kSizes)
             << "expects the size that argument " << i
             << " holds, since shapes are computed from it: give --dim=" << name.getValue() << "=SIZE";
    const unsigned bits = type.getElementTypeBitWidth();
    if (!llvm::isIntN(std::min(bits, 62u), *value))
      return diagnose(argument.getLoc(), codes::kSizes)
             << "expects a size that argument " << i << " of type " << type << " can hold, but got " << *value;
    noteHeld(main, i, name, *value);
    OpBuilder builder(&main.getBody().front(), main.getBody().front().begin());
    auto number = DenseElementsAttr::get(type, APInt(bits, *value));
    argument.replaceAllUsesWith(hlo::ConstantOp::create(builder, argument.getLoc(), type, cast<ElementsAttr>(number)));
    return success();
  }
};

}  // namespace
}  // namespace tpuc::shapes
