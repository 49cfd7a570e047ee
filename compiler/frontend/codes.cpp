//===- codes.cpp - the catalogue of what can be wrong with a program ------------------------------------------===//
// Part of tpuc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===-----------------------------------------------------------------------------===//
#include "compiler/frontend/codes.h"

#include "llvm/ADT/STLExtras.h"

namespace tpuc::frontend {

llvm::ArrayRef<const Code *> allCodes() {
  static constexpr const Code *codes[] = {&kCannotRead,  &kMalformed,   &kUnknownOp,    &kNoMain,
                                          &kSeveralModules, &kCyclicCalls, &kDynamicShape, &kTooLarge,
                                          &kPortableArtifact, &kJaxExport, &kNestsTooDeep, &kUnknownType, &kNoBody};
  return codes;
}

const Code *findCode(llvm::StringRef name) {
  auto found = llvm::find_if(allCodes(), [&](const Code *code) { return code->name == name; });
  return found == allCodes().end() ? nullptr : *found;
}

} // namespace tpuc::frontend
