// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What stays in VMEM between kernels, and each kernel's plan.
//
//  1. Kernels that need an array of their own get one.
//  2. As many arrays stay in VMEM as there is room for. Where a kernel does not fit beside them, half of the room is
//     tried, then a quarter, then none. What kernels read is fetched into the rest of the room while others run.
//  3. Each kernel is planned by its kind. Equal kernels are planned once.
#include "dialects/stablehlo/stablehlo.h"
#include "llvm/ADT/ScopeExit.h"
#include "passes/analysis/target_option.h"
#include "passes/plan/memory/buffers.h"
#include "passes/plan/memory/fetches.h"
#include "passes/plan/memory/one_core.h"
#include "passes/plan/memory/over_cores.h"
#include "passes/plan/memory/pieces.h"
#include "passes/plan/memory/scratch.h"
#include "passes/plan/memory/true_sizes.h"
#include "passes/plan/passes.h"
#include "passes/plan/planner.h"
#include "passes/plan/twins.h"

using namespace mlir;

namespace tpuc::plan {
#define GEN_PASS_DEF_PLANKERNELSPASS
#include "passes/plan/passes.h.inc"
namespace {

constexpr int64_t kLargestDivisor = 4;  // of the room for arrays on chip: a quarter is tried last

// What may stay in VMEM: arrays in the room for them, divided by `divisor`.
struct Attempt {
  OnChip onChip;
  int64_t divisor;
};

SmallVector<Attempt> attemptsTo(bool mayKeep) {
  SmallVector<Attempt> attempts;
  for (int64_t divisor = 1; divisor <= kLargestDivisor && mayKeep; divisor *= 2) {
    attempts.push_back({OnChip::Replaced, divisor});
    attempts.push_back({OnChip::Apart, divisor});
  }
  attempts.push_back({OnChip::None, 1});
  return attempts;
}

bool isEmpty(kernel::FusionOp fusion) {
  return llvm::all_of(fusion.getOutputs(),
                      [](Value v) { return cast<RankedTensorType>(v.getType()).getNumElements() == 0; });
}

using Plans = SmallVector<std::pair<kernel::FusionOp, kernel::PlanAttr>>;

struct PlanKernels : impl::PlanKernelsPassBase<PlanKernels> {
  using PlanKernelsPassBase::PlanKernelsPassBase;

  void runOnOperation() override {
    ModuleOp module = getOperation();
    auto main = module.lookupSymbol<func::FuncOp>("main");
    if (!main) {
      diagnose(module, codes::kBrokenStage) << "expects a function @main";
      return signalPassFailure();
    }
    if (failed(analysis::loadTarget(module, target, sets, target_))) return signalPassFailure();
    targets_ = std::make_shared<KernelTargets>(target_);
    forget(main);
    reserveScratch(main, target_);
    chooseOneCore(main, target_, precision);
    SmallVector<Attempt> attempts =
        attemptsTo(target_.cores() == 1 || !loopsOverCores(main).empty() || hasOneCore(main));
    for (const Attempt &attempt : attempts) {
      bool isLast = &attempt == &attempts.back(), isOverVmem = false;
      if (succeeded(plan(main, attempt, !isLast, isOverVmem))) return;
      if (isLast || !isOverVmem) return signalPassFailure();
    }
  }

 private:
  // What an earlier plan left.
  void forget(func::FuncOp main) {
    eraseFetches(main);
    main.walk([](Operation *op) {
      op->removeAttr(kernel::kPlanAttr);
      op->removeAttr(kernel::kPlacesAttr);
      op->removeAttr(kernel::kApartAttr);
      op->removeAttr(kernel::kOneCoreAttr);
    });
  }

  static bool hasOneCore(func::FuncOp main) {
    return main
        .walk([](kernel::FusionOp op) {
          return op->hasAttr(kernel::kOneCoreAttr) ? WalkResult::interrupt() : WalkResult::advance();
        })
        .wasInterrupted();
  }

  static SmallVector<stablehlo::WhileOp> loopsOverCores(func::FuncOp main) {
    SmallVector<stablehlo::WhileOp> loops;
    main.walk([&](stablehlo::WhileOp loop) {
      if (loop->hasAttr(kernel::kOverCoresAttr)) loops.push_back(loop);
    });
    return loops;
  }

