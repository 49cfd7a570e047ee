// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "passes/shapes/argument_shapes.h"

#include "dialects/diagnostics/diagnose.h"
#include "dialects/diagnostics/outer_codes.h"
#include "dialects/stablehlo/types.h"
#include "llvm/ADT/StringExtras.h"
#include "passes/shapes/passes.h"
#include "runtime/isa/dim_expr.h"

using namespace mlir;

namespace tpuc::shapes {

using ::tpuc::isa::DimExpr;

namespace hlo = tpuc::stablehlo;

namespace {

std::string shapeText(ArrayRef<int64_t> shape) {
  return shape.empty() ? "scalar"
                       : llvm::join(llvm::map_range(shape, [](int64_t n) { return std::to_string(n); }), "x");
}

class Arguments {
 public:
  explicit Arguments(func::FuncOp main) : main_(main) {}

  LogicalResult readDeclared();
  LogicalResult readSizes(ArrayRef<std::string> dims);
  LogicalResult readShapes(ArrayRef<std::string> texts);
  // Sizes of symbols from the given shapes, one unknown at a time.
  void solve();
  FailureOr<SmallVector<Type>> types() const;
  SmallVector<std::optional<int64_t>> values() const;

 private:
  RankedTensorType tensor(unsigned i) const { return dyn_cast<RankedTensorType>(main_.getArgument(i).getType()); }
  unsigned count() const { return main_.getNumArguments(); }
  std::string symbolNames() const;
  std::optional<StringRef> onlyUnknown(const DimExpr &dim) const;
  bool solveOne(const DimExpr &dim, int64_t size);
  FailureOr<int64_t> sizeOf(unsigned argument, unsigned dim) const;
  // The size in the program's text.
  StringRef textOf(unsigned argument, unsigned dim) const {
    return cast<StringAttr>(main_.getArgAttrOfType<ArrayAttr>(argument, kDimsAttr)[dim]).getValue();
  }

