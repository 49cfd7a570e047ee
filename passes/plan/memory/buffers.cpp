// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Planning over the sequence of kernels: what stays in VMEM, and HBM by first fit over liveness.
#include "passes/plan/memory/buffers.h"

#include <map>

#include "dialects/diagnostics/diagnose.h"
#include "dialects/kernel/kernel.h"
#include "dialects/kernel/plan.h"
#include "dialects/stablehlo/stablehlo.h"
#include "passes/plan/memory/arena.h"

using namespace mlir;

namespace tpuc::plan {
namespace {

LogicalResult refuse(func::FuncOp main, const target::Target &target, int64_t total, double capacity,
                     ArrayRef<Interval> intervals, ArrayRef<Value> fixed) {
  const int64_t peakAt = peakOf(intervals);
  SmallVector<std::pair<int64_t, Value>> alive;
  for (const Interval &it : intervals)
    if (it.first <= peakAt && peakAt <= it.last) alive.push_back({it.size, it.value});
  for (Value v : fixed) alive.push_back({bytesOf(v), v});
  llvm::sort(alive, [](auto &a, auto &b) { return a.first > b.first; });
  auto diag = diagnose(main, codes::kOverHbm)
              << "expects a program of " << static_cast<int64_t>(capacity) << " bytes of " << target.name()
              << "'s HBM at most, but got " << total
              << "; shard it over more chips, reduce the batch, or choose another target";
  for (auto [size, v] : ArrayRef(alive).take_front(3))
    diag.attachNote(v.getLoc()) << "alive at the peak: " << v.getType() << ", " << size << " bytes";
  return diag;
}

}  // namespace

std::unique_ptr<StorageMap> storageOf(func::FuncOp main, const DenseSet<Value> &apart) {
  auto map = std::make_unique<StorageMap>(main);
  SmallVector<int64_t> aliases = map->findAliases();
  if (!aliases.empty() || !apart.empty()) map = std::make_unique<StorageMap>(main, aliases, apart);
  return map;
}

// Drops those results of loops from `apart` that no loop carries in VMEM. Whether there were any.
static bool eraseInHbm(DenseSet<Value> &apart, const StorageMap &map) {
  SmallVector<Value> inHbm;
  for (Value v : apart) {
    const Place carried = map.carriedPlace(v.getDefiningOp(), cast<OpResult>(v).getResultNumber());
    if (map.storages()[carried.storage].kind != "vmem") inHbm.push_back(v);
  }
  for (Value v : inHbm) apart.erase(v);
  return !inHbm.empty();
}

// An array that stays in VMEM: its first place, its life and what it replaces.
static void noteResident(BufferPlan &plan, const Residency::Kept &kept, BufferPlan::Entry &e) {
  e.offset = kept.places[0].word * isa::kWordBytes;
  e.size = kept.places[0].words * isa::kWordBytes;
  e.first = kept.first;
  e.last = kept.last;
  e.isReadAgain = kept.isReadAgain;
  e.isCarried = kept.isCarried;
  if (kept.over >= 0) e.over = plan.entries[kept.over].symbol;
  plan.residents[e.symbol] = kept.places;
}

// Makes an entry for each storage. Those of the arena have no offset yet, and are given back.
static SmallVector<Interval> listEntries(BufferPlan &plan) {
  static const llvm::StringMap<StringRef> prefixes = {
      {"argument", "arg"}, {"result", "res"}, {"constant", "const"}, {"arena", "tmp"}, {"vmem", "vmem"}};
  SmallVector<Interval> arena;
  for (auto [i, s] : llvm::enumerate(plan.storage->storages())) {
    BufferPlan::Entry &e = plan.entries.emplace_back();
    e.value = s.value;
    e.kind = s.kind;
    e.index = s.kind == "arena"  ? static_cast<int64_t>(arena.size())
              : s.kind == "vmem" ? static_cast<int64_t>(plan.residents.size())
                                 : s.index;
    e.symbol = (prefixes.lookup(s.kind) + Twine(e.index)).str();
    e.size = s.size;
    e.constant = s.constant;
    e.alias = s.alias;
    if (s.kind == "arena")
      arena.push_back({s.value, static_cast<int64_t>(i), s.first, s.last, s.size});
    else if (s.kind == "vmem")
      noteResident(plan, plan.residency.kept.find(i)->second, e);
  }
  return arena;
}

static void placeArena(func::FuncOp main, SmallVectorImpl<Interval> &arena, BufferPlan &plan) {
  findReplaced(main, *plan.storage, arena);
  llvm::stable_sort(arena, [](const Interval &a, const Interval &b) { return a.first < b.first; });
  plan.arenaBytes = placeIntervals(arena);
  for (const Interval &it : arena) plan.entries[it.storage].offset = it.offset;
  for (const Interval &it : arena)
    if (it.over >= 0 && plan.entries[it.over].offset == it.offset)
      plan.entries[it.storage].over = plan.entries[it.over].symbol;
}

// Gives each array the name of its storage, or of its part of one. One name a place: an update in place knows by the
// name that its operand lies where its result does.
static void nameArrays(func::FuncOp main, BufferPlan &plan) {
  std::map<std::tuple<int64_t, int64_t, int64_t>, std::string> views;
  main.walk([&](Operation *op) {
    // In program order, so that names do not depend on the host.
    auto name = [&](Value v) {
      Place place = plan.storage->placeOf(v);
      if (place.storage < 0) return;
      if (place.offset == 0) {
        plan.symbol[v] = plan.entries[place.storage].symbol;
        return;
      }
      auto [it, isNew] =
          views.try_emplace({place.storage, place.offset, bytesOf(v)}, ("view" + Twine(views.size())).str());
      if (isNew) plan.views.push_back({v, it->second, plan.entries[place.storage].symbol, place.offset, bytesOf(v)});
      plan.symbol[v] = it->second;
    };
    for (Region &region : op->getRegions())
      for (Block &block : region) llvm::for_each(block.getArguments(), name);
    llvm::for_each(op->getResults(), name);
  });
}

// `plan` has its storages.
static LogicalResult placeBuffers(func::FuncOp main, const target::Target &target, BufferPlan &plan) {
  SmallVector<Interval> arena = listEntries(plan);
  placeArena(main, arena, plan);
  nameArrays(main, plan);
  SmallVector<Value> fixed;
  plan.peakBytes = plan.arenaBytes;
  for (const BufferPlan::Entry &e : plan.entries)
    if (e.kind != "arena" && e.kind != "vmem" && e.alias < 0) {
      fixed.push_back(e.value);
      plan.peakBytes += e.size;
    }
  const double capacity = target.memory().hbm_bytes();
  if (plan.peakBytes <= capacity) return success();
  return refuse(main, target, plan.peakBytes, capacity, arena, fixed);
}

LogicalResult planBuffers(func::FuncOp main, const target::Target &target, OnChip onChip, int64_t divisor,
                          BufferPlan &plan) {
  DenseSet<Value> apart;
  if (onChip != OnChip::None) apart = resultsForHbm(main);
  do {
    plan.storage = storageOf(main, apart);
    if (onChip != OnChip::None)
      plan.residency = planResidency(main, target, *plan.storage, onChip == OnChip::Replaced, divisor);
  } while (eraseInHbm(apart, *plan.storage));
  return placeBuffers(main, target, plan);
}

LogicalResult readBuffers(func::FuncOp main, const target::Target &target, BufferPlan &plan) {
  DenseSet<Value> apart;
  main.walk([&](stablehlo::WhileOp loop) {
    for (OpResult result : loop->getResults())
      if (kernel::isApart(result)) apart.insert(result);
  });
  plan.storage = storageOf(main, apart);
  if (failed(readResidency(main, target, *plan.storage, plan.residency))) return failure();
  return placeBuffers(main, target, plan);
}

}  // namespace tpuc::plan
