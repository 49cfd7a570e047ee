// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Arguments of one subcommand: LLVM's option parser, help that begins with examples, exit codes.
#pragma once
#include <optional>
#include <string>

#include "dialects/diagnostics/codes.h"
#include "dialects/diagnostics/outer_codes.h"
#include "llvm/Support/CommandLine.h"
#include "llvm/Support/raw_ostream.h"

namespace tpuc::tools {

// How the command ends. A program's own are Exit.
enum ExitCode {
  kOk = 0,
  kDiffers = 1,
  kUsage = 2,
  kInvalid = 3,
  kUnsupported = 4,
  kDoesNotFit = 5,
  kDeadlock = 6,
  kDefect = 70,
  kNotWritten = 74,
  kInterrupted = 130
};

struct Command {
  const char *name;
  const char *summary;  // one line
  const char *help;     // examples first, then what the arguments are
  int (*run)(int argc, const char **argv);
};

extern const Command kCompile, kRun, kReport, kBench, kVerify, kDisasm, kAsm, kTargets, kExplain, kBuckets;

// The options of `command` are registered on `sub` while this lives.
class Cli {
 public:
  explicit Cli(const Command &command) : command_(command), sub(command.name, command.summary) {}
  // An exit code when there is nothing left to do: after --help, or a wrong flag.
  std::optional<int> parse(int argc, const char **argv);

 private:
  void printHelp() const;
  const Command &command_;

 public:
  llvm::cl::SubCommand sub;
};

// Prints "error: MESSAGE [CODE]" and gives the code's exit.
int fail(llvm::raw_ostream &err, const llvm::Twine &message, const DiagnosticCode &code);
int usageError(const llvm::Twine &message);  // to standard error, codes::kUsage

// Diagnostics that are kept until they can be shown, in the colours that standard error would have.
class ErrorText : public llvm::raw_string_ostream {
 public:
  explicit ErrorText(std::string &text);
  bool has_colors() const override { return colours_; }

 private:
  bool colours_;
};

// Our options' category; --help shows these.
llvm::cl::OptionCategory &category();

}  // namespace tpuc::tools
