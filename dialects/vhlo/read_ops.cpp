//===- read_ops.cpp - ops of vhlo as ops of stablehlo ----------------------------------------------------===//
// Part of tpuc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===-----------------------------------------------------------------------------===//
#include "dialects/vhlo/read_ops.h"

#include "dialects/stablehlo/stablehlo.h"
#include "dialects/vhlo/attributes.h"
#include "dialects/vhlo/ops.h"
#include "mlir/IR/TypeUtilities.h"

using namespace mlir;

namespace tpuc::vhlo {
namespace {

constexpr unsigned kDeepest = 256;  // regions within regions

// The attributes of sdy's ops in the order of their properties; those with a question mark may be absent.
constexpr std::pair<StringLiteral, StringLiteral> kSdyOps[] = {
    {"mesh", "mesh sym_name"},
    {"sharding_constraint", "sharding"},
    {"reshard", "sharding"},
    {"manual_computation", "in_shardings manual_axes out_shardings"},
    {"named_computation", "in_shardings? name out_shardings?"},
    {"propagation_barrier", "allowed_direction"},
    {"sharding_group", "group_id"},
    {"constant", "value"},
    {"data_flow_edge", "sharding?"},
    {"func_data_flow_edge", ""},
    {"all_gather", "gathering_axes out_sharding"},
    {"all_slice", "out_sharding slicing_axes"},
    {"all_to_all", "out_sharding params"},
    {"all_reduce", "out_sharding reduction_axes reduction_op?"},
    {"reduce_scatter", "out_sharding reduce_scatter_axes reduction_op?"},
    {"collective_permute", "out_sharding"},
    {"sharded_to_unreduced", "axes out_sharding"},
    {"replicated_to_unreduced", "axes out_sharding"},
    {"return", ""}};

// What the section says of an op before it becomes one.
struct Parts {
  Container::OpName name;
  Location location;
  NamedAttrList inherent, discardable;
  SmallVector<Type> types;
  SmallVector<Value> operands;
  SmallVector<std::unique_ptr<Region>> regions;
};

class OpReader {
 public:
  OpReader(const Source &source, const Container &file, Entries &entries)
      : source(source), file(file), entries(entries) {}

  OwningOpRef<ModuleOp> readModule() {
    Cursor cursor(file.body);
    uint64_t count;
    bool hasArguments;
    Block block;
    if (!cursor.flagged(count, hasArguments) || count != 1 || hasArguments) {
      source.error(cursor) << "expects one module";
      return {};
    }
    if (failed(readOp(cursor, block, "", 0))) return {};
    auto module = dyn_cast<ModuleOp>(&block.front());
    if (!module) {
      source.error(file.body.data()) << "expects one module, but got '" << block.front().getName() << "'";
      return {};
    }
    module->remove();
    return module;
  }

 private:
  LogicalResult truncated(const Cursor &cursor) {
    return source.error(cursor) << "expects more bytes of ops, but the section ends";
  }

  //===---------------------------------------------------------------------------===//
  // Values
  //===---------------------------------------------------------------------------===//

  // Values are numbered through a region, its own ahead of those within; numbers begin anew in an isolated one.
  struct RegionValues {
    uint64_t first, count;
    SmallVector<Value> defined;
  };

  LogicalResult readOperand(Cursor &cursor, Value &value) {
    uint64_t number;
    if (!cursor.varInt(number)) return truncated(cursor);
    for (size_t i = scopes.size(); i > scope; --i) {
      RegionValues &region = scopes[i - 1];
      if (number < region.first || number - region.first >= region.defined.size()) continue;
      value = region.defined[number - region.first];
      return success();
    }
    return source.error(cursor) << "expects a value defined before, but got number " << number;
  }

  LogicalResult define(const Cursor &cursor, ValueRange values) {
    if (values.empty()) return success();
    if (scopes.size() == scope || values.size() > scopes.back().count - scopes.back().defined.size())
      return source.error(cursor) << "expects no more values than the region says, but got another";
    llvm::append_range(scopes.back().defined, values);
    return success();
  }

