// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The code of a modulo schedule: any span of its rows, with the registers' names by modulo variable expansion.
#pragma once
#include <optional>
#include <vector>

#include "passes/schedule/loop_body.h"
#include "passes/schedule/modulo_schedule.h"

namespace tpuc::schedule {

class KernelCode {
 public:
  KernelCode(const LoopBody &body, const ModuloSchedule &schedule, int loop)
      : body_(body), schedule_(schedule), loop_(loop) {}

  // For each assigning instruction the registers that its results take in turn. The last iteration's is the body's own,
  // so that the values after the loop are where they are expected.
  struct Names {
    int64_t last;
    std::vector<std::vector<Reg>> regs;
  };
  Names names(int64_t lastIteration, Flow &flow) const;
  // Before the prologue: what the first iteration reads of the one before it.
  void initialise(const Names &names, FlowBuilder &builder, Flow &flow) const;

  // Appends the bundles of times [from, to): iteration k starts at k * ii, iterations at or after `count` do not exist.
  // `steady`: the rows are a kernel's, in which every iteration that they name exists. False when an offset does not
  // fit.
  bool rows(int64_t from, int64_t to, int64_t count, const Names &names, bool steady, FlowBuilder &builder,
            Flow &flow) const;

  const ModuloSchedule &schedule() const { return schedule_; }
  int32_t loc() const { return body_.insts[0].loc; }

 private:
  Reg nameOf(const Names &names, int def, int64_t iteration) const;
  std::optional<MInst> instance(int node, int64_t iteration, int64_t count, const Names &names, bool steady) const;

  const LoopBody &body_;
  const ModuloSchedule &schedule_;
  int loop_;
};

}  // namespace tpuc::schedule
