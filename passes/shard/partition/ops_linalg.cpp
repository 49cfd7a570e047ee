//===- ops_linalg.cpp - linear algebra on sharded arrays ----------------------------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Propagation passes axes on as openxla/shardy's rules do. What can be computed apart is another question: each of the
// columns of a triangular system, but no part of a matrix whose eigenvalues are asked for.
//===-----------------------------------------------------------------------------===//
#include "passes/shard/partition/partitioner.h"

using namespace mlir;

namespace tpuc::shard {
namespace {

LogicalResult triangularSolve(Operation *op, Partitioner &p) {
  std::optional<Factors> factors = p.factorsOf(op);
  if (!factors) return p.replicate(op);
  constexpr int kA = 0, kB = 1;
  for (int factor = 0, end = factors->kinds.size(); factor < end; ++factor) {
    if (factors->has(kA, factor) || !factors->has(kB, factor)) continue;
    factors->kinds[factor] = FactorKind::PassThrough;
    factors->allowed.set(factor);
  }
  return p.byFactors(op, *factors);
}

}  // namespace

LogicalResult factorisation(Operation *op, Partitioner &p) {
  std::optional<Factors> factors = p.factorsOf(op);
  if (!factors) return p.replicate(op);
  for (auto &dim : ArrayRef(factors->rule.dims[0]).take_back(2))
    for (int factor : dim) {
      factors->kinds[factor] = FactorKind::NeedReplication;
      factors->allowed.reset(factor);
    }
  return p.byFactors(op, *factors);
}

void addLinalg(Handlers &handlers) { handlers["stablehlo.triangular_solve"] = triangularSolve; }

}  // namespace tpuc::shard
