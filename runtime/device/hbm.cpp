// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "runtime/device/hbm.h"

#include <sys/mman.h>

#include <algorithm>
#include <cstdio>
#include <vector>

namespace tpuc::device {
namespace {

constexpr uint64_t kPage = 4096;
constexpr uint64_t kIdle =
    uint64_t{256} << 20;  // host memory that may lie idle: the temporaries of a step are needed again soon
constexpr auto kTrimEvery = std::chrono::seconds(1);
constexpr size_t kNamed = 3;  // arrays that a refusal names

uint64_t roundUp(uint64_t n, uint64_t to) { return (n + to - 1) / to * to; }

std::string bytesText(uint64_t bytes) {
  static constexpr const char *kUnits[] = {"B", "KiB", "MiB", "GiB", "TiB"};
  double value = static_cast<double>(bytes);
  int unit = 0;
  for (; value >= 1024 && unit < 4; ++unit) value /= 1024;
  char text[32];
  std::snprintf(text, sizeof text, unit ? "%.2f %s" : "%.0f %s", value, kUnits[unit]);
  return text;
}

}  // namespace

HbmBlock::HbmBlock(std::shared_ptr<Hbm> hbm, uint64_t offset, uint64_t reserved, uint64_t size, Label label)
    : hbm_(std::move(hbm)),
      data_(hbm_->memory_.data() + offset),
      offset_(offset),
      reserved_(reserved),
      size_(size),
      label_(std::move(label)) {}

HbmBlock::~HbmBlock() { hbm_->release(*this); }

std::shared_ptr<Hbm> Hbm::create(uint64_t capacity, std::string &error) {
  capacity = capacity / kPage * kPage;
  std::shared_ptr<Hbm> hbm(new Hbm(capacity));
  hbm->memory_ = Mapping(capacity);
  if (!hbm->memory_.data()) {
    error = "the host has no range of addresses for " + bytesText(capacity) + " of HBM";
    return nullptr;
  }
  if (capacity) hbm->insertFree(0, capacity);
  return hbm;
}

void Hbm::insertFree(uint64_t offset, uint64_t size) {
  free_.emplace(offset, size);
  bySize_.emplace(size, offset);
}

void Hbm::eraseFree(std::map<uint64_t, uint64_t>::iterator it) {
  bySize_.erase({it->second, it->first});
  free_.erase(it);
}

// Best fit: the smallest free range that is large enough, the lowest of these.
std::shared_ptr<HbmBlock> Hbm::allocate(uint64_t size, const Label &label, std::string &error) {
  std::lock_guard lock(mutex_);
  const uint64_t reserved = roundUp(std::max<uint64_t>(size, 1), kAlign);
  auto fit = bySize_.lower_bound({reserved, 0});
  if (fit == bySize_.end()) {
    error = refusal(size, label);
    return nullptr;
  }
  auto [available, offset] = *fit;
  eraseFree(free_.find(offset));
  if (available > reserved) insertFree(offset + reserved, available - reserved);
  inUse_ += reserved;
  ++allocations_;
  peak_ = std::max(peak_, inUse_);
  touched_ = std::max(touched_, inUse_);
  auto block = std::make_shared<HbmBlock>(shared_from_this(), offset, reserved, size, label);
  blocks_.insert(block.get());
  return block;
}

void Hbm::release(const HbmBlock &block) {
  std::lock_guard lock(mutex_);
  blocks_.erase(&block);
  uint64_t offset = block.offset_, size = block.reserved_;
  inUse_ -= size;
  auto after = free_.lower_bound(offset);
  if (after != free_.end() && after->first == offset + size) {
    size += after->second;
    eraseFree(after++);
  }
  if (after != free_.begin()) {
    auto before = std::prev(after);
    if (before->first + before->second == offset) {
      offset = before->first;
      size += before->second;
      eraseFree(before);
    }
  }
  insertFree(offset, size);
  if (touched_ - inUse_ > kIdle && std::chrono::steady_clock::now() - trimmed_ > kTrimEvery) trimLocked();
}

void Hbm::trim() {
  std::lock_guard lock(mutex_);
  if (touched_ > inUse_) trimLocked();
}

void Hbm::trimLocked() {
  for (auto [offset, size] : free_) {
    const uint64_t begin = roundUp(offset, kPage), end = (offset + size) / kPage * kPage;
    if (begin < end) madvise(memory_.data() + begin, end - begin, MADV_DONTNEED);
  }
  touched_ = inUse_;
  trimmed_ = std::chrono::steady_clock::now();
}

std::string Hbm::refusal(uint64_t size, const Label &label) const {
  std::map<std::string, std::pair<uint64_t, int>> byLabel;  // bytes and how many
  for (const HbmBlock *b : blocks_) {
    auto &[bytes, count] = byLabel[b->label_ ? *b->label_ : "unnamed"];
    bytes += b->reserved_;
    ++count;
  }
  std::vector<std::pair<uint64_t, std::string>> largest;
  for (const auto &[name, held] : byLabel)
    largest.push_back({held.first, (held.second > 1 ? std::to_string(held.second) + " x " : "") + name});
  std::sort(largest.rbegin(), largest.rend());
  std::string out = "HBM is full: " + (label ? *label : "an array") + " of " + bytesText(size) + " does not fit, " +
                    bytesText(inUse_) + " of " + bytesText(capacity_) + " are in use";
  if (const uint64_t room = capacity_ - inUse_; room >= size)
    out += " and of the rest at most " + bytesText(bySize_.empty() ? 0 : bySize_.rbegin()->first) + " lie together";
  for (size_t i = 0; i < std::min(kNamed, largest.size()); ++i)
    out += (i ? ", " : "; largest: ") + largest[i].second + " (" + bytesText(largest[i].first) + ")";
  return out;
}

Hbm::Use Hbm::use() const {
  std::lock_guard lock(mutex_);
  Use use{capacity_,
          inUse_,
          peak_,
          0,
          bySize_.empty() ? 0 : bySize_.rbegin()->first,
          allocations_,
          static_cast<int64_t>(blocks_.size())};
  for (const HbmBlock *b : blocks_) use.largest = std::max(use.largest, b->reserved_);
  return use;
}

void Hbm::clearPeak() {
  std::lock_guard lock(mutex_);
  peak_ = inUse_;
}

}  // namespace tpuc::device
