// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// tpuc as a library: compile StableHLO, run it, and learn how long the chip would take. Needs nothing but the standard
// library.
//
//   auto exe = tpuc::api::compile(text, {.target = "v5e"});
//   if (!exe) { std::cerr << exe.error().message; return exe.error().exit; }
//   auto results = exe->run(inputs);
//   std::cout << exe->time()->seconds;
#pragma once
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

namespace mlir {
class DialectRegistry;
class ModuleOp;
}  // namespace mlir

namespace tpuc::api {

// What went wrong. `exit` is how the command would end: 1 the machine stopped, 2 usage, 3 invalid program, 4
// unsupported, 5 does not fit the target.
struct Error {
  int exit = 0;
  std::string code;     // "TPUC-FIT-001"; `tpuc explain` says more; empty for none
  std::string message;  // as the command prints it, with the program's lines
};

// A value or an error.
template <typename T>
class Result {
 public:
  Result(T value) : state_(std::move(value)) {}
  Result(Error error) : state_(std::move(error)) {}
  explicit operator bool() const { return std::holds_alternative<T>(state_); }
  T &operator*() { return std::get<T>(state_); }
  const T &operator*() const { return std::get<T>(state_); }
  T *operator->() { return &std::get<T>(state_); }
  const T *operator->() const { return &std::get<T>(state_); }
  const Error &error() const { return std::get<Error>(state_); }

 private:
  std::variant<T, Error> state_;
};

struct CompileOptions {
  std::string target = "v5e";         // a bundled name, or the path of a description
  std::vector<std::string> sets;      // "hbm_bandwidth_gbps=900"
  std::string matmulPrecision;        // "default", "high", "highest"; empty: as the program says
  std::string name = "program.mlir";  // of the text, in diagnostics
  std::vector<std::string> buckets;   // of a program that leaves sizes open: "b=1,8,64", "s=pow2:1..512"; a program for
                                      // each in one executable
  std::string cache;    // a folder where compiled programs are kept and found, "on" for the user's own; empty: none
  int64_t devices = 0;  // that run the program together; 0: as it says
};

struct RunOptions {
  int threads = 0;        // 0: all of the host's
  std::string cpuLevel;   // "portable" ... "amx"; empty: the best
  bool checking = false;  // look for garbage, races and addresses out of range; slow
};

// Arrays are dense and row-major; those of a program for several devices are whole, and split and put together here.
// Element types as StableHLO spells them; those below 8 bits take a byte an element.
struct ArrayType {
  std::string element;
  std::vector<int64_t> dims;  // -1 where a size is open
  std::string name;           // the user's, where the program has one
  int64_t elements = 0;
  size_t bytes = 0;  // of the whole array; 0 where a size is open
};

// An array with its sizes.
struct SizedArray {
  std::vector<int64_t> dims;
  std::vector<std::byte> bytes;
};

// A size that a program leaves open, of a run and of the bucket that it takes.
struct BucketSize {
  std::string name;
  int64_t size = 0, bucket = 0;
};

// A number that the machine counted: "cycles", "issues.valu", "mxu_pushes.bf16", "dma_bytes.hbm_read",
// "stall_cycles.dma", ...
struct Counter {
  std::string name;
  int64_t value = 0;
};

struct Timing {
  int64_t cycles = 0;
  double seconds = 0;
  std::vector<Counter> counters;
};

struct Statistics {
  uint64_t runs = 0;
  std::vector<Counter> counters;  // of one run: the names that Timing has too are the same counts
};

// A compiled program. Copies share one executable; not for several threads at a time.
class Executable {
 public:
  static Result<Executable> load(const std::string &path);
  static Result<Executable> parse(std::string_view bytes);
  std::optional<Error> save(const std::string &path) const;
  std::string serialize() const;  // the same program and options give the same bytes

  const std::vector<ArrayType> &arguments() const;
  const std::vector<ArrayType> &results() const;

  // Sets how the next runs go; without it they have the defaults.
  std::optional<Error> configure(const RunOptions &options);
  // Inputs in the order of arguments(), of their sizes; results in the order of results().
  Result<std::vector<std::vector<std::byte>>> run(std::span<const std::span<const std::byte>> inputs);
  // Runs the smallest bucket that holds the inputs. A program without buckets runs as it is.
  Result<std::vector<SizedArray>> runSized(std::span<const SizedArray> inputs);
  // The bucket for inputs of these dims; nothing of a program whose sizes are known.
  Result<std::vector<BucketSize>> bucketFor(std::span<const std::vector<int64_t>> dims) const;
  // Counts all runs since configure(). They are what the target's cores count when one host thread does the work.
  Statistics statistics() const;

  // How long the chip takes, without running. An error with code TPUC-RUN-003 where that depends on data.
  Result<Timing> time() const;
  Result<std::string> report() const;  // one screen
  Result<std::string> reportJson() const;
  Result<std::string> reportHtml() const;  // a page that stands alone
  std::string disassemble() const;

 private:
  struct State;
  explicit Executable(std::shared_ptr<State> state) : state_(std::move(state)) {}
  std::shared_ptr<State> state_;
  friend struct Access;
};

// StableHLO as text or bytecode, or an HloModuleProto.
Result<Executable> compile(std::string_view text, const CompileOptions &options = {});
// A module of StableHLO that the caller made with the same MLIR, in a context with registerDialects's; it is rewritten,
// and no cache is asked.
void registerDialects(mlir::DialectRegistry &registry);
Result<Executable> compile(mlir::ModuleOp module, const CompileOptions &options = {});

// "v1", ..., "v6e".
std::vector<std::string> targets();
// What a code means and what to do about it; empty for none.
std::string explain(std::string_view code);
const char *version();

}  // namespace tpuc::api
