#include "runtime/executor/check.h"

#include <algorithm>
#include <cstring>

#include "runtime/executor/program.h"

namespace tpuc::exec {
namespace {

constexpr uint8_t kGarbage = 0xff;

// Runs of dims `dim` and inner ones, from `at`, against [begin, end).
bool touchesFrom(const device::DmaPlan &plan, bool isDst, int dim, int64_t at, int64_t begin, int64_t end) {
  int64_t low = 0, high = plan.runBytes;  // of the inner dims together
  for (int k = dim + 1; k < 4; ++k) {
    int64_t reach = (plan.dims[k].count - 1) * (isDst ? plan.dims[k].dstStride : plan.dims[k].srcStride);
    (reach < 0 ? low : high) += reach;
  }
  if (dim == 4) return at < end && begin < at + plan.runBytes;
  const int64_t count = plan.dims[dim].count, stride = isDst ? plan.dims[dim].dstStride : plan.dims[dim].srcStride;
  for (int64_t k = 0; k < count; ++k) {
    int64_t here = at + k * stride;
    if (here + low >= end || here + high <= begin) {
      // Skip what lies before the range in one step.
      if (stride > 0 && here + high <= begin) k += std::max<int64_t>(0, (begin - here - high) / stride - 1);
      else if (stride > 0 && here + low >= end) return false;
      continue;
    }
    if (touchesFrom(plan, isDst, dim + 1, here, begin, end)) return true;
  }
  return false;
}

}  // namespace

bool Footprint::touches(int64_t begin, int64_t end) const {
  return begin < high() && low() < end && touchesFrom(*plan, isDst, 0, base + origin, begin, end);
}

bool Footprint::overlaps(const Footprint &other) const {
  if (space != other.space || low() >= other.high() || other.low() >= high()) return false;
  const auto &d = plan->dims;
  auto stride = [&](int k) { return isDst ? d[k].dstStride : d[k].srcStride; };
  for (int64_t a = 0; a < d[0].count; ++a)
    for (int64_t b = 0; b < d[1].count; ++b)
      for (int64_t c = 0; c < d[2].count; ++c)
        for (int64_t e = 0; e < d[3].count; ++e) {
          int64_t at = base + origin + a * stride(0) + b * stride(1) + c * stride(2) + e * stride(3);
          if (other.touches(at, at + plan->runBytes)) return true;
        }
  return false;
}

std::unique_ptr<Checker> Checker::make(const Core &core, device::Mapping vmemShadow) {
  auto checker = std::make_unique<Checker>();
  Checker &c = *checker;
  c.vregs_ = device::Mapping(kVregFile);
  c.vmem_ = std::move(vmemShadow);
  c.smem_ = device::Mapping(static_cast<size_t>(core.smemBytes));
  c.transpose_ = device::Mapping(2 * kTransposeBytes);
  for (const device::Mapping *m : {&c.vregs_, &c.vmem_, &c.smem_, &c.transpose_})
    if (!m->data()) return nullptr;
  c.shadow = core;
  c.shadow.v = c.vregs_.data();
  c.shadow.vmem = c.vmem_.data();
  c.shadow.smem = c.smem_.data();
  c.shadow.transpose = c.transpose_.data();
  c.maskShadow.resize(kMasks * kMaskBytes);
  c.arrays.resize(core.mxus);
  for (Array &a : c.arrays) {
    a.stage.resize(int64_t{core.side} * core.side);
    a.active.resize(core.side);
    a.sums.resize(static_cast<size_t>(core.groups) * isa::kSublanes * core.side);
  }
  return checker;
}

void Checker::begin(int64_t vmemPrivateFrom, bool keepSmem) {
  forget(vmemPrivateFrom);
  if (!keepSmem) std::memset(smem_.data(), kGarbage, smem_.size());
  scalar[0] = scalar[1] = false;
  for (Array &a : arrays)
    for (std::vector<uint8_t> *bytes : {&a.stage, &a.active, &a.sums}) std::fill(bytes->begin(), bytes->end(), 0);
  pending.clear();
}

void Checker::forget(int64_t vmemPrivateFrom) {
  std::memset(vregs_.data(), kGarbage, vregs_.size());
  std::memset(vmem_.data() + vmemPrivateFrom, kGarbage, vmem_.size() - vmemPrivateFrom);
  std::memset(transpose_.data(), kGarbage, transpose_.size());
  std::fill(maskShadow.begin(), maskShadow.end(), 1);
  scalar.fill(true);
  scalar[isa::kNumScalars - 1] = false;  // s31 is zero
}

void Checker::spoilVmem(int64_t offset, int64_t size) { std::memset(vmem_.data() + offset, kGarbage, size); }

void Checker::copySmem(const Checker &from) { std::memcpy(smem_.data(), from.smem_.data(), smem_.size()); }

const char *Checker::finish() {
  if (pending.empty()) return nullptr;
  message_ = "ends before the DMA started in bundle " + std::to_string(pending.front().bundle) + " is waited for";
  return message_.c_str();
}

const DInst *Checker::fail(Core &core, const DInst *i, std::string what) {
  message_ = std::move(what);
  return stop(core, i, message_.c_str());
}

Handler checkedHandler(const DInst &i) {
  for (Handler (*group)(const DInst &) : {checkedMemory, checkedMatrix, checkedScalar, checkedVector})
    if (Handler h = group(i)) return h;
  return nullptr;
}

}  // namespace tpuc::exec
