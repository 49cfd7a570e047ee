//===- rules_elementwise.cpp - sharding rules of ops on elements ----------------------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===-----------------------------------------------------------------------------===//
#include "dialects/kernel/kernel.h"
#include "passes/shard/models.h"
#include "passes/shard/rule_builder.h"

using namespace mlir;

namespace tpuc::shard {
namespace {

// Operands have the result's shape, or none, as the predicate of a select.
struct Elementwise {
  static sdy::OpShardingRuleAttr of(Operation *op, bool) {
    return RuleBuilder(op).pointwise(shapeOf(op->getResult(0))).build();
  }
};

// chlo's operands may lack the result's major dimensions, or have ones in place of others.
struct Broadcasting {
  static sdy::OpShardingRuleAttr of(Operation *op, bool) {
    RuleBuilder builder(op);
    ArrayRef<int64_t> shape = shapeOf(op->getResult(0));
    int64_t rank = shape.size();
    if (op->getAttr("broadcast_dimensions")) return {};
    for (int64_t dim = 0; dim < rank; ++dim) {
      SmallVector<int64_t> places;
      for (Value operand : op->getOperands()) {
        ArrayRef<int64_t> own = shapeOf(operand);
        int64_t place = dim - (rank - static_cast<int64_t>(own.size()));
        places.push_back(place >= 0 && own[place] == shape[dim] ? place : kAbsent);
      }
      builder.add(places, {dim}, shape[dim]);
    }
    return builder.build();
  }
};

}  // namespace

void attachElementwise(MLIRContext *context) {
  attachRules<Elementwise,
#define GET_OP_LIST
#include "dialects/stablehlo/elementwise.cpp.inc"
              >(context);
  attachRules<Elementwise, stablehlo::MapOp>(context);
}

void attachKernel(MLIRContext *context) { attachRules<Elementwise, kernel::FmaOp, kernel::Exp2Op>(context); }

void attachChlo(MLIRContext *context) {
  attachRules<Elementwise, chlo::AcosOp, chlo::AcoshOp, chlo::AsinOp, chlo::AsinhOp, chlo::AtanOp, chlo::AtanhOp,
              chlo::AsinAcosKernelOp, chlo::BesselI1eOp, chlo::ConjOp, chlo::CoshOp, chlo::DigammaOp, chlo::ErfOp,
              chlo::ErfInvOp, chlo::ErfcOp, chlo::LgammaOp, chlo::SinhOp, chlo::SquareOp, chlo::TanOp, chlo::IsInfOp,
              chlo::IsNegInfOp, chlo::IsPosInfOp, chlo::MulhiOp, chlo::NextAfterOp, chlo::PolygammaOp, chlo::ZetaOp,
              chlo::ConstantLikeOp>(context);
  attachRules<Broadcasting, chlo::BroadcastAddOp, chlo::BroadcastAndOp, chlo::BroadcastAtan2Op, chlo::BroadcastDivOp,
              chlo::BroadcastMaxOp, chlo::BroadcastMinOp, chlo::BroadcastMulOp, chlo::BroadcastNextAfterOp,
              chlo::BroadcastOrOp, chlo::BroadcastPolygammaOp, chlo::BroadcastPowOp, chlo::BroadcastRemOp,
              chlo::BroadcastShiftLeftOp, chlo::BroadcastShiftRightArithmeticOp, chlo::BroadcastShiftRightLogicalOp,
              chlo::BroadcastSubOp, chlo::BroadcastXorOp, chlo::BroadcastZetaOp, chlo::BroadcastComplexOp,
              chlo::BroadcastCompareOp, chlo::BroadcastSelectOp>(context);
}

}  // namespace tpuc::shard
