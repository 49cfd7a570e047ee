//===- chlo.cpp - the chlo dialect --------------------------------------------------------------------===//
// Part of tpuc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===-----------------------------------------------------------------------------===//
#include "dialects/stablehlo/chlo.h"

#include "dialects/stablehlo/assembly.h"
#include "dialects/stablehlo/infer.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;

namespace tpuc::chlo {

using namespace tpuc::stablehlo;

//===-----------------------------------------------------------------------------===//
// Broadcasting
//===-----------------------------------------------------------------------------===//

namespace {
// What a broadcasting op makes of the operands' element type.
enum class Result { Same, Bool, Complex };
}  // namespace

// One dimension of several: 1 gives way, what is known beats what is not.
static FailureOr<int64_t> broadcastDim(Emit emit, int64_t a, int64_t b) {
  if (a == 1 || a == b) return b;
  if (b == 1) return a;
  if (ShapedType::isDynamic(a)) return b;
  if (ShapedType::isDynamic(b)) return a;
  return emit() << "expects dimensions that broadcast to each other, but got " << a << " and " << b;
}

// Shapes aligned at their last dimension.
static FailureOr<SmallVector<int64_t>> broadcastShapes(Emit emit, ArrayRef<ArrayRef<int64_t>> shapes) {
  SmallVector<int64_t> result;
  for (ArrayRef<int64_t> shape : shapes)
    if (shape.size() > result.size()) result.insert(result.begin(), shape.size() - result.size(), 1);
  for (ArrayRef<int64_t> shape : shapes)
    for (auto [slot, size] : llvm::zip_equal(MutableArrayRef<int64_t>(result).take_back(shape.size()), shape)) {
      FailureOr<int64_t> merged = broadcastDim(emit, slot, size);
      if (failed(merged)) return failure();
      slot = *merged;
    }
  return result;
}

// The shape of the operand of lower rank, spread over the dimensions of the other.
static FailureOr<SmallVector<int64_t>> placeDims(Emit emit, ArrayRef<int64_t> shape, ArrayRef<int64_t> dims,
                                                 size_t rank) {
  if (failed(checkSize(emit, "broadcast_dimensions", dims.size(), shape.size())) ||
      failed(checkInRange(emit, "broadcast_dimensions", dims, rank)) ||
      failed(checkUnique(emit, "broadcast_dimensions", dims)) ||
      failed(checkSorted(emit, "broadcast_dimensions", dims)))
    return failure();
  SmallVector<int64_t> placed(rank, 1);
  for (auto [size, dim] : llvm::zip_equal(shape, dims)) placed[dim] = size;
  return placed;
}

static LogicalResult inferBroadcast(Emit emit, ValueRange operands, std::optional<ArrayRef<int64_t>> dims,
                                    Result element, Types &types) {
  auto lhs = dyn_cast<RankedTensorType>(operands[0].getType()), rhs = dyn_cast<RankedTensorType>(operands[1].getType());
  if (!lhs || !rhs) return failure();
  if (failed(checkElement(emit, "operands", rhs.getElementType(), lhs.getElementType()))) return failure();
  SmallVector<int64_t> lhsShape(lhs.getShape()), rhsShape(rhs.getShape());
  // Where ranks are equal, dims can only be the identity.
  if (dims && lhsShape.size() != rhsShape.size()) {
    SmallVector<int64_t> &small = lhsShape.size() < rhsShape.size() ? lhsShape : rhsShape;
    auto placed = placeDims(emit, small, *dims, std::max(lhsShape.size(), rhsShape.size()));
    if (failed(placed)) return failure();
    small = *placed;
  }
  FailureOr<SmallVector<int64_t>> shape = broadcastShapes(emit, {lhsShape, rhsShape});
  if (failed(shape)) return failure();
  Type type = lhs.getElementType();
  if (element == Result::Bool) type = IntegerType::get(type.getContext(), 1);
  if (element == Result::Complex) type = ComplexType::get(type);
  types.push_back(RankedTensorType::get(*shape, type));
  return success();
}

static LogicalResult inferBroadcastCompare(Emit emit, ValueRange operands, std::optional<ArrayRef<int64_t>> dims,
                                           Types &types) {
  if (llvm::none_of(operands.getTypes(), llvm::IsaPred<UnrankedTensorType>))
    return inferBroadcast(emit, operands, dims, Result::Bool, types);
  auto lhs = cast<TensorType>(operands[0].getType()), rhs = cast<TensorType>(operands[1].getType());
  if (failed(checkElement(emit, "operands", rhs.getElementType(), lhs.getElementType()))) return failure();
  types.push_back(UnrankedTensorType::get(IntegerType::get(lhs.getContext(), 1)));
  return success();
}

static LogicalResult inferBroadcastSelect(Emit emit, ValueRange operands, Types &types) {
  auto pred = dyn_cast<RankedTensorType>(operands[0].getType()),
       onTrue = dyn_cast<RankedTensorType>(operands[1].getType()),
       onFalse = dyn_cast<RankedTensorType>(operands[2].getType());
  if (!pred || !onTrue || !onFalse) return failure();
  if (failed(checkElement(emit, "on_false", onFalse.getElementType(), onTrue.getElementType()))) return failure();
  FailureOr<SmallVector<int64_t>> shape =
      broadcastShapes(emit, {pred.getShape(), onTrue.getShape(), onFalse.getShape()});
  if (failed(shape)) return failure();
  types.push_back(RankedTensorType::get(*shape, onTrue.getElementType()));
  return success();
}

//===-----------------------------------------------------------------------------===//
// Constants
//===-----------------------------------------------------------------------------===//

OpFoldResult ConstantOp::fold(FoldAdaptor) { return getValue(); }

static LogicalResult inferConstantLike(Emit emit, ValueRange operands, TypedAttr value, Types &types) {
  auto operand = dyn_cast<TensorType>(operands.front().getType());
  if (!operand) return failure();
  types.push_back(isa<UnrankedTensorType>(operand) ? TensorType(UnrankedTensorType::get(value.getType()))
                                                   : operand.clone(value.getType()));
  return success();
}

//===-----------------------------------------------------------------------------===//
// top_k
//===-----------------------------------------------------------------------------===//

static LogicalResult inferTopK(Emit emit, ValueRange operands, int64_t k, Types &types) {
  if (auto unranked = dyn_cast<UnrankedTensorType>(operands.front().getType())) {
    types.push_back(unranked);
    types.push_back(UnrankedTensorType::get(IntegerType::get(unranked.getContext(), 32)));
    return success();
  }
  auto operand = dyn_cast<RankedTensorType>(operands.front().getType());
  if (!operand) return failure();
  if (operand.getRank() < 1) return emit() << "expects an operand of rank 1 at least, but got " << operand;
  SmallVector<int64_t> shape(operand.getShape()), bounds = upperBounds(operand);
  if (k < 0 || (!ShapedType::isDynamic(bounds.back()) && bounds.back() < k))
    return emit() << "expects k in [0, " << bounds.back() << "], but got " << k;
  shape.back() = bounds.back() = k;
  types.push_back(withBounds(shape, bounds, operand.getElementType()));
  types.push_back(withBounds(shape, bounds, IntegerType::get(operand.getContext(), 32)));
  return success();
}

//===-----------------------------------------------------------------------------===//
// ragged_dot
//===-----------------------------------------------------------------------------===//

LogicalResult RaggedDotOp::verify() {
  auto emit = errorsOf(*this);
  RankedTensorType lhs = getLhs().getType(), rhs = getRhs().getType(), groups = getGroupSizes().getType();
  RaggedDotDimensionNumbersAttr dims = getRaggedDotDimensionNumbers();
  ArrayRef<int64_t> lhsBatch = dims.getLhsBatchingDimensions(), rhsBatch = dims.getRhsBatchingDimensions();
  ArrayRef<int64_t> lhsContract = dims.getLhsContractingDimensions(), rhsContract = dims.getRhsContractingDimensions();
  ArrayRef<int64_t> ragged = dims.getLhsRaggedDimensions(), group = dims.getRhsGroupDimensions();

  // Dimensions: paired, in range, in one role each.
  if (failed(checkSize(emit, "rhs_batching_dimensions", rhsBatch.size(), lhsBatch.size())) ||
      failed(checkSize(emit, "rhs_contracting_dimensions", rhsContract.size(), lhsContract.size())) ||
      failed(checkSize(emit, "lhs_ragged_dimensions", ragged.size(), 1)))
    return failure();
  SmallVector<int64_t> lhsDims(lhsBatch), rhsDims(rhsBatch);
  llvm::append_range(lhsDims, lhsContract);
  llvm::append_range(rhsDims, rhsContract);
  llvm::append_range(rhsDims, group);
  if (failed(checkInRange(emit, "lhs dimensions", lhsDims, lhs.getRank())) ||
      failed(checkInRange(emit, "lhs_ragged_dimensions", ragged, lhs.getRank())) ||
      failed(checkInRange(emit, "rhs dimensions", rhsDims, rhs.getRank())) ||
      failed(checkUnique(emit, "lhs dimensions", lhsDims)) || failed(checkUnique(emit, "rhs dimensions", rhsDims)))
    return failure();
  auto checkPairs = [&](ArrayRef<int64_t> left, ArrayRef<int64_t> right) -> LogicalResult {
    for (auto [l, r] : llvm::zip_equal(left, right))
      if (!sameDim(lhs.getDimSize(l), rhs.getDimSize(r)))
        return emit() << "expects paired dimensions of the same size, but got " << lhs.getDimSize(l) << " and "
                      << rhs.getDimSize(r);
    return success();
  };
  if (failed(checkPairs(lhsBatch, rhsBatch)) || failed(checkPairs(lhsContract, rhsContract))) return failure();

  // The ragged dimension is batching, contracting, or free; only when free has rhs a group dimension.
  bool isBatch = llvm::is_contained(lhsBatch, ragged[0]), isContract = llvm::is_contained(lhsContract, ragged[0]);
  bool isFree = !isBatch && !isContract;
  if (failed(checkSize(emit, "rhs_group_dimensions", group.size(), isFree ? 1 : 0))) return failure();

  // group_sizes: [dims before the ragged one.., groups], or just [groups].
  if (groups.getRank() < 1) return emit() << "expects group_sizes of rank 1 at least, but got " << groups;
  int64_t numGroups = groups.getShape().back();
  if (groups.getRank() > 1) {
    SmallVector<int64_t> prefix;
    if (!isBatch) llvm::append_range(prefix, lhsBatch);
    if (isFree) {
      for (int64_t dim = 0; dim < ragged[0]; ++dim)
        if (!llvm::is_contained(lhsBatch, dim) && !llvm::is_contained(lhsContract, dim)) prefix.push_back(dim);
    } else {
      for (int64_t dim : isBatch ? lhsBatch : lhsContract) {
        if (dim == ragged[0]) break;
        prefix.push_back(dim);
      }
    }
    SmallVector<int64_t> expected = llvm::map_to_vector(prefix, [&](int64_t dim) { return lhs.getDimSize(dim); });
    expected.push_back(numGroups);
    if (failed(checkShape(emit, "group_sizes", groups.getShape(), expected))) return failure();
  }
  if (isFree && !sameDim(rhs.getDimSize(group[0]), numGroups))
    return emit() << "expects a group dimension of size " << numGroups << ", but got " << rhs.getDimSize(group[0]);

  // [groups, if contracting] + batch + free of lhs + free of rhs
  SmallVector<int64_t> shape;
  if (isContract) shape.push_back(numGroups);
  for (int64_t dim : lhsBatch) shape.push_back(lhs.getDimSize(dim));
  for (int64_t dim = 0; dim < lhs.getRank(); ++dim)
    if (!llvm::is_contained(lhsDims, dim)) shape.push_back(lhs.getDimSize(dim));
  for (int64_t dim = 0; dim < rhs.getRank(); ++dim)
    if (!llvm::is_contained(rhsDims, dim)) shape.push_back(rhs.getDimSize(dim));
  return checkShape(emit, "result", getType().getShape(), shape);
}

//===-----------------------------------------------------------------------------===//
// scan
//===-----------------------------------------------------------------------------===//

// A slice of a value along the scanned dimension; null where there is no such dimension.
static RankedTensorType sliceOf(Value value, int64_t dimension) {
  RankedTensorType type = tensorType(value);
  if (dimension < 0 || dimension >= type.getRank()) return {};
  SmallVector<int64_t> shape(type.getShape());
  shape.erase(shape.begin() + dimension);
  return RankedTensorType::get(shape, type.getElementType());
}

LogicalResult ScanOp::verify() {
  auto emit = errorsOf(*this);
  int64_t dimension = getDimension();
  if (getInits().size() != getCarries().size())
    return emit() << "expects " << getInits().size() << " carries, but got " << getCarries().size();
  int64_t extent = getScanDimSize() ? static_cast<int64_t>(*getScanDimSize()) : ShapedType::kDynamic;
  auto slices = [&](ValueRange values, SmallVectorImpl<Type> &types) -> LogicalResult {
    for (Value value : values) {
      RankedTensorType slice = sliceOf(value, dimension);
      if (!slice)
        return emit() << "expects dimension in [0, " << tensorType(value).getRank() << "), but got " << dimension;
      int64_t size = tensorType(value).getDimSize(dimension);
      if (!sameDim(size, extent))
        return emit() << "expects size " << extent << " of the scanned dimension, but got " << size;
      if (ShapedType::isDynamic(extent)) extent = size;
      types.push_back(slice);
    }
    return success();
  };
  SmallVector<Type> arguments, results;
  if (failed(slices(getInputs(), arguments)) || failed(slices(getOutputs(), results))) return failure();
  llvm::append_range(arguments, getInits().getTypes());
  llvm::append_range(results, getCarries().getTypes());
  if (failed(checkTypes(emit, "carries", getCarries().getTypes(), getInits().getTypes()))) return failure();
  return checkBody(emit, "body", getBody(), arguments, results);
}

// (%a, %b) inits (%c) dimension = 0 attributes {..} {body} : (types) -> (types)
ParseResult ScanOp::parse(OpAsmParser &parser, OperationState &state) {
  SmallVector<OpAsmParser::UnresolvedOperand> operands, inits;
  IntegerAttr dimension;
  FunctionType type;
  SMLoc loc = parser.getCurrentLocation();
  if (parser.parseOperandList(operands, AsmParser::Delimiter::Paren) || parser.parseKeyword("inits") ||
      parser.parseOperandList(inits, AsmParser::Delimiter::Paren) || parser.parseKeyword("dimension") ||
      parser.parseEqual() || parseI64(parser, dimension) || parser.parseOptionalAttrDictWithKeyword(state.attributes) ||
      parser.parseRegion(*state.addRegion()) || parser.parseColonType(type))
    return failure();
  int32_t numInputs = operands.size(), numInits = inits.size(), numResults = type.getNumResults();
  if (numResults < numInits)
    return parser.emitError(loc) << "expects " << numInits << " results at least, but got " << numResults;
  llvm::append_range(operands, inits);
  if (parser.resolveOperands(operands, type.getInputs(), loc, state.operands)) return failure();
  state.addTypes(type.getResults());
  state.addAttribute("dimension", dimension);
  Builder &builder = parser.getBuilder();
  state.addAttribute("operandSegmentSizes", builder.getDenseI32ArrayAttr({numInputs, numInits}));
  state.addAttribute("resultSegmentSizes", builder.getDenseI32ArrayAttr({numResults - numInits, numInits}));
  return success();
}

void ScanOp::print(OpAsmPrinter &printer) {
  printer << "(" << getInputs() << ") inits(" << getInits() << ") dimension = " << static_cast<int64_t>(getDimension());
  printer.printOptionalAttrDictWithKeyword((*this)->getAttrs(),
                                           {"dimension", "operandSegmentSizes", "resultSegmentSizes"});
  printer << ' ';
  printer.printRegion(getBody());
  printer << " : ";
  printer.printFunctionalType(*this);
}

//===-----------------------------------------------------------------------------===//
// The dialect
//===-----------------------------------------------------------------------------===//

Operation *ChloDialect::materializeConstant(OpBuilder &builder, Attribute value, Type type, Location loc) {
  auto elements = dyn_cast<ElementsAttr>(value);
  if (!elements || elements.getShapedType() != type) return nullptr;
  return stablehlo::ConstantOp::create(builder, loc, type, elements);
}

}  // namespace tpuc::chlo

using namespace tpuc::chlo;
#include "dialects/stablehlo/chlo_dialect.cpp.inc"
#define GET_ATTRDEF_CLASSES
#include "dialects/stablehlo/chlo_attributes.cpp.inc"
#define GET_OP_CLASSES
#include "dialects/stablehlo/chlo.cpp.inc"

void ChloDialect::initialize() {
  addAttributes<
#define GET_ATTRDEF_LIST
#include "dialects/stablehlo/chlo_attributes.cpp.inc"
      >();
  addOperations<
#define GET_OP_LIST
#include "dialects/stablehlo/chlo.cpp.inc"
      >();
}
