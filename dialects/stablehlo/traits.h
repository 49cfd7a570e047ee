//===- traits.h - traits of StableHLO ops ----------------------------------------------===//
// Part of tpuc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===-----------------------------------------------------------------------------===//
#ifndef TPUC_DIALECTS_STABLEHLO_TRAITS_H
#define TPUC_DIALECTS_STABLEHLO_TRAITS_H

#include "mlir/IR/OpDefinition.h"

namespace tpuc::stablehlo {

// One scalar function applied to each element. Passes that fuse, fold or vectorise ask for it
// with op->hasTrait<IsElementwise>() instead of listing ops.
template <typename ConcreteType>
class IsElementwise : public mlir::OpTrait::TraitBase<ConcreteType, IsElementwise> {};

// The op's result types against those inferred, with an error that says what is expected.
llvm::LogicalResult checkInferredTypes(mlir::Operation *op, llvm::ArrayRef<mlir::Type> inferred);

template <typename ConcreteType>
class ChecksInferredTypes : public mlir::OpTrait::TraitBase<ConcreteType, ChecksInferredTypes> {
 public:
  static llvm::LogicalResult verifyTrait(mlir::Operation *op) {
    llvm::SmallVector<mlir::Type> inferred;
    if (mlir::failed(ConcreteType::inferReturnTypes(op->getContext(), op->getLoc(), op->getOperands(),
                                                    op->getDiscardableAttrDictionary(), op->getPropertiesStorage(),
                                                    op->getRegions(), inferred)))
      return mlir::failure();
    return checkInferredTypes(op, inferred);
  }
};

}  // namespace tpuc::stablehlo

#endif  // TPUC_DIALECTS_STABLEHLO_TRAITS_H