  // They order the uses of a value, which means nothing here.
  LogicalResult skipUseOrders(Cursor &cursor, uint64_t values) {
    uint64_t orders = 1, number, count;
    bool pairs;
    if (values > 1 && !cursor.varInt(orders)) return truncated(cursor);
    for (uint64_t i = 0; i < orders; ++i) {
      if ((values > 1 && !cursor.varInt(number)) || !cursor.flagged(count, pairs)) return truncated(cursor);
      for (uint64_t k = 0; k < count; ++k)
        if (!cursor.varInt(number)) return truncated(cursor);
    }
    return success();
  }

  //===---------------------------------------------------------------------------===//
  // Ops
  //===---------------------------------------------------------------------------===//

  template <typename AttrT>
  LogicalResult readAttribute(Cursor &cursor, AttrT &attribute) {
    uint64_t index;
    Attribute any;
    if (!cursor.varInt(index)) return truncated(cursor);
    if (failed(entries.attribute(cursor.at(), index, any))) return failure();
    if ((attribute = dyn_cast<AttrT>(any))) return success();
    return source.error(cursor) << "expects a location or a list of attributes, but got " << any;
  }
  LogicalResult readType(Cursor &cursor, uint64_t index, Type &type) { return entries.type(cursor.at(), index, type); }

  LogicalResult readOp(Cursor &cursor, Block &block, StringRef parent, unsigned depth) {
    uint64_t name;
    uint8_t mask;
    LocationAttr location;
    if (!cursor.varInt(name) || !cursor.byte(mask)) return truncated(cursor);
    if (name >= file.ops.size())
      return source.error(cursor) << "expects one of " << file.ops.size() << " names of ops, but got number " << name;
    if (failed(readAttribute(cursor, location))) return failure();
    Parts parts{file.ops[name], Location(location), {}, {}, {}, {}, {}};
    if (failed(readAttributes(cursor, mask, parts)) || failed(readValues(cursor, mask, parts)) ||
        (mask & kHasRegions && failed(readRegions(cursor, parts, depth))))
      return failure();
    // Between vhlo's types and MLIR's, which are the same here; they stand around ops of sdy.
    if (parts.name.dialect == "builtin" && parts.name.name == "unrealized_conversion_cast" &&
        llvm::equal(TypeRange(ValueRange(parts.operands)), parts.types))
      return define(cursor, parts.operands);
    Operation *op = build(parts, parent);
    if (!op) return failure();
    block.push_back(op);
    return define(cursor, op->getResults());
  }

  LogicalResult readAttributes(Cursor &cursor, uint8_t mask, Parts &parts) {
    DictionaryAttr attributes;
    if (mask & kHasAttributes) {
      if (failed(readAttribute(cursor, attributes))) return failure();
      // Before there were properties, an op's attributes were all in one list.
      for (NamedAttribute attribute : attributes)
        (isInherent(parts.name, attribute.getName()) ? parts.inherent : parts.discardable).push_back(attribute);
    }
    if (!(mask & kHasProperties)) return success();
    uint64_t index;
    if (file.version < kSinceProperties || !cursor.varInt(index)) return truncated(cursor);
    if (index >= file.properties.size())
      return source.error(cursor) << "expects one of " << file.properties.size() << " properties, but got number "
                                  << index;
    Reader reader(entries, file.properties[index], 0);
    return readProperties(reader, parts);
  }

  // "name", with a question mark when it may be absent.
  SmallVector<StringRef> attributeNames(Container::OpName name) {
    SmallVector<StringRef> names;
    if (name.dialect == "vhlo") {
      if (const OpInfo *info = findOp(name.name)) return info->attributeNames();
    } else if (name.dialect == "builtin") {
      names = {"sym_name?", "sym_visibility?"};
    } else if (name.dialect == "sdy") {
      for (auto [op, attributes] : kSdyOps)
        if (name.name == op) StringRef(attributes).split(names, ' ', -1, /*KeepEmpty=*/false);
    } else if (llvm::is_contained({"stablehlo", "chlo", "func"}, name.dialect)) {
      stablehloAttributes(name.dialect, name.name).split(names, ' ', -1, /*KeepEmpty=*/false);
    }
    return names;
  }
  bool isInherent(Container::OpName op, StringRef attribute) {
    return llvm::any_of(attributeNames(op), [&](StringRef name) { return name.rtrim('?') == attribute; });
  }

