// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Which annotation reached which array of a program for several devices, by which ops, and where not all could be had:
// what the passes' remarks say, kept for the report.
#pragma once
#include <map>
#include <string>
#include <vector>

namespace tpuc::report {

// An axis of an array, and the op that brought it there.
struct ShardedAxis {
  std::string axis;            // x, or x:(1)2
  int dim = 0;                 // of the array
  bool now = true;             // false: it became a part of a larger one
  std::string way;             // the whole path in words; of a long one its ends
  std::string stated;          // where the program states it; empty where an op brought it
  int from = -1;               // the number of the array that it came from
  std::string fromAxis;        // as that one had it
  int step = 0;                // of propagation
  std::string op, line;        // the op and its source line
  std::string source, target;  // "operand 0", "result 0" of the op
};

struct ShardedArray {
  int number = 0;
  std::string name, line, type;
  std::string sharding;  // [{"x"}, {}]; empty: no annotation reaches it
  std::vector<ShardedAxis> axes;
};

struct ShardingNote {
  std::string line, text;
};

struct Sharding {
  std::vector<ShardedArray> arrays;  // in the program's order
  std::vector<ShardingNote> conflicts, gathers;
  std::vector<int> asked;  // indices of arrays to explain; empty: none by name

  // A remark of the passes: its category, name, words, source line, and facts by key.
  void hear(const std::string &category, const std::string &name, const std::string &text, const std::string &line,
            const std::map<std::string, std::string> &facts);
  // Asks for arrays by name ("argument 0", "result 1"), op ("dot_general") or source line ("41", "model.py:41"); false
  // where there are none.
  bool ask(const std::string &what);
  const ShardedArray *find(int number) const;
  // From the statement to the array: all on the way.
  std::vector<std::pair<const ShardedArray *, const ShardedAxis *>> path(const ShardedArray &array,
                                                                         const ShardedAxis &axis) const;

 private:
  std::map<int, size_t> places_;  // of arrays by number
};

std::string shardingText(const Sharding &sharding);

}  // namespace tpuc::report
