// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "compiler/buckets/packing.h"

#include <cmath>
#include <map>

namespace tpuc::buckets {

constexpr double kMostSequences = 100000;

Packing packedRows(const Histogram &histogram) {
  std::map<int64_t, double> counts;
  for (const Histogram::Row &row : histogram.rows)
    if (row.sizes[0] > 0) counts[row.sizes[0]] += row.count;
  Packing packing;
  if (counts.empty()) return packing;
  packing.row = counts.rbegin()->first;
  const double total = histogram.total(), scale = total > kMostSequences ? kMostSequences / total : 1;
  std::map<int64_t, int64_t> room;  // left in a row, and how many such rows there are
  double sequences = 0, elements = 0;
  int64_t rows = 0;
  for (auto it = counts.rbegin(); it != counts.rend(); ++it) {
    const auto n = static_cast<int64_t>(std::ceil(it->second * scale));
    for (int64_t i = 0; i < n; ++i) {
      auto fits = room.lower_bound(it->first);
      int64_t left = packing.row;
      if (fits == room.end()) {
        ++rows;
      } else {
        left = fits->first;
        if (--fits->second == 0) room.erase(fits);
      }
      left -= it->first;
      if (auto same = room.find(left); same != room.end())
        ++same->second;
      else if (left > 0)
        room.emplace(left, 1);
      elements += static_cast<double>(it->first);
      ++sequences;
    }
  }
  packing.sequences = sequences / static_cast<double>(rows);
  packing.padding = 1 - elements / (static_cast<double>(rows) * static_cast<double>(packing.row));
  return packing;
}

}  // namespace tpuc::buckets
