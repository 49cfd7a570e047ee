// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// From bytes to an executable: import, the stages, and the first error's code.
#include "compiler/pipeline/session.h"

#include "compiler/frontend/import.h"
#include "compiler/pipeline/apply_mesh.h"
#include "compiler/pipeline/diagnostic_printer.h"
#include "compiler/pipeline/export.h"
#include "compiler/pipeline/registry.h"
#include "compiler/pipeline/remark_printer.h"
#include "dialects/diagnostics/diagnose.h"
#include "llvm/Support/SourceMgr.h"
#include "mlir/Parser/Parser.h"
#include "mlir/Pass/PassManager.h"
#include "passes/simplify/passes.h"
#include "runtime/isa/printable.h"

using namespace mlir;

namespace tpuc {
namespace {

// Remembers the code of the first error on its way to the handler that prints it. MLIR's own errors have none: they get
// `otherwise`.
class FirstError {
 public:
  FirstError(MLIRContext &context, const DiagnosticCode &otherwise = codes::kBrokenStage)
      : otherwise_(otherwise), handler_(&context, [this](Diagnostic &diagnostic) {
          if (diagnostic.getSeverity() != DiagnosticSeverity::Error) return failure();
          const DiagnosticCode *code = codeOf(diagnostic.str());
          if (!code) diagnostic << " [" << (code = &otherwise_)->name << "]";
          if (!first_) first_ = code;
          return failure();
        }) {}

  void fill(Compiled &compiled) const {
    const DiagnosticCode &code = first_ ? *first_ : otherwise_;
    compiled.code = code.name.str();
    compiled.exit = static_cast<int>(code.exit);
  }

