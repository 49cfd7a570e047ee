// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Finding and loading what the command is given.
#include "compiler/tools/program.h"

#include <chrono>

#include "compiler/tools/cli.h"
#include "compiler/tools/npy.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/JSON.h"
#include "llvm/Support/Path.h"
#include "runtime/executor/executor.h"
#include "runtime/isa/printable.h"

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

// A device that no terminal or pipe stands behind, as /dev/zero: reading it would not end.
static bool neverEnds(llvm::StringRef path) {
  fs::file_status status;
  if (fs::status(path, status)) return false;
  const bool device = status.type() == fs::file_type::character_file || status.type() == fs::file_type::block_file;
  return device && path != "/dev/null" && !path.starts_with("/dev/std") && !path.starts_with("/dev/fd/") &&
         !path.starts_with("/dev/tty") && !path.starts_with("/proc/");
}

// What a folder without a program has instead.
static std::string whatFolderHas(const std::string &path) {
  std::string files;
  int count = 0;
  std::error_code code;
  for (fs::directory_iterator it(path, code), end; it != end && !code; it.increment(code)) {
    llvm::StringRef name = llvm::sys::path::filename(it->path());
    if (name == "saved_model.pb")
      return "; it is a TensorFlow SavedModel: convert it with TensorFlow's tf_to_stablehlo, or export the model from "
             "JAX";
    const bool program =
        name.ends_with(".mlir") || name.ends_with(".jax") || name.ends_with(".bc") || name.ends_with(".tpuc");
    if (program && ++count <= 3) files += (files.empty() ? "; it has " : ", ") + name.str();
  }
  return files + (count > 3 ? ", ..." : "") + (count ? ": give the file's path" : "");
}

bool fileExists(const std::string &path) { return fs::exists(path); }

std::vector<int> numberedFiles(const std::string &folder, llvm::StringRef prefix) {
  std::vector<int> numbers;
  std::error_code code;
  for (fs::directory_iterator it(folder, code), end; it != end && !code; it.increment(code)) {
    llvm::StringRef name = llvm::sys::path::filename(it->path());
    int number;
    if (!name.consume_front(prefix) || !name.consume_front(".") || !name.consume_back(".npy")) continue;
    // Numbers are as the program writes them: no sign, no zeros in front.
    if (!name.getAsInteger(10, number) && number >= 0 && std::to_string(number) == name) numbers.push_back(number);
  }
  llvm::sort(numbers);
  return numbers;
}

std::string wrongFiles(llvm::ArrayRef<int> files, int expected, llvm::StringRef prefix, llvm::StringRef what) {
  auto name = [&](int i) { return (prefix + "." + llvm::Twine(i) + ".npy").str(); };
  auto count = [&] { return std::to_string(expected) + " " + what.str() + (expected == 1 ? "" : "s"); };
  for (int i = 0; i < expected; ++i)
    if (!llvm::is_contained(files, i))
      return "expects " + name(i) + " beside " + name(files[0]) + ": the program has " + count();
  if (files.back() >= expected) return "expects no " + name(files.back()) + ": the program has " + count();
  return "";
}

int findProgram(const std::string &path, const std::string &dataFolder, Program &out, llvm::raw_ostream &err) {
  out.path = path;
  out.folder = dataFolder;
  if (!dataFolder.empty() && !fs::is_directory(dataFolder))
    return fail(err, "'" + dataFolder + "' is no folder", codes::kUnreadable);
  if (path != "-" && !fs::exists(path)) return fail(err, "'" + path + "' does not exist", codes::kUnreadable);
  out.file = path;
  if (neverEnds(path))
    return fail(err, "'" + path + "' is a device, and no program can be read from it", codes::kUnreadable);
  if (fs::is_directory(path)) {
    if (dataFolder.empty()) out.folder = path;
    const char *names[] = {"program.mlir", "program.jax", "program.pb", "program.bc"};
    auto inFolder = [&](const char *name) {
      llvm::SmallString<128> file(path);
      llvm::sys::path::append(file, name);
      return file.str().str();
    };
    auto found = llvm::find_if(names, [&](const char *name) { return fs::exists(inFolder(name)); });
    if (found == std::end(names))
      return fail(
          err,
          "the folder '" + path + "' has no program.mlir, program.jax, program.pb or program.bc" + whatFolderHas(path),
          codes::kUnreadable);
    out.file = inFolder(*found);
  }
  out.executable = path != "-" && isExecutable(out.file);
  return kOk;
}