  LogicalResult readProperties(Reader &reader, Parts &parts) {
    SmallVector<StringRef> names = attributeNames(parts.name);
    auto isOptional = [](StringRef name) { return name.ends_with("?"); };
    // Older versions wrote those alone that every version has.
    if (reader.countVarInts() == names.size() - llvm::count_if(names, isOptional)) llvm::erase_if(names, isOptional);
    for (StringRef name : names) {
      if (isOptional(name) && reader.empty()) break;  // newer versions have more
      Attribute value;
      if (failed(isOptional(name) ? reader.readOptionalAttribute(value) : reader.readAttribute(value)))
        return failure();
      if (value) parts.inherent.set(StringAttr::get(reader.getContext(), name.rtrim('?')), value);
    }
    return reader.empty() ? success()
                          : LogicalResult(reader.emitError("expects the end of properties, but got more bytes"));
  }

  LogicalResult readValues(Cursor &cursor, uint8_t mask, Parts &parts) {
    uint64_t count, index;
    if (mask & kHasResults) {
      if (!cursor.count(count)) return truncated(cursor);
      for (uint64_t i = 0; i < count; ++i) {
        if (!cursor.varInt(index)) return truncated(cursor);
        if (failed(readType(cursor, index, parts.types.emplace_back()))) return failure();
      }
    }
    if (mask & kHasOperands) {
      if (!cursor.count(count)) return truncated(cursor);
      for (uint64_t i = 0; i < count; ++i)
        if (failed(readOperand(cursor, parts.operands.emplace_back()))) return failure();
    }
    if (mask & kHasSuccessors) return source.error(cursor) << "expects an op of stablehlo, but got a branch";
    if (mask & kHasUseOrders && file.version >= kSinceUseOrders) return skipUseOrders(cursor, parts.types.size());
    return success();
  }

  //===---------------------------------------------------------------------------===//
  // Regions
  //===---------------------------------------------------------------------------===//

  LogicalResult readRegions(Cursor &outer, Parts &parts, unsigned depth) {
    uint64_t count;
    bool isolated;
    if (!outer.flagged(count, isolated)) return truncated(outer);
    if (depth == kDeepest || count > outer.size())
      return source.error(outer) << "expects regions that nest " << kDeepest << " deep at most, but got deeper ones";
    Cursor section;
    bool hasSection = isolated && count && file.version >= kSinceSections;
    if (hasSection) {
      uint8_t kind;
      StringRef bytes;
      if (failed(readSection(source, outer, kind, bytes))) return failure();
      if (kind != kOps) return source.error(outer) << "expects a section of ops";
      section = Cursor(bytes);
    }
    Cursor &cursor = hasSection ? section : outer;
    size_t before = scope;
    if (isolated) scope = scopes.size();
    for (uint64_t i = 0; i < count; ++i)
      if (failed(
              readRegion(cursor, *parts.regions.emplace_back(std::make_unique<Region>()), parts.name.name, depth + 1)))
        return failure();
    scope = before;
    return success();
  }

  LogicalResult readRegion(Cursor &cursor, Region &region, StringRef parent, unsigned depth) {
    uint64_t blocks, values, ops;
    bool hasArguments;
    if (!cursor.varInt(blocks)) return truncated(cursor);
    if (blocks == 0) return success();
    if (blocks > 1) return source.error(cursor) << "expects regions of one block, but got " << blocks;
    if (!cursor.count(values) || !cursor.flagged(ops, hasArguments)) return truncated(cursor);
    uint64_t first = scopes.size() > scope ? scopes.back().first + scopes.back().count : 0;
    scopes.push_back({first, values, {}});
    Block &block = region.emplaceBlock();
    if (hasArguments && failed(readArguments(cursor, block))) return failure();
    if (ops > cursor.size()) return truncated(cursor);
    for (uint64_t i = 0; i < ops; ++i)
      if (failed(readOp(cursor, block, parent, depth))) return failure();
    scopes.pop_back();
    return success();
  }

