// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// After shard: one device's program, collectives whole.
#include "dialects/stablehlo/device_grid.h"
#include "dialects/stablehlo/stablehlo.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "passes/verify/passes.h"

using namespace mlir;

namespace tpuc::verify {
#define GEN_PASS_DEF_VERIFYSHARDPASS
#include "passes/verify/passes.h.inc"

namespace {

LogicalResult verifyNoShardings(Operation *op) {
  if (op->getName().getDialectNamespace() == "sdy")
    return broken(op, "expects no ops of sdy, but got '" + op->getName().getStringRef() + "'");
  for (NamedAttribute attribute : op->getDiscardableAttrs())
    if (attribute.getName().strref().starts_with("sdy."))
      return broken(op, "expects no shardings, but got '" + attribute.getName().strref() + "'");
  auto function = dyn_cast<FunctionOpInterface>(op);
  for (ArrayAttr all :
       {function ? function.getArgAttrsAttr() : ArrayAttr(), function ? function.getResAttrsAttr() : ArrayAttr()})
    for (Attribute one : all ? all.getValue() : ArrayRef<Attribute>())
      for (NamedAttribute attribute : cast<DictionaryAttr>(one))
        if (attribute.getName().strref().starts_with("sdy."))
          return broken(
              op, "expects no shardings of arguments and results, but got '" + attribute.getName().strref() + "'");
  return success();
}

// Members are among the devices, each in one group at most.
LogicalResult verifyMembers(Operation *op, DenseIntElementsAttr table, int64_t devices, bool once) {
  DenseSet<int64_t> seen;
  for (const APInt &number : table.getValues<APInt>()) {
    int64_t member = number.getSExtValue();
    if (member < -1 || member >= devices)
      return broken(op, "expects one of " + Twine(devices) + " devices, but got " + Twine(member));
    if (once && member >= 0 && !seen.insert(member).second)
      return broken(op, "expects each device once, but got " + Twine(member) + " again");
  }
  return success();
}

LogicalResult verifyCollective(Operation *op, int64_t devices, DenseSet<int64_t> &channels) {
  auto channel = op->getAttrOfType<stablehlo::ChannelHandleAttr>("channel_handle");
  if (channel && (channel.getHandle() <= 0 || !channels.insert(channel.getHandle()).second))
    return broken(op, "expects a positive channel of its own, but got " + Twine(channel.getHandle()));
  if (auto groups = op->getAttrOfType<DenseIntElementsAttr>("replica_groups"))
    return verifyMembers(op, groups, devices, /*once=*/true);
  if (auto pairs = op->getAttrOfType<DenseIntElementsAttr>("source_target_pairs"))
    return verifyMembers(op, pairs, devices, /*once=*/false);
  return success();
}

struct VerifyShard : impl::VerifyShardPassBase<VerifyShard> {
  void runOnOperation() override {
    markAllAnalysesPreserved();
    ModuleOp module = getOperation();
    if (failed(verifyOneFunction(module))) return signalPassFailure();
    int64_t devices = stablehlo::gridOf(module).devices();
    if (!stablehlo::namesGrid(module)) {
      broken(module, "expects mhlo.num_partitions and mhlo.num_replicas");
      return signalPassFailure();
    }
    DenseSet<int64_t> channels;
    WalkResult walk = module.walk([&](Operation *op) {
      bool sound = succeeded(verifyNoShardings(op)) && succeeded(verifyCollective(op, devices, channels));
      return sound ? WalkResult::advance() : WalkResult::interrupt();
    });
    if (walk.wasInterrupted()) signalPassFailure();
  }
};

}  // namespace
}  // namespace tpuc::verify
