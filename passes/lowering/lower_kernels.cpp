// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// kernel.fusion -> tpu.routine; arrays -> tpu.buffer; @main -> the entry routine.
#include "dialects/diagnostics/diagnose.h"
#include "dialects/kernel/counts.h"
#include "dialects/kernel/function.h"
#include "dialects/stablehlo/stablehlo.h"
#include "llvm/ADT/ScopeExit.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/DialectImplementation.h"
#include "mlir/IR/Dominance.h"
#include "mlir/IR/Threading.h"
#include "mlir/Transforms/CSE.h"
#include "mlir/Transforms/GreedyPatternRewriteDriver.h"
#include "mlir/Transforms/LoopInvariantCodeMotionUtils.h"
#include "passes/analysis/pieces.h"
#include "passes/analysis/target_option.h"
#include "passes/analysis/wanted.h"
#include "passes/lowering/body/vector_ops.h"
#include "passes/lowering/emit_twin.h"
#include "passes/lowering/entry.h"
#include "passes/lowering/kernels.h"
#include "passes/lowering/memory/emit_buffers.h"
#include "passes/lowering/memory/traffic.h"
#include "passes/lowering/move/box_copy.h"
#include "passes/lowering/move/indices.h"
#include "passes/lowering/passes.h"
#include "passes/plan/memory/buffers.h"
#include "passes/plan/memory/in_place.h"
#include "passes/plan/memory/over_cores.h"
#include "passes/plan/memory/pieces.h"
#include "passes/plan/planner.h"

using namespace mlir;

namespace tpuc::lowering {
#define GEN_PASS_DEF_LOWERKERNELSPASS
#include "passes/lowering/passes.h.inc"
namespace {

LogicalResult refuse(Operation &op) {
  return diagnose(&op, codes::kNoLowering)
         << "expects ops that the instruction set has for their types, but got '" << op.getName() << "' of "
         << op.getResultTypes() << "; cast around it or write it in simpler ops";
}

// The fuse stage makes kernels of these alone; an edited dump may name others.
LogicalResult checkOp(Operation &op) {
  bool known = mlir::isa<stablehlo::ConstantOp, stablehlo::IotaOp, stablehlo::BroadcastInDimOp, stablehlo::TransposeOp,
                         stablehlo::ReshapeOp, stablehlo::ReduceOp, stablehlo::SliceOp, stablehlo::ReverseOp,
                         stablehlo::PadOp, stablehlo::ConcatenateOp, stablehlo::DynamicSliceOp,
                         stablehlo::DynamicUpdateSliceOp, stablehlo::GatherOp, stablehlo::ScatterOp, stablehlo::SortOp,
                         stablehlo::DotGeneralOp, stablehlo::ConvolutionOp, stablehlo::ReduceWindowOp,
                         stablehlo::SelectAndScatterOp, kernel::UndefinedOp>(op);
  return known || hasInstructions(&op) ? success() : refuse(op);
}

// What the instruction set has for single elements.
LogicalResult checkFunctions(ModuleOp module) {
  for (auto function : module.getOps<kernel::FunctionOp>())
    for (Operation &op : function.getBlock().without_terminator())
      if (!mlir::isa<stablehlo::ConstantOp>(op) && !hasInstructions(&op)) return refuse(op);
  return success();
}

// What reports call the kernel: of kind `copy` by the op that it does, where a user would not call that a copy.
StringRef nameOfKind(kernel::FusionOp fusion) {
  if (fusion.getKind() != "copy") return fusion.getKind();
  for (Operation &op : fusion.getBlock())
    if (mlir::isa<stablehlo::SortOp, stablehlo::GatherOp, stablehlo::ScatterOp, stablehlo::TransposeOp>(op))
      return op.getName().stripDialect();
  return fusion.getKind();
}

LogicalResult refuseKind(kernel::FusionOp fusion) {
  return diagnose(fusion, codes::kBrokenStage) << "expects a kind of kernel, but got " << fusion.getKindAttr();
}

struct LowerKernels : impl::LowerKernelsPassBase<LowerKernels> {
  using LowerKernelsPassBase::LowerKernelsPassBase;

