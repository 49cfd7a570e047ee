// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What is known of a program besides its executable, so that a later one can be compared with it.
#pragma once
#include <cstdint>
#include <string>
#include <vector>

#include "llvm/ADT/StringRef.h"
#include "mlir/IR/BuiltinOps.h"

namespace tpuc::cache {

// Lines ("train.py:12:3") are those of the program at hand; they are not kept.
struct Record {
  struct Argument {
    std::string type, name, line;  // "8x128xf32", "x", where it is used first
  };
  struct Constant {
    std::string type, digest, value, line;  // the value where it is one number
  };
  struct Op {
    uint32_t digest = 0;  // of its name, attributes and results' types
    std::string name, line;
  };
  std::string name;  // of the module
  std::string key;   // of the whole; not kept
  std::string build, target, options;
  std::vector<Argument> arguments;
  std::vector<Constant> constants;
  std::vector<Op> ops;  // in order, without constants
};

// Records an imported module; with `lines` also where its parts come from.
void readModule(mlir::ModuleOp module, bool lines, Record &record);

std::string toJson(const Record &record);
// False when it is none.
bool fromJson(llvm::StringRef text, Record &record);

}  // namespace tpuc::cache
