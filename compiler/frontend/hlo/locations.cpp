// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Where the instructions of a module come from, by their metadata.
#include "compiler/frontend/hlo/locations.h"

#include "compiler/frontend/hlo/fields.h"
#include "mlir/IR/Builders.h"

using namespace mlir;

namespace tpuc::frontend::hlo {
namespace {

constexpr int kMostFrames = 64;

Location line(MLIRContext *context, StringRef file, int64_t line, int64_t column) {
  return FileLineColLoc::get(context, file, static_cast<unsigned>(line), static_cast<unsigned>(column));
}

}  // namespace

Locations::Locations(const Message &module, Location file) : file_(file) {
  if (module.has(kStackFrameIndex)) readFrames(module.message(kStackFrameIndex));
}

// Files, functions, places and frames refer to each other by numbers that start at 1.
void Locations::readFrames(const Message &index) {
  SmallVector<StringRef> files = index.strings(kFileNames), functions = index.strings(kFunctionNames);
  std::vector<Message> places = index.messages(kFileLocations);
  auto named = [](ArrayRef<StringRef> names, int64_t number) {
    return number > 0 && number <= static_cast<int64_t>(names.size()) ? names[number - 1] : StringRef();
  };
  for (const Message &frame : index.messages(kStackFrames)) {
    const int64_t at = frame.number(kFrameLocation);
    Location place = file_;
    if (at > 0 && at <= static_cast<int64_t>(places.size())) {
      const Message &fields = places[at - 1];
      place = line(file_.getContext(), named(files, fields.number(kFileName)), fields.number(kLine),
                   fields.number(kColumn));
      StringRef function = named(functions, fields.number(kFunctionName));
      if (!function.empty()) place = NameLoc::get(StringAttr::get(file_.getContext(), function), place);
    }
    frames_.push_back({place, frame.number(kParentFrame)});
  }
}

// The line, and the calls that led to it.
std::optional<Location> Locations::frame(int64_t number) const {
  SmallVector<Location> chain;
  while (number > 0 && number <= static_cast<int64_t>(frames_.size()) && chain.size() < kMostFrames) {
    chain.push_back(frames_[number - 1].line);
    number = frames_[number - 1].parent;
  }
  if (chain.empty()) return std::nullopt;
  Location whole = chain.pop_back_val();
  while (!chain.empty()) whole = CallSiteLoc::get(chain.pop_back_val(), whole);
  return whole;
}

Location Locations::of(const Message &instruction) const {
  Message metadata = instruction.message(kMetadata);
  std::optional<Location> place = frame(metadata.number(kStackFrame));
  if (StringRef source = metadata.bytes(kSourceFile); !place && !source.empty())
    place = line(file_.getContext(), source, metadata.number(kSourceLine), metadata.number(kSourceColumn));
  StringRef name = metadata.bytes(kOpName);
  if (name.empty()) name = instruction.bytes(kName);
  return NameLoc::get(StringAttr::get(file_.getContext(), name), place.value_or(file_));
}

}  // namespace tpuc::frontend::hlo
