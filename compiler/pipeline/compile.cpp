// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The one place where the order of the stages lives.
#include "compiler/pipeline/compile.h"

#include "compiler/encoder/encode.h"
#include "compiler/pipeline/buckets.h"
#include "compiler/pipeline/check_devices.h"
#include "compiler/pipeline/check_target.h"
#include "compiler/pipeline/expand.h"
#include "compiler/pipeline/keep_constants.h"
#include "compiler/pipeline/note_donations.h"
#include "compiler/pipeline/note_matmul_errors.h"
#include "compiler/pipeline/note_memory_kinds.h"
#include "compiler/pipeline/note_shardings.h"
#include "compiler/pipeline/pin_layouts.h"
#include "compiler/pipeline/tell_shardings.h"
#include "dialects/diagnostics/diagnose.h"
#include "dialects/diagnostics/outer_codes.h"
#include "dialects/kernel/function.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/raw_ostream.h"
#include "mlir/IR/Verifier.h"
#include "mlir/Pass/PassManager.h"
#include "mlir/Transforms/Passes.h"
#include "passes/emission/passes.h"
#include "passes/fusion/passes.h"
#include "passes/lowering/passes.h"
#include "passes/plan/kernels.h"
#include "passes/plan/passes.h"
#include "passes/shapes/passes.h"
#include "passes/shard/partition/passes.h"
#include "passes/simplify/passes.h"
#include "passes/verify/passes.h"
#include "runtime/isa/write_file.h"

using namespace mlir;

