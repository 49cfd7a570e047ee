//===- artifact.cpp - portable artifacts of StableHLO ------------------------------------------------------===//
// Part of tpuc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===-----------------------------------------------------------------------------===//
#include "dialects/vhlo/artifact.h"

#include "dialects/sdy/sdy.h"
#include "dialects/stablehlo/chlo.h"
#include "dialects/stablehlo/stablehlo.h"
#include "dialects/vhlo/read_ops.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Quant/IR/Quant.h"

using namespace mlir;

namespace tpuc::vhlo {

constexpr StringLiteral kProducer = "StableHLO_v";

// The producer's name stands behind the magic number and the encoding's version, and ends in a zero.
std::optional<Version> artifactVersion(StringRef bytes) {
  StringRef start = bytes.take_front(64);
  size_t at = start.find(kProducer);
  if (at == StringRef::npos) return std::nullopt;
  StringRef text = start.substr(at + kProducer.size());
  return Version::parse(text.take_until([](char c) { return c == '\0'; }));
}

OwningOpRef<ModuleOp> readArtifact(llvm::MemoryBufferRef bytes, MLIRContext &context) {
  context.loadDialect<stablehlo::StablehloDialect, chlo::ChloDialect, func::FuncDialect, quant::QuantDialect,
                      sdy::SdyDialect>();
  Source source{bytes.getBuffer(), FileLineColLoc::get(&context, bytes.getBufferIdentifier(), 1, 1)};
  FailureOr<Container> file = Container::read(source);
  if (failed(file)) return {};
  Entries entries(source, *file);
  return readOps(source, *file, entries);
}

}  // namespace tpuc::vhlo
