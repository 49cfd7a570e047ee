// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Executables as assembly text; assembler.cpp reads it back.
#include <cstdio>
#include <map>

#include "runtime/isa/executable.h"
#include "runtime/isa/text.h"

namespace tpuc::isa {
namespace {

std::string regName(RegKind kind, uint8_t reg) {
  const char *prefix = kind == RegKind::S ? "s" : kind == RegKind::V ? "v" : "m";
  return prefix + std::to_string(reg);
}

std::string number(const Field &field, int64_t value) {
  if (field.isSigned || field.bits != 32 || field.name != "imm") return std::to_string(value);
  char text[16];  // an unsigned 32-bit immediate is a bit pattern
  std::snprintf(text, sizeof text, "0x%08x", static_cast<uint32_t>(value));
  return text;
}

std::string endpoint(Space space, int32_t buffer, int64_t offset) {
  std::string text = space == Space::Hbm ? "hbm" : space == Space::Vmem ? "vmem" : "smem";
  if (space == Space::Hbm) text += "[" + std::to_string(buffer) + "]";
  return text + (offset < 0 ? "" : "+") + std::to_string(offset);
}

using Labels = std::map<uint32_t, std::string>;  // bundle -> label

// `labels`: names for branch targets, or null for plain numbers.
std::string formatWith(const Inst &inst, const Labels *labels) {
  const InstInfo &i = info(inst.op);
  std::string text(i.mnemonic);
  bool first = true, immShown = false;
  auto operand = [&](const std::string &what) {
    text += (first ? " " : ", ") + what;
    first = false;
  };
  if (i.result != RegKind::None) operand(regName(i.result, inst.dst));
  const Field *imm = i.field("imm");
  for (int k = 0; k < i.numSources; ++k) {
    const Source &s = i.sources[k];
    if (inst.source(k) != kNoReg) {
      operand(regName(s.kind, inst.source(k)));
    } else if (s.orImm && imm) {
      operand(number(*imm, getField(inst, *imm)));
      immShown = true;
    } else {
      operand("-");
    }
  }
  bool hasX = false;
  for (int k = 0; k < i.numSources; ++k) hasX |= i.sources[k].orImm;
  for (int k = 0; k < i.numFields; ++k) {
    const Field &f = i.fields[k];
    int64_t value = getField(inst, f);
    if (f.name == "imm") {
      if (!hasX)
        operand(number(f, value));
      else if (!immShown && value != 0)
        operand("imm=" + number(f, value));
    } else if (f.name == "target" || f.name == "desc" || value != 0) {
      auto it = labels && f.name == "target" ? labels->find(static_cast<uint32_t>(value)) : Labels::const_iterator();
      bool named = labels && f.name == "target" && it != labels->end();
      operand(std::string(f.name) + "=" + (named ? it->second : number(f, value)));
    }
  }
  if (inst.m != kNoReg) operand("?" + regName(RegKind::M, inst.m));
  return text;
}

// Names of branch targets: the routine's where it is one a label can have, else `.L` and the bundle's number.
Labels labelsOf(const Executable &exe) {
  Labels labels;
  std::map<std::string, int> uses;
  for (const proto::Routine &r : exe.index.routines()) ++uses[r.name()];
  for (const proto::Routine &r : exe.index.routines())
    if (isLabel(r.name()) && uses[r.name()] == 1) labels.emplace(r.bundle(), r.name());
  for (const Inst &inst : exe.code) {
    const Field *f = info(inst.op).field("target");
    if (!f) continue;
    uint32_t bundle = static_cast<uint32_t>(getField(inst, *f));
    labels.emplace(bundle, ".L" + std::to_string(bundle));
  }
  return labels;
}

template <typename Message>
std::string oneLine(const Message &message) {
  return schema::toText(message, /*oneLine=*/true);
}

void appendHeader(const Executable &exe, std::string &out) {
  const schema::Type &type = proto::Index::messageType();
  for (const schema::Field &field : std::span(type.fields, type.count)) {
    if (!isSettable(field) || std::string_view(field.name) == "target") continue;
    std::string value = schema::valueText(schema::refOf(exe.index), field);
    if (value == "0" || value == "\"\"") continue;
    out += ".set " + std::string(field.name) + " " + value + "\n";
  }
  if (exe.index.has_system()) out += ".system " + oneLine(exe.index.system()) + "\n";
  for (const proto::Symbol &s : exe.index.symbols()) out += ".symbol " + oneLine(s) + "\n";
  for (const proto::SizeCondition &c : exe.index.conditions()) out += ".condition " + oneLine(c) + "\n";
  for (const proto::Entry &e : exe.index.entries()) out += ".entry " + oneLine(e) + "\n";
  for (const proto::Buffer &b : exe.index.buffers()) out += ".buffer " + oneLine(b) + "\n";
  for (const proto::Resident &r : exe.index.residents()) out += ".resident " + oneLine(r) + "\n";
  for (const proto::ChipSemaphore &s : exe.index.chip_semaphores()) out += ".chip_semaphore " + oneLine(s) + "\n";
  for (const proto::HostCall &c : exe.index.host_calls()) out += ".host " + oneLine(c) + "\n";
  for (const proto::Expectation &e : exe.index.expectations()) out += ".expect " + oneLine(e) + "\n";
  for (size_t i = 0; i < exe.descriptors.size(); ++i)
    out += ".dma " + std::to_string(i) + " " + format(exe.descriptors[i]) + "\n";
}

void appendConstants(const Executable &exe, size_t limit, std::string &out) {
  size_t size = exe.constants.size();
  if (size == 0) return;
  out += ".constants " + std::to_string(size) + "\n";
  if (size > limit) {
    out += ".omitted constants\n";
    return;
  }
  constexpr size_t kLine = 64;
  static const char *hex = "0123456789abcdef";
  for (size_t at = 0; at < size; at += kLine) {
    std::span<const uint8_t> line = exe.constants.subspan(at, std::min(kLine, size - at));
    bool zero = true;
    for (uint8_t byte : line) zero &= byte == 0;
    if (zero) continue;
    out += ".data " + std::to_string(at) + " ";
    for (uint8_t byte : line) (out += hex[byte >> 4]) += hex[byte & 15];
    out += "\n";
  }
}

void appendCode(const Executable &exe, std::string &out) {
  Labels labels = labelsOf(exe);
  std::multimap<uint32_t, const proto::Routine *> routines;
  for (const proto::Routine &r : exe.index.routines()) routines.emplace(r.bundle(), &r);
  auto line = exe.sourceMap.begin();
  size_t at = 0;
  for (uint32_t bundle = 0; at < exe.code.size(); ++bundle) {
    auto [begin, end] = routines.equal_range(bundle);
    for (auto it = begin; it != end; ++it) out += "\n.routine " + oneLine(*it->second) + "\n";
    if (auto it = labels.find(bundle); it != labels.end()) out += it->second + ":\n";
    for (; line != exe.sourceMap.end() && line->bundle <= bundle; ++line) out += ".loc " + quote(line->location) + "\n";
    out += "  { ";
    for (bool first = true; at < exe.code.size(); first = false) {
      const Inst &inst = exe.code[at++];
      if (!first) out += " ; ";
      out += formatWith(inst, &labels);
      if (inst.last) break;
    }
    out += " }\n";
  }
}

// The target's description, a line a directive; last, as it is long.
void appendTarget(const Executable &exe, std::string &out) {
  std::string_view text = exe.index.target();
  if (!text.empty()) out += "\n";
  while (!text.empty()) {
    size_t end = std::min(text.find('\n'), text.size() - 1);
    out += ".target " + quote(text.substr(0, end + 1)) + "\n";
    text.remove_prefix(end + 1);
  }
}

}  // namespace

std::string format(const Inst &inst) { return formatWith(inst, nullptr); }

std::string format(const DmaDescriptor &d) {
  std::string text = endpoint(d.srcSpace, d.srcBuffer, d.srcOffset) + " -> " +
                     endpoint(d.dstSpace, d.dstBuffer, d.dstOffset) + ", run=" + std::to_string(d.runBytes);
  for (int i = 0; i < d.numDims; ++i)
    text += ", dim=" + std::to_string(d.dims[i].count) + ":" + std::to_string(d.dims[i].srcStride) + ":" +
            std::to_string(d.dims[i].dstStride);
  return text;
}

std::string disassemble(const Executable &exe, size_t maxConstantBytes) {
  std::string out;
  appendHeader(exe, out);
  appendConstants(exe, maxConstantBytes, out);
  appendCode(exe, out);
  appendTarget(exe, out);
  return out;
}

}  // namespace tpuc::isa
