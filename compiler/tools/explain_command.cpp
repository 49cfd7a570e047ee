// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// tpuc explain: what a diagnostic's code means and what to do about it.
#include "compiler/tools/cli.h"
#include "dialects/diagnostics/codes.h"
#include "llvm/ADT/StringExtras.h"
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

// A sentence ends where a dot is followed by a space and a capital: numbers and file names have dots too.
llvm::StringRef firstSentence(llvm::StringRef text) {
  for (size_t dot = text.find(". "); dot != llvm::StringRef::npos; dot = text.find(". ", dot + 1))
    if (dot + 2 < text.size() && !llvm::isLower(text[dot + 2])) return text.take_front(dot);
  return text.rtrim('.');
}

// What a run came to is no matter of the program's soundness.
int exitOf(const DiagnosticCode &code) {
  if (code.name == codes::kCrashed.name) return kDefect;
  for (const DiagnosticCode *outcome : {&codes::kStopped, &codes::kDiffers, &codes::kExpectation})
    if (code.name == outcome->name) return kDiffers;
  return static_cast<int>(code.exit);
}

int run(int argc, const char **argv) {
  Cli cli(kExplain);
  cl::opt<std::string> name(cl::Positional, cl::desc("CODE"), cl::sub(cli.sub));
  if (auto exit = cli.parse(argc, argv)) return *exit;
  if (name.empty()) {
    for (const DiagnosticCode *code : allCodes()) {
      llvm::outs() << code->name << "  " << firstSentence(code->explanation) << "\n";
    }
    return kOk;
  }
  const DiagnosticCode *code = findCode(llvm::StringRef(name).trim("[] \t").upper());
  if (!code) return usageError("there is no code '" + name + "'; tpuc explain lists them");
  llvm::outs() << code->name << " (exit code " << exitOf(*code) << ")\n\n";
  printWrapped(code->explanation);
  return kOk;
}

}  // namespace

const Command kExplain = {"explain", "what a diagnostic's code means and what to do about it", kHelp, run};

}  // namespace tpuc::tools
