// Finding and loading what the command is given.
#include "compiler/tools/program.h"

#include <chrono>

#include "compiler/tools/cli.h"
#include "compiler/tools/npy.h"
#include "runtime/executor/executor.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/JSON.h"
#include "llvm/Support/Path.h"

namespace tpuc::tools {
namespace {

namespace fs = llvm::sys::fs;

bool isExecutable(const std::string &path) {
  auto file = fs::openNativeFileForRead(path);
  if (!file) {
    llvm::consumeError(file.takeError());
    return false;
  }
  char head[sizeof isa::kMagic] = {};
  auto read = fs::readNativeFile(*file, {head, sizeof head});
  (void)fs::closeFile(*file);
  if (!read) {
    llvm::consumeError(read.takeError());
    return false;
  }
  // A file that ends in the magic is an executable that was cut off; no text begins so.
  return *read >= 4 && llvm::StringRef(isa::kMagic, sizeof isa::kMagic).starts_with(llvm::StringRef(head, *read));
}

Loaded loadExecutable(const Program &program, llvm::raw_ostream &err) {
  Loaded loaded;
  std::string error;
  auto bad = [&](const std::string &why) {
    loaded.compiled.exit = fail(err, program.file + ": " + why, codes::kBadExecutable);
    loaded.compiled.code = codes::kBadExecutable.name.str();
  };
  if (!isa::load(program.file, loaded.compiled.exe, error)) {
    llvm::StringRef text(error);
    text.consume_front(program.file + ": ");
    bad(text.str());
  } else if (!target::parseTarget(loaded.compiled.exe.index.target(), loaded.target, error)) {
    bad("its target cannot be read: " + error);
  }
  return loaded;
}

}  // namespace

bool fileExists(const std::string &path) { return fs::exists(path); }

int findProgram(const std::string &path, const std::string &dataFolder, Program &out, llvm::raw_ostream &err) {
  out.path = path;
  out.folder = dataFolder;
  if (!dataFolder.empty() && !fs::is_directory(dataFolder)) return fail(err, "'" + dataFolder + "' is no folder", codes::kUnreadable);
  if (path != "-" && !fs::exists(path)) return fail(err, "'" + path + "' does not exist", codes::kUnreadable);
  out.file = path;
  if (fs::is_directory(path)) {
    if (dataFolder.empty()) out.folder = path;
    const char *names[] = {"program.mlir", "program.jax", "program.pb"};
    auto inFolder = [&](const char *name) {
      llvm::SmallString<128> file(path);
      llvm::sys::path::append(file, name);
      return file.str().str();
    };
    auto found = llvm::find_if(names, [&](const char *name) { return fs::exists(inFolder(name)); });
    if (found == std::end(names)) return fail(err, "the folder '" + path + "' has no program.mlir, no program.jax and no program.pb", codes::kUnreadable);
    out.file = inFolder(*found);
  }
  out.executable = path != "-" && isExecutable(out.file);
  return kOk;
}

Loaded load(Session &session, Program &program, const CompileOptions &options, llvm::raw_ostream &err, bool verifyDiagnostics) {
  auto start = std::chrono::steady_clock::now();
  Loaded loaded;
  if (program.executable) {
    loaded = loadExecutable(program, err);
  } else {
    std::string error;
    if (!resolveTarget(options, loaded.target, error)) {
      loaded.compiled.exit = fail(err, error, codes::kBadTarget);
      return loaded;
    }
    loaded.compiled = program.chunk ? session.compileBuffer(std::move(program.chunk), options, err, verifyDiagnostics)
                                    : session.compileFile(program.file, options, err, verifyDiagnostics);
  }
  loaded.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  return loaded;
}

int readArray(const std::string &path, const isa::proto::Array &array, const std::string &what, HostArray &out, llvm::raw_ostream &err) {
  Npy npy;
  std::string error;
  bool unreadable = false;
  if (!readNpy(path, npy, error, unreadable)) return fail(err, path + " " + error, unreadable ? codes::kUnreadable : codes::kNotNpy);
  out.type = isa::elementType(array.type());
  out.dims.assign(array.dims().begin(), array.dims().end());
  if (out.type && npy.shape == out.dims && descrHolds(npy.descr, *out.type)) {
    out.data = std::move(npy.data);
    extendNarrow(out);
    return kOk;
  }
  return fail(err, path + ": " + what + " expects " + shapeText(out.dims, array.type()) + (out.type ? " (dtype " + descrOf(*out.type) + ")" : "") +
                         ", but got " + shapeText(npy.shape, "(dtype " + npy.descr + ")"),
                codes::kWrongArray);
}

int readTolerance(const std::string &folder, std::optional<double> &out, llvm::raw_ostream &err) {
  const std::string path = folder + "/info.json";
  if (!fs::exists(path)) return kOk;
  auto buffer = llvm::MemoryBuffer::getFile(path);
  if (std::error_code error = buffer.getError()) return fail(err, path + " cannot be read: " + error.message(), codes::kUnreadable);
  auto json = llvm::json::parse((*buffer)->getBuffer());
  if (!json) return fail(err, path + ": " + llvm::toString(json.takeError()), codes::kBadInfo);
  const llvm::json::Object *object = json->getAsObject();
  if (!object) return fail(err, path + ": expects an object", codes::kBadInfo);
  const llvm::json::Value *tolerance = object->get("tolerance");
  if (!tolerance) return kOk;
  out = tolerance->getAsNumber();
  return out && *out >= 0 ? kOk : fail(err, path + ": expects a number as tolerance", codes::kBadInfo);
}

}  // namespace tpuc::tools
