// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A module's arguments, constants and operations, as digests.
#include "compiler/cache/record.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/BLAKE3.h"
#include "llvm/Support/Path.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/BuiltinAttributes.h"
#include "mlir/IR/DialectResourceBlobManager.h"
#include "mlir/IR/OpDefinition.h"

using namespace mlir;

namespace tpuc::cache {
namespace {

template <typename T>
std::string printed(const T &value) {
  std::string out;
  llvm::raw_string_ostream os(out);
  os << value;
  return out;
}

// "8x128xf32" of tensor<8x128xf32>.
std::string shapeText(Type type) {
  std::string all = printed(type);
  StringRef text = all;
  if (text.consume_front("tensor<") && text.consume_back(">")) return text.str();
  return all;
}

std::string lineOf(Location location) {
  auto file = location->findInstanceOf<FileLineColLoc>();
  if (!file) return "";
  return (llvm::sys::path::filename(file.getFilename().getValue()) + ":" + Twine(file.getLine()) + ":" +
          Twine(file.getColumn()))
      .str();
}

std::string digestOf(ArrayRef<char> bytes) {
  llvm::BLAKE3 hash;
  hash.update(StringRef(bytes.data(), bytes.size()));
  return llvm::toHex(hash.final<12>(), /*LowerCase=*/true);
}

std::string digestOf(ElementsAttr value) {
  if (auto dense = dyn_cast<DenseIntOrFPElementsAttr>(value)) return digestOf(dense.getRawData());
  if (auto resource = dyn_cast<DenseResourceElementsAttr>(value))
    if (AsmResourceBlob *blob = resource.getRawHandle().getBlob()) return digestOf(blob->getData());
  std::string text = printed(Attribute(value));
  return digestOf(ArrayRef(text.data(), text.size()));
}

// The number that a constant consists of.
std::string valueText(ElementsAttr value) {
  auto dense = dyn_cast<DenseElementsAttr>(value);
  if (!dense || !dense.isSplat()) return "";
  if (auto number = dyn_cast<TypedAttr>(dense.getSplatValue<Attribute>())) {
    std::string text = printed(Attribute(number));
    return StringRef(text).split(" : ").first.str();
  }
  return "";
}

uint32_t digestOf(Operation *op) {
  std::string text = op->getName().getStringRef().str();
  llvm::raw_string_ostream os(text);
  os << op->getAttrDictionary();
  llvm::interleaveComma(op->getResultTypes(), os);
  uint32_t out;
  llvm::BLAKE3 hash;
  hash.update(text);
  auto bytes = hash.final<sizeof out>();
  std::memcpy(&out, bytes.data(), sizeof out);
  return out;
}

func::FuncOp entryOf(ModuleOp module) {
  if (auto main = module.lookupSymbol<func::FuncOp>("main")) return main;
  for (auto function : module.getOps<func::FuncOp>())
    if (function.isPublic()) return function;
  return {};
}

// Where an argument is used first, in a line of the user's.
std::string firstUse(BlockArgument argument) {
  Operation *first = nullptr;
  for (Operation *user : argument.getUsers()) {
    Operation *here = argument.getOwner()->findAncestorOpInBlock(*user);
    if (!first || (here && here->isBeforeInBlock(first))) first = here;
  }
  return first ? lineOf(first->getLoc()) : "";
}

}  // namespace

void readModule(ModuleOp module, bool lines, Record &record) {
  record.name = module.getSymName().value_or("").str();
  func::FuncOp entry = entryOf(module);
  if (!entry || entry.empty()) return;
  for (BlockArgument argument : entry.getArguments()) {
    auto name = argument.getLoc()->findInstanceOf<NameLoc>();
    record.arguments.push_back(
        {shapeText(argument.getType()), name ? name.getName().str() : "", lines ? firstUse(argument) : ""});
  }
  module.walk<WalkOrder::PreOrder>([&](Operation *op) {
    if (op == module) return;
    ElementsAttr value;
    if (op->hasTrait<OpTrait::ConstantLike>()) value = op->getAttrOfType<ElementsAttr>("value");
    const std::string line = lines ? lineOf(op->getLoc()) : "";
    if (value)
      record.constants.push_back({shapeText(value.getType()), digestOf(value), valueText(value), line});
    else if (!isa<func::FuncOp>(op))
      record.ops.push_back({digestOf(op), op->getName().getStringRef().str(), line});
  });
}

}  // namespace tpuc::cache
