// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// LiteralProto: the elements of constants.
#include "compiler/frontend/hlo/literal.h"

#include <cstring>

#include "dialects/stablehlo/stablehlo.h"
#include "llvm/Support/Endian.h"

using namespace mlir;

namespace tpuc::frontend::hlo {
namespace {

// Where a type's elements lie, and whether each is a varint there; otherwise they are their bytes.
struct Place {
  uint32_t field;
  bool isVarint;
};

Place placeOf(int64_t primitive) {
  switch (primitive) {
    case kPred:
      return {kPreds, true};
    case kS32:
      return {kS32s, true};
    case kS64:
      return {kS64s, true};
    case kU32:
      return {kU32s, true};
    case kU64:
      return {kU64s, true};
    case kS2:
      return {kS2s, false};
    case kS4:
      return {kS4s, false};
    case kS8:
      return {kS8s, false};
    case kS16:
      return {kS16s, false};
    case kU2:
      return {kU2s, false};
    case kU4:
      return {kU4s, false};
    case kU8:
      return {kU8s, false};
    case kU16:
      return {kU16s, false};
    case kF16:
      return {kF16s, false};
    case kBf16:
      return {kBf16s, false};
    case kF32:
      return {kF32s, false};
    case kF64:
      return {kF64s, false};
    case kC64:
      return {kC64s, false};
    case kC128:
      return {kC128s, false};
    case kF4E2M1FN:
      return {kF4E2M1FNs, false};
    case kF8E3M4:
      return {kF8E3M4s, false};
    case kF8E4M3:
      return {kF8E4M3s, false};
    case kF8E4M3FN:
      return {kF8E4M3FNs, false};
    case kF8E4M3FNUZ:
      return {kF8E4M3FNUZs, false};
    case kF8E4M3B11FNUZ:
      return {kF8E4M3B11FNUZs, false};
    case kF8E5M2:
      return {kF8E5M2s, false};
    case kF8E5M2FNUZ:
      return {kF8E5M2FNUZs, false};
    case kF8E8M0FNU:
      return {kF8E8M0FNUs, false};
    default:
      return {0, false};
  }
}

// Bytes of an element as MLIR keeps it.
size_t widthOf(Type element) { return std::max<size_t>(stablehlo::elementBits(element) / 8, 1); }

bool isSplat(ArrayRef<char> bytes, size_t width) {
  return bytes.size() > width && std::memcmp(bytes.data(), bytes.data() + width, bytes.size() - width) == 0;
}

DenseElementsAttr fromBytes(RankedTensorType type, ArrayRef<char> bytes) {
  const size_t width = widthOf(type.getElementType());
  return DenseElementsAttr::getFromRawBuffer(type, isSplat(bytes, width) ? bytes.take_front(width) : bytes);
}

// Element by element: `count` bounds what is kept, whatever the file says.
DenseElementsAttr fromVarints(RankedTensorType type, size_t count, const Message &literal, uint32_t field,
                              size_t &got) {
  if (type.getElementType().isInteger(1)) {
    SmallVector<bool, 0> values;
    literal.eachNumber(field, [&](uint64_t value) {
      if (got++ < count) values.push_back(value != 0);
    });
    return got == count ? DenseElementsAttr::get(type, values) : DenseElementsAttr();
  }
  const size_t width = widthOf(type.getElementType());
  SmallVector<char, 0> bytes;
  literal.eachNumber(field, [&](uint64_t value) {
    if (got++ >= count) return;
    char word[8];
    llvm::support::endian::write64le(word, value);
    bytes.append(word, word + width);
  });
  return got == count ? fromBytes(type, bytes) : DenseElementsAttr();
}

DenseElementsAttr read(const Message &literal, int64_t primitive, RankedTensorType type, std::string &error) {
  std::optional<int64_t> count = type.hasStaticShape() ? stablehlo::numElements(type.getShape()) : std::nullopt;
  const Place place = placeOf(primitive);
  if (!count || !place.field || elementType(primitive, type.getContext()) != type.getElementType()) {
    error = "expects a literal of its shape";
    return {};
  }
  if (*count == 0) return DenseElementsAttr::get(type, ArrayRef<Attribute>());
  size_t got = 0;
  DenseElementsAttr elements;
  if (place.isVarint) {
    elements = fromVarints(type, *count, literal, place.field, got);
  } else {
    const size_t width = widthOf(type.getElementType());
    StringRef bytes = literal.packed(place.field);
    got = bytes.size() / width;
    if (bytes.size() % width == 0 && got == static_cast<size_t>(*count))
      elements = fromBytes(type, ArrayRef<char>(bytes.data(), bytes.size()));
  }
  if (!elements) error = "expects a literal of " + std::to_string(*count) + " elements, but got " + std::to_string(got);
  return elements;
}

}  // namespace

LogicalResult appendConstants(Emitter &e, const Instruction &i, const Message &literal, const Shape &shape,
                              Leaves &results, std::string &error) {
  if (shape.isTuple) {
    std::vector<Message> parts = literal.messages(kTupleLiterals);
    if (parts.size() != shape.elements.size()) return error = "expects a literal of its shape", failure();
    for (auto [part, element] : llvm::zip(parts, shape.elements))
      if (failed(appendConstants(e, i, part, element, results, error))) return failure();
    return success();
  }
  auto type = dyn_cast<RankedTensorType>(shape.type);
  if (!type) return error = "expects an array", failure();
  DenseElementsAttr elements = read(literal, literal.message(kLiteralShape).number(kElementType), type, error);
  if (!elements) return failure();
  results.push_back(stablehlo::ConstantOp::create(e.b, i.location, elements));
  return success();
}

}  // namespace tpuc::frontend::hlo
