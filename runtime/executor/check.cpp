// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "runtime/executor/check.h"

#include <algorithm>
#include <cstring>
#include <limits>

#include "runtime/executor/program.h"

namespace tpuc::exec {
namespace {

constexpr uint8_t kGarbage = 0xff;

}  // namespace

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
  cleanArrays();
  pending.clear();
  nested.reset();
}

void Checker::cleanArrays() {
  for (Array &a : arrays)
    for (std::vector<uint8_t> *bytes : {&a.stage, &a.active, &a.sums}) std::fill(bytes->begin(), bytes->end(), 0);
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

void Checker::cleanSmem(int64_t offset, int64_t size) { std::memset(smem_.data() + offset, 0, size); }

void Checker::copySmem(const Checker &from) { std::memcpy(smem_.data(), from.smem_.data(), smem_.size()); }

const char *Checker::finish() {
  if (pending.empty()) return nullptr;
  message_ = "ends before the DMA started in bundle " + std::to_string(pending.oldest().bundle) + " is waited for";
  return message_.c_str();
}

bool Checker::movesPrivately(int64_t vmemPrivateFrom) const {
  for (isa::Space space : {isa::Space::Vmem, isa::Space::Smem})
    for (InFlight::End end : {InFlight::Source, InFlight::Destination}) {
      const int64_t from = space == isa::Space::Vmem ? vmemPrivateFrom : 0;
      auto isThere = [&](const Pending &p) { return (end == InFlight::Source ? p.src : p.dst).high() > from; };
      if (pending.find(space, end, from, std::numeric_limits<int64_t>::max(), isThere)) return true;
    }
  return false;
}

const DInst *Checker::fail(Core &core, const DInst *i, std::string what) {
  message_ = std::move(what);
  return stop(core, i, message_.c_str());
}

Handler checkedHandler(const DInst &i) {
  for (Handler (*group)(const DInst &) : {checkedMemory, checkedRemote, checkedMatrix, checkedScalar, checkedVector})
    if (Handler h = group(i)) return h;
  return nullptr;
}

}  // namespace tpuc::exec
