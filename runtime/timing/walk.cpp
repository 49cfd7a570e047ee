// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The walk over a program: bundles, branches, calls and grids.
#include "runtime/timing/walk.h"

#include <algorithm>

#include "runtime/isa/sizes.h"
#include "runtime/timing/data_branches.h"

namespace tpuc::timing {

using isa::kNoReg;
using isa::Op;
using isa::Unit;

namespace {
constexpr int kMaxDepth = 512;  // of calls and loops within one another
}

Walk::Walk(const isa::Executable &exe, const DecodedProgram &program, const MachineModel &model,
           const TimingOptions &options)
    : exe_(exe),
      program_(program),
      model_(model),
      options_(options),
      scalar_(static_cast<int64_t>(exe.index.smem_bytes()),
              options.smem.empty() ? isa::systemBytes(exe.index, isa::extentsOf(exe.index.entries(options.entry)))
                                   : options.smem),
      main_(program, model, static_cast<int>(exe.index.semaphores()), 0, result_.counters, options.observer),
      core_(&main_),
      withoutData_(routinesWithoutData(exe)) {
  trace_.trace = options.trace;
  transfers_.resize(program.ops.size());
  result_.routines.resize(exe.index.routines_size());
  for (uint32_t i = 0; i < model.target().cores(); ++i)
    workers_.push_back(std::make_unique<CoreTiming>(program, model, static_cast<int>(exe.index.semaphores()),
                                                    static_cast<int>(i), result_.counters, options.observer));
}

TimingResult Walk::run() {
  const uint32_t entry = exe_.index.entries(options_.entry).bundle();
  Status status = range<Mode::Time>(entry);
  if (status == Status::Return) status = fail(entry, "the entry returns, but nothing called it");
  result_.ok = status == Status::Halt;
  result_.cycles = main_.now();
  result_.seconds = static_cast<double>(result_.cycles) / (model_.target().clock_ghz() * 1e9);
  result_.bundlesWalked = walked_;
  result_.assumed.assign(assumed_.begin(), assumed_.end());
  collectTransfers();
  return std::move(result_);
}

Walk::Status Walk::fail(uint32_t pc, const std::string &why) {
  if (result_.error.empty()) result_.error = "bundle " + std::to_string(pc) + ": " + why;
  return Status::Error;
}

Walk::Status Walk::tooDeep(uint32_t pc) {
  return fail(pc, "calls and loops nest deeper than " + std::to_string(kMaxDepth));
}

Walk::Status Walk::dataDependent(uint32_t pc, const std::string &what) {
  result_.dataDependent = true;
  auto after = std::upper_bound(exe_.sourceMap.begin(), exe_.sourceMap.end(), pc,
                                [](uint32_t b, const isa::SourceLine &line) { return b < line.bundle; });
  std::string line = after == exe_.sourceMap.begin() ? "" : std::prev(after)->location;
  return fail(pc, "data dependent: " + what + " comes from tensor data" + (line.empty() ? "" : ", at " + line) +
                      "; run the program to record a control trace");
}

// The registers that decide what an instruction does in time.
bool Walk::logOperands(const DecodedBundle &d, const DecodedBundle &next) {
  uint32_t pc = static_cast<uint32_t>(&d - program_.bundles.data());
  for (uint32_t i = d.ops; i < next.ops; ++i) {
    const UnitOp &op = program_.ops[i];
    if (op.reg != kNoReg) {
      if (!scalar_.known(op.reg)) {
        dataDependent(pc, op.unit == Unit::Dma ? "a semaphore's number" : "an accumulator's number");
        return false;
      }
      log_.add(static_cast<uint64_t>(scalar_.value(op.reg)));
    }
    if (op.op != Op::DmaStart || !program_.descriptors[op.desc].toSmem) continue;
    if (!scalar_.known(op.dstReg)) {
      dataDependent(pc, "the place of a transfer to SMEM");
      return false;
    }
  }
  return true;
}

// The operand of a control instruction, before its bundle writes; for a traced outcome a value of the same effect.
bool Walk::controlValue(uint32_t pc, const DecodedBundle &d) {
  controlValue_ = d.controlImm;
  if (d.controlReg == kNoReg) return true;
  if (trace_.trace && d.control != Op::Grid) {
    if (trace_.outcome == trace_.trace->outcomes.size()) {
      fail(pc, "the control trace ends early: it is of another program");
      return false;
    }
    controlValue_ = trace_.trace->outcomes[trace_.outcome++];
    if (d.control == Op::Bz) controlValue_ = !controlValue_;
    return true;
  }
  // A kernel branches on data to leave something out, a window outside of its array; here nothing is left out.
  if (!scalar_.known(d.controlReg) && inKernel_ && (d.control == Op::Bz || d.control == Op::Bnz)) {
    controlValue_ = d.control == Op::Bz;
    assumed_.insert(pc);
    return true;
  }
  if (!scalar_.known(d.controlReg)) {
    dataDependent(pc, "the operand of " + std::string(isa::info(d.control).mnemonic));
    return false;
  }
  controlValue_ = scalar_.value(d.controlReg);
  return true;
}

template <Walk::Mode mode>
bool Walk::bundle(uint32_t pc) {
  const DecodedBundle &d = program_.bundles[pc], &next = program_.bundles[pc + 1];
  if (++steps_ > options_.maxBundles) {
    fail(pc, "does not end within " + std::to_string(options_.maxBundles) + " bundles");
    return false;
  }
  if (d.ops != next.ops && !logOperands(d, next)) return false;
  if (mode == Mode::Time) {
    ++walked_;
    const int64_t begin = core_->now();
    if (!core_->issue(pc, scalar_)) {
      fail(pc, core_->error());
      return false;
    }
    if (!inKernel_ && d.unitCounts[static_cast<int>(Unit::Dma)])
      noteTime(-1 - static_cast<int>(pc), {1, core_->now() - begin});
  }
  if (d.control != Op::kCount && !controlValue(pc, d)) return false;
  bool fine = true;
  if (d.unitCounts[static_cast<int>(Unit::Dma)])
    for (uint32_t i = d.ops; i < next.ops; ++i) {
      const UnitOp &op = program_.ops[i];
      if (mode == Mode::Time && op.op == Op::DmaStart) noteTransfers(i, 1);
      if (op.op == Op::DmaStart && program_.descriptors[op.desc].toSmem)
        fine = fine && scalar_.receive(exe_.descriptors[op.desc], scalar_.value(op.dstReg));
    }
  if (d.hasScalar) fine = fine && scalar_.execute(&program_.scalars[d.scalars], program_.scalars.data() + next.scalars);
  if (!fine) fail(pc, scalar_.error());
  return fine;
}

// Bundles from `pc` until the loop.end of the loop that it is in (Done), a ret or a halt.
template <Walk::Mode mode>
Walk::Status Walk::range(uint32_t pc) {
  auto redirect = [&] {
    if (mode == Mode::Time) core_->delay(model_.latency(Op::Br) - 1, Stall::Branch);
  };
  for (;; ++pc) {
    const DecodedBundle &d = program_.bundles[pc];
    if (!bundle<mode>(pc)) return Status::Error;
    Status status = Status::Done;
    switch (d.control) {
      case Op::kCount:
        continue;
      case Op::LoopEnd:
        return Status::Done;
      case Op::Halt:
        return Status::Halt;
      case Op::Ret:
        redirect();
        return Status::Return;
      case Op::Br:
        redirect(), pc = d.target - 1;
        continue;
      case Op::Bz:
      case Op::Bnz: {
        bool taken = (controlValue_ == 0) == (d.control == Op::Bz);
        log_.add(taken);
        if (taken) redirect(), pc = d.target - 1;
        continue;
      }
      case Op::Loop: {
        int64_t count = std::max<int64_t>(0, controlValue_);
        log_.add(static_cast<uint64_t>(count));
        pc = d.target;
        if (count == 0)
          redirect();
        else
          status = loop<mode>(program_.loops[d.loop], count);
        break;
      }
      case Op::Call:
        redirect(), status = call<mode>(d.target);
        break;
      case Op::Grid:
        log_.add(static_cast<uint64_t>(controlValue_));
        redirect(), status = grid<mode>(d.target, std::max<int64_t>(0, controlValue_), d.isAlone);
        break;
      default:
        break;
    }
    if (status != Status::Done) return status;
  }
}

// A region's values are hashed on their own and then into what is around it, in both modes.
template <Walk::Mode mode>
Walk::Status Walk::signedRange(uint32_t pc) {
  Signature outer = log_;
  log_ = Signature();
  Status status = range<mode>(pc);
  outer.add(log_);
  log_ = outer;
  return status;
}

template <Walk::Mode mode>
Walk::Status Walk::loop(const DecodedLoop &loop, int64_t count) {
  if (loop.simple.simple) return simpleLoop<mode>(loop, count);
  if (++depth_ > kMaxDepth) return tooDeep(loop.begin);
  for (int64_t i = 0; i < count; ++i) {
    Status status = mode == Mode::Time ? region(loop.begin * 2, loop.begin + 1) : signedRange<mode>(loop.begin + 1);
    if (status != Status::Done) return status;
    if (mode == Mode::Time && i + 1 < count) core_->delay(model_.latency(Op::LoopEnd) - 1, Stall::Branch);
  }
  --depth_;
  return Status::Done;
}

// A kernel, or a launch of several: whoever comes from outside of both pays for it. Whether it is a kernel that is in
// no other.
template <Walk::Mode mode>
bool Walk::enter(int routine) {
  if (routine < 0 || !program_.isKernel[routine] || inKernel_) return false;
  if (mode == Mode::Time && !inLaunch_) {
    core_->delay(model_.launchCycles(), Stall::Launch);
    ++result_.counters.launches;
  }
  inLaunch_ = true;
  inKernel_ = !program_.isLaunch[routine];
  if (mode == Mode::Time) result_.counters.kernels += inKernel_;
  return inKernel_;
}

template <Walk::Mode mode>
Walk::Status Walk::call(uint32_t target) {
  if (++depth_ > kMaxDepth) return tooDeep(target);
  int routine = program_.routineAt[target];
  const bool wasInKernel = inKernel_, wasInLaunch = inLaunch_, kernel = enter<mode>(routine);
  int64_t begin = core_->now();
  const Pushes before = pushes();
  Status status = mode == Mode::Time ? region(target * 2 + 1, target) : signedRange<mode>(target);
  inKernel_ = wasInKernel;
  inLaunch_ = wasInLaunch;
  --depth_;
  if (mode == Mode::Time && routine >= 0) finishRoutine(routine, kernel, begin, before);
  return status == Status::Return ? Status::Done : status;
}

const ControlTrace *Walk::coreTrace(const TraceCursor &at, int core) const {
  static const ControlTrace none;  // a trace that ends early is found out at its first outcome
  if (!at.trace) return nullptr;
  size_t c = static_cast<size_t>(core);
  if (at.grid >= at.trace->grids.size() || c >= at.trace->grids[at.grid].size()) return &none;
  return &at.trace->grids[at.grid][c];
}

// Cores run their steps one after the other here and at once in the model, each with its share of the HBM channel. They
// begin with registers of zeros and the program's SMEM, and what they leave there is their own.
template <Walk::Mode mode>
Walk::Status Walk::grid(uint32_t target, int64_t steps, bool isAlone) {
  if (steps <= 0) return Status::Done;
  if (inGrid_) {  // nobody to share with: a call for all steps
    scalar_.set(0, 0);
    scalar_.set(1, steps);
    return call<mode>(target);
  }
  int routine = program_.routineAt[target];
  const bool wasInKernel = inKernel_, wasInLaunch = inLaunch_, kernel = enter<mode>(routine);
  int64_t begin = main_.now();
  const Pushes before = pushes();
  inKernel_ = routine < 0 || !program_.isLaunch[routine];
  inGrid_ = true;
  TraceCursor outer = trace_;
  const bool traced = outer.trace && !withoutData_.count(target);
  const int64_t most = isAlone ? 1 : static_cast<int64_t>(workers_.size());
  const int cores = static_cast<int>(std::min(steps, most));
  // Kernels of a launch that cores share run side by side: each counts for its part of the time.
  sharing_ = inKernel_ ? 1 : cores;
  int64_t end = main_.now();
  Status status = Status::Return;
  for (int c = 0; c < cores && status == Status::Return; ++c) {
    auto [first, count] = gridShare(steps, cores, c);
    ScalarUnit::Mark mark = scalar_.mark();
    scalar_.clear();
    scalar_.set(0, first);
    scalar_.set(1, count);
    trace_ = {traced ? coreTrace(outer, c) : nullptr, 0, 0};
    core_ = workers_[c].get();
    if (mode == Mode::Time) core_->reset(main_, cores);
    status = mode == Mode::Time ? region(target * 2 + 1, target) : signedRange<mode>(target);
    end = std::max(end, core_->now());
    scalar_.rollback(mark);
  }
  core_ = &main_;
  trace_ = outer;
  trace_.grid += traced;
  inGrid_ = false;
  sharing_ = 1;
  inKernel_ = wasInKernel;
  inLaunch_ = wasInLaunch;
  if (mode == Mode::Time) {
    for (int c = 0; c < cores; ++c) workers_[c]->delay(end - workers_[c]->now(), Stall::Join);
    for (int c = 0; c < cores; ++c) main_.shareChannel(*workers_[c]);
    main_.passTo(end);
    if (routine >= 0) finishRoutine(routine, kernel, begin, before);
  }
  if (status == Status::Halt) return fail(target, "halt inside of a grid");
  return status == Status::Return ? Status::Done : status;
}

void Walk::collectTransfers() {
  for (uint32_t pc = 0; pc + 1 < program_.bundles.size(); ++pc)
    for (uint32_t i = program_.bundles[pc].ops; i < program_.bundles[pc + 1].ops; ++i)
      if (transfers_[i]) result_.transfers.push_back({pc, program_.ops[i].desc, transfers_[i]});
}

void Walk::finishRoutine(int routine, bool kernel, int64_t begin, const Pushes &before) {
  Pushes made = pushes();
  for (size_t i = 0; i < made.size(); ++i) made[i] -= before[i];
  noteTime(routine, {1, (core_->now() - begin) / sharing_, made});
  if (kernel && options_.observer && options_.observer->active())
    options_.observer->kernel(routine, begin, core_->now());
}

template Walk::Status Walk::range<Walk::Mode::Time>(uint32_t);
template Walk::Status Walk::range<Walk::Mode::Scalar>(uint32_t);
template Walk::Status Walk::signedRange<Walk::Mode::Time>(uint32_t);
template bool Walk::bundle<Walk::Mode::Time>(uint32_t);

TimingResult timeProgram(const isa::Executable &exe, const target::Target &target, const TimingOptions &options) {
  TimingResult result;
  MachineModel model(target);
  DecodedProgram program;
  if (!decode(exe, model, program, result.error)) return result;
  return Walk(exe, program, model, options).run();
}

TimingResult timeProgram(const isa::Executable &exe, const target::Target &target, const ControlTrace *trace) {
  TimingOptions options;
  options.trace = trace;
  return timeProgram(exe, target, options);
}

}  // namespace tpuc::timing