  void runOnOperation() override {
    ModuleOp module = getOperation();
    target::Target target;
    if (failed(analysis::loadTarget(module, this->target, sets, target))) return signalPassFailure();
    auto main = module.lookupSymbol<func::FuncOp>("main");
    if (!main) {
      diagnose(module, codes::kBrokenStage) << "expects a function @main";
      return signalPassFailure();
    }
    if (failed(checkFunctions(module))) return signalPassFailure();
    targets_ = std::make_shared<KernelTargets>(target);
    tpu::RoutineOp entry = lowerMain(module, main, target);
    if (!entry) return signalPassFailure();
    main.erase();
    for (auto function : llvm::make_early_inc_range(module.getOps<kernel::FunctionOp>())) function.erase();
    SymbolTable::setSymbolName(entry, "main");
    simplifyRoutines(module);
  }

  // The entry routine; null after a diagnostic.
  tpu::RoutineOp lowerMain(ModuleOp module, func::FuncOp main, const target::Target &target) {
    BufferPlan plan;
    if (failed(readBuffers(main, target, plan)) || failed(checkShared(main, plan))) return {};
    OpBuilder b = OpBuilder::atBlockEnd(module.getBody());
    emitBuffers(b, main, plan);
    const Exchanges exchanges(main);
    exchanges.emitTables(b, module);
    auto entry = tpu::RoutineOp::create(b, main.getLoc(), b.getStringAttr("main"), true, DictionaryAttr());
    Block *entryBlock = b.createBlock(&entry.getBody());
    OpBuilder e = OpBuilder::atBlockEnd(entryBlock);
    int64_t index = 0;
    Twins twins(plan);
    wanted_ = std::make_shared<analysis::Wanted>(main);
    auto lowerFusion = [&](kernel::FusionOp fusion, OpBuilder &at) {
      return emitKernel(module, fusion, plan, exchanges, twins, index++, at);
    };
    if (failed(emitEntry(main, plan, exchanges, e, lowerFusion))) return {};
    tpu::ReturnOp::create(e, main.getLoc());
    entry.setFactsAttr(b.getDictionaryAttr({b.getNamedAttr("smem_bytes", b.getI64IntegerAttr(exchanges.smemEnd()))}));
    return entry;
  }

  // Loops that the plan stage lets cores share, or an edited dump does.
  static LogicalResult checkShared(func::FuncOp main, const BufferPlan &plan) {
    WalkResult walk = main.walk([&](stablehlo::WhileOp loop) -> WalkResult {
      if (!loop->hasAttr(kernel::kOverCoresAttr)) return WalkResult::advance();
      std::optional<std::string> objection = objectionToSharing(loop, *plan.storage);
      if (!objection) return WalkResult::advance();
      diagnose(loop, codes::kBrokenStage) << *objection << "; take kernel.over_cores off the loop";
      return WalkResult::interrupt();
    });
    return failure(walk.wasInterrupted());
  }

