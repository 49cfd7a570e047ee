// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A device's HBM: places for arrays in one range of addresses as large as the target's memory, of which the host gives
// what is in use.
#pragma once
#include <chrono>
#include <cstdint>
#include <map>
#include <memory>
#include <mutex>
#include <set>
#include <string>

#include "runtime/device/mapping.h"

namespace tpuc::device {

class Hbm;

// What an array is called when memory runs out: "f32[8,128]", "temporaries of jit_f".
using Label = std::shared_ptr<const std::string>;

// A place in HBM; free again when the last owner lets go.
class HbmBlock {
 public:
  HbmBlock(std::shared_ptr<Hbm> hbm, uint64_t offset, uint64_t reserved, uint64_t size, Label label);
  ~HbmBlock();
  HbmBlock(const HbmBlock &) = delete;
  HbmBlock &operator=(const HbmBlock &) = delete;

  uint8_t *data() const { return data_; }
  uint64_t size() const { return size_; }
  uint64_t offset() const { return offset_; }  // its address in HBM
  const Hbm *hbm() const { return hbm_.get(); }

 private:
  friend class Hbm;
  std::shared_ptr<Hbm> hbm_;
  uint8_t *data_;
  uint64_t offset_, reserved_, size_;
  Label label_;
};

class Hbm : public std::enable_shared_from_this<Hbm> {
 public:
  static constexpr uint64_t kAlign = 512;  // a word of all lanes

  // Null with `error` when the host has no such range of addresses.
  static std::shared_ptr<Hbm> create(uint64_t capacity, std::string &error);

  // Bytes with whatever they held before. Null with `error`, which names the largest arrays, when there is no room.
  std::shared_ptr<HbmBlock> allocate(uint64_t size, const Label &label, std::string &error);

  struct Use {
    uint64_t capacity = 0, inUse = 0, peak = 0;
    uint64_t largest = 0;      // of the places in use
    uint64_t largestFree = 0;  // the largest that would be given
    uint64_t allocations = 0;  // ever
    int64_t blocks = 0;
  };
  Use use() const;
  void clearPeak();

  // Gives host memory back that nothing in HBM uses; by itself this happens at most once a second, when much of it lies
  // idle.
  void trim();

 private:
  friend class HbmBlock;
  explicit Hbm(uint64_t capacity) : capacity_(capacity) {}
  void release(const HbmBlock &block);
  void insertFree(uint64_t offset, uint64_t size);
  void eraseFree(std::map<uint64_t, uint64_t>::iterator it);
  void trimLocked();
  std::string refusal(uint64_t size, const Label &label) const;

  const uint64_t capacity_;
  Mapping memory_;
  mutable std::mutex mutex_;
  std::map<uint64_t, uint64_t> free_;               // offset -> size
  std::set<std::pair<uint64_t, uint64_t>> bySize_;  // size, offset
  std::set<const HbmBlock *> blocks_;
  uint64_t inUse_ = 0, peak_ = 0, allocations_ = 0;
  uint64_t touched_ = 0;  // the most that was in use since the last trim
  std::chrono::steady_clock::time_point trimmed_{};
};

}  // namespace tpuc::device
