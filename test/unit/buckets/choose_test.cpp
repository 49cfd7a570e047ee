// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The chosen buckets against all that there are.
#include "compiler/buckets/choose.h"

#include <gtest/gtest.h>

#include <cmath>
#include <random>
#include <set>

#include "compiler/buckets/packing.h"

namespace tpuc::buckets {
namespace {

Histogram histogramOf(const std::vector<std::pair<std::vector<int64_t>, double>> &rows) {
  Histogram histogram;
  for (size_t i = 0; i < rows.front().first.size(); ++i) histogram.symbols.push_back(std::string(1, char('a' + i)));
  for (const auto &[sizes, count] : rows) histogram.rows.push_back({sizes, count});
  return histogram;
}

// Whole tiles of 8, a start, and something quadratic.
double tiled(const std::vector<int64_t> &bucket, const std::vector<int64_t> &) {
  double work = 1;
  for (int64_t size : bucket) work *= std::ceil(static_cast<double>(size) / 8) * 8;
  return 1e-6 + 1e-8 * work + 1e-11 * work * work;
}

// Beside it blocks of 32 of the true sizes.
double skipping(const std::vector<int64_t> &bucket, const std::vector<int64_t> &sizes) {
  double work = 1;
  for (int64_t size : sizes) work *= std::ceil(static_cast<double>(size) / 32) * 32;
  return 0.2 * tiled(bucket, sizes) + 1e-8 * work;
}

// The least cost over all ends, of which the last is the largest size.
double bruteForce(const Histogram &histogram, const ChoiceOptions &options, const StepSeconds &seconds = tiled) {
  std::vector<std::vector<std::vector<int64_t>>> lists(histogram.symbols.size());
  for (size_t symbol = 0; symbol < lists.size(); ++symbol) {
    const std::vector<int64_t> sizes = histogram.sizesOf(symbol);
    for (unsigned bits = 0; bits < 1U << (sizes.size() - 1); ++bits) {
      std::vector<int64_t> ends;
      for (size_t i = 0; i < sizes.size(); ++i)
        if (i + 1 == sizes.size() || bits >> i & 1) ends.push_back(sizes[i]);
      lists[symbol].push_back(ends);
    }
  }
  double best = INFINITY;
  Ends ends(lists.size());
  auto all = [&](auto &self, size_t symbol, int64_t programs) -> void {
    if (programs > options.mostPrograms) return;
    if (symbol == lists.size()) {
      const double runs = options.runs > 0 ? options.runs : histogram.total();
      best = std::min(best, runs * expectedSeconds(histogram, ends, seconds) +
                                options.compileSeconds * static_cast<double>(programs));
      return;
    }
    for (const auto &list : lists[symbol]) {
      ends[symbol] = list;
      self(self, symbol + 1, programs * static_cast<int64_t>(list.size()));
    }
  };
  all(all, 0, 1);
  return best;
}

double costOf(const Histogram &histogram, const Choice &choice, const ChoiceOptions &options) {
  double programs = 1;
  for (const auto &list : choice.ends) programs *= static_cast<double>(list.size());
  return (options.runs > 0 ? options.runs : histogram.total()) * choice.seconds + options.compileSeconds * programs;
}

TEST(Choose, IsExactWithOneSymbol) {
  std::mt19937 rng(1);
  for (int round = 0; round < 40; ++round) {
    std::set<int64_t> sizes;
    while (sizes.size() < 9) sizes.insert(1 + static_cast<int64_t>(rng() % 400));
    std::vector<std::pair<std::vector<int64_t>, double>> rows;
    for (int64_t size : sizes) rows.push_back({{size}, 1 + static_cast<double>(rng() % 100)});
    const Histogram histogram = histogramOf(rows);
    ChoiceOptions options;
    options.mostPrograms = 1 + round % 6;
    options.compileSeconds = round % 3 == 0 ? 2e-4 : 0;
    for (const StepSeconds &seconds : {StepSeconds(tiled), StepSeconds(skipping)}) {
      auto choice = chooseBuckets(histogram, seconds, options);
      ASSERT_TRUE(choice);
      EXPECT_NEAR(costOf(histogram, *choice, options) / bruteForce(histogram, options, seconds), 1, 1e-9);
    }
  }
}

TEST(Choose, IsExactWithTwo) {
  std::mt19937 rng(2);
  for (int round = 0; round < 20; ++round) {
    std::vector<std::pair<std::vector<int64_t>, double>> rows;
    const int64_t as[] = {1, 3, 8, 20, 31}, bs[] = {16, 33, 40, 64, 100, 128};
    for (int64_t a : as)
      for (int64_t b : bs)
        if (rng() % 3) rows.push_back({{a, b}, 1 + static_cast<double>(rng() % 50)});
    const Histogram histogram = histogramOf(rows);
    ChoiceOptions options;
    options.mostPrograms = 1 + round % 7;
    for (const StepSeconds &seconds : {StepSeconds(tiled), StepSeconds(skipping)}) {
      auto choice = chooseBuckets(histogram, seconds, options);
      ASSERT_TRUE(choice);
      EXPECT_NEAR(costOf(histogram, *choice, options) / bruteForce(histogram, options, seconds), 1, 1e-9);
    }
  }
}

TEST(Choose, ThreeSymbolsStayWithinTheLimit) {
  std::vector<std::pair<std::vector<int64_t>, double>> rows;
  for (int64_t a : {1, 4, 9})
    for (int64_t b : {8, 30, 50})
      for (int64_t c : {16, 100}) rows.push_back({{a, b, c}, static_cast<double>(a * c)});
  const Histogram histogram = histogramOf(rows);
  ChoiceOptions options;
  options.mostPrograms = 6;
  auto choice = chooseBuckets(histogram, tiled, options);
  ASSERT_TRUE(choice);
  EXPECT_LE(choice->ends[0].size() * choice->ends[1].size() * choice->ends[2].size(), 6U);
  EXPECT_NEAR(choice->seconds * histogram.total() / bruteForce(histogram, options), 1, 0.02);
}

// Long tails, two hills, and words by rank: never above powers of two, nor far from all ends timed.
TEST(Choose, BeatsPowersOfTwo) {
  std::mt19937 rng(3);
  std::lognormal_distribution<double> tail(4.5, 0.8);
  std::normal_distribution<double> low(60, 15), high(420, 60);
  for (int kind = 0; kind < 3; ++kind) {
    std::map<int64_t, double> counts;
    for (int i = 0; i < 5000; ++i) {
      double length = kind == 0 ? tail(rng) : kind == 1 ? (i % 2 ? low(rng) : high(rng)) : 2048.0 / (1 + rng() % 512);
      ++counts[std::clamp<int64_t>(std::llround(length), 1, 2048)];
    }
    std::vector<std::pair<std::vector<int64_t>, double>> rows;
    for (auto [size, count] : counts) rows.push_back({{size}, count});
    const Histogram histogram = histogramOf(rows);
    ChoiceOptions options, all;
    options.mostPrograms = all.mostPrograms = 5;
    all.mostTimed = 100000;
    auto choice = chooseBuckets(histogram, tiled, options), exact = chooseBuckets(histogram, tiled, all);
    ASSERT_TRUE(choice && exact);
    EXPECT_LT(choice->seconds, expectedSeconds(histogram, powersOfTwo(histogram, choice->ends), tiled));
    EXPECT_LE(choice->seconds, exact->seconds * 1.03);
  }
}

TEST(Choose, EndsWhereNothingCanBeTimed) {
  const Histogram histogram = histogramOf({{{4}, 1}, {{9}, 2}});
  EXPECT_FALSE(chooseBuckets(histogram, [](const auto &, const auto &) { return -1.0; }, {}));
}

TEST(Choose, PacksRows) {
  const Packing packing = packedRows(histogramOf({{{50}, 4}, {{100}, 1}}));
  EXPECT_EQ(packing.row, 100);
  EXPECT_NEAR(packing.sequences, 5.0 / 3, 1e-9);
  EXPECT_NEAR(packing.padding, 0, 1e-9);
}

TEST(Histogram, ReadsColumnsByName) {
  std::string error;
  auto histogram = parseHistogram("# lengths\ncount,s\n3, 17\n\n1,5 # rare\n2,17\n0,9\n", error);
  ASSERT_TRUE(histogram) << error;
  ASSERT_EQ(histogram->rows.size(), 2U);
  EXPECT_EQ(histogram->symbols, std::vector<std::string>{"s"});
  EXPECT_EQ(histogram->rows[1].sizes, std::vector<int64_t>{17});
  EXPECT_EQ(histogram->rows[1].count, 5);
}

TEST(Histogram, SaysWhichLineIsWrong) {
  const std::pair<const char *, const char *> wrong[] = {
      {"", "expects sizes that occur"},
      {"17 4\n", "line 1: expects a first line that names the columns"},
      {"s s\n1 2\n", "line 1: expects each column once"},
      {"count\n1\n", "line 1: expects a column of sizes"},
      {"s count\n1 2\n3\n", "line 3: expects 2 numbers, but got 1"},
      {"s\n0\n", "line 2: expects a size of 1 at least"},
      {"s\n-4\n", "line 2: expects a size"},
      {"s\n99999999999\n", "line 2: expects a size"},
      {"s count\n4 nan\n", "line 2: expects a count"},
      {"s count\n4 -1\n", "line 2: expects a count"},
      {"s count\n4 1e308\n5 1e308\n", "line 2: expects a count from 0 to 1e15"},
      {"s count\n4 0\n", "expects sizes that occur"},
  };
  for (auto [text, message] : wrong) {
    std::string error;
    EXPECT_FALSE(parseHistogram(text, error)) << text;
    EXPECT_NE(error.find(message), std::string::npos) << error;
  }
}

}  // namespace
}  // namespace tpuc::buckets
