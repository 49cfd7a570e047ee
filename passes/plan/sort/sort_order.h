// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What a comparator compares: keys, each a function of one element, and the rest, which looks at two.
#pragma once
#include "llvm/ADT/DenseMap.h"
#include "mlir/IR/Block.h"
#include "mlir/IR/BuiltinTypes.h"

namespace tpuc::plan {

class SortOrder {
 public:
  // `comparator`: a region of lanes with arguments (left, right) for each operand.
  explicit SortOrder(mlir::Block &comparator);

  struct Key {
    mlir::Value value;     // of the comparator, of one side
    int64_t operand = -1;  // that it is, unchanged
    bool total = true;     // a float in total order: kept as an integer
    // The operand that it is but for zeros, which are of one sign, and NaNs, which are one and last: JAX's order.
    int64_t canonical = -1;
  };
  mlir::ArrayRef<Key> keys() const { return keys_; }
  // The type as which an operand's elements come: floats of 16 bits as these, so that a NaN keeps its own.
  static mlir::Type keptType(mlir::Type element);
  // Whether the key's lanes, mirrored where it is total, are its operand's.
  bool isOperand(const Key &key) const;

  // One key decides, by its value; elements that tie have equal keys.
  bool isSimple() const { return simple_; }
  bool isInteger() const;  // the simple key, as it is kept
  bool isUnsigned() const;
  bool isDescending() const { return descending_; }
  // Whether all that a simple key may be is less than the greatest integer.
  bool isBelowMost() const;
  // Bits of a key that no other comes after.
  uint32_t lastKey() const;

  // Which elements a value of the comparator is made of.
  enum Side { kNone = 0, kLeft = 1, kRight = 2, kBoth = 3 };
  Side sideOf(mlir::Value v) const;
  int64_t keyNumber(mlir::Value key) const { return keyAt_.lookup(key); }  // of keys()
  static mlir::Value source(mlir::Value v);                                // behind ops that move nothing
  mlir::Block &comparator() const { return block_; }

 private:
  void findSame();
  bool isSame(mlir::Value a, mlir::Value b) const;  // but for the side
  int64_t addKey(mlir::Value v);
  void findKeys();
  void findSimple();
  int64_t canonicalOf(mlir::Value key) const;

  mlir::Block &block_;
  mlir::SmallVector<Key> keys_;
  llvm::DenseMap<mlir::Value, Side> sides_;
  llvm::DenseMap<mlir::Value, mlir::Value> same_;  // the first that is the same but for the side
  llvm::DenseMap<mlir::Value, int64_t> keyAt_;
  bool simple_ = false, descending_ = false;
};

}  // namespace tpuc::plan
