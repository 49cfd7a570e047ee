// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "passes/shapes/size_outline.h"

#include "dialects/stablehlo/stablehlo.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/BLAKE3.h"
#include "llvm/Support/raw_ostream.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/DialectResourceBlobManager.h"

using namespace mlir;

namespace tpuc::shapes {
namespace {

// A constant with more elements is data, each for itself.
constexpr int64_t kMostElements = 64;

ProgramNumber numberOf(const APFloat &value) {
  APSInt integer(64, false);
  bool exact = false;
  if (!value.isNegZero() && value.isFinite() &&
      value.convertToInteger(integer, APFloat::rmTowardZero, &exact) == APFloat::opOK && exact)
    return {integer.getExtValue(), true};
  return {static_cast<int64_t>(value.bitcastToAPInt().getLimitedValue()), false};
}

std::string digest(StringRef bytes) {
  llvm::BLAKE3 hash;
  hash.update(bytes);
  return llvm::toHex(hash.final<32>(), /*LowerCase=*/true);
}

}  // namespace

template <typename T>
void NumberReader::print(T thing) {
  llvm::raw_string_ostream os(text_);
  thing.print(os);
  os << ' ';
}

void NumberReader::read(Type type) {
  if (auto function = dyn_cast<FunctionType>(type)) {
    for (Type input : function.getInputs()) read(input);
    text_ += "-> ";
    for (Type result : function.getResults()) read(result);
    return;
  }
  auto tensor = dyn_cast<RankedTensorType>(type);
  if (!tensor) return print(type);
  complete_ &= tensor.hasStaticShape();
  text_ += "tensor " + std::to_string(tensor.getRank()) + " ";
  print(tensor.getElementType());
  if (Attribute encoding = tensor.getEncoding()) print(encoding);
  for (int64_t size : tensor.getShape()) numbers_.push_back({size, true});
}

void NumberReader::readElements(DenseElementsAttr elements) {
  read(cast<Type>(elements.getType()));
  Type type = elements.getElementType();
  const bool few = elements.isSplat() || elements.getNumElements() <= kMostElements;
  if (!few || type.isInteger(1) || !isa<IntegerType, FloatType>(type) || type.getIntOrFloatBitWidth() > 64) {
    text_ += digest(StringRef(elements.getRawData().data(), elements.getRawData().size()));
    return;
  }
  text_ += elements.isSplat() ? "splat " : "each ";
  const int64_t count = elements.isSplat() ? 1 : elements.getNumElements();
  if (isa<FloatType>(type)) {
    for (const APFloat &value :
         llvm::make_range(elements.value_begin<APFloat>(), elements.value_begin<APFloat>() + count))
      numbers_.push_back(numberOf(value));
    return;
  }
  for (const APInt &value : llvm::make_range(elements.value_begin<APInt>(), elements.value_begin<APInt>() + count))
    numbers_.push_back(
        {type.isUnsignedInteger() ? static_cast<int64_t>(value.getLimitedValue(INT64_MAX)) : value.getSExtValue(),
         !type.isUnsignedInteger() || value.getActiveBits() < 64});
}

void NumberReader::read(Attribute attribute) {
  if (auto numbers = dyn_cast<DenseI64ArrayAttr>(attribute)) {
    text_ += "list " + std::to_string(numbers.size()) + " ";
    for (int64_t number : numbers.asArrayRef()) numbers_.push_back({number, true});
  } else if (auto number = dyn_cast<IntegerAttr>(attribute); number && !number.getType().isInteger(1)) {
    print(number.getType());
    const APInt &value = number.getValue();
    numbers_.push_back({value.getBitWidth() > 64 ? 0 : value.getSExtValue(), true});
    if (value.getBitWidth() > 64) print(attribute);
  } else if (auto type = dyn_cast<TypeAttr>(attribute)) {
    read(type.getValue());
  } else if (auto elements = dyn_cast<DenseElementsAttr>(attribute)) {
    readElements(elements);
  } else if (auto list = dyn_cast<ArrayAttr>(attribute)) {
    text_ += "[" + std::to_string(list.size()) + " ";
    for (Attribute one : list) read(one);
  } else if (auto entries = dyn_cast<DictionaryAttr>(attribute)) {
    text_ += "{" + std::to_string(entries.size()) + " ";
    for (NamedAttribute entry : entries) {
      text_ += entry.getName().str() + " = ";
      read(entry.getValue());
    }
  } else if (isa<ElementsAttr>(attribute)) {
    complete_ = false;  // their data is elsewhere
  } else {
    print(attribute);
  }
}

OpParts partsOf(Operation *op) {
  OpParts parts;
  llvm::append_range(parts.values, op->getResults());
  for (Region &region : op->getRegions())
    for (Block &block : region) llvm::append_range(parts.values, block.getArguments());
  parts.attributes.assign(op->getAttrDictionary().begin(), op->getAttrDictionary().end());
  return parts;
}

std::optional<SizeOutline> outlineOf(ModuleOp module) {
  SizeOutline outline;
  std::string text;
  NumberReader reader(text, outline.numbers);
  auto main = module.lookupSymbol<func::FuncOp>("main");
  if (!main || main.isExternal()) return std::nullopt;
  llvm::DenseMap<Value, size_t> names;
  module->walk<WalkOrder::PreOrder>([&](Operation *op) {
    text += "\n" + op->getName().getStringRef().str() + "(";
    for (Value operand : op->getOperands()) text += std::to_string(names.lookup(operand)) + " ";
    text += ") in " + std::to_string(op->getParentRegion() ? op->getParentRegion()->getRegionNumber() : 0) + ": ";
    const OpParts parts = partsOf(op);
    for (Value value : parts.values) {
      names[value] = names.size() + 1;
      auto type = dyn_cast<RankedTensorType>(value.getType());
      if (op == main && type && type.getRank()) {
        outline.leading.push_back(outline.numbers.size());
        for (int64_t d = 0; d < type.getRank(); ++d) outline.extents.push_back(outline.numbers.size() + d);
      }
      reader.read(value.getType());
    }
    for (NamedAttribute attribute : parts.attributes) {
      text += attribute.getName().str() + " = ";
      reader.read(attribute.getValue());
    }
    for (Region &region : op->getRegions())
      text += region.empty() ? "; none" : "; of " + std::to_string(region.front().getOperations().size());
  });
  if (!reader.complete()) return std::nullopt;
  outline.text = digest(text);
  return outline;
}

std::optional<SizeLines> SizeLines::through(const SizeOutline &a, const SizeOutline &b) {
  if (a.text != b.text || a.numbers.size() != b.numbers.size()) return std::nullopt;
  const auto *place =
      llvm::find_if(llvm::ArrayRef(a.leading), [&](unsigned i) { return a.numbers[i] != b.numbers[i]; });
  if (place == llvm::ArrayRef(a.leading).end()) return std::nullopt;
  SizeLines lines;
  lines.text_ = a.text;
  lines.place_ = *place;
  lines.fixed_ = a.numbers;
  const int64_t size = a.numbers[*place].value, step = b.numbers[*place].value - size;
  for (auto [one, other] : llvm::zip_equal(a.numbers, b.numbers)) {
    const int64_t rise = other.value - one.value;
    if (one == other) {
      lines.lines_.push_back({0, one.value});
    } else if (one.integral && other.integral && rise % step == 0) {
      const int64_t scale = rise / step;
      lines.lines_.push_back({scale, one.value - scale * size});
    } else {
      return std::nullopt;
    }
  }
  // Two sizes that change at once are on a line too, but not by nature.
  for (unsigned i : a.extents)
    if (const SizeLine &line = lines.lines_[i]; line.scale && line.scale != 1 && (line.scale < 0 || line.offset))
      return std::nullopt;
  return lines;
}

std::optional<int64_t> SizeLines::sizeOf(const SizeOutline &outline) const {
  if (outline.text != text_ || outline.numbers.size() != lines_.size()) return std::nullopt;
  const int64_t size = outline.numbers[place_].value;
  for (auto [number, line, fixed] : llvm::zip_equal(outline.numbers, lines_, fixed_)) {
    const ProgramNumber expected = line.scale ? ProgramNumber{line.scale * size + line.offset, true} : fixed;
    if (number != expected) return std::nullopt;
  }
  return size;
}

}  // namespace tpuc::shapes
