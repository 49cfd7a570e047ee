// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// 1. Each symbol gets its range, main's arguments the largest types and their extents, and one more argument a symbol:
//    its true size.
// 2. The ops become static ones, masks in front of those through which padding would reach a result (padder.h).
// 3. Results and arguments say their true sizes, main the conditions that sizes have to fulfil.
// All of it on a copy: where an op is refused the program stays as it is, for its exact size.
#include "dialects/diagnostics/diagnose.h"
#include "dialects/diagnostics/outer_codes.h"
#include "passes/shapes/padder.h"
#include "passes/shapes/passes.h"

using namespace mlir;

namespace tpuc::shapes {
#define GEN_PASS_DEF_BUCKETSHAPESPASS
#include "passes/shapes/passes.h.inc"

namespace hlo = tpuc::stablehlo;

namespace {

// "b=17..32", or "b=17".
LogicalResult readRanges(func::FuncOp main, ArrayRef<std::string> texts, llvm::StringMap<ExtentRange> &ranges) {
  for (StringRef text : texts) {
    auto [name, sizes] = text.split('=');
    auto [first, last] = sizes.split("..");
    ExtentRange range;
    if (name.empty() || first.getAsInteger(10, range.least) ||
        (last.empty() ? first : last).getAsInteger(10, range.most) || range.least < 0 || range.most < range.least)
      return diagnose(main, codes::kSizes)
             << "expects NAME=LEAST..MOST with sizes of 0 at least, but got '" << text << "'";
    ranges[name] = range;
  }
  return success();
}

class Bucket {
 public:
  Bucket(func::FuncOp main, const llvm::StringMap<ExtentRange> &ranges) : main_(main), ranges_(ranges), padder_(main) {}

  LogicalResult make() {
    if (failed(readArguments())) return failure();
    addExtents();
    if (failed(setArguments()) || failed(padder_.run())) return failure();
    finish();
    return success();
  }
  Padder &padder() { return padder_; }

 private:
  bool isOpen(unsigned i) {
    auto type = dyn_cast<RankedTensorType>(main_.getArgumentTypes()[i]);
    return type && !type.hasStaticShape();
  }

  LogicalResult readArguments() {
    DimExpr::Symbols names;
    for (unsigned i = 0; i < main_.getNumArguments(); ++i) {
      auto dims = isOpen(i) ? main_.getArgAttrOfType<ArrayAttr>(i, kDimsAttr) : ArrayAttr();
      declared_.emplace_back();
      if (!dims) continue;
      for (StringRef text : dims.getAsValueRange<StringAttr>()) {
        std::string error;
        std::optional<DimExpr> dim = DimExpr::parse(text, error);
        if (!dim) return diagnose(main_, codes::kSizes) << error << ", a size of argument " << i;
        dim->collectSymbols(names);
        declared_.back().push_back(std::move(*dim));
      }
    }
    symbols_ = llvm::to_vector(names);
    for (unsigned i = 0; i < main_.getNumArguments(); ++i)
      if (auto name = main_.getArgAttrOfType<StringAttr>(i, kSizeAttr); name && !llvm::is_contained(names, name.str()))
        return diagnose(main_.getArgument(i).getLoc(), codes::kSizes)
               << "expects an array that has the size '" << name.getValue() << "' of argument " << i
               << ": a bucket is chosen by arrays' shapes. Give --dim=" << name.getValue() << "=SIZE without buckets";
    for (const std::string &name : symbols_)
      if (!ranges_.contains(name))
        return diagnose(main_, codes::kSizes)
               << "expects sizes for '" << name << "': give --bucket=" << name << "=SIZES or --dim=" << name << "=SIZE";
    for (const auto &entry : ranges_)
      if (!llvm::is_contained(symbols_, entry.first().str()))
        return diagnose(main_, codes::kSizes) << "expects one of the program's open sizes ("
                                              << (symbols_.empty() ? "it has none" : llvm::join(symbols_, ", "))
                                              << "), but got '" << entry.first() << "'";
    return success();
  }

  void addExtents() {
    Builder builder(main_.getContext());
    auto type = RankedTensorType::get({}, builder.getI32Type());
    for (const std::string &name : symbols_) {
      const unsigned at = main_.getNumArguments();
      const ExtentRange range = ranges_.lookup(name);
      (void)main_.insertArgument(
          at, type,
          builder.getDictionaryAttr({builder.getNamedAttr(kExtentAttr, builder.getStringAttr(name)),
                                     builder.getNamedAttr(kernel::kLeastAttr, builder.getI64IntegerAttr(range.least))}),
          main_.getLoc());
      Extent extent = padder_.space.symbol(name, range);
      padder_.values.set(main_.getArgument(at), {extent});
    }
    for (unsigned i = 0; i < main_.getNumArguments(); ++i)
      if (auto name = cast_or_null<StringAttr>(main_.removeArgAttr(i, kSizeAttr)))
        padder_.values.set(main_.getArgument(i), {*extentOf(DimExpr::symbol(name.getValue()))});
  }

