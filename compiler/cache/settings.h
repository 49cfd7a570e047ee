// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Where compiled programs are kept, how many, and what is said of it.
#pragma once
#include <cstdint>
#include <string>

#include "llvm/ADT/StringRef.h"

namespace tpuc::cache {

struct Settings {
  std::string folder;                      // empty: nothing is kept
  uint64_t mostBytes = uint64_t{4} << 30;  // of all files in the folder
  bool log = false;                        // a line on standard error for each program that is compiled
};

// The folder of this user: tpuc under XDG_CACHE_HOME, or under .cache of the home; empty when there is neither.
std::string defaultFolder();

// What a user says of the cache: a folder, "on" for the default one, "off".
std::string folderNamed(llvm::StringRef text);

// "500M", "2G", a number of bytes; false when it is something else.
bool parseSize(llvm::StringRef text, uint64_t &bytes);

// TPUC_CACHE_SIZE and TPUC_LOG; false with `error`. The folder is the caller's.
bool readEnvironment(Settings &settings, std::string &error);

}  // namespace tpuc::cache
