// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// docs/isa.md: the instruction table as a page for people.
#include "runtime/isa/executable.h"

namespace tpuc::isa {
namespace {

const char *unitTitle(Unit unit) {
  switch (unit) {
    case Unit::Scalar:
      return "Scalar unit";
    case Unit::Control:
      return "Control";
    case Unit::Dma:
      return "DMA";
    case Unit::VLoad:
      return "Vector loads";
    case Unit::VStore:
      return "Vector stores";
    case Unit::VAlu:
      return "Vector ALU";
    case Unit::Eup:
      return "Transcendental unit";
    case Unit::Xlu:
      return "Cross-lane unit";
    case Unit::MxuWeight:
      return "Matrix unit: weights";
    case Unit::MxuPush:
      return "Matrix unit: pushes";
    case Unit::MxuPop:
      return "Matrix unit: results";
  }
  return "";
}

std::string operands(const InstInfo &i) {
  std::string text;
  auto add = [&](const std::string &what) { text += (text.empty() ? "" : ", ") + what; };
  auto letter = [](RegKind kind) { return kind == RegKind::S ? "s" : kind == RegKind::V ? "v" : "m"; };
  if (i.result != RegKind::None) add(std::string(letter(i.result)) + "D");
  for (int k = 0; k < i.numSources; ++k) {
    std::string one = std::string(letter(i.sources[k].kind)) + "ABC"[k];
    if (i.sources[k].orImm) one += " or imm";
    if (i.sources[k].optional) one += " or -";
    add(one);
  }
  for (int k = 0; k < i.numFields; ++k) {
    const Field &f = i.fields[k];
    bool inSource = false;
    for (int s = 0; s < i.numSources; ++s) inSource |= i.sources[s].orImm;
    if (f.name == "imm" && inSource) continue;
    add((f.name == "imm" ? "" : std::string(f.name) + "=") + "*" + (f.isSigned ? "s" : "u") + std::to_string(f.bits) +
        "*");
  }
  if (i.masked) add("?mM");
  return text;
}

const char *const kIntroduction = R"(# The instruction set

Generated from `runtime/isa/instructions.def`; do not edit.

A core is a VLIW machine. A bundle `{ ... ; ... }` issues in one cycle: all its instructions read registers and memory
before any of them writes, at most one of them is a control instruction, and it takes effect when the bundle has issued.
Latencies interlock, so numbers never depend on timing.

* **Registers**: 32 scalar registers of 64 bits, 64 vregs of 8 sublanes x 128 lanes x 32 bits, 16 masks of 8 x 128 bits.
* **Operands**: `mnemonic destination, sources..., field=value..., ?mask`. `sB or imm` takes a scalar register or a
  number;
  `-` leaves an optional vreg out; fields that are zero are left out. Letters name the encoding's slots.
* **Encoding**: 16 bytes: opcode (2), end-of-bundle mark (1), slots D, A, B, C, M (1 each, 0xff for none), immediate
  fields (8).
* **Numbers**: f32 arithmetic of the vector and scalar units is IEEE 754, nearest even, with denormals; a NaN result is
  0x7fc00000.
  `docs/rationale/isa.md` defines the sums of the matrix unit.
)";

}  // namespace

std::string isaPage() {
  std::string out = kIntroduction;
  for (int unit = 0; unit <= static_cast<int>(Unit::MxuPop); ++unit) {
    out += std::string("\n## ") + unitTitle(static_cast<Unit>(unit)) +
           "\n\n| instruction | operands | what it does |\n| --- | --- | --- |\n";
    for (int op = 0; op < kNumOps; ++op) {
      const InstInfo &i = info(static_cast<Op>(op));
      if (static_cast<int>(i.unit) != unit) continue;
      out += "| `" + std::string(i.mnemonic) + "` | " + operands(i) + " | " + std::string(i.summary) + " |\n";
    }
  }
  return out;
}

}  // namespace tpuc::isa
