//===- cursor.h - bytes one after the other --------------------------------------------------------------===//
// Part of tpuc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===-----------------------------------------------------------------------------===//
#ifndef TPUC_DIALECTS_VHLO_CURSOR_H
#define TPUC_DIALECTS_VHLO_CURSOR_H

#include "llvm/ADT/StringRef.h"
#include "llvm/ADT/bit.h"

namespace tpuc::vhlo {

// Numbers and bytes of MLIR's bytecode. Each function says false where the bytes end too early.
class Cursor {
 public:
  explicit Cursor(llvm::StringRef bytes = {}) : rest(bytes) {}

  bool empty() const { return rest.empty(); }
  uint64_t size() const { return rest.size(); }
  const char *at() const { return rest.data(); }

  [[nodiscard]] bool byte(uint8_t &value) {
    value = 0;
    if (rest.empty()) return false;
    value = static_cast<uint8_t>(rest.front());
    rest = rest.drop_front();
    return true;
  }
  [[nodiscard]] bool bytes(uint64_t count, llvm::StringRef &value) {
    if (count > rest.size()) return false;
    value = rest.take_front(count);
    rest = rest.drop_front(count);
    return true;
  }
  // The zeros at the bottom of the first byte count the bytes that follow; then a one; then the number.
  [[nodiscard]] bool varInt(uint64_t &value) {
    uint8_t first;
    value = 0;
    if (!byte(first)) return false;
    unsigned more = first ? llvm::countr_zero(first) : 8;
    llvm::StringRef tail;
    if (!bytes(more, tail)) return false;
    uint64_t high = 0;
    for (unsigned i = more; i--;) high = high << 8 | static_cast<uint8_t>(tail[i]);
    value = more == 8 ? high : more == 7 ? high : (high << 8 | first) >> (more + 1);
    return true;
  }
  // The sign is the lowest bit.
  [[nodiscard]] bool signedVarInt(int64_t &value) {
    uint64_t zigzag;
    bool read = varInt(zigzag);
    value = static_cast<int64_t>(zigzag >> 1 ^ (~(zigzag & 1) + 1));
    return read;
  }
  // A flag below a number.
  [[nodiscard]] bool flagged(uint64_t &value, bool &flag) {
    bool read = varInt(value);
    flag = value & 1;
    value >>= 1;
    return read;
  }
  // Reads a count. It is at most the bytes that are left: each thing takes one at least.
  [[nodiscard]] bool count(uint64_t &value) { return varInt(value) && value <= rest.size(); }

 private:
  llvm::StringRef rest;
};

}  // namespace tpuc::vhlo

#endif  // TPUC_DIALECTS_VHLO_CURSOR_H
