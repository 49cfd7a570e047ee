//===- write_builtin.cpp - locations, MLIR's own attributes and sdy's --------------------------------------===//
// Part of tpuc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===-----------------------------------------------------------------------------===//
#include "dialects/sdy/sdy.h"
#include "dialects/stablehlo/stablehlo.h"
#include "dialects/vhlo/entry_writer.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;

namespace tpuc::vhlo {
namespace {

using Code = BuiltinAttribute;
constexpr Version kRanges = {1, 9, 0};  // readers before know the start of a place only

class Writer : public EntryWriter {
 public:
  explicit Writer(Tables &tables) : EntryWriter(tables, Space::Builtin) {}

  //===---------------------------------------------------------------------------===//
  // MLIR's
  //===---------------------------------------------------------------------------===//

  // Line and column, or those of the end too; on one line that is the column alone.
  void place(FileLineColRange value) {
    bool plain = isa<FileLineColLoc>(LocationAttr(value)) || tables.version < kRanges;
    code(plain ? Code::FileLineColLoc : Code::FileLineColRange);
    attribute(value.getFilename());
    SmallVector<uint64_t> at{value.getStartLine(), value.getStartColumn()};
    if (!plain) {
      if (value.getEndLine() != value.getStartLine()) at.push_back(value.getEndLine());
      at.push_back(value.getEndColumn());
      out.varInt(at.size());
    }
    for (uint64_t number : at) out.varInt(number);
  }

  void fused(FusedLoc value) {
    code(value.getMetadata() ? Code::FusedLocWithMetadata : Code::FusedLoc);
    out.varInt(value.getLocations().size());
    for (Location part : value.getLocations()) attribute(LocationAttr(part));
    if (value.getMetadata()) attribute(value.getMetadata());
  }

  void dictionary(DictionaryAttr value) {
    code(Code::Dictionary);
    entries(value);
  }

  void elements(DenseElementsAttr value) {
    code(Code::DenseElements);
    type(value.getType());
    out.blob(StringRef(value.getRawData().data(), value.getRawData().size()));
  }

  void write(Attribute value) {
    llvm::TypeSwitch<Attribute>(value)
        .Case([&](UnknownLoc) { code(Code::UnknownLoc); })
        .Case([&](FileLineColRange a) { place(a); })
        .Case([&](NameLoc a) { code(Code::NameLoc), attribute(a.getName()), attribute(LocationAttr(a.getChildLoc())); })
        .Case([&](CallSiteLoc a) {
          code(Code::CallSiteLoc), attribute(LocationAttr(a.getCallee())), attribute(LocationAttr(a.getCaller()));
        })
        .Case([&](FusedLoc a) { fused(a); })
        .Case([&](ArrayAttr a) { code(Code::Array), attributes(a); })
        .Case([&](DictionaryAttr a) { dictionary(a); })
        .Case([&](StringAttr a) { code(Code::String), out.varInt(tables.string(a.getValue())); })
        .Case([&](FlatSymbolRefAttr a) { code(Code::FlatSymbolRef), attribute(a.getAttr()); })
        .Case([&](TypeAttr a) { code(Code::Type), type(a.getValue()); })
        .Case([&](UnitAttr) { code(Code::Unit); })
        .Case([&](IntegerAttr a) { code(Code::Integer), type(a.getType()), out.integer(a.getValue()); })
        .Case([&](FloatAttr a) { code(Code::Float), type(a.getType()), out.real(a.getValue()); })
        .Case([&](DenseElementsAttr a) { elements(a); })
        .Default([&](Attribute a) { refuse("an attribute", a); });
  }

  void write(Type value) {
    if (auto integer = dyn_cast<IntegerType>(value)) {
      code(BuiltinType::Integer);
      return out.varInt(integer.getWidth() << 2 | integer.getSignedness());
    }
    if (auto tensor = dyn_cast<RankedTensorType>(value); tensor && !tensor.getEncoding()) {
      code(BuiltinType::RankedTensor);
      numbers(tensor.getShape());
      return type(tensor.getElementType());
    }
    if (auto complex = dyn_cast<ComplexType>(value)) {
      code(BuiltinType::Complex);
      return type(complex.getElementType());
    }
    auto plain = llvm::TypeSwitch<Type, std::optional<BuiltinType>>(value)
                     .Case([](IndexType) { return BuiltinType::Index; })
                     .Case([](BFloat16Type) { return BuiltinType::BF16; })
                     .Case([](Float16Type) { return BuiltinType::F16; })
                     .Case([](Float32Type) { return BuiltinType::F32; })
                     .Case([](Float64Type) { return BuiltinType::F64; })
                     .Case([](NoneType) { return BuiltinType::None; })
                     .Default([](Type) { return std::nullopt; });
    plain ? code(*plain) : refuse("a type", value);
  }

  //===---------------------------------------------------------------------------===//
  // sdy's
  //===---------------------------------------------------------------------------===//

