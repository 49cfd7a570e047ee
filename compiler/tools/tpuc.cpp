// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The tpuc command: finds the subcommand.
#include <cstdlib>
#include <cstring>
#include <vector>

#include "compiler/tools/cli.h"
#include "compiler/tools/output.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/raw_ostream.h"

namespace {

using namespace tpuc::tools;

const Command *const kCommands[] = {&kCompile, &kRun,    &kReport, &kBuckets, &kBench,
                                    &kVerify,  &kDisasm, &kAsm,    &kTargets, &kExplain};

void printHelp(llvm::raw_ostream &os) {
  os << R"(tpuc - compiles StableHLO for TPU-like chips, runs it and says how long it takes

  tpuc run examples/mlp_ragged --matmul-precision=highest    numbers, against the outputs that lie beside the program
  tpuc report examples/mlp_ragged --target=v6e               step time, MFU, what bounds it
  tpuc compile program.mlir -o program.tpuc                  an executable; run, report and disasm take it too

)";
  for (const Command *command : kCommands) {
    os << "  " << command->name;
    os.indent(10 - std::strlen(command->name)) << command->summary << "\n";
  }
  os << R"(
tpuc COMMAND --help says more. Data goes to standard output, diagnostics to standard error; NO_COLOR is honoured.
Exit: 0 ok, 1 a comparison failed, 2 usage, 3 invalid program, 4 unsupported, 5 does not fit the target, 6 chips wait
for one another; 70 tpuc itself failed, 74 a result could not be written, 130 interrupted.
)";
}

int runCommand(int argc, char **argv) {
  if (std::getenv("NO_COLOR")) llvm::errs().enable_colors(false);
  std::vector<const char *> args(argv, argv + argc);
  args[0] = "tpuc";
  const llvm::StringRef name = argc > 1 ? argv[1] : "";
  if (name == "help" && argc > 2) {  // as COMMAND --help
    std::swap(args[1], args[2]);
    args[2] = "--help";
    return runCommand(static_cast<int>(args.size()), const_cast<char **>(args.data()));
  }
  if (name == "--help" || name == "-h" || name == "help") {
    printHelp(llvm::outs());
    return kOk;
  }
  if (name == "--version") {
    llvm::outs() << "tpuc " << TPUC_VERSION << "\n";
    return kOk;
  }
  for (const Command *command : kCommands)
    if (name == command->name) return command->run(static_cast<int>(args.size()), args.data());
  // A program alone runs.
  if (!name.empty() && llvm::sys::fs::exists(name)) {
    args.insert(args.begin() + 1, "run");
    return kRun.run(static_cast<int>(args.size()), args.data());
  }
  if (name.empty()) {
    printHelp(llvm::errs());
    return kUsage;
  }
  return usageError("there is no command '" + name + "'; tpuc --help lists them");
}

}  // namespace

int main(int argc, char **argv) { return finishOutput(runCommand(argc, argv)); }
