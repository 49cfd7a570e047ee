// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The buckets that a program of open sizes is compiled for, and what its executable says of sizes.
#pragma once
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "mlir/IR/BuiltinOps.h"
#include "runtime/isa/executable.h"

namespace tpuc {

// The sizes of one symbol that one program holds.
struct SizeRange {
  int64_t least = 0, most = 0;
};
using Bucket = std::map<std::string, SizeRange>;

// "s=128,256,512": each from the one before on, the first from 1; "b=pow2:1..200": powers of two, and 200;
// "s=multiples:128..1024"; "s=17..32": one bucket; "b=each:1..8": one for each size. Several texts: every combination,
// the smallest first. Nothing with `error`.
std::optional<std::vector<Bucket>> parseBuckets(const std::vector<std::string> &texts, std::string &error);
// The sizes as an option of the shapes stage: "b=17..32".
std::vector<std::string> textsOf(const Bucket &bucket);

// What a bucket's module says after the shapes stage, by the symbols' names.
struct ModuleSizes {
  std::vector<std::vector<std::string>> arguments, results;  // sizes of dims; empty for arrays without open ones
  std::map<int, std::string> extents;                        // arguments that are true sizes
  struct Condition {
    std::string size, message;
    bool zero = false;
  };
  std::vector<Condition> conditions;
  bool exact = false;  // the program holds its largest sizes alone
};
ModuleSizes sizesOf(mlir::ModuleOp module);

// Programs of several buckets as one executable.
class BucketLinker {
 public:
  void add(const Bucket &bucket, const ModuleSizes &sizes, isa::Executable exe);
  // False with `error` where the result is not sound.
  bool finish(isa::Executable &exe, std::string &error);

 private:
  struct Entry {
    Bucket bucket;
    bool exact = false;
  };
  uint32_t symbol(const std::string &size);
  void name(isa::proto::Array &array, const std::vector<std::string> &dims);

  std::optional<isa::Executable> linked_;
  std::optional<uint64_t> systemOffset_;  // where code expects the system area
  std::vector<Entry> entries_;
  std::vector<std::string> symbols_;  // sizes as they are written
  std::vector<ModuleSizes::Condition> conditions_;
};

}  // namespace tpuc
