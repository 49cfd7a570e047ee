// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Rows of a modulo schedule as bundles (modulo variable expansion: Lam, "Software pipelining", PLDI 1988).
#include "passes/schedule/expand_kernel.h"

#include <algorithm>
#include <unordered_map>

namespace tpuc::schedule {
namespace {

int64_t floorDiv(int64_t a, int64_t b) { return a / b - (a % b != 0 && (a < 0) != (b < 0)); }

// Readers of a register before its writer, so that the order within the bundle is one in which it could be executed.
// False when readers and writers form a circle.
bool orderBundle(std::vector<MInst> &bundle) {
  for (size_t placed = 0; placed < bundle.size(); ++placed) {
    size_t next = placed;
    for (; next < bundle.size(); ++next) {
      bool read = false;
      for (size_t k = placed; k < bundle.size(); ++k)
        if (k != next) forEachUse(bundle[k], [&](Reg r) { read |= r == bundle[next].dst; });
      if (!read) break;
    }
    if (next == bundle.size()) return false;
    std::rotate(bundle.begin() + placed, bundle.begin() + next, bundle.begin() + next + 1);
  }
  return true;
}

}  // namespace

KernelCode::Names KernelCode::names(int64_t lastIteration, Flow &flow) const {
  Names names{lastIteration, std::vector<std::vector<Reg>>(body_.insts.size())};
  for (size_t i = 0; i < body_.insts.size(); ++i) {
    Reg r = body_.insts[i].dst;
    if (r < 0) continue;
    names.regs[i].push_back(r);
    for (int c = 1; c < schedule_.copies[i]; ++c) names.regs[i].push_back(flow.newReg(flow.regs[r]));
  }
  return names;
}

Reg KernelCode::nameOf(const Names &names, int def, int64_t iteration) const {
  int64_t count = static_cast<int64_t>(names.regs[def].size());
  int64_t index = (iteration - names.last) % count;
  return names.regs[def][index < 0 ? index + count : index];
}

void KernelCode::initialise(const Names &names, FlowBuilder &builder, Flow &flow) const {
  for (auto [copy, original] : body_.copies) builder.append(makeMove(RegKind::S, copy, original, loc()));
  for (size_t i = 0; i < body_.insts.size(); ++i) {
    bool carried = false;
    for (const LoopBody::Use &use : body_.uses[i]) carried |= use.distance > 0;
    if (!carried) continue;
    Reg own = body_.insts[i].dst, first = nameOf(names, static_cast<int>(i), -1);
    if (first != own) builder.append(makeMove(flow.regs[own], first, own, loc()));
  }
}

// Names for one iteration; offsets corrected by the steps that precede it in time but not in the source, or the
// reverse.
std::optional<MInst> KernelCode::instance(int node, int64_t iteration, int64_t count, const Names &names,
                                          bool steady) const {
  MInst inst = body_.insts[node];
  const AbsorbedUse &absorbed = body_.absorbed[node];
  if (absorbed.add >= 0) {
    // Steps at earlier times: those of iterations m with time(add) + m ii < time(node) + iteration ii.
    int64_t before = iteration - floorDiv(schedule_.time[absorbed.add] - schedule_.time[node], schedule_.ii);
    if (!steady) before = std::clamp<int64_t>(before, 0, count);
    int64_t wanted = iteration + (absorbed.after ? 1 : 0);
    const char *field = addressField(inst);
    int64_t offset = fieldOf(inst, field) + body_.step[absorbed.add] * (wanted - before);
    if (!setFieldOf(inst, field, offset)) return std::nullopt;
  }
  return inst;
}

bool KernelCode::rows(int64_t from, int64_t to, int64_t count, const Names &names, bool steady, FlowBuilder &builder,
                      Flow &flow) const {
  std::unordered_map<Reg, int> def;
  for (size_t i = 0; i < body_.insts.size(); ++i)
    if (body_.insts[i].dst >= 0) def[body_.insts[i].dst] = static_cast<int>(i);
  std::vector<std::vector<int>> byRow(schedule_.ii);
  for (size_t i = 0; i < body_.insts.size(); ++i)
    byRow[schedule_.time[i] % schedule_.ii].push_back(static_cast<int>(i));

  Block block;
  block.bundled = true;
  block.loop = loop_;
  block.kernel = steady;
  for (int64_t g = from; g < to; ++g) {
    std::vector<MInst> bundle;
    for (int node : byRow[g % schedule_.ii]) {
      int64_t iteration = (g - schedule_.time[node]) / schedule_.ii;
      if (g < schedule_.time[node] || (!steady && iteration >= count)) continue;
      std::optional<MInst> inst = instance(node, iteration, count, names, steady);
      if (!inst) return false;
      const AbsorbedUse &absorbed = body_.absorbed[node];
      auto rename = [&](Reg &r) {
        auto it = def.find(r);
        if (it != def.end()) r = nameOf(names, it->second, iteration - (it->second < node ? 0 : 1));
      };
      for (int slot = 0; slot < 3; ++slot)
        if (inst->src[slot] >= 0 && !(absorbed.add >= 0 && absorbed.slot == slot)) rename(inst->src[slot]);
      if (inst->mask >= 0) rename(inst->mask);
      if (inst->dst >= 0) inst->dst = nameOf(names, node, iteration);
      bundle.push_back(*inst);
    }
    if (bundle.empty()) continue;
    block.kernel |= !orderBundle(bundle);
    block.insts.insert(block.insts.end(), bundle.begin(), bundle.end());
    block.ends.push_back(static_cast<int32_t>(block.insts.size()));
  }
  if (steady || !block.insts.empty()) builder.appendBundled(std::move(block));
  return true;
}

}  // namespace tpuc::schedule
