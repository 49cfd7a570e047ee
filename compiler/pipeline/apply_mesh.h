// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A program traced for a mesh, on a mesh of other sizes.
#pragma once
#include <string>
#include <vector>

#include "mlir/IR/BuiltinOps.h"

namespace tpuc {

// The axes of the program's meshes get the sizes that `mesh` ("data:8") gives their names; others keep theirs. A
// located diagnostic where no mesh has such an axis, or an annotation does not fit the new sizes.
mlir::LogicalResult applyMesh(mlir::ModuleOp module, const std::vector<std::string> &mesh);

// Whether each text is NAME:SIZE, each name once; false with `error`.
bool checkMesh(const std::vector<std::string> &mesh, std::string &error);

}  // namespace tpuc
