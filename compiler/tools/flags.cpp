// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Options that several subcommands share.
#include "compiler/tools/flags.h"

#include <cstdlib>
#include <memory>

#include "compiler/pipeline/apply_mesh.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Regex.h"
#include "llvm/Support/raw_ostream.h"

namespace tpuc::tools {
namespace {

std::string joined(llvm::ArrayRef<std::string> names) { return llvm::join(names, ", "); }

}  // namespace

CompileFlags::CompileFlags(Cli &cli)
    : target("target", cl::desc("the chip: a bundled name (tpuc targets) or a description's file; v5e if not given"),
             cl::value_desc("NAME|FILE"), cl::init("v5e"), cl::sub(cli.sub), cl::cat(category())),
      sets("set", cl::desc("change a constant of the target, as hbm_bandwidth_gbps=900; may be repeated"),
           cl::value_desc("NAME=VALUE"), cl::sub(cli.sub), cl::cat(category())),
      dims("dim", cl::desc("sizes of a program that leaves some open, as b=17,s=300; those of its inputs if not given"),
           cl::value_desc("NAME=SIZE"), cl::CommaSeparated, cl::sub(cli.sub), cl::cat(category())),
      buckets("bucket",
              cl::desc(
                  "a program for each range of sizes in one executable, as b=1,8,64 or b=pow2:1..200; may be repeated"),
              cl::value_desc("NAME=SIZES"), cl::sub(cli.sub), cl::cat(category())),
      precision("matmul-precision",
                cl::desc("of f32 matmuls: default, high or highest; as the program says if not given"),
                cl::value_desc("P"),
                cl::values(clEnumValN(Precision::Default, "default", "one bf16 pass"),
                           clEnumValN(Precision::High, "high", "three bf16 passes"),
                           clEnumValN(Precision::Highest, "highest", "the array's f32 mode")),
                cl::init(Precision::AsWritten), cl::sub(cli.sub), cl::cat(category())),
      constants(
          "constants",
          cl::desc("arrays: their values are seen by no pass, so that nothing folds (for tests); folded if not given"),
          cl::value_desc("C"),
          cl::values(clEnumValN(Constants::Folded, "folded", "as values"),
                     clEnumValN(Constants::Arrays, "arrays", "as arrays in HBM")),
          cl::init(Constants::Folded), cl::sub(cli.sub), cl::cat(category())),
      dumpStages("dump-stages", cl::desc("write each stage's result into this folder"), cl::value_desc("DIR"),
                 cl::sub(cli.sub), cl::cat(category())),
      stopAfter("stop-after", cl::desc("the last stage to run; its result is printed"), cl::value_desc("STAGE"),
                cl::sub(cli.sub), cl::cat(category())),
      startFrom("start-from", cl::desc("the first stage to run, on what the stage before wrote"),
                cl::value_desc("STAGE"), cl::sub(cli.sub), cl::cat(category())),
      remarks("remarks-filter",
              cl::desc("print remarks of this category, a regular expression: sharding, for what is gathered and why"),
              cl::value_desc("RE"), cl::sub(cli.sub), cl::cat(category())),
      noFuse("no-fuse", cl::desc("a kernel for each op"), cl::sub(cli.sub), cl::cat(category())),
      noPipeline("no-pipeline", cl::desc("no software pipelining of loops"), cl::sub(cli.sub), cl::cat(category())),
      ioLayouts(
          "io-layouts",
          cl::desc("default: arguments and results lie as their types and shapes say, so that programs can share them"),
          cl::value_desc("default"), cl::sub(cli.sub), cl::cat(category())),
      devices("devices", cl::desc("chips that run the program together; as many as it says if not given"),
              cl::value_desc("N"), cl::init(0), cl::sub(cli.sub), cl::cat(category())),
      mesh("mesh", cl::desc("sizes of axes of the program's meshes, as data:8,model:4; as it was traced if not given"),
           cl::value_desc("AXIS:SIZE"), cl::CommaSeparated, cl::sub(cli.sub), cl::cat(category())) {}

std::optional<int> CompileFlags::options(CompileOptions &out) const {
  const std::vector<std::string> &stages = stageNames();
  auto unknown = [&](const cl::opt<std::string> &flag) {
    return usageError("--" + flag.ArgStr + " expects one of " + joined(stages) + ", but got '" + flag + "'");
  };
  if (!stopAfter.empty() && !llvm::is_contained(stages, stopAfter)) return unknown(stopAfter);
  if (!startFrom.empty() && !llvm::is_contained(stages, startFrom)) return unknown(startFrom);
  if (!stopAfter.empty() && llvm::find(stages, startFrom) != stages.end() &&
      llvm::find(stages, startFrom) > llvm::find(stages, stopAfter))
    return usageError("--start-from=" + startFrom + " comes after --stop-after=" + stopAfter + "; the stages are " +
                      joined(stages));
  out.target = target;
  out.sets.assign(sets.begin(), sets.end());
  out.dims.assign(dims.begin(), dims.end());
  out.buckets.assign(buckets.begin(), buckets.end());
  if (!out.buckets.empty() && !startFrom.empty() && startFrom != "import")
    return usageError("--bucket is for the shapes stage; it goes with no --start-from");
  static const char *const names[] = {"", "default", "high", "highest"};
  out.matmulPrecision = names[static_cast<int>(precision.getValue())];
  out.constantArrays = constants == Constants::Arrays;
  out.dumpStages = dumpStages;
  out.stopAfter = stopAfter;
  out.startFrom = startFrom;
  out.remarks = remarks;
  if (std::string why; !remarks.empty() && !llvm::Regex(remarks).isValid(why))
    return usageError("--remarks-filter expects a regular expression, but got '" + remarks + "': " + why);
  out.fuse = !noFuse;
  out.pipeline = !noPipeline;
  out.ioLayouts = ioLayouts;
  out.devices = devices;
  out.mesh.assign(mesh.begin(), mesh.end());
  if (std::string why; !checkMesh(out.mesh, why)) return usageError(why);
  if (devices.getNumOccurrences() && (devices < 1 || devices > (1 << 20)))
    return usageError("--devices expects a number from 1 on, but got " + llvm::Twine(devices));
  if (!ioLayouts.empty() && ioLayouts != "default")
    return usageError("--io-layouts expects default, but got '" + ioLayouts + "'");
  if (!dumpStages.empty())
    if (std::error_code code = llvm::sys::fs::create_directories(dumpStages.getValue()))
      return fail(llvm::errs(), "cannot create '" + dumpStages + "': " + code.message(), codes::kUnreadable);
  target::Target resolved;
  std::string error;
  if (resolveTarget(out, resolved, error)) return std::nullopt;
  return fail(llvm::errs(), error, codes::kBadTarget);
}

std::optional<int> CompileFlags::refuseFor(const Program &program, llvm::raw_ostream &err) const {
  const cl::Option *const all[] = {&target,
                                   std::addressof(sets),
                                   std::addressof(dims),
                                   std::addressof(buckets),
                                   &precision,
                                   &constants,
                                   &dumpStages,
                                   &stopAfter,
                                   &startFrom,
                                   &remarks,
                                   &noFuse,
                                   &noPipeline,
                                   &ioLayouts,
                                   &devices,
                                   std::addressof(mesh)};
  if (!program.executable) return std::nullopt;
  for (const cl::Option *flag : all)
    if (flag->getNumOccurrences())
      return fail(err,
                  "'" + program.path + "' is compiled already, so --" + flag->ArgStr +
                      " has no effect; compile the program again with it",
                  codes::kUsage);
  return std::nullopt;
}

RunFlags::RunFlags(Cli &cli)
    : threads("threads", cl::desc("host threads that share a kernel's grid; all of the machine's if not given"),
              cl::value_desc("N"), cl::init(0), cl::sub(cli.sub), cl::cat(category())),
      cpuLevel(
          "cpu-level",
          cl::desc("portable, avx2, avx512, avx512bf16 or amx: the same bits, another speed; the best if not given"),
          cl::value_desc("LEVEL"), cl::sub(cli.sub), cl::cat(category())),
      check("check", cl::desc("look for garbage, races and addresses out of range; slow"), cl::sub(cli.sub),
            cl::cat(category())) {}

std::optional<int> RunFlags::options(exec::ExecutorOptions &out) const {
  if (threads < 0 || threads > 1024 || (threads.getNumOccurrences() && threads == 0))
    return usageError("--threads expects a number from 1 to 1024, but got " + llvm::Twine(threads));
  out.threads = threads;
  out.checking = check;
  if (cpuLevel.empty()) return std::nullopt;
  std::vector<std::string> available;
  for (exec::Level level : exec::availableLevels()) {
    available.emplace_back(exec::levelName(level));
    if (available.back() == cpuLevel) out.level = level;
  }
  if (out.level) return std::nullopt;
  return usageError("--cpu-level expects one that this CPU has: " + joined(available) + ", but got '" + cpuLevel + "'");
}

CacheFlags::CacheFlags(Cli &cli)
    : folder(
          "cache",
          cl::desc("load what was compiled before, keep what is compiled; in TPUC_CACHE or ~/.cache/tpuc if not given"),
          cl::value_desc("DIR"), cl::ValueOptional, cl::sub(cli.sub), cl::cat(category())) {}

std::optional<int> CacheFlags::open(std::unique_ptr<cache::CompileCache> &out) const {
  cache::Settings settings;
  std::string error;
  if (!cache::readEnvironment(settings, error)) return usageError(error);
  if (folder.getNumOccurrences()) {
    const char *usual = std::getenv("TPUC_CACHE");
    settings.folder = folder.empty() ? cache::folderNamed(usual ? usual : "") : folder.getValue();
    if (settings.folder.empty())
      return usageError(
          "--cache expects a folder: there is no usual one without HOME and XDG_CACHE_HOME, or TPUC_CACHE says off");
  }
  if (folder.getNumOccurrences() || settings.log) out = std::make_unique<cache::CompileCache>(std::move(settings));
  return std::nullopt;
}

SplitFlags::SplitFlags(Cli &cli)
    : split("split-input-file", cl::desc("each text between lines of // ----- is a program of its own"),
            cl::sub(cli.sub), cl::cat(category())),
      verifyDiagnostics("verify-diagnostics", cl::desc("compare diagnostics with the text's expected-error comments"),
                        cl::sub(cli.sub), cl::cat(category())) {}

}  // namespace tpuc::tools
