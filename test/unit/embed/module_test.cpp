// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A module that the caller made, in the caller's context.
#include <gtest/gtest.h>

#include "compiler/embed/cpp/tpuc.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/MLIRContext.h"
#include "mlir/Parser/Parser.h"

namespace {

TEST(Module, Compiles) {
  mlir::DialectRegistry registry;
  tpuc::api::registerDialects(registry);
  mlir::MLIRContext context(registry);
  auto module = mlir::parseSourceString<mlir::ModuleOp>(
      "func.func @main(%x: tensor<4xf32>) -> tensor<4xf32> {\n  %0 = stablehlo.negate %x : tensor<4xf32>\n  return %0 "
      ": tensor<4xf32>\n}",
      &context);
  ASSERT_TRUE(module);
  auto exe = tpuc::api::compile(*module);
  ASSERT_TRUE(exe) << exe.error().message;
  EXPECT_EQ(exe->arguments().size(), 1u);
}

}  // namespace
