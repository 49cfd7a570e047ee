// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// 1. A reshape that joins padded dims notes the array from which it does (Join).
// 2. An op on that array becomes the same op on the one whose dims are apart, its other operands made apart too. The
//    rules make masks of it as of any other op.
// 3. Its result is joined again, and noted. What nobody reads of all that goes with dead code.
#include "llvm/ADT/TypeSwitch.h"
#include "mlir/IR/IRMapping.h"
#include "passes/shapes/joined_dims.h"
#include "passes/shapes/padder.h"

using namespace mlir;

namespace tpuc::shapes {

namespace hlo = tpuc::stablehlo;

namespace {

RankedTensorType tensor(Value value) { return cast<RankedTensorType>(value.getType()); }

class Apart {
 public:
  Apart(Operation *op, Padder &padder, const Join &join) : op_(op), padder_(padder), builder_(op), join_(join) {
    group_ = llvm::to_vector(ArrayRef(padder.extents(join.source)).slice(join.dim, join.count));
  }

  bool run() {
    return TypeSwitch<Operation *, bool>(op_)
        .Case([&](hlo::DotGeneralOp dot) { return this->dot(dot); })
        .Case([&](hlo::ReduceOp reduce) { return this->reduce(reduce); })
        .Case([&](hlo::TransposeOp transpose) { return this->transpose(transpose); })
        .Case([&](hlo::GatherOp gather) { return this->gather(gather); })
        .Case([&](hlo::ScatterOp scatter) { return this->scatter(scatter); })
        .Default([&](Operation *op) {
          const bool same = op->hasTrait<hlo::IsElementwise>() || isa<hlo::ConvertOp>(op);
          return same && op->getNumResults() == 1 && op->getNumRegions() == 0 && elementwise();
        });
  }

 private:
  // A list of dims in which `dim` becomes as many.
  SmallVector<int64_t> spread(ArrayRef<int64_t> dims, int64_t dim) const {
    SmallVector<int64_t> result;
    for (int64_t d : dims) {
      result.push_back(d > dim ? d + join_.count - 1 : d);
      for (int64_t i = 1; d == dim && i < join_.count; ++i) result.push_back(d + i);
    }
    return result;
  }
  Extents spreadExtents(const Extents &extents, int64_t dim) const {
    Extents result(extents);
    result.erase(result.begin() + dim);
    result.insert(result.begin() + dim, group_.begin(), group_.end());
    return result;
  }
  Type openType(Type element, int64_t rank) const {
    return RankedTensorType::get(SmallVector<int64_t>(rank, ShapedType::kDynamic), element);
  }

  // The operand with its dim `dim` apart as the group is; null where that is not known.
  Value apart(Value value, int64_t dim) {
    auto join = padder_.joinOf(value);
    if (join && join->dim == dim && join->count == join_.count &&
        ArrayRef(padder_.extents(join->source)).slice(dim, join_.count) == ArrayRef(group_))
      return join->source;
    const Extents extents = spreadExtents(padder_.extents(value), dim);
    RankedTensorType type = padder_.typeOf(tensor(value).getElementType(), extents);
    Value made;
    if (auto broadcast = value.getDefiningOp<hlo::BroadcastInDimOp>()) {
      if (llvm::is_contained(broadcast.getBroadcastDimensions(), dim)) return nullptr;
      made =
          hlo::BroadcastInDimOp::create(builder_, op_->getLoc(), type, broadcast.getOperand(),
                                        builder_.getDenseI64ArrayAttr(spread(broadcast.getBroadcastDimensions(), dim)));
    } else if (auto iota = value.getDefiningOp<hlo::IotaOp>()) {
      made = iotaApart(iota, type, dim);
    } else if (auto number = simplify::splatScalar(value)) {
      made = simplify::makeSplat(builder_, op_->getLoc(), type, *number);
    }
    if (made) padder_.setExtents(made, extents);
    return made;
  }

  // Along the joined dim its number there: that of each dim times the true elements behind it.
  Value iotaApart(hlo::IotaOp iota, RankedTensorType type, int64_t dim) {
    const auto along = static_cast<int64_t>(iota.getIotaDimension());
    auto create = [&](int64_t d) -> Value {
      return hlo::IotaOp::create(builder_, op_->getLoc(), type, builder_.getI64IntegerAttr(d));
    };
    if (along != dim) return create(along > dim ? along + join_.count - 1 : along);
    if (!type.getElementType().isInteger(32)) return nullptr;
    Value sum;
    Extent stride = Extent::number(1);
    for (int64_t i = join_.count; i-- > 0;) {
      Value size =
          broadcast(builder_, op_->getLoc(), padder_.scalar(stride, type.getElementType(), builder_, op_->getLoc()),
                    type.getShape(), {});
      Value part = hlo::MulOp::create(builder_, op_->getLoc(), type, create(dim + i), size);
      sum = sum ? hlo::AddOp::create(builder_, op_->getLoc(), type, sum, part).getResult() : part;
      stride = ExtentSpace::multiply(stride, group_[i]);
    }
    return sum;
  }

