// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A static program as one of open sizes.
// 1. Of each op the lines of its numbers, in the reader's order.
// 2. All values get types whose extents are open where their lines rise.
// 3. Ops that say a shape by their type or their attributes become those that take it as an operand, computed from
//    main's argument. Others infer what the program says.
#include "dialects/stablehlo/chlo.h"
#include "dialects/stablehlo/stablehlo.h"
#include "llvm/ADT/TypeSwitch.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/Verifier.h"
#include "passes/shapes/extent.h"
#include "passes/shapes/passes.h"
#include "passes/shapes/size_outline.h"

using namespace mlir;

namespace tpuc::shapes {

namespace hlo = tpuc::stablehlo;

namespace {

using Lines = llvm::SmallVector<SizeLine>;

bool rises(ArrayRef<SizeLine> lines) {
  return llvm::any_of(lines, [](const SizeLine &line) { return line.scale != 0; });
}

struct OpLines {
  Operation *op;
  bool changed = false;            // some number rises
  llvm::StringMap<Lines> risen{};  // attributes of which one does
};

// Results follow from operands and attributes, by inference or as the same extents.
bool infersResults(Operation *op) {
  if (isa<hlo::RngOp, hlo::RngBitGeneratorOp, hlo::CustomCallOp, hlo::CompositeOp, hlo::InfeedOp, hlo::RecvOp,
          hlo::SetDimensionSizeOp>(op))
    return false;
  return isa_and_present<hlo::StablehloDialect, chlo::ChloDialect>(op->getDialect());
}

class Opener {
 public:
  Opener(ModuleOp module, ArrayRef<SizeLine> lines, StringRef symbol)
      : module_(module), left_(lines), symbol_(symbol) {}

  bool run(std::string &why) {
    main_ = module_.lookupSymbol<func::FuncOp>("main");
    SmallVector<OpLines> ops;
    module_->walk<WalkOrder::PreOrder>([&](Operation *op) { ops.push_back(take(op)); });
    for (auto &[value, lines] : dims_) openType(value, lines);
    makeSize();
    for (OpLines &op : ops)
      if (op.changed && !open(op)) {
        why = op.op->getName().getStringRef().str() + ": " + why_;
        return false;
      }
    finish();
    ScopedDiagnosticHandler handler(module_.getContext(), [&](Diagnostic &diagnostic) {
      if (why.empty()) why = diagnostic.str();
      return success();
    });
    return succeeded(mlir::verify(module_));
  }

 private:
  template <typename T>
  Lines takeLines(T thing) {
    std::string text;
    std::vector<ProgramNumber> numbers;
    NumberReader(text, numbers).read(thing);
    Lines lines(left_.take_front(numbers.size()));
    left_ = left_.drop_front(numbers.size());
    return lines;
  }

  OpLines take(Operation *op) {
    OpLines result{op};
    const OpParts parts = partsOf(op);
    for (Value value : parts.values) {
      Lines lines = takeLines(value.getType());
      result.changed |= rises(lines);
      if (isa<RankedTensorType>(value.getType())) dims_[value] = std::move(lines);
    }
    for (NamedAttribute attribute : parts.attributes) {
      Lines lines = takeLines(attribute.getValue());
      if (!rises(lines)) continue;
      result.changed = true;
      result.risen[attribute.getName().strref()] = std::move(lines);
    }
    return result;
  }

  void openType(Value value, ArrayRef<SizeLine> lines) {
    // A constant is of its value's type until it is replaced.
    if (!rises(lines) || value.getDefiningOp<hlo::ConstantOp>()) return;
    value.setType(openType(cast<RankedTensorType>(value.getType()), lines));
  }
  static RankedTensorType openType(RankedTensorType type, ArrayRef<SizeLine> lines) {
    SmallVector<int64_t> shape(type.getShape());
    for (auto [size, line] : llvm::zip_equal(shape, lines))
      if (line.scale) size = ShapedType::kDynamic;
    return type.clone(shape);
  }

  // The size is the first extent of an argument.
  void makeSize() {
    OpBuilder builder = OpBuilder::atBlockBegin(&main_.getBody().front());
    scalar_ = RankedTensorType::get({}, builder.getI32Type());
    for (Value argument : main_.getArguments()) {
      auto lines = dims_.find(argument);
      if (lines == dims_.end() || lines->second.empty() || lines->second[0] != SizeLine{1, 0}) continue;
      last_ =
          hlo::GetDimensionSizeOp::create(builder, argument.getLoc(), scalar_, argument, builder.getI64IntegerAttr(0));
      scalars_.push_back({{1, 0}, last_->getResult(0)});
      return;
    }
  }

  Value constant(OpBuilder &builder, int64_t number) {
    return hlo::ConstantOp::create(
        builder, main_.getLoc(),
        cast<ElementsAttr>(DenseElementsAttr::get(scalar_, APInt(32, number, /*isSigned=*/true, true))));
  }

