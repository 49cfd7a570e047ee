//===- container.cpp - the sections of a file of MLIR's bytecode -----------------------------------------===//
// Part of tpuc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===-----------------------------------------------------------------------------===//
#include "dialects/vhlo/container.h"

#include <optional>

#include "dialects/vhlo/codes.h"

using namespace mlir;

namespace tpuc::vhlo {

InFlightDiagnostic Source::error(const char *at) const {
  InFlightDiagnostic diagnostic = emitError(start);
  diagnostic << "at byte " << static_cast<uint64_t>(at - bytes.data()) << ": ";
  return diagnostic;
}

LogicalResult readSection(const Source &source, Cursor &cursor, uint8_t &kind, StringRef &section) {
  const char *start = cursor.at();
  uint64_t size, alignment = 1;
  if (!cursor.byte(kind) || !cursor.varInt(size) || (kind & 0x80 && !cursor.varInt(alignment)))
    return source.error(start) << "expects a section, but the bytes end";
  kind &= 0x7f;
  if (kind > kProperties || !llvm::isPowerOf2_64(alignment))
    return source.error(start) << "expects a section, but got kind " << static_cast<unsigned>(kind);
  uint64_t offset = cursor.at() - source.bytes.data(), padding = llvm::alignTo(offset, alignment) - offset;
  StringRef skipped;
  if (alignment > source.bytes.size() || !cursor.bytes(padding, skipped) || !cursor.bytes(size, section))
    return source.error(start) << "expects a section of " << size << " bytes, but " << cursor.size() << " remain";
  return success();
}

namespace {

// The sections one by one, each a table of what the next ones refer to.
class ContainerReader {
 public:
  explicit ContainerReader(const Source &source) : source(source) {}

  FailureOr<Container> read() {
    if (failed(readHeader()) || failed(readStrings()) || failed(readDialects()) || failed(readEntries()) ||
        failed(readProperties()))
      return failure();
    result.body = sections[kOps];
    return std::move(result);
  }

 private:
  LogicalResult truncated(const Cursor &cursor) {
    return source.error(cursor) << "expects more bytes in the section, but it ends";
  }

  LogicalResult readHeader() {
    Cursor cursor(source.bytes.drop_front(4));
    if (!cursor.varInt(result.version) || result.version > kNewestBytecode)
      return source.error(cursor) << "expects bytecode of version " << kNewestBytecode << " at most, but got "
                                  << result.version;
    uint8_t letter = 1;
    while (letter)
      if (!cursor.byte(letter)) return source.error(cursor) << "expects a producer's name, but it does not end";
    bool seen[kProperties + 1] = {};
    while (!cursor.empty()) {
      uint8_t kind;
      StringRef section;
      const char *start = cursor.at();
      if (failed(readSection(source, cursor, kind, section))) return failure();
      if (seen[kind])
        return source.error(start) << "expects one section of kind " << static_cast<unsigned>(kind)
                                   << ", but got another";
      seen[kind] = true;
      sections[kind] = section;
    }
    for (uint8_t kind : {kStrings, kDialects, kEntries, kEntryOffsets, kOps})
      if (!seen[kind])
        return source.error(cursor) << "expects a section of kind " << static_cast<unsigned>(kind)
                                    << ", but there is none";
    return success();
  }

  // Lengths from the last to the first, then the bytes from the first, each with a zero behind.
  LogicalResult readStrings() {
    Cursor cursor(sections[kStrings]);
    uint64_t count;
    if (!cursor.count(count)) return truncated(cursor);
    SmallVector<uint64_t> lengths(count);
    for (uint64_t &length : llvm::reverse(lengths))
      if (!cursor.varInt(length)) return truncated(cursor);
    for (uint64_t length : lengths) {
      StringRef text;
      if (length == 0 || !cursor.bytes(length, text) || text.back() != '\0')
        return source.error(cursor) << "expects a string of " << length << " bytes that ends in a zero";
      result.strings.push_back(text.drop_back());
    }
    return success();
  }

