//===- factors.cpp - along which axes each factor of an op is computed --------------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===-----------------------------------------------------------------------------===//
#include "passes/shard/partition/factors.h"

using namespace mlir;

namespace tpuc::shard {

Factors::Factors(sdy::OpShardingRuleAttr attribute) : rule(Rule::decode(attribute)) {
  kinds.assign(rule.sizes.size(), FactorKind::PassThrough);
  for (int64_t factor : attribute.getReduction()) kinds[factor] = FactorKind::Reduction;
  for (int64_t factor : attribute.getNeedReplication()) kinds[factor] = FactorKind::NeedReplication;
  for (int64_t factor : attribute.getPermutation()) kinds[factor] = FactorKind::Permutation;
  allowed.resize(rule.sizes.size());
  for (int factor = 0, end = rule.sizes.size(); factor < end; ++factor)
    if (kinds[factor] == FactorKind::PassThrough && inOperands(factor) && inResults(factor)) allowed.set(factor);
}

bool Factors::has(int array, int factor) const {
  return llvm::any_of(rule.dims[array], [&](auto &dim) { return llvm::is_contained(dim, factor); });
}
bool Factors::inOperands(int factor) const {
  for (int array = 0; array < rule.operands; ++array)
    if (has(array, factor)) return true;
  return false;
}
bool Factors::inResults(int factor) const {
  for (int array = rule.operands; array < arrays(); ++array)
    if (has(array, factor)) return true;
  return false;
}
void Factors::allow(FactorKind kind) {
  for (auto [factor, own] : llvm::enumerate(kinds))
    if (own == kind) allowed.set(factor);
}

namespace {

bool overlapsAny(Axis axis, ArrayRef<Axes> all, int except) {
  for (auto [factor, axes] : llvm::enumerate(all))
    if (static_cast<int>(factor) != except &&
        llvm::any_of(axes, [&](Axis other) { return sdy::overlap(axis, other) || !sdy::canCoexist(axis, other); }))
      return true;
  return false;
}

class Chooser {
 public:
  Chooser(const Factors &factors, const Arrays &arrays) : factors(factors), arrays(arrays) {
    for (const Layout &layout : arrays.wanted)
      if (!mesh && !layout.isUnsharded()) mesh = layout.mesh;
  }

  Choice run() {
    std::optional<Choice> best;
    double bestCost = 0;
    auto offer = [&](SmallVector<Axes> axes) {
      makeSound(axes);
      Choice choice = complete(std::move(axes));
      if (llvm::is_contained(seen, choice.axes)) return;
      seen.push_back(choice.axes);
      double cost = costOf(choice);
      if (best && cost >= bestCost) return;
      choice.cost = cost;
      best = std::move(choice);
      bestCost = cost;
    };
    if (mesh) {
      SmallVector<int> order = bySize();
      for (int leader : order) {
        SmallVector<Axes> axes(factors.rule.sizes.size());
        take(leader, axes);
        offer(axes);  // the leader alone
        for (int array : order) take(array, axes);
        offer(axes);
        moveStuck(axes);
        offer(axes);
      }
    }
    offer(SmallVector<Axes>(factors.rule.sizes.size()));
    return std::move(*best);
  }

 private:
  // Results first, then large arrays before small ones: among equal costs the first leader's choice is taken.
  SmallVector<int> bySize() const {
    SmallVector<int> order = llvm::to_vector(llvm::seq<int>(0, factors.arrays()));
    auto elements = [&](int array) {
      int64_t product = 1;
      for (int64_t size : arrays.shapes[array]) product *= size;
      return product;
    };
    llvm::stable_sort(order, [&](int a, int b) {
      bool aIsResult = a >= factors.rule.operands, bIsResult = b >= factors.rule.operands;
      return aIsResult != bIsResult ? aIsResult : elements(a) > elements(b);
    });
    return order;
  }

  View viewOf(int array) const {
    Sharding sharding;
    sharding.mesh = mesh;
    for (const DimLayout &dim : arrays.wanted[array].dims) sharding.dims.push_back({dim.axes, true, std::nullopt});
    return project(factors.rule, array, sharding, arrays.shapes[array], /*conservative=*/false);
  }
  bool onMesh(int array) const {
    const Layout &layout = arrays.wanted[array];
    return !layout.isUnsharded() && layout.mesh->attr == mesh->attr;
  }

  // What `array` asks for, of factors that have nothing yet.
  void take(int array, SmallVector<Axes> &axes) const {
    if (!onMesh(array)) return;
    for (const Factor &factor : viewOf(array).factors) {
      if (!axes[factor.id].empty() || !factors.allowed.test(factor.id)) continue;
      for (Axis axis : factor.axes) {
        if (overlapsAny(axis, axes, /*except=*/-1)) break;
        axes[factor.id].push_back(axis);
      }
    }
  }

