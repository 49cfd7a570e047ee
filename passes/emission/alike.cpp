// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "passes/emission/alike.h"

#include <map>

namespace tpuc::emission {
namespace {

using namespace machine;

template <typename Visit>
void walk(Region &region, Visit visit) {
  for (Node &node : region) {
    if (auto *inst = std::get_if<MInst>(&node.value)) visit(*inst);
    if (auto *loop = std::get_if<LoopNode>(&node.value)) walk(loop->body, visit);
    if (auto *branch = std::get_if<IfNode>(&node.value)) {
      walk(branch->then, visit);
      walk(branch->otherwise, visit);
    }
    if (auto *loop = std::get_if<WhileNode>(&node.value)) {
      walk(loop->before, visit);
      walk(loop->body, visit);
    }
  }
}

// Replaces the number of an instruction's descriptor by what `change` makes of it.
template <typename Inst, typename Change>
void changeDescriptor(Inst &inst, Change change) {
  if (isa::info(inst.op).unit != isa::Unit::Dma || !isa::info(inst.op).field("desc")) return;
  isa::Inst encoded;
  encoded.op = inst.op;
  encoded.imm = inst.imm;
  isa::setField(encoded, "desc", change(isa::getField(encoded, "desc")));
  inst.imm = encoded.imm;
}

template <typename T>
int64_t numberOf(std::map<T, int64_t> &numbers, std::vector<T> &names, T name) {
  auto [entry, added] = numbers.try_emplace(name, static_cast<int64_t>(names.size()));
  if (added) names.push_back(name);
  return entry->second;
}

class Key {
 public:
  void add(const Region &region) {
    number(static_cast<int64_t>(region.size()));
    for (const Node &node : region) {
      number(static_cast<int64_t>(node.value.index()));
      std::visit([&](const auto &value) { add(value); }, node.value);
    }
  }
  void number(int64_t n) { text_.append(reinterpret_cast<const char *>(&n), sizeof n); }
  std::string take() { return std::move(text_); }

 private:
  void add(const MInst &inst) {
    number(static_cast<int64_t>(inst.op));
    for (int64_t n :
         {static_cast<int64_t>(inst.dst), static_cast<int64_t>(inst.src[0]), static_cast<int64_t>(inst.src[1]),
          static_cast<int64_t>(inst.src[2]), static_cast<int64_t>(inst.mask), inst.imm, static_cast<int64_t>(inst.loc),
          static_cast<int64_t>(inst.callee), static_cast<int64_t>(inst.region)})
      number(n);
  }
  void add(const LoopNode &loop) {
    number(loop.count);
    number(loop.countImm);
    number(loop.independent);
    add(loop.body);
  }
  void add(const IfNode &branch) {
    number(branch.cond);
    add(branch.then);
    add(branch.otherwise);
  }
  void add(const WhileNode &loop) {
    add(loop.before);
    number(loop.cond);
    add(loop.body);
  }

  std::string text_;
};

}  // namespace

Names takeNames(machine::Routine &routine) {
  Names names;
  std::map<int64_t, int64_t> descriptors;
  std::map<int32_t, int64_t> locations;
  walk(routine.body, [&](MInst &inst) {
    changeDescriptor(inst, [&](int64_t name) { return numberOf(descriptors, names.descriptors, name); });
    if (inst.loc >= 0) inst.loc = static_cast<int32_t>(numberOf(locations, names.locations, inst.loc));
  });
  return names;
}

void giveNames(const Names &names, machine::Scheduled &scheduled) {
  for (isa::Inst &inst : scheduled.code)
    changeDescriptor(inst, [&](int64_t number) { return names.descriptors[number]; });
  for (int32_t &loc : scheduled.bundleLoc)
    if (loc >= 0) loc = names.locations[loc];
}

std::string keyOf(const machine::Routine &routine) {
  Key key;
  for (int64_t n : {static_cast<int64_t>(routine.isEntry), static_cast<int64_t>(routine.gridStart),
                    static_cast<int64_t>(routine.gridCount), routine.spillVmemWord, routine.spillSmemByte,
                    static_cast<int64_t>(routine.regs.size())})
    key.number(n);
  for (isa::RegKind kind : routine.regs) key.number(static_cast<int64_t>(kind));
  key.add(routine.body);
  return key.take();
}

}  // namespace tpuc::emission
