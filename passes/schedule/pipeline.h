// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Software pipelining of one innermost loop: the decision, and the code of prologue, kernel and epilogue.
#pragma once
#include <map>

#include "passes/schedule/flow.h"
#include "passes/schedule/make_again.h"
#include "passes/schedule/modulo_schedule.h"
#include "passes/schedule/resources.h"
#include "passes/schedule/schedule.h"

namespace tpuc::schedule {

class Pipeliner {
 public:
  // `constants`: of the routine.
  Pipeliner(const Resources &resources, const Options &options, Constants constants)
      : resources_(resources), options_(options), constants_(std::move(constants)) {}

  // To be called at the start of each pass over a routine: loops are known by their order in it.
  void restart() {
    next_ = 0;
    stats.clear();
  }
  // Emits the loop, if that pays. Loop counts that are known to be 0 or 1 are emitted without a loop.
  bool emit(const machine::LoopNode &loop, FlowBuilder &builder, Flow &flow);
  // Allocation found no registers for the kernel of this loop: it gets a longer interval, at last none.
  void relax(int loop);

  std::vector<LoopStats> stats;  // by loop

 private:
  struct Pipelined {
    std::vector<MInst> insts;
    LoopBody body;
    ModuloSchedule schedule;
  };
  std::optional<Pipelined> schedule(const std::vector<MInst> &insts, const machine::LoopNode &loop,
                                    const std::vector<MInst> &before, Flow &flow, LoopStats &result);
  ModuloLimits limitsOf(const machine::LoopNode &loop, const LoopStats &result) const;

  const Resources &resources_;
  const Options &options_;
  const Constants constants_;
  std::map<int, int> minIi_, retries_;
  int next_ = 0;
};

}  // namespace tpuc::schedule
