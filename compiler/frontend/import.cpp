//===- import.cpp - files and bytes to a module ------------------------------------------------------------===//
// Part of tpuc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===-----------------------------------------------------------------------------===//
#include "compiler/frontend/import.h"

#include "compiler/frontend/bool_constants.h"
#include "compiler/frontend/bytes.h"
#include "compiler/frontend/constants.h"
#include "compiler/frontend/foreign.h"
#include "compiler/frontend/hlo/hlo.h"
#include "compiler/frontend/mhlo.h"
#include "compiler/frontend/parser_limits.h"
#include "compiler/frontend/spread_processes.h"
#include "dialects/diagnostics/diagnose.h"
#include "dialects/diagnostics/outer_codes.h"
#include "dialects/vhlo/artifact.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/SourceMgr.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/MLIRContext.h"
#include "mlir/IR/SymbolTable.h"
#include "mlir/IR/Verifier.h"
#include "mlir/Parser/Parser.h"

using namespace mlir;

namespace tpuc::frontend {
namespace {

//===-----------------------------------------------------------------------------===//
// Text
//===-----------------------------------------------------------------------------===//

// Gives each error of the parser and of the verifiers its code. Unknown ops are told from malformed ones by the
// parser's words; import_test holds them to that.
class CodedErrors {
 public:
  explicit CodedErrors(MLIRContext &context)
      : handler(&context, [this](Diagnostic &diagnostic) {
          if (diagnostic.getSeverity() == DiagnosticSeverity::Error) {
            const std::string message = diagnostic.str();
            const DiagnosticCode *code = codeOf(message);  // a reader of ours has said it
            if (!code) {
              code = &classify(message);
              if (StringRef way = code == &codes::kUnknownOp ? wayFromDialect(message) : StringRef(); !way.empty())
                diagnostic << "; " << way;
              diagnostic << " [" << code->name << "]";
            }
            if (!first) first = code;
          }
          return failure();  // and on to the caller's handler
        }) {}

  bool seen() const { return first; }
  const DiagnosticCode *failureCode() const { return first ? first : &codes::kMalformed; }

 private:
  static const DiagnosticCode &classify(StringRef message) {
    bool unknown = (message.starts_with("custom op") && message.contains("is unknown")) ||
                   message.contains("not found for custom op") ||
                   message.contains("does not allow unknown operations") ||
                   message.contains("created with unregistered dialect");
    return unknown ? codes::kUnknownOp : codes::kMalformed;
  }

  const DiagnosticCode *first = nullptr;
  ScopedDiagnosticHandler handler;
};

// Says of a text that fails, and is several, which flag takes it apart.
class SplitHint {
 public:
  SplitHint(StringRef text, MLIRContext &context)
      : wanted(text.contains("\n// -----")), handler(&context, [this](Diagnostic &diagnostic) {
          if (std::exchange(wanted, false) && diagnostic.getSeverity() == DiagnosticSeverity::Error)
            diagnostic.attachNote() << "the file holds several programs between lines of // -----; --split-input-file "
                                       "takes each for itself";
          return failure();
        }) {}

 private:
  bool wanted;
  ScopedDiagnosticHandler handler;
};

Imported fail(const DiagnosticCode &code) { return {nullptr, &code}; }

Location placeIn(const llvm::MemoryBuffer &buffer, size_t offset, MLIRContext &context) {
  StringRef before = buffer.getBuffer().take_front(offset);
  unsigned line = before.count('\n') + 1, column = offset - (before.rfind('\n') + 1) + 1;
  return FileLineColLoc::get(&context, buffer.getBufferIdentifier(), line, column);
}

// Where a buffer begins.
Location startOf(const llvm::MemoryBuffer &buffer, MLIRContext &context) {
  return FileLineColLoc::get(&context, buffer.getBufferIdentifier(), 1, 1);
}

// Attributes of other dialects, as mhlo.num_partitions, pass; their ops are looked for afterwards.
class UnregisteredAllowed {
 public:
  explicit UnregisteredAllowed(MLIRContext &context) : context(context), before(context.allowsUnregisteredDialects()) {
    context.allowUnregisteredDialects();
  }
  ~UnregisteredAllowed() { context.allowUnregisteredDialects(before); }

