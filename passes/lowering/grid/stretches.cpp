// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "passes/lowering/grid/stretches.h"

#include <map>
#include <set>

#include "dialects/kernel/function.h"
#include "passes/lowering/body/masks.h"

using namespace mlir;

namespace tpuc::lowering {
namespace {

// Each stretch is a loop of its own: its code is as long as that of the whole nest, and its pipeline fills and drains.
constexpr size_t kMostStretches = 9, kMostOps = 256;  // ops: of all stretches
constexpr int64_t kFewestVregs = 8;                   // of each, on average

// The indices, by domain dim, at which a mask of a value changes.
class Changes {
 public:
  explicit Changes(const Body &body) : body_(body) {}

  void addValue(Value v, const DimMap &map) {
    if (body_.providers.contains(v) || !seen_.insert({v.getAsOpaquePointer(), {map.begin(), map.end()}}).second) return;
    if (auto it = body_.blocks.find(v); it != body_.blocks.end()) return addPadding(it->second->array, map);
    Operation *op = v.getDefiningOp();
    if (!op || op->getNumRegions()) return;
    if (auto select = dyn_cast<stablehlo::SelectOp>(op))
      if (auto mask = indexMaskOf(select.getPred(), *operandMap(select, 0, map))) at_[mask->dim].insert(mask->bound);
    for (unsigned i = 0; i < op->getNumOperands(); ++i)
      if (auto under = operandMap(op, i, map)) addValue(op->getOperand(i), *under);
  }

  const std::set<int64_t> &along(int64_t d) { return at_[d]; }

 private:
  void addPadding(const Array &a, const DimMap &map) {
    if (!a.padding) return;
    for (auto [shuffle, phys] : {std::pair(&a.rowShuffle, a.rank() - 2), std::pair(&a.laneShuffle, a.rank() - 1)}) {
      if (!*shuffle || (*shuffle)->step != 1 || (*shuffle)->every != 1) continue;
      std::set<int64_t> &at = at_[map[a.order[phys]]];
      at.insert(-(*shuffle)->first);
      at.insert(a.held(phys) - (*shuffle)->first);
    }
  }

  const Body &body_;
  std::map<int64_t, std::set<int64_t>> at_;
  std::set<std::pair<const void *, std::vector<int64_t>>> seen_;
};

}  // namespace

IndexRange indicesOf(const Domain &domain, const Stretch &stretch) {
  const int64_t unit = domain.loopUnit(stretch.dim);
  return {stretch.begin * unit, std::min(stretch.end * unit, domain.dims[stretch.dim]) - 1};
}

SmallVector<Stretch> stretchesOf(const Body &body, Space &space, ValueRange values, ArrayRef<int64_t> dims) {
  const Domain &domain = space.domain;
  if (domain.linear) return {};
  Changes changes(body);
  for (Value v : values) changes.addValue(v, space.mapOf(v));
  int64_t vregs = 1;
  for (int64_t d : dims) vregs *= llvm::divideCeil(domain.block[d], domain.loopUnit(d));
  const size_t ops = kernel::lengthOf(*values.front().getParentBlock());
  // Along the innermost dim that has any.
  for (int64_t d : llvm::reverse(dims)) {
    if (domain.steps(d) != 1) continue;
    const int64_t unit = domain.loopUnit(d), extent = domain.dims[d];
    std::set<int64_t> cuts;
    for (int64_t at : changes.along(d))
      if (at > 0 && at < extent) cuts.insert({at / unit, static_cast<int64_t>(llvm::divideCeil(at, unit))});
    cuts.insert({0, static_cast<int64_t>(llvm::divideCeil(extent, unit))});
    const size_t parts = cuts.size() - 1;
    if (parts < 2) continue;
    if (parts > kMostStretches || parts * ops > kMostOps || vregs < kFewestVregs * static_cast<int64_t>(parts))
      return {};
    SmallVector<Stretch> stretches;
    for (auto it = cuts.begin(); std::next(it) != cuts.end(); ++it) stretches.push_back({d, *it, *std::next(it)});
    return stretches;
  }
  return {};
}

}  // namespace tpuc::lowering
