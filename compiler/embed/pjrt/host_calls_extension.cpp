// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "compiler/embed/pjrt/host_calls_extension.h"

#include <atomic>
#include <vector>

namespace tpuc::pjrt {
namespace {

constexpr int kType = 0x74707563;  // "tpuc": far from PJRT's own
constexpr size_t kMessageBytes = 1 << 16;

std::atomic<HostCallback> callback{nullptr};

struct Extension : PJRT_Extension_Base {
  void (*setCallback)(HostCallback);
};

}  // namespace

PJRT_Extension_Base *hostCallsExtension(PJRT_Extension_Base *next) {
  static Extension extension = {{sizeof(Extension), static_cast<PJRT_Extension_Type>(kType), next},
                                [](HostCallback function) { callback.store(function); }};
  return &extension;
}

bool callHost(uint64_t id, std::span<const exec::HostArray> operands, std::span<const exec::HostArray> results,
              std::string &error) {
  HostCallback function = callback.load();
  if (!function) {
    error = "the program calls functions of Python, but JAX's package for tpuc is not there";
    return false;
  }
  std::vector<const void *> in;
  std::vector<void *> out;
  for (const exec::HostArray &a : operands) in.push_back(a.data);
  for (const exec::HostArray &a : results) out.push_back(a.data);
  std::vector<char> message(kMessageBytes, 0);
  if (function(id, in.data(), out.data(), message.data(), message.size()) == 0) return true;
  message.back() = 0;
  error = message.data();
  return false;
}

}  // namespace tpuc::pjrt
