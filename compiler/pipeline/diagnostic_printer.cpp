// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Diagnostics for people.
#include "compiler/pipeline/diagnostic_printer.h"

#include "llvm/Support/ConvertUTF.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/MemoryBuffer.h"
#include "runtime/isa/printable.h"

using namespace mlir;

namespace tpuc {
namespace {

constexpr size_t kShown = 160;                  // bytes of a line at most
constexpr uint64_t kLargestFile = 64ull << 20;  // that a location names, and whose line is shown
constexpr int kMostCallers = 10;
constexpr size_t kLookedAt = 1024;  // bytes of a file in which none is zero, if it is text

std::string printable(StringRef text) { return isa::printable({text.data(), text.size()}); }

bool isUtf8(StringRef text) {
  auto begin = reinterpret_cast<const llvm::UTF8 *>(text.begin());
  return llvm::isLegalUTF8String(&begin, reinterpret_cast<const llvm::UTF8 *>(text.end()));
}

size_t codePoints(StringRef utf8) {
  return llvm::count_if(utf8, [](char c) { return (static_cast<uint8_t>(c) & 0xc0) != 0x80; });
}

// The place within that names a file, of what is called and not of the caller.
FileLineColLoc fileOf(Location location) {
  if (auto file = dyn_cast<FileLineColLoc>(location)) return file;
  if (auto call = dyn_cast<CallSiteLoc>(location)) return fileOf(call.getCallee());
  if (auto name = dyn_cast<NameLoc>(location)) return fileOf(name.getChildLoc());
  if (auto opaque = dyn_cast<OpaqueLoc>(location)) return fileOf(opaque.getFallbackLocation());
  if (auto fused = dyn_cast<FusedLoc>(location))
    for (Location one : fused.getLocations())
      if (FileLineColLoc file = fileOf(one)) return file;
  return {};
}

// The user's name for a value that has no place, as JAX gives its arguments.
StringRef nameOf(Location location) {
  auto name = location->findInstanceOf<NameLoc>();
  return name ? name.getName().getValue() : StringRef();
}

// The caller's place, however names wrap it.
std::optional<CallSiteLoc> callOf(Location location) {
  if (auto call = dyn_cast<CallSiteLoc>(location)) return call;
  if (auto name = dyn_cast<NameLoc>(location)) return callOf(name.getChildLoc());
  if (auto fused = dyn_cast<FusedLoc>(location))
    for (Location one : fused.getLocations())
      if (auto call = callOf(one)) return call;
  return std::nullopt;
}

}  // namespace

DiagnosticPrinter::DiagnosticPrinter(llvm::SourceMgr &sources, MLIRContext &context, llvm::raw_ostream &err,
                                     StringRef file)
    : sources_(sources), err_(err), file_(file.str()), handler_(&context, [this](Diagnostic &diagnostic) {
        print(diagnostic);
        return success();
      }) {}

void DiagnosticPrinter::print(Diagnostic &diagnostic) {
  Location shown = diagnostic.getLocation();
  print(shown, diagnostic.getSeverity(), diagnostic.str(), true);
  std::optional<CallSiteLoc> call = callOf(shown);
  for (int depth = 0; call && depth < kMostCallers; ++depth) {
    Location caller = call->getCaller();
    if (fileOf(caller)) print(caller, DiagnosticSeverity::Note, "called from", true);
    call = callOf(caller);
  }
  for (Diagnostic &note : diagnostic.getNotes()) {
    print(note.getLocation(), DiagnosticSeverity::Note, note.str(), note.getLocation() != shown);
    shown = note.getLocation();
  }
}

void DiagnosticPrinter::print(Location location, DiagnosticSeverity severity, const std::string &message,
                              bool showLine) {
  FileLineColLoc place = fileOf(location);
  if (!place) {
    StringRef name = nameOf(location);
    std::string text = file_.empty() ? "" : printable(file_) + ": ";
    if (!name.empty()) text += "at \"" + printable(name) + "\": ";
    return printHead(text, severity, message);
  }
  std::string text = printable(place.getFilename()) + ":" + std::to_string(place.getLine()) + ":" +
                     std::to_string(place.getColumn()) + ": ";
  printHead(text, severity, message);
  if (!showLine || place.getLine() == 0 || place.getColumn() == 0) return;
  StringRef line = lineOf(place);
  if (!line.empty() && place.getColumn() <= line.size() + 1) printLine(line, place.getColumn() - 1);
}

void DiagnosticPrinter::printHead(const std::string &place, DiagnosticSeverity severity, const std::string &message) {
  using Colour = llvm::raw_ostream::Colors;
  static constexpr std::pair<const char *, Colour> kWords[] = {
      {"note: ", Colour::CYAN}, {"warning: ", Colour::MAGENTA}, {"error: ", Colour::RED}, {"remark: ", Colour::BLUE}};
  auto [word, colour] = kWords[static_cast<int>(severity)];
  const bool colours = err_.has_colors();
  if (colours) err_.changeColor(Colour::SAVEDCOLOR, true);
  err_ << place;
  if (colours) err_.changeColor(colour, true);
  err_ << word;
  if (colours) err_.resetColor();
  err_ << printable(message) << "\n";
}

// The stretch of at most kShown bytes with `column` in its middle, and a mark below.
void DiagnosticPrinter::printLine(StringRef line, size_t column) {
  auto startsCharacter = [&](size_t i) { return i >= line.size() || (static_cast<uint8_t>(line[i]) & 0xc0) != 0x80; };
  size_t begin = line.size() <= kShown || column < kShown / 2 ? 0 : std::min(column - kShown / 2, line.size() - kShown);
  size_t end = std::min(begin + kShown, line.size());
  while (begin > 0 && !startsCharacter(begin)) --begin;
  while (!startsCharacter(end)) ++end;
  std::string before = (begin ? "... " : "") + printable(line.slice(begin, column));
  err_ << before << printable(line.slice(column, end)) << (end < line.size() ? " ..." : "") << "\n";
  err_.indent(codePoints(before)) << "^\n";
}

// Empty for what cannot be read, or is no text: a location may name any file, or none of this host.
StringRef DiagnosticPrinter::lineOf(FileLineColLoc location) {
  StringRef name = location.getFilename().getValue(), text;
  for (unsigned i = 1; i <= sources_.getNumBuffers() && text.empty(); ++i)
    if (sources_.getMemoryBuffer(i)->getBufferIdentifier() == name) text = sources_.getMemoryBuffer(i)->getBuffer();
  if (text.empty()) {
    auto [entry, isNew] = files_.try_emplace(name);
    uint64_t size;
    if (isNew && llvm::sys::fs::is_regular_file(name) && !llvm::sys::fs::file_size(name, size) && size <= kLargestFile)
      if (auto buffer = llvm::MemoryBuffer::getFile(name)) entry->second = std::move(*buffer);
    if (!entry->second) return {};
    text = entry->second->getBuffer();
  }
  if (text.take_front(kLookedAt).contains('\0')) return {};
  for (unsigned line = 1; line < location.getLine(); ++line) {
    size_t end = text.find('\n');
    if (end == StringRef::npos) return {};
    text = text.drop_front(end + 1);
  }
  text = text.take_front(text.find('\n')).rtrim('\r');
  return isUtf8(text) ? text : StringRef();
}

}  // namespace tpuc
