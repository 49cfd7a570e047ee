// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Which kernels do the program's own products, and how much of each.
//
// 1. All ops that passes made of a product have its location. Where several kernels have parts of one product, each
//    gets the share that it computes: of the matrix unit's work, else of the lanes' work, else of the elements moved.
// 2. A kernel in a loop of known trip count counts as often as it runs. A kernel's flops are those of one call.
#include "dialects/kernel/counts.h"
#include "dialects/stablehlo/flops.h"
#include "dialects/stablehlo/stablehlo.h"
#include "passes/fusion/passes.h"

using namespace mlir;

namespace tpuc::fusion {
#define GEN_PASS_DEF_ASSIGNFLOPSPASS
#include "passes/fusion/passes.h.inc"
namespace {

constexpr unsigned kKinds = 3;  // of work: the matrix unit's, the lanes', moves
using Work = std::array<double, kKinds>;

struct Product {
  stablehlo::SourceProduct source;
  Work work{};
};

double elementsOf(ValueRange values) {
  double most = 0;
  for (Value v : values)
    if (auto type = dyn_cast<RankedTensorType>(v.getType()))
      most = std::max(most, static_cast<double>(type.getNumElements()));
  return most;
}

Work workOf(Operation *op) {
  if (double flops = stablehlo::flopsOf(op); flops > 0) return {flops, 0, 0};
  if (op->hasTrait<stablehlo::IsElementwise>() || mlir::isa<stablehlo::ReduceOp, stablehlo::ReduceWindowOp>(op))
    return {0, std::max(elementsOf(op->getOperands()), elementsOf(op->getResults())), 0};
  return {0, 0, elementsOf(op->getResults())};
}

double callsOf(kernel::FusionOp fusion) {
  double calls = 1;
  for (Operation *parent = fusion->getParentOp(); parent; parent = parent->getParentOp())
    calls *= static_cast<double>(kernel::tripCountOf(parent).value_or(1));
  return calls;
}

using Products = std::map<int64_t, Product>;  // by the product's number

Products productsOf(kernel::FusionOp fusion) {
  Products out;
  fusion.getBody().walk([&](Operation *op) {
    for (const stablehlo::SourceProduct &source : stablehlo::productsIn(op->getLoc())) {
      Product &product = out[source.number];
      product.source = source;
      Work work = workOf(op);
      for (unsigned k = 0; k < kKinds; ++k) product.work[k] += work[k];
    }
  });
  return out;
}

struct AssignFlops : impl::AssignFlopsPassBase<AssignFlops> {
  void runOnOperation() override {
    SmallVector<std::pair<kernel::FusionOp, Products>> kernels;
    std::map<int64_t, Work> totals;
    getOperation().walk([&](kernel::FusionOp fusion) {
      kernels.push_back({fusion, productsOf(fusion)});
      for (auto &[number, product] : kernels.back().second)
        for (unsigned k = 0; k < kKinds; ++k) totals[number][k] += product.work[k] * callsOf(fusion);
    });
    for (auto &[fusion, products] : kernels) {
      double flops = 0, ofBytes = 0;
      for (auto &[number, product] : products) {
        const Work &total = totals[number];
        unsigned kind = total[0] > 0 ? 0 : total[1] > 0 ? 1 : 2;
        if (total[kind] <= 0) continue;
        (product.source.ofBytes ? ofBytes : flops) += product.source.flops * product.work[kind] / total[kind];
      }
      if (flops + ofBytes <= 0) continue;
      auto rounded = [](double n) { return static_cast<int64_t>(std::llround(n)); };
      fusion->setAttr(kernel::kFlopsAttr, DenseI64ArrayAttr::get(&getContext(), {rounded(flops), rounded(ofBytes)}));
    }
  }
};

}  // namespace
}  // namespace tpuc::fusion
