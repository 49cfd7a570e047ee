//===- dialect.cpp - the vhlo dialect -----------------------------------------------------------------===//
// Part of tpuc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===-----------------------------------------------------------------------------===//
#include "dialects/stablehlo/stablehlo.h"
#include "dialects/vhlo/bytecode.h"
#include "dialects/vhlo/vhlo.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Quant/IR/Quant.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/ADT/StringExtras.h"

using namespace mlir;

namespace tpuc::vhlo {

static constexpr OpInfo kOps[] = {
#define VHLO_OP(NAME, FIRST, LAST, ATTRIBUTES) {NAME, FIRST, LAST, ATTRIBUTES},
#include "dialects/vhlo/ops.def"
};

ArrayRef<OpInfo> ops() { return kOps; }

SmallVector<StringRef> OpInfo::attributeNames() const {
  SmallVector<StringRef> names;
  if (!attributes.empty())
    attributes.split(names, ' ');
  return names;
}

const OpInfo *findOp(StringRef name) {
  static const llvm::StringMap<const OpInfo *> *byName = [] {
    auto *map = new llvm::StringMap<const OpInfo *>();
    for (const OpInfo &info : kOps)
      (*map)[info.name] = &info;
    return map;
  }();
  name.consume_front("vhlo.");
  return byName->lookup(name);
}

StringRef baseName(StringRef name) {
  name.consume_front("vhlo.");
  return name.take_front(name.rfind("_v"));
}

//===-----------------------------------------------------------------------------===//
// Ops
//===-----------------------------------------------------------------------------===//

LogicalResult OpBehaviour::readProperties(const OpInfo &info, DialectBytecodeReader &reader, Attributes &attributes) {
  SmallVector<NamedAttribute> all;
  for (StringRef name : info.attributeNames()) {
    Attribute value;
    if (failed(reader.readAttribute(value)))
      return failure();
    all.push_back({StringAttr::get(reader.getContext(), name), value});
  }
  attributes.all = DictionaryAttr::get(reader.getContext(), all);
  return success();
}

void OpBehaviour::writeProperties(const OpInfo &info, const Attributes &attributes, DialectBytecodeWriter &writer) {
  for (StringRef name : info.attributeNames())
    writer.writeAttribute(attributes.all.get(name));
}

std::optional<Attribute> OpBehaviour::get(const OpInfo &info, const Attributes &attributes, StringRef name) {
  if (!llvm::is_contained(info.attributeNames(), name))
    return std::nullopt;
  return attributes.all ? attributes.all.get(name) : Attribute();
}

void OpBehaviour::set(MLIRContext *context, Attributes &attributes, StringRef name, Attribute value) {
  NamedAttrList list(attributes.all ? attributes.all : DictionaryAttr::get(context));
  list.set(name, value);
  attributes.all = list.getDictionary(context);
}

template <unsigned... N>
static void addAll(VhloDialect &dialect, std::integer_sequence<unsigned, N...>) {
  (RegisteredOperationName::insert<TableOp<N>>(dialect), ...);
}

VhloDialect::VhloDialect(MLIRContext *context) : Dialect(getDialectNamespace(), context, TypeID::get<VhloDialect>()) {
  // What is read is theirs at once.
  context->loadDialect<stablehlo::StablehloDialect, func::FuncDialect, quant::QuantDialect>();
  addAll(*this, std::make_integer_sequence<unsigned, std::size(kOps)>());
  addInterfaces<BytecodeInterface>();
}

} // namespace tpuc::vhlo
