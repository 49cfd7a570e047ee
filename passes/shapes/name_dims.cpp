// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "llvm/ADT/StringExtras.h"
#include "passes/shapes/passes.h"
#include "passes/shapes/size_arguments.h"
#include "runtime/isa/dim_expr.h"

using namespace mlir;

namespace tpuc::shapes {

using ::tpuc::isa::DimExpr;
#define GEN_PASS_DEF_NAMEDIMSPASS
#include "passes/shapes/passes.h.inc"

namespace {

constexpr StringLiteral kSpecifications = "Using the following polymorphic shapes specifications: ";
constexpr StringLiteral kShape = ".shape = (";

// The shapes that JAX's message lists: those of the arguments with symbols, in the arguments' order.
std::vector<std::vector<std::string>> listedShapes(StringRef message) {
  std::vector<std::vector<std::string>> shapes;
  size_t at = message.find(kSpecifications);
  if (at == StringRef::npos) return {};
  StringRef text = message.drop_front(at + kSpecifications.size());
  while (true) {
    at = text.find(kShape);
    // Another sentence follows the list.
    if (at == StringRef::npos || text.take_front(at).contains(". ")) return shapes;
    text = text.drop_front(at + kShape.size());
    size_t end = 0, depth = 1;
    for (; end < text.size(); ++end) {
      depth += text[end] == '(' ? 1 : text[end] == ')' ? -1 : 0;
      if (depth == 0) break;
    }
    std::vector<std::string> dims;
    StringRef shape = text.take_front(end);
    size_t start = 0;
    depth = 0;
    for (size_t i = 0; i <= shape.size(); ++i) {
      const char c = i < shape.size() ? shape[i] : ',';
      depth += c == '(' ? 1 : c == ')' ? -1 : 0;
      if (c != ',' || depth) continue;
      if (StringRef dim = shape.slice(start, i).trim(); !dim.empty()) dims.push_back(dim.str());
      start = i + 1;
    }
    shapes.push_back(std::move(dims));
    text = text.drop_front(std::min(end, text.size()));
  }
}

// Does the list fit the type: as many dims, numbers where the type has them?
bool describes(ArrayRef<std::string> dims, RankedTensorType type) {
  if (static_cast<int64_t>(dims.size()) != type.getRank()) return false;
  for (auto [dim, size] : llvm::zip_equal(dims, type.getShape())) {
    std::string error;
    std::optional<DimExpr> expression = DimExpr::parse(dim, error);
    if (!expression) return false;
    std::optional<int64_t> number = expression->asNumber();
    if (!ShapedType::isDynamic(size) && number != size) return false;
  }
  return true;
}

struct NameDims : impl::NameDimsPassBase<NameDims> {
  void runOnOperation() override {
    auto main = getOperation().lookupSymbol<func::FuncOp>("main");
    if (!main) return;
    auto listed = specifications();
    size_t next = 0;
    for (auto [i, type] : llvm::enumerate(main.getArgumentTypes())) {
      auto tensor = dyn_cast<RankedTensorType>(type);
      if (!tensor || tensor.hasStaticShape() || main.getArgAttr(i, kDimsAttr)) continue;
      const bool fits = next < listed.size() && describes(listed[next], tensor);
      name(main, i, tensor, fits ? ArrayRef<std::string>(listed[next]) : ArrayRef<std::string>());
      ++next;
    }
    nameSizes(main);
  }

  // By the name that an export gives them, else by their place.
  void nameSizes(func::FuncOp main) {
    if (main.isExternal()) return;
    for (unsigned i : sizeArguments(main)) {
      if (main.getArgAttr(i, kSizeAttr)) continue;
      auto given = main.getArgAttrOfType<StringAttr>(i, "jax.global_constant");
      main.setArgAttr(i, kSizeAttr, given ? given : StringAttr::get(&getContext(), "arg" + Twine(i)));
    }
  }

  // The shapes that an export says. They are as many as main has arguments with open sizes: other lists belong to
  // another function.
  std::vector<std::vector<std::string>> specifications() {
    std::vector<std::vector<std::string>> shapes;
    getOperation().walk([&](stablehlo::CustomCallOp call) {
      auto message = call->getAttrOfType<StringAttr>("error_message");
      if (call.getCallTargetName() == "shape_assertion" && message) shapes = listedShapes(message.getValue());
      return shapes.empty() ? WalkResult::advance() : WalkResult::interrupt();
    });
    return shapes;
  }

  void name(func::FuncOp main, unsigned argument, RankedTensorType type, ArrayRef<std::string> dims) {
    SmallVector<std::string> names;
    for (auto [dim, size] : llvm::enumerate(type.getShape())) {
      const std::string number = std::to_string(size), place = ("arg" + Twine(argument) + "." + Twine(dim)).str();
      names.push_back(!ShapedType::isDynamic(size) ? number : dims.empty() ? place : dims[dim]);
    }
    Builder builder(&getContext());
    main.setArgAttr(argument, kDimsAttr, builder.getStrArrayAttr(llvm::to_vector_of<StringRef>(names)));
  }
};

}  // namespace
}  // namespace tpuc::shapes