  // Pads `made` by the padder's rule for its op, and joins dim `dim` of each result again; none where `dim` < 0.
  bool finish(Operation *made, int64_t dim) {
    auto values = padder_.resultsOf(made);
    if (!values) return false;
    SmallVector<Value> results;
    SmallVector<Extents> extents;
    for (Value value : *values) {
      Value result = dim < 0 ? value : joined(op_, padder_, value, dim, join_.count);
      if (!result) return false;
      results.push_back(result);
      extents.push_back(padder_.extents(result));
    }
    if (failed(padder_.replace(op_, results, extents))) return false;
    for (auto [result, value] : llvm::zip_equal(results, *values))
      if (dim >= 0) padder_.setJoin(result, {value, dim, join_.count});
    return true;
  }

  Operation *create(ValueRange operands, ArrayRef<NamedAttribute> attributes, ArrayRef<int64_t> ranks) {
    OperationState state(op_->getLoc(), op_->getName().getStringRef(), operands, {}, attributes);
    for (auto [result, rank] : llvm::zip_equal(op_->getResults(), ranks))
      state.addTypes(openType(tensor(result).getElementType(), rank));
    for (Region &region : op_->getRegions()) {
      IRMapping map;
      region.cloneInto(state.addRegion(), map);
    }
    return builder_.create(state);
  }
  SmallVector<NamedAttribute> attributesWith(StringRef name, Attribute value) const {
    NamedAttrList list(op_->getAttrDictionary());
    list.set(name, value);
    return llvm::to_vector(list);
  }

  bool elementwise() {
    SmallVector<Value> operands;
    const int64_t rank = tensor(op_->getResult(0)).getRank();
    for (Value operand : op_->getOperands()) {
      const bool scalar = tensor(operand).getRank() == 0 && rank != 0;
      operands.push_back(scalar ? operand : apart(operand, join_.dim));
      if (!operands.back()) return false;
    }
    return finish(create(operands, llvm::to_vector(op_->getAttrDictionary().getValue()), {rank + join_.count - 1}),
                  join_.dim);
  }

  bool dot(hlo::DotGeneralOp dot) {
    auto numbers = dot.getDotDimensionNumbers();
    const unsigned side = padder_.joinOf(dot.getLhs()) ? 0 : 1;
    SmallVector<int64_t> batching[2], contracting[2];
    for (unsigned s : {0u, 1u}) {
      llvm::append_range(batching[s], s ? numbers.getRhsBatchingDimensions() : numbers.getLhsBatchingDimensions());
      llvm::append_range(contracting[s],
                         s ? numbers.getRhsContractingDimensions() : numbers.getLhsContractingDimensions());
    }
    const int64_t rank = tensor(dot.getResult()).getRank(), dim = join_.dim;
    Value operands[2] = {dot.getLhs(), dot.getRhs()};
    operands[side] = join_.source;
    int64_t place = -1;  // of the joined dim in the result
    auto *batch = llvm::find(batching[side], dim), *summed = llvm::find(contracting[side], dim);
    const bool both = batch != batching[side].end() || summed != contracting[side].end();
    if (both) {
      const bool isBatch = batch != batching[side].end();
      const size_t at = isBatch ? batch - batching[side].begin() : summed - contracting[side].begin();
      const int64_t other = (isBatch ? batching : contracting)[1 - side][at];
      if (!(operands[1 - side] = apart(operands[1 - side], other))) return false;
      if (isBatch) place = static_cast<int64_t>(at);
      batching[1 - side] = spread(batching[1 - side], other);
      contracting[1 - side] = spread(contracting[1 - side], other);
    } else {
      place = side ? rank - tensor(dot.getRhs()).getRank() +
                         static_cast<int64_t>(batching[1].size() + contracting[1].size())
                   : static_cast<int64_t>(batching[0].size());
      for (int64_t d = 0; d < dim; ++d)
        place += !llvm::is_contained(batching[side], d) && !llvm::is_contained(contracting[side], d);
    }
    batching[side] = spread(batching[side], dim);
    contracting[side] = spread(contracting[side], dim);
    auto apart =
        hlo::DotDimensionNumbersAttr::get(op_->getContext(), batching[0], batching[1], contracting[0], contracting[1]);
    return finish(create(ArrayRef(operands), attributesWith("dot_dimension_numbers", apart),
                         {place < 0 ? rank : rank + join_.count - 1}),
                  place);
  }

  bool reduce(hlo::ReduceOp reduce) {
    SmallVector<Value> operands;
    for (Value input : reduce.getInputs()) {
      operands.push_back(apart(input, join_.dim));
      if (!operands.back()) return false;
    }
    llvm::append_range(operands, reduce.getInitValues());
    const bool gone = llvm::is_contained(reduce.getDimensions(), join_.dim);
    const auto before = llvm::count_if(reduce.getDimensions(), [&](int64_t d) { return d < join_.dim; });
    const int64_t rank = tensor(reduce.getResult(0)).getRank() + (gone ? 0 : join_.count - 1);
    auto dims = builder_.getDenseI64ArrayAttr(spread(reduce.getDimensions(), join_.dim));
    return finish(
        create(operands, attributesWith("dimensions", dims), SmallVector<int64_t>(op_->getNumResults(), rank)),
        gone ? -1 : join_.dim - before);
  }

