//===- write_ops.cpp - modules of stablehlo as portable artifacts ------------------------------------------===//
// Part of tpuc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===-----------------------------------------------------------------------------===//
#include "dialects/sdy/sdy.h"
#include "dialects/stablehlo/stablehlo.h"
#include "dialects/vhlo/artifact.h"
#include "dialects/vhlo/attributes.h"
#include "dialects/vhlo/defaults.h"
#include "dialects/vhlo/ops.h"
#include "dialects/vhlo/writer.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"

using namespace mlir;

namespace tpuc::vhlo {
namespace {

namespace hlo = tpuc::stablehlo;

// The bytecode that the readers of a version know.
uint64_t bytecodeOf(Version version) {
  if (version < Version{0, 10, 0}) return 0;
  if (version < Version{0, 12, 0}) return 1;
  if (version < Version{0, 14, 0}) return 3;
  return version < Version{0, 15, 0} ? 4 : kNewestBytecode;
}

// How many dimensions an op's window has: its defaults have as many entries.
int64_t windowDims(Operation *op) {
  if (auto conv = dyn_cast<hlo::ConvolutionOp>(op))
    return conv.getDimensionNumbers().getInputSpatialDimensions().size();
  if (auto conv = dyn_cast<hlo::DynamicConvOp>(op))
    return conv.getDimensionNumbers().getInputSpatialDimensions().size();
  auto shaped = op->getNumOperands() ? dyn_cast<ShapedType>(op->getOperand(0).getType()) : ShapedType();
  return shaped && shaped.hasRank() ? shaped.getRank() : 0;
}

bool isSdy(Operation *op) { return op->getName().getDialectNamespace() == "sdy"; }

class OpWriter {
 public:
  OpWriter(Version version, ModuleOp module) : tables(version, bytecodeOf(version), module.getLoc()) {}

  LogicalResult write(ModuleOp module, raw_ostream &os) {
    Bytes body;
    body.flagged(1, /*hasArguments=*/false);
    writeOp(body, module);
    if (tables.failed()) return failure();
    Bytes file;
    file.bytes("ML\xefR");
    file.varInt(tables.bytecode);
    file.bytes("StableHLO_v" + tables.version.text());
    file.byte(0);
    file.bytes(tables.sections());
    file.section(kOps, body.text);
    os << file.text;
    return success();
  }

 private:
  //===---------------------------------------------------------------------------===//
  // Values
  //===---------------------------------------------------------------------------===//

  // Around ops of sdy and at the start of their regions stand casts from vhlo's types to MLIR's and back: as many more
  // values. Each region's values are numbered ahead of those within it; an isolated region begins anew.
  static uint64_t countValues(Block &block) {
    uint64_t arguments = block.getNumArguments(), count = arguments;
    if (block.getParentOp() && isSdy(block.getParentOp())) count += arguments;
    for (Operation &op : block)
      count += op.getNumResults() + (isSdy(&op) ? op.getNumResults() + op.getNumOperands() : 0);
    return count;
  }
  void define(Value value) { numbers[value] = next++; }

  //===---------------------------------------------------------------------------===//
  // Attributes
  //===---------------------------------------------------------------------------===//

  // The attributes that the row lists, all of them; what the row has not may only say its default.
  SmallVector<std::pair<StringRef, uint64_t>> rowAttributes(Operation *op, const OpInfo &info) {
    StringRef base = baseName(info.name);
    NamedAttrList list = toVhlo(op);
    SmallVector<std::pair<StringRef, uint64_t>> row;
    for (StringRef name : info.attributeNames()) {
      Attribute value = list.erase(name);
      if (!value) value = valueWhenAbsent(op, base, name);
      if (!value) {
        tables.refuse("expects " + name + " of " + base + " to be said");
        return row;
      }
      bool isApi = name == "api_version";
      row.push_back({name, isApi ? tables.apiVersion(cast<IntegerAttr>(value).getValue().getZExtValue())
                                 : tables.attribute(value, Space::Vhlo)});
    }
    for (NamedAttribute rest : list)
      if (!isEmpty(rest.getValue()) && !isDefault(base, rest.getName(), rest.getValue()))
        tables.refuse("expects an op of version " + tables.version.text() + ", but " + base + " of it has no " +
                      rest.getName().getValue());
    return row;
  }

  // Layouts come in pairs, and calls of typed functions have a list instead of a text.
  Attribute valueWhenAbsent(Operation *op, StringRef base, StringRef name) {
    Builder builder(op->getContext());
    if (base == "select_and_scatter" && name == "window_dimensions")
      return builder.getDenseI64ArrayAttr(SmallVector<int64_t>(windowDims(op), 1));
    if (base == "custom_call" && name == "backend_config")
      if (auto api = op->getAttrOfType<IntegerAttr>("api_version"); api && api.getValue().getZExtValue() == 4)
        return builder.getDictionaryAttr({});
    // Attributes that some versions had twice, or had before they were used.
    if (base == "dynamic_conv" && name == "padding")
      return defaultOf(op->getContext(), "convolution", name, windowDims(op));
    return defaultOf(op->getContext(), base, name, windowDims(op));
  }

