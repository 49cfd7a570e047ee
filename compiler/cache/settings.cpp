// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Settings of the cache, from text and from the environment.
#include "compiler/cache/settings.h"

#include <cstdlib>
#include <limits>

#include "llvm/ADT/SmallVector.h"
#include "llvm/Support/Path.h"

namespace tpuc::cache {

std::string defaultFolder() {
  llvm::SmallString<128> path;
  if (!llvm::sys::path::cache_directory(path)) return "";
  llvm::sys::path::append(path, "tpuc");
  return path.str().str();
}

std::string folderNamed(llvm::StringRef text) {
  if (text == "off" || text == "false" || text == "0") return "";
  if (text.empty() || text == "on" || text == "true" || text == "1") return defaultFolder();
  return text.str();
}

bool parseSize(llvm::StringRef text, uint64_t &bytes) {
  unsigned shift = 0;
  if (text.consume_back("K"))
    shift = 10;
  else if (text.consume_back("M"))
    shift = 20;
  else if (text.consume_back("G"))
    shift = 30;
  uint64_t number;
  if (text.getAsInteger(10, number) || number == 0 || number > std::numeric_limits<uint64_t>::max() >> shift)
    return false;
  bytes = number << shift;
  return true;
}

bool readEnvironment(Settings &settings, std::string &error) {
  if (const char *size = std::getenv("TPUC_CACHE_SIZE"); size && !parseSize(size, settings.mostBytes)) {
    error = std::string("TPUC_CACHE_SIZE expects a number of bytes, as 500M or 4G, but got '") + size + "'";
    return false;
  }
  if (const char *log = std::getenv("TPUC_LOG"); log && *log) {
    settings.log = llvm::StringRef(log) == "compiles";
    if (!settings.log) error = std::string("TPUC_LOG expects compiles, but got '") + log + "'";
  }
  return error.empty();
}

}  // namespace tpuc::cache
