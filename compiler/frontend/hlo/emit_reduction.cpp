// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Opcodes that apply a computation over dims, windows or orders.
#include "compiler/frontend/hlo/families.h"
#include "compiler/frontend/hlo/window.h"
#include "dialects/stablehlo/stablehlo.h"

using namespace mlir;

namespace tpuc::frontend::hlo {
namespace {

LogicalResult withRegion(Emitter &e, const Instruction &i, StringRef op, Attributes attributes, Leaves &results) {
  Operation *made = e.create(i, op, i.values(), attributes, results, 1);
  return e.emitRegion(*i.computations[0], i, made->getRegion(0));
}

// Checks that there are as many arrays as initial values.
LogicalResult checkPairs(Emitter &e, const Instruction &i) {
  if (!i.operands.empty() && i.operands.size() % 2 == 0) return success();
  return e.malformed(i) << "expects as many arrays as initial values, but got " << i.operands.size() << " operands";
}

}  // namespace

TPUC_HLO_EMIT(emitReduce) {
  if (failed(checkPairs(e, i))) return failure();
  return withRegion(e, i, op, e.dims("dimensions", i.fields.numbers(kDimensions)), results);
}

TPUC_HLO_EMIT(emitReduceWindow) {
  if (failed(checkPairs(e, i))) return failure();
  WindowDims window(i.fields.message(kWindow));
  return withRegion(e, i, op,
                    {e.dims("window_dimensions", window.sizes), e.dims("window_strides", window.strides),
                     e.dims("base_dilations", window.baseDilations), e.dims("window_dilations", window.windowDilations),
                     e.table("padding", window.padding)},
                    results);
}

TPUC_HLO_EMIT(emitSelectAndScatter) {
  WindowDims window(i.fields.message(kWindow));
  auto isOne = [](int64_t dilation) { return dilation == 1; };
  if (!llvm::all_of(window.baseDilations, isOne) || !llvm::all_of(window.windowDilations, isOne))
    return e.refuse(i, codes::kUnknownOp) << "with dilation has no form in StableHLO";
  Operation *made = e.create(i, op, i.values(),
                             {e.dims("window_dimensions", window.sizes), e.dims("window_strides", window.strides),
                              e.table("padding", window.padding)},
                             results, 2);
  return success(succeeded(e.emitRegion(*i.computations[0], i, made->getRegion(0))) &&
                 succeeded(e.emitRegion(*i.computations[1], i, made->getRegion(1))));
}

TPUC_HLO_EMIT(emitMap) {
  SmallVector<int64_t> dims = i.fields.numbers(kDimensions);
  if (dims.empty() && i.type()) dims = llvm::to_vector(llvm::seq<int64_t>(0, i.type().getRank()));
  return withRegion(e, i, op, e.dims("dimensions", dims), results);
}

// Arrays, then initial values; the results are arrays, then as many carries.
TPUC_HLO_EMIT(emitScan) {
  SmallVector<int64_t> dims = i.fields.numbers(kDimensions);
  const int64_t carries = i.fields.number(kNumCarries);
  const int64_t inputs = static_cast<int64_t>(i.operands.size()) - carries;
  const int64_t outputs = static_cast<int64_t>(i.shape.types().size()) - carries;
  if (dims.size() != 1 || carries < 0 || inputs < 0 || outputs < 0)
    return e.malformed(i) << "expects one dim, and operands and results for " << carries << " carries";
  auto segments = [&](int64_t first) {
    return e.b.getDenseI32ArrayAttr({static_cast<int32_t>(first), static_cast<int32_t>(carries)});
  };
  SmallVector<NamedAttribute> attributes = {
      e.number("dimension", dims.front()), e.flag("is_reverse", i.fields.flag(kIsReverse)),
      e.attribute("operandSegmentSizes", segments(inputs)), e.attribute("resultSegmentSizes", segments(outputs))};
  if (const int64_t state = i.fields.number(kIsAssociative); state != kUnspecified)
    attributes.push_back(e.flag("is_associative", state == kTrue));
  return withRegion(e, i, op, attributes, results);
}

TPUC_HLO_EMIT(emitSort) {
  SmallVector<int64_t> dims = i.fields.numbers(kDimensions);
  if (dims.size() != 1 || i.operands.empty()) return e.malformed(i) << "expects arrays and one dim";
  return withRegion(e, i, op, {e.number("dimension", dims.front()), e.flag("is_stable", i.fields.flag(kIsStable))},
                    results);
}

// Its computation compares as `largest` says.
TPUC_HLO_EMIT(emitTopK) {
  if (!i.fields.flag(kLargest))
    return e.refuse(i, codes::kUnknownOp) << "of the smallest elements has no form in StableHLO";
  e.create(i, op, i.values(), e.number("k", i.fields.number(kK)), results);
  return success();
}

TPUC_HLO_EMIT(emitBatchNorm) {
  e.create(i, op, i.values(),
           {e.attribute("epsilon", e.b.getF32FloatAttr(i.fields.single(kEpsilon))),
            e.number("feature_index", i.fields.number(kFeatureIndex))},
           results);
  return success();
}

}  // namespace tpuc::frontend::hlo
