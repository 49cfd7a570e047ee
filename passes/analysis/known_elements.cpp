// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Elementwise ops on integers up to 64 bits, wrapped to their width, and on f32.
#include "passes/analysis/known_elements.h"

#include <cmath>

#include "dialects/stablehlo/stablehlo.h"
#include "llvm/ADT/TypeSwitch.h"
#include "mlir/IR/Matchers.h"

using namespace mlir;

namespace tpuc::analysis {
namespace {

struct Elements {
  SmallVector<int64_t> integers;
  SmallVector<float> floats;  // instead, of f32
};

RankedTensorType typeOf(Value v) { return cast<RankedTensorType>(v.getType()); }

class Evaluator {
 public:
  explicit Evaluator(int64_t most) : most_(most) {}

  // Null where it is not known.
  const Elements *of(Value v) {
    auto type = dyn_cast<RankedTensorType>(v.getType());
    if (!type || !type.hasStaticShape() || type.getNumElements() > most_ || !v.getDefiningOp() ||
        !isOfNumbers(type.getElementType()))
      return nullptr;
    if (auto known = known_.find(v); known != known_.end()) return known->second.get();
    if (depth_ == kDeepest) return nullptr;
    ++depth_;
    std::optional<Elements> made = evaluate(v.getDefiningOp());
    --depth_;
    if (made)
      for (int64_t &n : made->integers) n = wrapped(n, type.getElementType());
    return (known_[v] = made ? std::make_unique<Elements>(std::move(*made)) : nullptr).get();
  }

 private:
  static bool isOfNumbers(Type t) {
    return t.isF32() || (t.isInteger() && t.getIntOrFloatBitWidth() <= (t.isUnsignedInteger() ? 32 : 64));
  }
  static int64_t wrapped(int64_t n, Type element) {
    auto type = cast<IntegerType>(element);
    const unsigned bits = type.getWidth();
    if (bits >= 64) return n;
    const bool isUnsigned = type.isUnsigned() || bits == 1;
    return isUnsigned ? static_cast<int64_t>(static_cast<uint64_t>(n) & llvm::maskTrailingOnes<uint64_t>(bits))
                      : llvm::SignExtend64(static_cast<uint64_t>(n), bits);
  }

  std::optional<Elements> evaluate(Operation *op) {
    return llvm::TypeSwitch<Operation *, std::optional<Elements>>(op)
        .Case([&](stablehlo::ConstantOp constant) { return constantOf(constant); })
        .Case([&](stablehlo::IotaOp iota) { return iotaOf(iota); })
        .Case([&](stablehlo::BroadcastInDimOp broadcast) { return broadcastOf(broadcast); })
        .Case([&](stablehlo::ReshapeOp reshape) { return copyOf(reshape.getOperand()); })
        .Case([&](stablehlo::ConcatenateOp concatenate) { return concatenated(concatenate); })
        .Case([&](stablehlo::SliceOp slice) { return sliceOf(slice); })
        .Case([&](stablehlo::ConvertOp convert) { return converted(convert); })
        .Case([&](stablehlo::SelectOp select) { return selected(select); })
        .Case([&](stablehlo::CompareOp compare) { return compared(compare); })
        .Default([&](Operation *other) { return other->getNumOperands() == 1 ? unary(other) : binary(other); });
  }

  std::optional<Elements> copyOf(Value v) {
    const Elements *known = of(v);
    return known ? std::optional(*known) : std::nullopt;
  }

  static std::optional<Elements> constantOf(stablehlo::ConstantOp op) {
    auto value = dyn_cast<DenseElementsAttr>(op.getValue());
    if (!value) return std::nullopt;
    Elements out;
    if (value.getElementType().isF32())
      for (const APFloat &f : value.getValues<APFloat>()) out.floats.push_back(f.convertToFloat());
    else
      for (const APInt &n : value.getValues<APInt>()) {
        if (n.getBitWidth() > 64) return std::nullopt;
        out.integers.push_back(n.getSExtValue());
      }
    return out;
  }

  // Positions of `type`'s elements in row-major order.
  template <typename Body>
  static void eachPosition(RankedTensorType type, Body body) {
    SmallVector<int64_t> at(type.getRank(), 0);
    for (int64_t i = 0; i < type.getNumElements(); ++i) {
      body(at);
      for (int64_t d = type.getRank() - 1; d >= 0 && ++at[d] == type.getDimSize(d); --d) at[d] = 0;
    }
  }
  static int64_t flat(RankedTensorType type, ArrayRef<int64_t> at) {
    int64_t n = 0;
    for (auto [i, extent] : llvm::zip_equal(at, type.getShape())) n = n * extent + i;
    return n;
  }
  // An array of type `to`: each position has `from`'s element at the position that `place` gives.
  template <typename Place>
  std::optional<Elements> taken(Value from, RankedTensorType to, Place place) {
    const Elements *known = of(from);
    if (!known) return std::nullopt;
    Elements out;
    eachPosition(to, [&](ArrayRef<int64_t> at) {
      const int64_t i = flat(typeOf(from), place(at));
      if (known->floats.empty())
        out.integers.push_back(known->integers[i]);
      else
        out.floats.push_back(known->floats[i]);
    });
    return out;
  }

