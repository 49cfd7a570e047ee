//===- rules.cpp - syntax and constraints of sharding rules ---------------------------------------------===//
// Part of tpuc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A factor is a letter from i to z, further ones z_1, z_2, ...; a rule says of which factors each dimension is the
// product.
//===-----------------------------------------------------------------------------===//
#include "dialects/sdy/sdy.h"
#include "llvm/ADT/BitVector.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/DialectImplementation.h"

using namespace mlir;

namespace tpuc::sdy {

LogicalResult checkShardingAttribute(Operation *op, Attribute value);  // sharding_checks.cpp

namespace {

constexpr int64_t kLetters = 'z' - 'i' + 1;

void printFactor(raw_ostream &out, int64_t factor) {
  if (factor < kLetters)
    out << static_cast<char>('i' + factor);
  else
    out << "z_" << factor - kLetters + 1;
}

// Takes the first factor from `word`; nothing where it starts with none.
std::optional<int64_t> takeFactor(StringRef &word) {
  if (word.consume_front("z_")) {
    uint32_t number;
    bool padded = word.starts_with("0");
    if (padded || word.consumeInteger(10, number) || number == 0) return std::nullopt;
    return number + kLetters - 1;
  }
  if (word.empty() || word.front() < 'i' || word.front() > 'z') return std::nullopt;
  int64_t factor = word.front() - 'i';
  word = word.drop_front();
  return factor;
}

ParseResult parseFactors(AsmParser &parser, SmallVectorImpl<int64_t> &factors) {
  SMLoc loc = parser.getCurrentLocation();
  StringRef word;
  if (parser.parseKeyword(&word)) return failure();
  for (StringRef rest = word; !rest.empty();) {
    auto factor = takeFactor(rest);
    if (!factor) return parser.emitError(loc) << "expects factors from i to z, z_1, z_2, ..., but got " << word;
    factors.push_back(*factor);
  }
  return success();
}

ParseResult parseFactor(AsmParser &parser, int64_t &factor) {
  SMLoc loc = parser.getCurrentLocation();
  SmallVector<int64_t> factors;
  if (parseFactors(parser, factors)) return failure();
  factor = factors.front();
  return factors.size() == 1 ? success()
                             : ParseResult(parser.emitError(loc) << "expects one factor, but got " << factors.size());
}

ParseResult parseMappings(AsmParser &parser, SmallVectorImpl<TensorMappingAttr> &mappings) {
  return parser.parseCommaSeparatedList(AsmParser::Delimiter::Paren, [&]() -> ParseResult {
    mappings.push_back(dyn_cast_or_null<TensorMappingAttr>(TensorMappingAttr::parse(parser, {})));
    return failure(!mappings.back());
  });
}

// {i=8, j=16}: all factors in their order.
ParseResult parseSizes(AsmParser &parser, SmallVectorImpl<int64_t> &sizes) {
  return parser.parseCommaSeparatedList(AsmParser::Delimiter::OptionalBraces, [&]() -> ParseResult {
    SMLoc loc = parser.getCurrentLocation();
    int64_t factor;
    if (parseFactor(parser, factor) || parser.parseEqual()) return failure();
    if (factor != static_cast<int64_t>(sizes.size()))
      return parser.emitError(loc) << "expects the sizes of all factors in their order, from i on";
    return parser.parseInteger(sizes.emplace_back());
  });
}

void printFactors(AsmPrinter &printer, StringRef what, ArrayRef<int64_t> factors) {
  if (factors.empty()) return;
  printer << " " << what << "={";
  llvm::interleaveComma(factors, printer, [&](int64_t factor) { printFactor(printer.getStream(), factor); });
  printer << "}";
}

void printMappings(AsmPrinter &printer, ArrayRef<TensorMappingAttr> mappings) {
  printer << "(";
  llvm::interleaveComma(mappings, printer, [&](TensorMappingAttr one) { one.print(printer); });
  printer << ")";
}

}  // namespace

Attribute DimMappingAttr::parse(AsmParser &parser, Type) {
  SmallVector<int64_t> factors;
  if (succeeded(parser.parseOptionalStar())) return get(parser.getContext(), factors);  // of no factor
  return parseFactors(parser, factors) ? Attribute() : get(parser.getContext(), factors);
}
void DimMappingAttr::print(AsmPrinter &printer) const {
  if (getFactors().empty()) printer << "*";
  for (int64_t factor : getFactors()) printFactor(printer.getStream(), factor);
}

Attribute TensorMappingAttr::parse(AsmParser &parser, Type) {
  SmallVector<DimMappingAttr> dims;
  auto parseOne = [&]() -> ParseResult {
    dims.push_back(dyn_cast_or_null<DimMappingAttr>(DimMappingAttr::parse(parser, {})));
    return failure(!dims.back());
  };
  return parser.parseCommaSeparatedList(AsmParser::Delimiter::Square, parseOne) ? Attribute()
                                                                                : get(parser.getContext(), dims);
}
void TensorMappingAttr::print(AsmPrinter &printer) const {
  printer << "[";
  llvm::interleaveComma(getDims(), printer, [&](DimMappingAttr one) { one.print(printer); });
  printer << "]";
}

Attribute OpShardingRuleAttr::parse(AsmParser &parser, Type) {
  SmallVector<TensorMappingAttr> operands, results;
  SmallVector<int64_t> sizes, groups[4];
  if (parser.parseLess() || parseMappings(parser, operands) || parser.parseArrow() || parseMappings(parser, results) ||
      parseSizes(parser, sizes))
    return {};
  const StringRef names[] = {"reduction", "need_replication", "permutation", "blocked_propagation"};
  for (auto [group, name] : llvm::zip_equal(groups, names))
    if (succeeded(parser.parseOptionalKeyword(name)))
      if (parser.parseEqual() || parser.parseCommaSeparatedList(AsmParser::Delimiter::Braces, [&] {
            return parseFactor(parser, group.emplace_back());
          }))
        return {};
  bool custom = succeeded(parser.parseOptionalComma());
  if ((custom && parser.parseKeyword("custom")) || parser.parseGreater()) return {};
  return get(parser.getContext(), sizes, operands, results, groups[0], groups[1], groups[2], groups[3], custom);
}
void OpShardingRuleAttr::print(AsmPrinter &printer) const {
  printer << "<";
  printMappings(printer, getOperands());
  printer << "->";
  printMappings(printer, getResults());
  if (!getFactorSizes().empty()) {
    printer << " {";
    llvm::interleaveComma(llvm::enumerate(getFactorSizes()), printer, [&](auto one) {
      printFactor(printer.getStream(), one.index());
      printer << "=" << one.value();
    });
    printer << "}";
  }
  printFactors(printer, "reduction", getReduction());
  printFactors(printer, "need_replication", getNeedReplication());
  printFactors(printer, "permutation", getPermutation());
  printFactors(printer, "blocked_propagation", getBlockedPropagation());
  printer << (getIsCustom() ? ", custom>" : ">");
}

//===-----------------------------------------------------------------------------===//
// Constraints
//===-----------------------------------------------------------------------------===//

namespace {

class RuleVerifier {
 public:
  RuleVerifier(Operation *op, OpShardingRuleAttr rule)
      : op(op), rule(rule), sizes(rule.getFactorSizes()), used(sizes.size()), given(sizes.size()) {}

