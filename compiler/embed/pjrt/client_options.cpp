// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A client's options, from its creation and from the environment.
#include <algorithm>
#include <cstdlib>
#include <iterator>
#include <map>

#include "absl/strings/str_cat.h"
#include "compiler/embed/pjrt/client.h"
#include "llvm/ADT/StringRef.h"

namespace tpuc::pjrt {
namespace {

using Texts = std::map<std::string, std::string>;

constexpr const char *kNames[] = {"target", "matmul_precision", "threads", "num_devices", "checking",
                                  "cache",  "buckets"};
// More have no room in the host's range of addresses.
constexpr int64_t kMostDevices = 256;
// Clients give these to any plugin that may have an allocator of its own.
constexpr const char *kOfAllocators[] = {"preallocate", "memory_fraction"};

template <size_t N>
bool isOneOf(const std::string &name, const char *const (&names)[N]) {
  return std::find(std::begin(names), std::end(names), name) != std::end(names);
}

// Values come typed or as strings: both become text.
StatusOr<std::string> textOf(const PJRT_NamedValue &value) {
  switch (value.type) {
    case PJRT_NamedValue_kString:
      return std::string(value.string_value, value.value_size);
    case PJRT_NamedValue_kInt64:
      return std::to_string(value.int64_value);
    case PJRT_NamedValue_kBool:
      return std::string(value.bool_value ? "true" : "false");
    default:
      break;
  }
  return invalidArgument(absl::StrCat("option '", absl::string_view(value.name, value.name_size),
                                      "' expects a string, a number or a boolean"));
}

void readEnvironment(Texts &texts) {
  for (const char *name : kNames)
    if (const char *text = std::getenv(("TPUC_" + llvm::StringRef(name).upper()).c_str())) texts[name] = text;
  if (const char *text = std::getenv("TPUC_DEVICES")) texts["num_devices"] = text;
}

Status badValue(const char *name, const std::string &expects, const std::string &got) {
  return invalidArgument(absl::StrCat("option '", name, "' expects ", expects, ", but got '", got, "'"));
}

Status applyTexts(const Texts &texts, ClientOptions &options) {
  auto find = [&](const char *name) {
    auto it = texts.find(name);
    return it == texts.end() ? nullptr : &it->second;
  };
  if (const std::string *text = find("target")) options.target = *text;
  if (const std::string *text = find("matmul_precision")) {
    if (*text != "default" && *text != "high" && *text != "highest")
      return badValue("matmul_precision", "default, high or highest", *text);
    options.matmulPrecision = *text;
  }
  if (const std::string *text = find("threads"))
    if (llvm::StringRef(*text).getAsInteger(10, options.threads) || options.threads < 0 || options.threads > 4096)
      return badValue("threads", "a number from 0 to 4096", *text);
  if (const std::string *text = find("num_devices"))
    if (llvm::StringRef(*text).getAsInteger(10, options.devices) || options.devices < 1 ||
        options.devices > kMostDevices)
      return badValue("num_devices", absl::StrCat("a number from 1 to ", kMostDevices), *text);
  if (const std::string *text = find("checking")) {
    options.checking = *text == "true" || *text == "1";
    if (!options.checking && *text != "false" && *text != "0") return badValue("checking", "true or false", *text);
  }
  if (const std::string *text = find("buckets"); text && !text->empty() && *text != "off") {
    std::string error;
    if (!(options.buckets = BucketPolicy::parse(*text, error)))
      return badValue("buckets", "off, pow2, multiples:STEP or ascending sizes", *text);
  }
  const std::string *folder = find("cache");
  options.cache.folder = cache::folderNamed(folder ? *folder : "");
  std::string error;
  return cache::readEnvironment(options.cache, error) ? okStatus() : invalidArgument(error);
}

}  // namespace

StatusOr<ClientOptions> ClientOptions::read(const PJRT_NamedValue *values, size_t count) {
  Texts texts;
  readEnvironment(texts);
  for (size_t i = 0; i < count; ++i) {
    std::string name(values[i].name, values[i].name_size);
    if (isOneOf(name, kOfAllocators)) continue;
    if (!isOneOf(name, kNames))
      return invalidArgument(
          absl::StrCat("there is no option '", name,
                       "': expects target, matmul_precision, threads, num_devices, checking, cache or buckets"));
    StatusOr<std::string> text = textOf(values[i]);
    if (!text.ok()) return text.status();
    texts[name] = *text;
  }
  ClientOptions options;
  Status status = applyTexts(texts, options);
  if (!status.ok()) return status;
  return options;
}

}  // namespace tpuc::pjrt