  // The discardable attributes, and before there were properties the others too.
  void writeList(Bytes &out, Operation *op, ArrayRef<std::pair<StringRef, uint64_t>> row) {
    bool vhlo = !isSdy(op) && !isa<ModuleOp>(op);
    DictionaryAttr discardable = op->getDiscardableAttrDictionary();
    Bytes bytes;
    bytes.varInt(static_cast<uint64_t>(BuiltinAttribute::Dictionary));
    SmallVector<std::pair<StringRef, uint64_t>> all(row);
    for (NamedAttribute attribute : discardable)
      all.push_back({attribute.getName(), tables.attribute(attribute.getValue(), vhlo ? Space::Vhlo : Space::Builtin)});
    llvm::sort(all, llvm::less_first());
    bytes.varInt(all.size());
    for (auto [name, value] : all) {
      bytes.varInt(tables.attribute(StringAttr::get(op->getContext(), name), Space::Builtin));
      bytes.varInt(value);
    }
    out.varInt(tables.entry("builtin", std::move(bytes.text)));
  }

  //===---------------------------------------------------------------------------===//
  // Ops
  //===---------------------------------------------------------------------------===//

  // Its name there, and its attributes. Null with an error for ops that a version has not.
  struct Name {
    StringRef dialect;
    std::string name;
    SmallVector<std::pair<StringRef, uint64_t>> attributes;  // sorted
    std::string properties;
  };

  Name nameOf(Operation *op) {
    Name result;
    Bytes bytes;
    if (auto module = dyn_cast<ModuleOp>(op)) {
      result = {"builtin", "module", {}, ""};
      for (StringRef name : {"sym_name", "sym_visibility"}) {
        Attribute value = module->getInherentAttr(name).value_or(Attribute());
        bytes.flagged(value ? tables.attribute(value, Space::Builtin) : 0, static_cast<bool>(value));
        if (value) result.attributes.push_back({name, tables.attribute(value, Space::Builtin)});
      }
    } else if (isSdy(op)) {
      result = {"sdy", op->getName().stripDialect().str(), {}, ""};
      writeSdyProperties(op, result, bytes);
    } else {
      StringRef base = op->getName().stripDialect();
      bool known = isa<func::FuncDialect, hlo::StablehloDialect>(op->getDialect());
      const OpInfo *info = known ? findOp(base, tables.version) : nullptr;
      if (!info) {
        tables.refuse("expects an op of version " + tables.version.text() + ", but got '" +
                      op->getName().getStringRef() + "'");
        return result;
      }
      result = {"vhlo", info->name.str(), rowAttributes(op, *info), ""};
      for (auto [name, value] : result.attributes) bytes.varInt(value);
    }
    result.properties = std::move(bytes.text);
    return result;
  }

  // In the order of their names; those that may be absent say whether they are there.
  void writeSdyProperties(Operation *op, Name &result, Bytes &bytes) {
    NamedAttrList list;
    op->getName().populateInherentAttrs(op, list);
    bool named = isa<sdy::NamedComputationOp>(op);
    auto isOptional = [&](StringRef name) {
      return (named && name != "name") || name == "reduction_op" ||
             (name == "sharding" && isa<sdy::DataFlowEdgeOp>(op));
    };
    SmallVector<StringRef> names;
    for (StringAttr name : op->getName().getAttributeNames()) names.push_back(name);
    llvm::sort(names);
    for (StringRef name : names) {
      Attribute value = list.get(name);
      uint64_t number = value ? tables.attribute(value, Space::Builtin) : 0;
      isOptional(name) ? bytes.flagged(number, static_cast<bool>(value)) : bytes.varInt(number);
      if (value) result.attributes.push_back({name, number});
    }
  }

