// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Products of int8 on a target whose arrays take only floats: sums that stay exact.
//
// There int8 runs as bf16 with f32 sums, which hold whole numbers up to 2^24: 1024 products of 128 * 128. A longer
// contraction becomes several, added as integers.
#include "passes/builders/build.h"
#include "passes/legalise/passes.h"

using namespace mlir;

namespace tpuc::legalise {
using namespace builders;
#define GEN_PASS_DEF_SPLITINTEGERDOTSPASS
#include "passes/legalise/passes.h.inc"
namespace {

constexpr int64_t kExact = 1024;

struct SplitIntegerDots : impl::SplitIntegerDotsPassBase<SplitIntegerDots> {
  using SplitIntegerDotsPassBase::SplitIntegerDotsPassBase;

  static bool isSignedByte(Value v) { return typeOf(v).getElementType().isSignlessInteger(8); }

  static Value part(Build &build, Value v, int64_t dim, int64_t from, int64_t to) {
    SmallVector<int64_t> start(typeOf(v).getRank(), 0), limit(typeOf(v).getShape()), stride(typeOf(v).getRank(), 1);
    start[dim] = from;
    limit[dim] = to;
    return build.slice(v, start, limit, stride);
  }

  // The dot in pieces of its longest contracted dim; nothing where it is short enough.
  static void split(stablehlo::DotGeneralOp dot, SmallVectorImpl<stablehlo::DotGeneralOp> &pieces) {
    auto numbers = dot.getDotDimensionNumbers();
    ArrayRef<int64_t> lhs = numbers.getLhsContractingDimensions(), rhs = numbers.getRhsContractingDimensions();
    RankedTensorType type = typeOf(dot.getLhs());
    int64_t products = 1, longest = 0;
    for (auto [i, d] : llvm::enumerate(lhs)) {
      products *= type.getDimSize(d);
      if (type.getDimSize(d) > type.getDimSize(lhs[longest])) longest = i;
    }
    if (products <= kExact || !isSignedByte(dot.getLhs()) || !isSignedByte(dot.getRhs())) return;
    int64_t extent = type.getDimSize(lhs[longest]), length = std::max<int64_t>(1, kExact / (products / extent));
    if (length > 128) length -= length % 128;
    OpBuilder b(dot);
    Build build{b, dot.getLoc()};
    Value sum;
    for (int64_t from = 0; from < extent; from += length) {
      int64_t to = std::min(extent, from + length);
      auto piece = stablehlo::DotGeneralOp::create(b, dot.getLoc(), typeOf(dot),
                                                   part(build, dot.getLhs(), lhs[longest], from, to),
                                                   part(build, dot.getRhs(), rhs[longest], from, to), numbers,
                                                   dot.getPrecisionConfigAttr(), dot.getAlgorithmAttr());
      pieces.push_back(piece);
      sum = sum ? stablehlo::AddOp::create(b, dot.getLoc(), sum, piece).getResult() : piece.getResult();
    }
    dot.replaceAllUsesWith(sum);
    dot.erase();
  }

  void runOnOperation() override {
    SmallVector<stablehlo::DotGeneralOp> work;
    getOperation().walk([&](stablehlo::DotGeneralOp dot) { work.push_back(dot); });
    while (!work.empty()) split(work.pop_back_val(), work);
  }
};

}  // namespace
}  // namespace tpuc::legalise