  LogicalResult setArguments() {
    for (auto [i, dims] : llvm::enumerate(declared_)) {
      if (dims.empty()) continue;
      BlockArgument argument = main_.getArgument(i);
      auto type = cast<RankedTensorType>(argument.getType());
      Extents extents;
      SmallVector<int64_t> bounds = hlo::upperBounds(type);
      for (auto [dim, expression] : llvm::enumerate(dims)) {
        // A symbol of one size is a number.
        std::optional<Extent> extent =
            type.isDynamicDim(dim) ? extentOf(expression) : Extent::number(type.getDimSize(dim));
        if (!extent)
          return diagnose(argument.getLoc(), codes::kSizes)
                 << "expects dimension " << dim << " of argument " << i << " to have a size in these buckets";
        const ExtentRange range = padder_.space.range(*extent);
        if (range.most < 0)
          return diagnose(argument.getLoc(), codes::kSizes)
                 << "expects dimension " << dim << " of argument " << i << " to be 0 at least, but got " << range.most;
        if (!ShapedType::isDynamic(bounds[dim]) && range.most > bounds[dim])
          return diagnose(argument.getLoc(), codes::kSizes)
                 << "expects dimension " << dim << " of argument " << i << " to be " << bounds[dim]
                 << " at most, its bound, but got " << range.most;
        extents.push_back(*extent);
      }
      argument.setType(padder_.typeOf(type.getElementType(), extents));
      padder_.setExtents(argument, extents);
    }
    return success();
  }

  std::optional<Extent> extentOf(const DimExpr &expression) {
    if (expression.kind() == DimExpr::Kind::Symbol)
      return padder_.space.symbol(expression.name(), ranges_.lookup(expression.name()));
    DimExpr::Sizes known;
    for (const auto &entry : ranges_)
      if (entry.second.isOne()) known[entry.first().str()] = entry.second.least;
    if (auto number = expression.evaluate(known)) return Extent::number(*number);
    return padder_.space.from(expression, known);
  }

  void finish() {
    Builder builder(main_.getContext());
    Operation *end = main_.getBody().front().getTerminator();
    main_.setType(FunctionType::get(main_.getContext(), main_.getBody().getArgumentTypes(), end->getOperandTypes()));
    for (auto [i, value] : llvm::enumerate(end->getOperands())) {
      SmallVector<Attribute> dims;
      for (const Extent &extent : padder_.extents(value))
        dims.push_back(builder.getStringAttr(padder_.space.text(extent)));
      if (padder_.isPadded(value)) main_.setResultAttr(i, kDimsAttr, builder.getArrayAttr(dims));
    }
    SmallVector<Attribute> conditions;
    for (const SizeCondition &condition : padder_.conditions())
      conditions.push_back(
          builder.getDictionaryAttr({builder.getNamedAttr("size", builder.getStringAttr(condition.size)),
                                     builder.getNamedAttr("zero", builder.getBoolAttr(condition.zero)),
                                     builder.getNamedAttr("message", builder.getStringAttr(condition.message))}));
    if (!conditions.empty()) main_->setAttr(kConditionsAttr, builder.getArrayAttr(conditions));
  }

  func::FuncOp main_;
  const llvm::StringMap<ExtentRange> &ranges_;
  Padder padder_;
  std::vector<std::vector<DimExpr>> declared_;  // by argument
  SmallVector<std::string> symbols_;
};

struct BucketShapes : impl::BucketShapesPassBase<BucketShapes> {
  using BucketShapesPassBase::BucketShapesPassBase;

  // Makes a program of the largest sizes alone. Its arguments keep the attributes that name their sizes.
  LogicalResult makeExact(func::FuncOp main, const llvm::StringMap<ExtentRange> &ranges) {
    SmallVector<Attribute> dims;
    for (unsigned i = 0; i < main.getNumArguments(); ++i) dims.push_back(main.getArgAttr(i, kDimsAttr));
    RefineShapesPassOptions refine;
    for (const auto &entry : ranges) refine.dims.push_back((entry.first() + "=" + Twine(entry.second.most)).str());
    OpPassManager pm("builtin.module");
    pm.addPass(createRefineShapesPass(refine));
    if (failed(runPipeline(pm, getOperation()))) return failure();
    for (auto [i, attribute] : llvm::enumerate(dims))
      if (attribute) main.setArgAttr(i, kDimsAttr, attribute);
    return success();
  }

  void runOnOperation() override {
    auto main = getOperation().lookupSymbol<func::FuncOp>("main");
    if (!main || main.isExternal() || sizes.empty()) return;
    llvm::StringMap<ExtentRange> ranges;
    if (failed(readRanges(main, llvm::to_vector(sizes), ranges))) return signalPassFailure();
    func::FuncOp copy = main.clone();
    getOperation().getBody()->push_back(copy);
    Bucket bucket(copy, ranges);
    if (succeeded(bucket.make())) {
      copy->moveBefore(main);
      main.erase();
      return;
    }
    copy->remove();
    if (Operation *op = bucket.padder().refused()) {
      op->emitRemark() << "the program is compiled for exact sizes: '" << op->getName().getStringRef()
                       << "': " << bucket.padder().whyRefused();
      if (failed(makeExact(main, ranges))) signalPassFailure();
      main->setAttr(kExactAttr, StringAttr::get(&getContext(), bucket.padder().whyRefused()));
    } else {
      signalPassFailure();
    }
    copy->erase();
  }
};

}  // namespace
}  // namespace tpuc::shapes