  mutable func::FuncOp main_;                   // MLIR's accessors are not const
  std::vector<std::vector<DimExpr>> declared_;  // by argument; empty for one of known sizes
  std::vector<std::optional<SmallVector<int64_t>>> given_;
  DimExpr::Symbols symbols_;
  DimExpr::Sizes sizes_;
};

std::string Arguments::symbolNames() const {
  SmallVector<StringRef> names = llvm::to_vector_of<StringRef>(symbols_);
  llvm::sort(names);
  return llvm::join(names, ", ");
}

LogicalResult Arguments::readDeclared() {
  declared_.resize(count());
  given_.resize(count());
  for (unsigned i = 0; i < count(); ++i) {
    auto dims = main_.getArgAttrOfType<ArrayAttr>(i, kDimsAttr);
    RankedTensorType type = tensor(i);
    if (auto name = main_.getArgAttrOfType<StringAttr>(i, kSizeAttr)) symbols_.insert(name.str());
    if (!type || type.hasStaticShape()) continue;
    if (!dims || static_cast<int64_t>(dims.size()) != type.getRank() || !llvm::all_of(dims, llvm::IsaPred<StringAttr>))
      return diagnose(main_, codes::kSizes)
             << "expects " << kDimsAttr << " of argument " << i << " to name " << type.getRank() << " sizes";
    for (auto [text, size] : llvm::zip_equal(dims.getAsValueRange<StringAttr>(), type.getShape())) {
      std::string error;
      std::optional<DimExpr> dim = DimExpr::parse(text, error);
      if (!dim) return diagnose(main_, codes::kSizes) << error << ", a size of argument " << i;
      declared_[i].push_back(ShapedType::isDynamic(size) ? std::move(*dim) : DimExpr::number(size));
      declared_[i].back().collectSymbols(symbols_);
    }
  }
  return success();
}

LogicalResult Arguments::readSizes(ArrayRef<std::string> dims) {
  for (StringRef text : dims) {
    auto [name, number] = text.split('=');
    int64_t size;
    if (number.getAsInteger(10, size) || size < 0)
      return diagnose(main_, codes::kSizes) << "expects NAME=SIZE with a size of 0 at least, but got '" << text << "'";
    // A program of known sizes has no symbols: nothing would follow from the flag.
    if (!symbols_.contains(name))
      return diagnose(main_, codes::kSizes)
             << "expects one of the program's open sizes (" << (symbols_.empty() ? "it has none" : symbolNames())
             << "), but got '" << name << "'";
    auto [entry, isNew] = sizes_.try_emplace(name.str(), size);
    if (!isNew && entry->second != size)
      return diagnose(main_, codes::kSizes)
             << "expects one size for '" << name << "', but got " << entry->second << " and " << size;
  }
  return success();
}

LogicalResult Arguments::readShapes(ArrayRef<std::string> texts) {
  // Arguments of known size are compared with their inputs where those are read.
  for (auto [i, text] : llvm::enumerate(texts)) {
    if (text == "?" || i >= count() || !tensor(i) || tensor(i).hasStaticShape()) continue;
    SmallVector<int64_t> shape;
    SmallVector<StringRef> sizes;
    if (text != "scalar") StringRef(text).split(sizes, 'x');
    for (StringRef size : sizes)
      if (size.getAsInteger(10, shape.emplace_back()) || shape.back() < 0)
        return diagnose(main_, codes::kSizes) << "expects a shape as 8x128, but got '" << text << "'";
    RankedTensorType type = tensor(i);
    const bool fits = type.getRank() == static_cast<int64_t>(shape.size()) &&
                      llvm::all_of(llvm::zip_equal(type.getShape(), shape),
                                   [](auto pair) { return hlo::sameDim(std::get<0>(pair), std::get<1>(pair)); });
    if (!fits)
      return diagnose(main_.getArgument(i).getLoc(), codes::kSizes)
             << "expects argument " << i << " to be " << type << ", but got " << shapeText(shape);
    given_[i] = shape;
  }
  return success();
}

std::optional<StringRef> Arguments::onlyUnknown(const DimExpr &dim) const {
  DimExpr::Symbols symbols;
  dim.collectSymbols(symbols);
  std::optional<StringRef> unknown;
  for (StringRef symbol : symbols) {
    if (sizes_.contains(symbol)) continue;
    if (unknown) return std::nullopt;
    unknown = *symbols_.find(symbol);
  }
  return unknown;
}

bool Arguments::solveOne(const DimExpr &dim, int64_t size) {
  std::optional<StringRef> unknown = onlyUnknown(dim);
  std::optional<int64_t> solution = unknown ? dim.solve(*unknown, size, sizes_) : std::nullopt;
  if (!solution || *solution < 0) return false;
  sizes_[unknown->str()] = *solution;
  return true;
}

void Arguments::solve() {
  for (bool found = true; found;) {
    found = false;
    for (unsigned i = 0; i < count(); ++i)
      if (given_[i])
        for (auto [dim, size] : llvm::zip(declared_[i], *given_[i])) found |= solveOne(dim, size);
  }
}

FailureOr<int64_t> Arguments::sizeOf(unsigned argument, unsigned dim) const {
  const DimExpr &expression = declared_[argument][dim];
  Location location = main_.getArgument(argument).getLoc();
  std::optional<int64_t> size = expression.evaluate(sizes_);
  if (given_[argument]) {
    const int64_t given = (*given_[argument])[dim];
    if (size && *size != given)
      return diagnose(location, codes::kSizes)
             << "expects dimension " << dim << " of argument " << argument << " to be " << *size
             << ", as the other sizes have it, but got " << given;
    if (std::optional<StringRef> unknown = size ? std::nullopt : onlyUnknown(expression);
        unknown && expression.isLinear(*unknown, sizes_))
      return diagnose(location, codes::kSizes)
             << "expects dimension " << dim << " of argument " << argument << " to be " << textOf(argument, dim)
             << ", but no size of " << *unknown << " makes it " << given;
    size = given;
  }
  if (!size) {
    DimExpr::Symbols symbols;
    expression.collectSymbols(symbols);
    SmallVector<StringRef> missing;
    for (StringRef symbol : symbols)
      if (!sizes_.contains(symbol)) missing.push_back(symbol);
    llvm::sort(missing);
    if (missing.empty())
      return diagnose(location, codes::kSizes)
             << "expects dimension " << dim << " of argument " << argument << " to have a size that 64 bits hold";
    std::string flags = llvm::join(llvm::map_range(missing, [](StringRef name) { return name.str() + "=SIZE"; }), ",");
    return diagnose(location, codes::kSizes) << "expects a size for dimension " << dim << " of argument " << argument
                                             << ": give --dim=" << flags << ", or inputs";
  }
  if (*size < 0)
    return diagnose(location, codes::kSizes)
           << "expects dimension " << dim << " of argument " << argument << " to be 0 at least, but got " << *size;
  return *size;
}

FailureOr<SmallVector<Type>> Arguments::types() const {
  SmallVector<Type> types(main_.getArgumentTypes());
  for (unsigned i = 0; i < count(); ++i) {
    RankedTensorType type = tensor(i);
    if (!type || type.hasStaticShape()) continue;
    SmallVector<int64_t> shape, bounds = hlo::upperBounds(type);
    for (unsigned dim = 0; dim < type.getRank(); ++dim) {
      FailureOr<int64_t> size = sizeOf(i, dim);
      if (failed(size)) return failure();
      if (!ShapedType::isDynamic(bounds[dim]) && *size > bounds[dim])
        return diagnose(main_.getArgument(i).getLoc(), codes::kSizes)
               << "expects dimension " << dim << " of argument " << i << " to be " << bounds[dim]
               << " at most, its bound, but got " << *size;
      shape.push_back(*size);
    }
    types[i] = RankedTensorType::get(shape, type.getElementType());
  }
  return types;
}

SmallVector<std::optional<int64_t>> Arguments::values() const {
  SmallVector<std::optional<int64_t>> values(count());
  for (unsigned i = 0; i < count(); ++i)
    if (auto name = main_.getArgAttrOfType<StringAttr>(i, kSizeAttr))
      if (auto size = sizes_.find(name.getValue()); size != sizes_.end()) values[i] = size->second;
  return values;
}

}  // namespace

FailureOr<ArgumentSizes> argumentSizes(func::FuncOp main, ArrayRef<std::string> dims, ArrayRef<std::string> arguments) {
  Arguments all(main);
  if (failed(all.readDeclared()) || failed(all.readSizes(dims)) || failed(all.readShapes(arguments))) return failure();
  all.solve();
  FailureOr<SmallVector<Type>> types = all.types();
  if (failed(types)) return failure();
  return ArgumentSizes{std::move(*types), all.values()};
}

}  // namespace tpuc::shapes
