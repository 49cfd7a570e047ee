//===- special.cpp - the types that special functions are computed in ------------------------------------------===//
// Part of tpuc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===-----------------------------------------------------------------------------===//
#include "passes/simplify/special.h"

using namespace mlir;

namespace tpuc::simplify {

FloatType computedIn(Type element) {
  auto real = dyn_cast<FloatType>(element);
  if (!real || real.getWidth() > 64) return {};
  return real.isF64() ? real : FloatType(Float32Type::get(element.getContext()));
}

}  // namespace tpuc::simplify