 private:
  const DiagnosticCode &otherwise_;
  const DiagnosticCode *first_ = nullptr;
  ScopedDiagnosticHandler handler_;
};

// The text of a later stage: any dialect of ours, as --dump-stages wrote it.
OwningOpRef<ModuleOp> parseStage(std::unique_ptr<llvm::MemoryBuffer> buffer, llvm::SourceMgr &sources,
                                 MLIRContext &context) {
  Location start = FileLineColLoc::get(&context, buffer->getBufferIdentifier(), 1, 1);
  sources.AddNewSourceBuffer(std::move(buffer), llvm::SMLoc());
  bool allowed = context.allowsUnregisteredDialects();
  context.allowUnregisteredDialects();  // their attributes, as mhlo.num_partitions
  auto module = parseSourceFile<ModuleOp>(sources, ParserConfig(&context));
  context.allowUnregisteredDialects(allowed);
  if (!module)
    diagnose(start, codes::kNotAStage)
        << "expects a module that --stop-after or --dump-stages wrote, but got another text";
  return module;
}

void compileInto(Compiled &compiled, ModuleOp module, const CompileOptions &options, const FirstError &errors) {
  if (!options.mesh.empty() && failed(applyMesh(module, options.mesh))) return errors.fill(compiled);
  if (!options.artifactVersion.empty()) {
    if (!options.stopAfter.empty() && failed(compileModule(module, options, compiled.exe)))
      return errors.fill(compiled);
    llvm::raw_string_ostream os(compiled.stageText);
    if (failed(exportArtifact(module, options.artifactVersion, os))) errors.fill(compiled);
    return;
  }
  if (failed(compileModule(module, options, compiled.exe))) return errors.fill(compiled);
  if (options.stopAfter.empty() || options.stopAfter == stageNames().back()) return;
  llvm::raw_string_ostream os(compiled.stageText);
  module.print(os, OpPrintingFlags().enableDebugInfo());
  os << "\n";
}

Compiled importAndCompile(std::unique_ptr<llvm::MemoryBuffer> buffer, const CompileOptions &options,
                          llvm::SourceMgr &sources, MLIRContext &context) {
  Compiled compiled;
  FirstError errors(context);
  const RemarkPrinter remarks(context, options);
  OwningOpRef<ModuleOp> module;
  if (options.onStage) options.onStage(stageNames().front());
  if (options.startFrom.empty() || options.startFrom == stageNames().front()) {
    module = frontend::importBuffer(std::move(buffer), sources, context,
                                    options.anyModule ? frontend::Need::Valid : frontend::Need::Program)
                 .module;
    if (!module) errors.fill(compiled);
  } else {
    FirstError parsing(context, codes::kNotAStage);
    module = parseStage(std::move(buffer), sources, context);
    if (!module) parsing.fill(compiled);
  }
  if (module && options.onImport) options.onImport(*module);
  if (module) compileInto(compiled, *module, options, errors);
  return compiled;
}

}  // namespace

Session::Session() { renewContext(); }

void Session::renewContext() {
  bytesRead_ = 0;
  DialectRegistry registry;
  registerAllDialects(registry);
  context_ = std::make_unique<MLIRContext>(registry, MLIRContext::Threading::DISABLED);
  context_->printOpOnDiagnostic(false);  // a user's line says more than the op's generic form
}

Session::~Session() = default;

Compiled Session::compileFile(llvm::StringRef path, const CompileOptions &options, llvm::raw_ostream &err,
                              bool verifyDiagnostics) {
  auto buffer = llvm::MemoryBuffer::getFileOrSTDIN(path);
  if (std::error_code error = buffer.getError()) {
    err << "error: cannot read '" << isa::printable({path.data(), path.size()}) << "': " << error.message() << " ["
        << codes::kCannotRead.name << "]\n";
    Compiled compiled;
    compiled.exit = static_cast<int>(codes::kCannotRead.exit);
    compiled.code = codes::kCannotRead.name.str();
    return compiled;
  }
  return compileBuffer(std::move(*buffer), options, err, verifyDiagnostics);
}

Compiled Session::compileBuffer(std::unique_ptr<llvm::MemoryBuffer> buffer, const CompileOptions &options,
                                llvm::raw_ostream &err, bool verifyDiagnostics) {
  // A context keeps every constant it has seen.
  constexpr size_t kMostBytes = size_t{32} << 20;
  if (bytesRead_ > kMostBytes) renewContext();
  bytesRead_ += buffer->getBufferSize();
  llvm::SourceMgr sources;
  if (!verifyDiagnostics) {
    DiagnosticPrinter printer(sources, *context_, err, buffer->getBufferIdentifier());
    return importAndCompile(std::move(buffer), options, sources, *context_);
  }
  // The handler reads the comments of the buffers it is made with.
  sources.AddNewSourceBuffer(llvm::MemoryBuffer::getMemBuffer(buffer->getMemBufferRef(), false), llvm::SMLoc());
  SourceMgrDiagnosticVerifierHandler handler(sources, context_.get(), err);
  llvm::SourceMgr own;
  auto copy = llvm::MemoryBuffer::getMemBufferCopy(buffer->getBuffer(), buffer->getBufferIdentifier());
  Compiled compiled = importAndCompile(std::move(copy), options, own, *context_);
  compiled.exit = succeeded(handler.verify()) ? 0 : 1;
  return compiled;
}

void Session::look(std::unique_ptr<llvm::MemoryBuffer> buffer, llvm::function_ref<void(ModuleOp)> see) {
  bytesRead_ += buffer->getBufferSize();
  llvm::SourceMgr sources;
  ScopedDiagnosticHandler quiet(context_.get(), [](Diagnostic &) { return success(); });
  OwningOpRef<ModuleOp> module = frontend::importBuffer(std::move(buffer), sources, *context_).module;
  if (!module) return;
  PassManager pm(context_.get());
  pm.addPass(simplify::createInlineCallsPass());
  if (succeeded(pm.run(*module))) see(*module);
}

Compiled Session::compile(ModuleOp module, const CompileOptions &options, llvm::raw_ostream &err) {
  Compiled compiled;
  llvm::SourceMgr sources;
  DiagnosticPrinter printer(sources, *module.getContext(), err, "");
  FirstError errors(*module.getContext());
  if (const DiagnosticCode *code = frontend::checkModule(module)) {
    compiled.exit = static_cast<int>(code->exit);
    compiled.code = code->name.str();
  } else {
    compileInto(compiled, module, options, errors);
  }
  return compiled;
}

}  // namespace tpuc
