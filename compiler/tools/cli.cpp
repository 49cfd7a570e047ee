// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Arguments of one subcommand.
#include "compiler/tools/cli.h"

#include <cstdlib>
#include <cstring>
#include <map>

#include "compiler/tools/output.h"
#include "dialects/diagnostics/codes.h"
#include "llvm/Support/WithColor.h"
#include "llvm/Support/raw_ostream.h"

namespace cl = llvm::cl;

namespace tpuc::tools {

cl::OptionCategory &category() {
  static cl::OptionCategory category("tpuc");
  return category;
}

int fail(llvm::raw_ostream &err, const llvm::Twine &message, const DiagnosticCode &code) {
  llvm::WithColor::error(err) << printable(message.str()) << " [" << code.name << "]\n";
  return static_cast<int>(code.exit);
}

int usageError(const llvm::Twine &message) { return fail(llvm::errs(), message, codes::kUsage); }

ErrorText::ErrorText(std::string &text)
    : raw_string_ostream(text), colours_(llvm::errs().has_colors() && !std::getenv("NO_COLOR")) {
  enable_colors(colours_);
}

void Cli::printHelp() const {
  llvm::raw_ostream &os = llvm::outs();
  os << command_.help;
  std::map<llvm::StringRef, const cl::Option *> sorted;
  for (const auto &entry : sub.OptionsMap)
    if (llvm::is_contained(entry.second->Categories, &category()) &&
        entry.second->getOptionHiddenFlag() == cl::NotHidden)
      sorted[entry.first] = entry.second;
  if (!sorted.empty()) os << "\nOptions:\n";
  for (const auto &[name, option] : sorted) {
    std::string left = (name.size() == 1 ? "-" : "--") + name.str();
    if (!option->ValueStr.empty())
      left += (name.size() == 1                                      ? " "
               : option->getValueExpectedFlag() == cl::ValueOptional ? "[="
                                                                     : "=") +
              option->ValueStr.str();
    if (!option->ValueStr.empty() && name.size() > 1 && option->getValueExpectedFlag() == cl::ValueOptional)
      left += "]";
    os << "  " << left;
    os.indent(left.size() < 28 ? 28 - left.size() : 1) << option->HelpStr << "\n";
  }
}

// LLVM repeats a value that it cannot read as it is, to the terminal; only texts may hold every byte.
static std::optional<int> refuseControlBytes(const cl::SubCommand &sub, int argc, const char **argv) {
  for (int i = 2; i < argc && std::strcmp(argv[i], "--") != 0; ++i) {
    llvm::StringRef arg = argv[i];
    if (arg.size() < 2 || arg[0] != '-') continue;
    auto [name, value] = arg.ltrim('-').split('=');
    auto option = sub.OptionsMap.find(name);
    if (option == sub.OptionsMap.end()) continue;
    const cl::Option *o = option->second;
    const bool text = dynamic_cast<const cl::opt<std::string> *>(o) || dynamic_cast<const cl::list<std::string> *>(o);
    const bool next = !arg.contains('=') && o->getValueExpectedFlag() != cl::ValueOptional &&
                      o->getValueExpectedFlag() != cl::ValueDisallowed;
    if (next && i + 1 < argc) value = argv[++i];
    if (!text && printable(value) != value) return usageError("--" + name + " got the value '" + value + "'");
  }
  return std::nullopt;
}

std::optional<int> Cli::parse(int argc, const char **argv) {
  for (int i = 2; i < argc && std::strcmp(argv[i], "--") != 0; ++i) {
    if (std::strcmp(argv[i], "--help") != 0 && std::strcmp(argv[i], "-h") != 0) continue;
    printHelp();
    return kOk;
  }
  if (auto exit = refuseControlBytes(sub, argc, argv)) return exit;
  std::string errors;
  llvm::raw_string_ostream os(errors);
  if (cl::ParseCommandLineOptions(argc, argv, "", &os, nullptr, nullptr, /*LongOptionsUseDoubleDash=*/true))
    return std::nullopt;
  const std::string help = "tpuc " + std::string(command_.name) + " --help";
  // Wrong values LLVM has printed already.
  if (errors.empty()) return usageError(help + " lists the options and their values");
  llvm::SmallVector<llvm::StringRef> lines;
  llvm::StringRef(errors).split(lines, '\n', -1, false);
  llvm::StringRef first = lines[0].drop_front(std::min(lines[0].find(": ") + 2, lines[0].size()));
  if (first.contains("Too many positional"))
    return usageError("got more arguments than it takes; " + help + " says which");
  if (first.contains("positional")) return usageError("expects an argument; " + help + " says which");
  std::string message = first.take_until([](char c) { return c == '.'; }).str();
  for (llvm::StringRef line : lines)
    if (size_t at = line.find("Did you mean '--"); at != llvm::StringRef::npos)
      message += "; did" + line.substr(at + 3).rtrim("?").str() + "?";
  return usageError(message + "; " + help + " lists the options");
}

}  // namespace tpuc::tools
