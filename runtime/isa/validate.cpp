// Whether an executable is well-formed: what the executor and the timing model take for granted afterwards.
#include <algorithm>
#include <set>

#include "runtime/isa/executable.h"

namespace tpuc::isa {
namespace {

constexpr int64_t kMaxBytes = int64_t{1} << 44;  // of any memory; keeps sums of offsets inside 64 bits
constexpr uint32_t kMaxSemaphores = 65536;

std::string at(const char *what, size_t index, const std::string &why) { return std::string(what) + " " + std::to_string(index) + ": " + why; }

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

std::string validateBuffers(const Executable &exe) {
  const proto::Index &index = exe.index;
  std::set<std::pair<int, int>> seen;
  int arguments = 0;
  for (const proto::Buffer &b : index.buffers()) arguments += b.kind() == proto::ARGUMENT;
  for (int i = 0; i < index.buffers_size(); ++i) {
    const proto::Buffer &b = index.buffers(i);
    if (!proto::BufferKind_IsValid(b.kind())) return at("buffer", i, "unknown kind");
    if (b.size() > static_cast<uint64_t>(kMaxBytes) || b.offset() > static_cast<uint64_t>(kMaxBytes)) return at("buffer", i, "too large");
    if (b.kind() == proto::ARENA && b.offset() + b.size() > index.arena_bytes()) return at("buffer", i, "outside of the arena");
    if (b.kind() == proto::CONSTANT && b.offset() + b.size() > exe.constants.size()) return at("buffer", i, "outside of the constants");
    bool outer = b.kind() == proto::ARGUMENT || b.kind() == proto::RESULT;
    if (outer && (b.index() < 0 || b.index() >= index.buffers_size() || !seen.insert({b.kind(), b.index()}).second))
      return at("buffer", i, "bad argument or result number");
    if (b.alias_argument() < 0 || b.alias_argument() > arguments || (b.alias_argument() && b.kind() != proto::RESULT))
      return at("buffer", i, "bad alias");
    for (int64_t dim : b.array().dims())
      if (dim < 0) return at("buffer", i, "negative extent");
  }
  return {};
}

std::string validateIndex(const Executable &exe) {
  const proto::Index &index = exe.index;
  const uint64_t limit = static_cast<uint64_t>(kMaxBytes);
  if (index.arena_bytes() > limit || index.vmem_bytes() > (uint64_t{1} << 40) || index.smem_bytes() > (uint64_t{1} << 32))
    return "a memory is too large";
  if (index.vmem_shared_bytes() > index.vmem_bytes()) return "more shared VMEM than VMEM";
  if (index.vmem_shared_bytes() % kVregBytes) return "shared VMEM is no multiple of 4096 bytes";
  if (index.semaphores() > kMaxSemaphores) return "too many semaphores";
  for (int i = 0; i < index.routines_size(); ++i) {
    const proto::Routine &r = index.routines(i);
    if (r.bundle() > index.num_bundles() || r.bundles() > index.num_bundles() - r.bundle()) return at("routine", i, "outside of the code");
  }
  for (int i = 0; i < index.residents_size(); ++i) {
    const proto::Resident &r = index.residents(i);
    if (r.offset() > index.vmem_shared_bytes() || r.size() > index.vmem_shared_bytes() - r.offset()) return at("resident array", i, "outside of the shared VMEM");
    if (r.first_routine() >= static_cast<uint32_t>(index.routines_size()) || r.last_routine() >= static_cast<uint32_t>(index.routines_size()))
      return at("resident array", i, "of an unknown routine");
  }
  return validateBuffers(exe);
}

// Branches, loops and the end of the code.
class ControlFlow {
 public:
  explicit ControlFlow(const Executable &exe) : exe_(exe), starts_(exe.bundleStarts()) {}

