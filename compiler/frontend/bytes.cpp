//===- bytes.cpp - what kind of file bytes are ----------------------------------------------------------------===//
// Part of tpuc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===-----------------------------------------------------------------------------===//
#include "compiler/frontend/bytes.h"

using namespace llvm;

namespace tpuc::frontend {

static constexpr StringLiteral kMagic = "ML\xefR";

bool isBytecode(StringRef bytes) { return bytes.starts_with(kMagic); }

static uint32_t wordAt(StringRef bytes, size_t offset) {
  uint32_t value = 0;
  for (int i = 3; i >= 0; --i) value = value << 8 | static_cast<uint8_t>(bytes[offset + i]);
  return value;
}

// It starts with the offset of its root table, which points back to a table of fields within the buffer; text has no
// zero bytes there.
bool isFlatbuffer(StringRef bytes) {
  if (bytes.size() < 16 || !bytes.take_front(16).contains('\0')) return false;
  uint64_t root = wordAt(bytes, 0);
  if (root < 4 || root + 4 > bytes.size()) return false;
  int64_t table = static_cast<int64_t>(root) - static_cast<int32_t>(wordAt(bytes, root));
  return table >= 0 && table + 4 <= static_cast<int64_t>(bytes.size());
}

// A vector of bytes has its length in front. The schema is JAX's own and changes; the magic number does not.
StringRef bytecodeWithin(StringRef bytes) {
  for (size_t at = bytes.find(kMagic); at != StringRef::npos; at = bytes.find(kMagic, at + 1)) {
    if (at < 4) continue;
    uint64_t length = wordAt(bytes, at - 4);
    if (length >= kMagic.size() && length <= bytes.size() - at) return bytes.substr(at, length);
  }
  return {};
}

}  // namespace tpuc::frontend
