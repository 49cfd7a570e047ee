// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// ShapeProto: the type of an array, or a tuple of shapes.
#ifndef TPUC_COMPILER_FRONTEND_HLO_SHAPES_H
#define TPUC_COMPILER_FRONTEND_HLO_SHAPES_H

#include <string>
#include <vector>

#include "compiler/frontend/hlo/message.h"
#include "mlir/IR/BuiltinTypes.h"

namespace tpuc::frontend::hlo {

// Values of the program are leaves: a tuple is the list of the arrays and tokens in it, in order.
struct Shape {
  bool isTuple = false;
  mlir::Type type;                          // of what is no tuple
  llvm::SmallVector<int64_t> minorToMajor;  // of an array with a layout
  std::vector<Shape> elements;              // of a tuple
  size_t leaves = 1;

  // The types of all leaves, in order.
  void appendTypes(llvm::SmallVectorImpl<mlir::Type> &types) const;
  llvm::SmallVector<mlir::Type> types() const;
  // The number of the first leaf below the element with this index; nothing where there is none.
  std::optional<size_t> leafAt(llvm::ArrayRef<int64_t> index) const;
  // The dims from major to minor: as they are numbered, where the shape has no layout.
  llvm::SmallVector<int64_t> majorToMinor() const;
};

// Fails with a sentence that says what is expected.
bool readShape(const Message &proto, mlir::MLIRContext *context, Shape &shape, std::string &error, unsigned depth = 0);

// The type of an element; null where StableHLO has none.
mlir::Type elementType(int64_t primitive, mlir::MLIRContext *context);

}  // namespace tpuc::frontend::hlo

#endif  // TPUC_COMPILER_FRONTEND_HLO_SHAPES_H
