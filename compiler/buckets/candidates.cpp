// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "compiler/buckets/candidates.h"

#include <cmath>
#include <set>

#include "llvm/ADT/STLExtras.h"

namespace tpuc::buckets {
namespace {

constexpr int64_t kSublanes = 8;  // rows of a tile: sizes between its multiples cost alike

// The largest size that occurs below each multiple of the step.
std::set<int64_t> below(const std::vector<int64_t> &sizes, int64_t step) {
  std::set<int64_t> ends;
  for (size_t i = 0; i < sizes.size(); ++i)
    if (i + 1 == sizes.size() || (sizes[i] + step - 1) / step != (sizes[i + 1] + step - 1) / step)
      ends.insert(sizes[i]);
  return ends;
}

// The size below which a share of the runs lies, up to the end of its tile.
int64_t quantile(const Histogram &histogram, size_t symbol, const std::vector<int64_t> &sizes, double share) {
  std::vector<double> counts(sizes.size(), 0);
  for (const Histogram::Row &row : histogram.rows)
    counts[llvm::lower_bound(sizes, row.sizes[symbol]) - sizes.begin()] += row.count;
  double left = share * histogram.total();
  size_t i = 0;
  for (; i + 1 < sizes.size() && left > counts[i]; ++i) left -= counts[i];
  while (i + 1 < sizes.size() && sizes[i] % kSublanes && sizes[i + 1] / kSublanes == sizes[i] / kSublanes) ++i;
  return sizes[i];
}

std::vector<int64_t> some(const Histogram &histogram, size_t symbol, size_t most) {
  const std::vector<int64_t> sizes = histogram.sizesOf(symbol);
  if (sizes.size() <= most) return sizes;
  std::set<int64_t> chosen{sizes.back()};
  // A third of them each: by size, by runs, and left for where it is worth looking closer.
  const size_t third = std::max<size_t>(1, most / 3);
  int64_t step = 1;
  while (below(sizes, step).size() > third) step *= 2;
  for (int64_t end : below(sizes, step)) chosen.insert(end);
  for (size_t i = 1; i < third; ++i)
    chosen.insert(quantile(histogram, symbol, sizes, static_cast<double>(i) / static_cast<double>(third)));
  return {chosen.begin(), chosen.end()};
}

size_t combinations(const Candidates &candidates) {
  size_t n = 1;
  for (const auto &list : candidates) n *= list.size();
  return n;
}

}  // namespace

Candidates firstCandidates(const Histogram &histogram, size_t most) {
  Candidates all;
  for (size_t symbol = 0; symbol < histogram.symbols.size(); ++symbol) all.push_back(histogram.sizesOf(symbol));
  if (combinations(all) <= most) return all;
  const auto each = static_cast<size_t>(
      std::pow(static_cast<double>(most), 1.0 / static_cast<double>(histogram.symbols.size())) + 1e-9);
  for (size_t symbol = 0; symbol < all.size(); ++symbol)
    all[symbol] = some(histogram, symbol, std::max<size_t>(each, 2));
  return all;
}

bool refine(Candidates &candidates, const Histogram &histogram, const Ends &chosen, size_t most) {
  bool added = false;
  for (size_t symbol = 0; symbol < candidates.size(); ++symbol) {
    const std::vector<int64_t> sizes = histogram.sizesOf(symbol);
    std::vector<int64_t> &own = candidates[symbol];
    std::set<int64_t> more;
    auto halve = [&](size_t gap) {  // between own[gap - 1] and own[gap]
      auto first = llvm::lower_bound(sizes, own[gap - 1]), last = llvm::lower_bound(sizes, own[gap]);
      if (last - first > 1) more.insert(*(first + (last - first) / 2));
    };
    for (int64_t end : chosen[symbol]) {
      const size_t i = llvm::lower_bound(own, end) - own.begin();
      if (i > 0) halve(i);
      if (i + 1 < own.size()) halve(i + 1);
    }
    for (int64_t size : more) {
      const size_t others = combinations(candidates) / own.size();
      if (others * (own.size() + 1) > most) break;
      own.insert(llvm::lower_bound(own, size), size);
      added = true;
    }
  }
  return added;
}

}  // namespace tpuc::buckets
