//===- reader.h - attributes and types of a file ---------------------------------------------------------===//
// Part of tpuc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===-----------------------------------------------------------------------------===//
#ifndef TPUC_DIALECTS_VHLO_READER_H
#define TPUC_DIALECTS_VHLO_READER_H

#include "dialects/vhlo/codes.h"
#include "dialects/vhlo/container.h"
#include "mlir/IR/BuiltinAttributes.h"
#include "mlir/IR/BuiltinTypes.h"

namespace tpuc::vhlo {

class Entries;

// Reads what one entry, or the properties of an op, say. Each function fails with an error emitted.
class Reader {
 public:
  Reader(Entries &entries, llvm::StringRef bytes, unsigned depth) : entries(entries), cursor(bytes), depth(depth) {}

  mlir::MLIRContext *getContext() const;
  mlir::InFlightDiagnostic emitError(const llvm::Twine &message = "") const;
  bool empty() const { return cursor.empty(); }
  // How many numbers are left, where nothing else is.
  size_t countVarInts() const;

  mlir::LogicalResult readVarInt(uint64_t &value) { return whole(cursor.varInt(value)); }
  mlir::LogicalResult readSignedVarInt(int64_t &value) { return whole(cursor.signedVarInt(value)); }
  mlir::LogicalResult readFlagged(uint64_t &value, bool &flag) { return whole(cursor.flagged(value, flag)); }
  mlir::LogicalResult readBool(bool &value);
  mlir::LogicalResult readBlob(llvm::ArrayRef<char> &value);
  mlir::LogicalResult readString(llvm::StringRef &value);
  // Reads an integer of `width` bits, which the file does not say.
  mlir::FailureOr<llvm::APInt> readInteger(unsigned width);
  mlir::FailureOr<llvm::APFloat> readFloat(const llvm::fltSemantics &semantics);

  mlir::LogicalResult readType(mlir::Type &type);
  mlir::LogicalResult readAttribute(mlir::Attribute &attribute);
  template <typename AttrT>
  mlir::LogicalResult readAttribute(AttrT &attribute) {
    mlir::Attribute any;
    if (failed(readAttribute(any))) return mlir::failure();
    if ((attribute = mlir::dyn_cast<AttrT>(any))) return mlir::success();
    return refuse<AttrT>(any);
  }
  // Null where the file has none.
  template <typename AttrT>
  mlir::LogicalResult readOptionalAttribute(AttrT &attribute) {
    mlir::Attribute any;
    if (failed(readOptional(any))) return mlir::failure();
    if (!any || (attribute = mlir::dyn_cast<AttrT>(any))) return mlir::success();
    return refuse<AttrT>(any);
  }

  template <typename T, typename ReadOne>
  mlir::LogicalResult readList(llvm::SmallVectorImpl<T> &list, ReadOne readOne) {
    uint64_t count;
    if (failed(whole(cursor.count(count)))) return mlir::failure();
    for (uint64_t i = 0; i < count; ++i) {
      T one{};
      if (failed(readOne(one))) return mlir::failure();
      list.push_back(one);
    }
    return mlir::success();
  }
  mlir::LogicalResult readSignedVarInts(llvm::SmallVectorImpl<int64_t> &list) {
    return readList(list, [&](int64_t &value) { return readSignedVarInt(value); });
  }
  mlir::LogicalResult readTypes(llvm::SmallVectorImpl<mlir::Type> &list) {
    return readList(list, [&](mlir::Type &type) { return readType(type); });
  }
  template <typename AttrT>
  mlir::LogicalResult readAttributes(llvm::SmallVectorImpl<AttrT> &list) {
    return readList(list, [&](AttrT &attribute) { return readAttribute(attribute); });
  }

 private:
  template <typename AttrT>
  mlir::LogicalResult refuse(mlir::Attribute got) {
    if constexpr (requires { AttrT::name; })
      return emitError("expects ") << AttrT::name << ", but got " << got;
    else
      return emitError("expects a location, but got ") << got;
  }
  mlir::LogicalResult whole(bool read);
  mlir::LogicalResult readOptional(mlir::Attribute &attribute);

  Entries &entries;
  Cursor cursor;
  unsigned depth;
};

// The attributes and types of a file by their numbers, each read when first asked for.
class Entries {
 public:
  Entries(const Source &source, const Container &container);

  mlir::LogicalResult attribute(const char *at, uint64_t index, mlir::Attribute &result, unsigned depth = 0);
  mlir::LogicalResult type(const char *at, uint64_t index, mlir::Type &result, unsigned depth = 0);

  const Source &source;
  const Container &container;

 private:
  template <typename T>
  struct Slot {
    T value;
    bool busy = false;
  };
  template <typename T, typename Read>
  mlir::LogicalResult resolve(const char *at, uint64_t index, llvm::ArrayRef<Container::Entry> entries,
                              llvm::MutableArrayRef<Slot<T>> slots, T &result, unsigned depth, Read read);

  llvm::SmallVector<Slot<mlir::Attribute>> attributes;
  llvm::SmallVector<Slot<mlir::Type>> types;
};

// Readers of each dialect's attributes; null after an error.
mlir::Attribute readVhloAttribute(Reader &reader);
mlir::Attribute readVhloAttribute(AttributeCode code, Reader &reader);
// Reads a type and a blob, which vhlo and MLIR have alike.
mlir::Attribute readTensorElements(Reader &reader);
mlir::Attribute readStablehloAttribute(Reader &reader);
mlir::Attribute readChloAttribute(Reader &reader);
mlir::Type readStablehloType(Reader &reader);
mlir::Type readVhloType(Reader &reader);
mlir::Attribute readBuiltinAttribute(Reader &reader);
mlir::Type readBuiltinType(Reader &reader);
mlir::Attribute readSdyAttribute(Reader &reader);

}  // namespace tpuc::vhlo

#endif  // TPUC_DIALECTS_VHLO_READER_H
