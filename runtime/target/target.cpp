// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Loads hardware descriptions: bundled ones by name, a user's own from a file, with located errors.
#include "runtime/target/target.h"

#include <fstream>
#include <sstream>

#include "runtime/target/bundled.h"

namespace tpuc::target {
namespace {

// Errors are "file:line:column: what".
bool parseText(const std::string &text, const std::string &file, Target &target, std::string &error) {
  schema::TextError why;
  Target parsed;
  if (!schema::parseText(text, parsed, why)) {
    error = file + ":" + std::to_string(why.line) + ":" + std::to_string(why.column) + ": " + why.message;
    return false;
  }
  if (std::string why = validate(parsed); !why.empty()) {
    error = file + ": " + why;
    return false;
  }
  target = std::move(parsed);
  return true;
}

std::string join(const std::vector<std::string> &names) {
  std::string out;
  for (const std::string &name : names) out += (out.empty() ? "" : ", ") + name;
  return out;
}

}  // namespace

std::vector<std::string> bundledTargets() {
  std::vector<std::string> names;
  for (int i = 0; i < kNumBundled; ++i) names.push_back(kBundled[i].name);
  return names;
}

bool loadTarget(const std::string &nameOrPath, Target &target, std::string &error) {
  for (int i = 0; i < kNumBundled; ++i)
    if (nameOrPath == kBundled[i].name) return parseText(kBundled[i].text, nameOrPath + ".textproto", target, error);
  std::ifstream file(nameOrPath, std::ios::binary);
  std::ostringstream text;
  if (!file || !(text << file.rdbuf())) {
    error = "unknown target '" + nameOrPath + "': expects one of " + join(bundledTargets()) +
            " or a readable textproto file";
    return false;
  }
  return parseText(text.str(), nameOrPath, target, error);
}

bool parseTarget(const std::string &text, Target &target, std::string &error) {
  return parseText(text, "target", target, error);
}

std::string toText(const Target &target) { return schema::toText(target); }

uint64_t digest(const Target &target) {
  Target constants = target;
  constants.clear_source();  // where a number is from does not change the machine
  uint64_t hash = 0xcbf29ce484222325ull;
  for (unsigned char c : toText(constants)) hash = (hash ^ c) * 0x100000001b3ull;
  return hash;
}

double bf16FlopsPerCycle(const Target &target) {
  const Core &core = target.core();
  return 2.0 * core.mxus() * core.mxu_side() * core.mxu_side() * core.mxu_rows_per_cycle();
}

double hbmBytesPerCycle(const Target &target) {
  return target.memory().hbm_bandwidth_gbps() * target.memory().hbm_efficiency() / target.clock_ghz();
}

}  // namespace tpuc::target
