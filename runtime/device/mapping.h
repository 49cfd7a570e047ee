// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Memory of the modelled chip: page-aligned host memory that the operating system gives out zeroed and on demand.
#pragma once
#include <cstddef>
#include <cstdint>
#include <memory>

namespace tpuc::device {

// Anonymous memory, in huge pages where the system has them.
class Mapping {
 public:
  Mapping() = default;
  // Null data() when the system refuses.
  explicit Mapping(size_t bytes);
  ~Mapping();
  Mapping(Mapping &&other) noexcept { *this = std::move(other); }
  Mapping &operator=(Mapping &&other) noexcept;

  uint8_t *data() const { return data_; }
  size_t size() const { return size_; }

 private:
  friend class SharedPrefix;
  uint8_t *data_ = nullptr;
  size_t size_ = 0, mapped_ = 0;
};

// Images of one size whose first `shared` bytes are the same memory: VMEM as the steps of a grid see it.
class SharedPrefix {
 public:
  SharedPrefix() = default;
  ~SharedPrefix();
  SharedPrefix(const SharedPrefix &) = delete;
  SharedPrefix &operator=(const SharedPrefix &) = delete;

  // `shared` is a multiple of 4096. False when the system refuses.
  bool init(size_t shared);
  // Null data() when the system refuses.
  Mapping image(size_t bytes) const;

 private:
  int fd_ = -1;
  size_t shared_ = 0;
};

}  // namespace tpuc::device