  // The kernel's routine, or its twin's, and the grid that runs it.
  LogicalResult emitKernel(ModuleOp module, kernel::FusionOp fusion, const BufferPlan &plan, const Exchanges &exchanges,
                           Twins &twins, int64_t index, OpBuilder &entry) {
    if (llvm::all_of(fusion.getOutputs(),
                     [](Value v) { return cast<RankedTensorType>(v.getType()).getNumElements() == 0; }))
      return success();
    const std::string name = ("k" + Twine(index)).str();
    const SmallVector<std::string> buffers = twins.buffersOf(fusion);
    SmallVector<int64_t> sizes = sizeWordsOf(fusion, exchanges);
    llvm::append_range(sizes, counterWordsOf(fusion));
    const bool isAlone = fusion->hasAttr(kernel::kOneCoreAttr);
    sizes.append({kernel::loopOverCores(fusion) != nullptr, isAlone});
    for (const SizeEnds &ends : endsOf(fusion, exchanges))
      for (const std::optional<SizeEnd> &end : ends) addEnd(sizes, end);
    fusion.walk([&](stablehlo::ReduceOp reduce) {
      for (int64_t d : reduce.getDimensions()) addEnd(sizes, reducedEnd(reduce, d, exchanges));
    });
    int64_t steps = 0;
    OpBuilder b = OpBuilder::atBlockEnd(module.getBody());
    if (const Twins::Kernel *original = twins.find(fusion, buffers, sizes)) {
      emitTwin(b, name, fusion, buffers, *original, plan.residency.number.lookup(fusion));
      steps = original->steps;
    } else {
      tpu::RoutineOp routine = lower(b, fusion, plan, exchanges, name, steps);
      if (!routine) return failure();
      twins.add({fusion, buffers, sizes, routine, steps});
    }
    copyUpdated(fusion, plan, entry);
    tpu::GridOp::create(entry, fusion.getLoc(), FlatSymbolRefAttr::get(b.getContext(), name),
                        entry.getI64IntegerAttr(steps), isAlone ? entry.getUnitAttr() : UnitAttr());
    return success();
  }

