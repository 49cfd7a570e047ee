// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// 1. The program is lowered, scheduled and walked as it is planned: what each kernel takes.
// 2. The longest kernels get other plans: a block half or twice as long (the whole extent, where twice is more), two
//    neighbouring parallel dims in the other order. Kernels that are alike get the same plan at the same time.
// 3. The program is walked with each. A plan replaces the best so far where the program takes kWorthIt of its time or
//    less. What lower refuses is no plan.
#include "compiler/pipeline/search_plans.h"

#include "compiler/encoder/encode.h"
#include "dialects/diagnostics/diagnose.h"
#include "dialects/kernel/fetch.h"
#include "dialects/kernel/plan.h"
#include "dialects/tpu/tpu.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Pass/PassManager.h"
#include "passes/emission/passes.h"
#include "passes/lowering/passes.h"
#include "passes/plan/memory/true_sizes.h"
#include "passes/plan/twins.h"
#include "runtime/target/target.h"
#include "runtime/timing/timing.h"

using namespace mlir;

namespace tpuc {
namespace {

constexpr double kWorthIt = 0.995;  // of the program's time with the best plan so far, at most

SmallVector<kernel::FusionOp> kernelsOf(ModuleOp module) {
  SmallVector<kernel::FusionOp> kernels;
  module.walk<WalkOrder::PreOrder>([&](kernel::FusionOp op) {
    if (!kernel::isFetch(op)) kernels.push_back(op);
  });
  return kernels;
}

struct Variant {
  kernel::PlanAttr plan;
  std::string what;
};

class Variants {
 public:
  explicit Variants(kernel::PlanAttr plan) : plan_(plan) {
    for (int64_t d : llvm::concat<const int64_t>(plan.getParallel(), plan.getSequential())) {
      const int64_t block = plan.getBlocks()[d], extent = plan.getExtents()[d], half = llvm::divideCeil(block, 2);
      for (int64_t granule : {128, 8, 1})  // of lanes, rows, leading dims
        addBlock(d, static_cast<int64_t>(llvm::alignTo(half, granule)));
      addBlock(d, std::min(extent, 2 * block));
    }
    for (size_t i = 0; i + 1 < plan.getParallel().size(); ++i) addSwap(i);
  }
  ArrayRef<Variant> all() const { return variants_; }

 private:
  void add(ArrayRef<int64_t> blocks, ArrayRef<int64_t> parallel, const Twine &what) {
    auto made = kernel::PlanAttr::get(plan_.getContext(), plan_.getExtents(), blocks, parallel, plan_.getSequential(),
                                      {}, {}, plan_.getChoices(), -1, -1);
    if (llvm::none_of(variants_, [&](const Variant &v) { return v.plan == made; }))
      variants_.push_back({made, what.str()});
  }
  void addBlock(int64_t d, int64_t block) {
    SmallVector<int64_t> blocks(plan_.getBlocks());
    if (block == blocks[d] || block > plan_.getExtents()[d]) return;
    blocks[d] = block;
    add(blocks, plan_.getParallel(), "d" + Twine(d) + " by " + Twine(block));
  }
  void addSwap(size_t i) {
    SmallVector<int64_t> parallel(plan_.getParallel());
    std::swap(parallel[i], parallel[i + 1]);
    add(plan_.getBlocks(), parallel, "d" + Twine(parallel[i]) + " outside of d" + Twine(parallel[i + 1]));
  }

  kernel::PlanAttr plan_;
  SmallVector<Variant> variants_;
};

class Search {
 public:
  Search(ModuleOp module, const PlanSearch &options) : module_(module), options_(options) {}

  LogicalResult run() {
    std::string error;
    bool ok = target::loadTarget(options_.target, target_, error);
    for (const std::string &s : options_.sets) ok = ok && target::setConstant(target_, s, error);
    if (!ok) return diagnose(module_, codes::kBadTarget) << error;
    timing::TimingResult timed;
    if (failed(time(timed))) return failure();
    best_ = timed.cycles;
    std::vector<Group> groups;
    if (failed(findGroups(timed, groups))) return failure();
    for (const Group &group : ArrayRef(groups).take_front(options_.kernels)) improve(group);
    return success();
  }

 private:
  // Times the program as it is. The routines' times are kept by the numbers in their names.
  LogicalResult time(timing::TimingResult &timed) {
    OwningOpRef<ModuleOp> copy(cast<ModuleOp>(module_->clone()));
    PassManager pm(module_.getContext());
    lowering::LowerKernelsPassOptions lower;
    lower.target = options_.target;
    lower.sets = options_.sets;
    lower.precision = options_.precision;
    pm.addPass(lowering::createLowerKernelsPass(lower));
    pm.addPass(lowering::createJoinLaunchesPass());
    emission::ScheduleBundlesPassOptions schedule;
    schedule.target = options_.target;
    schedule.sets = options_.sets;
    pm.addPass(emission::createScheduleBundlesPass(schedule));
    isa::Executable exe;
    if (failed(pm.run(*copy)) || failed(encoder::encode(*copy, target_, exe))) return failure();
    timed = timing::timeProgram(exe, target_);
    if (!timed.ok) return diagnose(module_, codes::kDataDependent) << timed.error;
    routineAt_.clear();
    for (int i = 0; i < exe.index.routines_size(); ++i) routineAt_[exe.index.routines(i).name()] = i;
    return success();
  }

