// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// tpuc targets: the chips, and where each of their numbers is from.
#include "compiler/report/report.h"
#include "compiler/report/units.h"
#include "compiler/tools/flags.h"
#include "compiler/tools/output.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/JSON.h"
#include "llvm/Support/raw_ostream.h"

namespace tpuc::tools {
namespace {

constexpr char kHelp[] = R"(tpuc targets [NAME|FILE] - the chips that programs are compiled for

  tpuc targets                                   the bundled ones, a line each
  tpuc targets v5e                               every constant of one, with its source
  tpuc targets v5e --set hbm_bandwidth_gbps=900  with a changed constant
  tpuc targets v5e --text > mine.textproto       a description to edit; --target=mine.textproto uses it
  tpuc targets --json

Exit: 0, 2 no such target or constant.
)";

int list(bool json) {
  llvm::json::Array all;
  if (!json)
    llvm::outs()
        << "name   cores x MXUs  side    GHz  bf16 TFLOP/s  int8 TOPS       HBM  HBM GB/s      VMEM  links x GB/s\n";
  for (const std::string &name : target::bundledTargets()) {
    target::Target t;
    std::string error;
    if (!target::loadTarget(name, t, error)) return usageError(error);
    if (json) {
      all.push_back(llvm::json::Object{{"name", name},
                                       {"cores", t.cores()},
                                       {"mxus", t.core().mxus()},
                                       {"mxu_side", t.core().mxu_side()},
                                       {"clock_ghz", t.clock_ghz()},
                                       {"bf16_tflops", t.bf16_tflops()},
                                       {"int8_tops", t.int8_tops()},
                                       {"hbm_bytes", t.memory().hbm_bytes()},
                                       {"hbm_bandwidth_gbps", t.memory().hbm_bandwidth_gbps()},
                                       {"vmem_bytes", t.core().vmem_bytes()}});
      continue;
    }
    auto orDash = [](double v) { return v > 0 ? report::fixed(v, 0) : std::string("-"); };
    llvm::outs() << llvm::formatv(
        "{0,-6} {1,12} {2,5} {3,6} {4,13} {5,10} {6,9} {7,9} {8,9} {9,13}\n", name,
        std::to_string(t.cores()) + " x " + std::to_string(t.core().mxus()), t.core().mxu_side(),
        report::fixed(t.clock_ghz(), 2), orDash(t.bf16_tflops()), orDash(t.int8_tops()),
        report::bytes(static_cast<double>(t.memory().hbm_bytes())), report::fixed(t.memory().hbm_bandwidth_gbps(), 0),
        report::bytes(t.core().vmem_bytes()),
        std::to_string(t.interconnect().links()) + " x " + report::fixed(t.interconnect().link_gbps(), 0));
  }
  if (json)
    llvm::outs() << llvm::formatv("{0:2}",
                                  llvm::json::Value(llvm::json::Object{{"schema_version", report::kSchemaVersion},
                                                                       {"targets", std::move(all)}}))
                 << "\n";
  return kOk;
}

std::string number(double value) {
  char text[40];
  std::snprintf(text, sizeof text, "%.15g", value);
  return text;
}

int show(const target::Target &target, bool json) {
  llvm::json::Array all;
  for (const target::Constant &c : target::constants(target)) {
    if (json)
      all.push_back(
          llvm::json::Object{{"path", c.path}, {"value", c.value}, {"source", llvm::json::fixUTF8(c.source)}});
    else
      llvm::outs() << llvm::formatv("{0,-34} {1,14}  {2}\n", c.path, number(c.value),
                                    c.source.empty() ? "no source given" : printable(c.source));
  }
  if (json)
    llvm::outs() << llvm::formatv("{0:2}",
                                  llvm::json::Value(llvm::json::Object{{"schema_version", report::kSchemaVersion},
                                                                       {"name", target.name()},
                                                                       {"constants", std::move(all)}}))
                 << "\n";
  return kOk;
}

int run(int argc, const char **argv) {
  Cli cli(kTargets);
  cl::opt<std::string> name(cl::Positional, cl::desc("NAME|FILE"), cl::sub(cli.sub));
  cl::list<std::string> sets("set", cl::desc("change a constant"), cl::value_desc("NAME=VALUE"), cl::sub(cli.sub),
                             cl::cat(category()));
  cl::opt<bool> json("json", cl::desc("as JSON"), cl::sub(cli.sub), cl::cat(category()));
  cl::opt<bool> text("text", cl::desc("as a description's file"), cl::sub(cli.sub), cl::cat(category()));
  if (auto exit = cli.parse(argc, argv)) return *exit;
  if (name.empty()) return sets.empty() && !text ? list(json) : usageError("--set and --text expect a target's name");
  CompileOptions options;
  options.target = name;
  options.sets.assign(sets.begin(), sets.end());
  target::Target target;
  std::string error;
  if (!resolveTarget(options, target, error)) return fail(llvm::errs(), error, codes::kBadTarget);
  if (!text) return show(target, json);
  llvm::outs() << target::toText(target);
  return kOk;
}

}  // namespace

const Command kTargets = {"targets", "the chips, and where each of their numbers is from", kHelp, run};

}  // namespace tpuc::tools
