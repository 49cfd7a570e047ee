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
    for (auto [index, line] : llvm::enumerate(op.getBundles().getAsRange<StringAttr>()))
      if (std::string why = problem(line.getValue(), model); !why.empty())
        return broken(op, "bundle " + Twine(index) + ": " + why);
    return success();
  }

  // Kernels leave room for what registers spill, but how much that is only their allocation knows.
  static LogicalResult checkMemory(tpu::BundlesOp op, const target::Target &machine) {
    auto fits = [&](StringRef fact, int64_t unit, int64_t room, StringRef memory) -> LogicalResult {
      auto count = op.getFactsAttr() ? op.getFactsAttr().getAs<IntegerAttr>(fact) : IntegerAttr();
      if (!count || count.getInt() * unit <= room) return success();
      return diagnose(op, codes::kOverSpilled)
             << "expects routine '" << op.getSymName() << "' with its spilled registers to fit " << room << " bytes of "
             << machine.name() << "'s " << memory << ", but got " << count.getInt() * unit
             << "; compile with --no-fuse, or choose another target";
    };
    return success(succeeded(fits("vmem_words", isa::kWordBytes, machine.core().vmem_bytes(), "VMEM")) &&
                   succeeded(fits("smem_bytes", 1, machine.core().smem_bytes(), "SMEM")));
  }

  static std::string problem(StringRef line, const timing::MachineModel &model) {
    SmallVector<StringRef> parts;
    line.split(parts, " ; ");
    SmallVector<isa::Inst> bundle;
    for (StringRef part : parts) {
      isa::Inst inst;
      std::string error;
      if (!isa::parseInst(std::string_view(part.data(), part.size()), inst, error))
        return ("'" + part + "': " + error).str();
      if (!model.supports(inst.op)) return ("the target has no '" + part + "'").str();
      bundle.push_back(inst);
    }
    return timing::checkSlots(model, bundle.data(), static_cast<int>(bundle.size()));
  }
};

}  // namespace
}  // namespace tpuc::verify
