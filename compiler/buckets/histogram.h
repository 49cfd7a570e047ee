// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// How often a program's open dims have which sizes.
#pragma once
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "llvm/ADT/StringRef.h"

namespace tpuc::buckets {

// Joint where there are several symbols: a row is one combination of sizes.
struct Histogram {
  struct Row {
    std::vector<int64_t> sizes;  // of each symbol
    double count = 0;            // runs
  };
  std::vector<std::string> symbols;
  std::vector<Row> rows;  // in ascending order, each combination once, each count positive

  double total() const;
  // Sizes of one symbol that occur, in ascending order.
  std::vector<int64_t> sizesOf(size_t symbol) const;
};

// A line that names the columns, symbols and perhaps "count", then lines of as many numbers, with spaces, tabs or
// commas between them: "s count", "512 37". Without a count a line is one run. # begins a comment. Nothing, and `error`
// with the line's number, for other text.
std::optional<Histogram> parseHistogram(llvm::StringRef text, std::string &error);

}  // namespace tpuc::buckets
