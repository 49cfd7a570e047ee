// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// tpuc compile and tpuc verify: from a program to an executable, or only to a verdict.
#include "compiler/tools/flags.h"
#include "compiler/tools/output.h"
#include "compiler/tools/program.h"
#include "compiler/tools/progress.h"
#include "dialects/vhlo/artifact.h"
#include "llvm/Support/Path.h"
#include "mlir/Support/ToolUtilities.h"

namespace tpuc::tools {
namespace {

constexpr char kCompileHelp[] = R"(tpuc compile PROGRAM - compile StableHLO to an executable of the machine

  tpuc compile program.mlir -o program.tpuc                  text as JAX prints it
  tpuc compile examples/mlp_ragged --target=v6e              a folder's program.mlir; writes mlp_ragged.tpuc
  tpuc compile program.mlir --dump-stages=stages             what each stage made of it
  tpuc compile program.mlir --stop-after=fuse -o fused.mlir
  tpuc compile fused.mlir --start-from=plan -o program.tpuc
  tpuc compile program.mlir --emit-artifact -o program.bc     a portable artifact, for other tools; =1.9.0 for old ones
  tpuc compile sharded.mlir --stop-after=shard --emit-artifact   what each device of a sharded program runs
  tpuc compile program.mlir --bucket=b=pow2:1..200           open sizes in one executable; or s=128,512, s=each:1..8
  tpuc compile program.mlir --cache                          loads what was compiled before, as run, report and bench do
  tpuc compile tests.mlir --split-input-file --verify-diagnostics

The same program and flags give the same bytes.
The stages: import, shapes, simplify, shard, expand, fuse, plan, lower, schedule, encode.
-o follows links and writes into devices and FIFOs; a regular file is replaced only by a whole one.
Exit: 0 compiled, 2 usage, 3 invalid program, 4 unsupported, 5 does not fit the target, 74 the result cannot be written.
)";

constexpr char kVerifyHelp[] = R"(tpuc verify FILE... - check programs and executables without running them

  tpuc verify program.mlir                                   is it valid StableHLO? any functions, dims without sizes
  tpuc verify program.mlir --stop-after=import               and a program that can be compiled?
  tpuc verify program.tpuc                                   is the executable whole, every branch and address sound?
  tpuc verify tests.mlir --split-input-file --verify-diagnostics
  tpuc verify stage.mlir --start-from=lower                  would the stage take it?

Exit: 0 valid (or every diagnostic as expected), 1 diagnostics differ from the expected ones, 2 usage, 3 invalid,
4 unsupported, 5 does not fit.
)";

// program.mlir -> program.tpuc; folder -> folder.tpuc, both where the command runs.
std::string defaultOutput(const Program &program, llvm::StringRef ending) {
  llvm::StringRef path(program.path);
  path = path.rtrim('/');
  return (path == "-" ? llvm::StringRef("program") : llvm::sys::path::stem(path)).str() + ending.str();
}

int writeExecutable(const isa::Executable &exe, const std::string &path) {
  if (path == "-") return writeOutput(path, isa::serialize(exe));
  std::string error;
  if (isa::save(exe, path, error)) return kOk;
  return fail(llvm::errs(), error, codes::kCannotWrite);
}

// Every text of the file is compiled; nothing is written but stages.
int compileSplit(Session &session, const Program &program, const CompileOptions &options, bool verify, bool print) {
  auto buffer = llvm::MemoryBuffer::getFileOrSTDIN(program.file);
  if (std::error_code error = buffer.getError())
    return fail(llvm::errs(), "cannot read '" + program.file + "': " + error.message(), codes::kCannotRead);
  int worst = kOk;
  auto one = [&](std::unique_ptr<llvm::MemoryBuffer> chunk, llvm::raw_ostream &os) {
    Compiled compiled = session.compileBuffer(std::move(chunk), options, llvm::errs(), verify);
    if (print) os << compiled.stageText;
    worst = std::max(worst, compiled.exit);
    return mlir::success();
  };
  (void)mlir::splitAndProcessBuffer(std::move(*buffer), mlir::NoSourceChunkBufferHandler(one), llvm::outs(),
                                    mlir::kDefaultSplitMarker, print ? mlir::kDefaultSplitMarker : "");
  return worst;
}

