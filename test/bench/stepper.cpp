// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Compiles, times and runs one program step by step, so that another process can put its own measurements between:
//   tpuc_bench_stepper PROGRAM.mlir [--target=T] [--matmul-precision=P] [--threads=N] [--set=C=V]
// reads commands from its input, one a line, and answers each with seconds (or a number):
//   compile      the module parsed and compiled once more
//   time         its cycles walked once more
//   bind K FILE  argument K, row-major bytes; its padding becomes zero, as PJRT's buffers have it
//   run          one run; results stay
//   result K FILE  result K, row-major bytes
//   bundles, cycles, pushes
#include <chrono>
#include <fstream>
#include <iostream>
#include <sstream>

#include "compiler/frontend/import.h"
#include "compiler/pipeline/compile.h"
#include "compiler/pipeline/registry.h"
#include "llvm/Support/SourceMgr.h"
#include "mlir/IR/AsmState.h"
#include "runtime/device/pack.h"
#include "runtime/executor/executor.h"
#include "runtime/timing/timing.h"

namespace {

template <typename Body>
double seconds(Body body) {
  auto start = std::chrono::steady_clock::now();
  body();
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

[[noreturn]] void fail(const std::string &message) {
  std::cerr << message << "\n";
  std::exit(2);
}

class Stepper {
 public:
  Stepper(std::string path, const tpuc::CompileOptions &options, int threads)
      : path_(std::move(path)), options_(options), threads_(threads) {
    tpuc::registerAllDialects(registry_);
    context_ = std::make_unique<mlir::MLIRContext>(registry_, mlir::MLIRContext::Threading::DISABLED);
    compile();
    std::string error;
    if (!tpuc::resolveTarget(options_, target_, error)) fail(error);
  }

  double compile() {
    return seconds([&] {
      executor_ = nullptr;
      exe_ = tpuc::isa::Executable();
      llvm::SourceMgr sources;
      mlir::SourceMgrDiagnosticHandler handler(sources, context_.get());
      auto imported = tpuc::frontend::importFile(path_, sources, *context_);
      if (!imported || failed(tpuc::compileModule(*imported.module, options_, exe_))) fail("cannot compile " + path_);
    });
  }

  double time() {
    return seconds([&] { times_ = tpuc::timing::timeProgram(exe_, target_); });
  }

  void bind(int k, const std::string &file) {
    std::ifstream in(file, std::ios::binary);
    std::vector<uint8_t> raw((std::istreambuf_iterator<char>(in)), {});
    tpuc::isa::ArrayLayout layout = layoutOf(executor().argument(k).array());
    if (raw.size() != static_cast<size_t>(layout.elements * layout.type->hostBytes))
      fail("argument " + std::to_string(k) + " has another size");
    held_.resize(std::max<size_t>(held_.size(), k + 1));
    held_[k] = tpuc::device::Mapping(layout.bytes);
    tpuc::device::pack(layout, raw.data(), held_[k].data());
    std::string error;
    if (!executor().bindArgument(k, {held_[k].data(), held_[k].size()}, error)) fail(error);
  }

  void result(int k, const std::string &file) {
    tpuc::isa::ArrayLayout layout = layoutOf(executor().result(k).array());
    std::vector<uint8_t> raw(layout.elements * layout.type->hostBytes);
    tpuc::device::unpack(layout, executor().resultArray(k)->data(), raw.data());
    std::ofstream(file, std::ios::binary)
        .write(reinterpret_cast<const char *>(raw.data()), static_cast<std::streamsize>(raw.size()));
  }

  double run() {
    tpuc::exec::Executor &e = executor();
    return seconds([&] {
      tpuc::exec::RunError error;
      if (!e.run(error)) fail(error.text());
    });
  }

  uint64_t bundles() const { return exe_.index.num_bundles(); }
  int64_t cycles() { return time(), times_.cycles; }
  int64_t pushes() {
    time();
    const tpuc::timing::Counters &c = times_.counters;
    return c.pushesBf16 + c.pushesInt8 + c.pushesF32;
  }

 private:
  tpuc::isa::ArrayLayout layoutOf(const tpuc::isa::proto::Array &array) {
    tpuc::isa::ArrayLayout layout;
    std::string error;
    if (!tpuc::exec::layoutOf(array, layout, error)) fail(error);
    return layout;
  }
  tpuc::exec::Executor &executor() {
    if (executor_) return *executor_;
    tpuc::exec::ExecutorOptions options;
    options.threads = threads_;
    std::string error;
    executor_ = tpuc::exec::Executor::create(exe_, options, error);
    if (!executor_) fail(error);
    for (size_t k = 0; k < held_.size(); ++k)
      if (!executor_->bindArgument(static_cast<int>(k), {held_[k].data(), held_[k].size()}, error)) fail(error);
    return *executor_;
  }

  std::string path_;
  tpuc::CompileOptions options_;
  int threads_;
  tpuc::target::Target target_;
  mlir::DialectRegistry registry_;
  std::unique_ptr<mlir::MLIRContext> context_;
  tpuc::isa::Executable exe_;
  tpuc::timing::TimingResult times_;
  std::unique_ptr<tpuc::exec::Executor> executor_;
  std::vector<tpuc::device::Mapping> held_;
};

}  // namespace

int main(int argc, char **argv) {
  tpuc::CompileOptions options;
  int threads = 0;
  for (int i = 2; i < argc; ++i) {
    std::string arg = argv[i];
    size_t at = arg.find('=');
    std::string flag = arg.substr(0, at), value = at == std::string::npos ? "" : arg.substr(at + 1);
    if (flag == "--target")
      options.target = value;
    else if (flag == "--matmul-precision")
      options.matmulPrecision = value;
    else if (flag == "--set")
      options.sets.push_back(value);
    else if (flag == "--threads")
      threads = std::stoi(value);
    else
      fail("unknown flag " + arg);
  }
  if (argc < 2) fail("tpuc_bench_stepper PROGRAM.mlir [flags]");
  Stepper stepper(argv[1], options, threads);
  std::cout.precision(9);
  for (std::string line; std::getline(std::cin, line);) {
    std::istringstream words(line);
    std::string command, file;
    int k = 0;
    words >> command >> k >> file;
    if (command == "compile")
      std::cout << stepper.compile();
    else if (command == "time")
      std::cout << stepper.time();
    else if (command == "run")
      std::cout << stepper.run();
    else if (command == "bind")
      stepper.bind(k, file);
    else if (command == "result")
      stepper.result(k, file);
    else if (command == "bundles")
      std::cout << stepper.bundles();
    else if (command == "cycles")
      std::cout << stepper.cycles();
    else if (command == "pushes")
      std::cout << stepper.pushes();
    else
      fail("unknown command " + line);
    std::cout << std::endl;
  }
}
