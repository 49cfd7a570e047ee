// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// tpu.routine -> tpu.bundles through the back end.
#include <utility>

#include "dialects/diagnostics/diagnose.h"
#include "mlir/IR/Threading.h"
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
    // Each routine by itself: what the scheduler knows of the others is their names.
    parallelForEach(&getContext(), works, [&](Work &work) { schedule(work, model); });
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
    machine::Scheduled scheduled;
    std::vector<std::string> bundles;
    std::string error;
    bool sound = false;
  };

  void schedule(Work &work, const timing::MachineModel &model) {
    schedule::Options options;
    options.pipeline = pipeline;
    work.sound = schedule::scheduleRoutine(work.routine, model, work.scheduled, work.error, options);
    if (!work.sound) return;
    std::string line;
    for (const isa::Inst &inst : work.scheduled.code) {
      if (!line.empty()) line += " ; ";
      line += isa::format(inst);
      if (inst.last) work.bundles.push_back(std::exchange(line, ""));
    }
  }

  LogicalResult emit(tpu::RoutineOp op, const Work &work, const ConvertContext &context) {
    if (!work.sound) return diagnose(op, codes::kBrokenStage) << work.error;
    const machine::Routine &routine = work.routine;
    const machine::Scheduled &scheduled = work.scheduled;
    OpBuilder b(op);
    SmallVector<Attribute> bundles, locations;
    for (auto [i, text] : llvm::enumerate(work.bundles)) {
      bundles.push_back(b.getStringAttr(text));
      int32_t loc = i < scheduled.bundleLoc.size() ? scheduled.bundleLoc[i] : -1;
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
