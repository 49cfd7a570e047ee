// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The words of a call are a function and what it is to be called with, as jaxlib writes them (its public C structures
// JAX_InspectSharding_Callback and JAX_InspectSharding_Callback_Args).
#include "compiler/embed/pjrt/inspect_sharding.h"

#include <cstring>

#include "compiler/embed/pjrt/op_sharding.h"

namespace tpuc::pjrt {
namespace {

extern "C" {
struct Question {
  char *sharding;  // a serialised OpSharding
  size_t size;
  const char *error;  // the callee's
  void *scratch;
  void (*freeError)(Question *question);
};
struct Asker {
  void (*call)(void *data, Question *question);
  void *data;
};
}

}  // namespace

bool inspectsShardings(std::string_view program) { return program.find("InspectSharding") != std::string_view::npos; }

std::string tellSharding(std::string_view asked, int64_t rank, std::string_view text, int64_t devices) {
  Asker asker;
  if (asked.size() != sizeof asker) return "no function";
  std::memcpy(&asker, asked.data(), sizeof asker);
  isa::Sharding sharding;
  std::string error;
  const bool isWhole = text == "{replicated}";
  if (!isa::parseSharding(isWhole ? "" : text, static_cast<size_t>(rank), devices, sharding, error)) return error;
  std::string bytes = opSharding(sharding);
  Question question{bytes.data(), bytes.size(), nullptr, nullptr, nullptr};
  asker.call(asker.data, &question);
  if (!question.error) return {};
  error = question.error;
  if (question.freeError) question.freeError(&question);
  return error;
}

}  // namespace tpuc::pjrt
