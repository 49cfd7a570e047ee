//===- writer.cpp - attributes and types into a file -----------------------------------------------------===//
// Part of tpuc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===-----------------------------------------------------------------------------===//
#include "dialects/vhlo/writer.h"

#include "dialects/diagnostics/diagnose.h"

using namespace mlir;

namespace tpuc::vhlo {

//===-----------------------------------------------------------------------------===//
// Bytes
//===-----------------------------------------------------------------------------===//

// The zeros at the bottom of the first byte count the bytes that follow; then a one; then the number.
void Bytes::varInt(uint64_t value) {
  unsigned size = 1;
  while (size < 9 && size * 7 < 64 && value >> (size * 7)) ++size;
  if (size > 8) {
    byte(0);
    size = 8;
  } else {
    value = (value << 1 | 1) << (size - 1);
  }
  for (unsigned i = 0; i < size; ++i) byte(static_cast<uint8_t>(value >> (8 * i)));
}

void Bytes::integer(const APInt &value) {
  if (value.getBitWidth() <= 8) return byte(static_cast<uint8_t>(value.getZExtValue()));
  if (value.getBitWidth() <= 64) return signedVarInt(static_cast<int64_t>(value.getZExtValue()));
  varInt(value.getActiveWords());
  for (uint64_t word : ArrayRef(value.getRawData(), value.getActiveWords())) signedVarInt(static_cast<int64_t>(word));
}

//===-----------------------------------------------------------------------------===//
// Tables
//===-----------------------------------------------------------------------------===//

void Tables::refuse(const Twine &message) {
  if (!refused) diagnose(location, codes::kNotInVersion) << message;
  refused = true;
}

uint64_t Tables::string(StringRef text) {
  StringRef kept = owned.try_emplace(text).first->first();
  return strings.insert({kept, strings.size()}).first->second;
}

uint64_t Tables::dialect(StringRef name) {
  auto *found = llvm::find(dialects, name);
  uint64_t number = found - dialects.begin();
  if (found == dialects.end()) dialects.push_back(name.str());
  return number;
}

uint64_t Tables::opName(StringRef dialectName, StringRef name) {
  auto [entry, added] = opNumbers.try_emplace((dialectName + "." + name).str(), ops.size());
  if (added) ops.push_back({dialect(dialectName), string(name)});
  return entry->second;
}

uint64_t Tables::property(std::string bytes) {
  auto [entry, added] = propertyNumbers.try_emplace(bytes, properties.size());
  if (added) properties.push_back(std::move(bytes));
  return entry->second;
}

uint64_t Tables::add(Entries &entries, StringRef dialectName, std::string bytes) {
  entries.push_back({dialect(dialectName), std::move(bytes)});
  return entries.size() - 1;
}

uint64_t Tables::attribute(Attribute value, Space space) {
  if (value.getDialect().getNamespace() == "sdy")
    space = Space::Sdy;
  else if (isa<LocationAttr>(value) || (space == Space::Vhlo && isa<UnitAttr>(value)))
    space = Space::Builtin;
  std::pair<const void *, int> key{value.getAsOpaquePointer(), static_cast<int>(space)};
  if (auto found = attributeNumbers.find(key); found != attributeNumbers.end()) return found->second;
  uint64_t number;
  if (space == Space::Sdy)
    number = add(attributes, "sdy", writeSdyAttribute(*this, value));
  else if (space == Space::Vhlo)
    number = add(attributes, "vhlo", writeVhloAttribute(*this, value));
  else
    number = add(attributes, "builtin", writeBuiltinAttribute(*this, value));
  return attributeNumbers[key] = number;
}

uint64_t Tables::type(Type value, Space space) {
  std::pair<const void *, int> key{value.getAsOpaquePointer(), static_cast<int>(space)};
  if (auto found = typeNumbers.find(key); found != typeNumbers.end()) return found->second;
  bool vhlo = space == Space::Vhlo;
  std::string bytes = vhlo ? writeVhloType(*this, value) : writeBuiltinType(*this, value);
  uint64_t number = add(types, vhlo ? "vhlo" : "builtin", std::move(bytes));
  return typeNumbers[key] = number;
}

uint64_t Tables::entry(StringRef dialectName, std::string bytes) {
  auto [found, added] = entryNumbers.try_emplace((dialectName + "/" + bytes).str(), attributes.size());
  if (added) add(attributes, dialectName, std::move(bytes));
  return found->second;
}

uint64_t Tables::apiVersion(uint64_t value) {
  Bytes bytes;
  bytes.varInt(static_cast<uint64_t>(AttributeCode::CustomCallApiVersion));
  bytes.varInt(value);
  return entry("vhlo", std::move(bytes.text));
}

//===-----------------------------------------------------------------------------===//
// Sections
//===-----------------------------------------------------------------------------===//

// Calls `write` for each thing, after the dialect and the number of each run of one dialect's.
template <typename Things, typename DialectOf, typename Write>
static void writeGroups(Bytes &out, const Things &things, DialectOf dialectOf, Write write) {
  for (size_t begin = 0, end; begin < things.size(); begin = end) {
    end = begin;
    while (end < things.size() && dialectOf(things[end]) == dialectOf(things[begin])) ++end;
    out.varInt(dialectOf(things[begin]));
    out.varInt(end - begin);
    for (size_t i = begin; i < end; ++i) write(things[i]);
  }
}

std::string Tables::dialectSection() {
  Bytes out;
  out.varInt(dialects.size());
  for (const std::string &name : dialects)
    bytecode < kSinceVersions ? out.varInt(string(name)) : out.flagged(string(name), false);
  if (bytecode >= kSinceElision) out.varInt(ops.size());
  using Op = std::pair<uint64_t, uint64_t>;
  writeGroups(
      out, ops, [](const Op &op) { return op.first; },
      [&](const Op &op) {
        bytecode < kSinceProperties ? out.varInt(op.second) : out.flagged(op.second, /*registered=*/true);
      });
  return std::move(out.text);
}

std::string Tables::offsetSection() {
  Bytes out;
  out.varInt(attributes.size());
  out.varInt(types.size());
  for (const Entries *entries : {&attributes, &types})
    writeGroups(
        out, *entries, [](const Entry &entry) { return entry.dialect; },
        [&](const Entry &entry) { out.flagged(entry.bytes.size(), /*encoded=*/true); });
  return std::move(out.text);
}

// Lengths from the last to the first, then the bytes from the first, each with a zero behind.
std::string Tables::stringSection() {
  Bytes out;
  out.varInt(strings.size());
  for (auto &[text, number] : llvm::reverse(strings)) out.varInt(text.size() + 1);
  for (auto &[text, number] : strings) {
    out.bytes(text);
    out.byte(0);
  }
  return std::move(out.text);
}

std::string Tables::sections() {
  Bytes out;
  out.section(kDialects, dialectSection());  // which also names the dialects
  std::string entries;
  for (const Entries *list : {&attributes, &types})
    for (const Entry &entry : *list) entries += entry.bytes;
  out.section(kEntries, entries);
  out.section(kEntryOffsets, offsetSection());
  if (bytecode >= kSinceProperties) {
    Bytes list;
    list.varInt(properties.size());
    for (const std::string &property : properties) list.blob(property);
    out.section(kProperties, list.text);
  }
  out.section(kStrings, stringSection());
  return std::move(out.text);
}

}  // namespace tpuc::vhlo