  // In front of everything else: loops' bodies see it too.
  Value number(const SizeLine &line) {
    for (const auto &[known, value] : scalars_)
      if (known == line) return value;
    OpBuilder builder(module_.getContext());
    builder.setInsertionPointAfter(last_);
    Value value = constant(builder, line.scale ? line.scale : line.offset);
    if (line.scale) value = hlo::MulOp::create(builder, main_.getLoc(), scalar_, value, scalars_.front().second);
    if (line.scale && line.offset) {
      Value offset = constant(builder, line.offset);
      value = hlo::AddOp::create(builder, main_.getLoc(), scalar_, value, offset);
    }
    last_ = value.getDefiningOp();
    scalars_.push_back({line, value});
    return value;
  }

  // Scalars as a vector; lines as one of i32.
  static Value vectorOf(OpBuilder &builder, Location location, ArrayRef<Value> scalars, Type element) {
    auto one = RankedTensorType::get({1}, element);
    SmallVector<Value> parts;
    for (Value scalar : scalars) parts.push_back(hlo::ReshapeOp::create(builder, location, one, scalar));
    if (parts.size() == 1) return parts[0];
    auto type = RankedTensorType::get({static_cast<int64_t>(parts.size())}, element);
    if (!parts.empty()) return hlo::ConcatenateOp::create(builder, location, type, parts, 0);
    return hlo::ConstantOp::create(builder, location,
                                   cast<ElementsAttr>(DenseElementsAttr::get(type, ArrayRef<Attribute>())));
  }
  Value vector(OpBuilder &builder, Location location, ArrayRef<SizeLine> lines) {
    SmallVector<Value> scalars = llvm::map_to_vector(lines, [&](const SizeLine &line) { return number(line); });
    return vectorOf(builder, location, scalars, builder.getI32Type());
  }
  Value vector(OpBuilder &builder, Location location, ArrayRef<int64_t> numbers) {
    return vector(builder, location, llvm::map_to_vector(numbers, [](int64_t number) { return SizeLine{0, number}; }));
  }
  static Value converted(OpBuilder &builder, Location location, Value value, Type element) {
    auto type = cast<RankedTensorType>(value.getType());
    return type.getElementType() == element
               ? value
               : hlo::ConvertOp::create(builder, location, type.clone(element), value).getResult();
  }

  // The lines of an attribute's numbers: those that were noted, else lines that do not rise.
  Lines linesOf(const OpLines &op, StringRef name, ArrayRef<int64_t> numbers) const {
    auto risen = op.risen.find(name);
    if (risen != op.risen.end()) return risen->second;
    return llvm::map_to_vector(numbers, [](int64_t number) { return SizeLine{0, number}; });
  }

  bool refuse(const char *why) {
    why_ = why;
    return false;
  }
  bool replace(Operation *op, Value value) {
    auto lines = dims_.find(op->getResult(0));
    if (lines != dims_.end()) dims_[value] = Lines(lines->second);
    op->replaceAllUsesWith(ValueRange(value));
    op->erase();
    return true;
  }

  bool open(OpLines &op) {
    if (op.op == main_ || isa<ModuleOp>(op.op)) return true;
    using Op = Operation *;
    return TypeSwitch<Op, bool>(op.op)
        .Case([&](hlo::ConstantOp o) { return openConstant(op, o); })
        .Case([&](hlo::SliceOp o) { return op.risen.empty() || openSlice(op, o); })
        .Case([&](hlo::PadOp o) { return op.risen.empty() || openPad(op, o); })
        .Case([&](hlo::GatherOp o) { return op.risen.empty() || openGather(op, o); })
        .Case([&](hlo::DynamicSliceOp o) { return op.risen.empty() || openDynamicSlice(op, o); })
        .Case([&](hlo::ReduceWindowOp o) { return op.risen.empty() || openWindows(op, o); })
        .Default([&](Op o) {
          if (!op.risen.empty()) return refuse("its attributes depend on the size");
          return openByShape(o) || infersResults(o) || refuse("its results do not follow from its operands");
        });
  }

  // Ops whose type says their shape.
  bool openByShape(Operation *op) {
    if (!isa<hlo::IotaOp, hlo::BroadcastInDimOp, hlo::ReshapeOp>(op)) return false;
    OpBuilder builder(op);
    Location location = op->getLoc();
    Type type = op->getResult(0).getType();
    Value shape = vector(builder, location, dims_[op->getResult(0)]);
    if (auto iota = dyn_cast<hlo::IotaOp>(op))
      return replace(op, hlo::DynamicIotaOp::create(builder, location, type, shape, iota.getIotaDimensionAttr()));
    if (auto broadcast = dyn_cast<hlo::BroadcastInDimOp>(op))
      return replace(op,
                     hlo::DynamicBroadcastInDimOp::create(builder, location, type, broadcast.getOperand(), shape,
                                                          broadcast.getBroadcastDimensionsAttr(), nullptr, nullptr));
    return replace(op, hlo::DynamicReshapeOp::create(builder, location, type, op->getOperand(0), shape));
  }

