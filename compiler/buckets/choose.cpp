// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "compiler/buckets/choose.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>

#include "compiler/buckets/candidates.h"
#include "llvm/ADT/STLExtras.h"

namespace tpuc::buckets {
namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();
constexpr int64_t kMostSubsets = 20000;  // of one symbol's candidates, each with the other's best ends
constexpr int kMostRounds = 20;          // in which each symbol's ends are chosen anew

// Ends of which the last holds everything, and what they cost.
struct Scored {
  Ends ends;
  double cost = kInfinity;  // seconds, of all runs and of compiling
};

class Chooser {
 public:
  Chooser(const Histogram &histogram, const StepSeconds &seconds, const ChoiceOptions &options)
      : histogram_(histogram), seconds_(seconds), options_(options), total_(histogram.total()) {
    runs_ = options.runs > 0 ? options.runs : total_;
  }

  Scored best(const Candidates &candidates) {
    // Runs between two candidates are the same to every choice.
    std::map<std::vector<int64_t>, std::vector<const Histogram::Row *>> cells;
    for (const Histogram::Row &row : histogram_.rows) cells[bucketOf(candidates, row.sizes)].push_back(&row);
    cells_.assign(cells.begin(), cells.end());
    cellSeconds_.clear();
    Scored best;
    const size_t symbols = candidates.size();
    if (symbols == 1) {
      best.ends = {{candidates[0].back()}};
      improve(best, candidates, 0);
    } else if (symbols == 2 && subsets(candidates[0]) <= kMostSubsets) {
      std::vector<int64_t> chosen{candidates[0].back()};
      tryAll(best, candidates, chosen, candidates[0].size() - 1);
    } else {
      for (const Ends &start : starts(candidates)) take(best, descend(start, candidates));
    }
    return best;
  }
  double expected(const Ends &ends) const { return expectedSeconds(histogram_, ends, seconds_); }

 private:
  static int64_t programs(const Ends &ends) {
    int64_t n = 1;
    for (const auto &list : ends) n *= static_cast<int64_t>(list.size());
    return n;
  }
  static void take(Scored &best, const Scored &other) {
    if (other.cost < best.cost) best = other;
  }

  int64_t subsets(const std::vector<int64_t> &candidates) const {
    double sum = 0, choices = 1;
    const auto others = static_cast<double>(candidates.size() - 1);
    for (int64_t k = 0; k < options_.mostPrograms && static_cast<double>(k) <= others; ++k) {
      sum += choices;
      choices *= (others - static_cast<double>(k)) / static_cast<double>(k + 1);
    }
    return static_cast<int64_t>(std::min<double>(sum, kMostSubsets + 1));
  }

  // Each choice of the first symbol's ends, from the largest down, with the second's best for it.
  void tryAll(Scored &best, const Candidates &candidates, std::vector<int64_t> &chosen, size_t below) {
    Scored with;
    with.ends = {std::vector<int64_t>(chosen.rbegin(), chosen.rend()), {candidates[1].back()}};
    improve(with, candidates, 1);
    take(best, with);
    if (static_cast<int64_t>(chosen.size()) == options_.mostPrograms) return;
    for (size_t i = below; i-- > 0;) {
      chosen.push_back(candidates[0][i]);
      tryAll(best, candidates, chosen, i);
      chosen.pop_back();
    }
  }

  // Ends at equal shares of the candidates, for each way to share the programs among the symbols.
  std::vector<Ends> starts(const Candidates &candidates) const {
    std::vector<Ends> all{{}};
    for (const auto &list : candidates) {
      std::vector<Ends> longer;
      for (const Ends &ends : all)
        for (size_t n = 1; n <= list.size() && programs(ends) * static_cast<int64_t>(n) <= options_.mostPrograms; ++n) {
          std::vector<int64_t> own;
          for (size_t i = 1; i <= n; ++i) own.push_back(list[(i * list.size() + n - 1) / n - 1]);
          longer.push_back(ends);
          longer.back().push_back(own);
        }
      all = std::move(longer);
    }
    return all;
  }

  Scored descend(const Ends &start, const Candidates &candidates) {
    Scored at;
    at.ends = start;
    for (int round = 0; round < kMostRounds; ++round) {
      const double before = at.cost;
      for (size_t symbol = 0; symbol < candidates.size(); ++symbol) improve(at, candidates, symbol);
      if (!(at.cost < before)) break;
    }
    return at;
  }

  // What runs that end at candidate `at` of the symbol cost, by the least candidate that the bucket begins above: of
  // sizes in (candidates[i - 1], candidates[at]], i from 0.
  std::vector<double> costsAt(const Ends &ends, const std::vector<int64_t> &own, size_t symbol, size_t at) {
    std::vector<double> costs(own.size() + 1, 0);
    for (size_t cell = 0; cell < cells_.size(); ++cell) {
      const std::vector<int64_t> &sizes = cells_[cell].first;
      const size_t i = llvm::lower_bound(own, sizes[symbol]) - own.begin();
      if (i > at) continue;
      std::vector<int64_t> bucket = bucketOf(ends, sizes);
      bucket[symbol] = own[at];
      costs[i] += runs_ * cellSeconds(bucket, cell);
    }
    for (size_t i = own.size(); i-- > 0;) costs[i] += costs[i + 1];
    return costs;
  }

