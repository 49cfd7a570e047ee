//===- flops.cpp - the operations of products that a program asks for ---------------------------------------===//
// Part of tpuc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===-----------------------------------------------------------------------------===//
#include "dialects/stablehlo/flops.h"

#include <numeric>

#include "dialects/stablehlo/chlo.h"
#include "dialects/stablehlo/stablehlo.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;

namespace tpuc::stablehlo {

static RankedTensorType shapeOf(Value value) { return dyn_cast<RankedTensorType>(value.getType()); }

static double product(RankedTensorType type, ArrayRef<int64_t> dims) {
  double n = 1;
  for (int64_t d : dims) n *= static_cast<double>(type.getDimSize(d));
  return n;
}

// Output positions o that a window's position reads an element of the input at: 0 <= o stride + first <= (in - 1)
// holes, a multiple of holes.
static int64_t readsOf(int64_t first, int64_t stride, int64_t holes, int64_t in, int64_t out) {
  int64_t period = holes / std::gcd(stride, holes), phase = 0;
  while (phase < period && (phase * stride + first) % holes != 0) ++phase;
  if (phase == period || in == 0) return 0;
  int64_t low = std::max<int64_t>(0, llvm::divideCeilSigned(-first, stride));
  int64_t high = std::min<int64_t>(out - 1, llvm::divideFloorSigned((in - 1) * holes - first, stride));
  if (low > high) return 0;
  auto upTo = [&](int64_t last) { return llvm::divideFloorSigned(last - phase, period); };
  return upTo(high) - upTo(low - 1);
}

// Pairs of an output position and a window position along one dim that meet an element of the input.
static double meetings(ConvolutionOp op, unsigned i) {
  auto numbers = op.getDimensionNumbers();
  int64_t in = shapeOf(op.getLhs()).getDimSize(numbers.getInputSpatialDimensions()[i]);
  int64_t window = shapeOf(op.getRhs()).getDimSize(numbers.getKernelSpatialDimensions()[i]);
  int64_t out = shapeOf(op.getResult()).getDimSize(numbers.getOutputSpatialDimensions()[i]);
  auto given = [&](std::optional<ArrayRef<int64_t>> list) { return list ? (*list)[i] : 1; };
  int64_t stride = given(op.getWindowStrides()), holes = given(op.getLhsDilation()),
          spread = given(op.getRhsDilation());
  int64_t low = op.getPadding() ? op.getPadding()->getValues<int64_t>()[2 * i] : 0;
  double met = 0;
  for (int64_t k = 0; k < window; ++k) met += static_cast<double>(readsOf(k * spread - low, stride, holes, in, out));
  return met;
}

static double flopsOfConvolution(ConvolutionOp op) {
  auto numbers = op.getDimensionNumbers();
  RankedTensorType result = shapeOf(op.getResult());
  double n = product(result, {numbers.getOutputBatchDimension(), numbers.getOutputFeatureDimension()});
  n *= product(shapeOf(op.getRhs()), {numbers.getKernelInputFeatureDimension()});
  for (unsigned i = 0; i < numbers.getInputSpatialDimensions().size(); ++i) n *= meetings(op, i);
  return 2 * n;
}

static double flopsOfRaggedDot(chlo::RaggedDotOp op) {
  auto numbers = op.getRaggedDotDimensionNumbers();
  RankedTensorType result = shapeOf(op.getResult()), lhs = shapeOf(op.getLhs());
  double n = static_cast<double>(result.getNumElements()) * product(lhs, numbers.getLhsContractingDimensions());
  // Contracted in parts: each group sums its own.
  bool isSplit = llvm::any_of(numbers.getLhsRaggedDimensions(),
                              [&](int64_t d) { return llvm::is_contained(numbers.getLhsContractingDimensions(), d); });
  int64_t groups = shapeOf(op.getGroupSizes()).getRank() ? shapeOf(op.getGroupSizes()).getShape().back() : 1;
  return isSplit && groups ? 2 * n / static_cast<double>(groups) : 2 * n;
}

// "ab,bc->ac": each label once.
static double flopsOfEinsum(EinsumOp op) {
  auto [lhs, rest] = op.getEinsumConfig().split(',');
  StringRef rhs = rest.split("->").first;
  llvm::SmallDenseMap<char, int64_t> sizes;
  for (auto [labels, value] : {std::pair(lhs.trim(), op.getLhs()), std::pair(rhs.trim(), op.getRhs())}) {
    if (labels.contains('.') || static_cast<int64_t>(labels.size()) != shapeOf(value).getRank()) return 0;
    for (auto [label, size] : llvm::zip(labels, shapeOf(value).getShape())) sizes[label] = std::max(sizes[label], size);
  }
  double n = 2;
  for (auto [label, size] : sizes) n *= static_cast<double>(size);
  return n;
}

double flopsOf(Operation *op) {
  if (!isa<DotGeneralOp, DotOp, EinsumOp, ConvolutionOp, chlo::RaggedDotOp>(op)) return 0;
  auto isStatic = [](Value v) { return shapeOf(v) && shapeOf(v).hasStaticShape(); };
  if (!llvm::all_of(op->getOperands(), isStatic) || !llvm::all_of(op->getResults(), isStatic)) return 0;
  // Four real products and sums each.
  double parts = isa<ComplexType>(getElementTypeOrSelf(op->getOperand(0).getType())) ? 4 : 1;
  return parts *
         TypeSwitch<Operation *, double>(op)
             .Case<DotGeneralOp>([](DotGeneralOp dot) {
               return 2.0 * shapeOf(dot.getResult()).getNumElements() *
                      product(shapeOf(dot.getLhs()), dot.getDotDimensionNumbers().getLhsContractingDimensions());
             })
             .Case<DotOp>([](DotOp dot) {
               return 2.0 * shapeOf(dot.getResult()).getNumElements() * shapeOf(dot.getLhs()).getShape().back();
             })
             .Case<EinsumOp>(flopsOfEinsum)
             .Case<ConvolutionOp>(flopsOfConvolution)
             .Case<chlo::RaggedDotOp>(flopsOfRaggedDot);
}

bool multipliesBytes(Operation *op) {
  auto isByte = [](Value v) {
    Type element = getElementTypeOrSelf(v.getType());
    if (elementKind(element) & (kQuant | kQuantAxis)) return elementBits(element) <= 8;
    return isa<IntegerType>(element) && element.getIntOrFloatBitWidth() <= 8;
  };
  return isByte(op->getOperand(0)) && isByte(op->getOperand(1));
}

//===-----------------------------------------------------------------------------===//
// Locations
//===-----------------------------------------------------------------------------===//

static constexpr StringLiteral kNumber("product"), kFlops("flops"), kBytes("int8");

Location withProduct(Location location, const SourceProduct &product) {
  Builder b(location.getContext());
  SmallVector<NamedAttribute> fields{b.getNamedAttr(kNumber, b.getI64IntegerAttr(product.number)),
                                     b.getNamedAttr(kFlops, b.getF64FloatAttr(product.flops))};
  if (product.ofBytes) fields.push_back(b.getNamedAttr(kBytes, b.getUnitAttr()));
  return FusedLoc::get(location.getContext(), {location}, b.getDictionaryAttr(fields));
}

Location withShare(Location location, double share) {
  AttrTypeReplacer replacer;
  replacer.addReplacement([&](DictionaryAttr fields) -> std::optional<Attribute> {
    auto flops = fields.getAs<FloatAttr>(kFlops);
    if (!flops || !fields.contains(kNumber)) return std::nullopt;
    NamedAttrList shared(fields);
    shared.set(kFlops, FloatAttr::get(flops.getType(), flops.getValueAsDouble() * share));
    return shared.getDictionary(fields.getContext());
  });
  return cast<LocationAttr>(replacer.replace(LocationAttr(location)));
}

static void collect(Location location, SmallVectorImpl<SourceProduct> &out) {
  if (auto name = dyn_cast<NameLoc>(location)) return collect(name.getChildLoc(), out);
  if (auto call = dyn_cast<CallSiteLoc>(location)) {
    collect(call.getCallee(), out);
    return collect(call.getCaller(), out);
  }
  auto fused = dyn_cast<FusedLoc>(location);
  if (!fused) return;
  if (auto fields = dyn_cast_or_null<DictionaryAttr>(fused.getMetadata())) {
    auto number = fields.getAs<IntegerAttr>(kNumber);
    auto flops = fields.getAs<FloatAttr>(kFlops);
    if (number && flops) out.push_back({number.getInt(), flops.getValueAsDouble(), fields.contains(kBytes)});
  }
  for (Location part : fused.getLocations()) collect(part, out);
}

SmallVector<SourceProduct, 1> productsIn(Location location) {
  SmallVector<SourceProduct, 1> out;
  collect(location, out);
  return out;
}

}  // namespace tpuc::stablehlo
