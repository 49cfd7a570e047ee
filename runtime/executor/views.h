// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Blocks that a DMA brought from HBM to VMEM without copying them: pages of VMEM that show the memory they come from.
// Whoever would see a difference makes them copies first: stores, transfers from and to these pages, transfers to the
// HBM that they show.
#pragma once
#include <vector>

#include "runtime/device/dma.h"
#include "runtime/device/mapping.h"
#include "runtime/executor/core.h"

namespace tpuc::exec {

class Views {
 public:
  // Pages below `shared` bytes are other cores' too and never show anything. False when the system refuses memory.
  bool init(Core &core, int64_t shared);

  // A transfer from HBM at `src` to VMEM at byte `dst`; false when it has to be copied.
  bool show(Core &core, const device::DmaPlan &plan, const uint8_t *src, int64_t dst);
  // The pages of VMEM bytes [begin, end) become copies.
  void copyPages(Core &core, int64_t begin, int64_t end);
  // So do those that show HBM in [begin, end).
  void copySources(Core &core, const uint8_t *begin, const uint8_t *end);
  // Makes all pages VMEM again, with whatever it held.
  void clear(Core &core);

 private:
  static constexpr size_t kMost = 32;
  struct View {
    const device::DmaPlan *plan = nullptr;
    int64_t begin = 0, end = 0;  // pages
    const uint8_t *low = nullptr, *high = nullptr;
  };
  void copyPage(Core &core, int64_t page);

  int64_t sharedPages_ = 0;
  device::Mapping pages_;
  std::vector<View> views_;
};

}  // namespace tpuc::exec
