//===- container.h - the sections of a file of MLIR's bytecode -------------------------------------------===//
// Part of tpuc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The format is MLIR's, versions 0 to 6 (mlir.llvm.org/docs/BytecodeFormat). The bytes may be anything: nothing is
// allocated, or followed, on the word of a number that the file holds before it has been compared with the bytes.
//===-----------------------------------------------------------------------------===//
#ifndef TPUC_DIALECTS_VHLO_CONTAINER_H
#define TPUC_DIALECTS_VHLO_CONTAINER_H

#include "dialects/vhlo/cursor.h"
#include "mlir/IR/Diagnostics.h"

namespace tpuc::vhlo {

// The file, for diagnostics.
struct Source {
  llvm::StringRef bytes;
  mlir::Location start;

  // "at byte N: ".
  mlir::InFlightDiagnostic error(const char *at) const;
  mlir::InFlightDiagnostic error(const Cursor &cursor) const { return error(cursor.at()); }
};

struct Container {
  struct Entry {
    llvm::StringRef dialect, bytes;
    bool encoded;  // and not text
  };
  struct OpName {
    llvm::StringRef dialect, name;
  };

  uint64_t version = 0;
  llvm::SmallVector<llvm::StringRef> strings, properties;
  llvm::SmallVector<OpName> ops;
  llvm::SmallVector<Entry> attributes, types;
  llvm::StringRef body;

  // Reads a file that begins with the magic number.
  static mlir::FailureOr<Container> read(const Source &source);
};

// The bytes of the section that begins at the cursor.
mlir::LogicalResult readSection(const Source &source, Cursor &cursor, uint8_t &kind, llvm::StringRef &section);

}  // namespace tpuc::vhlo

#endif  // TPUC_DIALECTS_VHLO_CONTAINER_H
