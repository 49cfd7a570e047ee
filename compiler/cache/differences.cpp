// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Comparing records.
#include "compiler/cache/differences.h"

#include <algorithm>

namespace tpuc::cache {
namespace {

constexpr size_t kShown = 3;  // differences in a sentence

std::string at(const std::string &line) { return line.empty() ? "" : " (" + line + ")"; }

std::string count(size_t n, const std::string &what) { return std::to_string(n) + " " + what + (n == 1 ? "" : "s"); }

void compareArguments(const Record &now, const Record &before, std::vector<std::string> &out) {
  if (now.arguments.size() != before.arguments.size())
    return out.push_back("it has " + count(now.arguments.size(), "argument") + ", before " +
                         std::to_string(before.arguments.size()));
  for (size_t i = 0; i < now.arguments.size(); ++i) {
    const Record::Argument &a = now.arguments[i];
    const std::string name = a.name.empty() ? "" : " '" + a.name + "'";
    if (a.type != before.arguments[i].type)
      out.push_back("argument " + std::to_string(i) + name + " is " + a.type + ", before " + before.arguments[i].type +
                    at(a.line));
  }
}

void compareConstants(const Record &now, const Record &before, std::vector<std::string> &out) {
  if (now.constants.size() != before.constants.size())
    return out.push_back("it has " + count(now.constants.size(), "constant") + ", before " +
                         std::to_string(before.constants.size()));
  for (size_t i = 0; i < now.constants.size(); ++i) {
    const Record::Constant &c = now.constants[i], &b = before.constants[i];
    if (c.type != b.type)
      out.push_back("a constant is " + c.type + ", before " + b.type + at(c.line));
    else if (c.digest != b.digest && !c.value.empty() && !b.value.empty())
      out.push_back("a constant is " + c.value + ", before " + b.value + at(c.line));
    else if (c.digest != b.digest)
      out.push_back("a constant " + c.type + " has other values" + at(c.line));
  }
}

void compareOps(const Record &now, const Record &before, std::vector<std::string> &out) {
  const size_t both = std::min(now.ops.size(), before.ops.size());
  for (size_t i = 0; i < both; ++i)
    if (now.ops[i].digest != before.ops[i].digest)
      return out.push_back("its operations differ from " + now.ops[i].name + " on" + at(now.ops[i].line));
  if (now.ops.size() != before.ops.size())
    out.push_back("it has " + count(now.ops.size(), "operation") + ", before " + std::to_string(before.ops.size()));
}

}  // namespace

Differences differences(const Record &now, const Record &before) {
  Differences result;
  std::vector<std::string> &out = result.sentences;
  if (now.build != before.build) out.emplace_back("another build of tpuc compiled it before");
  if (now.target != before.target) out.push_back("it is for " + now.target + ", before for " + before.target);
  if (now.options != before.options)
    out.push_back("it is compiled with '" + now.options + "', before with '" + before.options + "'");
  const size_t outer = out.size();
  compareArguments(now, before, out);
  // Other shapes change the shapes of everything.
  result.distance = 1000 * out.size();
  if (out.size() > outer) return result;
  const size_t inner = out.size();
  compareConstants(now, before, out);
  compareOps(now, before, out);
  result.distance += out.size() - inner;
  return result;
}

std::string whyNew(const Record &now, const std::vector<Record> &before) {
  const Record *nearest = nullptr;
  Differences nearer;
  for (const Record &record : before) {
    if (record.name != now.name) continue;
    Differences found = differences(now, record);
    if (nearest && found.distance >= nearer.distance) continue;
    nearest = &record;
    nearer = std::move(found);
  }
  if (!nearest) return "no program of this name was compiled before";
  const std::vector<std::string> &fewest = nearer.sentences;
  if (fewest.empty())
    return nearest->key == now.key ? "it was compiled before, but nothing keeps programs"
                                   : "only lines of its source differ";
  std::string out;
  for (size_t i = 0; i < std::min(fewest.size(), kShown); ++i) out += (i ? "; " : "") + fewest[i];
  return fewest.size() > kShown ? out + "; and " + std::to_string(fewest.size() - kShown) + " more" : out;
}

}  // namespace tpuc::cache
