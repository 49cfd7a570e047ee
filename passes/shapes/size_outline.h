// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What two static programs have in common that were traced at different sizes: everything but numbers, and of each
// number a line in the size.
#pragma once
#include <optional>
#include <string>
#include <vector>

#include "mlir/IR/BuiltinOps.h"

namespace tpuc::shapes {

// An extent in a type, an element of an attribute or of a small constant. One that is no integer is its bits, which
// are equal to another's or not.
struct ProgramNumber {
  int64_t value = 0;
  bool integral = true;
  bool operator==(const ProgramNumber &) const = default;
};

// Reads types and attributes: their numbers into a list, all else into a text.
class NumberReader {
 public:
  NumberReader(std::string &text, std::vector<ProgramNumber> &numbers) : text_(text), numbers_(numbers) {}
  void read(mlir::Type type);
  void read(mlir::Attribute attribute);
  // False once something was met that cannot be compared.
  bool complete() const { return complete_; }

 private:
  void readElements(mlir::DenseElementsAttr elements);
  template <typename T>
  void print(T thing);

  std::string &text_;
  std::vector<ProgramNumber> &numbers_;
  bool complete_ = true;
};

// The parts of an op that have numbers, in the reader's order: results, arguments of its blocks, attributes by name.
struct OpParts {
  llvm::SmallVector<mlir::Value> values;
  llvm::SmallVector<mlir::NamedAttribute> attributes;
};
OpParts partsOf(mlir::Operation *op);

// A program of one function.
struct SizeOutline {
  std::string text;  // its digest: equal for programs that differ in numbers alone
  std::vector<ProgramNumber> numbers;
  std::vector<unsigned> leading;  // places among them: first dims of main's arguments
  std::vector<unsigned> extents;  // all dims of these
  bool operator==(const SizeOutline &) const = default;
};
// Nothing for a program whose sizes are open, or that has parts which cannot be compared.
std::optional<SizeOutline> outlineOf(mlir::ModuleOp module);

// scale * size + offset.
struct SizeLine {
  int64_t scale = 0, offset = 0;
  bool operator==(const SizeLine &) const = default;
};

// A program for each value of one leading size.
class SizeLines {
 public:
  // The lines through two programs; nothing where the two differ in more than numbers, or a number is on no line.
  static std::optional<SizeLines> through(const SizeOutline &a, const SizeOutline &b);
  // The size for which each number of `outline` is where its line says; nothing where there is none.
  std::optional<int64_t> sizeOf(const SizeOutline &outline) const;
  llvm::ArrayRef<SizeLine> lines() const { return lines_; }

 private:
  std::string text_;
  std::vector<SizeLine> lines_;
  std::vector<ProgramNumber> fixed_;  // those of lines that do not rise
  unsigned place_ = 0;                // of the size itself
};

// Makes of a program that lies on the lines the one of open sizes, the size being `symbol`. False with `why` where an
// op has no form for it; the module is of no use then.
bool openSizes(mlir::ModuleOp module, const SizeLines &lines, llvm::StringRef symbol, std::string &why);

}  // namespace tpuc::shapes
