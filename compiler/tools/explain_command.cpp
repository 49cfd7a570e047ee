// tpuc explain: what a diagnostic's code means and what to do about it.
#include "dialects/diagnostics/codes.h"
#include "compiler/tools/cli.h"
#include "llvm/Support/raw_ostream.h"

namespace tpuc::tools {
namespace {

namespace cl = llvm::cl;

constexpr char kHelp[] = R"(tpuc explain [CODE] - what a diagnostic's code means and what to do about it

  tpuc explain TPUC-FIT-001
  tpuc explain                  every code, a line each

Exit: 0, 2 no such code.
)";

// Words in lines of at most 100 characters.
void printWrapped(llvm::StringRef text) {
  size_t column = 0;
  while (!text.empty()) {
    auto [word, rest] = text.split(' ');
    if (column && column + word.size() > 100) llvm::outs() << "\n", column = 0;
    llvm::outs() << (column ? " " : "") << word;
    column += word.size() + 1;
    text = rest;
  }
  llvm::outs() << "\n";
}

int run(int argc, const char **argv) {
  Cli cli(kExplain);
  cl::opt<std::string> name(cl::Positional, cl::desc("CODE"), cl::sub(cli.sub));
  if (auto exit = cli.parse(argc, argv)) return *exit;
  if (name.empty()) {
    for (const DiagnosticCode *code : allCodes()) {
      llvm::StringRef first = code->explanation.take_until([](char c) { return c == '.'; });
      llvm::outs() << code->name << "  " << first << "\n";
    }
    return kOk;
  }
  const DiagnosticCode *code = findCode(llvm::StringRef(name).trim("[] \t").upper());
  if (!code) return usageError("there is no code '" + name + "'; tpuc explain lists them");
  llvm::outs() << code->name << " (exit code " << static_cast<int>(code->exit) << ")\n\n";
  printWrapped(code->explanation);
  return kOk;
}

}  // namespace

const Command kExplain = {"explain", "what a diagnostic's code means and what to do about it", kHelp, run};

}  // namespace tpuc::tools
