// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Opcodes whose positions are values.
#include "compiler/frontend/hlo/families.h"
#include "dialects/stablehlo/stablehlo.h"

using namespace mlir;

namespace tpuc::frontend::hlo {
namespace {

// The operands from `first` on are an index a dim; in older programs the only one is a vector of them.
SmallVector<mlir::Value> indices(Emitter &e, const Instruction &i, unsigned first) {
  SmallVector<mlir::Value> values = i.values();
  if (values.size() != first + 1 || i.arrayType(first).getRank() != 1) return values;
  mlir::Value vector = values.pop_back_val();
  RankedTensorType type = i.arrayType(first);
  for (int64_t at = 0; at < type.getDimSize(0); ++at) {
    NamedAttribute bounds[] = {e.dims("start_indices", at), e.dims("limit_indices", at + 1), e.dims("strides", 1)};
    mlir::Value one = e.create(i, "stablehlo.slice", vector, type.clone({1}), bounds);
    values.push_back(e.create(i, "stablehlo.reshape", one, type.clone(ArrayRef<int64_t>()), {}));
  }
  return values;
}

bool hasVectorOfIndices(const Instruction &i, unsigned first) {
  return i.operands.size() == first + 1 && i.arrayType(first).getRank() == 1 &&
         i.arrayType(first).getShape() != ArrayRef<int64_t>{i.arrayType(0).getRank()};
}

}  // namespace

TPUC_HLO_EMIT(emitDynamicSlice) {
  if (i.operands.empty() || hasVectorOfIndices(i, 1)) return e.malformed(i) << "expects an array and an index a dim";
  e.create(i, op, indices(e, i, 1), {e.dims("slice_sizes", i.fields.numbers(kDynamicSliceSizes))}, results);
  return success();
}

TPUC_HLO_EMIT(emitDynamicUpdateSlice) {
  if (i.operands.size() < 2 || hasVectorOfIndices(i, 2))
    return e.malformed(i) << "expects an array, an update and an index a dim";
  e.create(i, op, indices(e, i, 2), {}, results);
  return success();
}

TPUC_HLO_EMIT(emitGather) {
  Message numbers = i.fields.message(kGatherNumbers);
  auto dims = stablehlo::GatherDimensionNumbersAttr::get(
      e.b.getContext(), numbers.numbers(kOffsetDims), numbers.numbers(kCollapsedDims),
      numbers.numbers(kOperandBatching), numbers.numbers(kIndicesBatching), numbers.numbers(kStartIndexMap),
      numbers.number(kIndexVectorDim));
  e.create(i, op, i.values(),
           {e.attribute("dimension_numbers", dims), e.dims("slice_sizes", i.fields.numbers(kGatherSliceSizes)),
            e.flag("indices_are_sorted", i.fields.flag(kIndicesAreSorted))},
           results);
  return success();
}

TPUC_HLO_EMIT(emitScatter) {
  Message numbers = i.fields.message(kScatterNumbers);
  auto dims = stablehlo::ScatterDimensionNumbersAttr::get(
      e.b.getContext(), numbers.numbers(kUpdateWindowDims), numbers.numbers(kInsertedDims),
      numbers.numbers(kInputBatching), numbers.numbers(kScatterIndicesBatching), numbers.numbers(kScatterDimsMap),
      numbers.number(kScatterVectorDim));
  if (i.operands.size() < 3 || i.operands.size() % 2 == 0)
    return e.malformed(i) << "expects arrays, indices and as many updates";
  Operation *made = e.create(
      i, op, i.values(),
      {e.attribute("scatter_dimension_numbers", dims), e.flag("indices_are_sorted", i.fields.flag(kIndicesAreSorted)),
       e.flag("unique_indices", i.fields.flag(kUniqueIndices))},
      results, 1);
  return e.emitRegion(*i.computations[0], i, made->getRegion(0));
}

}  // namespace tpuc::frontend::hlo
