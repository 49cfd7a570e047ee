// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Options that several subcommands share.
#pragma once
#include "compiler/cache/compile_cache.h"
#include "compiler/pipeline/compile.h"
#include "compiler/tools/cli.h"
#include "compiler/tools/program.h"
#include "runtime/executor/executor.h"

namespace tpuc::tools {

namespace cl = llvm::cl;

enum class Precision { AsWritten, Default, High, Highest };
enum class StatsFormat { None, Text, Json };
enum class Constants { Folded, Arrays };

// How a program is compiled.
struct CompileFlags {
  explicit CompileFlags(Cli &cli);
  // Checks stage names, target and constants; prints what is wrong.
  std::optional<int> options(CompileOptions &out) const;
  // Refuses flags that say how to compile where the program is an executable already.
  std::optional<int> refuseFor(const Program &program, llvm::raw_ostream &err) const;

  cl::opt<std::string> target;
  cl::list<std::string> sets, dims, buckets;
  cl::opt<Precision> precision;
  cl::opt<Constants> constants;
  cl::opt<std::string> dumpStages, stopAfter, startFrom, remarks;
  cl::opt<bool> noFuse, noPipeline;
  cl::opt<std::string> ioLayouts;
  cl::opt<int64_t> devices;
  cl::list<std::string> mesh;
};

// How an executable is run.
struct RunFlags {
  explicit RunFlags(Cli &cli);
  std::optional<int> options(exec::ExecutorOptions &out) const;

  cl::opt<int> threads;
  cl::opt<std::string> cpuLevel;
  cl::opt<bool> check;
};

// Where compiled programs are kept.
struct CacheFlags {
  explicit CacheFlags(Cli &cli);
  // Null without --cache.
  std::optional<int> open(std::unique_ptr<cache::CompileCache> &out) const;

  cl::opt<std::string> folder;
};

// Several programs in a file, for tests.
struct SplitFlags {
  explicit SplitFlags(Cli &cli);
  cl::opt<bool> split, verifyDiagnostics;
};

}  // namespace tpuc::tools
