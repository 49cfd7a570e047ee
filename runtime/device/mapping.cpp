// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "runtime/device/mapping.h"

#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <utility>

namespace tpuc::device {
namespace {

constexpr size_t kPage = 4096, kHugePage = size_t{2} << 20;

size_t roundUp(size_t n, size_t to) { return (n + to - 1) / to * to; }

uint8_t *reserve(size_t bytes) {
  void *p = mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  return p == MAP_FAILED ? nullptr : static_cast<uint8_t *>(p);
}

}  // namespace

Mapping::Mapping(size_t bytes) : size_(bytes), mapped_(roundUp(std::max<size_t>(bytes, 1), kPage)) {
  bool huge = mapped_ >= 2 * kHugePage;
  if (huge) mapped_ = roundUp(mapped_, kHugePage) + kHugePage;  // room for a start that is aligned
  data_ = reserve(mapped_);
  if (!data_) {
    size_ = mapped_ = 0;
  } else if (huge) {
    uint8_t *aligned = reinterpret_cast<uint8_t *>(roundUp(reinterpret_cast<size_t>(data_), kHugePage));
    if (aligned != data_) munmap(data_, aligned - data_);
    mapped_ -= aligned - data_;
    data_ = aligned;
    madvise(data_, mapped_, MADV_HUGEPAGE);
  }
}

Mapping::~Mapping() {
  if (data_) munmap(data_, mapped_);
}

Mapping &Mapping::operator=(Mapping &&other) noexcept {
  std::swap(data_, other.data_);
  std::swap(size_, other.size_);
  std::swap(mapped_, other.mapped_);
  return *this;
}

SharedPrefix::~SharedPrefix() {
  if (fd_ >= 0) close(fd_);
}

bool SharedPrefix::init(size_t shared) {
  shared_ = shared;
  if (shared == 0) return true;
  if (fd_ < 0) fd_ = memfd_create("vmem", MFD_CLOEXEC);
  return fd_ >= 0 && ftruncate(fd_, static_cast<off_t>(shared)) == 0;
}

Mapping SharedPrefix::image(size_t bytes) const {
  Mapping m(bytes);
  if (!m.data_ || shared_ == 0) return m;
  void *p = mmap(m.data_, shared_, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_FIXED, fd_, 0);
  return p == MAP_FAILED ? Mapping() : std::move(m);
}

}  // namespace tpuc::device
