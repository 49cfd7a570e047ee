//===- vhlo.h - the versioned twin of stablehlo -------------------------------------------------------===//
// Part of tpuc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The dialect exists in bytecode only. Its ops stand in a table (ops.def); their attributes and types are decoded
// straight into those of stablehlo and builtin.
//===-----------------------------------------------------------------------------===//
#ifndef TPUC_DIALECTS_VHLO_VHLO_H
#define TPUC_DIALECTS_VHLO_VHLO_H

#include "dialects/vhlo/version.h"

#include "mlir/Bytecode/BytecodeImplementation.h"
#include "mlir/Bytecode/BytecodeOpInterface.h"
#include "mlir/IR/Dialect.h"
#include "mlir/IR/OpDefinition.h"

namespace tpuc::vhlo {

// A row of ops.def.
struct OpInfo {
  llvm::StringLiteral name;        // "abs_v1"
  llvm::StringLiteral first, last; // versions; no last one for what is current
  llvm::StringLiteral attributes;  // names in alphabetical order, spaces between

  // The names one by one.
  llvm::SmallVector<llvm::StringRef> attributeNames() const;
};
llvm::ArrayRef<OpInfo> ops();
// Of "vhlo.abs_v1" or "abs_v1"; null for others.
const OpInfo *findOp(llvm::StringRef name);
// "abs" of "abs_v1".
llvm::StringRef baseName(llvm::StringRef name);

class VhloDialect : public mlir::Dialect {
public:
  explicit VhloDialect(mlir::MLIRContext *context);
  static constexpr llvm::StringLiteral getDialectNamespace() { return "vhlo"; }
};

//===-----------------------------------------------------------------------------===//
// Ops
//===-----------------------------------------------------------------------------===//

// All attributes of an op, by name.
struct Attributes {
  mlir::DictionaryAttr all;
  bool operator==(const Attributes &) const = default;
};

// What the ops share; `info` is the row.
struct OpBehaviour {
  static mlir::LogicalResult readProperties(const OpInfo &info, mlir::DialectBytecodeReader &reader, Attributes &attributes);
  static void writeProperties(const OpInfo &info, const Attributes &attributes, mlir::DialectBytecodeWriter &writer);
  static std::optional<mlir::Attribute> get(const OpInfo &info, const Attributes &attributes, llvm::StringRef name);
  static void set(mlir::MLIRContext *context, Attributes &attributes, llvm::StringRef name, mlir::Attribute value);
};

// The op of row N.
template <unsigned N>
class TableOp : public mlir::Op<TableOp<N>, mlir::OpTrait::VariadicOperands, mlir::OpTrait::VariadicResults,
                                mlir::OpTrait::VariadicRegions, mlir::OpTrait::ZeroSuccessors,
                                mlir::BytecodeOpInterface::Trait> {
public:
  using Base = mlir::Op<TableOp<N>, mlir::OpTrait::VariadicOperands, mlir::OpTrait::VariadicResults,
                        mlir::OpTrait::VariadicRegions, mlir::OpTrait::ZeroSuccessors, mlir::BytecodeOpInterface::Trait>;
  using Base::Base;
  using Properties = Attributes;

  static const OpInfo &info() { return ops()[N]; }
  static llvm::StringRef getOperationName() {
    static const std::string name = ("vhlo." + info().name).str();
    return name;
  }
  static llvm::ArrayRef<llvm::StringRef> getAttributeNames() { return {}; }

  static mlir::LogicalResult readProperties(mlir::DialectBytecodeReader &reader, mlir::OperationState &state) {
    return OpBehaviour::readProperties(info(), reader, state.getOrAddProperties<Properties>());
  }
  void writeProperties(mlir::DialectBytecodeWriter &writer) {
    OpBehaviour::writeProperties(info(), this->getOperation()->getPropertiesStorage().template as<Properties *>()[0], writer);
  }

  static mlir::LogicalResult setPropertiesFromAttr(Properties &properties, mlir::Attribute attribute,
                                                   llvm::function_ref<mlir::InFlightDiagnostic()>) {
    properties.all = mlir::dyn_cast_or_null<mlir::DictionaryAttr>(attribute);
    return mlir::success();
  }
  static mlir::Attribute getPropertiesAsAttr(mlir::MLIRContext *, const Properties &properties) { return properties.all; }
  static llvm::hash_code computePropertiesHash(const Properties &properties) {
    return llvm::hash_value(properties.all.getAsOpaquePointer());
  }
  static std::optional<mlir::Attribute> getInherentAttr(mlir::MLIRContext *, const Properties &properties,
                                                        llvm::StringRef name) {
    return OpBehaviour::get(info(), properties, name);
  }
  static void setInherentAttr(Properties &properties, llvm::StringRef name, mlir::Attribute value) {
    if (value)
      OpBehaviour::set(value.getContext(), properties, name, value);
  }
  static void populateInherentAttrs(mlir::MLIRContext *, const Properties &properties, mlir::NamedAttrList &attributes) {
    if (properties.all)
      attributes.append(properties.all.begin(), properties.all.end());
  }
  static mlir::LogicalResult verifyInherentAttrs(mlir::OperationName, mlir::NamedAttrList &,
                                                 llvm::function_ref<mlir::InFlightDiagnostic()>) {
    return mlir::success();
  }
};

} // namespace tpuc::vhlo

#endif // TPUC_DIALECTS_VHLO_VHLO_H
