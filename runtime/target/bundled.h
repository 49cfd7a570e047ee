// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The targets/*.textproto files as compiled in by cmake/embed.cmake.
#pragma once

namespace tpuc::target {

struct BundledFile {
  const char *name, *text;
};
extern const BundledFile kBundled[];
extern const int kNumBundled;

}  // namespace tpuc::target
