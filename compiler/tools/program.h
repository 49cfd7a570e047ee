// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What the command is given: a file of StableHLO, an executable, or a folder with a program, its inputs and outputs.
#pragma once
#include <optional>
#include <string>
#include <vector>

#include "compiler/cache/compile_cache.h"
#include "compiler/pipeline/session.h"
#include "compiler/tools/elements.h"
#include "runtime/target/target.h"

namespace tpuc::tools {

struct Program {
  std::string path;    // as the user wrote it
  std::string file;    // the program itself
  std::string folder;  // where inputs and outputs lie; empty for none
  bool executable = false;
  std::unique_ptr<llvm::MemoryBuffer> chunk;  // one program of a file that was split
};

// Prints what is wrong and gives the exit code, 0 for none.
int findProgram(const std::string &path, const std::string &dataFolder, Program &out, llvm::raw_ostream &err);

// A program ready to run or to report on.
struct Loaded {
  Compiled compiled;
  target::Target target;
  double seconds = 0;  // of compiling, or of loading
};
// A program of open sizes is compiled for those of its inputs: `options` says them, or else the folder's input.K.npy.
Loaded load(Session &session, Program &program, const CompileOptions &options, llvm::raw_ostream &err,
            bool verifyDiagnostics = false, cache::CompileCache *cache = nullptr);

// The shapes that the files' headers say, as CompileOptions takes them; "?" for one that is none.
std::vector<std::string> shapesOf(llvm::ArrayRef<std::string> files);

// PREFIX.INDEX.npy of `folder` as an array of the program's; prints what is wrong. Nothing and 0 when there is no such
// file and `optional`.
int readArray(const std::string &path, const isa::proto::Array &type, const std::string &what, HostArray &out,
              llvm::raw_ostream &err);
bool fileExists(const std::string &path);
// The K of the folder's PREFIX.K.npy, in order.
std::vector<int> numberedFiles(const std::string &folder, llvm::StringRef prefix);
// What is wrong with a folder that has these of `expected` files, each for a `what`; empty for nothing.
std::string wrongFiles(llvm::ArrayRef<int> files, int expected, llvm::StringRef prefix, llvm::StringRef what);

// What a folder's info.json says of its outputs.
struct OutputLimits {
  std::optional<double> tolerance;
  // For each output the magnitude of the terms whose sum it is, where they may cancel; 0 for none.
  std::vector<double> scales;

  double scaleOf(int output) const { return output < static_cast<int>(scales.size()) ? scales[output] : 0; }
};
// 0 exit and nothing said when there is no such file.
int readLimits(const std::string &folder, OutputLimits &out, llvm::raw_ostream &err);

}  // namespace tpuc::tools