namespace tpuc {

const std::vector<std::string> &stageNames() {
  static const std::vector<std::string> names = {"import", "shapes", "simplify", "shard",    "expand",
                                                 "fuse",   "plan",   "lower",    "schedule", "encode"};
  return names;
}

bool resolveTarget(const CompileOptions &options, target::Target &target, std::string &error) {
  if (!target::loadTarget(options.target, target, error)) return false;
  for (const std::string &s : options.sets)
    if (!target::setConstant(target, s, error)) return false;
  error = target::validate(target);
  return error.empty();
}

namespace {

// What one run of the stages is for: all of the program's sizes, or a bucket of them.
struct Part {
  std::vector<std::string> ranges;  // "b=17..32"
  std::string dumpStages;
  ModuleSizes *sizes = nullptr;  // what the shapes stage says
};

// What a chip sends over all of its links in the time that one more transfer takes to begin and to arrive.
int64_t latencyBytes(const target::Target &target) {
  const target::Interconnect &ici = target.interconnect();
  return static_cast<int64_t>((ici.hop_ns() + target.memory().dma_latency_ns()) * ici.links() * ici.link_gbps());
}

// What moves through HBM in so many nanoseconds.
int64_t hbmBytes(const target::Target &target, double nanoseconds) {
  const target::Memory &memory = target.memory();
  return static_cast<int64_t>(nanoseconds * memory.hbm_bandwidth_gbps() * memory.hbm_efficiency());
}

// Bytes of HBM in the time in which the matrix units take one element of a row.
double pushBytes(const target::Target &target) {
  const target::Core &core = target.core();
  return static_cast<double>(hbmBytes(target, 1000)) /
         (1000 * target.clock_ghz() * target.cores() * core.mxus() * core.mxu_side() * core.mxu_rows_per_cycle());
}

// How many rows take a bf16 matmul as long as reading its weights again as f32: a tile of side x side elements each.
int64_t longRows(const target::Target &target) {
  return static_cast<int64_t>(4 * target.core().mxu_side() / pushBytes(target));
}

// A core's VMEM that a kernel's blocks may take.
int64_t vmemBudget(const target::Target &target) { return plan::vmemBudgetWords(target) * isa::kWordBytes; }

// A core's VMEM in which arrays stay from kernel to kernel: where there are several cores, in loops that they share.
int64_t onChipBytes(const target::Target &target) {
  const int64_t budget = vmemBudget(target);
  return budget - std::min<int64_t>(static_cast<int64_t>(target.core().kernel_vmem_bytes()), budget / 2);
}

void addFuseStage(OpPassManager &pm, const CompileOptions &options, const target::Target &target) {
  // Nothing moves ops from here on.
  const auto latency = static_cast<int64_t>(target.memory().dma_latency_ns()),
             kernelTime = static_cast<int64_t>(target.launch_overhead_ns()) + 2 * latency;
  pm.addNestedPass<func::FuncOp>(simplify::createDropBarriersPass());
  pm.addNestedPass<func::FuncOp>(simplify::createCountLoopsPass());
  if (options.fuse) {
    pm.addNestedPass<func::FuncOp>(fusion::createTrimLoopsPass());
    pm.addNestedPass<func::FuncOp>(fusion::createCarryStacksPass());
    // Masks that a loop would carry are known; the loops that it makes are trimmed likewise.
    const int64_t cores = target.cores();
    // A loop that cores share is one launch; each core has its share of the channel.
    const int64_t kernelBytes = hbmBytes(target, cores > 1 ? 2.0 * latency / cores : kernelTime);
    pm.addNestedPass<func::FuncOp>(fusion::createCutScoresPass({onChipBytes(target), kernelBytes, cores}));
    pm.addNestedPass<func::FuncOp>(fusion::createCutBatchesPass({onChipBytes(target), kernelBytes, cores}));
    pm.addNestedPass<func::FuncOp>(simplify::createCountLoopsPass());
    pm.addNestedPass<func::FuncOp>(fusion::createUseCountersPass());
    pm.addNestedPass<func::FuncOp>(fusion::createTrimLoopsPass());
  }
  fusion::FuseKernelsPassOptions fuse;
  fuse.pushBytes = pushBytes(target);
  fuse.fuseAll = options.fuse;
  fuse.target = options.target;
  const SmallVector<std::string> sets(options.sets.begin(), options.sets.end());
  fuse.sets = sets;
  if (options.fuse) {
    pm.addNestedPass<func::FuncOp>(fusion::createJoinRowsPass({options.target, sets}));
    pm.addNestedPass<func::FuncOp>(fusion::createJoinContractedPass({options.target, sets}));
    pm.addNestedPass<func::FuncOp>(fusion::createNumberRowsPass({options.target, sets}));
    pm.addNestedPass<func::FuncOp>(fusion::createSortScattersPass({options.target, sets, latency, kernelTime}));
  }
  pm.addNestedPass<func::FuncOp>(fusion::createFuseKernelsPass(fuse));
  if (options.fuse) {
    pm.addNestedPass<func::FuncOp>(fusion::createMergeKernelsPass({options.target, sets}));
    pm.addNestedPass<func::FuncOp>(fusion::createSliceInPlacePass(
        {hbmBytes(target, kernelTime), hbmBytes(target, latency), options.target, sets}));
    pm.addNestedPass<func::FuncOp>(fusion::createSaveEarlyPass());
  }
  pm.addNestedPass<func::FuncOp>(fusion::createAssignFlopsPass());
}

void addStage(OpPassManager &pm, StringRef stage, const CompileOptions &options, const Part &part,
              const target::Target &target) {
  if (stage == "shapes" && !part.ranges.empty()) {
    shapes::buildBucketPipeline(pm, part.ranges);
  } else if (stage == "shapes") {
    shapes::RefineShapesPassOptions refine;
    refine.dims.assign(options.dims.begin(), options.dims.end());
    refine.arguments.assign(options.argumentShapes.begin(), options.argumentShapes.end());
    shapes::buildShapesPipeline(pm, refine);
  } else if (stage == "simplify") {
    simplify::buildSimplifyPipeline(pm);
  } else if (stage == "shard") {
    shard::buildShardPipeline(pm, options.partialSums);
    // What moves between layouts left: slices of pads, indices that are known.
    pm.addNestedPass<func::FuncOp>(simplify::createSimplifyPass());
    pm.addNestedPass<func::FuncOp>(createCSEPass());
  } else if (stage == "expand") {
    const target::Core &core = target.core();
    pm.addNestedPass<func::FuncOp>(simplify::createCountLoopsPass());
    buildExpandPipeline(pm,
                        {options.target, SmallVector<std::string>(options.sets.begin(), options.sets.end()),
                         vmemBudget(target), static_cast<int64_t>(core.mxu_side()), core.mxu_int8_rate() == 0,
                         latencyBytes(target), static_cast<int64_t>(target.memory().hbm_bytes()), longRows(target)},
                        options.matmulPrecision);
    // What the expansions left: identity reshapes, composed transposes.
    pm.addNestedPass<func::FuncOp>(simplify::createSimplifyPass());
    pm.addNestedPass<func::FuncOp>(createCSEPass());
    pm.addNestedPass<kernel::FunctionOp>(simplify::createSimplifyPass());
    pm.addNestedPass<kernel::FunctionOp>(createCSEPass());
  } else if (stage == "fuse") {
    addFuseStage(pm, options, target);
  } else if (stage == "plan") {
    const SmallVector<std::string> sets(options.sets.begin(), options.sets.end());
    // What is alive at a time follows from the order of kernels.
    pm.addPass(plan::createOverlapExchangesPass({options.target, sets}));
    plan::PlanKernelsPassOptions plan;
    plan.target = options.target;
    plan.sets = sets;
    plan.precision = options.matmulPrecision;
    pm.addPass(plan::createPlanKernelsPass(plan));
  } else if (stage == "lower") {
    lowering::LowerKernelsPassOptions lower;
    lower.target = options.target;
    lower.sets = SmallVector<std::string>(options.sets.begin(), options.sets.end());
    lower.precision = options.matmulPrecision;
    pm.addPass(lowering::createLowerKernelsPass(lower));
    pm.addPass(lowering::createJoinLaunchesPass());
  } else if (stage == "schedule") {
    emission::ScheduleBundlesPassOptions schedule;
    schedule.target = options.target;
    schedule.sets = SmallVector<std::string>(options.sets.begin(), options.sets.end());
    schedule.pipeline = options.pipeline;
    pm.addPass(emission::createScheduleBundlesPass(schedule));
  }
}

// What holds at the stage's end. Import's is checked where the program is read, encode's is isa::validate.
void addVerifier(OpPassManager &pm, StringRef stage, const CompileOptions &options) {
  if (stage == "shapes") pm.addPass(verify::createVerifyShapesPass());
  if (stage == "simplify") pm.addPass(verify::createVerifySimplifyPass());
  if (stage == "shard") pm.addPass(verify::createVerifyShardPass());
  if (stage == "expand") pm.addPass(verify::createVerifyExpandPass());
  if (stage == "fuse") pm.addPass(verify::createVerifyFusePass());
  if (stage == "plan") pm.addPass(verify::createVerifyPlanPass());
  if (stage == "lower") pm.addPass(verify::createVerifyLowerPass());
  if (stage != "schedule") return;
  verify::VerifySchedulePassOptions schedule;
  schedule.target = options.target;
  schedule.sets = SmallVector<std::string>(options.sets.begin(), options.sets.end());
  pm.addPass(verify::createVerifySchedulePass(schedule));
}

LogicalResult verifyStage(ModuleOp module, StringRef stage, const CompileOptions &options) {
  PassManager pm(module.getContext());
  addVerifier(pm, stage, options);
  return pm.empty() ? success() : pm.run(module);
}

LogicalResult runStage(ModuleOp module, StringRef stage, const CompileOptions &options, const Part &part,
                       const target::Target &target) {
  const bool sharded = (stage == "shapes" || stage == "shard") && isSharded(module);
  if (stage == "shard" && !sharded) return success();  // one device's program already
  PassManager pm(module.getContext());
#ifdef NDEBUG
  pm.enableVerifier(false);  // once at the stage's end; after each pass it takes a tenth of a compilation
#endif
  if (stage == "shapes" && sharded) pm.addPass(shard::createImportHloShardingsPass());
  addStage(pm, stage, options, part, target);
  if (!pm.empty() && (failed(pm.run(module)) || failed(mlir::verify(module)))) return failure();
  return verifyStage(module, stage, options);
}

// DIRECTORY/INDEX-NAME, written by `print`.
LogicalResult dumpFile(ModuleOp module, StringRef directory, const Twine &name,
                       function_ref<void(llvm::raw_ostream &)> print) {
  if (directory.empty()) return success();
  if (auto code = llvm::sys::fs::create_directories(directory))
    return diagnose(module, codes::kUnreadable) << "cannot create '" << directory << "': " << code.message();
  SmallString<128> path(directory);
  llvm::sys::path::append(path, name);
  std::string text, error;
  llvm::raw_string_ostream os(text);
  print(os);
  if (isa::writeFile(path.str().str(), text, error)) return success();
  return diagnose(module, codes::kCannotWrite) << error;
}

LogicalResult dump(ModuleOp module, const std::string &directory, size_t index, StringRef stage) {
  return dumpFile(module, directory, Twine(index) + "-" + stage + ".mlir",
                  [&](llvm::raw_ostream &os) { module.print(os, OpPrintingFlags().enableDebugInfo()); });
}

// The last stage's result is no module; `tpuc asm` reads this.
LogicalResult dumpAssembly(ModuleOp module, const isa::Executable &exe, const std::string &directory, size_t index) {
  return dumpFile(module, directory, Twine(index) + "-encode.s",
                  [&](llvm::raw_ostream &os) { os << isa::disassemble(exe); });
}

}  // namespace

// The stage whose result stage `i` takes.
static StringRef stageBefore(ModuleOp module, size_t i) {
  const auto &names = stageNames();
  return names[i - 1] == "shard" && devicesOf(module) == 1 ? names[i - 2] : names[i - 1];
}

static LogicalResult compilePart(ModuleOp module, const CompileOptions &options, const Part &part,
                                 const target::Target &target, isa::Executable &exe) {
  const auto &names = stageNames();
  size_t first = options.startFrom.empty() ? 0 : llvm::find(names, options.startFrom) - names.begin();
  const size_t afterShard = llvm::find(names, "shard") - names.begin() + 1;
  for (size_t i = first; i < names.size(); ++i) {
    if (options.onStage) options.onStage(names[i]);
    // Checks that hold for a module wherever it enters the stages. A module that is to be partitioned is checked after
    // `shard`.
    const bool entered = i == std::max<size_t>(first, 1) && !isSharded(module);
    if ((entered || i == std::max(first, afterShard)) && failed(checkDevices(module, options.devices)))
      return failure();
    if (names[i] == "simplify" && isSharded(module)) nameDevices(module);  // after shardings as text have meshes
    if (names[i] == "simplify" && options.constantArrays && failed(keepConstants(module))) return failure();
    // The errors are those of the program's own matmuls. Expansions make more of them, so it comes before.
    if (names[i] == "expand") noteMatmulErrors(module, options.matmulPrecision);
    if (names[i] == "expand") noteDonations(module);
    if (names[i] == "expand") noteMemoryKinds(module);
    if (names[i] == "expand") noteShardings(module);
    if (names[i] == "fuse" && failed(checkTarget(module, target))) return failure();
    if (names[i] == "expand" && options.ioLayouts == "default") pinLayouts(module);
    // The stage that is started from takes what the verifier of the one before it passes.
    if (i == first && i > 0 && failed(verifyStage(module, stageBefore(module, i), options))) return failure();
    if (failed(runStage(module, names[i], options, part, target))) return failure();
    if (names[i] == "shard" && failed(tellShardings(module, options))) return failure();
    if (names[i] == "shapes" && part.sizes) *part.sizes = sizesOf(module);
    const bool last = names[i] == "encode";
    if (last && failed(encoder::encode(module, target, exe))) return failure();
    if (last) exe.index.set_matmul_precision(options.matmulPrecision);
    if (failed(last ? dumpAssembly(module, exe, part.dumpStages, i) : dump(module, part.dumpStages, i, names[i])))
      return failure();
    if (names[i] == options.stopAfter) break;
  }
  return success();
}

// One after the other, each on a copy of what was read.
static LogicalResult compileBuckets(ModuleOp module, const CompileOptions &options, const target::Target &target,
                                    isa::Executable &exe) {
  std::string error;
  auto main = module.lookupSymbol("main");
  if (devicesOf(module) > 1 || options.devices > 1 || isSharded(module))
    return diagnose(main ? main : module.getOperation(), codes::kOpenOnDevices)
           << "expects a program for one device where --bucket is given, but got one for several";
  std::vector<std::string> texts = options.buckets;
  for (StringRef dim : options.dims) {
    auto [name, size] = dim.split('=');
    texts.push_back((name + "=" + size + ".." + size).str());
  }
  auto buckets = parseBuckets(texts, error);
  if (!buckets) return diagnose(module, codes::kSizes) << error;
  const bool whole = options.stopAfter.empty() || options.stopAfter == stageNames().back();
  if (!whole) return compilePart(module, options, {textsOf(buckets->back()), options.dumpStages}, target, exe);
  BucketLinker linker;
  for (const Bucket &bucket : *buckets) {
    OwningOpRef<ModuleOp> copy = module.clone();
    ModuleSizes sizes;
    Part part{textsOf(bucket), options.dumpStages, &sizes};
    if (!part.dumpStages.empty() && buckets->size() > 1) part.dumpStages += "/" + llvm::join(part.ranges, ",");
    isa::Executable one;
    if (failed(compilePart(*copy, options, part, target, one))) return failure();
    linker.add(bucket, sizes, std::move(one));
  }
  if (!linker.finish(exe, error))
    return diagnose(module, codes::kBrokenStage) << "expects a sound executable, but " << error;
  return success();
}

LogicalResult compileModule(ModuleOp module, const CompileOptions &options, isa::Executable &exe) {
  target::Target target;
  std::string error;
  if (!resolveTarget(options, target, error)) return diagnose(module, codes::kBadTarget) << error;
  if (!options.buckets.empty()) return compileBuckets(module, options, target, exe);
  return compilePart(module, options, {{}, options.dumpStages}, target, exe);
}

}  // namespace tpuc
