//===- reader.cpp - attributes and types of a file -------------------------------------------------------===//
// Part of tpuc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===-----------------------------------------------------------------------------===//
#include "dialects/vhlo/reader.h"

#include "llvm/ADT/StringExtras.h"
#include "mlir/AsmParser/AsmParser.h"

using namespace mlir;

namespace tpuc::vhlo {

// Locations nest, one level a frame of the traced program's stack.
static constexpr unsigned kDeepest = 512;

//===-----------------------------------------------------------------------------===//
// One entry
//===-----------------------------------------------------------------------------===//

MLIRContext *Reader::getContext() const { return entries.source.start->getContext(); }

InFlightDiagnostic Reader::emitError(const Twine &message) const {
  InFlightDiagnostic diagnostic = entries.source.error(cursor);
  diagnostic << message;
  return diagnostic;
}

LogicalResult Reader::whole(bool read) {
  return read ? success() : LogicalResult(emitError("expects more bytes, but the entry ends"));
}

LogicalResult Reader::readBool(bool &value) {
  uint8_t byte = 0;
  bool read = cursor.byte(byte);
  value = byte != 0;
  return whole(read);
}

LogicalResult Reader::readBlob(ArrayRef<char> &value) {
  uint64_t size;
  StringRef bytes;
  bool read = cursor.varInt(size) && cursor.bytes(size, bytes);
  value = ArrayRef<char>(bytes.data(), bytes.size());
  return whole(read);
}

LogicalResult Reader::readString(StringRef &value) {
  uint64_t index;
  if (failed(readVarInt(index))) return failure();
  ArrayRef<StringRef> strings = entries.container.strings;
  if (index >= strings.size())
    return emitError("expects one of ") << strings.size() << " strings, but got number " << index;
  value = strings[index];
  return success();
}

// Up to eight bits are a byte, up to 64 a number with its sign, more a list of words.
FailureOr<APInt> Reader::readInteger(unsigned width) {
  uint8_t byte;
  int64_t number;
  if (width <= 8)
    return failed(whole(cursor.byte(byte))) ? FailureOr<APInt>() : APInt(width, byte, false, /*implicitTrunc=*/true);
  if (width <= 64)
    return failed(readSignedVarInt(number)) ? FailureOr<APInt>() : APInt(width, number, true, /*implicitTrunc=*/true);
  SmallVector<int64_t> words;
  if (failed(readSignedVarInts(words))) return failure();
  words.resize(std::max<size_t>(words.size(), 1));
  return APInt(width, ArrayRef(reinterpret_cast<const uint64_t *>(words.data()), words.size()));
}

FailureOr<APFloat> Reader::readFloat(const llvm::fltSemantics &semantics) {
  FailureOr<APInt> bits = readInteger(APFloat::getSizeInBits(semantics));
  return failed(bits) ? FailureOr<APFloat>() : APFloat(semantics, *bits);
}

LogicalResult Reader::readType(Type &type) {
  uint64_t index;
  return failed(readVarInt(index)) ? failure() : entries.type(cursor.at(), index, type, depth + 1);
}

LogicalResult Reader::readAttribute(Attribute &attribute) {
  uint64_t index;
  return failed(readVarInt(index)) ? failure() : entries.attribute(cursor.at(), index, attribute, depth + 1);
}

LogicalResult Reader::readOptional(Attribute &attribute) {
  uint64_t index;
  bool present;
  if (failed(whole(cursor.flagged(index, present)))) return failure();
  return present ? entries.attribute(cursor.at(), index, attribute, depth + 1) : success();
}

size_t Reader::countVarInts() const {
  Cursor rest = cursor;
  size_t count = 0;
  for (uint64_t value; !rest.empty() && rest.varInt(value);) ++count;
  return count;
}

//===-----------------------------------------------------------------------------===//
// All of them
//===-----------------------------------------------------------------------------===//

Entries::Entries(const Source &source, const Container &container)
    : source(source), container(container), attributes(container.attributes.size()), types(container.types.size()) {}

// What has no encoding is text that ends in a zero: floats of 8 bits and less, attributes of chlo.
template <typename T>
T fromText(StringRef text, MLIRContext *context) {
  text = text.rtrim('\0');
  if constexpr (std::is_same_v<T, Type>) {
    if (text.size() < 32 && (text.starts_with("f") || text.starts_with("tf")) && llvm::all_of(text, llvm::isAlnum))
      return parseType(text, context);
  } else if (text.size() < 512 && text.starts_with("#chlo")) {
    return parseAttribute(text, context);
  }
  return {};
}

template <typename T, typename Read>
LogicalResult Entries::resolve(const char *at, uint64_t index, ArrayRef<Container::Entry> entries,
                               MutableArrayRef<Slot<T>> slots, T &result, unsigned depth, Read read) {
  if (index >= slots.size())
    return source.error(at) << "expects one of " << slots.size() << " entries, but got number " << index;
  Slot<T> &slot = slots[index];
  const Container::Entry &entry = entries[index];
  if (!slot.value) {
    if (slot.busy || depth > kDeepest)
      return source.error(at) << "expects entries that nest " << kDeepest << " deep at most, but got deeper ones";
    if (!entry.encoded && (result = T(fromText<T>(entry.bytes, source.start->getContext())))) {
      slot.value = result;
      return success();
    }
    if (!entry.encoded) return source.error(entry.bytes.data()) << "expects an entry's encoding, but got text";
    slot.busy = true;
    Reader reader(*this, entry.bytes, depth);
    T value = read(entry.dialect, reader);
    slot.busy = false;
    if (!value) return failure();
    if (!reader.empty()) return reader.emitError("expects the end of an entry, but got more bytes");
    slot.value = value;
  }
  result = slot.value;
  return success();
}

LogicalResult Entries::attribute(const char *at, uint64_t index, Attribute &result, unsigned depth) {
  return resolve(at, index, container.attributes, MutableArrayRef(attributes), result, depth,
                 [&](StringRef dialect, Reader &reader) -> Attribute {
                   if (dialect == "vhlo") return readVhloAttribute(reader);
                   if (dialect == "builtin") return readBuiltinAttribute(reader);
                   if (dialect == "sdy") return readSdyAttribute(reader);
                   if (dialect == "stablehlo") return readStablehloAttribute(reader);
                   if (dialect == "chlo") return readChloAttribute(reader);
                   reader.emitError("expects an attribute of vhlo, stablehlo, chlo, sdy or MLIR, but got one of ")
                       << dialect;
                   return {};
                 });
}

LogicalResult Entries::type(const char *at, uint64_t index, Type &result, unsigned depth) {
  return resolve(at, index, container.types, MutableArrayRef(types), result, depth,
                 [&](StringRef dialect, Reader &reader) -> Type {
                   if (dialect == "vhlo") return readVhloType(reader);
                   if (dialect == "builtin") return readBuiltinType(reader);
                   if (dialect == "stablehlo") return readStablehloType(reader);
                   reader.emitError("expects a type of vhlo, stablehlo or MLIR, but got one of ") << dialect;
                   return {};
                 });
}

}  // namespace tpuc::vhlo
