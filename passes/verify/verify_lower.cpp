// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// After lower: buffers with a place, apart from each other while they are alive; routines; one entry.
#include "dialects/tpu/tpu.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/SymbolTable.h"
#include "passes/analysis/launch.h"
#include "passes/verify/arena_lives.h"
#include "passes/verify/passes.h"

using namespace mlir;

namespace tpuc::verify {
#define GEN_PASS_DEF_VERIFYLOWERPASS
#include "passes/verify/passes.h.inc"
namespace {

// Arguments 0, 1, 2, ... and results likewise; temporaries inside the arena.
LogicalResult verifyBuffers(ModuleOp module) {
  auto arena = module->getAttrOfType<IntegerAttr>("tpu.arena_bytes");
  const int64_t arenaBytes = arena ? arena.getInt() : 0;
  llvm::StringMap<SmallVector<int64_t>> numbers;
  DenseSet<int64_t> given;
  for (auto buffer : module.getOps<tpu::BufferOp>()) {
    if (static_cast<int64_t>(buffer.getSize()) < 0 || static_cast<int64_t>(buffer.getOffset()) < 0)
      return broken(buffer, "expects a place and a size from 0 on");
    if (buffer.getKind() == "arena" && static_cast<int64_t>(buffer.getOffset() + buffer.getSize()) > arenaBytes)
      return broken(buffer, "expects an end within the arena's " + Twine(arenaBytes) + " bytes, but got " +
                                Twine(buffer.getOffset() + buffer.getSize()));
    if (auto alias = buffer.getAliasArgument()) {
      auto taken = llvm::find_if(module.getOps<tpu::BufferOp>(),
                                 [&](tpu::BufferOp b) { return b.getKind() == "argument" && b.getIndex() == *alias; });
      if (buffer.getKind() != "result" || taken == module.getOps<tpu::BufferOp>().end() ||
          (*taken).getArray() != buffer.getArray())
        return broken(buffer, "expects a result in the place of an argument of its type");
      if (!given.insert(*alias).second)
        return broken(buffer, "expects argument " + Twine(*alias) + " to give its place to one result");
    }
    if (buffer.getKind() == "argument" || buffer.getKind() == "result")
      numbers[buffer.getKind()].push_back(buffer.getIndex());
    if (buffer.getKind() == "constant" && !buffer.getValue()) return broken(buffer, "expects a constant's value");
  }
  for (auto &[kind, list] : numbers) {
    llvm::sort(list);
    for (auto [i, number] : llvm::enumerate(list))
      if (number != static_cast<int64_t>(i))
        return broken(module, "expects " + kind + " " + Twine(i) + ", but got " + Twine(number));
  }
  return success();
}

// Whether a kernel has blocks of its own where an array lies that is alive then.
tpu::BufferOp metBy(int64_t number, int64_t firstByte, ArrayRef<tpu::BufferOp> residents) {
  for (tpu::BufferOp b : residents)
    if ((*b.getLive())[0] <= number && number <= (*b.getLive())[1] &&
        firstByte < static_cast<int64_t>(b.getOffset() + b.getSize()))
      return b;
  return {};
}

// A kernel's own blocks lie behind the part of VMEM that cores share, and behind what stays there while it runs; it
// meets arrays of its life alone.
LogicalResult verifyOnChip(Operation *routine, int64_t sharedBytes, ArrayRef<tpu::BufferOp> residents,
                           SymbolTable &symbols) {
  auto facts = routine->getAttrOfType<DictionaryAttr>("facts");
  auto onChip = facts ? facts.getAs<ArrayAttr>("on_chip") : ArrayAttr();
  auto number = facts ? facts.getAs<IntegerAttr>("number") : IntegerAttr();
  auto first = facts ? facts.getAs<IntegerAttr>("vmem_first") : IntegerAttr();
  const int64_t firstByte = (first ? first.getInt() : 0) * isa::kWordBytes;
  auto own = dyn_cast<tpu::RoutineOp>(routine);
  const bool hasBlocks = !own || !(own.getEntry() || tpu::isLaunch(own));
  if (hasBlocks && firstByte < sharedBytes)
    return broken(routine,
                  "expects blocks of its own behind the " + Twine(sharedBytes) + " bytes of VMEM between kernels");
  if (tpu::BufferOp met = hasBlocks && number ? metBy(number.getInt(), firstByte, residents) : tpu::BufferOp())
    return broken(routine, "expects blocks of its own behind @" + met.getSymName() + ", which is alive then");
  if (!onChip) return success();
  for (auto name : onChip.getAsRange<FlatSymbolRefAttr>()) {
    auto b = symbols.lookup<tpu::BufferOp>(name.getValue());
    if (!b || b.getKind() != "vmem") return broken(routine, "expects an array in VMEM @" + name.getValue());
    if (!number || number.getInt() < (*b.getLive())[0] || number.getInt() > (*b.getLive())[1])
      return broken(routine, "meets @" + name.getValue() + ", which is not alive then");
  }
  return success();
}

// What stays in VMEM: inside the part that cores share, where they share one, and apart from what is alive with it.
LogicalResult verifyResidents(ModuleOp module, SymbolTable &symbols) {
  auto shared = module->getAttrOfType<IntegerAttr>("tpu.vmem_shared_bytes");
  const int64_t sharedBytes = shared ? shared.getInt() : 0;
  SmallVector<tpu::BufferOp> residents;
  for (auto b : module.getOps<tpu::BufferOp>()) {
    if (b.getKind() != "vmem") continue;
    auto live = b.getLive();
    if (!live || live->size() != 2 || (*live)[0] > (*live)[1])
      return broken(b, "expects the kernels that it lives between");
    const int64_t begin = b.getOffset(), end = begin + b.getSize();
    if (begin < sharedBytes && end > sharedBytes)
      return broken(b, "expects an end within the " + Twine(sharedBytes) + " bytes of VMEM between kernels, but got " +
                           Twine(end));
    for (tpu::BufferOp other : residents) {
      bool together = (*other.getLive())[0] <= (*live)[1] && (*live)[0] <= (*other.getLive())[1];
      // The array that its maker reads last, and which it takes the place of.
      bool under = b.getReplaces() == other.getSymName() && (*other.getLive())[1] == (*live)[0];
      if (under) continue;
      if (together && static_cast<int64_t>(other.getOffset()) < end &&
          begin < static_cast<int64_t>(other.getOffset() + other.getSize()))
        return broken(b, "expects a place apart from @" + other.getSymName() + ", which is alive with it");
    }
    residents.push_back(b);
  }
  for (Operation &op : *module.getBody())
    if (mlir::isa<tpu::RoutineOp, tpu::TwinOp>(op) && failed(verifyOnChip(&op, sharedBytes, residents, symbols)))
      return failure();
  return success();
}

LogicalResult verifyBufferUse(Operation *op, SymbolTable &symbols, std::optional<StringRef> name) {
  if (!name || symbols.lookup<tpu::BufferOp>(*name)) return success();
  return broken(op, "expects a buffer @" + *name);
}

// A loop over the steps that a grid gives a core.
bool isLoopOverSteps(Operation *op, tpu::RoutineOp launch) {
  auto loop = dyn_cast<scf::ForOp>(op);
  return loop && loop.getNumResults() == 0 && loop.getUpperBound() == launch.getBody().getArgument(1) &&
         getConstantIntValue(loop.getLowerBound()) == 0 && getConstantIntValue(loop.getStep()) == 1;
}

// Kernels, what brings their arrays or copies them, and loops that are counted.
bool mayLaunch(Operation *op, tpu::RoutineOp launch) {
  return analysis::isLaunchTransfer(op) || analysis::isCountedLoop(op) || analysis::isOfCounters(op) ||
         isLoopOverSteps(op, launch) || mlir::isa<tpu::GridOp, tpu::ReturnOp, scf::YieldOp>(op);
}

LogicalResult verifyRoutine(tpu::RoutineOp routine, SymbolTable &symbols) {
  WalkResult walk = routine.walk([&](Operation *op) -> WalkResult {
    if (op == routine) return WalkResult::advance();
    if (!mlir::isa_and_nonnull<tpu::TpuDialect, scf::SCFDialect, arith::ArithDialect>(op->getDialect())) {
      broken(op, "expects instructions, loops and index arithmetic, but got '" + op->getName().getStringRef() + "'");
      return WalkResult::interrupt();
    }
    if (auto grid = dyn_cast<tpu::GridOp>(op)) {
      auto callee = symbols.lookup<tpu::RoutineOp>(grid.getCallee());
      const bool known = callee ? !callee.getEntry() : !!symbols.lookup<tpu::TwinOp>(grid.getCallee());
      if (known && grid.getSteps() >= 1) return WalkResult::advance();
      broken(grid, "expects a routine that is no entry, and a step at least, but got @" + grid.getCallee() + " and " +
                       Twine(grid.getSteps()));
      return WalkResult::interrupt();
    }
    if (auto call = dyn_cast<tpu::CallOp>(op)) {
      auto callee = symbols.lookup<tpu::RoutineOp>(call.getCallee());
      // What is called is given no steps.
      if (callee && tpu::isLaunch(callee) && routine.getEntry() &&
          llvm::all_of(callee.getBody().getArguments(), [](Value v) { return v.use_empty(); }))
        return WalkResult::advance();
      broken(call, "expects a launch without steps, from the entry routine, but got @" + call.getCallee());
      return WalkResult::interrupt();
    }
    if (tpu::isLaunch(routine) && !mayLaunch(op, routine)) {
      broken(op, "expects nothing but grids, transfers and counted loops in a launch, but got '" +
                     op->getName().getStringRef() + "'");
      return WalkResult::interrupt();
    }
    if (auto call = dyn_cast<tpu::HostCallOp>(op))
      for (Attribute name : llvm::concat<const Attribute>(call.getInputs().getValue(), call.getOutputs().getValue()))
        if (failed(verifyBufferUse(call, symbols, cast<FlatSymbolRefAttr>(name).getValue())))
          return WalkResult::interrupt();
    if (auto dma = dyn_cast<tpu::DmaStartOp>(op))
      if (failed(verifyBufferUse(dma, symbols, dma.getSrcBuffer())) ||
          failed(verifyBufferUse(dma, symbols, dma.getDstBuffer())))
        return WalkResult::interrupt();
    return WalkResult::advance();
  });
  return failure(walk.wasInterrupted());
}

// A twin's buffers lie as those of its original do.
LogicalResult verifyTwin(tpu::TwinOp twin, SymbolTable &symbols) {
  auto original = symbols.lookup<tpu::RoutineOp>(twin.getOriginal());
  if (!original || original.getEntry())
    return broken(twin, "expects a routine that is no entry, but got @" + twin.getOriginal());
  for (auto [from, to] :
       llvm::zip(twin.getFrom().getAsRange<FlatSymbolRefAttr>(), twin.getTo().getAsRange<FlatSymbolRefAttr>())) {
    auto a = symbols.lookup<tpu::BufferOp>(from.getValue()), b = symbols.lookup<tpu::BufferOp>(to.getValue());
    if (!a || !b) return broken(twin, "expects a buffer @" + (a ? to : from).getValue());
    const bool onChip = a.getKind() == "vmem";
    if (onChip != (b.getKind() == "vmem") || (onChip && a.getOffset() != b.getOffset()))
      return broken(twin, "expects @" + to.getValue() + " on chip where @" + from.getValue() + " is");
  }
  return success();
}

// Where a grid is one core's alone, there are several, and what is in its VMEM is met by no grid that they share.
LogicalResult verifyAlone(ModuleOp module, SymbolTable &symbols) {
  auto shared = module->getAttrOfType<IntegerAttr>("tpu.vmem_shared_bytes");
  SmallVector<tpu::GridOp> grids;
  module.walk([&](tpu::GridOp grid) { grids.push_back(grid); });
  if (!shared || llvm::none_of(grids, [](tpu::GridOp grid) { return grid.getAlone(); })) return success();
  for (tpu::GridOp grid : grids) {
    auto facts = symbols.lookup(grid.getCallee())->getAttrOfType<DictionaryAttr>("facts");
    auto onChip = facts ? facts.getAs<ArrayAttr>("on_chip") : ArrayAttr();
    if (grid.getAlone() || !onChip) continue;
    for (auto name : onChip.getAsRange<FlatSymbolRefAttr>())
      if (auto b = symbols.lookup<tpu::BufferOp>(name.getValue());
          b && static_cast<int64_t>(b.getOffset()) < shared.getInt())
        return broken(grid, "expects kernels of one core where arrays of its VMEM are met, but got @" +
                                grid.getCallee() + ", which meets @" + name.getValue());
  }
  return success();
}

struct VerifyLower : impl::VerifyLowerPassBase<VerifyLower> {
  void runOnOperation() override {
    markAllAnalysesPreserved();
    if (failed(check())) signalPassFailure();
  }

  LogicalResult check() {
    ModuleOp module = getOperation();
    SymbolTable symbols(module);
    int entries = 0;
    for (Operation &op : *module.getBody()) {
      if (isMesh(&op)) continue;
      auto routine = dyn_cast<tpu::RoutineOp>(op);
      auto twin = dyn_cast<tpu::TwinOp>(op);
      if (!routine && !twin && !mlir::isa<tpu::BufferOp>(op))
        return broken(&op, "expects buffers and routines, but got '" + op.getName().getStringRef() + "'");
      if (twin && failed(verifyTwin(twin, symbols))) return failure();
      if (!routine) continue;
      entries += routine.getEntry();
      if (failed(verifyRoutine(routine, symbols))) return failure();
    }
    if (entries != 1) return broken(module, "expects one entry, but got " + Twine(entries));
    if (failed(verifyResidents(module, symbols)) || failed(verifyAlone(module, symbols))) return failure();
    if (failed(verifyBuffers(module))) return failure();
    return verifyArenaLives(module, symbols);
  }
};

}  // namespace
}  // namespace tpuc::verify