  // Null after a diagnostic.
  tpu::RoutineOp lower(OpBuilder &b, kernel::FusionOp fusion, const BufferPlan &plan, const Exchanges &exchanges,
                       StringRef name, int64_t &steps) {
    if (failed(checkConstants(fusion))) return {};
    for (Operation &op : fusion.getBlock().without_terminator())
      if (failed(checkOp(op))) return {};
    auto routine = tpu::RoutineOp::create(b, fusion.getLoc(), b.getStringAttr(name), false, DictionaryAttr());
    Block &block = routine.getBody().emplaceBlock();
    block.addArguments({b.getI64Type(), b.getI64Type()}, {fusion.getLoc(), fusion.getLoc()});
    OpBuilder inside = OpBuilder::atBlockEnd(&block);
    Code code(inside, fusion.getLoc());
    KernelContext context{fusion, targets_->of(fusion), &targets_->modelOf(fusion),     {},
                          {},     plan.residents,       plan.residency.wordsAt(fusion), precision};
    context.plan = kernel::planOf(fusion);
    if (!context.plan) {
      diagnose(fusion, codes::kBrokenStage) << "expects a kernel with its plan; run the stage plan before";
      return {};
    }
    for (Value v : fusion.getInputs()) context.inputs.push_back({plan.symbol.lookup(v), {}});
    for (Value v : fusion.getOutputs()) context.results.push_back({plan.symbol.lookup(v), {}});
    context.counterWords = counterWordsOf(fusion);
    takePieces(context, [&](ArrayRef<Window> windows, ArrayRef<Origin> wholes) {
      return fetchOrigins(context, code, windows, wholes);
    });
    context.sizeWords = sizeWordsOf(context.op, exchanges);
    context.counterWords = counterWordsOf(context.op);
    context.leastSizes = leastSizesOf(context.op, exchanges);
    context.ends = endsOf(fusion, exchanges);
    if (context.op == fusion)
      context.reducedEnd = [&](Operation *op, int64_t d) { return reducedEnd(op, d, exchanges); };
    for (auto [i, ends] : llvm::enumerate(context.ends))  // pieces' places are their arrays'
      if (context.op.getResult(i).getType() != fusion.getResult(i).getType()) ends.clear();
    llvm::scope_exit taken([&] {
      if (context.op != fusion) context.op.erase();
    });
    Value start = block.getArgument(0), count = block.getArgument(1);
    const Lowering *kind = findLowering(fusion.getKind());
    if (failed(kind ? kind->lower(context, code, start, count) : refuseKind(fusion))) return {};
    tpu::ReturnOp::create(inside, fusion.getLoc());
    // Spilled scalars lie behind the words that it may read; in a launch over cores, whose SMEM is its own, behind all.
    if (kernel::loopOverCores(fusion))
      context.smemBytes = std::max(context.smemBytes, exchanges.smemEnd() + plan::kLaunchSpillBytes);
    else if (exchanges.hasSizes() || llvm::any_of(counterWordsOf(fusion), [](int64_t word) { return word >= 0; }))
      context.smemBytes = std::max(context.smemBytes, plan::kEntrySmemBytes + plan::TrueSizes::kSystemBytes);
    // What the kernel meets on chip moves no bytes of HBM.
    Traffic traffic;
    SmallVector<Attribute> onChip;
    auto meet = [&](StringRef symbol, const Traffic &moved) {
      if (symbol.empty()) return;  // a counter
      if (!plan.residents.contains(symbol)) {
        traffic.logical += moved.logical;
        traffic.padded += moved.padded;
      } else if (auto name = FlatSymbolRefAttr::get(b.getContext(), symbol); !llvm::is_contained(onChip, name)) {
        onChip.push_back(name);
      }
    };
    auto isAmong = [](ArrayRef<Origin> origins, StringRef symbol) {
      return llvm::any_of(origins, [&](const Origin &o) { return o.buffer == symbol; });
    };
    for (auto [i, origin] : llvm::enumerate(context.inputs))
      meet(origin.buffer, readTraffic(context.op, i, isAmong(context.results, origin.buffer)));
    for (auto [i, origin] : llvm::enumerate(context.results))
      meet(origin.buffer, writeTraffic(context.op, i, isAmong(context.inputs, origin.buffer)));
    auto flops = fusion->getAttrOfType<DenseI64ArrayAttr>(kernel::kFlopsAttr);
    auto flopsAt = [&](unsigned i) { return b.getI64IntegerAttr(flops ? flops[i] : 0); };
    routine.setFactsAttr(b.getDictionaryAttr(
        {b.getNamedAttr("kind", b.getStringAttr(nameOfKind(fusion))), b.getNamedAttr("flops", flopsAt(0)),
         b.getNamedAttr("int8_flops", flopsAt(1)),
         b.getNamedAttr("logical_bytes", b.getI64IntegerAttr(traffic.logical)),
         b.getNamedAttr("padded_bytes", b.getI64IntegerAttr(traffic.padded)),
         b.getNamedAttr("smem_bytes", b.getI64IntegerAttr(context.smemBytes)),
         b.getNamedAttr("vmem_words", b.getI64IntegerAttr(std::max(context.vmemWords, context.firstWord))),
         b.getNamedAttr("vmem_first", b.getI64IntegerAttr(context.firstWord)),
         b.getNamedAttr("on_chip", b.getArrayAttr(onChip)),
         b.getNamedAttr("number", b.getI64IntegerAttr(plan.residency.number.lookup(fusion))),
         b.getNamedAttr("steps", b.getI64IntegerAttr(context.gridSteps))}));
    steps = context.gridSteps;
    return routine;
  }

  static SmallVector<int64_t> sizeWordsOf(kernel::FusionOp fusion, const Exchanges &exchanges) {
    return llvm::map_to_vector(fusion.getInputs(), [&](Value v) { return exchanges.sizeWord(v); });
  }

  static SmallVector<int64_t> counterWordsOf(kernel::FusionOp fusion) {
    return llvm::map_to_vector(fusion.getInputs(), counterWordOf);
  }

  // -1 where a kernel does not know the true size: it could not check that a size is the largest.
  static SmallVector<int64_t> leastSizesOf(kernel::FusionOp fusion, const Exchanges &exchanges) {
    return llvm::map_to_vector(fusion.getInputs(), [&](Value v) {
      if (exchanges.sizeWord(v) < 0) return int64_t{-1};
      auto argument = dyn_cast<BlockArgument>(v);
      auto main = argument ? dyn_cast<func::FuncOp>(argument.getOwner()->getParentOp()) : func::FuncOp();
      if (!main || !main.getArgAttr(argument.getArgNumber(), kernel::kExtentAttr)) return int64_t{-1};
      auto least = main.getArgAttrOfType<IntegerAttr>(argument.getArgNumber(), kernel::kLeastAttr);
      return least ? least.getInt() : 0;
    });
  }

