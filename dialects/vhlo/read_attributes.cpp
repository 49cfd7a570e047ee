//===- read_attributes.cpp - attributes of bytecode --------------------------------------------------===//
// Part of tpuc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Bytes may be anything: whatever an attribute's constructor would only assert is checked here.
//===-----------------------------------------------------------------------------===//
#include "dialects/stablehlo/stablehlo.h"
#include "dialects/vhlo/reader.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;

namespace tpuc::vhlo {
namespace {

namespace hlo = tpuc::stablehlo;

// The attribute of an enumeration whose numbers are the file's.
template <typename AttrT, typename EnumT>
Attribute readEnum(Reader &reader, std::optional<EnumT> (*symbolize)(uint32_t)) {
  uint64_t value;
  if (failed(reader.readVarInt(value))) return {};
  std::optional<EnumT> known = value <= UINT32_MAX ? symbolize(static_cast<uint32_t>(value)) : std::nullopt;
  if (!known) {
    reader.emitError("expects a value of ") << AttrT::name << ", but got " << value;
    return {};
  }
  return AttrT::get(reader.getContext(), *known);
}

Attribute readApiVersion(Reader &reader) {
  uint64_t value;
  if (failed(reader.readVarInt(value))) return {};
  if (value > 4) {
    reader.emitError("expects an API version up to 4, but got ") << value;
    return {};
  }
  return IntegerAttr::get(IntegerType::get(reader.getContext(), 32), value);
}

Attribute readDictionary(Reader &reader) {
  using Entry = std::pair<Attribute, Attribute>;
  SmallVector<Entry> entries;
  auto readEntry = [&](Entry &entry) -> LogicalResult {
    return failure(failed(reader.readAttribute(entry.first)) || failed(reader.readAttribute(entry.second)));
  };
  if (failed(reader.readList(entries, readEntry))) return {};
  NamedAttrList list;
  for (auto [name, value] : entries) {
    auto text = dyn_cast<StringAttr>(name);
    if (!text || text.empty() || list.get(text)) {
      reader.emitError("expects names in a dictionary, each once, but got ") << name;
      return {};
    }
    list.push_back({text, value});
  }
  return list.getDictionary(reader.getContext());
}

Attribute readFloat(Reader &reader) {
  Type type;
  if (failed(reader.readType(type))) return {};
  auto element = dyn_cast<FloatType>(type);
  if (!element) {
    reader.emitError("expects a number of a floating-point type, but got ") << type;
    return {};
  }
  FailureOr<APFloat> value = reader.readFloat(element.getFloatSemantics());
  return failed(value) ? Attribute() : FloatAttr::get(element, *value);
}

Attribute readInteger(Reader &reader) {
  Type type;
  if (failed(reader.readType(type))) return {};
  if (!isa<IntegerType, IndexType>(type)) {
    reader.emitError("expects a number of an integer type, but got ") << type;
    return {};
  }
  unsigned width = isa<IndexType>(type) ? IndexType::kInternalStorageBitWidth : type.getIntOrFloatBitWidth();
  FailureOr<APInt> value = reader.readInteger(width);
  return failed(value) ? Attribute() : IntegerAttr::get(type, *value);
}

// Booleans are packed, the first lowest; 0xFF alone says true everywhere. Files of a byte an element exist too.
SmallVector<char> packedBooleans(ArrayRef<char> blob, int64_t elements) {
  size_t packed = llvm::divideCeil(elements, 8);
  SmallVector<char> bits(packed, 0);
  if (blob.size() == 1 && elements > 1 && (static_cast<uint8_t>(blob[0]) == 0xff || elements > 8)) {
    bits.assign(1, blob[0] ? char(0xff) : char(0));
    return bits;
  }
  if (blob.size() == packed) return SmallVector<char>(blob);
  for (auto [i, byte] : llvm::enumerate(blob))
    if (byte && i / 8 < packed) bits[i / 8] |= static_cast<char>(1 << i % 8);
  return bits;
}

}  // namespace

Attribute readTensorElements(Reader &reader) {
  Type type;
  ArrayRef<char> blob;
  if (failed(reader.readType(type)) || failed(reader.readBlob(blob))) return {};
  auto tensor = dyn_cast<RankedTensorType>(type);
  std::optional<int64_t> elements =
      tensor && tensor.hasStaticShape() ? hlo::numElements(tensor.getShape()) : std::nullopt;
  bool plain = tensor && (tensor.getElementType().isIntOrIndexOrFloat() || isa<ComplexType>(tensor.getElementType()));
  if (!elements || !plain) {
    reader.emitError("expects the elements of a static array, but got ") << type;
    return {};
  }
  SmallVector<char> booleans;
  if (tensor.getElementType().isInteger(1) && static_cast<int64_t>(blob.size()) <= std::max<int64_t>(*elements, 1)) {
    booleans = packedBooleans(blob, *elements);
    blob = booleans;
  }
  bool splat;
  if (!DenseElementsAttr::isValidRawBuffer(tensor, blob, splat)) {
    reader.emitError("expects the bytes of ") << type << ", but got " << blob.size();
    return {};
  }
  return DenseElementsAttr::getFromRawBuffer(tensor, blob);
}

namespace {

Attribute readAlias(Reader &reader) {
  SmallVector<int64_t> outputs, operands;
  int64_t operand;
  if (failed(reader.readSignedVarInts(outputs)) || failed(reader.readSignedVarInt(operand)) ||
      failed(reader.readSignedVarInts(operands)))
    return {};
  return hlo::OutputOperandAliasAttr::get(reader.getContext(), outputs, operand, operands);
}

Attribute readAccuracy(Reader &reader) {
  FailureOr<APFloat> atol = reader.readFloat(APFloat::IEEEdouble());
  if (failed(atol)) return {};
  FailureOr<APFloat> rtol = reader.readFloat(APFloat::IEEEdouble());
  int64_t ulps;
  hlo::ResultAccuracyModeAttr mode;
  if (failed(rtol) || failed(reader.readSignedVarInt(ulps)) || failed(reader.readAttribute(mode))) return {};
  return hlo::ResultAccuracyAttr::getChecked([&] { return reader.emitError(); }, reader.getContext(), *atol, *rtol,
                                             ulps, mode);
}

//===-----------------------------------------------------------------------------===//
// Groups of devices along a mesh
//===-----------------------------------------------------------------------------===//

Attribute readAxisRef(Reader &reader) {
  StringAttr name;
  uint64_t hasInfo;
  hlo::SubAxisInfoAttr info;
  if (failed(reader.readAttribute(name)) || failed(reader.readVarInt(hasInfo)) ||
      (hasInfo && failed(reader.readAttribute(info))))
    return {};
  return hlo::AxisRefAttr::get(reader.getContext(), name.getValue(), info);
}

template <typename AttrT>
std::optional<SmallVector<AttrT>> elementsOf(Reader &reader, ArrayAttr array) {
  SmallVector<AttrT> list;
  for (Attribute element : array) {
    auto known = dyn_cast<AttrT>(element);
    if (!known) {
      reader.emitError("expects a list of ") << AttrT::name << ", but got " << element;
      return std::nullopt;
    }
    list.push_back(known);
  }
  return list;
}

Attribute readMeshAxes(Reader &reader) {
  Attribute mesh;
  ArrayAttr axes;
  if (failed(reader.readAttribute(mesh)) || failed(reader.readAttribute(axes))) return {};
  auto refs = elementsOf<hlo::AxisRefAttr>(reader, axes);
  if (!refs) return {};
  if (auto name = dyn_cast<StringAttr>(mesh)) mesh = FlatSymbolRefAttr::get(name);
  return hlo::ReplicaGroupMeshAxesAttr::get(reader.getContext(), mesh, *refs);
}

Attribute readMesh(Reader &reader) {
  ArrayAttr axes;
  Attribute ids;
  if (failed(reader.readAttribute(axes)) || failed(reader.readOptionalAttribute(ids))) return {};
  auto list = elementsOf<hlo::MeshAxisAttr>(reader, axes);
  if (!list) return {};
  return hlo::MeshAttr::get(reader.getContext(), *list, dyn_cast_or_null<DenseIntElementsAttr>(ids));
}

// A name and a number, or two numbers.
Attribute readPair(AttributeCode code, Reader &reader) {
  StringAttr name;
  int64_t first = 0, second;
  if (code == AttributeCode::MeshAxis ? failed(reader.readAttribute(name)) : failed(reader.readSignedVarInt(first)))
    return {};
  if (failed(reader.readSignedVarInt(second))) return {};
  if (code == AttributeCode::MeshAxis) return hlo::MeshAxisAttr::get(reader.getContext(), name.getValue(), second);
  return hlo::SubAxisInfoAttr::get(reader.getContext(), first, second);
}

//===-----------------------------------------------------------------------------===//
// What is one thing
//===-----------------------------------------------------------------------------===//

Attribute readArray(Reader &reader) {
  SmallVector<Attribute> elements;
  return failed(reader.readAttributes(elements)) ? Attribute() : ArrayAttr::get(reader.getContext(), elements);
}
Attribute readBoolean(Reader &reader) {
  uint64_t value;
  return failed(reader.readVarInt(value)) ? Attribute() : BoolAttr::get(reader.getContext(), value != 0);
}
Attribute readString(Reader &reader) {
  StringRef text;
  return failed(reader.readString(text)) ? Attribute() : StringAttr::get(reader.getContext(), text);
}
Attribute readTypeAttribute(Reader &reader) {
  Type type;
  return failed(reader.readType(type)) ? Attribute() : TypeAttr::get(type);
}
Attribute readBounds(Reader &reader) {
  SmallVector<int64_t> bounds;
  return failed(reader.readSignedVarInts(bounds)) ? Attribute()
                                                  : hlo::TypeExtensionsAttr::get(reader.getContext(), bounds);
}

}  // namespace

Attribute readVhloAttribute(Reader &reader) {
  uint64_t number;
  if (failed(reader.readVarInt(number))) return {};
  return readVhloAttribute(static_cast<AttributeCode>(number), reader);
}

Attribute readVhloAttribute(AttributeCode code, Reader &reader) {
  switch (code) {
    case AttributeCode::Array:
      return readArray(reader);
    case AttributeCode::Boolean:
      return readBoolean(reader);
    case AttributeCode::ComparisonDirection:
      return readEnum<hlo::ComparisonDirectionAttr>(reader, hlo::symbolizeComparisonDirection);
    case AttributeCode::ComparisonType:
      return readEnum<hlo::ComparisonTypeAttr>(reader, hlo::symbolizeComparisonType);
    case AttributeCode::CustomCallApiVersion:
      return readApiVersion(reader);
    case AttributeCode::Dictionary:
      return readDictionary(reader);
    case AttributeCode::FftType:
      return readEnum<hlo::FftTypeAttr>(reader, hlo::symbolizeFftType);
    case AttributeCode::Float:
      return readFloat(reader);
    case AttributeCode::Integer:
      return readInteger(reader);
    case AttributeCode::OutputOperandAlias:
      return readAlias(reader);
    case AttributeCode::Precision:
      return readEnum<hlo::PrecisionAttr>(reader, hlo::symbolizePrecision);
    case AttributeCode::RngAlgorithm:
      return readEnum<hlo::RngAlgorithmAttr>(reader, hlo::symbolizeRngAlgorithm);
    case AttributeCode::RngDistribution:
      return readEnum<hlo::RngDistributionAttr>(reader, hlo::symbolizeRngDistribution);
    case AttributeCode::String:
      return readString(reader);
    case AttributeCode::Tensor:
      return readTensorElements(reader);
    case AttributeCode::Transpose:
      return readEnum<hlo::TransposeAttr>(reader, hlo::symbolizeTranspose);
    case AttributeCode::Type:
      return readTypeAttribute(reader);
    case AttributeCode::TypeExtensions:
      return readBounds(reader);
    case AttributeCode::ResultAccuracyMode:
      return readEnum<hlo::ResultAccuracyModeAttr>(reader, hlo::symbolizeResultAccuracyMode);
    case AttributeCode::ResultAccuracy:
      return readAccuracy(reader);
    case AttributeCode::SubAxisInfo:
    case AttributeCode::MeshAxis:
      return readPair(code, reader);
    case AttributeCode::AxisRef:
      return readAxisRef(reader);
    case AttributeCode::ReplicaGroupMeshAxes:
      return readMeshAxes(reader);
    case AttributeCode::Mesh:
      return readMesh(reader);
  }
  reader.emitError("expects an attribute of vhlo, but got code ") << static_cast<uint64_t>(code);
  return {};
}

}  // namespace tpuc::vhlo