  LogicalResult readArguments(Cursor &cursor, Block &block) {
    uint64_t count, index;
    if (!cursor.count(count)) return truncated(cursor);
    for (uint64_t i = 0; i < count; ++i) {
      Type type;
      LocationAttr location = UnknownLoc::get(source.start->getContext());
      bool located = true, mayElide = file.version >= kSinceElision;
      if (mayElide ? !cursor.flagged(index, located) : !cursor.varInt(index)) return truncated(cursor);
      if (failed(readType(cursor, index, type)) || (located && failed(readAttribute(cursor, location))))
        return failure();
      block.addArgument(type, location);
    }
    uint8_t ordered = 0;
    if (failed(define(cursor, block.getArguments()))) return failure();
    if (file.version >= kSinceUseOrders && !cursor.byte(ordered)) return truncated(cursor);
    return ordered ? skipUseOrders(cursor, count) : success();
  }

  //===---------------------------------------------------------------------------===//
  // To stablehlo
  //===---------------------------------------------------------------------------===//

  // The op that stands for it, without vhlo's version; empty for none.
  std::string nameFor(Container::OpName name, StringRef parent) {
    if (name.dialect != "vhlo") return (name.dialect + "." + name.name).str();
    if (!findOp(name.name)) return "";
    StringRef base = baseName(name.name);
    if (base == "func" || base == "call" || (base == "return" && parent.starts_with("func_v")))
      return ("func." + base).str();
    return ("stablehlo." + base).str();
  }

  // Files exist that compare floats as signed integers: the element type decides, only the order of NaNs is a choice.
  void dropTypeOfComparison(Parts &parts) {
    auto kind = dyn_cast_or_null<stablehlo::ComparisonTypeAttr>(parts.inherent.get("compare_type"));
    if (kind && kind.getValue() != stablehlo::ComparisonType::TOTALORDER && parts.operands.size() == 2 &&
        getElementTypeOrSelf(parts.operands[0].getType()).isFloat() ==
            (kind.getValue() != stablehlo::ComparisonType::FLOAT))
      parts.inherent.erase("compare_type");
  }

  Operation *build(Parts &parts, StringRef parent) {
    std::string name = nameFor(parts.name, parent);
    bool allowed = llvm::is_contained({"vhlo", "sdy", "stablehlo", "chlo", "func"}, parts.name.dialect) ||
                   name == "builtin.module";
    auto info = RegisteredOperationName::lookup(name, parts.location->getContext());
    if (!allowed || !info) {
      emitError(parts.location) << "expects an op of vhlo " << kOldest.text() << " to " << kNewest.text()
                                << ", but got '" << parts.name.dialect << "." << parts.name.name << "'";
      return nullptr;
    }
    if (name == "builtin.module" && (parts.regions.size() != 1 || parts.regions[0]->empty())) {
      emitError(parts.location) << "expects a module with a body";
      return nullptr;
    }
    if (parts.name.dialect == "vhlo") {
      StringRef base = baseName(parts.name.name);
      if (failed(toStablehlo(base, parts.location, parts.inherent))) return nullptr;
      if (base == "compare") dropTypeOfComparison(parts);
    }
    // Attributes of the wrong kind are an error here, not in the constructor.
    NamedAttrList checked(parts.inherent);
    if (failed(info->verifyInherentAttrs(checked, [&] { return emitError(parts.location) << "'" << name << "' "; })))
      return nullptr;
    OperationState state(parts.location, name, parts.operands, parts.types, parts.inherent.getAttrs());
    state.attributes.append(parts.discardable);
    state.regions = std::move(parts.regions);
    return Operation::create(state);
  }

  const Source &source;
  const Container &file;
  Entries &entries;
  std::vector<RegionValues> scopes;
  size_t scope = 0;  // where the innermost isolated region begins
};

}  // namespace

OwningOpRef<ModuleOp> readOps(const Source &source, const Container &file, Entries &entries) {
  return OpReader(source, file, entries).readModule();
}

}  // namespace tpuc::vhlo
