//===- entry_writer.h - what the writers of entries share ------------------------------------------------===//
// Part of tpuc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===-----------------------------------------------------------------------------===//
#ifndef TPUC_DIALECTS_VHLO_ENTRY_WRITER_H
#define TPUC_DIALECTS_VHLO_ENTRY_WRITER_H

#include "dialects/vhlo/writer.h"

namespace tpuc::vhlo {

// Writes the bytes of one attribute or type; those inside it are numbers of the tables of `space`.
class EntryWriter {
 public:
  EntryWriter(Tables &tables, Space space) : tables(tables), space(space) {}

  std::string take() { return std::move(out.text); }

 protected:
  template <typename CodeT>
  void code(CodeT value) {
    out.varInt(static_cast<uint64_t>(value));
  }
  void attribute(mlir::Attribute value) { out.varInt(tables.attribute(value, space)); }
  void type(mlir::Type value) { out.varInt(tables.type(value, space)); }
  void numbers(llvm::ArrayRef<int64_t> list) {
    out.varInt(list.size());
    for (int64_t value : list) out.signedVarInt(value);
  }
  template <typename List>
  void attributes(const List &list) {
    out.varInt(list.size());
    for (mlir::Attribute value : list) attribute(value);
  }
  void entries(mlir::DictionaryAttr value) {
    out.varInt(value.size());
    for (mlir::NamedAttribute entry : value) {
      attribute(entry.getName());
      attribute(entry.getValue());
    }
  }
  // What artifacts have no form for.
  template <typename T>
  void refuse(llvm::StringRef what, T got) {
    std::string shown;
    llvm::raw_string_ostream(shown) << got;
    tables.refuse("expects " + what + " that portable artifacts have, but got " + shown);
  }

  Tables &tables;
  Bytes out;

 private:
  Space space;
};

}  // namespace tpuc::vhlo

#endif  // TPUC_DIALECTS_VHLO_ENTRY_WRITER_H
