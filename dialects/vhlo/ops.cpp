//===- ops.cpp - the table of vhlo's ops --------------------------------------------------------------===//
// Part of tpuc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===-----------------------------------------------------------------------------===//
#include "dialects/vhlo/ops.h"

#include "llvm/ADT/StringMap.h"

using namespace llvm;

namespace tpuc::vhlo {

static constexpr OpInfo kOps[] = {
#define VHLO_OP(NAME, FIRST, LAST, ATTRIBUTES) {NAME, FIRST, LAST, ATTRIBUTES},
#include "dialects/vhlo/ops.def"
};

SmallVector<StringRef> OpInfo::attributeNames() const {
  SmallVector<StringRef> names;
  if (!attributes.empty()) StringRef(attributes).split(names, ' ');
  return names;
}

const OpInfo *findOp(StringRef name) {
  static const StringMap<const OpInfo *> *byName = [] {
    auto *map = new StringMap<const OpInfo *>();
    for (const OpInfo &info : kOps) (*map)[info.name] = &info;
    return map;
  }();
  return byName->lookup(name);
}

const OpInfo *findOp(StringRef base, Version version) {
  for (int number : {1, 2}) {
    const OpInfo *info = findOp((base + "_v" + Twine(number)).str());
    if (info && *Version::parse(info->first) <= version &&
        (info->last.empty() || version <= *Version::parse(info->last)))
      return info;
  }
  return nullptr;
}

StringRef baseName(StringRef name) { return name.take_front(name.rfind("_v")); }

}  // namespace tpuc::vhlo
