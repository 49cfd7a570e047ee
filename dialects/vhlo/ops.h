//===- ops.h - the table of vhlo's ops ----------------------------------------------------------------===//
// Part of tpuc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// vhlo is the versioned twin of stablehlo. It exists in files only: they are read into ops, attributes and types of
// stablehlo and written from them.
//===-----------------------------------------------------------------------------===//
#ifndef TPUC_DIALECTS_VHLO_OPS_H
#define TPUC_DIALECTS_VHLO_OPS_H

#include "dialects/vhlo/version.h"
#include "llvm/ADT/SmallVector.h"

namespace tpuc::vhlo {

// A row of ops.def.
struct OpInfo {
  llvm::StringLiteral name;         // "abs_v1"
  llvm::StringLiteral first, last;  // versions; no last one for what is current
  llvm::StringLiteral attributes;   // names in alphabetical order, spaces between

  // The names one by one.
  llvm::SmallVector<llvm::StringRef> attributeNames() const;
};
// Finds an op by its name with a version, "abs_v1"; null for others.
const OpInfo *findOp(llvm::StringRef name);
// Finds the form that an op, "abs", has in a version; null where it has none.
const OpInfo *findOp(llvm::StringRef base, Version version);
// "abs" of "abs_v1".
llvm::StringRef baseName(llvm::StringRef name);

}  // namespace tpuc::vhlo

#endif  // TPUC_DIALECTS_VHLO_OPS_H
