// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// tpu.routine -> tpu.bundles through the back end.
#include "dialects/diagnostics/diagnose.h"
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
    for (auto op : ops)
      if (failed(schedule(op, context, model))) return signalPassFailure();
    OpBuilder b(module.getContext());
    SmallVector<Attribute> table;
    for (const isa::DmaDescriptor &d : descriptors.entries) table.push_back(b.getStringAttr(isa::format(d)));
    module->setAttr("tpu.descriptors", b.getArrayAttr(table));
    if (!context.hostCalls.empty())
      module->setAttr("tpu.host_calls",
                      b.getStrArrayAttr(SmallVector<StringRef>(context.hostCalls.begin(), context.hostCalls.end())));
  }

  LogicalResult schedule(tpu::RoutineOp op, ConvertContext &context, const timing::MachineModel &model) {
    machine::Routine routine;
    if (failed(toMachine(op, context, routine))) return failure();
    machine::Scheduled scheduled;
    std::string error;
    schedule::Options options;
    options.pipeline = pipeline;
    if (!schedule::scheduleRoutine(routine, model, scheduled, error, options))
      return diagnose(op, codes::kBrokenStage) << error;
    OpBuilder b(op);
    SmallVector<Attribute> bundles, locations;
    std::string line;
    size_t bundle = 0;
    for (const isa::Inst &inst : scheduled.code) {
      if (!line.empty()) line += " ; ";
      line += isa::format(inst);
      if (!inst.last) continue;
      bundles.push_back(b.getStringAttr(line));
      line.clear();
      int32_t loc = bundle < scheduled.bundleLoc.size() ? scheduled.bundleLoc[bundle] : -1;
      locations.push_back(b.getStringAttr(loc < 0 ? "" : context.program.locations[loc]));
      ++bundle;
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
