// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Text and verifier of a kernel's plan.
#include "dialects/kernel/plan.h"

#include "llvm/ADT/SmallSet.h"
#include "llvm/ADT/TypeSwitch.h"
#include "mlir/IR/DialectImplementation.h"
#define GET_ATTRDEF_CLASSES
#include "dialects/kernel/plan.cpp.inc"

using namespace mlir;

namespace tpuc::kernel {

void KernelDialect::registerAttributes() {
  addAttributes<
#define GET_ATTRDEF_LIST
#include "dialects/kernel/plan.cpp.inc"
      >();
}

// ---- blocks ---------------------------------------------------------------------------------------------------------

static ParseResult parseNumbers(AsmParser &parser, SmallVectorImpl<int64_t> &numbers) {
  return parser.parseCommaSeparatedList(AsmParser::Delimiter::Square,
                                        [&] { return parser.parseInteger(numbers.emplace_back()); });
}

static void printNumbers(AsmPrinter &printer, ArrayRef<int64_t> numbers) {
  printer << '[';
  llvm::interleaveComma(numbers, printer);
  printer << ']';
}

// in hbm slots 2, or within 3
static ParseResult parsePlace(AsmParser &parser, StringRef &space, int64_t &slots, int64_t &within) {
  if (succeeded(parser.parseOptionalKeyword("within"))) return parser.parseInteger(within);
  if (parser.parseKeyword("in") || parser.parseKeyword(&space)) return failure();
  if (space != "hbm" && space != "vmem")
    return parser.emitError(parser.getNameLoc()) << "expects a block in hbm or vmem, but got " << space;
  return succeeded(parser.parseOptionalKeyword("slots")) ? parser.parseInteger(slots) : success();
}

// [512, 300] (d0, d1) -> (d0, d1) in hbm slots 2
static BlockAttr parseBlock(AsmParser &parser) {
  SmallVector<int64_t> shape;
  AffineMap map;
  StringRef space;
  int64_t slots = 0, within = -1;
  if (parseNumbers(parser, shape) || parser.parseAffineMap(map) || parsePlace(parser, space, slots, within)) return {};
  if (map.getNumResults() != shape.size()) {
    parser.emitError(parser.getNameLoc()) << "expects a block of " << shape.size() << " dims to have a map to as many";
    return {};
  }
  return BlockAttr::get(parser.getContext(), shape, map, space == "vmem", slots, within);
}

static void printBlock(AsmPrinter &printer, BlockAttr block) {
  printNumbers(printer, block.getShape());
  printer << ' ' << block.getMap();
  if (block.getWithin() >= 0) {
    printer << " within " << block.getWithin();
    return;
  }
  printer << " in " << (block.getResident() ? "vmem" : "hbm");
  if (block.getSlots()) printer << " slots " << block.getSlots();
}

Attribute BlockAttr::parse(AsmParser &parser, Type) {
  if (parser.parseLess()) return {};
  BlockAttr block = parseBlock(parser);
  return block && !parser.parseGreater() ? block : BlockAttr();
}

void BlockAttr::print(AsmPrinter &printer) const {
  printer << '<';
  printBlock(printer, *this);
  printer << '>';
}

// ---- plans ----------------------------------------------------------------------------------------------------------

namespace {

struct Grid {
  SmallVector<int64_t> extents, blocks, parallel, sequential;
  SmallVector<bool> known;
};

// parallel d0 = 2048 by 512
ParseResult parseDim(AsmParser &parser, Grid &grid) {
  StringRef how, name;
  int64_t extent, block;
  SMLoc at = parser.getCurrentLocation();
  if (parser.parseKeyword(&how) || parser.parseKeyword(&name) || parser.parseEqual() || parser.parseInteger(extent))
    return failure();
  block = extent;
  if (how != "whole" && (parser.parseKeyword("by") || parser.parseInteger(block))) return failure();
  size_t d = 0;
  if (!name.consume_front("d") || name.getAsInteger(10, d) || d >= 64)
    return parser.emitError(at) << "expects a dim by its number, d0 or another";
  if (d >= grid.known.size()) {
    grid.known.resize(d + 1);
    grid.extents.resize(d + 1);
    grid.blocks.resize(d + 1);
  }
  if (grid.known[d]) return parser.emitError(at) << "expects each dim once, but got d" << d << " again";
  grid.known[d] = true;
  grid.extents[d] = extent;
  grid.blocks[d] = block;
  if (how == "parallel")
    grid.parallel.push_back(d);
  else if (how == "sequential")
    grid.sequential.push_back(d);
  else if (how != "whole")
    return parser.emitError(at) << "expects a dim to be parallel, sequential or whole, but got " << how;
  return success();
}

ParseResult parseBlocks(AsmParser &parser, SmallVectorImpl<BlockAttr> &blocks) {
  return parser.parseCommaSeparatedList(AsmParser::Delimiter::Square, [&]() -> ParseResult {
    blocks.push_back(parseBlock(parser));
    return success(static_cast<bool>(blocks.back()));
  });
}

// keeps = [3], ring = 4, rows
ParseResult parseChoice(AsmParser &parser, StringRef name, NamedAttrList &choices) {
  Builder b(parser.getContext());
  Attribute value = b.getUnitAttr();
  if (succeeded(parser.parseOptionalEqual())) {
    SmallVector<int64_t> numbers;
    int64_t number;
    OptionalParseResult one = parser.parseOptionalInteger(number);
    if (one.has_value() ? failed(*one) : failed(parseNumbers(parser, numbers))) return failure();
    value = one.has_value() ? Attribute(b.getI64IntegerAttr(number)) : b.getDenseI64ArrayAttr(numbers);
  }
  if (choices.get(name)) return parser.emitError(parser.getNameLoc()) << "expects " << name << " once";
  choices.append(name, value);
  return success();
}

void printGrid(AsmPrinter &printer, PlanAttr plan) {
  printer << "grid [";
  llvm::ListSeparator next;
  SmallVector<bool> walked(plan.getExtents().size());
  for (bool parallel : {true, false})
    for (int64_t d : parallel ? plan.getParallel() : plan.getSequential()) {
      printer << StringRef(next) << (parallel ? "parallel d" : "sequential d") << d << " = " << plan.getExtents()[d]
              << " by " << plan.getBlocks()[d];
      walked[d] = true;
    }
  for (size_t d = 0; d < walked.size(); ++d)
    if (!walked[d]) printer << StringRef(next) << "whole d" << d << " = " << plan.getExtents()[d];
  printer << ']';
}

void printBlocks(AsmPrinter &printer, StringRef name, ArrayRef<BlockAttr> blocks) {
  printer << ", " << name << " [";
  llvm::interleaveComma(blocks, printer, [&](BlockAttr block) { printBlock(printer, block); });
  printer << ']';
}

}  // namespace

Attribute PlanAttr::parse(AsmParser &parser, Type) {
  Grid grid;
  SmallVector<BlockAttr> reads, writes;
  NamedAttrList choices;
  int64_t words = -1, budget = -1;
  SMLoc at = parser.getCurrentLocation();
  if (parser.parseLess() || parser.parseKeyword("grid") ||
      parser.parseCommaSeparatedList(AsmParser::Delimiter::Square, [&] { return parseDim(parser, grid); }))
    return {};
  while (succeeded(parser.parseOptionalComma())) {
    StringRef name;
    if (parser.parseKeyword(&name)) return {};
    ParseResult part = name == "reads"    ? parseBlocks(parser, reads)
                       : name == "writes" ? parseBlocks(parser, writes)
                       : name == "vmem"   ? failure(parser.parseInteger(words) || parser.parseKeyword("of") ||
                                                    parser.parseInteger(budget))
                                          : parseChoice(parser, name, choices);
    if (part) return {};
  }
  if (parser.parseGreater()) return {};
  if (llvm::is_contained(grid.known, false)) {
    parser.emitError(at) << "expects every dim up to d" << grid.known.size() - 1 << " in the grid";
    return {};
  }
  MLIRContext *context = parser.getContext();
  return parser.getChecked<PlanAttr>(at, context, grid.extents, grid.blocks, grid.parallel, grid.sequential, reads,
                                     writes, choices.getDictionary(context), words, budget);
}

void PlanAttr::print(AsmPrinter &printer) const {
  printer << '<';
  printGrid(printer, *this);
  if (!getReads().empty()) printBlocks(printer, "reads", getReads());
  if (!getWrites().empty()) printBlocks(printer, "writes", getWrites());
  for (NamedAttribute choice : getChoices()) {
    printer << ", " << choice.getName().getValue();
    if (auto number = dyn_cast<IntegerAttr>(choice.getValue()))
      printer << " = " << number.getInt();
    else if (auto numbers = dyn_cast<DenseI64ArrayAttr>(choice.getValue()))
      printNumbers(printer << " = ", numbers);
  }
  if (getWords() >= 0) printer << ", vmem " << getWords() << " of " << getBudget();
  printer << '>';
}

LogicalResult PlanAttr::verify(function_ref<InFlightDiagnostic()> emitError, ArrayRef<int64_t> extents,
                               ArrayRef<int64_t> blocks, ArrayRef<int64_t>, ArrayRef<int64_t>,
                               ArrayRef<BlockAttr> reads, ArrayRef<BlockAttr> writes, DictionaryAttr, int64_t words,
                               int64_t budget) {
  for (auto [d, extent, block] : llvm::enumerate(extents, blocks))
    if (extent < 0 || block < (extent > 0))
      return emitError() << "expects steps of 1 and more along d" << d << ", but got " << block;
  for (BlockAttr block : llvm::concat<const BlockAttr>(reads, writes))
    if (block.getMap().getNumDims() != extents.size())
      return emitError() << "expects maps of " << extents.size() << " dims, but got " << block.getMap().getNumDims();
  if (words > budget) return emitError() << "expects " << budget << " words of VMEM at most, but got " << words;
  return success();
}

// ---- on kernels -----------------------------------------------------------------------------------------------------

static LogicalResult verifyPlaces(Operation *op, Attribute attribute) {
  auto places = dyn_cast<ArrayAttr>(attribute);
  if (!places || places.size() != op->getNumResults())
    return op->emitOpError() << kPlacesAttr << " expects a list for each of " << op->getNumResults() << " results";
  auto fusion = dyn_cast<FusionOp>(op);
  const int64_t inputs = fusion ? static_cast<int64_t>(fusion.getInputs().size()) : 0;
  for (auto [result, list] : llvm::zip(op->getResults(), places)) {
    auto types = dyn_cast<ArrayAttr>(list);
    if (!types || !llvm::all_of(types, llvm::IsaPred<PlaceAttr>))
      return op->emitOpError() << kPlacesAttr << " expects lists of #kernel.place, but got " << list;
    for (auto place : types.getAsRange<PlaceAttr>()) {
      if (place.getOver() >= inputs || place.getOver() < -1)
        return op->emitOpError() << kPlacesAttr << " expects one of " << inputs << " inputs below, but got "
                                 << place.getOver();
      auto type = dyn_cast<RankedTensorType>(place.getType());
      if (!type || place.getStrides().size() != std::max<size_t>(type.getRank(), 2) - 1)
        return op->emitOpError() << kPlacesAttr << " expects an array and a stride for all dims but its last, but got "
                                 << place;
    }
    if (!types.empty() && cast<PlaceAttr>(types[0]).getType() != result.getType())
      return op->emitOpError() << kPlacesAttr << " expects the place of " << result.getType() << " first, but got "
                               << types[0];
  }
  return success();
}

// A loop or branches, which carry arrays.
static bool isControl(Operation *op) {
  return op->getNumRegions() > 0 && !mlir::isa<FusionOp>(op) &&
         llvm::is_contained({"stablehlo.while", "stablehlo.if", "stablehlo.case"}, op->getName().getStringRef());
}

static LogicalResult verifyApart(Operation *op, Attribute attribute) {
  auto numbers = dyn_cast<DenseI64ArrayAttr>(attribute);
  auto places = op->getAttrOfType<ArrayAttr>(kPlacesAttr);
  auto isInVmem = [&](int64_t i) {
    auto types = i >= 0 && i < op->getNumResults() && places ? dyn_cast<ArrayAttr>(places[i]) : ArrayAttr();
    return types && !types.empty();
  };
  if (!numbers || op->getName().getStringRef() != "stablehlo.while" || !llvm::all_of(numbers.asArrayRef(), isInVmem))
    return op->emitOpError() << kApartAttr << " expects numbers of arrays that a loop carries in VMEM, but got "
                             << attribute;
  return success();
}

LogicalResult KernelDialect::verifyOperationAttribute(Operation *op, NamedAttribute attribute) {
  StringRef name = attribute.getName();
  if (name == kApartAttr) return verifyApart(op, attribute.getValue());
  if (name != kPlanAttr && name != kPlacesAttr) return success();
  auto fusion = dyn_cast<FusionOp>(op);
  if (!fusion && !(name == kPlacesAttr && isControl(op)))
    return op->emitOpError() << "expects " << name << " to be a kernel's";
  if (name == kPlacesAttr) return verifyPlaces(op, attribute.getValue());
  auto plan = dyn_cast<PlanAttr>(attribute.getValue());
  if (!plan) return fusion.emitOpError() << "expects a #kernel.plan, but got " << attribute.getValue();
  if (!plan.getWrites().empty() && plan.getWrites().size() != fusion.getNumResults())
    return fusion.emitOpError() << "expects a plan that writes " << fusion.getNumResults() << " blocks, but got "
                                << plan.getWrites().size();
  return success();
}

}  // namespace tpuc::kernel
