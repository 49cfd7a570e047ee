//===- rules_linalg.cpp - sharding rules of linear algebra, Fourier transforms and random numbers -----------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===-----------------------------------------------------------------------------===//
#include "passes/shard/models.h"
#include "passes/shard/rule_builder.h"

using namespace mlir;

namespace tpuc::shard {
namespace {

namespace hlo = tpuc::stablehlo;

struct Linalg {
  static sdy::OpShardingRuleAttr of(hlo::CholeskyOp op, bool) {
    ArrayRef<int64_t> shape = shapeOf(op.getResult());
    int64_t batch = static_cast<int64_t>(shape.size()) - 2;
    return RuleBuilder(op)
        .pointwise(shape, [&](int64_t dim) { return dim >= batch ? Kind::NeedReplication : Kind::PassThrough; })
        .build();
  }

  // The last dimensions, as many as the op has lengths; of real numbers the last one is halved on one side.
  static sdy::OpShardingRuleAttr of(hlo::FftOp op, bool) {
    RuleBuilder builder(op);
    ArrayRef<int64_t> in = shapeOf(op.getOperand()), out = shapeOf(op.getResult());
    int64_t batch = static_cast<int64_t>(in.size()) - static_cast<int64_t>(op.getFftLength().size());
    for (int64_t dim = 0, rank = in.size(); dim < rank; ++dim)
      dim < batch ? builder.addEverywhere(dim, in[dim])
                  : builder.addEverywhere(dim, in[dim], Kind::NeedReplication, in[dim] != out[dim]);
    return builder.build();
  }

  // a x = b or x a = b. The result has the dimension of `a` that the product keeps in place of the one of b.
  static sdy::OpShardingRuleAttr of(hlo::TriangularSolveOp op, bool) {
    RuleBuilder builder(op);
    ArrayRef<int64_t> b = shapeOf(op.getB());
    int64_t rank = b.size(), rows = rank - 2, columns = rank - 1;
    for (int64_t dim = 0; dim < rows; ++dim) builder.add({dim, dim}, {dim}, b[dim]);
    bool left = op.getLeftSide();
    bool transposed = op.getTransposeA() != hlo::Transpose::NO_TRANSPOSE;
    int64_t solved = left ? rows : columns, size = b[solved];
    // The dimension of `a` that b has too, and the one of the unknowns.
    int64_t given = left == transposed ? columns : rows, unknown = given == rows ? columns : rows;
    for (int64_t dim : {rows, columns}) {
      if (dim == solved)
        builder.add({given, dim}, {kAbsent}, size, Kind::NeedReplication);
      else
        builder.add({kAbsent, dim}, {dim}, b[dim], Kind::NeedReplication);
    }
    builder.add({unknown, kAbsent}, {solved}, size, Kind::NeedReplication);
    return builder.build();
  }

  // The state stays whole; each element of the output is computed from its place.
  static sdy::OpShardingRuleAttr of(hlo::RngBitGeneratorOp op, bool) {
    RuleBuilder builder(op);
    for (auto [dim, size] : llvm::enumerate(shapeOf(op.getInitialState())))
      builder.add({static_cast<int64_t>(dim)}, {static_cast<int64_t>(dim), kAbsent}, size, Kind::NeedReplication,
                  /*blocked=*/true);
    for (auto [dim, size] : llvm::enumerate(shapeOf(op.getOutput())))
      builder.add({kAbsent}, {kAbsent, static_cast<int64_t>(dim)}, size);
    return builder.build();
  }
};

}  // namespace

void attachLinalg(MLIRContext *context) {
  attachRules<Linalg, hlo::CholeskyOp, hlo::FftOp, hlo::TriangularSolveOp, hlo::RngBitGeneratorOp>(context);
}

}  // namespace tpuc::shard
