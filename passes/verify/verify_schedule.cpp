// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// After schedule: every bundle is the target's, and a routine's memory fits.
#include "dialects/diagnostics/diagnose.h"
#include "dialects/tpu/tpu.h"
#include "passes/verify/passes.h"
#include "runtime/isa/executable.h"
#include "runtime/timing/machine_model.h"

using namespace mlir;

namespace tpuc::verify {
#define GEN_PASS_DEF_VERIFYSCHEDULEPASS
#include "passes/verify/passes.h.inc"
namespace {

struct VerifySchedule : impl::VerifySchedulePassBase<VerifySchedule> {
  using VerifySchedulePassBase::VerifySchedulePassBase;

  void runOnOperation() override {
    markAllAnalysesPreserved();
    if (failed(check())) signalPassFailure();
  }

  LogicalResult check() {
    ModuleOp module = getOperation();
    target::Target machine;
    std::string error;
    bool known = target::loadTarget(target, machine, error);
    for (const std::string &s : sets) known = known && target::setConstant(machine, s, error);
    if (!known) return diagnose(module, codes::kBadTarget) << error;
    timing::MachineModel model(machine);
    int entries = 0;
    for (Operation &op : *module.getBody()) {
      if (isMesh(&op)) continue;
      auto bundles = dyn_cast<tpu::BundlesOp>(op);
      if (!bundles && !mlir::isa<tpu::BufferOp>(op))
        return broken(&op, "expects buffers and bundles, but got '" + op.getName().getStringRef() + "'");
      if (!bundles) continue;
      entries += bundles.getEntry();
      if (failed(checkBundles(bundles, model)) || failed(checkMemory(bundles, machine))) return failure();
    }
    return entries == 1 ? success() : LogicalResult(broken(module, "expects one entry, but got " + Twine(entries)));
  }

  static LogicalResult checkBundles(tpu::BundlesOp op, const timing::MachineModel &model) {
    const std::vector<isa::Inst> code = op.instructions();
    int64_t index = 0;
    for (size_t first = 0, i = 0; i < code.size(); ++i) {
      if (!code[i].last) continue;
      if (std::string why = problem(ArrayRef(code).slice(first, i + 1 - first), model); !why.empty())
        return broken(op, "bundle " + Twine(index) + ": " + why);
      first = i + 1;
      ++index;
    }
    return success();
  }

  // Kernels leave room for what registers spill, but how much that is only their allocation knows.
  static LogicalResult checkMemory(tpu::BundlesOp op, const target::Target &machine) {
    auto fits = [&](StringRef fact, int64_t unit, int64_t room, StringRef memory) -> LogicalResult {
      auto count = op.getFactsAttr() ? op.getFactsAttr().getAs<IntegerAttr>(fact) : IntegerAttr();
      if (!count)
        return broken(op,
                      "expects routine '" + op.getSymName() + "' to say how much " + memory + " it takes, in " + fact);
      if (count.getInt() >= 0 && count.getInt() * unit <= room) return success();
      return diagnose(op, codes::kOverSpilled)
             << "expects routine '" << op.getSymName() << "' with its spilled registers to fit " << room << " bytes of "
             << machine.name() << "'s " << memory << ", but got " << count.getInt() * unit
             << "; compile with --no-fuse, or choose another target";
    };
    return success(succeeded(fits("vmem_words", isa::kWordBytes, machine.core().vmem_bytes(), "VMEM")) &&
                   succeeded(fits("smem_bytes", 1, machine.core().smem_bytes(), "SMEM")));
  }

  static std::string problem(ArrayRef<isa::Inst> bundle, const timing::MachineModel &model) {
    for (const isa::Inst &inst : bundle)
      if (!model.supports(inst.op)) return "the target has no '" + isa::format(inst) + "'";
    return timing::checkSlots(model, bundle.data(), static_cast<int>(bundle.size()));
  }
};

}  // namespace
}  // namespace tpuc::verify