  LogicalResult stringAt(const Cursor &cursor, uint64_t index, StringRef &text) {
    if (index >= result.strings.size())
      return source.error(cursor) << "expects one of " << result.strings.size() << " strings, but got number " << index;
    text = result.strings[index];
    return success();
  }

  LogicalResult readDialects() {
    Cursor cursor(sections[kDialects]);
    uint64_t count, index, ops = 0;
    if (!cursor.count(count)) return truncated(cursor);
    for (uint64_t i = 0; i < count; ++i) {
      bool versioned = false;
      bool whole = result.version < kSinceVersions ? cursor.varInt(index) : cursor.flagged(index, versioned);
      uint8_t kind;
      StringRef versions;
      if (!whole) return truncated(cursor);
      if (failed(stringAt(cursor, index, dialects.emplace_back())) ||
          (versioned && failed(readSection(source, cursor, kind, versions))))
        return failure();
    }
    if (result.version >= kSinceElision && !cursor.varInt(ops)) return truncated(cursor);
    while (!cursor.empty())
      if (failed(forGroup(cursor, [&](StringRef dialect) { return readOpName(cursor, dialect); }))) return failure();
    return success();
  }

  LogicalResult readOpName(Cursor &cursor, StringRef dialect) {
    uint64_t index;
    bool registered;
    if (result.version < kSinceProperties ? !cursor.varInt(index) : !cursor.flagged(index, registered))
      return truncated(cursor);
    StringRef name;
    if (failed(stringAt(cursor, index, name))) return failure();
    result.ops.push_back({dialect, name});
    return success();
  }

  // A dialect, and so many of its things.
  LogicalResult forGroup(Cursor &cursor, function_ref<LogicalResult(StringRef)> readOne) {
    uint64_t dialect, count;
    if (!cursor.varInt(dialect) || !cursor.count(count)) return truncated(cursor);
    if (dialect >= dialects.size())
      return source.error(cursor) << "expects one of " << dialects.size() << " dialects, but got number " << dialect;
    for (uint64_t i = 0; i < count; ++i)
      if (failed(readOne(dialects[dialect]))) return failure();
    return success();
  }

  LogicalResult readEntries() {
    Cursor cursor(sections[kEntryOffsets]), bytes(sections[kEntries]);
    uint64_t attributes, types;
    if (!cursor.count(attributes) || !cursor.count(types)) return truncated(cursor);
    auto readAll = [&](SmallVector<Container::Entry> &entries, uint64_t count) -> LogicalResult {
      auto readOne = [&](StringRef dialect) -> LogicalResult {
        Container::Entry entry{dialect, {}, false};
        uint64_t size;
        if (!cursor.flagged(size, entry.encoded)) return truncated(cursor);
        if (!bytes.bytes(size, entry.bytes))
          return source.error(bytes) << "expects an entry of " << size << " bytes, but " << bytes.size() << " remain";
        entries.push_back(entry);
        return success();
      };
      while (entries.size() < count)
        if (failed(forGroup(cursor, readOne))) return failure();
      if (entries.size() > count)
        return source.error(cursor) << "expects " << count << " entries, but got " << entries.size();
      return success();
    };
    return failure(failed(readAll(result.attributes, attributes)) || failed(readAll(result.types, types)));
  }

  LogicalResult readProperties() {
    Cursor cursor(sections[kProperties]);
    uint64_t count, size;
    if (cursor.empty()) return success();
    if (!cursor.count(count)) return truncated(cursor);
    for (uint64_t i = 0; i < count; ++i)
      if (!cursor.varInt(size) || !cursor.bytes(size, result.properties.emplace_back())) return truncated(cursor);
    return success();
  }

  const Source &source;
  Container result;
  StringRef sections[kProperties + 1];
  SmallVector<StringRef> dialects;
};

}  // namespace

FailureOr<Container> Container::read(const Source &source) { return ContainerReader(source).read(); }

}  // namespace tpuc::vhlo
