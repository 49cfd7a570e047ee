// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Where the instructions of a module come from, by their metadata.
#ifndef TPUC_COMPILER_FRONTEND_HLO_LOCATIONS_H
#define TPUC_COMPILER_FRONTEND_HLO_LOCATIONS_H

#include "compiler/frontend/hlo/message.h"
#include "mlir/IR/Location.h"

namespace tpuc::frontend::hlo {

class Locations {
 public:
  Locations(const Message &module, mlir::Location file);

  // The name of the op and its line; without metadata the instruction's name.
  mlir::Location of(const Message &instruction) const;
  mlir::Location file() const { return file_; }

 private:
  struct Frame {
    mlir::Location line;
    int64_t parent;
  };
  std::optional<mlir::Location> frame(int64_t number) const;
  void readFrames(const Message &index);

  mlir::Location file_;
  llvm::SmallVector<Frame, 0> frames_;  // counted from 1 in the file
};

}  // namespace tpuc::frontend::hlo

#endif  // TPUC_COMPILER_FRONTEND_HLO_LOCATIONS_H
