// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "dialects/diagnostics/describe_location.h"

#include "llvm/ADT/Twine.h"

using namespace mlir;

namespace tpuc {
namespace {

// FILE:LINE of the innermost place that has one: a call's callee before its caller, a fusion's first op.
std::string fileLine(Location loc) {
  if (auto file = dyn_cast<FileLineColLoc>(loc))
    return (file.getFilename().getValue() + ":" + Twine(file.getLine())).str();
  if (auto name = dyn_cast<NameLoc>(loc)) return fileLine(name.getChildLoc());
  if (auto call = dyn_cast<CallSiteLoc>(loc)) {
    std::string callee = fileLine(call.getCallee());
    return callee.empty() ? fileLine(call.getCaller()) : callee;
  }
  if (auto fused = dyn_cast<FusedLoc>(loc))
    for (Location part : fused.getLocations())
      if (std::string text = fileLine(part); !text.empty()) return text;
  return "";
}

// The innermost name, where nothing has a file.
std::string nameOf(Location loc) {
  if (auto name = dyn_cast<NameLoc>(loc)) return name.getName().str();
  if (auto call = dyn_cast<CallSiteLoc>(loc)) return nameOf(call.getCallee());
  if (auto fused = dyn_cast<FusedLoc>(loc))
    return fused.getLocations().empty() ? "" : nameOf(fused.getLocations().front());
  return "";
}

}  // namespace

std::string describeLocation(Location loc) {
  std::string place = fileLine(loc);
  return place.empty() ? nameOf(loc) : place;
}

}  // namespace tpuc
