// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "dialects/tpu/bundles.h"

#include <cstring>

#include "dialects/tpu/tpu.h"
#include "runtime/isa/executable.h"

using namespace mlir;

namespace tpuc::tpu {
namespace {

constexpr size_t kWords = sizeof(isa::Inst) / sizeof(int64_t);

// As attributes: instructions, and the places of bundles as runs of equal ones.
struct Parts {
  SmallVector<int64_t> code;
  SmallVector<StringRef> places;
  SmallVector<int32_t> starts;

  void add(ArrayRef<isa::Inst> instructions) {
    const size_t at = code.size();
    code.resize(at + instructions.size() * kWords);
    if (!instructions.empty())
      std::memcpy(code.data() + at, instructions.data(), instructions.size() * sizeof(isa::Inst));
  }
  void place(int32_t bundle, StringRef name) {
    if (name == (places.empty() ? "" : places.back())) return;
    places.push_back(name);
    starts.push_back(bundle);
  }
};

}  // namespace

std::vector<isa::Inst> BundlesOp::instructions() {
  std::vector<isa::Inst> out(getCode().size() / kWords);
  if (!out.empty()) std::memcpy(static_cast<void *>(out.data()), getCode().data(), out.size() * sizeof(isa::Inst));
  return out;
}

void BundlesOp::build(OpBuilder &b, OperationState &state, StringAttr name, bool entry,
                      ArrayRef<isa::Inst> instructions, ArrayRef<StringRef> bundlePlaces, DictionaryAttr facts) {
  Parts parts;
  parts.add(instructions);
  for (auto [bundle, place] : llvm::enumerate(bundlePlaces)) parts.place(static_cast<int32_t>(bundle), place);
  build(b, state, name, entry, parts.code, b.getStrArrayAttr(parts.places), parts.starts, facts);
}

LogicalResult BundlesOp::verify() {
  if (getCode().size() % kWords) return emitOpError("expects whole instructions");
  if (getPlaces().size() != getPlaceStarts().size()) return emitOpError("expects a first bundle for each place");
  for (const isa::Inst &inst : instructions())
    if (static_cast<int>(inst.op) >= isa::kNumOps) return emitOpError("expects instructions of the table");
  return success();
}

ParseResult parseBundles(OpAsmParser &p, DenseI64ArrayAttr &code, ArrayAttr &places, DenseI32ArrayAttr &placeStarts) {
  Parts parts;
  std::string place, line;
  SmallVector<std::string> names;  // what `parts` refers to
  SmallVector<int32_t> starts;
  int32_t bundle = 0;
  if (p.parseLBrace()) return failure();
  while (failed(p.parseOptionalRBrace())) {
    if (succeeded(p.parseOptionalKeyword("at"))) {
      if (p.parseString(&place)) return failure();
      names.push_back(place);
      starts.push_back(bundle);
      continue;
    }
    SMLoc at = p.getCurrentLocation();
    if (p.parseString(&line)) return failure();
    SmallVector<StringRef> texts;
    StringRef(line).split(texts, " ; ");
    for (auto [i, text] : llvm::enumerate(texts)) {
      isa::Inst inst;
      std::string error;
      if (!isa::parseInst(std::string_view(text.data(), text.size()), inst, error))
        return p.emitError(at) << "bundle " << bundle << ": '" << text << "': " << error;
      inst.last = i + 1 == texts.size();
      parts.add(inst);
    }
    ++bundle;
  }
  for (auto [name, start] : llvm::zip(names, starts)) parts.place(start, name);
  Builder &b = p.getBuilder();
  code = b.getDenseI64ArrayAttr(parts.code);
  places = b.getStrArrayAttr(parts.places);
  placeStarts = b.getDenseI32ArrayAttr(parts.starts);
  return success();
}

void printBundles(OpAsmPrinter &p, BundlesOp op, DenseI64ArrayAttr, ArrayAttr places, DenseI32ArrayAttr placeStarts) {
  p << "{";
  p.increaseIndent();
  ArrayRef<int32_t> starts = placeStarts.asArrayRef();
  std::string line;
  int32_t bundle = 0;
  size_t next = 0;
  for (const isa::Inst &inst : op.instructions()) {
    if (!line.empty()) line += " ; ";
    line += isa::format(inst);
    if (!inst.last) continue;
    for (; next < starts.size() && starts[next] <= bundle; ++next) {
      p.printNewline();
      p << "at " << places[next];
    }
    p.printNewline();
    p.printString(line);
    line.clear();
    ++bundle;
  }
  p.decreaseIndent();
  p.printNewline();
  p << "}";
}

}  // namespace tpuc::tpu
