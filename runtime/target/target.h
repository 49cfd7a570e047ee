// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Hardware descriptions: loading targets/*.textproto or a user's own file, and changing single constants.
#pragma once
#include <cstdint>
#include <string>
#include <vector>

#include "runtime/target/target_messages.h"

namespace tpuc::target {

// The bundled targets' names, oldest first: v1 v2 v3 v4 v5e v5p v6e.
std::vector<std::string> bundledTargets();

// `nameOrPath`: a bundled name or the path of a textproto file. False with `error` (file, line and column; what was
// expected, what was found).
bool loadTarget(const std::string &nameOrPath, Target &target, std::string &error);
// The inverse of toText.
bool parseTarget(const std::string &text, Target &target, std::string &error);

// "memory.hbm_bandwidth_gbps=900"; short forms are fine where unambiguous: a field's own name, or the end of its path
// ("hbm.bandwidth_gbps"). False with `error` that names the fields that exist.
bool setConstant(Target &target, const std::string &assignment, std::string &error);

// Every constant with its value and where it is from, in the schema's order.
struct Constant {
  std::string path;
  double value = 0;
  std::string source;  // empty: not given
};
std::vector<Constant> constants(const Target &target);

// Sanity of every constant (positive, sides powers of two, at most kMaxMxus arrays, ...); empty when it is sound.
std::string validate(const Target &target);

// Text form, and a digest of its constants (sources left out).
std::string toText(const Target &target);
uint64_t digest(const Target &target);

// Derived figures. Peak of one core: multiply-adds count 2.
double bf16FlopsPerCycle(const Target &target);  // all arrays of a core
double hbmBytesPerCycle(const Target &target);   // usable, of a chip, per core clock

}  // namespace tpuc::target