  // Axes that arrays have along factors that need to be whole go to others that they divide, or that are longer.
  void moveStuck(SmallVector<Axes> &axes) const {
    for (int array : bySize()) {
      if (!onMesh(array)) continue;
      for (const Factor &stuck : viewOf(array).factors) {
        if (factors.allowed.test(stuck.id)) continue;
        for (Axis axis : stuck.axes)
          for (bool mustDivide : {true, false})
            for (int factor = 0, end = axes.size(); factor < end; ++factor) {
              const int64_t parts = sdy::shardedSize(axes[factor]) * axis.size, size = factors.rule.sizes[factor];
              const bool fits = mustDivide ? size % parts == 0 : size > parts;
              if (!factors.allowed.test(factor) || !factors.has(array, factor) || !fits ||
                  factors.kinds[factor] != FactorKind::PassThrough || overlapsAny(axis, axes, -1))
                continue;
              axes[factor].push_back(axis);
              break;
            }
      }
    }
  }

  // Takes axes away that a dimension cannot have: a later factor is sharded only where those before it are so in full,
  // and only the first can be so in unequal parts.
  void makeSound(SmallVector<Axes> &axes) const {
    for (auto [factor, own] : llvm::enumerate(axes))
      if (factors.rule.sizes[factor] == 0) own.clear();
    dropPadding(axes);
    bool changed = true;
    while (std::exchange(changed, false))
      for (auto &array : factors.rule.dims)
        for (auto &dim : array) {
          bool full = true;
          for (auto [i, factor] : llvm::enumerate(dim)) {
            int64_t parts = sdy::shardedSize(axes[factor]), size = factors.rule.sizes[factor];
            if (parts > 1 && (!full || (i > 0 && size % parts != 0))) {
              axes[factor].clear();
              parts = 1;
              changed = true;
            }
            full &= parts == size;
          }
        }
  }

  // A result has no parts that are padding alone.
  void dropPadding(SmallVector<Axes> &axes) const {
    for (int array = factors.rule.operands; array < factors.arrays(); ++array)
      for (auto [dim, size] : llvm::zip_equal(factors.rule.dims[array], arrays.shapes[array]))
        if (dim.size() == 1)
          while (sdy::shardedSize(axes[dim.front()]) > std::max<int64_t>(size, 1)) axes[dim.front()].pop_back();
  }

  Choice complete(SmallVector<Axes> axes) const {
    Choice choice;
    choice.mesh = mesh;
    for (int array = 0; array < factors.arrays(); ++array)
      choice.layouts.push_back(layoutFor(factors, array, arrays.shapes[array], axes, mesh));
    for (auto [factor, own] : llvm::enumerate(axes))
      if (factors.kinds[factor] == FactorKind::Reduction && !factors.inResults(factor))
        llvm::append_range(choice.reduced, own);
    choice.reduced = sdy::inOrder(choice.reduced);
    choice.axes = std::move(axes);
    return choice;
  }

  double costOf(const Choice &choice) const {
    double cost = arrays.work(choice);
    for (int array = 0; array < factors.arrays(); ++array) {
      Layout layout = choice.layouts[array];
      if (array < factors.rule.operands) {
        cost += arrays.costOfOperand(array, layout);
        continue;
      }
      layout.unreduced = choice.reduced;
      cost += arrays.costOfResult(array - factors.rule.operands, layout);
    }
    return cost;
  }

  const Factors &factors;
  const Arrays &arrays;
  const Mesh *mesh = nullptr;
  SmallVector<SmallVector<Axes>> seen;
};

}  // namespace

Layout layoutFor(const Factors &factors, int array, ArrayRef<int64_t> shape, ArrayRef<Axes> axes, const Mesh *mesh) {
  Layout layout = Layout::whole(shape);
  layout.mesh = mesh;
  for (auto [number, dim] : llvm::enumerate(factors.rule.dims[array])) {
    DimLayout &own = layout.dims[number];
    if (llvm::all_of(dim, [&](int factor) { return axes[factor].empty(); })) continue;
    own.block = 1;
    for (int factor : dim) {
      for (Axis axis : axes[factor]) sdy::appendAxis(own.axes, axis);
      int64_t size = dim.size() == 1 ? shape[number] : factors.rule.sizes[factor];
      own.block *= divideUp(size, sdy::shardedSize(axes[factor]));
    }
  }
  return layout;
}

Choice choose(const Factors &factors, const Arrays &arrays) { return Chooser(factors, arrays).run(); }

}  // namespace tpuc::shard
