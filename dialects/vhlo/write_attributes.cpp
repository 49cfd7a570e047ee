//===- write_attributes.cpp - attributes as vhlo encodes them ---------------------------------------------===//
// Part of tpuc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===-----------------------------------------------------------------------------===//
#include "dialects/stablehlo/stablehlo.h"
#include "dialects/vhlo/entry_writer.h"
#include "llvm/ADT/TypeSwitch.h"
#include "mlir/IR/SymbolTable.h"

using namespace mlir;

namespace tpuc::vhlo {
namespace {

namespace hlo = tpuc::stablehlo;
using Code = AttributeCode;

class Writer : public EntryWriter {
 public:
  explicit Writer(Tables &tables) : EntryWriter(tables, Space::Vhlo) {}

  template <typename AttrT>
  void list(ArrayRef<AttrT> parts) {
    attribute(ArrayAttr::get(tables.location->getContext(), SmallVector<Attribute>(parts.begin(), parts.end())));
  }
  template <typename EnumT>
  void enumeration(Code kind, EnumT value) {
    code(kind);
    out.varInt(static_cast<uint64_t>(value));
  }
  void text(StringRef value) {
    code(Code::String);
    out.varInt(tables.string(value));
  }

  void dictionary(DictionaryAttr value) {
    code(Code::Dictionary);
    entries(value);
  }

  void integer(IntegerAttr value) {
    if (value.getType().isInteger(1)) {
      code(Code::Boolean);
      return out.varInt(value.getValue().getBoolValue());
    }
    code(Code::Integer);
    type(value.getType());
    out.integer(value.getValue());
  }

  void elements(DenseElementsAttr value) {
    code(Code::Tensor);
    type(value.getType());
    if (value.getElementType().isInteger(1)) return booleans(value);
    ArrayRef<char> raw = value.getRawData();
    out.blob(StringRef(raw.data(), raw.size()));
  }

  // Packed, the first lowest; 0xFF says true everywhere.
  void booleans(DenseElementsAttr value) {
    if (value.getNumElements() > 1 && value.isSplat())
      return out.blob(StringRef(value.getSplatValue<bool>() ? "\xff" : "\0", 1));
    std::string packed(llvm::divideCeil(value.getNumElements(), 8), '\0');
    for (auto [i, bit] : llvm::enumerate(value.getValues<bool>()))
      if (bit) packed[i / 8] = static_cast<char>(packed[i / 8] | 1 << i % 8);
    out.blob(packed);
  }

  void accuracy(hlo::ResultAccuracyAttr value) {
    code(Code::ResultAccuracy);
    out.real(value.getAtol());
    out.real(value.getRtol());
    out.signedVarInt(value.getUlps());
    attribute(value.getMode());
  }

  void alias(hlo::OutputOperandAliasAttr value) {
    code(Code::OutputOperandAlias);
    numbers(value.getOutputTupleIndices());
    out.signedVarInt(value.getOperandIndex());
    numbers(value.getOperandTupleIndices());
  }

  // Groups of devices along a mesh.
  void axis(hlo::AxisRefAttr value) {
    code(Code::AxisRef);
    attribute(StringAttr::get(value.getContext(), value.getName()));
    out.varInt(value.getSubAxisInfo() ? 1 : 0);
    if (value.getSubAxisInfo()) attribute(value.getSubAxisInfo());
  }
  void meshAxes(hlo::ReplicaGroupMeshAxesAttr value) {
    code(Code::ReplicaGroupMeshAxes);
    attribute(value.getMesh());
    list(value.getAxes());
  }
  void mesh(hlo::MeshAttr value) {
    code(Code::Mesh);
    list(value.getAxes());
    DenseIntElementsAttr ids = value.getDeviceIds();
    out.flagged(ids ? tables.attribute(ids, Space::Vhlo) : 0, static_cast<bool>(ids));
  }

  void write(Attribute value) {
    MLIRContext *context = value.getContext();
    llvm::TypeSwitch<Attribute>(value)
        .Case([&](ArrayAttr a) { code(Code::Array), attributes(a); })
        .Case([&](DictionaryAttr a) { dictionary(a); })
        .Case([&](IntegerAttr a) { integer(a); })
        .Case([&](FloatAttr a) { code(Code::Float), type(a.getType()), out.real(a.getValue()); })
        .Case([&](StringAttr a) { text(a.getValue()); })
        .Case([&](FlatSymbolRefAttr a) { text(a.getValue()); })
        .Case([&](TypeAttr a) { code(Code::Type), type(a.getValue()); })
        .Case([&](DenseI64ArrayAttr a) {
          auto list = RankedTensorType::get({a.size()}, IntegerType::get(context, 64));
          elements(DenseElementsAttr::get(list, a.asArrayRef()));
        })
        .Case([&](DenseBoolArrayAttr a) {
          auto list = RankedTensorType::get({a.size()}, IntegerType::get(context, 1));
          elements(DenseElementsAttr::get(list, a.asArrayRef()));
        })
        .Case([&](DenseElementsAttr a) { elements(a); })
        .Case([&](hlo::TypeExtensionsAttr a) { code(Code::TypeExtensions), numbers(a.getBounds()); })
        .Case([&](hlo::ComparisonDirectionAttr a) { enumeration(Code::ComparisonDirection, a.getValue()); })
        .Case([&](hlo::ComparisonTypeAttr a) { enumeration(Code::ComparisonType, a.getValue()); })
        .Case([&](hlo::FftTypeAttr a) { enumeration(Code::FftType, a.getValue()); })
        .Case([&](hlo::PrecisionAttr a) { enumeration(Code::Precision, a.getValue()); })
        .Case([&](hlo::RngAlgorithmAttr a) { enumeration(Code::RngAlgorithm, a.getValue()); })
        .Case([&](hlo::RngDistributionAttr a) { enumeration(Code::RngDistribution, a.getValue()); })
        .Case([&](hlo::TransposeAttr a) { enumeration(Code::Transpose, a.getValue()); })
        .Case([&](hlo::ResultAccuracyModeAttr a) { enumeration(Code::ResultAccuracyMode, a.getValue()); })
        .Case([&](hlo::ResultAccuracyAttr a) { accuracy(a); })
        .Case([&](hlo::OutputOperandAliasAttr a) { alias(a); })
        .Case([&](hlo::SubAxisInfoAttr a) {
          code(Code::SubAxisInfo), out.signedVarInt(a.getPreSize()), out.signedVarInt(a.getSize());
        })
        .Case([&](hlo::AxisRefAttr a) { axis(a); })
        .Case([&](hlo::ReplicaGroupMeshAxesAttr a) { meshAxes(a); })
        .Case([&](hlo::MeshAxisAttr a) {
          code(Code::MeshAxis), attribute(StringAttr::get(context, a.getName())), out.signedVarInt(a.getSize());
        })
        .Case([&](hlo::MeshAttr a) { mesh(a); })
        .Default([&](Attribute a) { refuse("an attribute", a); });
  }
};

}  // namespace

std::string writeVhloAttribute(Tables &tables, Attribute value) {
  Writer writer(tables);
  writer.write(value);
  return writer.take();
}

}  // namespace tpuc::vhlo
