//===- writer.h - attributes and types into a file -------------------------------------------------------===//
// Part of tpuc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===-----------------------------------------------------------------------------===//
#ifndef TPUC_DIALECTS_VHLO_WRITER_H
#define TPUC_DIALECTS_VHLO_WRITER_H

#include "dialects/vhlo/codes.h"
#include "dialects/vhlo/version.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/StringMap.h"
#include "mlir/IR/BuiltinAttributes.h"
#include "mlir/IR/BuiltinTypes.h"

namespace tpuc::vhlo {

// Numbers and bytes of MLIR's bytecode.
class Bytes {
 public:
  void byte(uint8_t value) { text.push_back(static_cast<char>(value)); }
  void bytes(llvm::StringRef value) { text += value; }
  void varInt(uint64_t value);
  void signedVarInt(int64_t value) { varInt(static_cast<uint64_t>(value) << 1 ^ static_cast<uint64_t>(value >> 63)); }
  void flagged(uint64_t value, bool flag) { varInt(value << 1 | flag); }
  void blob(llvm::StringRef value) {
    varInt(value.size());
    bytes(value);
  }
  // Writes an integer without its width, which the reader has to know.
  void integer(const llvm::APInt &value);
  void real(const llvm::APFloat &value) { integer(value.bitcastToAPInt()); }
  void section(uint8_t kind, llvm::StringRef value) {
    byte(kind);
    blob(value);
  }

  std::string text;
};

// The same attribute is MLIR's where a module or an op of sdy has it, and vhlo's where an op of vhlo has it.
enum class Space { Builtin, Vhlo, Sdy };

// What the sections of a file list, each thing once. What a version cannot say is an error.
class Tables {
 public:
  Tables(Version version, uint64_t bytecode, mlir::Location location)
      : version(version), bytecode(bytecode), location(location) {}

  uint64_t string(llvm::StringRef text);
  uint64_t opName(llvm::StringRef dialect, llvm::StringRef name);
  uint64_t property(std::string bytes);
  uint64_t attribute(mlir::Attribute value, Space space);
  uint64_t type(mlir::Type value, Space space);
  // An attribute of the dialect with these bytes.
  uint64_t entry(llvm::StringRef dialect, std::string bytes);
  // custom_call's, a number elsewhere.
  uint64_t apiVersion(uint64_t value);

  // The sections but for the ops'.
  std::string sections();
  // The first thing that the version has not; emits it at the location.
  void refuse(const llvm::Twine &message);
  bool failed() const { return refused; }

  const Version version;
  const uint64_t bytecode;
  mlir::Location location;  // of the op that is being written

 private:
  struct Entry {
    uint64_t dialect;
    std::string bytes;
  };
  using Entries = llvm::SmallVector<Entry>;
  uint64_t dialect(llvm::StringRef name);
  uint64_t add(Entries &entries, llvm::StringRef dialect, std::string bytes);
  std::string dialectSection();
  std::string offsetSection();
  std::string stringSection();

  llvm::MapVector<llvm::StringRef, uint64_t> strings;
  llvm::StringMap<uint64_t> owned;  // what `strings` refers to
  llvm::SmallVector<std::string> dialects;
  llvm::SmallVector<std::pair<uint64_t, uint64_t>> ops;  // dialect, name
  llvm::StringMap<uint64_t> opNumbers, propertyNumbers;
  llvm::SmallVector<std::string> properties;
  Entries attributes, types;
  llvm::DenseMap<std::pair<const void *, int>, uint64_t> attributeNumbers, typeNumbers;
  llvm::StringMap<uint64_t> entryNumbers;  // of entries by their bytes
  bool refused = false;
};

// Writers of each dialect's attributes: the bytes of one entry.
std::string writeVhloAttribute(Tables &tables, mlir::Attribute value);
std::string writeVhloType(Tables &tables, mlir::Type value);
std::string writeBuiltinAttribute(Tables &tables, mlir::Attribute value);
std::string writeBuiltinType(Tables &tables, mlir::Type value);
std::string writeSdyAttribute(Tables &tables, mlir::Attribute value);

}  // namespace tpuc::vhlo

#endif  // TPUC_DIALECTS_VHLO_WRITER_H
