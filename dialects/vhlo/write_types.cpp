//===- write_types.cpp - types as vhlo encodes them --------------------------------------------------------===//
// Part of tpuc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===-----------------------------------------------------------------------------===//
#include "dialects/stablehlo/stablehlo.h"
#include "dialects/vhlo/entry_writer.h"
#include "llvm/ADT/TypeSwitch.h"
#include "mlir/Dialect/Quant/IR/QuantTypes.h"

using namespace mlir;

namespace tpuc::vhlo {
namespace {

using Code = TypeCode;

// What types that came later came with.
constexpr std::pair<Code, Version> kSince[] = {{Code::F8E4M3FNUZ, {0, 10, 0}},
                                               {Code::F8E5M2FNUZ, {0, 10, 0}},
                                               {Code::F8E4M3B11FNUZ, {0, 11, 0}},
                                               {Code::UniformQuantizedPerAxis, {0, 18, 0}},
                                               {Code::SI2, {1, 2, 0}},
                                               {Code::UI2, {1, 2, 0}},
                                               {Code::None, {1, 6, 0}},
                                               {Code::TF32, {1, 6, 0}},
                                               {Code::F8E4M3, {1, 7, 0}},
                                               {Code::F8E3M4, {1, 7, 0}},
                                               {Code::F4E2M1FN, {1, 8, 0}},
                                               {Code::F6E2M3FN, {1, 8, 0}},
                                               {Code::F6E3M2FN, {1, 8, 0}},
                                               {Code::F8E8M0FNU, {1, 8, 0}},
                                               {Code::RankedBuffer, {1, 13, 0}},
                                               {Code::Future, {1, 15, 0}}};

std::optional<Code> integerCode(IntegerType type) {
  bool isUnsigned = type.isUnsigned();
  switch (type.getWidth()) {
    case 1:
      return Code::Boolean;
    case 2:
      return isUnsigned ? Code::UI2 : Code::SI2;
    case 4:
      return isUnsigned ? Code::UI4 : Code::SI4;
    case 8:
      return isUnsigned ? Code::UI8 : Code::SI8;
    case 16:
      return isUnsigned ? Code::UI16 : Code::SI16;
    case 32:
      return isUnsigned ? Code::UI32 : Code::SI32;
    case 64:
      return isUnsigned ? Code::UI64 : Code::SI64;
    default:
      return std::nullopt;
  }
}

// The code of a type that has nothing else.
std::optional<Code> plainCode(Type type) {
  return llvm::TypeSwitch<Type, std::optional<Code>>(type)
      .Case([](IntegerType t) { return integerCode(t); })
      .Case([](BFloat16Type) { return Code::BF16; })
      .Case([](Float16Type) { return Code::F16; })
      .Case([](Float32Type) { return Code::F32; })
      .Case([](Float64Type) { return Code::F64; })
      .Case([](FloatTF32Type) { return Code::TF32; })
      .Case([](Float4E2M1FNType) { return Code::F4E2M1FN; })
      .Case([](Float6E2M3FNType) { return Code::F6E2M3FN; })
      .Case([](Float6E3M2FNType) { return Code::F6E3M2FN; })
      .Case([](Float8E3M4Type) { return Code::F8E3M4; })
      .Case([](Float8E4M3Type) { return Code::F8E4M3; })
      .Case([](Float8E4M3FNType) { return Code::F8E4M3FN; })
      .Case([](Float8E4M3FNUZType) { return Code::F8E4M3FNUZ; })
      .Case([](Float8E4M3B11FNUZType) { return Code::F8E4M3B11FNUZ; })
      .Case([](Float8E5M2Type) { return Code::F8E5M2; })
      .Case([](Float8E5M2FNUZType) { return Code::F8E5M2FNUZ; })
      .Case([](Float8E8M0FNUType) { return Code::F8E8M0FNU; })
      .Case([](IndexType) { return Code::Index; })
      .Case([](NoneType) { return Code::None; })
      .Case([](stablehlo::TokenType) { return Code::Token; })
      .Default([](Type) { return std::nullopt; });
}

class Writer : public EntryWriter {
 public:
  explicit Writer(Tables &tables) : EntryWriter(tables, Space::Vhlo) {}

  void code(Code value) {
    for (auto [type, since] : kSince)
      if (type == value && tables.version < since)
        tables.refuse("expects a type of version " + tables.version.text() + ", but got one that is there since " +
                      since.text());
    EntryWriter::code(value);
  }
  void types(TypeRange list) {
    out.varInt(list.size());
    for (Type value : list) type(value);
  }

  void tensor(RankedTensorType value) {
    code(value.getEncoding() ? Code::EncodedRankedTensor : Code::RankedTensor);
    if (value.getEncoding()) attribute(value.getEncoding());
    numbers(value.getShape());
    type(value.getElementType());
  }

  void quantized(Code kind, quant::QuantizedType value) {
    code(kind);
    out.varInt(value.getFlags());
    type(value.getStorageType());
    type(value.getExpressedType());
  }
  void uniform(quant::UniformQuantizedType value) {
    quantized(Code::UniformQuantized, value);
    out.real(APFloat(value.getScale()));
    out.signedVarInt(value.getZeroPoint());
    out.signedVarInt(value.getStorageTypeMin());
    out.signedVarInt(value.getStorageTypeMax());
  }
  void perAxis(quant::UniformQuantizedPerAxisType value) {
    quantized(Code::UniformQuantizedPerAxis, value);
    out.varInt(value.getQuantizedDimension());
    out.signedVarInt(value.getStorageTypeMin());
    out.signedVarInt(value.getStorageTypeMax());
    out.varInt(value.getScales().size());
    for (double scale : value.getScales()) out.real(APFloat(scale));
    numbers(value.getZeroPoints());
  }

  void write(Type value) {
    if (std::optional<Code> plain = plainCode(value)) return code(*plain);
    llvm::TypeSwitch<Type>(value)
        .Case([&](RankedTensorType t) { tensor(t); })
        .Case([&](UnrankedTensorType t) { code(Code::UnrankedTensor), type(t.getElementType()); })
        .Case([&](ComplexType t) { code(Code::Complex), type(t.getElementType()); })
        .Case([&](FunctionType t) { code(Code::Function), types(t.getInputs()), types(t.getResults()); })
        .Case([&](TupleType t) { code(Code::Tuple), types(t.getTypes()); })
        .Case([&](stablehlo::FutureType t) { code(Code::Future), types(t.getTypes()); })
        .Case([&](MemRefType t) { code(Code::RankedBuffer), numbers(t.getShape()), type(t.getElementType()); })
        .Case([&](quant::UniformQuantizedType t) { uniform(t); })
        .Case([&](quant::UniformQuantizedPerAxisType t) { perAxis(t); })
        .Default([&](Type t) { refuse("a type", t); });
  }
};

}  // namespace

std::string writeVhloType(Tables &tables, Type value) {
  Writer writer(tables);
  writer.write(value);
  return writer.take();
}

}  // namespace tpuc::vhlo