 private:
  MLIRContext &context;
  bool before;
};

// The one function that is public is the entry, and the entry's name is main.
void nameEntry(ModuleOp module) {
  if (module.lookupSymbol<func::FuncOp>("main")) return;
  for (auto function : module.getOps<func::FuncOp>())
    if (function.isPublic() && !function.isExternal()) {
      StringAttr name = StringAttr::get(module.getContext(), "main");
      if (succeeded(SymbolTable::replaceAllSymbolUses(function, name, module))) function.setSymNameAttr(name);
      return;
    }
}

OwningOpRef<ModuleOp> readHlo(const llvm::MemoryBuffer &buffer, MLIRContext &context) {
  // No line of it can be shown.
  OwningOpRef<ModuleOp> module =
      hlo::readModule(buffer.getBuffer(), FileLineColLoc::get(&context, buffer.getBufferIdentifier(), 0, 0));
  if (module && failed(verify(*module))) return {};
  return module;
}

// A portable artifact. MLIR's own bytecode of stablehlo is no format that lasts, and its reader trusts the bytes.
OwningOpRef<ModuleOp> readBytecode(llvm::MemoryBufferRef bytes, MLIRContext &context) {
  OwningOpRef<ModuleOp> module = vhlo::readArtifact(bytes, context);
  if (module && failed(verify(*module))) return {};
  return module;
}

template <typename Read>
Imported readWith(Location start, Read read) {
  UnregisteredAllowed allowed(*start->getContext());
  CodedErrors errors(*start->getContext());
  Imported imported{read(), nullptr};
  if (imported) return imported;
  if (!errors.seen()) emitError(start) << "expects whole bytecode, but got what is damaged";
  return fail(*errors.failureCode());
}

}  // namespace

Imported importBuffer(std::unique_ptr<llvm::MemoryBuffer> buffer, llvm::SourceMgr &sources, MLIRContext &context,
                      Need need) {
  StringRef bytes = buffer->getBuffer();
  Location start = startOf(*buffer, context);
  auto refuse = [&](const DiagnosticCode &code, const Twine &message) {
    diagnose(start, code) << message;
    return fail(code);
  };
  // Models of other tools first: their files are protobufs too.
  if (std::optional<std::string> kind = isBytecode(bytes) ? std::nullopt : foreignFile(bytes, need == Need::Valid))
    return refuse(codes::kNotAProgram, "expects a program of StableHLO, but got " + *kind);
  bool isHlo = !isBytecode(bytes) && hlo::isProtobuf(bytes);
  bool exported = !isBytecode(bytes) && !isHlo && isFlatbuffer(bytes);
  if (!exported && !isHlo && !isBytecode(bytes) && bytes.take_front(1024).contains('\0')) {
    if (StringRef(buffer->getBufferIdentifier()).ends_with(".tpuc"))
      return refuse(codes::kBadExecutable, "expects an executable, but its first bytes are damaged");
    return refuse(codes::kNotAProgram, "expects a program of StableHLO, but got binary data that tpuc does not know");
  }
  SplitHint hint(bytes, context);
  StringRef bytecode = isBytecode(bytes) ? bytes : exported ? bytecodeWithin(bytes) : StringRef();
  if (exported && bytecode.empty())
    return refuse(codes::kJaxExport, "expects a module within the serialized jax.export, but got none");

  Imported imported;
  if (isHlo) {
    imported = readWith(start, [&] { return readHlo(*buffer, context); });
  } else if (!bytecode.empty()) {
    std::optional<vhlo::Version> version = vhlo::artifactVersion(bytecode);
    if (version && (*version < vhlo::kOldest || vhlo::kNewest < *version))
      return refuse(codes::kPortableArtifact, "expects a portable artifact of version " + vhlo::kOldest.text() +
                                                  " to " + vhlo::kNewest.text() + ", but got " + version->text());
    llvm::MemoryBufferRef ref(bytecode, buffer->getBufferIdentifier());
    imported = readWith(start, [&] { return readBytecode(ref, context); });
  } else {
    if (std::optional<ParserLimit> limit = findParserLimit(bytes)) {
      start = placeIn(*buffer, limit->offset, context);
      return refuse(limit->code, limit->message);
    }
    if (std::optional<std::string> packed = packBoolConstants(bytes))
      buffer = llvm::MemoryBuffer::getMemBufferCopy(*packed, buffer->getBufferIdentifier());
    // The mark that some editors put in front of UTF-8.
    if (StringRef text = buffer->getBuffer(); text.consume_front("\xef\xbb\xbf"))
      buffer = llvm::MemoryBuffer::getMemBufferCopy(text, buffer->getBufferIdentifier());
    sources.AddNewSourceBuffer(std::move(buffer), llvm::SMLoc());
    loadMhlo(context);
    imported = readWith(start, [&] { return parseSourceFile<ModuleOp>(sources, ParserConfig(&context)); });
  }
  if (!imported) return imported;
  if (CodedErrors errors(context); failed(replaceMhlo(*imported.module))) return fail(*errors.failureCode());
  if (CodedErrors errors(context); failed(spreadProcesses(*imported.module))) return fail(*errors.failureCode());
  if (failed(bringConstants(*imported.module))) return fail(codes::kMalformed);
  if (const DiagnosticCode *failure = checkModule(*imported.module, need)) return fail(*failure);
  if (need == Need::Program) nameEntry(*imported.module);
  return imported;
}

Imported importFile(StringRef path, llvm::SourceMgr &sources, MLIRContext &context) {
  auto buffer = llvm::MemoryBuffer::getFileOrSTDIN(path);
  if (std::error_code error = buffer.getError()) {
    diagnose(UnknownLoc::get(&context), codes::kCannotRead) << "cannot read '" + path + "': " + error.message();
    return fail(codes::kCannotRead);
  }
  return importBuffer(std::move(*buffer), sources, context);
}

}  // namespace tpuc::frontend