  // What a cell's runs take in the bucket, of all runs' mean step.
  double cellSeconds(const std::vector<int64_t> &bucket, size_t cell) {
    auto [known, added] = cellSeconds_.try_emplace({bucket, cell}, 0);
    if (!added) return known->second;
    double sum = 0;
    for (const Histogram::Row *row : cells_[cell].second) {
      const double seconds = seconds_(bucket, row->sizes);
      sum += seconds < 0 ? kInfinity : row->count / total_ * seconds;
    }
    return known->second = sum;
  }

  // Finds the symbol's best ends while those of the other symbols stay as they are.
  void improve(Scored &at, const Candidates &candidates, size_t symbol) {
    const std::vector<int64_t> &own = candidates[symbol];
    const size_t n = own.size();
    const int64_t others = programs(at.ends) / static_cast<int64_t>(at.ends[symbol].size());
    const size_t most = std::min<size_t>(n, options_.mostPrograms / others);
    // least[k][j]: of sizes up to candidate j, in k + 1 buckets; from[k][j]: the first candidate of the last of them.
    std::vector<std::vector<double>> least(most, std::vector<double>(n, kInfinity));
    std::vector<std::vector<size_t>> from(most, std::vector<size_t>(n, 0));
    for (size_t j = 0; j < n; ++j) {
      const std::vector<double> costs = costsAt(at.ends, own, symbol, j);
      least[0][j] = costs[0];
      for (size_t k = 1; k < most; ++k)
        for (size_t i = 1; i <= j; ++i)
          if (double cost = least[k - 1][i - 1] + costs[i]; cost < least[k][j]) {
            least[k][j] = cost;
            from[k][j] = i;
          }
    }
    for (size_t k = 0; k < most; ++k) {
      const double cost = least[k][n - 1] + options_.compileSeconds * static_cast<double>(others * (k + 1));
      if (!(cost < at.cost)) continue;
      at.cost = cost;
      std::vector<int64_t> ends;
      for (size_t j = n - 1, left = k + 1; left-- > 0;) {
        ends.push_back(own[j]);
        if (left) j = from[left][j] - 1;
      }
      at.ends[symbol] = std::vector<int64_t>(ends.rbegin(), ends.rend());
    }
  }

  const Histogram &histogram_;
  const StepSeconds seconds_;
  const ChoiceOptions &options_;
  const double total_;
  double runs_ = 0;
  // The runs by the candidates that hold them.
  std::vector<std::pair<std::vector<int64_t>, std::vector<const Histogram::Row *>>> cells_;
  std::map<std::pair<std::vector<int64_t>, size_t>, double> cellSeconds_;
};

}  // namespace

std::vector<int64_t> bucketOf(const Ends &ends, const std::vector<int64_t> &sizes) {
  std::vector<int64_t> bucket;
  for (auto [list, size] : llvm::zip(ends, sizes)) {
    auto end = llvm::lower_bound(list, size);
    bucket.push_back(end == list.end() ? list.back() : *end);
  }
  return bucket;
}

double expectedSeconds(const Histogram &histogram, const Ends &ends, const StepSeconds &seconds) {
  double sum = 0;
  for (const Histogram::Row &row : histogram.rows) {
    const double step = seconds(bucketOf(ends, row.sizes), row.sizes);
    if (step < 0) return -1;
    sum += row.count * step;
  }
  return sum / histogram.total();
}

std::optional<Choice> chooseBuckets(const Histogram &histogram, const StepSeconds &seconds,
                                    const ChoiceOptions &options) {
  bool failed = false;
  StepSeconds once = [&](const std::vector<int64_t> &bucket, const std::vector<int64_t> &sizes) {
    const double step = failed ? -1 : seconds(bucket, sizes);
    failed |= step < 0;
    return step;
  };
  Candidates candidates = firstCandidates(histogram, options.mostTimed);
  Chooser chooser(histogram, once, options);
  for (;;) {
    Scored best = chooser.best(candidates);
    if (failed || best.cost == kInfinity) return std::nullopt;
    if (!refine(candidates, histogram, best.ends, options.mostTimed))
      return Choice{best.ends, chooser.expected(best.ends)};
  }
}

Ends powersOfTwo(const Histogram &histogram, const Ends &asMany) {
  Ends ends;
  for (auto [symbol, list] : llvm::enumerate(asMany)) {
    std::vector<int64_t> own{histogram.sizesOf(symbol).back()};
    int64_t power = 1;
    while (power * 2 < own.back()) power *= 2;
    for (; own.size() < list.size() && power >= 1 && power < own.back(); power /= 2) own.push_back(power);
    ends.push_back({own.rbegin(), own.rend()});
  }
  return ends;
}

}  // namespace tpuc::buckets
