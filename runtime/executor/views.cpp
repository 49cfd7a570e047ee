// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "runtime/executor/views.h"

#include <algorithm>
#include <cstring>

#include "runtime/executor/machine.h"
#include "runtime/executor/reach.h"

namespace tpuc::exec {
namespace {

constexpr int64_t kPage = isa::kVregBytes;

template <typename Body>
void forRuns(const device::DmaPlan &plan, Body body) {
  const auto &d = plan.dims;
  for (int64_t i0 = 0; i0 < d[0].count; ++i0)
    for (int64_t i1 = 0; i1 < d[1].count; ++i1)
      for (int64_t i2 = 0; i2 < d[2].count; ++i2)
        for (int64_t i3 = 0; i3 < d[3].count; ++i3)
          body(i0 * d[0].srcStride + i1 * d[1].srcStride + i2 * d[2].srcStride + i3 * d[3].srcStride,
               i0 * d[0].dstStride + i1 * d[1].dstStride + i2 * d[2].dstStride + i3 * d[3].dstStride);
}

bool isWholePages(const device::DmaPlan &plan, const uint8_t *src, int64_t dst) {
  if ((plan.runBytes | dst) % kPage || reinterpret_cast<uintptr_t>(src) % alignof(uint32_t)) return false;
  return std::all_of(plan.dims.begin(), plan.dims.end(),
                     [](const auto &d) { return d.count == 1 || (d.dstStride % kPage == 0 && d.srcStride % 4 == 0); });
}

}  // namespace

bool Views::init(Core &core, int64_t shared) {
  sharedPages_ = (shared + kPage - 1) / kPage;
  pages_ = device::Mapping(static_cast<size_t>(core.vmemWords / isa::kSublanes + 1) * sizeof(uint8_t *));
  core.pages = reinterpret_cast<const uint8_t **>(pages_.data());
  return core.pages;
}

bool Views::show(Core &core, const device::DmaPlan &plan, const uint8_t *src, int64_t dst) {
  if (!isWholePages(plan, src, dst)) return false;
  View v{&plan, (dst + plan.dstLow) / kPage, (dst + plan.dstHigh) / kPage, src + plan.srcLow, src + plan.srcHigh};
  if (v.begin < sharedPages_) return false;
  // The next block of the same array mostly takes the place of one before.
  auto it =
      std::find_if(views_.begin(), views_.end(), [&](const View &o) { return o.plan == v.plan && o.begin == v.begin; });
  if (it != views_.end())
    *it = v;
  else if (views_.size() == kMost)
    return false;
  else
    views_.push_back(v);
  forRuns(plan, [&](int64_t from, int64_t to) {
    const uint8_t **page = core.pages + (dst + to) / kPage;
    for (int64_t at = 0; at < plan.runBytes; at += kPage) *page++ = src + from + at;
  });
  core.hasViews = true;
  return true;
}

void Views::copyPage(Core &core, int64_t page) {
  if (!core.pages[page]) return;
  core.machine->catchUpBefore(core, core.vmem + page * kPage, core.vmem + (page + 1) * kPage);
  std::memcpy(core.vmem + page * kPage, core.pages[page], kPage);
  core.pages[page] = nullptr;
}

void Views::copyPages(Core &core, int64_t begin, int64_t end) {
  for (const View &v : views_)
    for (int64_t page = std::max(v.begin, begin / kPage); page < std::min(v.end, (end + kPage - 1) / kPage); ++page)
      copyPage(core, page);
}

void Views::copySources(Core &core, const uint8_t *begin, const uint8_t *end) {
  for (const View &v : views_) {
    if (v.high <= begin || end <= v.low) continue;
    for (int64_t page = v.begin; page < v.end; ++page)
      if (const uint8_t *from = core.pages[page]; from && from < end && begin < from + kPage) copyPage(core, page);
  }
}

void Views::clear(Core &core) {
  if (!core.hasViews) return;
  for (const View &v : views_) std::fill(core.pages + v.begin, core.pages + v.end, nullptr);
  views_.clear();
  core.hasViews = false;
}

// Where words are written, pages that show something made copies first.
static uint8_t *writableWords(Core &core, int64_t word, int64_t stride, bool whole) {
  if (whole && stride == 1 && word % isa::kSublanes == 0) {
    core.pages[word / isa::kSublanes] = nullptr;
  } else {
    for (int s = 0; s < isa::kSublanes; ++s, word += stride)
      if (core.pages[word / isa::kSublanes])
        core.views->copyPages(core, word * isa::kWordBytes, (word + 1) * isa::kWordBytes);
    word -= isa::kSublanes * stride;
  }
  return core.vmem + word * isa::kWordBytes;
}

const uint8_t *viewedSource(Core &core, int64_t word, int64_t stride) {
  if (core.reach) core.reach->words(word, stride, /*writes=*/false);
  auto shown = [&](int64_t w) -> const uint8_t * {
    const uint8_t *page = core.pages[w / isa::kSublanes];
    return page ? page + w % isa::kSublanes * isa::kWordBytes : nullptr;
  };
  const uint8_t *first = shown(word);
  if (first && stride == 1 && word % isa::kSublanes == 0) return first;
  // Pages that lie in HBM as they do in VMEM are read there, whatever the stride.
  int s = 1;
  for (; first && s < isa::kSublanes; ++s)
    if (shown(word + s * stride) != first + s * stride * isa::kWordBytes) break;
  return s == isa::kSublanes ? first : writableWords(core, word, stride, false);
}

uint8_t *viewedTarget(Core &core, int64_t word, int64_t stride, bool whole) {
  if (core.reach) core.reach->words(word, stride, /*writes=*/true);
  const int64_t other = word + (isa::kSublanes - 1) * stride;
  core.machine->catchUpBefore(core, core.vmem + std::min(word, other) * isa::kWordBytes,
                              core.vmem + (std::max(word, other) + 1) * isa::kWordBytes);
  return writableWords(core, word, stride, whole);
}

}  // namespace tpuc::exec
