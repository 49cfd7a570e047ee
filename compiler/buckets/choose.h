// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The buckets that cost least over a histogram of sizes.
#pragma once
#include <functional>

#include "compiler/buckets/histogram.h"

namespace tpuc::buckets {

// The sizes at which a program's buckets end: of each symbol in ascending order. A run takes the program of the
// smallest ends that hold its sizes; there is one for each combination.
using Ends = std::vector<std::vector<int64_t>>;

// Seconds that a step of these sizes takes in the program whose bucket ends at `bucket`; less than 0 where there is no
// such program: then nothing is chosen.
using StepSeconds = std::function<double(const std::vector<int64_t> &bucket, const std::vector<int64_t> &sizes)>;

struct ChoiceOptions {
  int64_t mostPrograms = 8;   // of all symbols' combinations
  double compileSeconds = 0;  // what one more program costs
  double runs = 0;            // steps that pay for it; 0: the histogram's count
  size_t mostTimed = 48;      // combinations of sizes that are timed
};

struct Choice {
  Ends ends;
  double seconds = 0;  // expected of a step, without what compiling costs
};

// The least expected time of ends among sizes that occur: all of them where the options let each be timed. Else it
// begins with some, by size and by frequency, and halves the gaps beside the ends that it has chosen. With one symbol
// the choice among them is exact, a dynamic programme over ends; with two as well, while they are few; with more, each
// symbol's is exact for the others' ends, from several starts.
std::optional<Choice> chooseBuckets(const Histogram &histogram, const StepSeconds &seconds,
                                    const ChoiceOptions &options);

// For each symbol as many ends as `asMany` has: its largest size, and the powers of two below it.
Ends powersOfTwo(const Histogram &histogram, const Ends &asMany);

// The expected seconds of a step with these ends; less than 0 where one cannot be timed.
double expectedSeconds(const Histogram &histogram, const Ends &ends, const StepSeconds &seconds);
// The smallest ends that hold the sizes.
std::vector<int64_t> bucketOf(const Ends &ends, const std::vector<int64_t> &sizes);

}  // namespace tpuc::buckets