  // Kernels that are alike, as the planner sees it; the longest of them first.
  using Group = SmallVector<kernel::FusionOp>;
  LogicalResult findGroups(const timing::TimingResult &timed, std::vector<Group> &groups) {
    auto main = module_.lookupSymbol<func::FuncOp>("main");
    plan::BufferPlan buffers;
    if (failed(plan::readBuffers(main, target_, buffers))) return failure();
    plan::Twins twins(buffers);
    const plan::TrueSizes sizes(main);
    llvm::MapVector<Operation *, std::pair<int64_t, Group>> found;  // by the first of each; cycles of all
    for (auto [i, op] : llvm::enumerate(kernelsOf(module_))) {
      kernel::FusionOp kernel = op;
      auto routine = routineAt_.find("k" + std::to_string(i));
      if (!kernel::planOf(kernel) || routine == routineAt_.end()) continue;
      const SmallVector<std::string> symbols = twins.buffersOf(kernel);
      const SmallVector<int64_t> words =
          llvm::map_to_vector(kernel.getInputs(), [&](Value v) { return sizes.wordOf(v); });
      const plan::Twins::Kernel *twin = twins.find(kernel, symbols, words);
      if (!twin) twins.add({kernel, symbols, words});
      kernel::FusionOp first = twin ? twin->op : kernel;
      auto &[cycles, group] = found[first];
      cycles += timed.routines[routine->second].cycles;
      group.push_back(kernel);
    }
    SmallVector<std::pair<int64_t, Group>> longest = llvm::to_vector(llvm::make_second_range(found));
    llvm::stable_sort(longest, [](const auto &a, const auto &b) { return a.first > b.first; });
    for (auto &[cycles, group] : longest) groups.push_back(group);
    return success();
  }

  // Kernels that are alike: other plans.
  void improve(const Group &alike) {
    kernel::FusionOp kernel = alike.front();
    auto give = [&](kernel::PlanAttr plan) {
      for (kernel::FusionOp op : alike) op->setAttr(kernel::kPlanAttr, plan);
    };
    const kernel::PlanAttr before = kernel::planOf(kernel);
    kernel::PlanAttr best = before;
    const int64_t cycles = best_;
    SmallVector<std::string> tried;
    const Variants variants(before);
    for (const Variant &variant : variants.all()) {
      give(variant.plan);
      std::string why;
      timing::TimingResult timed;
      {
        ScopedDiagnosticHandler quiet(module_.getContext(), [&](Diagnostic &d) {
          if (why.empty()) why = d.str();
          return success();
        });
        if (failed(time(timed))) {
          tried.push_back(variant.what + ": " + why);
          continue;
        }
      }
      tried.push_back((Twine(variant.what) + ": " + Twine(timed.cycles) + " cycles").str());
      if (static_cast<double>(timed.cycles) > kWorthIt * static_cast<double>(best_)) continue;
      best_ = timed.cycles;
      best = variant.plan;
    }
    give(best);
    InFlightDiagnostic remark = kernel.emitRemark();
    remark << (best == before ? "keeps its plan" : "has another plan") << ", with which the program takes " << best_
           << " cycles";
    if (best != before) remark << " instead of " << cycles;
    for (const std::string &line : tried) remark.attachNote(kernel.getLoc()) << line;
  }

  ModuleOp module_;
  const PlanSearch &options_;
  target::Target target_;
  int64_t best_ = 0;
  llvm::StringMap<int> routineAt_;
};

struct SearchPlansPass : PassWrapper<SearchPlansPass, OperationPass<ModuleOp>> {
  MLIR_DEFINE_EXPLICIT_INTERNAL_INLINE_TYPE_ID(SearchPlansPass)
  SearchPlansPass() = default;
  SearchPlansPass(const SearchPlansPass &other) : PassWrapper(other) {}

  StringRef getArgument() const final { return "tpuc-search-plans"; }
  StringRef getDescription() const final { return "other plans of the longest kernels, timed by the walk"; }
  void getDependentDialects(DialectRegistry &registry) const final {
    registry.insert<tpu::TpuDialect, scf::SCFDialect, arith::ArithDialect>();
  }
  void runOnOperation() final {
    PlanSearch search{target, precision, SmallVector<std::string>(sets.begin(), sets.end()), kernels};
    if (failed(searchPlans(getOperation(), search))) signalPassFailure();
  }

  Option<std::string> target{*this, "target", llvm::cl::desc("bundled target's name or path of a textproto"),
                             llvm::cl::init("v5e")};
  ListOption<std::string> sets{*this, "set", llvm::cl::desc("constants of the target to change: path=value")};
  Option<std::string> precision{*this, "matmul-precision",
                                llvm::cl::desc("default, high or highest; empty: as the program says")};
  Option<int64_t> kernels{*this, "kernels", llvm::cl::desc("how many of the longest"), llvm::cl::init(4)};
};

}  // namespace

LogicalResult searchPlans(ModuleOp module, const PlanSearch &search) { return Search(module, search).run(); }

void registerSearchPlansPass() { PassRegistration<SearchPlansPass>(); }

}  // namespace tpuc