  std::string run() {
    if (exe_.code.empty() || !exe_.code.back().last) return "the last bundle is not closed";
    numBundles_ = static_cast<uint32_t>(starts_.size() - 1);
    if (numBundles_ != exe_.index.num_bundles()) return "wrong number of bundles";
    if (exe_.index.entry_bundle() >= numBundles_) return "the entry is outside of the code";
    control_.assign(numBundles_, nullptr);
    for (uint32_t b = 0; b < numBundles_; ++b)
      if (std::string why = bundle(b); !why.empty()) return at("bundle", b, why);
    const Inst *end = control_.back();
    if (!end || (end->op != Op::Br && end->op != Op::Ret && end->op != Op::Halt)) return "control runs past the last bundle";
    if (std::string why = nestLoops(); !why.empty()) return why;
    return branches();
  }

 private:
  // Slots: at most one control instruction, and each register written once.
  std::string bundle(uint32_t b) {
    std::set<std::pair<RegKind, uint8_t>> written;
    for (uint32_t i = starts_[b]; i < starts_[b + 1]; ++i) {
      const Inst &inst = exe_.code[i];
      if (std::string why = validate(inst); !why.empty()) return why;
      const InstInfo &what = info(inst.op);
      if (what.result != RegKind::None && !written.insert({what.result, inst.dst}).second) return "a register is written twice";
      if (what.unit == Unit::Control) {
        if (control_[b]) return "two control instructions";
        control_[b] = &inst;
      }
      if (what.field("target") && getField(inst, "target") >= numBundles_) return "branch target outside of the code";
      if (what.field("desc") && getField(inst, "desc") >= static_cast<int64_t>(exe_.descriptors.size())) return "unknown DMA descriptor";
      if (what.field("mxu") && getField(inst, "mxu") >= kMaxMxus) return "unknown matrix unit";
    }
    return {};
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
        if (target <= b || !control_[target] || control_[target]->op != Op::LoopEnd) return at("bundle", b, "loop without its end");
        open.push_back(b);
      } else if (control_[b]->op == Op::LoopEnd) {
        if (open.empty() || open.back() != target || targetOf(target) != b) return at("bundle", b, "loop.end without its loop");
        open.pop_back();
      }
    }
    return open.empty() ? "" : "a loop is not closed";
  }

  std::string branches() {
    for (uint32_t b = 0; b < numBundles_; ++b) {
      if (!control_[b]) continue;
      switch (control_[b]->op) {
        case Op::Br: case Op::Bz: case Op::Bnz:
          if (loopOf_[b] != loopOf_[targetOf(b)]) return at("bundle", b, "a branch into or out of a loop");
          break;
        case Op::Call: case Op::Grid:
          if (loopOf_[targetOf(b)] != -1) return at("bundle", b, "a call into a loop");
          break;
        case Op::Ret:
          if (loopOf_[b] != -1) return at("bundle", b, "a return out of a loop");
          break;
        default: break;
      }
    }
    return {};
  }

  uint32_t targetOf(uint32_t b) const {
    const Field *f = info(control_[b]->op).field("target");
    return f ? static_cast<uint32_t>(getField(*control_[b], *f)) : 0;
  }

  const Executable &exe_;
  std::vector<uint32_t> starts_;
  uint32_t numBundles_ = 0;
  std::vector<const Inst *> control_;
  std::vector<int64_t> loopOf_;
};

}  // namespace

std::string validate(const Executable &exe) {
  if (std::string why = validateIndex(exe); !why.empty()) return why;
  for (size_t i = 0; i < exe.descriptors.size(); ++i)
    if (std::string why = validateDescriptor(exe.descriptors[i], exe.index.buffers_size()); !why.empty()) return at("descriptor", i, why);
  for (size_t i = 1; i < exe.sourceMap.size(); ++i)
    if (exe.sourceMap[i].bundle <= exe.sourceMap[i - 1].bundle) return "the source map is not sorted";
  return ControlFlow(exe).run();
}

}  // namespace tpuc::isa
