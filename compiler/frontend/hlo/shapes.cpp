// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// ShapeProto: the type of an array, or a tuple of shapes.
#include "compiler/frontend/hlo/shapes.h"

#include "compiler/frontend/hlo/fields.h"
#include "dialects/stablehlo/stablehlo.h"
#include "mlir/IR/BuiltinTypes.h"

using namespace mlir;

namespace tpuc::frontend::hlo {
namespace {

constexpr unsigned kMostDepth = 64;
constexpr size_t kMostLeaves = 1 << 20;

bool readTuple(const Message &proto, MLIRContext *context, Shape &shape, std::string &error, unsigned depth) {
  shape.isTuple = true;
  shape.leaves = 0;
  if (depth > kMostDepth) return error = "expects tuples nested at most 64 deep", false;
  for (const Message &element : proto.messages(kTupleShapes)) {
    if (!readShape(element, context, shape.elements.emplace_back(), error, depth + 1)) return false;
    shape.leaves += shape.elements.back().leaves;
    if (shape.leaves > kMostLeaves) return error = "expects a tuple of at most 2^20 arrays", false;
  }
  return true;
}

// A dim that is dynamic has its bound for a size; without a bound it has a negative one.
bool readDims(const Message &proto, SmallVectorImpl<int64_t> &dims, SmallVectorImpl<int64_t> &bounds,
              std::string &error) {
  dims = proto.numbers(kShapeDims);
  SmallVector<int64_t> dynamic = proto.numbers(kIsDynamic);
  if (!dynamic.empty() && dynamic.size() != dims.size()) return error = "expects as many dynamic dims as dims", false;
  bounds.assign(dims.size(), ShapedType::kDynamic);
  for (size_t i = 0; i < dims.size(); ++i) {
    bool isDynamic = !dynamic.empty() && dynamic[i];
    if (dims[i] < 0 && !isDynamic) return error = "expects sizes of dims, but got " + std::to_string(dims[i]), false;
    if (!isDynamic) continue;
    if (dims[i] >= 0) bounds[i] = dims[i];
    dims[i] = ShapedType::kDynamic;
  }
  return true;
}

bool readLayout(const Message &proto, size_t rank, Shape &shape, std::string &error) {
  shape.minorToMajor = proto.message(kLayout).numbers(kMinorToMajor);
  if (shape.minorToMajor.empty()) return true;
  SmallVector<bool> seen(rank, false);
  for (int64_t dim : shape.minorToMajor) {
    if (dim < 0 || dim >= static_cast<int64_t>(rank) || seen[dim]) return error = "expects a layout of its dims", false;
    seen[dim] = true;
  }
  if (shape.minorToMajor.size() != rank) return error = "expects a layout of all dims", false;
  return true;
}

}  // namespace

Type elementType(int64_t primitive, MLIRContext *context) {
  Builder b(context);
  switch (primitive) {
    case kPred:
      return b.getI1Type();
    case kS2:
      return b.getIntegerType(2);
    case kS4:
      return b.getIntegerType(4);
    case kS8:
      return b.getIntegerType(8);
    case kS16:
      return b.getIntegerType(16);
    case kS32:
      return b.getIntegerType(32);
    case kS64:
      return b.getIntegerType(64);
    case kU2:
      return b.getIntegerType(2, false);
    case kU4:
      return b.getIntegerType(4, false);
    case kU8:
      return b.getIntegerType(8, false);
    case kU16:
      return b.getIntegerType(16, false);
    case kU32:
      return b.getIntegerType(32, false);
    case kU64:
      return b.getIntegerType(64, false);
    case kF16:
      return b.getF16Type();
    case kBf16:
      return b.getBF16Type();
    case kF32:
      return b.getF32Type();
    case kF64:
      return b.getF64Type();
    case kC64:
      return ComplexType::get(b.getF32Type());
    case kC128:
      return ComplexType::get(b.getF64Type());
    case kF4E2M1FN:
      return Float4E2M1FNType::get(context);
    case kF8E3M4:
      return Float8E3M4Type::get(context);
    case kF8E4M3:
      return Float8E4M3Type::get(context);
    case kF8E4M3FN:
      return Float8E4M3FNType::get(context);
    case kF8E4M3FNUZ:
      return Float8E4M3FNUZType::get(context);
    case kF8E4M3B11FNUZ:
      return Float8E4M3B11FNUZType::get(context);
    case kF8E5M2:
      return Float8E5M2Type::get(context);
    case kF8E5M2FNUZ:
      return Float8E5M2FNUZType::get(context);
    case kF8E8M0FNU:
      return Float8E8M0FNUType::get(context);
    default:
      return {};
  }
}

bool readShape(const Message &proto, MLIRContext *context, Shape &shape, std::string &error, unsigned depth) {
  const int64_t primitive = proto.number(kElementType);
  if (primitive == kTuple) return readTuple(proto, context, shape, error, depth);
  if (primitive == kToken) {
    shape.type = stablehlo::TokenType::get(context);
    return true;
  }
  Type element = elementType(primitive, context);
  if (!element) return error = "expects an element type of StableHLO, but got type " + std::to_string(primitive), false;
  SmallVector<int64_t> dims, bounds;
  if (!readDims(proto, dims, bounds, error) || !readLayout(proto, dims.size(), shape, error)) return false;
  bool bounded = llvm::any_of(bounds, [](int64_t bound) { return !ShapedType::isDynamic(bound); });
  shape.type = bounded ? stablehlo::withBounds(dims, bounds, element) : RankedTensorType::get(dims, element);
  return true;
}

void Shape::appendTypes(SmallVectorImpl<Type> &types) const {
  if (!isTuple) types.push_back(type);
  for (const Shape &element : elements) element.appendTypes(types);
}

SmallVector<Type> Shape::types() const {
  SmallVector<Type> types;
  appendTypes(types);
  return types;
}

std::optional<size_t> Shape::leafAt(ArrayRef<int64_t> index) const {
  size_t before = 0;
  const Shape *shape = this;
  for (int64_t i : index) {
    if (!shape->isTuple || i < 0 || i >= static_cast<int64_t>(shape->elements.size())) return std::nullopt;
    for (int64_t k = 0; k < i; ++k) before += shape->elements[k].leaves;
    shape = &shape->elements[i];
  }
  return before;
}

SmallVector<int64_t> Shape::majorToMinor() const {
  SmallVector<int64_t> order(llvm::reverse(minorToMajor));
  auto array = dyn_cast_or_null<RankedTensorType>(type);
  if (order.empty() && array) order = llvm::to_vector(llvm::seq<int64_t>(0, array.getRank()));
  return order;
}

}  // namespace tpuc::frontend::hlo