  void writeOp(Bytes &out, Operation *op) {
    if (tables.failed()) return;
    tables.location = op->getLoc();
    Name name = nameOf(op);
    bool hasProperties = tables.bytecode >= kSinceProperties && !name.properties.empty();
    bool listed = tables.bytecode < kSinceProperties && !name.attributes.empty();
    bool hasList = listed || !op->getDiscardableAttrDictionary().empty();
    bool sharded = isSdy(op);
    SmallVector<uint64_t> operands;
    for (Value operand : op->getOperands())
      operands.push_back(sharded
                             ? writeCast(out, op->getLoc(), operand.getType(), numbers.lookup(operand), Space::Builtin)
                             : numbers.lookup(operand));

    uint8_t mask = (hasList ? kHasAttributes : 0) | (hasProperties ? kHasProperties : 0) |
                   (op->getNumResults() ? kHasResults : 0) | (operands.empty() ? 0 : kHasOperands) |
                   (op->getNumRegions() ? kHasRegions : 0);
    out.varInt(tables.opName(name.dialect, name.name));
    out.byte(mask);
    out.varInt(tables.attribute(LocationAttr(op->getLoc()), Space::Builtin));
    if (hasList) writeList(out, op, listed ? ArrayRef(name.attributes) : ArrayRef<std::pair<StringRef, uint64_t>>());
    if (hasProperties) out.varInt(tables.property(std::move(name.properties)));
    if (op->getNumResults()) {
      out.varInt(op->getNumResults());
      for (Type type : op->getResultTypes()) out.varInt(tables.type(type, sharded ? Space::Builtin : Space::Vhlo));
    }
    if (!operands.empty()) {
      out.varInt(operands.size());
      for (uint64_t operand : operands) out.varInt(operand);
    }
    if (op->getNumRegions()) writeRegions(out, op);
    for (Value result : op->getResults()) define(result);
    if (sharded)
      for (Value result : op->getResults())
        numbers[result] = writeCast(out, op->getLoc(), result.getType(), numbers.lookup(result), Space::Vhlo);
  }

  // The number of the value as a type of `to`.
  uint64_t writeCast(Bytes &out, Location location, Type type, uint64_t operand, Space to) {
    out.varInt(tables.opName("builtin", "unrealized_conversion_cast"));
    out.byte(kHasResults | kHasOperands);
    out.varInt(tables.attribute(LocationAttr(location), Space::Builtin));
    out.varInt(1);
    out.varInt(tables.type(type, to));
    out.varInt(1);
    out.varInt(operand);
    return next++;
  }

  //===---------------------------------------------------------------------------===//
  // Regions
  //===---------------------------------------------------------------------------===//

  // A function of vhlo is not isolated, unlike ours.
  static bool isIsolated(Operation *op) {
    return isa<ModuleOp>(op) || (isSdy(op) && op->hasTrait<OpTrait::IsIsolatedFromAbove>());
  }

  void writeRegions(Bytes &out, Operation *op) {
    bool isolated = isIsolated(op);
    out.flagged(op->getNumRegions(), isolated);
    Bytes section;
    bool hasSection = isolated && tables.bytecode >= kSinceSections;
    Bytes &inner = hasSection ? section : out;
    uint64_t outerNext = next, outerEnd = end;
    for (Region &region : op->getRegions()) {
      next = isolated ? 0 : outerEnd;
      writeRegion(inner, region);
    }
    next = outerNext;
    end = outerEnd;
    if (hasSection) out.section(kOps, section.text);
  }

  void writeRegion(Bytes &out, Region &region) {
    if (!region.empty() && !region.hasOneBlock()) return tables.refuse("expects regions of one block");
    out.varInt(region.empty() ? 0 : 1);
    if (region.empty()) return;
    Block &block = region.front();
    uint64_t count = countValues(block);
    end = next + count;
    bool sharded = isSdy(region.getParentOp());
    uint64_t casts = (sharded ? block.getNumArguments() : 0);
    uint64_t ops = casts;
    for (Operation &op : block) ops += 1 + (isSdy(&op) ? op.getNumOperands() + op.getNumResults() : 0);
    out.varInt(count);
    out.flagged(ops, block.getNumArguments() != 0);
    if (block.getNumArguments()) writeArguments(out, block, sharded ? Space::Builtin : Space::Vhlo);
    for (BlockArgument argument : block.getArguments().take_front(casts))
      numbers[argument] = writeCast(out, argument.getLoc(), argument.getType(), numbers.lookup(argument), Space::Vhlo);
    uint64_t regionEnd = end;
    for (Operation &op : block) {
      end = regionEnd;
      writeOp(out, &op);
    }
  }

  void writeArguments(Bytes &out, Block &block, Space space) {
    out.varInt(block.getNumArguments());
    for (BlockArgument argument : block.getArguments()) {
      uint64_t type = tables.type(argument.getType(), space);
      bool located = tables.bytecode < kSinceElision || !isa<UnknownLoc>(argument.getLoc());
      tables.bytecode < kSinceElision ? out.varInt(type) : out.flagged(type, located);
      if (located) out.varInt(tables.attribute(LocationAttr(argument.getLoc()), Space::Builtin));
      define(argument);
    }
    if (tables.bytecode >= kSinceUseOrders) out.byte(0);  // no order of uses
  }

  Tables tables;
  llvm::DenseMap<Value, uint64_t> numbers;
  uint64_t next = 0, end = 0;  // the number of the next value, and the first behind the region's
};

}  // namespace

LogicalResult writeArtifact(ModuleOp module, Version version, raw_ostream &os) {
  return OpWriter(version, module).write(module, os);
}

}  // namespace tpuc::vhlo
