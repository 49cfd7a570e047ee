// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// tpuc disasm and tpuc asm: executables as text and back.
#include "compiler/tools/flags.h"
#include "compiler/tools/output.h"
#include "compiler/tools/program.h"
#include "dialects/diagnostics/codes.h"
#include "llvm/Support/FormatVariadic.h"

namespace tpuc::tools {
namespace {

constexpr char kDisasmHelp[] = R"(tpuc disasm PROGRAM - an executable's bundles as assembly text

  tpuc disasm program.tpuc                       everything, with source lines; tpuc asm reads it again
  tpuc disasm examples/mlp_ragged                compiles first
  tpuc disasm program.tpuc --routine=k3          one kernel's bundles, numbered

A line is a bundle: its instructions issue in one cycle and read before they write. docs/isa.md explains each.
Exit: 0, 2 usage, 3 invalid program, 4 unsupported, 5 does not fit.
)";

constexpr char kAsmHelp[] = R"(tpuc asm FILE - assembly text to an executable

  tpuc disasm program.tpuc > program.s; tpuc asm program.s -o again.tpuc

Exit: 0, 2 usage, 3 the text is malformed (the message says which line).
)";

// One routine, with the program's lines as comments.
int printRoutine(const isa::Executable &exe, const std::string &name) {
  const isa::proto::Routine *routine = nullptr;
  std::string known;
  for (const isa::proto::Routine &r : exe.index.routines()) {
    if (r.name() == name) routine = &r;
    known += (known.empty() ? "" : ", ") + r.name();
  }
  if (!routine) return usageError("--routine expects one of " + known + ", but got '" + name + "'");
  std::vector<uint32_t> starts = exe.bundleStarts();
  llvm::outs() << printable(routine->name()) << ":  // " << printable(routine->kind()) << " "
               << printable(routine->location()) << "\n";
  size_t line = 0;
  while (line < exe.sourceMap.size() && exe.sourceMap[line].bundle < routine->bundle()) ++line;
  for (uint32_t b = routine->bundle(); b < routine->bundle() + routine->bundles(); ++b) {
    for (; line < exe.sourceMap.size() && exe.sourceMap[line].bundle == b; ++line)
      llvm::outs() << "  // " << printable(exe.sourceMap[line].location) << "\n";
    llvm::outs() << llvm::formatv("{0,6}", b) << "  {";
    for (uint32_t i = starts[b]; i < starts[b + 1]; ++i)
      llvm::outs() << (i == starts[b] ? " " : " ; ") << isa::format(exe.code[i]);
    llvm::outs() << " }\n";
  }
  return kOk;
}

int disasm(int argc, const char **argv) {
  Cli cli(kDisasm);
  CompileFlags flags(cli);
  flags.stopAfter.setHiddenFlag(cl::Hidden);
  cl::opt<std::string> path(cl::Positional, cl::desc("PROGRAM"), cl::Required, cl::sub(cli.sub));
  cl::opt<std::string> routine("routine", cl::desc("only this kernel"), cl::value_desc("NAME"), cl::sub(cli.sub),
                               cl::cat(category()));
  if (auto exit = cli.parse(argc, argv)) return *exit;
  CompileOptions options;
  if (auto exit = flags.options(options)) return *exit;
  if (!options.stopAfter.empty()) return usageError("--stop-after leaves nothing to disassemble");
  Program program;
  if (int exit = findProgram(path, "", program, llvm::errs())) return exit;
  if (auto exit = flags.refuseFor(program, llvm::errs())) return *exit;
  Session session;
  Loaded loaded = load(session, program, options, llvm::errs());
  if (loaded.compiled.exit) return loaded.compiled.exit;
  if (!routine.empty()) return printRoutine(loaded.compiled.exe, routine);
  llvm::outs() << isa::disassemble(loaded.compiled.exe);
  return kOk;
}

int assemble(int argc, const char **argv) {
  Cli cli(kAsm);
  cl::opt<std::string> path(cl::Positional, cl::desc("FILE"), cl::Required, cl::sub(cli.sub));
  cl::opt<std::string> output("o", cl::desc("where the executable goes"), cl::value_desc("FILE"), cl::Required,
                              cl::sub(cli.sub), cl::cat(category()));
  if (auto exit = cli.parse(argc, argv)) return *exit;
  auto buffer = llvm::MemoryBuffer::getFileOrSTDIN(path);
  if (std::error_code code = buffer.getError())
    return fail(llvm::errs(), "cannot read '" + path + "': " + code.message(), codes::kUnreadable);
  isa::Executable exe;
  std::string error;
  llvm::StringRef text = (*buffer)->getBuffer();
  if (!isa::assemble({text.data(), text.size()}, exe, error))
    return fail(llvm::errs(), path + ": " + error, codes::kBadAssembly);
  if (output == "-") return writeOutput(output, isa::serialize(exe));
  if (isa::save(exe, output, error)) return kOk;
  return fail(llvm::errs(), error, codes::kCannotWrite);
}

}  // namespace

const Command kDisasm = {"disasm", "an executable's bundles as assembly text", kDisasmHelp, disasm};
const Command kAsm = {"asm", "assembly text to an executable", kAsmHelp, assemble};

}  // namespace tpuc::tools
