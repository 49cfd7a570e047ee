// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A systolic array in registers. Activations move right, partial sums and weights move down, one cell a beat; a swap
// moves with the activations' front. An f32 beat takes several cycles: as many wavefronts are under way in each cell,
// each in a plane of its own. bf16 and int8 arrays can do several beats a cycle.
#pragma once
#include <deque>

#include "runtime/timing/wave.h"

namespace tpuc::timing {

class WaveArray {
 public:
  using Rows = std::vector<std::vector<float>>;
  WaveArray(const MachineModel &model, WaveType type, int groups);

  // Ports. Rows wait in the push port until they have entered. Weights and swaps queue; a swap waits for the rows
  // before it.
  bool canPush(int group) const;
  bool canPop(int group) const { return missing_[group] == 0 && now_ >= visibleAt_[group]; }
  void push(const Rows &rows, int group);
  void stage(const Rows &rows, int firstRow, int firstCol);
  void swap();
  uint32_t accumulator(int row, int n) const { return acc_[static_cast<size_t>(row) * side_ + n]; }
  void clear(int group);
  void step();  // one cycle
  int64_t now() const { return now_; }
  int64_t cells() const { return cellCount_; }

 private:
  struct Cell {  // what moves on to the right and lower neighbours
    float activation = 0, even = 0, odd = 0;
    int32_t sum = 0;
    int32_t row = -1;  // accumulator row; -1: a bubble
    bool swap = false;
  };
  struct Weight {
    float value = 0;
    int32_t target = -1;  // the row that keeps it
  };
  struct Front {  // enters row k of the left side k beats later
    std::vector<float> values;
    int32_t row = -1;
    bool swap = false;
  };
  struct WeightFront {  // enters column n of the top n beats later
    std::vector<float> values;
    int32_t target = -1, firstCol = 0;
  };
  struct Plane {
    std::vector<Cell> cells;
    std::deque<Front> fronts;  // newest first
    std::vector<std::vector<Weight>> chains;
    std::vector<std::deque<WeightFront>> weightFronts;
    int64_t quiet = 1 << 30, weightQuiet = 1 << 30;  // beats since anything entered
  };

  void serveWeights();
  void enter(Plane &plane, bool firstBeat);
  void beat(Plane &plane);
  void visit(Plane &plane, int k, int n);
  void moveWeights(Plane &plane, int k, int n);
  void multiply(Plane &plane, Cell &cell, int k, int n);
  void retire(Cell &cell, int n);
  size_t at(int k, int n) const { return static_cast<size_t>(k) * side_ + n; }

  const WaveType type_;
  int side_, beats_, blockRows_, numBlocks_, chains_ = 1;
  int64_t fill_, swapCycles_, stageRows_, stageCycles_, weightLatency_;
  std::vector<Plane> planes_;
  std::vector<float> active_, staged_;
  std::deque<Front> port_;
  struct Queued {
    std::vector<WeightFront> load;  // empty: a swap
  };
  std::deque<Queued> queue_;         // the weight FIFO
  std::deque<WeightFront> staging_;  // of the load that is entering
  int64_t portBegin_ = 0, stageBegin_ = 0, pushFreeAt_ = 0, stageFreeAt_ = 0, weightsAt_ = 0, now_ = 0, cellCount_ = 0;
  int swaps_ = 0;  // in the queue
  bool swapNow_ = false;
  std::vector<uint32_t> acc_;
  std::vector<float> blocks_;  // delay lines beside the columns: a row's finished block sums
  // For each accumulator group: results under way, when the last and the first of them can be seen.
  std::vector<int> missing_;
  std::vector<int64_t> visibleAt_, firstAt_;
};

}  // namespace tpuc::timing