  // For each result the ends behind which nobody asks for its elements.
  SmallVector<SizeEnds> endsOf(kernel::FusionOp fusion, const Exchanges &exchanges) const {
    return llvm::map_to_vector(fusion.getOutputs(), [&](Value v) {
      SizeEnds ends(cast<RankedTensorType>(v.getType()).getRank());
      for (auto [d, end] : llvm::enumerate(ends)) end = sizeEnd(wanted_->endOf(v, static_cast<int64_t>(d)), exchanges);
      return ends;
    });
  }
  static std::optional<SizeEnd> sizeEnd(const std::optional<analysis::End> &end, const Exchanges &exchanges) {
    const int64_t word = end ? exchanges.sizeWord(end->size) : -1;
    return word >= 0 ? std::optional(SizeEnd{word, end->scale, end->offset}) : std::nullopt;
  }
  std::optional<SizeEnd> reducedEnd(Operation *reduce, int64_t d, const Exchanges &exchanges) const {
    return sizeEnd(wanted_->reducedEnd(reduce, d), exchanges);
  }
  static void addEnd(SmallVectorImpl<int64_t> &sizes, const std::optional<SizeEnd> &end) {
    end ? sizes.append({end->word, end->scale, end->offset}) : sizes.append({-1});
  }

  // What a kernel writes a piece of lies where the result is to be, or is copied there before the kernel runs.
  void copyUpdated(kernel::FusionOp fusion, const BufferPlan &plan, OpBuilder &entry) {
    Code code(entry, fusion.getLoc());
    for (unsigned i = 0; i < fusion.getNumResults(); ++i) {
      auto update = analysis::writtenInPlace(fusion, i);
      if (!update) continue;
      Value old = fusion.getInputs()[cast<BlockArgument>(update.getOperand()).getArgNumber()];
      const std::string &from = plan.symbol.lookup(old), &to = plan.symbol.lookup(fusion.getResult(i));
      if (from == to || rootOf(old).getDefiningOp<kernel::UndefinedOp>()) continue;
      Array array(cast<RankedTensorType>(old.getType()), orderOf({}, 0, old));
      emitWait(code, emitArrayCopy(code, Side::hbm({from, {}}, array), Side::hbm({to, {}}, array)));
    }
  }

  std::shared_ptr<KernelTargets> targets_;
  std::shared_ptr<const analysis::Wanted> wanted_;

  // Upstream's clean-up on each routine: folding, loop-invariant code motion, CSE.
  void simplifyRoutines(ModuleOp module) {
    RewritePatternSet patterns(&getContext());
    for (StringRef name : {"scf", "arith"})
      if (Dialect *dialect = getContext().getLoadedDialect(name)) dialect->getCanonicalizationPatterns(patterns);
    for (RegisteredOperationName op : getContext().getRegisteredOperations())
      if (op.getDialectNamespace() == "scf" || op.getDialectNamespace() == "arith")
        op.getCanonicalizationPatterns(patterns, &getContext());
    FrozenRewritePatternSet frozen(std::move(patterns));
    SmallVector<tpu::RoutineOp> routines(module.getOps<tpu::RoutineOp>());
    parallelForEach(&getContext(), routines, [&](tpu::RoutineOp routine) {
      (void)applyPatternsGreedily(routine, frozen);
      routine.walk([](LoopLikeOpInterface loop) { moveLoopInvariantCode(loop); });
      IRRewriter rewriter(&getContext());
      DominanceInfo dominance(routine);
      eliminateCommonSubExpressions(rewriter, dominance, routine);
    });
  }
};

}  // namespace
}  // namespace tpuc::lowering
