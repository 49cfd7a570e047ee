// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "passes/layout/parted_dims.h"

#include "dialects/stablehlo/traits.h"
#include "llvm/ADT/TypeSwitch.h"
#include "passes/analysis/dot_roles.h"
#include "passes/builders/build.h"
#include "passes/layout/refinement.h"

using namespace mlir;

namespace tpuc::layout {
using namespace builders;
namespace {

// Dims that are one in an op, by the places of its arrays: operands first, then results.
using Place = std::pair<size_t, int64_t>;
using Together = SmallVector<SmallVector<Place, 3>>;

bool isElementwise(Operation *op) {
  return op->hasTrait<stablehlo::IsElementwise>() && op->getNumResults() == 1 && op->getNumRegions() == 0;
}

Together ofElementwise(Operation *op) {
  Together out;
  ArrayRef<int64_t> shape = typeOf(op->getResult(0)).getShape();
  for (int64_t d = 0; d < static_cast<int64_t>(shape.size()); ++d) {
    auto &dims = out.emplace_back();
    for (size_t i = 0; i <= op->getNumOperands(); ++i) {
      Value v = i < op->getNumOperands() ? op->getOperand(i) : op->getResult(0);
      if (typeOf(v).getShape() == shape) dims.push_back({i, d});
    }
  }
  return out;
}

Together ofBroadcast(stablehlo::BroadcastInDimOp op) {
  Together out;
  for (int64_t d = 0; d < typeOf(op).getRank(); ++d) {
    auto &dims = out.emplace_back(SmallVector<Place, 3>{{1, d}});
    for (auto [from, to] : llvm::enumerate(op.getBroadcastDimensions()))
      if (to == d && typeOf(op.getOperand()).getDimSize(from) == typeOf(op).getDimSize(d))
        dims.push_back({0, static_cast<int64_t>(from)});
  }
  return out;
}

Together ofReduce(stablehlo::ReduceOp op) {
  Together out;
  if (op.getInputs().size() != 1) return out;
  int64_t kept = 0;
  for (int64_t d = 0; d < typeOf(op.getInputs()[0]).getRank(); ++d) {
    auto &dims = out.emplace_back(SmallVector<Place, 3>{{0, d}});
    if (!llvm::is_contained(op.getDimensions(), d)) dims.push_back({2, kept++});
  }
  return out;
}

Together ofDot(stablehlo::DotGeneralOp op) {
  Together out;
  auto numbers = op.getDotDimensionNumbers();
  int64_t next = 0;
  for (auto [l, r] : llvm::zip(numbers.getLhsBatchingDimensions(), numbers.getRhsBatchingDimensions()))
    out.push_back({{0, l}, {1, r}, {2, next++}});
  for (auto [l, r] : llvm::zip(numbers.getLhsContractingDimensions(), numbers.getRhsContractingDimensions()))
    out.push_back({{0, l}, {1, r}});
  for (bool right : {false, true})
    for (int64_t d : analysis::freeDims(op, right)) out.push_back({{right, d}, {2, next++}});
  return out;
}

// Of dims that are the same extents of both shapes; any others are parted by themselves.
Together ofReshape(stablehlo::ReshapeOp op) {
  Together out;
  RankedTensorType from = typeOf(op.getOperand()), to = typeOf(op);
  auto refinement = refine(from.getShape(), to.getShape());
  SmallVector<bool> isKept(to.getRank(), false);
  for (int64_t d = 0; d < from.getRank(); ++d) {
    auto &dims = out.emplace_back(SmallVector<Place, 3>{{0, d}});
    for (int64_t e = 0; refinement && e < to.getRank(); ++e)
      if (!refinement->ofWhole[d].empty() && refinement->ofWhole[d] == refinement->ofSplit[e]) {
        dims.push_back({1, e});
        isKept[e] = true;
      }
  }
  for (int64_t e = 0; e < to.getRank(); ++e)
    if (!isKept[e]) out.push_back({{1, e}});
  return out;
}

// Dims of which an op takes all positions as they are.
Together ofWholeDims(Operation *op, function_ref<bool(int64_t)> isWhole) {
  Together out;
  for (int64_t d = 0; d < typeOf(op->getResult(0)).getRank(); ++d) {
    if (!isWhole(d)) continue;
    auto &dims = out.emplace_back();
    for (size_t i = 0; i < op->getNumOperands(); ++i)
      if (typeOf(op->getOperand(i)).getRank()) dims.push_back({i, d});
    dims.push_back({op->getNumOperands(), d});
  }
  return out;
}

Together togetherOf(Operation *op) {
  auto isArray = [](Value v) {
    auto type = dyn_cast<RankedTensorType>(v.getType());
    return type && type.hasStaticShape() && !type.getEncoding();
  };
  if (!llvm::all_of(op->getOperands(), isArray) || !llvm::all_of(op->getResults(), isArray)) return {};
  if (isElementwise(op)) return ofElementwise(op);
  return TypeSwitch<Operation *, Together>(op)
      .Case([](stablehlo::BroadcastInDimOp o) { return ofBroadcast(o); })
      .Case([](stablehlo::ReduceOp o) { return ofReduce(o); })
      .Case([](stablehlo::DotGeneralOp o) { return ofDot(o); })
      .Case([](stablehlo::ReshapeOp o) { return ofReshape(o); })
      .Case([](stablehlo::TransposeOp o) {
        Together out;
        for (auto [to, from] : llvm::enumerate(o.getPermutation()))
          out.push_back({{0, from}, {1, static_cast<int64_t>(to)}});
        return out;
      })
      .Case([](stablehlo::SliceOp o) {
        return ofWholeDims(o,
                           [&](int64_t d) { return typeOf(o).getDimSize(d) == typeOf(o.getOperand()).getDimSize(d); });
      })
      .Case([](stablehlo::PadOp o) {
        return ofWholeDims(o, [&](int64_t d) {
          return o.getEdgePaddingLow()[d] == 0 && o.getEdgePaddingHigh()[d] == 0 && o.getInteriorPadding()[d] == 0;
        });
      })
      .Case([](stablehlo::ConcatenateOp o) {
        return ofWholeDims(o, [&](int64_t d) { return d != static_cast<int64_t>(o.getDimension()); });
      })
      .Case([](stablehlo::IotaOp o) {
        return ofWholeDims(o, [&](int64_t d) { return d != static_cast<int64_t>(o.getIotaDimension()); });
      })
      .Case([](stablehlo::ConstantOp o) {
        return ofWholeDims(o, [&](int64_t) { return mlir::isa<SplatElementsAttr>(o.getValue()); });
      })
      .Default([](Operation *) { return Together(); });
}

}  // namespace

bool partedWith(Operation *op, Dim dim, llvm::SetVector<Dim> &dims) {
  const Together together = togetherOf(op);
  auto arrayAt = [&](size_t i) {
    return i < op->getNumOperands() ? op->getOperand(i) : op->getResult(i - op->getNumOperands());
  };
  // An array may be an operand twice.
  for (size_t i = 0; i < op->getNumOperands() + op->getNumResults(); ++i) {
    if (arrayAt(i) != dim.first) continue;
    const auto *own =
        llvm::find_if(together, [&](const auto &places) { return llvm::is_contained(places, Place(i, dim.second)); });
    if (own == together.end()) return false;
    for (auto [place, d] : *own) dims.insert({arrayAt(place), d});
  }
  return true;
}

SmallVector<SmallVector<int64_t>> PartedDims::partsOf(Value v) const {
  SmallVector<SmallVector<int64_t>> out;
  for (int64_t d = 0; d < typeOf(v).getRank(); ++d)
    out.push_back(dims_.contains({v, d}) ? parts_ : SmallVector<int64_t>{typeOf(v).getDimSize(d)});
  return out;
}

SmallVector<int64_t> PartedDims::shapeOf(Value v) const {
  SmallVector<int64_t> out;
  for (const auto &own : partsOf(v)) llvm::append_range(out, own);
  return out;
}

SmallVector<int64_t> PartedDims::numbersOf(Value v, ArrayRef<int64_t> dims) const {
  SmallVector<int64_t> first{0}, out;
  for (const auto &own : partsOf(v)) first.push_back(first.back() + static_cast<int64_t>(own.size()));
  for (int64_t d : dims)
    for (int64_t n = first[d]; n < first[d + 1]; ++n) out.push_back(n);
  return out;
}

SmallVector<int64_t> PartedDims::spread(Value v, ArrayRef<int64_t> values, std::optional<int64_t> other) const {
  SmallVector<int64_t> out;
  for (auto [own, value] : llvm::zip_equal(partsOf(v), values)) {
    if (own.size() == 1)
      out.push_back(value);
    else
      for (int64_t part : own) out.push_back(other.value_or(part));
  }
  return out;
}

Operation *PartedDims::clone(OpBuilder &b, Operation *op, ValueRange operands) const {
  Operation *made = b.clone(*op);
  made->setOperands(operands);
  for (auto [to, from] : llvm::zip(made->getResults(), op->getResults())) to.setType(typeOf(from).clone(shapeOf(from)));
  return made;
}

Value PartedDims::sliced(OpBuilder &b, stablehlo::SliceOp op, ValueRange operands) const {
  Value v = op.getOperand();
  return Build{b, op.getLoc()}.slice(operands[0], spread(v, op.getStartIndices(), 0),
                                     spread(v, op.getLimitIndices(), std::nullopt), spread(v, op.getStrides(), 1));
}

Value PartedDims::padded(OpBuilder &b, stablehlo::PadOp op, ValueRange operands) const {
  Value v = op.getOperand();
  return Build{b, op.getLoc()}.pad(operands[0], operands[1], spread(v, op.getEdgePaddingLow(), 0),
                                   spread(v, op.getEdgePaddingHigh(), 0), spread(v, op.getInteriorPadding(), 0));
}

Value PartedDims::dotted(OpBuilder &b, stablehlo::DotGeneralOp op, ValueRange operands) const {
  auto n = op.getDotDimensionNumbers();
  auto numbers = stablehlo::DotDimensionNumbersAttr::get(
      b.getContext(), numbersOf(op.getLhs(), n.getLhsBatchingDimensions()),
      numbersOf(op.getRhs(), n.getRhsBatchingDimensions()), numbersOf(op.getLhs(), n.getLhsContractingDimensions()),
      numbersOf(op.getRhs(), n.getRhsContractingDimensions()));
  return stablehlo::DotGeneralOp::create(b, op.getLoc(), typeOf(op).clone(shapeOf(op)), operands[0], operands[1],
                                         numbers, op.getPrecisionConfigAttr(), op.getAlgorithmAttr());
}

Value PartedDims::made(OpBuilder &b, Operation *op, ValueRange operands) const {
  Build build{b, op->getLoc()};
  Value result = op->getResult(0);
  return TypeSwitch<Operation *, Value>(op)
      .Case([&](stablehlo::ReshapeOp) { return build.reshape(operands[0], shapeOf(result)); })
      .Case([&](stablehlo::TransposeOp o) {
        return build.transpose(operands[0], numbersOf(o.getOperand(), o.getPermutation()));
      })
      .Case([&](stablehlo::BroadcastInDimOp o) {
        // A dim of one element is spread over all parts of one.
        SmallVector<int64_t> dims;
        for (auto [from, to] : llvm::enumerate(o.getBroadcastDimensions())) {
          SmallVector<int64_t> numbers = numbersOf(result, to);
          const size_t own = partsOf(o.getOperand())[from].size();
          dims.append(numbers.begin(), numbers.begin() + own);
        }
        return build.broadcast(operands[0], shapeOf(result), dims);
      })
      .Case([&](stablehlo::ReduceOp o) {
        auto reduce = cast<stablehlo::ReduceOp>(clone(b, op, operands));
        reduce.setDimensions(numbersOf(o.getInputs()[0], o.getDimensions()));
        return reduce.getResult(0);
      })
      .Case([&](stablehlo::DotGeneralOp o) { return dotted(b, o, operands); })
      .Case([&](stablehlo::SliceOp o) { return sliced(b, o, operands); })
      .Case([&](stablehlo::PadOp o) { return padded(b, o, operands); })
      .Case([&](stablehlo::ConcatenateOp o) {
        return build.concatenate(operands, numbersOf(result, o.getDimension())[0]);
      })
      .Case([&](stablehlo::IotaOp o) {
        return stablehlo::IotaOp::create(b, op->getLoc(), typeOf(result).clone(shapeOf(result)),
                                         numbersOf(result, o.getIotaDimension())[0]);
      })
      .Case([&](stablehlo::ConstantOp o) {
        auto splat = cast<DenseElementsAttr>(o.getValue()).resizeSplat(typeOf(result).clone(shapeOf(result)));
        return stablehlo::ConstantOp::create(b, op->getLoc(), cast<ElementsAttr>(Attribute(splat)));
      })
      .Default([&](Operation *) { return clone(b, op, operands)->getResult(0); });
}

}  // namespace tpuc::layout
