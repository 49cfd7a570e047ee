// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// tpu.routine (scf, arith, tpu.inst) -> machine::Routine, the back end's tree over virtual registers.
#pragma once
#include "dialects/tpu/tpu.h"
#include "passes/schedule/machine.h"

namespace tpuc::emission {

// Descriptors of a module's DMAs, each once.
struct DescriptorTable {
  std::vector<isa::DmaDescriptor> entries;
  llvm::StringMap<int32_t> index;
  struct Buffer {
    int32_t index = -1;  // among the executable's
    int64_t offset = 0;  // where a view starts
  };
  llvm::StringMap<Buffer> buffers;  // by the symbol of a tpu.buffer
  int32_t indexOf(const isa::DmaDescriptor &d);
};

struct ConvertContext {
  DescriptorTable &descriptors;
  llvm::StringMap<int32_t> routines{};  // symbol -> index
  machine::Program &program;
  llvm::DenseMap<mlir::Location, int32_t> locations{};
  std::vector<std::string> hostCalls{};  // of the executable's index, as text

  // The number of a location in `program`.
  int32_t placeOf(mlir::Location loc);
};

// Buffers by what a routine calls them.
using Renamed = llvm::DenseMap<mlir::StringAttr, mlir::StringAttr>;
isa::DmaDescriptor descriptorOf(tpu::DmaStartOp op, const DescriptorTable &table, const Renamed &renamed);

mlir::LogicalResult toMachine(tpu::RoutineOp op, ConvertContext &context, machine::Routine &routine);

}  // namespace tpuc::emission
