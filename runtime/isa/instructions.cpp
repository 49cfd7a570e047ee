// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Builds the instruction table from instructions.def.
#include <cassert>
#include <unordered_map>

#include "runtime/isa/isa.h"

namespace tpuc::isa {
namespace {

RegKind kindOf(char c) {
  switch (c) {
    case 's':
    case 'S':
    case 'x':
      return RegKind::S;
    case 'v':
    case 'V':
      return RegKind::V;
    case 'm':
    case 'M':
      return RegKind::M;
    default:
      return RegKind::None;
  }
}

void parseSources(InstInfo &info, std::string_view text) {
  for (size_t i = 0; i < text.size(); ++i) {
    if (text[i] == '?') {  // "?m": the optional mask
      info.masked = true;
      return;
    }
    Source &s = info.sources[info.numSources++];
    s.kind = kindOf(text[i]);
    s.orImm = text[i] == 'x';
    s.optional = text[i] == 'V';
  }
}

void parseFields(InstInfo &info, std::string_view text) {
  uint8_t shift = 0;
  while (!text.empty()) {
    size_t end = text.find(' ');
    std::string_view one = text.substr(0, end);
    text = end == std::string_view::npos ? std::string_view() : text.substr(end + 1);
    size_t colon = one.find(':');
    Field &f = info.fields[info.numFields++];
    f.name = one.substr(0, colon);
    f.shift = shift;
    for (char c : one.substr(colon + 1)) {
      if (c == 's')
        f.isSigned = true;
      else
        f.bits = f.bits * 10 + (c - '0');
    }
    shift += f.bits;
  }
}

struct Table {
  std::array<InstInfo, kNumOps> infos;
  std::unordered_map<std::string_view, Op> byMnemonic;
  uint64_t hash = 0xcbf29ce484222325ull;  // FNV-1a

  void mix(std::string_view text) {
    for (unsigned char c : text) hash = (hash ^ c) * 0x100000001b3ull;
    hash = (hash ^ 0xff) * 0x100000001b3ull;
  }

  void add(Op op, std::string_view ident, std::string_view mnemonic, Unit unit, Latency latency,
           std::string_view results, std::string_view sources, std::string_view fields, std::string_view summary) {
    InstInfo &info = infos[static_cast<int>(op)];
    info.ident = ident;
    info.mnemonic = mnemonic;
    info.summary = summary;
    info.unit = unit;
    info.latency = latency;
    if (!results.empty()) info.result = kindOf(results[0]);
    parseSources(info, sources);
    parseFields(info, fields);
    byMnemonic.emplace(mnemonic, op);
    for (std::string_view part : {mnemonic, results, sources, fields, summary}) mix(part);
  }

  Table() {
#define TPUC_INST(ident, mnemonic, unit, latency, results, sources, fields, summary) \
  add(Op::ident, #ident, mnemonic, Unit::unit, Latency::latency, results, sources, fields, summary);
#include "runtime/isa/instructions.def"
#undef TPUC_INST
  }
};

const Table &table() {
  static const Table t;
  return t;
}

int registerCount(RegKind kind) {
  switch (kind) {
    case RegKind::S:
      return kNumScalars;
    case RegKind::V:
      return kNumVregs;
    case RegKind::M:
      return kNumMasks;
    case RegKind::None:
      return 0;
  }
  return 0;
}

}  // namespace

const InstInfo &info(Op op) { return table().infos[static_cast<int>(op)]; }

std::optional<Op> lookup(std::string_view mnemonic) {
  auto it = table().byMnemonic.find(mnemonic);
  if (it == table().byMnemonic.end()) return std::nullopt;
  return it->second;
}

uint64_t tableHash() { return table().hash; }

const Field *InstInfo::field(std::string_view name) const {
  for (int i = 0; i < numFields; ++i)
    if (fields[i].name == name) return &fields[i];
  return nullptr;
}

int64_t getField(const Inst &inst, const Field &field) {
  if (field.bits == 64) return inst.imm;
  uint64_t raw = (static_cast<uint64_t>(inst.imm) >> field.shift) & ((uint64_t{1} << field.bits) - 1);
  if (field.isSigned && (raw >> (field.bits - 1))) raw |= ~uint64_t{0} << field.bits;
  return static_cast<int64_t>(raw);
}

bool setField(Inst &inst, const Field &field, int64_t value) {
  if (field.bits == 64) {
    inst.imm = value;
    return true;
  }
  int64_t low = field.isSigned ? -(int64_t{1} << (field.bits - 1)) : 0;
  int64_t high = field.isSigned ? (int64_t{1} << (field.bits - 1)) - 1 : (int64_t{1} << field.bits) - 1;
  if (value < low || value > high) return false;
  uint64_t mask = ((uint64_t{1} << field.bits) - 1) << field.shift;
  uint64_t imm = static_cast<uint64_t>(inst.imm);
  inst.imm = static_cast<int64_t>((imm & ~mask) | ((static_cast<uint64_t>(value) << field.shift) & mask));
  return true;
}

int64_t getField(const Inst &inst, std::string_view name) {
  const Field *f = info(inst.op).field(name);
  assert(f && "instruction has no such field");
  return getField(inst, *f);
}

bool setField(Inst &inst, std::string_view name, int64_t value) {
  const Field *f = info(inst.op).field(name);
  assert(f && "instruction has no such field");
  return setField(inst, *f, value);
}

std::string validate(const Inst &inst) {
  if (static_cast<int>(inst.op) >= kNumOps) return "unknown opcode " + std::to_string(static_cast<int>(inst.op));
  const InstInfo &i = info(inst.op);
  auto bad = [&](std::string what) { return std::string(i.mnemonic) + ": " + what; };
  if (inst.last > 1) return bad("bad bundle mark");
  if (i.result == RegKind::None ? inst.dst != kNoReg : inst.dst >= registerCount(i.result))
    return bad("bad destination register");
  for (int k = 0; k < 3; ++k) {
    uint8_t reg = inst.source(k);
    const Source &s = i.sources[k];
    if (reg == kNoReg && (s.kind == RegKind::None || s.orImm || s.optional)) continue;
    if (reg >= registerCount(s.kind)) return bad("bad source register in slot " + std::string(1, "abc"[k]));
  }
  if (inst.m != kNoReg && (!i.masked || inst.m >= kNumMasks)) return bad("bad mask register");
  int used = 0;
  for (int k = 0; k < i.numFields; ++k) used += i.fields[k].bits;
  if (used < 64 && (static_cast<uint64_t>(inst.imm) >> used) != 0) return bad("bits outside of the immediate fields");
  return {};
}

}  // namespace tpuc::isa
