// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Changed programs are refused or imported and simplified; none ends or holds up the process.
//
// TPUC_FUZZ=FIRST:COUNT chooses the seeds, a seed being one changed text or file. A failing one is written to
// mutation.SEED in the working directory before it runs, and removed after. With TPUC_FUZZ_KEEP those that were
// imported stay.
#include <gtest/gtest.h>
#include <unistd.h>

#include <cstdlib>

#include "compiler/frontend/import.h"
#include "dialects/sdy/sdy.h"
#include "dialects/stablehlo/stablehlo.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/SourceMgr.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/IR/Diagnostics.h"
#include "mlir/IR/Verifier.h"
#include "mlir/Pass/PassManager.h"
#include "passes/simplify/passes.h"
#include "test/fuzz/mutate.h"

namespace {

using Strings = std::vector<std::string>;

std::vector<std::string> filesUnder(llvm::StringRef folder, llvm::StringRef ending) {
  Strings paths;
  std::error_code error;
  for (llvm::sys::fs::recursive_directory_iterator it(folder, error), end; it != end && !error; it.increment(error))
    if (llvm::StringRef(it->path()).ends_with(ending)) paths.push_back(it->path());
  std::sort(paths.begin(), paths.end());
  return paths;
}

std::string contents(const std::string &path) { return (*llvm::MemoryBuffer::getFile(path))->getBuffer().str(); }

// The functions of the dialects' tests, one or a few a text.
Strings seedTexts() {
  Strings texts;
  for (const char *folder : {"/dialects/stablehlo", "/dialects/sdy", "/passes/simplify"})
    for (const std::string &path : filesUnder(std::string(TPUC_TEST_DIR) + folder, ".mlir")) {
      std::string all = contents(path);
      llvm::SmallVector<llvm::StringRef> chunks;
      llvm::StringRef(all).split(chunks, "\nfunc.func");
      for (llvm::StringRef chunk : llvm::drop_begin(chunks)) {
        chunk = chunk.take_front(chunk.find("\n//"));
        if (!chunk.contains("private") && chunk.size() < 6000) texts.push_back(("func.func" + chunk + "\n").str());
      }
    }
  return texts;
}

Strings seedFiles() {
  Strings files;
  for (const std::string &path : filesUnder(std::string(TPUC_TEST_DIR) + "/dialects/vhlo/Inputs", ""))
    if (!llvm::StringRef(path).ends_with(".py")) files.push_back(contents(path));
  return files;
}

Strings seedProtos() {
  Strings files;
  for (const std::string &path : filesUnder(std::string(TPUC_TEST_DIR) + "/compiler/frontend/hlo/Inputs", ".pb"))
    files.push_back(contents(path));
  return files;
}

class Subject {
 public:
  Subject() {
    tpuc::registerStablehloDialects(registry_);
    tpuc::registerSdyDialect(registry_);
    registry_.insert<mlir::arith::ArithDialect>();
  }

  // Whether it was imported. An import that fails says why; what was imported simplifies to a valid module.
  bool run(const std::string &bytes) {
    mlir::MLIRContext context(registry_, mlir::MLIRContext::Threading::DISABLED);
    llvm::SourceMgr sources;
    int errors = 0;
    mlir::ScopedDiagnosticHandler handler(&context, [&](mlir::Diagnostic &d) {
      errors += d.getSeverity() == mlir::DiagnosticSeverity::Error;
      return mlir::success();
    });
    auto imported =
        tpuc::frontend::importBuffer(llvm::MemoryBuffer::getMemBufferCopy(bytes, "mutated"), sources, context);
    if (!imported) {
      EXPECT_TRUE(imported.failure);
      EXPECT_GT(errors, 0);
      return false;
    }
    mlir::PassManager pm(&context);
    tpuc::simplify::buildSimplifyPipeline(pm);
    if (mlir::failed(pm.run(*imported.module)))
      EXPECT_GT(errors, 0);
    else
      EXPECT_TRUE(mlir::succeeded(mlir::verify(*imported.module)));
    return true;
  }

 private:
  mlir::DialectRegistry registry_;
};

std::pair<uint64_t, uint64_t> seeds() {
  llvm::StringRef text = std::getenv("TPUC_FUZZ") ? std::getenv("TPUC_FUZZ") : "1:400";
  auto [first, count] = text.split(':');
  std::pair<uint64_t, uint64_t> range{1, 400};
  if (first.getAsInteger(10, range.first) || count.getAsInteger(10, range.second))
    ADD_FAILURE() << "TPUC_FUZZ=FIRST:COUNT";
  return range;
}

using Mutate = std::string (*)(std::string, const Strings &, std::mt19937_64 &);

void fuzz(const Strings &originals, Mutate mutate) {
  ASSERT_FALSE(originals.empty());
  Subject subject;
  auto [first, count] = seeds();
  uint64_t imported = 0;
  for (uint64_t seed = first; seed < first + count; ++seed) {
    std::mt19937_64 random(seed);
    std::string changed = mutate(originals[random() % originals.size()], originals, random);
    std::string path = "mutation." + std::to_string(seed);
    {
      std::error_code error;
      llvm::raw_fd_ostream os(path, error);
      os << changed;
    }
    alarm(60);  // a hang ends here, the file left behind
    const bool valid = subject.run(changed);
    imported += valid;
    if (testing::Test::HasFailure()) FAIL() << "seed " << seed << ", see " << path;
    if (!valid || !std::getenv("TPUC_FUZZ_KEEP")) llvm::sys::fs::remove(path);  // what was imported, for `tpuc run`
  }
  alarm(0);
  std::cout << imported << " of " << count << " imported\n";
}

TEST(Mutation, Originals) {
  Subject subject;
  for (const std::string &file : seedFiles()) EXPECT_TRUE(subject.run(file));
  for (const std::string &file : seedProtos()) EXPECT_TRUE(subject.run(file));
}
TEST(Mutation, Protos) { fuzz(seedProtos(), tpuc::fuzz::mutateBytes); }
TEST(Mutation, Texts) { fuzz(seedTexts(), tpuc::fuzz::mutateText); }
TEST(Mutation, Artifacts) { fuzz(seedFiles(), tpuc::fuzz::mutateBytes); }

}  // namespace