// A file that cannot be read is the session's to refuse.
static Compiled compileThrough(cache::CompileCache &cache, Session &session, Program &program,
                               const CompileOptions &options, llvm::raw_ostream &err) {
  if (!program.chunk) {
    auto buffer = llvm::MemoryBuffer::getFileOrSTDIN(program.file);
    if (!buffer) return session.compileFile(program.file, options, err);
    program.chunk = std::move(*buffer);
  }
  Compiled compiled = cache.compile([&]() -> Session & { return session; }, std::move(program.chunk), options, err);
  if (!cache.trouble().empty()) err << "warning: the program is not kept: " << isa::printable(cache.trouble()) << "\n";
  return compiled;
}

std::vector<std::string> shapesOf(llvm::ArrayRef<std::string> files) {
  std::vector<std::string> shapes;
  for (const std::string &file : files) {
    std::optional<std::vector<int64_t>> shape = readNpyShape(file);
    std::string text =
        shape ? llvm::join(llvm::map_range(*shape, [](int64_t size) { return std::to_string(size); }), "x") : "?";
    shapes.push_back(text.empty() ? "scalar" : text);
  }
  return shapes;
}

// Inputs of the folder by their numbers; a gap is an argument whose shape is not known.
static std::vector<std::string> shapesOfInputs(const std::string &folder) {
  std::vector<std::string> files;
  for (int number : numberedFiles(folder, "input")) {
    if (number > 1'000'000) break;
    files.resize(number + 1);
    files[number] = folder + "/input." + std::to_string(number) + ".npy";
  }
  return shapesOf(files);
}

Loaded load(Session &session, Program &program, const CompileOptions &given, llvm::raw_ostream &err,
            bool verifyDiagnostics, cache::CompileCache *cache) {
  CompileOptions options = given;
  if (options.argumentShapes.empty() && options.buckets.empty() && !program.folder.empty() && !program.executable)
    options.argumentShapes = shapesOfInputs(program.folder);
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
    if (cache && !verifyDiagnostics)
      loaded.compiled = compileThrough(*cache, session, program, options, err);
    else if (program.chunk)
      loaded.compiled = session.compileBuffer(std::move(program.chunk), options, err, verifyDiagnostics);
    else
      loaded.compiled = session.compileFile(program.file, options, err, verifyDiagnostics);
  }
  loaded.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  return loaded;
}

int readArray(const std::string &path, const isa::proto::Array &array, const std::string &what, HostArray &out,
              llvm::raw_ostream &err) {
  Npy npy;
  std::string error;
  bool unreadable = false;
  if (!readNpy(path, npy, error, unreadable))
    return fail(err, path + " " + error, unreadable ? codes::kUnreadable : codes::kNotNpy);
  out.type = isa::elementType(array.type());
  out.dims.assign(array.dims().begin(), array.dims().end());
  if (out.type && npy.shape == out.dims && descrHolds(npy.descr, *out.type)) {
    out.data = std::move(npy.data);
    extendNarrow(out);
    return kOk;
  }
  return fail(err,
              path + ": " + what + " expects " + shapeText(out.dims, array.type()) +
                  (out.type ? " (dtype " + descrOf(*out.type) + ")" : "") + ", but got " +
                  shapeText(npy.shape, "(dtype " + npy.descr + ")"),
              codes::kWrongArray);
}

int readLimits(const std::string &folder, OutputLimits &out, llvm::raw_ostream &err) {
  const std::string path = folder + "/info.json";
  if (!fs::exists(path)) return kOk;
  auto buffer = llvm::MemoryBuffer::getFile(path);
  if (std::error_code error = buffer.getError())
    return fail(err, path + " cannot be read: " + error.message(), codes::kUnreadable);
  auto json = llvm::json::parse((*buffer)->getBuffer());
  if (!json) return fail(err, path + ": " + llvm::toString(json.takeError()), codes::kBadInfo);
  const llvm::json::Object *object = json->getAsObject();
  if (!object) return fail(err, path + ": expects an object", codes::kBadInfo);
  if (const llvm::json::Value *tolerance = object->get("tolerance")) {
    out.tolerance = tolerance->getAsNumber();
    if (!out.tolerance || !(*out.tolerance >= 0))
      return fail(err, path + ": expects a number as tolerance", codes::kBadInfo);
  }
  if (const llvm::json::Value *scales = object->get("scales")) {
    if (!scales->getAsArray()) return fail(err, path + ": expects a list of numbers as scales", codes::kBadInfo);
    for (const llvm::json::Value &value : *scales->getAsArray()) {
      std::optional<double> scale = value.getAsNumber();
      if (!scale || !(*scale >= 0)) return fail(err, path + ": expects a list of numbers as scales", codes::kBadInfo);
      out.scales.push_back(*scale);
    }
  }
  return kOk;
}

}  // namespace tpuc::tools