  bool transpose(hlo::TransposeOp transpose) {
    ArrayRef<int64_t> dims = transpose.getPermutation();
    auto apart = builder_.getDenseI64ArrayAttr(spread(dims, join_.dim));
    return finish(create({join_.source}, attributesWith("permutation", apart),
                         {static_cast<int64_t>(dims.size()) + join_.count - 1}),
                  llvm::find(dims, join_.dim) - dims.begin());
  }

  // Among dims of which those in `windows` are of slices, the one that is the indices' dim `dim`.
  static int64_t batchPlace(ArrayRef<int64_t> windows, int64_t dim, int64_t vectorDim) {
    int64_t left = dim - (vectorDim < dim ? 1 : 0), place = 0;
    while (llvm::is_contained(windows, place) || left-- > 0) ++place;
    return place;
  }

  // Indices apart: the slices lie apart too.
  bool gather(hlo::GatherOp gather) {
    auto numbers = gather.getDimensionNumbers();
    const int64_t dim = join_.dim, vectorDim = numbers.getIndexVectorDim();
    if (padder_.joinOf(gather.getOperand()) || dim == vectorDim || !numbers.getStartIndicesBatchingDims().empty())
      return false;
    const int64_t place = batchPlace(numbers.getOffsetDims(), dim, vectorDim);
    auto apart = hlo::GatherDimensionNumbersAttr::get(op_->getContext(), spread(numbers.getOffsetDims(), place),
                                                      numbers.getCollapsedSliceDims(), numbers.getOperandBatchingDims(),
                                                      {}, numbers.getStartIndexMap(),
                                                      vectorDim > dim ? vectorDim + join_.count - 1 : vectorDim);
    return finish(create({gather.getOperand(), join_.source}, attributesWith("dimension_numbers", apart),
                         {tensor(gather.getResult()).getRank() + join_.count - 1}),
                  place);
  }

  bool scatter(hlo::ScatterOp scatter) {
    auto numbers = scatter.getScatterDimensionNumbers();
    const int64_t vectorDim = numbers.getIndexVectorDim();
    auto join = padder_.joinOf(scatter.getScatterIndices());
    if (!join || join->dim == vectorDim || !numbers.getScatterIndicesBatchingDims().empty()) return false;
    SmallVector<Value> operands(scatter.getInputs());
    operands.push_back(apart(scatter.getScatterIndices(), join->dim));
    const int64_t place = batchPlace(numbers.getUpdateWindowDims(), join->dim, vectorDim);
    for (Value updates : scatter.getUpdates()) operands.push_back(apart(updates, place));
    if (llvm::is_contained(operands, Value())) return false;
    auto apart = hlo::ScatterDimensionNumbersAttr::get(op_->getContext(), spread(numbers.getUpdateWindowDims(), place),
                                                       numbers.getInsertedWindowDims(), numbers.getInputBatchingDims(),
                                                       {}, numbers.getScatterDimsToOperandDims(),
                                                       vectorDim > join->dim ? vectorDim + join_.count - 1 : vectorDim);
    SmallVector<int64_t> ranks =
        llvm::map_to_vector(op_->getResults(), [](Value result) { return tensor(result).getRank(); });
    return finish(create(operands, attributesWith("scatter_dimension_numbers", apart), ranks), -1);
  }

  Operation *op_;
  Padder &padder_;
  OpBuilder builder_;
  Join join_;
  Extents group_;
};

}  // namespace

bool doApart(Operation *op, Padder &padder) {
  for (Value operand : op->getOperands())
    if (auto join = padder.joinOf(operand)) return Apart(op, padder, *join).run();
  return false;
}

void noteApart(Operation *op, Padder &padder, Value operand, Value value, ArrayRef<int64_t> places) {
  auto join = padder.joinOf(operand);
  if (!join || padder.extents(operand)[join->dim] != padder.extents(value)[places[join->dim]]) return;
  OpBuilder builder(op->getContext());
  builder.setInsertionPointAfter(op);
  const int64_t to = places[join->dim];
  Extents extents = padder.extents(value), source = padder.extents(join->source);
  extents.erase(extents.begin() + to);
  extents.insert(extents.begin() + to, source.begin() + join->dim, source.begin() + join->dim + join->count);
  SmallVector<int64_t> dims;
  for (auto [i, place] : llvm::enumerate(places)) {
    const bool here = static_cast<int64_t>(i) == join->dim;
    for (int64_t k = 0; k < (here ? join->count : 1); ++k)
      dims.push_back((place > to ? place + join->count - 1 : place) + k);
  }
  Value apart =
      hlo::BroadcastInDimOp::create(builder, op->getLoc(), padder.typeOf(tensor(value).getElementType(), extents),
                                    join->source, builder.getDenseI64ArrayAttr(dims));
  padder.setExtents(apart, extents);
  padder.setJoin(value, {apart, to, join->count});
}

}  // namespace tpuc::shapes