  bool openConstant(const OpLines &op, hlo::ConstantOp constant) {
    OpBuilder builder(constant);
    Location location = constant.getLoc();
    auto elements = dyn_cast<DenseElementsAttr>(constant.getValue());
    auto value = op.risen.find("value");
    if (!elements || value == op.risen.end()) return refuse("it is data");
    Type element = elements.getElementType();
    const Lines dims = dims_[constant.getResult()];
    ArrayRef<SizeLine> numbers = ArrayRef(value->second).drop_front(dims.size());
    if (!elements.isSplat()) {
      if (rises(dims) || dims.size() != 1) return refuse("it is data");
      SmallVector<Value> scalars = llvm::map_to_vector(
          numbers, [&](const SizeLine &line) { return converted(builder, location, number(line), element); });
      return replace(constant, vectorOf(builder, location, scalars, element));
    }
    auto scalarType = RankedTensorType::get({}, element);
    Value scalar =
        !numbers.empty() && numbers[0].scale
            ? converted(builder, location, number(numbers[0]), element)
            : hlo::ConstantOp::create(builder, location, cast<ElementsAttr>(elements.resizeSplat(scalarType)))
                  .getResult();
    if (dims.empty()) return replace(constant, scalar);
    auto type = openType(cast<RankedTensorType>(constant.getType()), dims);
    if (!rises(dims))
      return replace(constant,
                     hlo::BroadcastInDimOp::create(builder, location, type, scalar, builder.getDenseI64ArrayAttr({})));
    return replace(
        constant, hlo::DynamicBroadcastInDimOp::create(builder, location, type, scalar, vector(builder, location, dims),
                                                       builder.getDenseI64ArrayAttr({}), nullptr, nullptr));
  }

  bool openSlice(const OpLines &op, hlo::SliceOp slice) {
    OpBuilder builder(slice);
    auto list = [&](StringRef name, ArrayRef<int64_t> numbers) {
      return vector(builder, slice.getLoc(), linesOf(op, name, numbers));
    };
    return replace(slice, hlo::RealDynamicSliceOp::create(builder, slice.getLoc(), slice.getType(), slice.getOperand(),
                                                          list("start_indices", slice.getStartIndices()),
                                                          list("limit_indices", slice.getLimitIndices()),
                                                          list("strides", slice.getStrides())));
  }

  bool openPad(const OpLines &op, hlo::PadOp pad) {
    OpBuilder builder(pad);
    auto list = [&](StringRef name, ArrayRef<int64_t> numbers) {
      return vector(builder, pad.getLoc(), linesOf(op, name, numbers));
    };
    return replace(
        pad, hlo::DynamicPadOp::create(builder, pad.getLoc(), pad.getType(), pad.getOperand(), pad.getPaddingValue(),
                                       list("edge_padding_low", pad.getEdgePaddingLow()),
                                       list("edge_padding_high", pad.getEdgePaddingHigh()),
                                       list("interior_padding", pad.getInteriorPadding())));
  }

  bool openGather(const OpLines &op, hlo::GatherOp gather) {
    OpBuilder builder(gather);
    Value sizes = vector(builder, gather.getLoc(), linesOf(op, "slice_sizes", gather.getSliceSizes()));
    return replace(gather,
                   hlo::DynamicGatherOp::create(builder, gather.getLoc(), gather.getType(), gather.getOperand(),
                                                gather.getStartIndices(), sizes, gather.getDimensionNumbersAttr(),
                                                gather.getIndicesAreSortedAttr()));
  }

  // Starts are held back so that the slice lies within the array.
  bool openDynamicSlice(const OpLines &op, hlo::DynamicSliceOp slice) {
    OpBuilder builder(slice);
    Location location = slice.getLoc();
    const Lines sizes = linesOf(op, "slice_sizes", slice.getSliceSizes()), dims = dims_[slice.getOperand()];
    SmallVector<Value> starts;
    for (auto [start, size, dim] : llvm::zip_equal(slice.getStartIndices(), sizes, dims)) {
      auto type = cast<RankedTensorType>(start.getType());
      Value least = converted(builder, location, number({0, 0}), type.getElementType()),
            most = converted(builder, location, number({dim.scale - size.scale, dim.offset - size.offset}),
                             type.getElementType());
      Value held = hlo::ClampOp::create(builder, location, type, least, start, most);
      starts.push_back(converted(builder, location, held, builder.getI32Type()));
    }
    Value from = vectorOf(builder, location, starts, builder.getI32Type()), count = vector(builder, location, sizes),
          ones = vector(builder, location, SmallVector<int64_t>(sizes.size(), 1));
    Value to = hlo::AddOp::create(builder, location, from.getType(), from, count);
    return replace(
        slice, hlo::RealDynamicSliceOp::create(builder, location, slice.getType(), slice.getOperand(), from, to, ones));
  }

