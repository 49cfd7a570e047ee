// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Whether an executable is well-formed: what the executor and the timing model take for granted afterwards.
#include <array>

#include "runtime/isa/validate_index.h"

namespace tpuc::isa {
namespace {

std::string validateDescriptor(const DmaDescriptor &d, int buffers) {
  auto end = [&](Space space, int32_t buffer) {
    if (space > Space::Smem) return false;
    return space == Space::Hbm ? buffer >= 0 && buffer < buffers : buffer == -1;
  };
  if (!end(d.srcSpace, d.srcBuffer) || !end(d.dstSpace, d.dstBuffer)) return "bad memory space or buffer";
  if (d.numDims > d.dims.size()) return "too many dims";
  if (d.runBytes < 1 || d.runBytes > kMaxBytes) return "bad run";
  auto fits = [](int64_t v) { return v >= -kMaxBytes && v <= kMaxBytes; };
  if (!fits(d.srcOffset) || !fits(d.dstOffset)) return "bad offset";
  int64_t total = d.runBytes;
  for (int i = 0; i < 4; ++i) {
    const DmaDescriptor::Dim &dim = d.dims[i];
    if (i >= d.numDims) {
      if (!(dim == DmaDescriptor::Dim())) return "unused dims are not empty";
      continue;
    }
    if (dim.count < 1 || dim.count > kMaxBytes || !fits(dim.srcStride) || !fits(dim.dstStride)) return "bad dim";
    int64_t span;
    if (__builtin_mul_overflow(total, dim.count, &total) || total > kMaxBytes) return "moves too many bytes";
    if (__builtin_mul_overflow(dim.count, dim.srcStride, &span) || !fits(span)) return "bad stride";
    if (__builtin_mul_overflow(dim.count, dim.dstStride, &span) || !fits(span)) return "bad stride";
  }
  return {};
}

// The fields of an opcode that name something outside of the instruction; null: it has no such field.
struct References {
  const Field *target, *desc, *mxu;

  // The references of every opcode, found once: an executable has too many instructions to look fields up by name in
  // each.
  static const References &of(Op op) {
    static const auto all = [] {
      std::array<References, kNumOps> made;
      for (int i = 0; i < kNumOps; ++i) {
        const InstInfo &what = info(static_cast<Op>(i));
        made[i] = {what.field("target"), what.field("desc"), what.field("mxu")};
      }
      return made;
    }();
    return all[static_cast<int>(op)];
  }
};

// Branches, loops and the end of the code.
class ControlFlow {
 public:
  explicit ControlFlow(const Executable &exe) : exe_(exe), starts_(exe.bundleStarts()) {}

  std::string run() {
    numBundles_ = static_cast<uint32_t>(starts_.size() - 1);
    if (numBundles_ != exe_.index.num_bundles()) return "wrong number of bundles";
    control_.assign(numBundles_, nullptr);
    for (uint32_t b = 0; b < numBundles_; ++b)
      if (std::string why = bundle(b); !why.empty()) return at("bundle", b, why);
    const Inst *end = control_.back();
    if (!end || (end->op != Op::Br && end->op != Op::Ret && end->op != Op::Halt))
      return "control runs past the last bundle";
    if (std::string why = nestLoops(); !why.empty()) return why;
    return branches();
  }

 private:
  // Slots: at most one control instruction, and each register written once.
  std::string bundle(uint32_t b) {
    for (uint32_t i = starts_[b]; i < starts_[b + 1]; ++i) {
      const Inst &inst = exe_.code[i];
      if (std::string why = validate(inst); !why.empty()) return why;
      const InstInfo &what = info(inst.op);
      if (what.result != RegKind::None) {
        uint32_t &writer = writers_[static_cast<int>(what.result)][inst.dst];
        if (writer == b + 1) return "a register is written twice";
        writer = b + 1;
      }
      if (what.unit == Unit::Control) {
        if (control_[b]) return "two control instructions";
        control_[b] = &inst;
      }
      const References &names = References::of(inst.op);
      if (names.target && getField(inst, *names.target) >= numBundles_) return "branch target outside of the code";
      if (names.desc && getField(inst, *names.desc) >= static_cast<int64_t>(exe_.descriptors.size()))
        return "unknown DMA descriptor";
      if (inst.op == Op::HostCall) {
        if (getField(inst, "imm") >= exe_.index.host_calls_size()) return "unknown host call";
        if (inKernel(b)) return "a host call outside of an entry routine";
      }
      if (std::string why = communication(inst, b); !why.empty()) return why;
      if (names.mxu && getField(inst, *names.mxu) >= kMaxMxus) return "unknown matrix unit";
    }
    return {};
  }

