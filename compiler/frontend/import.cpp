//===- import.cpp - files and bytes to a module ------------------------------------------------------------===//
// Part of tpuc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===-----------------------------------------------------------------------------===//
#include "compiler/frontend/bool_constants.h"
#include "compiler/frontend/import.h"
#include "compiler/frontend/report.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/MLIRContext.h"
#include "mlir/IR/SymbolTable.h"
#include "mlir/Parser/Parser.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/SourceMgr.h"

using namespace mlir;

namespace tpuc::frontend {
namespace {

//===-----------------------------------------------------------------------------===//
// What kind of file it is
//===-----------------------------------------------------------------------------===//

// The first bytes of MLIR bytecode.
bool isBytecode(StringRef bytes) { return bytes.starts_with("ML\xefR"); }

// A flatbuffer starts with the offset of its root table, which points back to a table of fields within the buffer;
// text has no zero bytes there.
bool isFlatbuffer(StringRef bytes) {
  auto word = [&](size_t offset) {
    uint32_t value = 0;
    for (int i = 3; i >= 0; --i)
      value = value << 8 | static_cast<uint8_t>(bytes[offset + i]);
    return value;
  };
  if (bytes.size() < 16 || !bytes.take_front(16).contains('\0'))
    return false;
  uint64_t root = word(0);
  if (root < 4 || root + 4 > bytes.size())
    return false;
  int64_t table = static_cast<int64_t>(root) - static_cast<int32_t>(word(root));
  return table >= 0 && table + 4 <= static_cast<int64_t>(bytes.size());
}

// Brackets outside of strings and comments, at their deepest. The parser recurses once a bracket.
size_t nestingDepth(StringRef text) {
  size_t depth = 0, deepest = 0;
  for (size_t i = 0; i < text.size(); ++i) {
    char c = text[i];
    if (c == '"') {
      for (++i; i < text.size() && text[i] != '"' && text[i] != '\n'; ++i)
        if (text[i] == '\\')
          ++i;
    } else if (c == '/' && i + 1 < text.size() && text[i + 1] == '/') {
      i = text.find('\n', i);
      if (i == StringRef::npos)
        break;
    } else if (c == '(' || c == '[' || c == '{' || c == '<') {
      deepest = std::max(deepest, ++depth);
    } else if ((c == ')' || c == ']' || c == '}' || (c == '>' && i && text[i - 1] != '-')) && depth) {
      --depth;
    }
  }
  return deepest;
}
constexpr size_t kDeepest = 256;

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
            const Code &code = classify(diagnostic.str());
            diagnostic << " [" << code.name << "]";
            if (!first)
              first = &code;
          }
          return failure(); // and on to the caller's handler
        }) {}

  const Code *failureCode() const { return first ? first : &kMalformed; }

private:
  static const Code &classify(StringRef message) {
    bool unknown = (message.starts_with("custom op") && message.contains("is unknown")) ||
                   message.contains("not found for custom op") ||
                   message.contains("does not allow unknown operations") ||
                   message.contains("created with unregistered dialect");
    return unknown ? kUnknownOp : kMalformed;
  }

  const Code *first = nullptr;
  ScopedDiagnosticHandler handler;
};

Imported fail(const Code &code) { return {nullptr, &code}; }

// Where a buffer begins.
Location startOf(const llvm::MemoryBuffer &buffer, MLIRContext &context) {
  return FileLineColLoc::get(&context, buffer.getBufferIdentifier(), 1, 1);
}

OwningOpRef<ModuleOp> parse(llvm::SourceMgr &sources, MLIRContext &context) {
  // Attributes of other dialects, as mhlo.num_partitions, pass; their ops are looked for afterwards.
  bool allowed = context.allowsUnregisteredDialects();
  context.allowUnregisteredDialects();
  OwningOpRef<ModuleOp> module = parseSourceFile<ModuleOp>(sources, ParserConfig(&context));
  context.allowUnregisteredDialects(allowed);
  return module;
}

// The one function that is public is the entry, and the entry's name is main.
void nameEntry(ModuleOp module) {
  if (module.lookupSymbol<func::FuncOp>("main"))
    return;
  for (auto function : module.getOps<func::FuncOp>())
    if (function.isPublic() && !function.isExternal()) {
      StringAttr name = StringAttr::get(module.getContext(), "main");
      if (succeeded(SymbolTable::replaceAllSymbolUses(function, name, module)))
        function.setSymNameAttr(name);
      return;
    }
}

} // namespace

Imported importBuffer(std::unique_ptr<llvm::MemoryBuffer> buffer, llvm::SourceMgr &sources, MLIRContext &context) {
  StringRef bytes = buffer->getBuffer();
  Location start = startOf(*buffer, context);
  auto refuse = [&](const Code &code, const Twine &message) {
    report(start, code, message);
    return fail(code);
  };
  if (isBytecode(bytes))
    return refuse(kPortableArtifact, "expects StableHLO as text, but got a portable artifact");
  if (isFlatbuffer(bytes))
    return refuse(kJaxExport, "expects StableHLO as text, but got a serialized jax.export");
  if (size_t depth = nestingDepth(bytes); depth > kDeepest)
    return refuse(kNestsTooDeep, "expects brackets nested at most " + Twine(kDeepest) + " deep, but got " + Twine(depth));

  if (std::optional<std::string> packed = packBoolConstants(bytes))
    buffer = llvm::MemoryBuffer::getMemBufferCopy(*packed, buffer->getBufferIdentifier());
  sources.AddNewSourceBuffer(std::move(buffer), llvm::SMLoc());
  Imported imported;
  {
    CodedErrors errors(context);
    imported.module = parse(sources, context);
    if (!imported.module)
      return fail(*errors.failureCode());
  }
  if (const Code *failure = checkModule(*imported.module))
    return fail(*failure);
  nameEntry(*imported.module);
  return imported;
}

Imported importFile(StringRef path, llvm::SourceMgr &sources, MLIRContext &context) {
  auto buffer = llvm::MemoryBuffer::getFileOrSTDIN(path);
  if (std::error_code error = buffer.getError()) {
    report(UnknownLoc::get(&context), kCannotRead, "cannot read '" + path + "': " + error.message());
    return fail(kCannotRead);
  }
  return importBuffer(std::move(*buffer), sources, context);
}

} // namespace tpuc::frontend
