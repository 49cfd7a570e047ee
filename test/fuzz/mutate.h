// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Small changes to texts and bytes, reproducible from a seed.
#pragma once
#include <random>
#include <string>
#include <vector>

namespace tpuc::fuzz {

// One to three changes: numbers, types, lists and words of the text replaced by others, doubled, dropped; parts of
// another text put in.
std::string mutateText(std::string text, const std::vector<std::string> &others, std::mt19937_64 &random);
// One to four changes: bits, bytes and lengths; parts dropped, doubled, cut off, taken from another file.
std::string mutateBytes(std::string bytes, const std::vector<std::string> &others, std::mt19937_64 &random);

}  // namespace tpuc::fuzz
