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

} // namespace tpuc::stablehlo

#endif // TPUC_DIALECTS_STABLEHLO_TRAITS_H
