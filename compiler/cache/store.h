// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A folder of compiled programs that processes share: one file for each, found by the digest of what it was made from.
// A file is an executable with a record behind it. Nothing here is ever worth an error: what cannot be read is not
// there, and what cannot be written is not kept.
#pragma once
#include <array>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"
#include "runtime/isa/executable.h"

namespace tpuc::cache {

using Key = std::array<uint8_t, 32>;

// The digest of the parts and their lengths.
Key keyOf(llvm::ArrayRef<llvm::StringRef> parts);
std::string text(const Key &key);

// The right to make an entry: no other process, and no other thread of this one, makes it meanwhile. It ends with the
// process, however that ends.
class Claim {
 public:
  Claim() = default;
  Claim(Claim &&other) noexcept { *this = std::move(other); }
  Claim &operator=(Claim &&other) noexcept;
  ~Claim();

 private:
  friend class Store;
  std::string path_;  // of the lock's file
  int fd_ = -1;
};

class Store {
 public:
  Store(std::string folder, uint64_t mostBytes) : folder_(std::move(folder)), mostBytes_(mostBytes) {}

  // False when there is no such entry. One that is broken is removed.
  bool find(const Key &key, isa::Executable &exe) const;

  // Waits for whoever makes the entry; after kPatience seconds, or where files cannot be locked, no longer.
  static constexpr int kPatience = 600;
  Claim claim(const Key &key) const;

  // Adds an entry, and removes those that were not used for longest when there are too many bytes. Returns why it
  // cannot; empty when it can.
  std::string keep(const Key &key, const isa::Executable &exe, llvm::StringRef record);

  // The records of entries, at most `most`, those used last first.
  std::vector<std::string> records(size_t most) const;

  const std::string &folder() const { return folder_; }

 private:
  std::string pathOf(const Key &key) const;
  void prune() const;

  const std::string folder_;
  const uint64_t mostBytes_;
  uint64_t unpruned_ = UINT64_MAX / 2;  // bytes written since the last look; the first write of a process looks
};

}  // namespace tpuc::cache
