//===- artifact.cpp - portable artifacts of StableHLO ------------------------------------------------------===//
// Part of tpuc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===-----------------------------------------------------------------------------===//
#include "dialects/vhlo/artifact.h"

#include "dialects/vhlo/vhlo.h"

#include "mlir/Bytecode/BytecodeReader.h"
#include "mlir/IR/AsmState.h"

using namespace mlir;

void tpuc::registerVhloDialect(DialectRegistry &registry) { registry.insert<vhlo::VhloDialect>(); }

namespace tpuc::vhlo {

constexpr StringLiteral kProducer = "StableHLO_v";

// The producer's name stands behind the magic number and the encoding's version, and ends in a zero.
std::optional<Version> artifactVersion(StringRef bytes) {
  StringRef start = bytes.take_front(64);
  size_t at = start.find(kProducer);
  if (at == StringRef::npos)
    return std::nullopt;
  StringRef text = start.substr(at + kProducer.size());
  return Version::parse(text.take_until([](char c) { return c == '\0'; }));
}

OwningOpRef<ModuleOp> readArtifact(llvm::MemoryBufferRef bytes, MLIRContext &context) {
  // Verified after the conversion: the ops of vhlo have no verifiers, nor are they terminators.
  ParserConfig config(&context, /*verifyAfterParse=*/false);
  Block block;
  if (failed(readBytecodeFile(bytes, &block, config)))
    return {};
  if (block.getOperations().size() != 1 || !isa<ModuleOp>(block.front())) {
    emitError(FileLineColLoc::get(&context, bytes.getBufferIdentifier(), 1, 1))
        << "expects one module, but got " << block.getOperations().size() << " ops";
    return {};
  }
  auto module = cast<ModuleOp>(&block.front());
  module->remove();
  OwningOpRef<ModuleOp> owned(module);
  if (failed(convertToStablehlo(module)))
    return {};
  return owned;
}

} // namespace tpuc::vhlo
