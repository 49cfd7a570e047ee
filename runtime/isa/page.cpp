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

struct Source {
  std::string_view beginning, key, what;
};

constexpr Source kSources[] = {
#define TPUC_REFERENCE(key, what)
#define TPUC_SOURCE(beginning, key, what) {beginning, key, what},
#include "runtime/isa/sources.def"
#undef TPUC_SOURCE
#undef TPUC_REFERENCE
};

// "Mosaic: `tpu.sem_wait`"; empty when the table has no line for it.
std::string sourceOf(std::string_view mnemonic) {
  for (const Source &s : kSources)
    if (mnemonic.starts_with(s.beginning))
      return std::string(s.key) + (s.what.empty() ? "" : ": ") + std::string(s.what);
  return {};
}

std::string references() {
  std::string out;
#define TPUC_REFERENCE(key, what) out += "* **" key "**: " what ".\n";
#define TPUC_SOURCE(beginning, key, what)
#include "runtime/isa/sources.def"
#undef TPUC_SOURCE
#undef TPUC_REFERENCE
  return out;
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
* **Source**: a public description of hardware that has the instruction or one like it, or "ours":
  `docs/rationale/isa.md` says what may be.
)";

const char *const kDescriptors = R"(
## DMA descriptors

A descriptor stands in the executable's table and says what `dma.start` and `dma.remote` move:

| field | what it is |
| --- | --- |
| source, destination | a memory: `hbm` with the number of a buffer, `vmem` or `smem` |
| offset of each | bytes from the start of the buffer or memory; the instruction's registers a and b are added |
| run | contiguous bytes on both sides, at least 1 |
| up to 4 dims, outermost first | how often all that is inside is repeated, and a stride in bytes for each side |

Step (i0, i1, ..) moves `run` bytes from `source + offset + a + i0 * stride0 + ..` to the same sum of the other side.
The two sides have their own strides, so a transfer may gather, scatter or turn dims. Steps go in order, the last dim
fastest.

* A **stride of zero** repeats: on the source's side the same bytes go to several places, on the destination's the last
  step's bytes stay.
* A **negative stride** walks downwards from the offset, which is then that of the highest place: a reversed dim. Runs
  are never reversed inside.
* Each side has to lie inside its buffer or memory in every step. A program that breaks this stops with an error.
* An executable is refused when a descriptor has a run or a count below 1, or when an offset, the reach of a dim, or the
  bytes in all go beyond 2^44.

**Its cost.** A transfer to or from HBM keeps the core's share of the channel for

    ceil(max(bytes / (hbm bytes per cycle), dma_setup_ns))

cycles, in the order of the starts, and its semaphore counts `dma_latency_ns` after that. `bytes` is the sum over the
sides in HBM; dims whose stride continues the run are part of it, and each run counts in whole granules
(`hbm_granule_bytes`). So 64 runs of 100 bytes with a granule of 512 cost 32768 bytes, one run of 6400 bytes costs 6656.
A transfer between `vmem` and `smem` takes `local_bytes_per_cycle` and `local_latency_ns`. The names are those of
`targets/*.textproto`; `runtime/timing/machine_model.cpp` has the formula. Bytes that go to other chips keep the chip's
links instead.
)";

}  // namespace

std::string isaPage() {
  std::string out = kIntroduction;
  for (int unit = 0; unit <= static_cast<int>(Unit::MxuPop); ++unit) {
    out += std::string("\n## ") + unitTitle(static_cast<Unit>(unit)) +
           "\n\n| instruction | operands | what it does | source |\n| --- | --- | --- | --- |\n";
    for (int op = 0; op < kNumOps; ++op) {
      const InstInfo &i = info(static_cast<Op>(op));
      if (static_cast<int>(i.unit) != unit) continue;
      out += "| `" + std::string(i.mnemonic) + "` | " + operands(i) + " | " + std::string(i.summary) + " | " +
             sourceOf(i.mnemonic) + " |\n";
    }
    if (unit == static_cast<int>(Unit::Dma)) out += kDescriptors;
  }
  return out + "\n## Sources\n\n" + references();
}

}  // namespace tpuc::isa
