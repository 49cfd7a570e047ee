// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The stages in order: a module of StableHLO becomes an executable.
#pragma once
#include <functional>
#include <map>
#include <string>
#include <vector>

#include "mlir/IR/BuiltinOps.h"
#include "runtime/isa/executable.h"
#include "runtime/target/target.h"

namespace tpuc {

// What a pass has to say of the program (MLIR's remarks).
struct PassRemark {
  std::string category, name, text, location;  // location: FILE:LINE
  std::map<std::string, std::string> facts;    // the same for programs, by key
};

struct CompileOptions {
  std::string target = "v5e";     // bundled name or path
  std::vector<std::string> sets;  // "path=value"
  std::string matmulPrecision;    // "default", "high", "highest"; empty: as the program says
  bool fuse = true, pipeline = true;
  bool constantArrays = false;       // constants are arrays in HBM whose values no pass sees
  std::vector<std::string> dims;     // sizes of the program's symbols, "b=17"
  std::vector<std::string> buckets;  // of sizes, as parseBuckets takes them; a program for each in one executable
  std::vector<std::string> argumentShapes;  // of inputs, in order: "17x300", "scalar", "?" where none is known; only
                                            // arguments of open sizes are given them
  // "default": arguments and results lie as their types and shapes say (isa::sharedOrder), or as the program asks for
  // each (mhlo.layout_mode); empty: as suits the program.
  std::string ioLayouts;
  int64_t devices = 0;            // that run it together; 0: as the program says
  std::vector<std::string> mesh;  // sizes of axes of the program's meshes, "data:8"
  // What the program says is unreduced goes in and out as summands, one a device; otherwise as the whole sum.
  bool partialSums = false;
  std::string dumpStages;            // directory; NN-stage.mlir after each stage
  std::string stopAfter, startFrom;  // stage names: the last to run, the first to run
  std::string remarks;               // categories of remarks to print, a regular expression; empty: none
  bool anyModule = false;            // what is valid but no program is taken too; nothing but import can run
  std::string artifactVersion;  // write the last stage's module as a portable artifact; without stopAfter, what was
                                // imported
  std::function<void(llvm::StringRef)> onStage;  // told of each stage as it begins
  // Told of each array's sharding that the program inspects: by which words it asks, the array's rank, HLO's text. What
  // it returns is an error, if not empty.
  std::function<std::string(llvm::StringRef, int64_t, llvm::StringRef)> onInspect;
  // Hears remarks of all categories.
  std::function<void(const PassRemark &)> onRemark;
  std::function<void(mlir::ModuleOp)> onImport;  // sees the program as it was read, before any stage rewrites it
};

// In order: import shapes simplify shard expand fuse plan lower schedule encode.
const std::vector<std::string> &stageNames();

// Runs the stages on `module` (which they rewrite). With stopAfter before encode, `exe` stays empty and the module is
// that stage's result; with buckets, that of the largest. Located diagnostics on failure.
mlir::LogicalResult compileModule(mlir::ModuleOp module, const CompileOptions &options, isa::Executable &exe);

// The target with its changed constants; false with `error`.
bool resolveTarget(const CompileOptions &options, target::Target &target, std::string &error);

}  // namespace tpuc