  void axis(sdy::AxisRefAttr value) {
    code(SdyAttribute::AxisRef);
    out.varInt(tables.string(value.getName()));
    if (!value.isSubAxis()) return out.flagged(0, false);
    auto part = stablehlo::SubAxisInfoAttr::get(value.getContext(), value.getPreSize(), value.getSize());
    out.flagged(tables.attribute(part, Space::Sdy), true);
  }

  void dimension(sdy::DimensionShardingAttr value) {
    code(SdyAttribute::DimensionSharding);
    attributes(value.getAxes());
    out.byte(value.getIsClosed());
    out.flagged(value.getPriority().value_or(0), value.getPriority().has_value());
  }

  void sharding(sdy::TensorShardingAttr value) {
    bool unreduced = !value.getUnreducedAxes().empty();
    bool reduced = unreduced && value.getReductionOp() != sdy::ReductionOp::SUM;
    code(reduced     ? SdyAttribute::ReducedByTensorSharding
         : unreduced ? SdyAttribute::UnreducedTensorSharding
                     : SdyAttribute::TensorSharding);
    attribute(value.getMeshOrRef());
    attributes(value.getDimShardings());
    attributes(value.getReplicatedAxes());
    if (unreduced) attributes(value.getUnreducedAxes());
    if (reduced) out.signedVarInt(static_cast<int64_t>(value.getReductionOp()));
  }

  void perValue(sdy::TensorShardingPerValueAttr value) {
    bool unreduced = llvm::any_of(value.getShardings(), [](auto one) { return !one.getUnreducedAxes().empty(); });
    code(unreduced ? SdyAttribute::UnreducedTensorShardingPerValue : SdyAttribute::TensorShardingPerValue);
    attributes(value.getShardings());
  }

  void rule(sdy::OpShardingRuleAttr value) {
    code(SdyAttribute::OpShardingRule);
    numbers(value.getFactorSizes());
    attributes(value.getOperands());
    attributes(value.getResults());
    for (ArrayRef<int64_t> factors :
         {value.getReduction(), value.getNeedReplication(), value.getPermutation(), value.getBlockedPropagation()})
      numbers(factors);
    out.byte(value.getIsCustom());
  }

  void writeSdy(Attribute value) {
    llvm::TypeSwitch<Attribute>(value)
        .Case([&](sdy::ManualAxesAttr a) { code(SdyAttribute::ManualAxes), attributes(a.getValue()); })
        .Case([&](sdy::MeshAxisAttr a) {
          code(SdyAttribute::MeshAxis), out.varInt(tables.string(a.getName())), out.signedVarInt(a.getSize());
        })
        .Case([&](sdy::MeshAttr a) { code(SdyAttribute::Mesh), attributes(a.getAxes()), numbers(a.getDeviceIds()); })
        .Case([&](stablehlo::SubAxisInfoAttr a) {
          code(SdyAttribute::SubAxisInfo), out.signedVarInt(a.getPreSize()), out.signedVarInt(a.getSize());
        })
        .Case([&](sdy::AxisRefAttr a) { axis(a); })
        .Case([&](sdy::DimensionShardingAttr a) { dimension(a); })
        .Case([&](sdy::TensorShardingAttr a) { sharding(a); })
        .Case([&](sdy::TensorShardingPerValueAttr a) { perValue(a); })
        .Case([&](sdy::DimMappingAttr a) { code(SdyAttribute::DimMapping), numbers(a.getFactors()); })
        .Case([&](sdy::TensorMappingAttr a) { code(SdyAttribute::TensorMapping), attributes(a.getDims()); })
        .Case([&](sdy::OpShardingRuleAttr a) { rule(a); })
        .Case([&](sdy::AxisRefListAttr a) { code(SdyAttribute::AxisRefList), attributes(a.getValue()); })
        .Case([&](sdy::ListOfAxisRefListsAttr a) { code(SdyAttribute::ListOfAxisRefLists), attributes(a.getValue()); })
        .Case([&](sdy::AllToAllParamAttr a) {
          code(SdyAttribute::AllToAllParam), attributes(a.getAxes());
          out.signedVarInt(a.getSrcDim()), out.signedVarInt(a.getTgtDim());
        })
        .Case([&](sdy::AllToAllParamListAttr a) { code(SdyAttribute::AllToAllParamList), attributes(a.getValue()); })
        .Default([&](Attribute a) { refuse("an attribute of sdy", a); });
  }
};

}  // namespace

std::string writeBuiltinAttribute(Tables &tables, Attribute value) {
  Writer writer(tables);
  writer.write(value);
  return writer.take();
}

std::string writeBuiltinType(Tables &tables, Type value) {
  Writer writer(tables);
  writer.write(value);
  return writer.take();
}

std::string writeSdyAttribute(Tables &tables, Attribute value) {
  Writer writer(tables);
  writer.writeSdy(value);
  return writer.take();
}

}  // namespace tpuc::vhlo
