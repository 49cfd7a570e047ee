//===- version.h - versions of vhlo ------------------------------------------------------------------===//
// Part of tpuc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===-----------------------------------------------------------------------------===//
#ifndef TPUC_DIALECTS_VHLO_VERSION_H
#define TPUC_DIALECTS_VHLO_VERSION_H

#include <compare>
#include <optional>

#include "llvm/ADT/StringRef.h"

namespace tpuc::vhlo {

struct Version {
  unsigned major = 0, minor = 0, patch = 0;

  auto operator<=>(const Version &) const = default;
  // "1.15.0"; nothing for what is no version.
  static std::optional<Version> parse(llvm::StringRef text);
  std::string text() const;
};

inline constexpr Version kOldest = {0, 9, 0}, kNewest = {1, 20, 0};

}  // namespace tpuc::vhlo

#endif  // TPUC_DIALECTS_VHLO_VERSION_H
