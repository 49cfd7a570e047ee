//===- version.cpp - versions of vhlo ----------------------------------------------------------------===//
// Part of tpuc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===-----------------------------------------------------------------------------===//
#include "dialects/vhlo/version.h"

#include <string>

using namespace llvm;

namespace tpuc::vhlo {

std::optional<Version> Version::parse(StringRef text) {
  Version version;
  if (text.consumeInteger(10, version.major) || !text.consume_front(".") || text.consumeInteger(10, version.minor) ||
      !text.consume_front(".") || text.consumeInteger(10, version.patch) || !text.empty())
    return std::nullopt;
  return version;
}

std::string Version::text() const {
  return std::to_string(major) + "." + std::to_string(minor) + "." + std::to_string(patch);
}

}  // namespace tpuc::vhlo
