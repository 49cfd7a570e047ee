// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// tpu.routine -> tpu.bundles through the back end.
#include "dialects/diagnostics/describe_location.h"
#include "dialects/diagnostics/diagnose.h"
#include "mlir/IR/Threading.h"
#include "passes/emission/alike.h"
#include "passes/emission/passes.h"
#include "passes/emission/to_machine.h"
#include "passes/emission/twins.h"
#include "passes/schedule/schedule.h"
#include "runtime/isa/executable.h"
#include "runtime/target/target.h"

using namespace mlir;

namespace tpuc::emission {
#define GEN_PASS_DEF_SCHEDULEBUNDLESPASS
#include "passes/emission/passes.h.inc"
namespace {

struct ScheduleBundles : impl::ScheduleBundlesPassBase<ScheduleBundles> {
  using ScheduleBundlesPassBase::ScheduleBundlesPassBase;

  void runOnOperation() override {
    ModuleOp module = getOperation();
    target::Target t;
    std::string error;
    bool ok = target::loadTarget(target, t, error);
    for (const std::string &s : sets) ok = ok && target::setConstant(t, s, error);
    if (!ok) {
      diagnose(module, codes::kBadTarget) << error;
      return signalPassFailure();
    }
    timing::MachineModel model(t);
    machine::Program program;
    DescriptorTable descriptors;
    ConvertContext context{.descriptors = descriptors, .program = program};
    int32_t buffers = 0, routines = 0;
    for (auto buffer : module.getOps<tpu::BufferOp>())
      if (!buffer.getViewOf() && buffer.getKind() != "vmem") descriptors.buffers[buffer.getSymName()] = {buffers++, 0};
    for (auto buffer : module.getOps<tpu::BufferOp>())
      if (auto whole = buffer.getViewOf())
        descriptors.buffers[buffer.getSymName()] = {descriptors.buffers.lookup(*whole).index,
                                                    static_cast<int64_t>(buffer.getOffset())};
    SmallVector<Operation *> ops;
    for (Operation &op : *module.getBody())
      if (mlir::isa<tpu::RoutineOp, tpu::TwinOp>(op)) ops.push_back(&op);
    std::vector<Work> works(ops.size());
    llvm::StringMap<Work *> named;
    for (auto [op, work] : llvm::zip(ops, works)) {
      StringRef name = SymbolTable::getSymbolName(op).getValue();
      context.routines[name] = routines++;
      named[name] = &work;
      work.op = op;
    }
    for (Work &work : works)
      if (auto routine = dyn_cast<tpu::RoutineOp>(work.op))
        if (failed(toMachine(routine, context, work.routine))) return signalPassFailure();
    scheduleAll(works, model);
    for (Work &work : works)
      if (auto twin = dyn_cast<tpu::TwinOp>(work.op))
        if (failed(adopt(work, twin, *named.lookup(twin.getOriginal()), context))) return signalPassFailure();
    for (Work &work : works)
      if (failed(emit(work, context))) return signalPassFailure();
    for (Operation *op : ops) op->erase();
    OpBuilder b(module.getContext());
    SmallVector<Attribute> table;
    for (const isa::DmaDescriptor &d : descriptors.entries) table.push_back(b.getStringAttr(isa::format(d)));
    module->setAttr("tpu.descriptors", b.getArrayAttr(table));
    if (!context.hostCalls.empty())
      module->setAttr("tpu.host_calls",
                      b.getStrArrayAttr(SmallVector<StringRef>(context.hostCalls.begin(), context.hostCalls.end())));
  }

  struct Work {
    Operation *op = nullptr;
    machine::Routine routine;
    Names names;
    std::string key;
    Work *first = nullptr;  // of those that are alike: its schedule is all of theirs
    machine::Scheduled scheduled;
    std::string error;
    bool sound = false;
  };

  // Each routine by itself, and those that are alike once: what the scheduler knows of others is their names.
  void scheduleAll(std::vector<Work> &works, const timing::MachineModel &model) {
    SmallVector<Work *> routines;
    for (Work &work : works)
      if (mlir::isa<tpu::RoutineOp>(work.op)) routines.push_back(&work);
    parallelForEach(&getContext(), routines, [](Work *work) {
      work->names = takeNames(work->routine);
      work->key = keyOf(work->routine);
    });
    llvm::StringMap<Work *> firsts;
    for (Work *work : routines) work->first = firsts.try_emplace(work->key, work).first->second;
    parallelForEach(&getContext(), llvm::make_second_range(firsts), [&](Work *work) { schedule(*work, model); });
  }

  // A twin has its original's schedule.
  static LogicalResult adopt(Work &work, tpu::TwinOp twin, const Work &original, ConvertContext &context) {
    auto names = namesOf(twin, cast<tpu::RoutineOp>(original.op), original.names, context);
    if (failed(names)) return failure();
    work.names = std::move(*names);
    work.first = original.first;
    return success();
  }

  void schedule(Work &work, const timing::MachineModel &model) {
    schedule::Options options;
    options.pipeline = pipeline;
    work.sound = schedule::scheduleRoutine(work.routine, model, work.scheduled, work.error, options);
  }

  LogicalResult emit(const Work &work, const ConvertContext &context) {
    if (!work.first->sound) return diagnose(work.op, codes::kBrokenStage) << work.first->error;
    const machine::Routine &routine = work.first->routine;
    machine::Scheduled own = work.first->scheduled;
    giveNames(work.names, own);
    SmallVector<StringRef> places;
    for (int32_t loc : own.bundleLoc)
      places.push_back(loc < 0 ? StringRef() : StringRef(context.program.locations[loc]));
    NamedAttrList facts;
    if (auto given = work.op->getAttrOfType<DictionaryAttr>("facts")) facts = NamedAttrList(given);
    OpBuilder b(work.op);
    facts.set("vmem_words", b.getI64IntegerAttr(routine.spillVmemWord + own.spillVmemWords));
    facts.set("smem_bytes", b.getI64IntegerAttr(routine.spillSmemByte + own.spillSmemBytes));
    facts.set("location", b.getStringAttr(describeLocation(work.op->getLoc())));
    auto entry = dyn_cast<tpu::RoutineOp>(work.op);
    tpu::BundlesOp::create(b, work.op->getLoc(), SymbolTable::getSymbolName(work.op), entry && entry.getEntry(),
                           own.code, places, facts.getDictionary(b.getContext()));
    return success();
  }
};

}  // namespace
}  // namespace tpuc::emission
