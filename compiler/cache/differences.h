// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Why a program had to be compiled: what sets it apart from one that was compiled before.
#pragma once
#include <string>
#include <vector>

#include "compiler/cache/record.h"

namespace tpuc::cache {

struct Differences {
  std::vector<std::string>
      sentences;  // with the lines of the later program; empty when only lines of the source differ
  size_t distance =
      0;  // options and arguments, whose difference hides all others, count a thousand times what others do
};
Differences differences(const Record &now, const Record &before);

// What sets it apart from the nearest program of the same name, the first of several, in a sentence.
std::string whyNew(const Record &now, const std::vector<Record> &before);

}  // namespace tpuc::cache
