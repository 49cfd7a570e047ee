// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Which taps of a window come side by side along k, and how: by estimated cycles.
#include "passes/analysis/convolution_form.h"
#include "passes/plan/conv/conv_plan.h"

using namespace mlir;

namespace tpuc::plan {

// Each is straight code; of turned ones that of a few in a row is one load.
constexpr int64_t kMostTaps = 64, kMostTurnedTaps = 256;

// Cycles to push 8 rows to all column tiles.
double ConvPlan::cyclesOfPush() const {
  const auto &core = context_.target.core();
  return 8.0 / core.mxu_rows_per_cycle() / arrays_ * static_cast<double>(llvm::divideCeil(domain_.dims[co_], side_)) *
         mode_.passes * (mode_.suffix == "f32" ? core.mxu_f32_passes() : 1);
}

// Folding the other axes too costs a turn of lanes for each of their positions; it saves pushes.
bool ConvPlan::foldsRows() const {
  int64_t row = domain_.dims[ci_] * padded_.last.window, positions = taps() / padded_.last.window;
  if (positions == 1 || taps() > kMostTaps) return false;
  const auto &core = context_.target.core();
  // Side by side, taps take the rows of all phases.
  int64_t phases = 1;
  const auto folded = static_cast<int64_t>(llvm::divideCeil(row * positions, side_));
  for (const Axis &a : padded_.lead) phases *= a.phases();
  if (positions * static_cast<int64_t>(llvm::divideCeil(row, side_)) <= folded * phases) return false;
  double saved = cyclesOfPush() * (positions * llvm::divideCeil(row, side_) - folded);
  double turns = static_cast<double>(positions) * llvm::divideCeil(row, 128) / std::max<int64_t>(core.xlu_slots(), 1);
  return saved > turns + llvm::divideCeil(row * positions, 128);
}

// Results of a row whose cycles are compared.
constexpr int64_t kResults = 8;

// Cycles of one transposition: `columns` vregs go into a buffer and `rows` of them leave it and are stored, while the
// other buffer's are on their way.
double ConvPlan::cyclesOfTurn(int64_t columns, int64_t rows) const {
  const auto vregs = static_cast<double>(columns + rows), slots = xluSlots();
  const double latency = context_.target.latency().xlu_tr();
  return std::max({vregs / slots, (latency + vregs / slots) / 2, static_cast<double>(rows)});
}

double ConvPlan::xluSlots() const { return std::max<int64_t>(context_.target.core().xlu_slots(), 1); }

// Positions of the input's leading axes for each of the results.
double ConvPlan::leadStrides() const {
  double rows = 1;
  for (const Axis &a : padded_.lead) rows *= static_cast<double>(a.stride);
  return rows;
}

// A padded copy, its taps folded lane by lane, and the pushes.
double ConvPlan::usualCycles() const {
  const Axis &last = padded_.last;
  const int64_t lead = taps() / last.window, row = domain_.dims[ci_] * last.window,
                vregs = llvm::divideCeil(std::min<int64_t>(last.in, 128), 8);
  auto fold = [&](int64_t loads, int64_t k) {
    return std::max(static_cast<double>(loads) / xluSlots(), static_cast<double>(llvm::divideCeil(k, 128)));
  };
  auto pushes = [&](int64_t count, int64_t k) {
    return cyclesOfPush() * static_cast<double>(count * llvm::divideCeil(k, side_));
  };
  double cycles =
      leadStrides() * static_cast<double>(last.stride) * cyclesOfTurn(1, vregs) / static_cast<double>(vregs);
  if (!folds_) return cycles + pushes(taps(), domain_.dims[ci_]);
  cycles += leadStrides() * fold(last.window, row);
  if (!foldsRows_) return cycles + pushes(lead, row);
  return cycles + fold(lead * static_cast<int64_t>(llvm::divideCeil(row, 128)), row * lead) + pushes(1, row * lead);
}

// Taps along sublanes, transpositions of all of them, and the pushes.
double ConvPlan::turnedCycles() const {
  const Axis &last = padded_.last;
  const TurnedTaps &t = turnedTaps_;
  const int64_t images = std::min<int64_t>(t.mostImages(), padded_.lead[0].in), columns = t.columns();
  double turns = 0;
  for (int64_t k = 0; k < columns; k += t.columnsFrom(k))
    turns += cyclesOfTurn(std::min<int64_t>(columns - k, TurnedTaps::kColumns),
                          llvm::divideCeil(images * t.positions, 8 * t.tiles));
  // A tile of results meets so many of a row.
  const int64_t sources = std::min(t.rowTiles, last.stride + 1);
  const double taps =
      std::max(static_cast<double>(t.groups * sources + images) / xluSlots(), static_cast<double>(t.groups));
  // A row of all tiles has so many sets of results.
  const double sets = static_cast<double>(images * last.out) / kResults;
  return static_cast<double>(t.tiles) * (leadStrides() * taps + turns) / sets +
         cyclesOfPush() * static_cast<double>(llvm::divideCeil(8 * columns, side_));
}

// Whether taps come side by side before the transpose buffer turns them. Images with features along sublanes may have
// that; images as planes always do.
bool ConvPlan::turnsTaps() {
  auto isDilated = [](const Axis &a) { return a.baseDilation > 1; };
  const int64_t features = domain_.dims[ci_];
  if (!padded_.isTurned || features > analysis::kMostTurned || isDilated(padded_.last) ||
      llvm::any_of(padded_.lead, isDilated))
    return false;
  turnedTaps_.fold(padded_, features);
  turnedTaps_.isBf16 = mode_.suffix == "bf16" && mode_.passes == 1;
  if (padded_.isPlanes) return true;
  if (taps() == 1 || taps() > kMostTurnedTaps || turnedTaps_.tiles * padded_.last.window > kMostTaps) return false;
  // One row of results takes half of VMEM at most: blocks and weights need room too.
  int64_t words = turnedTaps_.positions * static_cast<int64_t>(llvm::divideCeil(8 * turnedTaps_.columns(), 128)),
          rows = 1;
  for (const Axis &a : padded_.lead) rows *= a.span(1);
  words += rows * turnedTaps_.tiles * turnedTaps_.groups * 8;
  return 2 * words <= vmemBudgetWords(context_.target) && turnedCycles() < usualCycles();
}

}  // namespace tpuc::plan