  static std::optional<Elements> iotaOf(stablehlo::IotaOp op) {
    Elements out;
    eachPosition(typeOf(op), [&](ArrayRef<int64_t> at) {
      const int64_t n = at[op.getIotaDimension()];
      if (typeOf(op).getElementType().isF32())
        out.floats.push_back(static_cast<float>(n));
      else
        out.integers.push_back(n);
    });
    return out;
  }
  std::optional<Elements> broadcastOf(stablehlo::BroadcastInDimOp op) {
    return taken(op.getOperand(), typeOf(op), [&](ArrayRef<int64_t> at) {
      SmallVector<int64_t> from;
      for (auto [d, to] : llvm::enumerate(op.getBroadcastDimensions()))
        from.push_back(typeOf(op.getOperand()).getDimSize(d) == 1 ? 0 : at[to]);
      return from;
    });
  }
  std::optional<Elements> sliceOf(stablehlo::SliceOp op) {
    return taken(op.getOperand(), typeOf(op), [&](ArrayRef<int64_t> at) {
      SmallVector<int64_t> from;
      for (auto [i, start, stride] : llvm::zip_equal(at, op.getStartIndices(), op.getStrides()))
        from.push_back(start + i * stride);
      return from;
    });
  }
  std::optional<Elements> concatenated(stablehlo::ConcatenateOp op) {
    SmallVector<const Elements *> parts;
    for (Value v : op.getInputs()) {
      parts.push_back(of(v));
      if (!parts.back() || !parts.back()->floats.empty()) return std::nullopt;
    }
    Elements out;
    eachPosition(typeOf(op), [&](ArrayRef<int64_t> at) {
      SmallVector<int64_t> from(at);
      size_t part = 0;
      int64_t &along = from[op.getDimension()];
      for (; along >= typeOf(op.getInputs()[part]).getDimSize(op.getDimension()); ++part)
        along -= typeOf(op.getInputs()[part]).getDimSize(op.getDimension());
      out.integers.push_back(parts[part]->integers[flat(typeOf(op.getInputs()[part]), from)]);
    });
    return out;
  }

  std::optional<Elements> converted(stablehlo::ConvertOp op) {
    const Elements *from = of(op.getOperand());
    if (!from) return std::nullopt;
    const bool toFloat = typeOf(op).getElementType().isF32();
    Elements out;
    if (typeOf(op).getElementType().isInteger(1)) {  // whatever is not zero
      for (int64_t n : from->integers) out.integers.push_back(n != 0);
      for (float f : from->floats) out.integers.push_back(f != 0);
      return out;
    }
    if (toFloat == !from->floats.empty()) return *from;
    for (int64_t n : from->integers) out.floats.push_back(static_cast<float>(n));
    for (float f : from->floats) {
      if (!(std::fabs(f) < 0x1p31f)) return std::nullopt;  // what no index is
      out.integers.push_back(static_cast<int64_t>(f));
    }
    return out;
  }
  std::optional<Elements> selected(stablehlo::SelectOp op) {
    const Elements *which = of(op.getPred()), *yes = of(op.getOnTrue()), *no = of(op.getOnFalse());
    if (!which || !yes || !no || typeOf(op.getPred()).getShape() != typeOf(op).getShape()) return std::nullopt;
    Elements out;
    for (auto [i, isYes] : llvm::enumerate(which->integers)) {
      const Elements &from = isYes ? *yes : *no;
      if (from.floats.empty())
        out.integers.push_back(from.integers[i]);
      else
        out.floats.push_back(from.floats[i]);
    }
    return out;
  }
  std::optional<Elements> compared(stablehlo::CompareOp op) {
    const Elements *l = of(op.getLhs()), *r = of(op.getRhs());
    // The total order tells zeros, and numbers from none, apart as no comparison here does.
    if (!l || !r || op.getCompareType() == stablehlo::ComparisonType::TOTALORDER) return std::nullopt;
    auto holds = [&](auto a, auto b) {
      switch (op.getComparisonDirection()) {
        case stablehlo::ComparisonDirection::EQ:
          return a == b;
        case stablehlo::ComparisonDirection::NE:
          return a != b;
        case stablehlo::ComparisonDirection::LT:
          return a < b;
        case stablehlo::ComparisonDirection::LE:
          return a <= b;
        case stablehlo::ComparisonDirection::GT:
          return a > b;
        case stablehlo::ComparisonDirection::GE:
          return a >= b;
      }
      return false;
    };
    Elements out;
    for (auto [a, b] : llvm::zip_equal(l->floats, r->floats)) out.integers.push_back(holds(a, b));
    for (auto [a, b] : llvm::zip_equal(l->integers, r->integers)) out.integers.push_back(holds(a, b));
    return out;
  }