  // Makes the call that JAX makes, with the reducer as a function.
  bool openWindows(const OpLines &op, hlo::ReduceWindowOp reduce) {
    OpBuilder builder(reduce);
    Location location = reduce.getLoc();
    const auto rank = static_cast<int64_t>(reduce.getWindowDimensions().size());
    const SmallVector<int64_t> ones(rank, 1);
    SmallVector<int64_t> padding(2 * rank, 0);
    if (auto given = reduce.getPadding())
      for (auto [to, number] : llvm::zip_equal(padding, given->getValues<APInt>())) to = number.getSExtValue();
    // The lines of an array of rank 2 begin with its extents.
    Lines padLines = linesOf(op, "padding", padding);
    if (padLines.size() > padding.size()) padLines.erase(padLines.begin(), padLines.begin() + 2);
    if (padLines.size() != padding.size()) padLines.resize(padding.size(), padLines.front());
    auto list = [&](StringRef name, std::optional<ArrayRef<int64_t>> numbers) {
      return vector(builder, location, linesOf(op, name, numbers ? *numbers : ArrayRef(ones)));
    };
    SmallVector<Value> operands(reduce.getOperands());
    operands.push_back(list("window_dimensions", reduce.getWindowDimensions()));
    operands.push_back(list("window_strides", reduce.getWindowStrides()));
    operands.push_back(list("base_dilations", reduce.getBaseDilations()));
    operands.push_back(list("window_dilations", reduce.getWindowDilations()));
    operands.push_back(hlo::ReshapeOp::create(builder, location, RankedTensorType::get({rank, 2}, builder.getI32Type()),
                                              vector(builder, location, padLines)));
    auto call = hlo::CustomCallOp::create(
        builder, location, reduce.getResultTypes(), operands,
        ArrayRef<NamedAttribute>{
            builder.getNamedAttr("call_target_name", builder.getStringAttr("stablehlo.dynamic_reduce_window")),
            builder.getNamedAttr("called_computations",
                                 builder.getArrayAttr({FlatSymbolRefAttr::get(outlined(reduce.getBody()))}))});
    for (auto [from, to] : llvm::zip_equal(reduce.getResults(), call.getResults())) dims_[to] = Lines(dims_[from]);
    reduce.replaceAllUsesWith(call.getResults());
    reduce.erase();
    return true;
  }

  func::FuncOp outlined(Region &region) {
    OpBuilder builder = OpBuilder::atBlockEnd(module_.getBody());
    Operation *end = region.front().getTerminator();
    auto function = func::FuncOp::create(builder, region.getLoc(), "reducer_" + std::to_string(reducers_++),
                                         builder.getFunctionType(region.getArgumentTypes(), end->getOperandTypes()));
    function.setPrivate();
    function.getBody().takeBody(region);
    builder.setInsertionPoint(end);
    func::ReturnOp::create(builder, end->getLoc(), end->getOperands());
    end->erase();
    return function;
  }

  // Main's type, and how large its arguments are.
  void finish() {
    Block &body = main_.getBody().front();
    Builder builder(module_.getContext());
    main_.setType(builder.getFunctionType(body.getArgumentTypes(), body.getTerminator()->getOperandTypes()));
    ExtentSpace space;
    const Extent size = space.symbol(symbol_, {0, int64_t{1} << 31});
    for (auto [i, argument] : llvm::enumerate(main_.getArguments())) {
      auto lines = dims_.find(argument);
      if (lines == dims_.end() || !rises(lines->second)) continue;
      SmallVector<Attribute> texts;
      for (const SizeLine &line : lines->second)
        texts.push_back(builder.getStringAttr(
            space.text(ExtentSpace::add(ExtentSpace::scale(size, line.scale), Extent::number(line.offset)))));
      main_.setArgAttr(i, kDimsAttr, builder.getArrayAttr(texts));
    }
  }

  ModuleOp module_;
  func::FuncOp main_;
  ArrayRef<SizeLine> left_;
  std::string symbol_, why_;
  llvm::DenseMap<Value, Lines> dims_;
  RankedTensorType scalar_;
  SmallVector<std::pair<SizeLine, Value>> scalars_;  // the size first
  Operation *last_ = nullptr;                        // of those that are made for them
  unsigned reducers_ = 0;
};

}  // namespace

bool openSizes(ModuleOp module, const SizeLines &lines, StringRef symbol, std::string &why) {
  return Opener(module, lines.lines(), symbol).run(why);
}

}  // namespace tpuc::shapes
