//===- read_types.cpp - types of bytecode -------------------------------------------------------------===//
// Part of tpuc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Bytes may be anything: whatever a type's constructor would only assert is checked here.
//===-----------------------------------------------------------------------------===//
#include "dialects/stablehlo/stablehlo.h"
#include "dialects/vhlo/reader.h"
#include "mlir/Dialect/Quant/IR/QuantTypes.h"

using namespace mlir;

namespace tpuc::vhlo {
namespace {

Type fail(Reader &reader, const Twine &message) {
  reader.emitError(message);
  return {};
}

// A shape and an element type that a tensor can have.
LogicalResult readShape(Reader &reader, SmallVectorImpl<int64_t> &shape, Type &element) {
  if (failed(reader.readSignedVarInts(shape)) || failed(reader.readType(element))) return failure();
  for (int64_t dim : shape)
    if (dim < 0 && !ShapedType::isDynamic(dim)) return reader.emitError("expects sizes from 0 on, but got ") << dim;
  if (!TensorType::isValidElementType(element)) return reader.emitError("expects an element type, but got ") << element;
  return success();
}

Type readTensor(Reader &reader, bool hasEncoding) {
  Attribute encoding;
  SmallVector<int64_t> shape;
  Type element;
  if ((hasEncoding && failed(reader.readAttribute(encoding))) || failed(readShape(reader, shape, element))) return {};
  return RankedTensorType::getChecked([&] { return reader.emitError(); }, shape, element, encoding);
}

Type readBuffer(Reader &reader) {
  SmallVector<int64_t> shape;
  Type element;
  if (failed(readShape(reader, shape, element))) return {};
  return MemRefType::getChecked([&] { return reader.emitError(); }, shape, element, MemRefLayoutAttrInterface(),
                                Attribute());
}

// What both quantized types begin with.
struct Quantized {
  uint64_t flags;
  Type storage, expressed;
};
LogicalResult readQuantized(Reader &reader, Quantized &type) {
  if (failed(reader.readVarInt(type.flags)) || failed(reader.readType(type.storage)) ||
      failed(reader.readType(type.expressed)))
    return failure();
  // The storage is signless there; the flag has the sign.
  if (auto integer = dyn_cast<IntegerType>(type.storage))
    type.storage = IntegerType::get(integer.getContext(), integer.getWidth());
  return success();
}

Type readUniform(Reader &reader) {
  Quantized type;
  int64_t zeroPoint, least, greatest;
  if (failed(readQuantized(reader, type))) return {};
  FailureOr<APFloat> scale = reader.readFloat(APFloat::IEEEdouble());
  if (failed(scale) || failed(reader.readSignedVarInt(zeroPoint)) || failed(reader.readSignedVarInt(least)) ||
      failed(reader.readSignedVarInt(greatest)))
    return {};
  return quant::UniformQuantizedType::getChecked([&] { return reader.emitError(); }, type.flags, type.storage,
                                                 type.expressed, scale->convertToDouble(), zeroPoint, least, greatest);
}

Type readPerAxis(Reader &reader) {
  Quantized type;
  uint64_t dimension;
  int64_t least, greatest;
  SmallVector<double> scales;
  SmallVector<int64_t> zeroPoints;
  auto readScale = [&](double &value) -> LogicalResult {
    FailureOr<APFloat> scale = reader.readFloat(APFloat::IEEEdouble());
    if (failed(scale)) return failure();
    value = scale->convertToDouble();
    return success();
  };
  auto readZeroPoint = [&](int64_t &zeroPoint) { return reader.readSignedVarInt(zeroPoint); };
  if (failed(readQuantized(reader, type)) || failed(reader.readVarInt(dimension)) ||
      failed(reader.readSignedVarInt(least)) || failed(reader.readSignedVarInt(greatest)) ||
      failed(reader.readList(scales, readScale)) || failed(reader.readList(zeroPoints, readZeroPoint)))
    return {};
  if (dimension > 64) return fail(reader, "expects a quantized dimension of 64 at most");
  return quant::UniformQuantizedPerAxisType::getChecked([&] { return reader.emitError(); }, type.flags, type.storage,
                                                        type.expressed, scales, zeroPoints,
                                                        static_cast<int32_t>(dimension), least, greatest);
}

Type readComplex(Reader &reader) {
  Type element;
  if (failed(reader.readType(element))) return {};
  return ComplexType::getChecked([&] { return reader.emitError(); }, element);
}

Type readUnranked(Reader &reader) {
  Type element;
  if (failed(reader.readType(element))) return {};
  return UnrankedTensorType::getChecked([&] { return reader.emitError(); }, element);
}

Type readList(TypeCode code, Reader &reader) {
  SmallVector<Type> types, outputs;
  MLIRContext *context = reader.getContext();
  if (failed(reader.readTypes(types)) || (code == TypeCode::Function && failed(reader.readTypes(outputs)))) return {};
  if (code == TypeCode::Function) return FunctionType::get(context, types, outputs);
  if (code == TypeCode::Tuple) return TupleType::get(context, types);
  return stablehlo::FutureType::getChecked([&] { return reader.emitError(); }, context, ArrayRef<Type>(types));
}

Type readPlain(TypeCode code, MLIRContext *c) {
  auto integer = [&](unsigned width, bool isUnsigned = false) {
    return IntegerType::get(c, width, isUnsigned ? IntegerType::Unsigned : IntegerType::Signless);
  };
  switch (code) {
    case TypeCode::Boolean:
      return integer(1);
    case TypeCode::SI2:
      return integer(2);
    case TypeCode::SI4:
      return integer(4);
    case TypeCode::SI8:
      return integer(8);
    case TypeCode::SI16:
      return integer(16);
    case TypeCode::SI32:
      return integer(32);
    case TypeCode::SI64:
      return integer(64);
    case TypeCode::UI2:
      return integer(2, true);
    case TypeCode::UI4:
      return integer(4, true);
    case TypeCode::UI8:
      return integer(8, true);
    case TypeCode::UI16:
      return integer(16, true);
    case TypeCode::UI32:
      return integer(32, true);
    case TypeCode::UI64:
      return integer(64, true);
    case TypeCode::BF16:
      return BFloat16Type::get(c);
    case TypeCode::F16:
      return Float16Type::get(c);
    case TypeCode::F32:
      return Float32Type::get(c);
    case TypeCode::F64:
      return Float64Type::get(c);
    case TypeCode::TF32:
      return FloatTF32Type::get(c);
    case TypeCode::F4E2M1FN:
      return Float4E2M1FNType::get(c);
    case TypeCode::F6E2M3FN:
      return Float6E2M3FNType::get(c);
    case TypeCode::F6E3M2FN:
      return Float6E3M2FNType::get(c);
    case TypeCode::F8E3M4:
      return Float8E3M4Type::get(c);
    case TypeCode::F8E4M3:
      return Float8E4M3Type::get(c);
    case TypeCode::F8E4M3FN:
      return Float8E4M3FNType::get(c);
    case TypeCode::F8E4M3FNUZ:
      return Float8E4M3FNUZType::get(c);
    case TypeCode::F8E4M3B11FNUZ:
      return Float8E4M3B11FNUZType::get(c);
    case TypeCode::F8E5M2:
      return Float8E5M2Type::get(c);
    case TypeCode::F8E5M2FNUZ:
      return Float8E5M2FNUZType::get(c);
    case TypeCode::F8E8M0FNU:
      return Float8E8M0FNUType::get(c);
    case TypeCode::Index:
      return IndexType::get(c);
    case TypeCode::None:
      return NoneType::get(c);
    case TypeCode::Token:
      return stablehlo::TokenType::get(c);
    default:
      return {};
  }
}

}  // namespace

Type readVhloType(Reader &reader) {
  uint64_t number;
  if (failed(reader.readVarInt(number))) return {};
  auto code = static_cast<TypeCode>(number);
  switch (code) {
    case TypeCode::Complex:
      return readComplex(reader);
    case TypeCode::Function:
    case TypeCode::Tuple:
    case TypeCode::Future:
      return readList(code, reader);
    case TypeCode::RankedTensor:
      return readTensor(reader, false);
    case TypeCode::EncodedRankedTensor:
      return readTensor(reader, true);
    case TypeCode::UnrankedTensor:
      return readUnranked(reader);
    case TypeCode::RankedBuffer:
      return readBuffer(reader);
    case TypeCode::UniformQuantized:
      return readUniform(reader);
    case TypeCode::UniformQuantizedPerAxis:
      return readPerAxis(reader);
    default:
      break;
  }
  if (Type type = readPlain(code, reader.getContext())) return type;
  return fail(reader, "expects a type of vhlo, but got code " + Twine(number));
}

}  // namespace tpuc::vhlo
