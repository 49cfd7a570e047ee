// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Programs that import, and what is said of those that don't.
#include "compiler/frontend/import.h"

#include <gtest/gtest.h>

#include <set>

#include "compiler/frontend/bool_constants.h"
#include "dialects/diagnostics/outer_codes.h"
#include "dialects/sdy/sdy.h"
#include "dialects/stablehlo/stablehlo.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/SourceMgr.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/Diagnostics.h"
#include "mlir/IR/MLIRContext.h"

using namespace tpuc;
using namespace tpuc::codes;
using namespace tpuc::frontend;

namespace {

struct Outcome {
  bool imported;
  std::string code;
  Exit exit = Exit::Usage;
  std::vector<std::string> errors;  // "line: message"
};

std::string describe(mlir::Diagnostic &diagnostic) {
  std::string line = "?";
  if (auto location = mlir::dyn_cast<mlir::FileLineColLoc>(diagnostic.getLocation()))
    line = std::to_string(location.getLine());
  return line + ": " + diagnostic.str();
}

Outcome import(llvm::StringRef bytes) {
  mlir::DialectRegistry registry;
  tpuc::registerStablehloDialects(registry);
  tpuc::registerSdyDialect(registry);
  registry.insert<mlir::arith::ArithDialect>();
  mlir::MLIRContext context(registry, mlir::MLIRContext::Threading::DISABLED);
  llvm::SourceMgr sources;
  Outcome outcome;
  mlir::ScopedDiagnosticHandler handler(&context, [&](mlir::Diagnostic &d) {
    outcome.errors.push_back(describe(d));
    return mlir::success();
  });
  Imported imported = importBuffer(llvm::MemoryBuffer::getMemBufferCopy(bytes, "program.mlir"), sources, context);
  outcome.imported = static_cast<bool>(imported);
  if (imported.failure) {
    outcome.code = imported.failure->name.str();
    outcome.exit = imported.failure->exit;
  }
  return outcome;
}

void expectRefused(llvm::StringRef text, const DiagnosticCode &code, llvm::StringRef error) {
  Outcome outcome = import(text);
  EXPECT_FALSE(outcome.imported);
  EXPECT_EQ(outcome.code, code.name.str());
  EXPECT_EQ(outcome.exit, code.exit);
  ASSERT_FALSE(outcome.errors.empty());
  EXPECT_EQ(outcome.errors.front(), (error + " [" + code.name + "]").str());
}

TEST(Import, Program) {
  Outcome outcome = import(R"(
    module @jit_f attributes {mhlo.num_partitions = 1 : i32, other.thing = #other.attr<1>} {
      func.func public @main(%x: tensor<8xf32>) -> tensor<8xf32> {
        %0 = call @twice(%x) : (tensor<8xf32>) -> tensor<8xf32>
        return %0 : tensor<8xf32>
      }
      func.func private @twice(%x: tensor<8xf32>) -> tensor<8xf32> {
        %0 = stablehlo.add %x, %x : tensor<8xf32>
        return %0 : tensor<8xf32>
      }
    })");
  EXPECT_TRUE(outcome.imported) << outcome.errors.front();
}

TEST(Import, OnePublicFunctionIsTheEntry) {
  EXPECT_TRUE(
      import("func.func @f() -> tensor<i1> { %0 = stablehlo.constant dense<true> : tensor<i1> return %0 : tensor<i1> }")
          .imported);
}

TEST(Import, BooleansAByteEach) {
  // 10 elements: the second is false, and columns behind the constant stay where they are.
  llvm::StringRef text = "dense<\"0x01000101010101010101\"> : tensor<2x5xi1> end";
  std::optional<std::string> packed = packBoolConstants(text);
  ASSERT_TRUE(packed);
  EXPECT_EQ(*packed, "dense<\"0xFD03\"                > : tensor<2x5xi1> end");
  EXPECT_EQ(packed->size(), text.size());
  // Bits already, another type, a splat, a size that fits neither.
  EXPECT_FALSE(packBoolConstants("dense<\"0xFD03\"> : tensor<2x5xi1>"));
  EXPECT_FALSE(packBoolConstants("dense<\"0x0100\"> : tensor<2xi8>"));
  EXPECT_FALSE(packBoolConstants("dense<\"0x01\"> : tensor<1xi1>"));
  EXPECT_FALSE(packBoolConstants("dense<\"0x010101\"> : tensor<2xi1>"));
  EXPECT_FALSE(packBoolConstants("dense<\"0x"));
  EXPECT_TRUE(
      import(
          "func.func @main() -> tensor<9xi1> { %0 = stablehlo.constant dense<\"0x010001010101010101\"> : tensor<9xi1> "
          "return %0 : tensor<9xi1> }")
          .imported);
}

TEST(Import, BoundedShape) {
  EXPECT_TRUE(import("func.func @main(%x: tensor<?x4xf32, #stablehlo.bounds<8, ?>>) { return }").imported);
}

TEST(Import, Malformed) {
  expectRefused("func.func @main( {", kMalformed, "1: expected non-function type");
  expectRefused(
      "func.func @main(%x: tensor<2xf32>, %y: tensor<3xf32>) {\n"
      "  %0 = stablehlo.add %x, %y : (tensor<2xf32>, tensor<3xf32>) -> tensor<2xf32>\n  return\n}",
      kMalformed,
      "2: 'stablehlo.add' op expects operands of the same shape, but got 'tensor<2xf32>' and 'tensor<3xf32>'");
  expectRefused(
      "\xff\xfe", kNotAProgram,
      "1: expects a program of StableHLO, but got text in UTF-16; save it as UTF-8 (iconv -f UTF-16 -t UTF-8)");
}

TEST(Import, Truncated) {
  // Every prefix of a program is refused without a crash.
  llvm::StringRef text =
      "module { func.func @main(%x: tensor<2xf32>) -> tensor<2xf32> {\n"
      "%0 = \"stablehlo.reverse\"(%x) <{dimensions = array<i64: 0>}> : (tensor<2xf32>) -> tensor<2xf32>\n"
      "return %0 : tensor<2xf32> } }";
  ASSERT_TRUE(import(text).imported);
  for (size_t size = 0; size + 1 < text.size(); ++size) {
    Outcome outcome = import(text.take_front(size));
    EXPECT_FALSE(outcome.imported) << size;
    EXPECT_FALSE(outcome.errors.empty()) << size;
  }
}

TEST(Import, UnknownOps) {
  expectRefused("func.func @main() {\n \"other.op\"() : () -> ()\n return }", kUnknownOp,
                "2: expects ops of StableHLO, but got 'other.op'");
  expectRefused("func.func @main() {\n %0 = arith.constant 1 : i32\n return }", kUnknownOp,
                "2: expects ops of StableHLO, but got 'arith.constant'; that is a stage after StableHLO in other "
                "compilers; export "
                "StableHLO where the program is made");
  expectRefused("func.func @main() {\n other.op\n return }", kUnknownOp,
                "2: Dialect `other' not found for custom op 'other.op' ");
  expectRefused("func.func @main() {\n stablehlo.nothing\n return }", kUnknownOp,
                "2: custom op 'stablehlo.nothing' is unknown");
}

TEST(Import, Entry) {
  expectRefused("module {}", kNoMain, "1: expects a function main, or one public function, but got 0");
  expectRefused("func.func @f() { return } func.func @g() { return }", kNoMain,
                "0: expects a function main, or one public function, but got 2");
  expectRefused("func.func private @main() { return }", kNoMain, "1: expects a public function main with a body");
  expectRefused("module {}\nmodule {}", kSeveralModules, "1: expects one module, but got another within it");
}

TEST(Import, Calls) {
  expectRefused(
      "func.func @main() {\n call @a() : () -> ()\n return }\n"
      "func.func private @a() {\n call @b() : () -> ()\n return }\n"
      "func.func private @b() {\n call @a() : () -> ()\n return }",
      kCyclicCalls, "8: expects calls without cycles, but @a calls itself");
  expectRefused("func.func @main() {\n call @main() : () -> ()\n return }", kCyclicCalls,
                "2: expects calls without cycles, but @main calls itself");
  expectRefused("func.func @main() {\n call @a() : () -> ()\n return }\nfunc.func private @a()", kNoBody,
                "2: expects @a to have a body");
}

TEST(Import, DeepCallsAreNoCycle) {
  std::string text = "func.func @main() { call @f0() : () -> () return }\n";
  for (int i = 0; i < 5000; ++i)
    text += "func.func private @f" + std::to_string(i) + "() { call @f" + std::to_string(i + 1) +
            "() : () -> () return }\n";
  text += "func.func private @f5000() { return }";
  EXPECT_TRUE(import(text).imported);
}

TEST(Import, Types) {
  EXPECT_TRUE(import("func.func @main(%x: tensor<?xf32>) { return }").imported);  // its size is given later
  expectRefused("func.func @main(%x: tensor<*xf32>) { return }", kDynamicShape,
                "1: expects arrays of known rank, but got tensor<*xf32>");
  expectRefused("func.func @main(%x: vector<4xf32>) { return }", kUnknownType,
                "1: expects tensors, tokens and tuples, but got vector<4xf32>");
  expectRefused("func.func @main(%x: tensor<4xi7>) { return }", kUnknownType,
                "1: expects an element type of StableHLO, but got tensor<4xi7>");
  expectRefused("func.func @main(%x: tensor<1099511627776x1099511627776xf32>) { return }", kTooLarge,
                "1: expects an array of 2^56 elements at most, but got tensor<1099511627776x1099511627776xf32>");
  EXPECT_TRUE(import("func.func @main(%x: tensor<1099511627776xf32>) { return }").imported);
}

TEST(Import, OtherForms) {
  expectRefused(llvm::StringRef("ML\xefR\x0dStableHLO_v9.0.0\0", 22), kPortableArtifact,
                "1: expects a portable artifact of version 0.9.0 to 1.20.0, but got 9.0.0");
  // Root table at 8, its fields described at 4.
  const char flatbuffer[] = "\x08\0\0\0\x04\0\x04\0\x04\0\0\0\x04\0\0\0";
  expectRefused(llvm::StringRef(flatbuffer, 16), kJaxExport,
                "1: expects a module within the serialized jax.export, but got none");
  // A vector of two bytes cannot hold the magic number that follows.
  const char cut[] = "\x08\0\0\0\x04\0\x04\0\x04\0\0\0\x02\0\0\0ML\xefR\x0dStableHLO_v1.0.0";
  expectRefused(llvm::StringRef(cut, sizeof cut), kJaxExport,
                "1: expects a module within the serialized jax.export, but got none");
}

TEST(Import, Nesting) {
  std::string text =
      "func.func @main() attributes {a = " + std::string(100000, '[') + std::string(100000, ']') + "} { return }";
  expectRefused(text, kNestsTooDeep, "1: expects brackets nested at most 256 deep, but got 100001");
}

TEST(Import, ArrayOfIndex) {
  expectRefused("func.func @main() attributes {a = array<\n index: 1>} { return }", kMalformed,
                "1: expects an array of integers or floats, but got array<index>");
  EXPECT_TRUE(import("func.func @main() attributes {a = \"array<index\"} { return } // array<index").imported);
}

TEST(Import, CannotRead) {
  mlir::MLIRContext context(mlir::MLIRContext::Threading::DISABLED);
  llvm::SourceMgr sources;
  std::string message;
  mlir::ScopedDiagnosticHandler handler(&context, [&](mlir::Diagnostic &d) {
    message = d.str();
    return mlir::success();
  });
  Imported imported = importFile("/does/not/exist.mlir", sources, context);
  EXPECT_EQ(imported.failure, &kCannotRead);
  EXPECT_EQ(message, "cannot read '/does/not/exist.mlir': No such file or directory [TPUC-IMPORT-001]");
}

TEST(Codes, AreUniqueAndExplained) {
  std::set<llvm::StringRef> names;
  for (const DiagnosticCode *code : allCodes()) {
    EXPECT_TRUE(names.insert(code->name).second) << code->name.str();
    EXPECT_GT(code->explanation.size(), 60u) << code->name.str();
    EXPECT_EQ(findCode(code->name), code);
  }
  EXPECT_EQ(findCode("TPUC-IMPORT-999"), nullptr);
  EXPECT_EQ(codeOf("does not fit [TPUC-FIT-001]"), &kOverHbm);
  EXPECT_EQ(codeOf("expects [1, 2], but got [3]"), nullptr);
}

}  // namespace
