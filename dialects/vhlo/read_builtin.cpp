//===- read_builtin.cpp - MLIR's own attributes and types ------------------------------------------------===//
// Part of tpuc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Locations, the names of ops' attributes, and what modules and sdy say: more of it is not in an artifact.
//===-----------------------------------------------------------------------------===//
#include "dialects/vhlo/reader.h"
#include "mlir/IR/BuiltinAttributes.h"
#include "mlir/IR/Location.h"

using namespace mlir;

namespace tpuc::vhlo {
namespace {

//===-----------------------------------------------------------------------------===//
// Locations
//===-----------------------------------------------------------------------------===//

Attribute readFileLine(Reader &reader, bool range) {
  StringAttr file;
  SmallVector<uint64_t> at;
  auto readOne = [&](uint64_t &value) { return reader.readVarInt(value); };
  if (failed(reader.readAttribute(file))) return {};
  if (!range) {
    at.resize(2);
    if (failed(readOne(at[0])) || failed(readOne(at[1]))) return {};
  } else if (failed(reader.readList(at, readOne))) {
    return {};
  }
  switch (at.size()) {
    case 0:
      return FileLineColRange::get(file);
    case 1:
      return FileLineColRange::get(file, at[0]);
    case 2:
      return FileLineColLoc::get(file, at[0], at[1]);
    case 3:
      return FileLineColRange::get(file, at[0], at[1], at[2]);
    case 4:
      return FileLineColRange::get(file, at[0], at[1], at[2], at[3]);
    default:
      reader.emitError("expects four numbers of a place at most, but got ") << at.size();
      return {};
  }
}

Attribute readNested(Reader &reader, BuiltinAttribute code) {
  StringAttr name;
  LocationAttr first, second;
  if (code == BuiltinAttribute::NameLoc) {
    if (failed(reader.readAttribute(name)) || failed(reader.readAttribute(first))) return {};
    if (name.empty()) return first;
    return NameLoc::get(name, first);
  }
  if (failed(reader.readAttribute(first)) || failed(reader.readAttribute(second))) return {};
  return CallSiteLoc::get(first, second);
}

Attribute readFused(Reader &reader, bool hasMetadata) {
  SmallVector<LocationAttr> parts;
  Attribute metadata;
  if (failed(reader.readAttributes(parts)) || (hasMetadata && failed(reader.readAttribute(metadata)))) return {};
  return FusedLoc::get(reader.getContext(), llvm::to_vector_of<Location>(parts), metadata);
}

//===-----------------------------------------------------------------------------===//
// Other attributes
//===-----------------------------------------------------------------------------===//

Attribute readDictionary(Reader &reader) {
  NamedAttrList list;
  SmallVector<Attribute> values;  // in the list already
  auto readOne = [&](Attribute &value) -> LogicalResult {
    StringAttr name;
    if (failed(reader.readAttribute(name)) || failed(reader.readAttribute(value))) return failure();
    if (name.empty() || list.get(name))
      return reader.emitError("expects names in a dictionary, each once, but got ") << name;
    list.push_back({name, value});
    return success();
  };
  return failed(reader.readList(values, readOne)) ? Attribute() : list.getDictionary(reader.getContext());
}

Attribute readText(Reader &reader) {
  StringRef text;
  return failed(reader.readString(text)) ? Attribute() : StringAttr::get(reader.getContext(), text);
}

Attribute readSymbol(Reader &reader) {
  StringAttr name;
  return failed(reader.readAttribute(name)) ? Attribute() : FlatSymbolRefAttr::get(name);
}

Attribute readList(Reader &reader) {
  SmallVector<Attribute> list;
  return failed(reader.readAttributes(list)) ? Attribute() : ArrayAttr::get(reader.getContext(), list);
}

Attribute readNumber(Reader &reader) {
  Type type;
  if (failed(reader.readType(type))) return {};
  if (auto element = dyn_cast<FloatType>(type)) {
    FailureOr<APFloat> value = reader.readFloat(element.getFloatSemantics());
    return failed(value) ? Attribute() : FloatAttr::get(type, *value);
  }
  if (!isa<IntegerType, IndexType>(type)) {
    reader.emitError("expects a number's type, but got ") << type;
    return {};
  }
  unsigned width = isa<IndexType>(type) ? IndexType::kInternalStorageBitWidth : type.getIntOrFloatBitWidth();
  FailureOr<APInt> value = reader.readInteger(width);
  return failed(value) ? Attribute() : IntegerAttr::get(type, *value);
}

Attribute readTypeAttribute(Reader &reader) {
  Type type;
  return failed(reader.readType(type)) ? Attribute() : TypeAttr::get(type);
}

Attribute readDenseArray(Reader &reader) {
  Type type;
  uint64_t size;
  ArrayRef<char> bytes;
  if (failed(reader.readType(type)) || failed(reader.readVarInt(size)) || failed(reader.readBlob(bytes))) return {};
  return DenseArrayAttr::getChecked([&] { return reader.emitError(); }, type, size, bytes);
}

//===-----------------------------------------------------------------------------===//
// Types
//===-----------------------------------------------------------------------------===//

Type readInteger(Reader &reader) {
  uint64_t bits;
  if (failed(reader.readVarInt(bits))) return {};
  uint64_t width = bits >> 2, sign = bits & 3;
  if (width > 64 || sign > 2) {
    reader.emitError("expects an integer type of 64 bits at most, but got ") << width;
    return {};
  }
  return IntegerType::get(reader.getContext(), width, static_cast<IntegerType::SignednessSemantics>(sign));
}

Type readTensor(Reader &reader, bool hasEncoding) {
  SmallVector<int64_t> shape;
  Type element;
  Attribute encoding;
  if ((hasEncoding && failed(reader.readAttribute(encoding))) || failed(reader.readSignedVarInts(shape)) ||
      failed(reader.readType(element)))
    return {};
  for (int64_t size : shape)
    if (size < 0 && !ShapedType::isDynamic(size)) {
      reader.emitError("expects sizes from 0 on, but got ") << size;
      return {};
    }
  if (!TensorType::isValidElementType(element)) {
    reader.emitError("expects an element type, but got ") << element;
    return {};
  }
  return RankedTensorType::getChecked([&] { return reader.emitError(); }, shape, element, encoding);
}

Type readTuple(Reader &reader) {
  SmallVector<Type> types;
  return failed(reader.readTypes(types)) ? Type() : TupleType::get(reader.getContext(), types);
}

Type readFunction(Reader &reader) {
  SmallVector<Type> inputs, results;
  if (failed(reader.readTypes(inputs)) || failed(reader.readTypes(results))) return {};
  return FunctionType::get(reader.getContext(), inputs, results);
}

Type readComplex(Reader &reader) {
  Type element;
  if (failed(reader.readType(element))) return {};
  return ComplexType::getChecked([&] { return reader.emitError(); }, element);
}

}  // namespace

Attribute readBuiltinAttribute(Reader &reader) {
  uint64_t number;
  if (failed(reader.readVarInt(number))) return {};
  auto code = static_cast<BuiltinAttribute>(number);
  switch (code) {
    case BuiltinAttribute::Array:
      return readList(reader);
    case BuiltinAttribute::Dictionary:
      return readDictionary(reader);
    case BuiltinAttribute::String:
      return readText(reader);
    case BuiltinAttribute::FlatSymbolRef:
      return readSymbol(reader);
    case BuiltinAttribute::Type:
      return readTypeAttribute(reader);
    case BuiltinAttribute::Unit:
      return UnitAttr::get(reader.getContext());
    case BuiltinAttribute::Integer:
    case BuiltinAttribute::Float:
      return readNumber(reader);
    case BuiltinAttribute::NameLoc:
    case BuiltinAttribute::CallSiteLoc:
      return readNested(reader, code);
    case BuiltinAttribute::FileLineColLoc:
      return readFileLine(reader, /*range=*/false);
    case BuiltinAttribute::FileLineColRange:
      return readFileLine(reader, /*range=*/true);
    case BuiltinAttribute::FusedLoc:
      return readFused(reader, /*hasMetadata=*/false);
    case BuiltinAttribute::FusedLocWithMetadata:
      return readFused(reader, /*hasMetadata=*/true);
    case BuiltinAttribute::UnknownLoc:
      return UnknownLoc::get(reader.getContext());
    case BuiltinAttribute::DenseArray:
      return readDenseArray(reader);
    case BuiltinAttribute::DenseElements:
      return readTensorElements(reader);
    case BuiltinAttribute::TypedString:
    case BuiltinAttribute::SymbolRef:
      break;
  }
  reader.emitError("expects an attribute that artifacts have, but got MLIR's code ") << number;
  return {};
}

Type readBuiltinType(Reader &reader) {
  uint64_t number;
  if (failed(reader.readVarInt(number))) return {};
  MLIRContext *context = reader.getContext();
  switch (static_cast<BuiltinType>(number)) {
    case BuiltinType::Integer:
      return readInteger(reader);
    case BuiltinType::Index:
      return IndexType::get(context);
    case BuiltinType::Function:
      return readFunction(reader);
    case BuiltinType::BF16:
      return BFloat16Type::get(context);
    case BuiltinType::F16:
      return Float16Type::get(context);
    case BuiltinType::F32:
      return Float32Type::get(context);
    case BuiltinType::F64:
      return Float64Type::get(context);
    case BuiltinType::TF32:
      return FloatTF32Type::get(context);
    case BuiltinType::F8E5M2:
      return Float8E5M2Type::get(context);
    case BuiltinType::F8E4M3:
      return Float8E4M3Type::get(context);
    case BuiltinType::F8E4M3FN:
      return Float8E4M3FNType::get(context);
    case BuiltinType::F8E5M2FNUZ:
      return Float8E5M2FNUZType::get(context);
    case BuiltinType::F8E4M3FNUZ:
      return Float8E4M3FNUZType::get(context);
    case BuiltinType::F8E4M3B11FNUZ:
      return Float8E4M3B11FNUZType::get(context);
    case BuiltinType::F8E3M4:
      return Float8E3M4Type::get(context);
    case BuiltinType::F4E2M1FN:
      return Float4E2M1FNType::get(context);
    case BuiltinType::F6E2M3FN:
      return Float6E2M3FNType::get(context);
    case BuiltinType::F6E3M2FN:
      return Float6E3M2FNType::get(context);
    case BuiltinType::F8E8M0FNU:
      return Float8E8M0FNUType::get(context);
    case BuiltinType::Complex:
      return readComplex(reader);
    case BuiltinType::None:
      return NoneType::get(context);
    case BuiltinType::RankedTensor:
      return readTensor(reader, false);
    case BuiltinType::EncodedRankedTensor:
      return readTensor(reader, true);
    case BuiltinType::Tuple:
      return readTuple(reader);
  }
  reader.emitError("expects a type that artifacts have, but got MLIR's code ") << number;
  return {};
}

}  // namespace tpuc::vhlo