  // Takes the attribute off loops that cores cannot share; their iterations then follow one another. Whether there was
  // one.
  static bool dropUnshared(func::FuncOp main, StorageMap &map) {
    bool drops = false;
    for (stablehlo::WhileOp loop : loopsOverCores(main)) {
      if (!objectionToSharing(loop, map)) continue;
      loop->removeAttr(kernel::kOverCoresAttr);
      drops = true;
    }
    return drops;
  }

  // Where arrays lie, and which are fetched. One that finds no place is fetched for its first reader alone, or not at
  // all.
  LogicalResult planMemory(func::FuncOp main, const Attempt &attempt, BufferPlan &buffers) {
    auto places = [&](BufferPlan &plan) {
      plan = BufferPlan();
      return planBuffers(main, target_, attempt.onChip, attempt.divisor, plan);
    };
    eraseFetches(main);
    BufferPlan without;  // fetches: what each choice of them starts from
    if (failed(places(without))) return failure();
    if (attempt.onChip != OnChip::None)
      for (Unplaced unplaced; insertFetches(main, target_, without, unplaced);) {
        if (failed(places(buffers))) return failure();
        if (!noteUnplaced(main, buffers, unplaced)) return success();
        eraseFetches(main);
      }
    buffers = std::move(without);
    return success();
  }

  // Plans everything and writes it on the kernels. A trial says nothing of a kernel that is over VMEM.
  LogicalResult plan(func::FuncOp main, const Attempt &attempt, bool isTrial, bool &isOverVmem) {
    BufferPlan buffers;
    do
      if (failed(planMemory(main, attempt, buffers))) return failure();
    while (dropUnshared(main, *buffers.storage) || dropOneCore(main, buffers));
    Twins twins(buffers);
    TrueSizes sizes(main);
    Plans plans;
    llvm::DenseMap<Operation *, kernel::PlanAttr> planned;
    WalkResult walk = main.walk<WalkOrder::PreOrder>([&](kernel::FusionOp fusion) -> WalkResult {
      if (isEmpty(fusion)) return WalkResult::skip();
      KernelContext context{fusion, targets_->of(fusion), &targets_->modelOf(fusion),        {},
                            {},     buffers.residents,    buffers.residency.wordsAt(fusion), precision};
      context.isTrial = isTrial;
      const SmallVector<std::string> symbols = twins.buffersOf(fusion);
      SmallVector<int64_t> words;
      for (Value v : fusion.getInputs()) words.append({sizes.wordOf(v), counterWordOf(v)});
      words.append({kernel::loopOverCores(fusion) != nullptr, fusion->hasAttr(kernel::kOneCoreAttr)});
      if (const Twins::Kernel *twin = twins.find(fusion, symbols, words)) {
        if (kernel::PlanAttr known = planned.lookup(twin->op)) plans.push_back({fusion, known});
        return WalkResult::skip();
      }
      twins.add({fusion, symbols, words});
      for (auto [i, symbol] : llvm::enumerate(symbols))
        (i < fusion.getNumOperands() ? context.inputs : context.results).push_back({symbol, {}});
      LogicalResult ok = planKernel(context, sizes);
      isOverVmem = context.isOverVmem;
      if (failed(ok)) return WalkResult::interrupt();
      if (!context.plan) return WalkResult::skip();
      plans.push_back({fusion, context.plan});
      planned[fusion] = context.plan;
      return WalkResult::skip();
    });
    if (walk.wasInterrupted()) return failure();
    for (auto [fusion, plan] : plans) fusion->setAttr(kernel::kPlanAttr, plan);
    writeResidency(main, *buffers.storage, buffers.residency);
    return success();
  }

  LogicalResult planKernel(KernelContext &context, const TrueSizes &sizes) {
    kernel::FusionOp fusion = context.op;
    if (failed(checkConstants(fusion))) return failure();
    // Where pieces begin is no matter of their blocks.
    takePieces(context, [](ArrayRef<Window>, ArrayRef<Origin> wholes) { return SmallVector<Origin>(wholes); });
    llvm::scope_exit taken([&, fusion] {
      if (context.op != fusion) context.op.erase();
    });
    for (Value v : context.op.getInputs()) context.sizeWords.push_back(sizes.wordOf(v));
    const Kind *kind = findKind(fusion.getKind());
    if (!kind)
      return diagnose(fusion, codes::kBrokenStage) << "expects a kind of kernel, but got " << fusion.getKindAttr();
    return kind->plan(context);
  }

  target::Target target_;
  std::shared_ptr<KernelTargets> targets_;
};

}  // namespace
}  // namespace tpuc::plan
