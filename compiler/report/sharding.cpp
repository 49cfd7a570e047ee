// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "compiler/report/sharding.h"

#include <algorithm>

#include "runtime/isa/printable.h"

namespace tpuc::report {
namespace {

using Facts = std::map<std::string, std::string>;

std::string fact(const Facts &facts, const char *key) {
  auto found = facts.find(key);
  return found == facts.end() ? "" : found->second;
}

int number(const Facts &facts, const char *key) {
  const std::string text = fact(facts, key);
  return text.empty() ? -1 : std::stoi(text);
}

bool endsWith(const std::string &text, const std::string &end) {
  return text.size() >= end.size() && text.compare(text.size() - end.size(), end.size(), end) == 0;
}

// Whether `what` names the array, its op, or its line.
bool isMeant(const ShardedArray &array, const std::string &what) {
  if (array.name == what || array.line == what || endsWith(array.line, ":" + what)) return true;
  if (endsWith(array.line, "/" + what)) return true;  // model.py:41 of src/model.py:41
  return endsWith(array.name, "'" + what + "'") || endsWith(array.name, "." + what + "'");
}

std::string placed(const ShardedArray &array) {
  return array.name + (array.line.empty() ? "" : " (" + array.line + ")");
}

std::string line(const std::string &text) { return isa::printable(text) + "\n"; }

std::string headOf(const ShardedArray &array) {
  return "  " + placed(array) + "  " + array.type + "  " + (array.sharding.empty() ? "whole" : array.sharding);
}

std::string axisHead(const ShardedAxis &axis) {
  return "    \"" + axis.axis + "\" along dimension " + std::to_string(axis.dim);
}

// An array with the whole path of each of its axes, an op a line.
std::string explained(const Sharding &sharding, const ShardedArray &array) {
  std::string out = line(headOf(array));
  bool any = false;
  for (const ShardedAxis &axis : array.axes) {
    if (!axis.now) continue;
    any = true;
    const auto path = sharding.path(array, axis);
    const std::string &stated = path.front().second->stated;
    out += line(axisHead(axis) + (path.size() == 1 ? ": stated by " : ": from ") + stated);
    for (size_t i = 1; i < path.size(); ++i) {
      const ShardedAxis &hop = *path[i].second;
      out += line("      by '" + hop.op + "'" + (hop.line.empty() ? "" : " (" + hop.line + ")") + ", " + hop.source +
                  " -> " + hop.target);
    }
  }
  return any ? out : out + "    no annotation gives it an axis\n";
}

// How many arrays have an axis from each statement, in the program's order.
std::string statements(const Sharding &sharding) {
  std::vector<std::pair<std::string, int>> counts;
  auto count = [&](const std::string &stated) -> int & {
    auto found = std::find_if(counts.begin(), counts.end(), [&](auto &one) { return one.first == stated; });
    return (found == counts.end() ? counts.emplace_back(stated, 0) : *found).second;
  };
  auto text = [](const ShardedArray &array, const ShardedAxis &axis) {
    return "\"" + axis.axis + "\" along dimension " + std::to_string(axis.dim) + " of " + axis.stated;
  };
  for (const ShardedArray &array : sharding.arrays)
    for (const ShardedAxis &axis : array.axes)
      if (axis.now)
        ++count(text(*sharding.path(array, axis).front().first, *sharding.path(array, axis).front().second));
  std::string out;
  for (const auto &[stated, arrays] : counts)
    out += line("  " + stated + ": " + std::to_string(arrays) + (arrays == 1 ? " array" : " arrays"));
  return out;
}

std::string notes(const std::string &title, const std::vector<ShardingNote> &all) {
  std::string out = all.empty() ? "" : "\n" + title + "\n";
  for (const ShardingNote &note : all) out += line("  " + (note.line.empty() ? "" : note.line + ": ") + note.text);
  return out;
}

}  // namespace

void Sharding::hear(const std::string &category, const std::string &name, const std::string &text,
                    const std::string &line, const Facts &facts) {
  if (category == "sharding" && name == "conflict") conflicts.push_back({line, text});
  if (category == "sharding" && name == "gather") gathers.push_back({line, text});
  if (category != "propagation") return;
  const int slot = number(facts, "slot");
  if (name == "array") {
    places_[slot] = arrays.size();
    arrays.push_back(
        {slot, fact(facts, "name"), fact(facts, "line"), fact(facts, "type"), fact(facts, "sharding"), {}});
  } else if (auto place = places_.find(slot); place != places_.end()) {
    arrays[place->second].axes.push_back({fact(facts, "axis"), number(facts, "dim"), fact(facts, "now") == "true",
                                          fact(facts, "way"), fact(facts, "stated"), number(facts, "from"),
                                          fact(facts, "from_axis"), number(facts, "step"), fact(facts, "op"),
                                          fact(facts, "line"), fact(facts, "source"), fact(facts, "target")});
  }
}

bool Sharding::ask(const std::string &what) {
  for (size_t i = 0; i < arrays.size(); ++i)
    if (isMeant(arrays[i], what)) asked.push_back(static_cast<int>(i));
  return !asked.empty();
}

const ShardedArray *Sharding::find(int number) const {
  auto found = places_.find(number);
  return found == places_.end() ? nullptr : &arrays[found->second];
}

std::vector<std::pair<const ShardedArray *, const ShardedAxis *>> Sharding::path(const ShardedArray &array,
                                                                                 const ShardedAxis &axis) const {
  std::vector<std::pair<const ShardedArray *, const ShardedAxis *>> all = {{&array, &axis}};
  while (const ShardedArray *from = find(all.back().second->from)) {
    const ShardedAxis *next = nullptr;
    for (const ShardedAxis &one : from->axes)
      if (one.axis == all.back().second->fromAxis && one.step < all.back().second->step) next = &one;
    if (!next) break;
    all.push_back({from, next});
  }
  std::reverse(all.begin(), all.end());
  return all;
}

std::string shardingText(const Sharding &sharding) {
  std::string out;
  if (!sharding.asked.empty()) {
    out += "\nsharding\n";
    for (int i : sharding.asked) out += explained(sharding, sharding.arrays[i]);
    std::vector<ShardingNote> here;
    for (const ShardingNote &note : sharding.conflicts)
      for (int i : sharding.asked)
        if (note.line == sharding.arrays[i].line) {
          here.push_back(note);
          break;
        }
    return out + notes("conflicts there", here);
  }
  if (sharding.arrays.empty()) return "\nsharding: the program states none\n";
  out += "\nsharding: what the program states, and how many arrays have it\n" + statements(sharding);
  out += "\nresults (--sharding=LINE, OP or NAME explains others, of " + std::to_string(sharding.arrays.size()) + ")\n";
  for (const ShardedArray &array : sharding.arrays) {
    if (array.name.compare(0, 7, "result ") != 0 || array.name.find(" of ") != std::string::npos) continue;
    out += line(headOf(array));
    for (const ShardedAxis &axis : array.axes)
      if (axis.now) out += line(axisHead(axis) + ", " + axis.way);
  }
  return out + notes("conflicts", sharding.conflicts) +
         notes("gathered, though no annotation asks for it", sharding.gathers);
}

}  // namespace tpuc::report