  // Between chips: in entries alone, from HBM to HBM.
  std::string communication(const Inst &inst, uint32_t b) const {
    const char *semaphore = inst.op == Op::DmaRemote   ? "there"
                            : inst.op == Op::SemSignal ? "imm"
                            : inst.op == Op::SemWait   ? "sem"
                                                       : nullptr;
    if (!semaphore) return {};
    if (getField(inst, semaphore) >= exe_.index.chip_semaphores_size()) return "unknown chip semaphore";
    if (inKernel(b)) return "communication with other chips outside of an entry routine";
    if (inst.op != Op::DmaRemote) return {};
    const DmaDescriptor &d = exe_.descriptors[getField(inst, "desc")];
    return d.srcSpace == Space::Hbm && d.dstSpace == Space::Hbm ? "" : "a transfer to another chip that leaves HBM";
  }

  bool inKernel(uint32_t b) const {
    for (const proto::Routine &r : exe_.index.routines())
      if (b >= r.bundle() && b - r.bundle() < r.bundles() && r.kind() != "entry") return true;
    return false;
  }

  // Loops are properly nested; loopOf_[b] is the innermost loop that bundle b is in the body of, or -1.
  std::string nestLoops() {
    loopOf_.assign(numBundles_, -1);
    std::vector<uint32_t> open;
    for (uint32_t b = 0; b < numBundles_; ++b) {
      loopOf_[b] = open.empty() ? -1 : static_cast<int64_t>(open.back());
      if (!control_[b]) continue;
      uint32_t target = targetOf(b);
      if (control_[b]->op == Op::Loop) {
        if (target <= b || !control_[target] || control_[target]->op != Op::LoopEnd)
          return at("bundle", b, "loop without its end");
        open.push_back(b);
      } else if (control_[b]->op == Op::LoopEnd) {
        if (open.empty() || open.back() != target || targetOf(target) != b)
          return at("bundle", b, "loop.end without its loop");
        open.pop_back();
      }
    }
    return open.empty() ? "" : "a loop is not closed";
  }

  std::string branches() {
    for (uint32_t b = 0; b < numBundles_; ++b) {
      if (!control_[b]) continue;
      switch (control_[b]->op) {
        case Op::Br:
        case Op::Bz:
        case Op::Bnz:
          if (loopOf_[b] != loopOf_[targetOf(b)]) return at("bundle", b, "a branch into or out of a loop");
          break;
        case Op::Call:
        case Op::Grid:
          if (loopOf_[targetOf(b)] != -1) return at("bundle", b, "a call into a loop");
          break;
        case Op::Ret:
          if (loopOf_[b] != -1) return at("bundle", b, "a return out of a loop");
          break;
        default:
          break;
      }
    }
    return {};
  }

  uint32_t targetOf(uint32_t b) const {
    const Field *f = References::of(control_[b]->op).target;
    return f ? static_cast<uint32_t>(getField(*control_[b], *f)) : 0;
  }

  const Executable &exe_;
  std::vector<uint32_t> starts_;
  uint32_t numBundles_ = 0;
  std::vector<const Inst *> control_;
  std::vector<int64_t> loopOf_;
  std::array<std::array<uint32_t, 256>, 4> writers_{};  // by kind and register: 1 + the last bundle that writes it
};

}  // namespace

std::string validate(const Executable &exe) {
  if (exe.code.empty() || !exe.code.back().last) return "the last bundle is not closed";
  if (std::string why = validateIndex(exe); !why.empty()) return why;
  for (size_t i = 0; i < exe.descriptors.size(); ++i)
    if (std::string why = validateDescriptor(exe.descriptors[i], exe.index.buffers_size()); !why.empty())
      return at("descriptor", i, why);
  for (size_t i = 1; i < exe.sourceMap.size(); ++i)
    if (exe.sourceMap[i].bundle <= exe.sourceMap[i - 1].bundle) return "the source map is not sorted";
  return ControlFlow(exe).run();
}

}  // namespace tpuc::isa