int compileOne(Session &session, Program &program, CompileOptions &options, bool verify, Loaded &loaded,
               cache::CompileCache *cache = nullptr) {
  std::string errText;
  ErrorText err(errText);
  {
    Progress progress;
    options.onStage = [&](llvm::StringRef stage) { progress.show(program.path + ": " + stage.str()); };
    loaded = load(session, program, options, err, verify, cache);
  }
  llvm::errs() << errText;
  return loaded.compiled.exit;
}

int compile(int argc, const char **argv) {
  Cli cli(kCompile);
  CompileFlags flags(cli);
  CacheFlags cacheFlags(cli);
  SplitFlags split(cli);
  cl::opt<std::string> path(cl::Positional, cl::desc("PROGRAM"), cl::Required, cl::sub(cli.sub));
  cl::opt<std::string> output("o",
                              cl::desc("where the executable, or the last stage's text, goes; - is standard output"),
                              cl::value_desc("FILE"), cl::sub(cli.sub), cl::cat(category()));
  cl::opt<std::string> artifact("emit-artifact",
                                cl::desc("write a portable artifact of this version of StableHLO instead of compiling"),
                                cl::value_desc("VERSION"), cl::ValueOptional, cl::sub(cli.sub), cl::cat(category()));
  if (auto exit = cli.parse(argc, argv)) return *exit;
  CompileOptions options;
  if (auto exit = flags.options(options)) return *exit;
  if (artifact.getNumOccurrences())
    options.artifactVersion = artifact.empty() ? vhlo::kPortable.text() : artifact.getValue();
  constexpr const char *kPortable[] = {"", "import", "shapes", "simplify", "shard"};  // stages that end in StableHLO
  if (!options.artifactVersion.empty() && !llvm::is_contained(kPortable, options.stopAfter))
    return usageError("--emit-artifact writes StableHLO; of --stop-after it goes with import, shapes, simplify, shard");
  if (split.split && output.getNumOccurrences())
    return usageError("--split-input-file compiles each text and writes no executable, so -o has no effect");
  Program program;
  if (int exit = findProgram(path, "", program, llvm::errs())) return exit;
  if (program.executable) return usageError("'" + path + "' is compiled already");
  Session session;
  if (split.split) return compileSplit(session, program, options, split.verifyDiagnostics, !options.stopAfter.empty());
  Loaded loaded;
  std::unique_ptr<cache::CompileCache> cache;
  if (auto exit = cacheFlags.open(cache)) return *exit;
  int exit = compileOne(session, program, options, split.verifyDiagnostics, loaded, cache.get());
  if (exit || split.verifyDiagnostics) return exit;
  if (artifact.getNumOccurrences())
    return writeOutput(output.empty() ? defaultOutput(program, ".bc") : output.getValue(), loaded.compiled.stageText);
  if (!loaded.compiled.stageText.empty()) return writeOutput(output, loaded.compiled.stageText);
  return writeExecutable(loaded.compiled.exe, output.empty() ? defaultOutput(program, ".tpuc") : output);
}

int verify(int argc, const char **argv) {
  Cli cli(kVerify);
  CompileFlags flags(cli);
  SplitFlags split(cli);
  cl::list<std::string> paths(cl::Positional, cl::desc("FILE..."), cl::OneOrMore, cl::sub(cli.sub));
  if (auto exit = cli.parse(argc, argv)) return *exit;
  CompileOptions options;
  if (auto exit = flags.options(options)) return *exit;
  options.anyModule = options.stopAfter.empty() && options.startFrom.empty();
  if (options.stopAfter.empty())
    options.stopAfter = options.startFrom.empty() ? stageNames().front() : options.startFrom;
  Session session;
  int worst = kOk;
  for (const std::string &path : paths) {
    Program program;
    int exit = findProgram(path, "", program, llvm::errs());
    Loaded loaded;
    if (!exit && split.split && !program.executable)
      exit = compileSplit(session, program, options, split.verifyDiagnostics, false);
    else if (!exit)
      exit = compileOne(session, program, options, split.verifyDiagnostics, loaded);
    worst = std::max(worst, exit);
  }
  return worst;
}

}  // namespace

const Command kCompile = {"compile", "compile StableHLO to an executable of the machine", kCompileHelp, compile};
const Command kVerify = {"verify", "check programs and executables without running them", kVerifyHelp, verify};

}  // namespace tpuc::tools