  LogicalResult verify() {
    if (failed(mappings("operands", op->getOperandTypes(), rule.getOperands()))) return failure();
    BitVector operands = used;
    used.reset();
    if (failed(mappings("results", op->getResultTypes(), rule.getResults()))) return failure();
    if (rule.getOperands().empty() && rule.getResults().empty())
      return op->emitOpError() << "expects a sharding rule of an op with operands or results";
    for (int64_t factor : rule.getReduction())
      if (inRange(factor) && used.test(factor))
        return complain("expects that a reduction leaves nothing of its factors, but a result has ", factor);
    operands |= used;
    if (int unused = operands.find_first_unset(); unused >= 0)
      return complain("expects each factor in an operand or a result, but in none is ", unused);
    for (ArrayRef<int64_t> group : {rule.getReduction(), rule.getNeedReplication(), rule.getPermutation()})
      if (failed(listed(group))) return failure();
    given.reset();  // this property is beside the others
    return listed(rule.getBlockedPropagation());
  }

 private:
  using BitVector = llvm::BitVector;
  bool inRange(int64_t factor) { return factor >= 0 && factor < static_cast<int64_t>(sizes.size()); }

  LogicalResult complain(StringRef what, int64_t factor) {
    std::string name;
    llvm::raw_string_ostream out(name);
    printFactor(out, factor);
    return op->emitOpError() << what << "factor " << name;
  }

  LogicalResult mappings(StringRef what, TypeRange types, ArrayRef<TensorMappingAttr> tensors) {
    if (types.size() != tensors.size())
      return op->emitOpError() << "expects a sharding rule of " << types.size() << " " << what << ", but got one of "
                               << tensors.size();
    for (auto [type, mapping] : llvm::zip_equal(types, tensors))
      if (failed(tensor(type, mapping))) return failure();
    return success();
  }

  LogicalResult tensor(Type type, TensorMappingAttr mapping) {
    auto shaped = dyn_cast<RankedTensorType>(type);
    if (!shaped || shaped.getRank() != static_cast<int64_t>(mapping.getDims().size()))
      return op->emitOpError() << "expects factors of each dimension of " << type << ", but got those of "
                               << mapping.getDims().size();
    BitVector here(sizes.size());
    for (DimMappingAttr dim : mapping.getDims()) {
      if (dim.getFactors().empty()) return op->emitOpError() << "expects at least one factor of a dimension";
      for (int64_t factor : dim.getFactors()) {
        if (!inRange(factor)) return complain("expects the size of ", factor);
        if (here.test(factor)) return complain("expects each factor once in an array, but got twice ", factor);
        if (sizes[factor] == 1 && dim.getFactors().size() > 1)
          return complain("expects factors larger than 1 where a dimension has several, but got ", factor);
        here.set(factor);
      }
    }
    used |= here;
    return success();
  }

  LogicalResult listed(ArrayRef<int64_t> group) {
    for (int64_t factor : group) {
      if (!inRange(factor)) return complain("expects the size of ", factor);
      if (given.test(factor)) return complain("expects one property of a factor, but got two of ", factor);
      given.set(factor);
    }
    return success();
  }

  Operation *op;
  OpShardingRuleAttr rule;
  ArrayRef<int64_t> sizes;
  BitVector used, given;
};

}  // namespace

LogicalResult SdyDialect::verifyOperationAttribute(Operation *op, NamedAttribute attribute) {
  if (attribute.getName() == "sdy.sharding" && !isa<ModuleOp>(op))
    return checkShardingAttribute(op, attribute.getValue());
  if (attribute.getName() != "sdy.sharding_rule") return success();
  auto rule = dyn_cast<OpShardingRuleAttr>(attribute.getValue());
  if (!rule)
    return op->emitOpError() << "expects #sdy.op_sharding_rule as sdy.sharding_rule, but got " << attribute.getValue();
  return RuleVerifier(op, rule).verify();
}

}  // namespace tpuc::sdy
