// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A systolic array in registers.
#include "runtime/timing/wave_array.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstring>

namespace tpuc::timing {

using isa::Op;

float flush(float x) { return std::fabs(x) < 0x1p-126f ? std::copysign(0.0f, x) : x; }

namespace {

constexpr int64_t kNever = int64_t{1} << 60;
// Beats a cycle, and cycles a beat.
double beatRate(const MachineModel &model, WaveType type) {
  const target::Core &core = model.target().core();
  if (type == WaveType::F32) return core.mxu_rows_per_cycle() / core.mxu_f32_passes();
  return core.mxu_rows_per_cycle() * (type == WaveType::Int8 ? core.mxu_int8_rate() : 1);
}
bool whole(double x) { return x >= 1 && x == std::floor(x) && x <= 64; }

}  // namespace

bool waveSupports(const MachineModel &model, WaveType type) {
  Op op = type == WaveType::F32 ? Op::MxuPushF : type == WaveType::Int8 ? Op::MxuPushI : Op::MxuPushB;
  double rate = beatRate(model, type);
  return model.supports(op) && (whole(rate) || whole(1 / rate));
}

WaveArray::WaveArray(const MachineModel &model, WaveType type, int groups)
    : type_(type),
      side_(static_cast<int>(model.target().core().mxu_side())),
      fill_(model.target().latency().mxu_fill()),
      swapCycles_(model.occupancy(Op::MxuSwap)),
      weightLatency_(model.target().latency().mxu_weight()) {
  double rate = beatRate(model, type);
  beats_ = static_cast<int>(std::max(1.0, rate));
  planes_.resize(static_cast<size_t>(std::max(1.0, 1 / rate)));
  Op ldw = type == WaveType::F32 ? Op::MxuLdwF : type == WaveType::Int8 ? Op::MxuLdwI : Op::MxuLdwB;
  stageRows_ = mxuRows(ldw);
  stageCycles_ = model.stageCycles(ldw);
  chains_ = static_cast<int>((stageRows_ + stageCycles_ - 1) / stageCycles_);
  blockRows_ = std::min(kBlock, side_);
  numBlocks_ = side_ / blockRows_;
  size_t cells = static_cast<size_t>(side_) * side_;
  for (Plane &p : planes_) {
    p.cells.resize(cells);
    p.chains.assign(static_cast<size_t>(chains_), std::vector<Weight>(cells));
    p.weightFronts.resize(static_cast<size_t>(chains_));
  }
  active_.resize(cells);
  staged_.resize(cells);
  size_t rows = static_cast<size_t>(groups) * isa::kSublanes;
  acc_.resize(rows * side_);
  blocks_.resize(rows * side_ * numBlocks_);
  missing_.resize(static_cast<size_t>(groups));
  visibleAt_.resize(missing_.size());
  firstAt_.resize(missing_.size());
}

bool WaveArray::canPush(int group) const {
  if (!port_.empty() || now_ < pushFreeAt_ || swaps_) return false;
  if (type_ != WaveType::F32) return true;
  return now_ >= firstAt_[group];  // its chains start from what is under way there
}

void WaveArray::push(const Rows &rows, int group) {
  portBegin_ = now_;
  for (size_t j = 0; j < rows.size(); ++j)
    port_.push_back({rows[j], group * isa::kSublanes + static_cast<int32_t>(j), false});
  for (size_t g = 0; g < rows.size() / isa::kSublanes; ++g) {
    missing_[group + g] += isa::kSublanes * side_;
    firstAt_[group + g] = kNever;
  }
}

void WaveArray::stage(const Rows &rows, int firstRow, int firstCol) {
  Queued load;
  for (size_t j = 0; j < rows.size(); ++j) load.load.push_back({rows[j], firstRow + static_cast<int32_t>(j), firstCol});
  queue_.push_back(std::move(load));
  serveWeights();
}

void WaveArray::swap() {
  queue_.push_back({});
  ++swaps_;
  serveWeights();
}

// The head of the weight FIFO: a load enters once the one before it has; a swap takes effect in the first cycle in
// which the rows before it have entered and its weights are in place.
void WaveArray::serveWeights() {
  while (!queue_.empty() && staging_.empty() && now_ >= stageFreeAt_) {
    if (queue_.front().load.empty()) {
      if (!port_.empty() || now_ < std::max(pushFreeAt_, weightsAt_)) return;
      --swaps_;
      swapNow_ = true;
      weightsAt_ = 0;
      pushFreeAt_ = now_ + swapCycles_;
    } else {
      stageBegin_ = now_;
      stageFreeAt_ = now_ + stageCycles_;
      weightsAt_ = stageFreeAt_ + weightLatency_;
      staging_.assign(queue_.front().load.begin(), queue_.front().load.end());
    }
    queue_.pop_front();
  }
}

void WaveArray::clear(int group) {
  size_t first = at(group * isa::kSublanes, 0);
  std::fill_n(acc_.begin() + static_cast<int64_t>(first), isa::kSublanes * side_, 0);
}

void WaveArray::step() {
  Plane &plane = planes_[now_ % static_cast<int64_t>(planes_.size())];
  for (int b = 0; b < beats_; ++b) {
    enter(plane, b == 0);
    beat(plane);
  }
  ++now_;
  serveWeights();
}

// What comes in from the ports in this beat.
void WaveArray::enter(Plane &plane, bool firstBeat) {
  ++plane.quiet, ++plane.weightQuiet;
  Front front;
  int64_t cyclesPerBeat = static_cast<int64_t>(planes_.size());
  if (!port_.empty() && (now_ - portBegin_) % cyclesPerBeat == 0) {
    front = std::move(port_.front());
    port_.pop_front();
    pushFreeAt_ = std::max(pushFreeAt_, now_ + cyclesPerBeat);
    plane.quiet = 0;
  }
  if (swapNow_ && firstBeat) {
    front.swap = true;
    swapNow_ = false;
    plane.quiet = 0;
  }
  plane.fronts.push_front(std::move(front));
  if (plane.fronts.size() > static_cast<size_t>(side_)) plane.fronts.pop_back();
  for (int c = 0; c < chains_; ++c) {
    WeightFront weights;
    // Row j of the load's rows enters in cycle j * cycles / rows of the load.
    int64_t next = stageRows_ - static_cast<int64_t>(staging_.size());
    if (firstBeat && !staging_.empty() && next * stageCycles_ / stageRows_ == now_ - stageBegin_) {
      weights = std::move(staging_.front());
      staging_.pop_front();
      plane.quiet = plane.weightQuiet = 0;
    }
    auto &fronts = plane.weightFronts[c];
    fronts.push_front(std::move(weights));
    if (fronts.size() > static_cast<size_t>(side_)) fronts.pop_back();
  }
}

// From the lower right to the upper left, so that neighbours still hold the last beat's values.
void WaveArray::beat(Plane &plane) {
  if (plane.quiet > 2 * side_) return;
  for (int k = side_ - 1; k >= 0; --k)
    for (int n = side_ - 1; n >= 0; --n) visit(plane, k, n);
  cellCount_ += static_cast<int64_t>(side_) * side_;
}

void WaveArray::visit(Plane &plane, int k, int n) {
  size_t i = at(k, n);
  Cell &cell = plane.cells[i];
  if (n > 0) {
    const Cell &left = plane.cells[i - 1];
    cell.activation = left.activation, cell.row = left.row, cell.swap = left.swap;
  } else if (static_cast<size_t>(k) < plane.fronts.size()) {
    const Front &front = plane.fronts[k];
    cell.activation = front.row >= 0 ? front.values[k] : 0, cell.row = front.row, cell.swap = front.swap;
  }
  if (cell.swap) active_[i] = staged_[i], staged_[i] = 0;
  if (plane.weightQuiet <= 2 * side_) moveWeights(plane, k, n);
  if (cell.row >= 0) multiply(plane, cell, k, n);
}

void WaveArray::moveWeights(Plane &plane, int k, int n) {
  size_t i = at(k, n);
  for (int c = 0; c < chains_; ++c) {
    Weight &weight = plane.chains[c][i];
    weight = Weight();
    if (k > 0) {
      weight = plane.chains[c][i - side_];
    } else if (static_cast<size_t>(n) < plane.weightFronts[c].size()) {
      const WeightFront &front = plane.weightFronts[c][n];
      int column = n - front.firstCol;
      if (front.target >= 0 && column >= 0 && column < static_cast<int>(front.values.size()))
        weight = {front.values[column], front.target};
    }
    if (weight.target == k) staged_[i] = weight.value, weight.target = -1;
  }
}

void WaveArray::multiply(Plane &plane, Cell &cell, int k, int n) {
  size_t i = at(k, n);
  Cell above;
  if (k > 0)
    above = plane.cells[i - side_];
  else if (type_ == WaveType::F32)
    above.even = std::bit_cast<float>(acc_[at(cell.row, n)]);
  float x = cell.activation, w = active_[i];
  if (type_ == WaveType::Int8) {
    cell.sum = static_cast<int32_t>(static_cast<uint32_t>(above.sum) +
                                    static_cast<uint32_t>(static_cast<int32_t>(x) * static_cast<int32_t>(w)));
  } else if (type_ == WaveType::F32) {
    cell.even = std::fma(x, w, above.even);
  } else {
    bool first = k % blockRows_ == 0;
    cell.even = first ? 0 : above.even, cell.odd = first ? 0 : above.odd;
    float &chain = k % 2 ? cell.odd : cell.even;
    chain = flush(std::fma(flush(x), flush(w), chain));
    if (k % blockRows_ == blockRows_ - 1)
      blocks_[at(cell.row, n) * numBlocks_ + k / blockRows_] = flush(cell.even + cell.odd);
  }
  if (k == side_ - 1) retire(cell, n);
}

// The foot of a column: block sums come out of their delay lines in order and are added up.
void WaveArray::retire(Cell &cell, int n) {
  size_t i = at(cell.row, n);
  uint32_t &acc = acc_[i];
  if (type_ == WaveType::Int8)
    acc += static_cast<uint32_t>(cell.sum);
  else if (type_ == WaveType::F32)
    acc = std::bit_cast<uint32_t>(cell.even);
  else
    for (int b = 0; b < numBlocks_; ++b)
      acc = std::bit_cast<uint32_t>(flush(std::bit_cast<float>(acc) + blocks_[i * numBlocks_ + b]));
  int group = cell.row / isa::kSublanes;
  int64_t seen = now_ + static_cast<int64_t>(planes_.size()) + fill_;
  visibleAt_[group] = std::max(visibleAt_[group], seen);
  if (cell.row % isa::kSublanes == 0 && n == 0) firstAt_[group] = seen;
  --missing_[group];
}

}  // namespace tpuc::timing
