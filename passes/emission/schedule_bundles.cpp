// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// tpu.routine -> tpu.bundles through the back end.
#include <utility>

#include "dialects/diagnostics/diagnose.h"
#include "mlir/IR/Threading.h"
#include "passes/emission/alike.h"
#include "passes/emission/passes.h"
#include "passes/emission/to_machine.h"
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
      if (auto whole = buffer.getViewOf(); whole && buffer.getKind() != "vmem")
        descriptors.buffers[buffer.getSymName()] = {descriptors.buffers.lookup(*whole).index,
                                                    static_cast<int64_t>(buffer.getOffset())};
    SmallVector<tpu::RoutineOp> ops(module.getOps<tpu::RoutineOp>());
    for (auto op : ops) context.routines[op.getSymName()] = routines++;
    std::vector<Work> works(ops.size());
    for (auto [op, work] : llvm::zip(ops, works))
      if (failed(toMachine(op, context, work.routine))) return signalPassFailure();
    // Each routine by itself, and those that are alike once: what the scheduler knows of others is their names.
    parallelForEach(&getContext(), works, [](Work &work) {
      work.names = takeNames(work.routine);
      work.key = keyOf(work.routine);
    });
    llvm::StringMap<Work *> firsts;
    for (Work &work : works) work.first = firsts.try_emplace(work.key, &work).first->second;
    parallelForEach(&getContext(), llvm::make_second_range(firsts), [&](Work *work) { schedule(*work, model); });
    parallelForEach(&getContext(), works, [](Work &work) { format(work); });
    for (auto [op, work] : llvm::zip(ops, works))
      if (failed(emit(op, work, context))) return signalPassFailure();
    OpBuilder b(module.getContext());
    SmallVector<Attribute> table;
    for (const isa::DmaDescriptor &d : descriptors.entries) table.push_back(b.getStringAttr(isa::format(d)));
    module->setAttr("tpu.descriptors", b.getArrayAttr(table));
    if (!context.hostCalls.empty())
      module->setAttr("tpu.host_calls",
                      b.getStrArrayAttr(SmallVector<StringRef>(context.hostCalls.begin(), context.hostCalls.end())));
  }

  struct Work {
    machine::Routine routine;
    Names names;
    std::string key;
    Work *first = nullptr;  // of those that are alike: its schedule is all of theirs
    machine::Scheduled scheduled;
    std::vector<std::string> bundles;
    std::vector<int32_t> locations;
    std::string error;
    bool sound = false;
  };

  void schedule(Work &work, const timing::MachineModel &model) {
    schedule::Options options;
    options.pipeline = pipeline;
    work.sound = schedule::scheduleRoutine(work.routine, model, work.scheduled, work.error, options);
  }

  static void format(Work &work) {
    machine::Scheduled own = work.first->scheduled;
    giveNames(work.names, own);
    std::string line;
    for (const isa::Inst &inst : own.code) {
      if (!line.empty()) line += " ; ";
      line += isa::format(inst);
      if (inst.last) work.bundles.push_back(std::exchange(line, ""));
    }
    work.locations = std::move(own.bundleLoc);
  }

  LogicalResult emit(tpu::RoutineOp op, const Work &work, const ConvertContext &context) {
    if (!work.first->sound) return diagnose(op, codes::kBrokenStage) << work.first->error;
    const machine::Routine &routine = work.routine;
    const machine::Scheduled &scheduled = work.first->scheduled;
    OpBuilder b(op);
    SmallVector<Attribute> bundles, locations;
    for (auto [i, text] : llvm::enumerate(work.bundles)) {
      bundles.push_back(b.getStringAttr(text));
      int32_t loc = i < work.locations.size() ? work.locations[i] : -1;
      locations.push_back(b.getStringAttr(loc < 0 ? "" : context.program.locations[loc]));
    }
    NamedAttrList facts;
    if (op.getFactsAttr()) facts = NamedAttrList(op.getFactsAttr());
    int64_t words = routine.spillVmemWord + scheduled.spillVmemWords;
    facts.set("vmem_words", b.getI64IntegerAttr(words));
    facts.set("smem_bytes", b.getI64IntegerAttr(routine.spillSmemByte + scheduled.spillSmemBytes));
    facts.set("location", b.getStringAttr(describeLocation(op.getLoc())));
    tpu::BundlesOp::create(b, op.getLoc(), op.getSymNameAttr(), op.getEntry(), b.getArrayAttr(bundles),
                           b.getArrayAttr(locations), facts.getDictionary(b.getContext()));
    op.erase();
    return success();
  }
};

}  // namespace
}  // namespace tpuc::emission
