// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Why a program had to be compiled: what sets it apart from one that was compiled before.
#pragma once
#include <string>
#include <vector>

#include "compiler/cache/record.h"

namespace tpuc::cache {

// A sentence each, with the line of `now`; empty when only lines of the source differ.
std::vector<std::string> differences(const Record &now, const Record &before);

// Of the records of programs with the same name the one with the fewest differences, the first of several, in a sentence.
std::string whyNew(const Record &now, const std::vector<Record> &before);

}  // namespace tpuc::cache