  std::optional<Elements> unary(Operation *op) {
    if (!mlir::isa<stablehlo::FloorOp, stablehlo::CeilOp, stablehlo::RoundNearestEvenOp, stablehlo::NegOp>(op))
      return std::nullopt;
    const Elements *from = of(op->getOperand(0));
    if (!from) return std::nullopt;
    Elements out(*from);
    auto each = [&](auto body) {
      for (float &f : out.floats) f = body(f);
      return out;
    };
    if (mlir::isa<stablehlo::FloorOp>(op)) return each([](float f) { return std::floor(f); });
    if (mlir::isa<stablehlo::CeilOp>(op)) return each([](float f) { return std::ceil(f); });
    if (mlir::isa<stablehlo::RoundNearestEvenOp>(op)) return each([](float f) { return std::nearbyint(f); });
    for (int64_t &n : out.integers) n = static_cast<int64_t>(-static_cast<uint64_t>(n));
    return each([](float f) { return -f; });
  }

  std::optional<Elements> binary(Operation *op) {
    // A sum of truth values is none of numbers.
    if (!mlir::isa<stablehlo::AddOp, stablehlo::SubtractOp, stablehlo::MulOp, stablehlo::DivOp, stablehlo::RemOp,
                   stablehlo::AndOp, stablehlo::OrOp, stablehlo::MaxOp, stablehlo::MinOp>(op) ||
        (mlir::isa<stablehlo::AddOp>(op) && getElementTypeOrSelf(op->getResult(0)).isInteger(1)))
      return std::nullopt;
    const Elements *l = of(op->getOperand(0)), *r = of(op->getOperand(1));
    if (!l || !r || l->floats.size() != r->floats.size() || l->integers.size() != r->integers.size())
      return std::nullopt;
    Elements out;
    bool isKnown = true;
    for (auto [a, b] : llvm::zip_equal(l->floats, r->floats)) {
      auto made = number(op, a, b);
      isKnown &= made.has_value();
      out.floats.push_back(made.value_or(0));
    }
    for (auto [a, b] : llvm::zip_equal(l->integers, r->integers)) {
      auto made = number(op, a, b);
      isKnown &= made.has_value();
      out.integers.push_back(made.value_or(0));
    }
    return isKnown ? std::optional(out) : std::nullopt;
  }
  static std::optional<float> number(Operation *op, float a, float b) {
    if (mlir::isa<stablehlo::AddOp>(op)) return a + b;
    if (mlir::isa<stablehlo::SubtractOp>(op)) return a - b;
    if (mlir::isa<stablehlo::MulOp>(op)) return a * b;
    if (mlir::isa<stablehlo::DivOp>(op)) return a / b;
    return std::nullopt;
  }
  static std::optional<int64_t> number(Operation *op, int64_t a, int64_t b) {
    const auto x = static_cast<uint64_t>(a), y = static_cast<uint64_t>(b);
    if (mlir::isa<stablehlo::AddOp>(op)) return static_cast<int64_t>(x + y);
    if (mlir::isa<stablehlo::SubtractOp>(op)) return static_cast<int64_t>(x - y);
    if (mlir::isa<stablehlo::MulOp>(op)) return static_cast<int64_t>(x * y);
    if (mlir::isa<stablehlo::AndOp>(op)) return a & b;
    if (mlir::isa<stablehlo::OrOp>(op)) return a | b;
    if (mlir::isa<stablehlo::MaxOp>(op)) return std::max(a, b);
    if (mlir::isa<stablehlo::MinOp>(op)) return std::min(a, b);
    const bool mayDivide = b != 0 && !(b == -1 && a == INT64_MIN);
    if (mlir::isa<stablehlo::DivOp>(op) && mayDivide) return a / b;
    if (mlir::isa<stablehlo::RemOp>(op) && mayDivide) return a % b;
    return std::nullopt;
  }

  static constexpr int64_t kDeepest = 256;  // ops behind one another: indices have few

  int64_t most_, depth_ = 0;
  llvm::DenseMap<Value, std::unique_ptr<Elements>> known_;
};

}  // namespace

std::optional<SmallVector<int64_t>> knownIntegers(Value v, int64_t most) {
  auto type = dyn_cast<RankedTensorType>(v.getType());
  if (!type || !type.getElementType().isInteger()) return std::nullopt;
  Evaluator evaluator(most);
  const Elements *known = evaluator.of(v);
  return known ? std::optional(known->integers) : std::nullopt;
}

}  // namespace tpuc::analysis
