// Hardware descriptions: loading targets/*.textproto or a user's own file, and changing single constants.
#pragma once
#include <string>
#include <vector>

#include "target.pb.h"

namespace tpuc::target {

// The bundled targets' names, oldest first: v1 v2 v3 v4 v5e v5p v6e.
std::vector<std::string> bundledTargets();

// `nameOrPath`: a bundled name or the path of a textproto file. False with `error` (what was expected, what was found).
bool loadTarget(const std::string &nameOrPath, Target &target, std::string &error);

// "memory.hbm_bandwidth_gbps=900" (short forms without the leading message are fine where unambiguous, e.g.
// "hbm.bandwidth_gbps"). False with `error` that names the fields that exist.
bool setConstant(Target &target, const std::string &assignment, std::string &error);

// Sanity of every constant (positive, sides powers of two, at most kMaxMxus arrays, ...); empty when it is sound.
std::string validate(const Target &target);

// Text form, and a digest of it.
std::string toText(const Target &target);
uint64_t digest(const Target &target);

// Derived figures. Peak of one core: multiply-adds count 2.
double bf16FlopsPerCycle(const Target &target);           // all arrays of a core
double hbmBytesPerCycle(const Target &target);            // usable, of a chip, per core clock

}  // namespace tpuc::target
