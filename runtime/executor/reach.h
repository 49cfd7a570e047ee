// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What the steps of a grid touch of the memories that all cores see: buffers of HBM, and VMEM that stays between grids.
// Noted in one execution; where no scalar came from data, it is the same in every other.
#pragma once
#include <vector>

#include "runtime/device/dma.h"
#include "runtime/executor/core.h"

namespace tpuc::exec {

class Reach {
 public:
  // `shared`: bytes of VMEM from 0 on that grids share.
  explicit Reach(int64_t shared = 0) : sharedPages_((shared + kPage - 1) / kPage) {}

  void transfer(const device::DmaPlan &plan, int64_t srcAt, int64_t dstAt);
  // Eight words of VMEM, `stride` apart.
  void words(int64_t word, int64_t stride, bool writes);
  // A transfer whose place is not known: all of its buffers. False when it meets VMEM.
  bool transferAnywhere(const device::DmaPlan &plan);
  void merge(const Reach &other);
  // Whether neither writes what the other touches; `hbm` says where the buffers are.
  bool isApartFrom(const Reach &other, const HbmBuffer *hbm) const;

 private:
  static constexpr int64_t kPage = isa::kVregBytes;
  static constexpr uint8_t kRead = 1, kWritten = 2;
  struct Range {
    int32_t buffer;
    bool writes;
    int64_t low, high;  // bytes
  };
  void hbm(int32_t buffer, int64_t low, int64_t high, bool writes);
  void vmem(int64_t low, int64_t high, bool writes);

  int64_t sharedPages_;
  std::vector<uint8_t> pages_;  // of shared VMEM, as far as they are touched
  std::vector<Range> ranges_;   // one a buffer and direction
};

}  // namespace tpuc::exec
