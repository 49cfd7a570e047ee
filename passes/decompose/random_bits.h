// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The generators behind rng_bit_generator, as elementwise ops on counters.
#pragma once
#include "passes/builders/pair.h"

namespace tpuc::decompose {
using namespace builders;

// What both generators are written in: a state of 64-bit words, blocks of 32-bit words as results.
class RandomBits {
 public:
  RandomBits(stablehlo::RngBitGeneratorOp op, mlir::OpBuilder &b) : op_(op), b_(b), build_{b, op.getLoc()} {}
  virtual ~RandomBits() = default;
  // Replaces the op; its output.
  mlir::Value run();

 protected:
  // The op's output as ui32 or ui64 (`width`), and its state after; the key stays.
  virtual mlir::Value generate(unsigned width) = 0;

  mlir::Value asWord(mlir::Value v, mlir::Type element);
  mlir::Value at(mlir::Value v, int64_t i) { return build_.reshape(build_.slice(v, {i}, {i + 1}, {1}), {}); }
  mlir::Value word64(uint64_t value);
  mlir::Value add64(mlir::Value x, mlir::Value y) {
    return stablehlo::AddOp::create(b_, build_.loc, x.getType(), x, y);
  }
  // Low and high words of a 64-bit array, and back.
  Pair words(mlir::Value v, Lanes &l);
  mlir::Value joined(Pair x, Lanes &l);

  stablehlo::RngBitGeneratorOp op_;
  mlir::OpBuilder &b_;
  Build build_;
  mlir::RankedTensorType type_;
  mlir::Value state_;                     // as ui64
  llvm::SmallVector<mlir::Value> after_;  // the state's words after the key
};

// Threefry-2x32 with 20 rounds; threefry.cpp.
mlir::Value expandThreefry(stablehlo::RngBitGeneratorOp op, mlir::OpBuilder &b);
// Philox-4x32 with 10 rounds; philox.cpp.
mlir::Value expandPhilox(stablehlo::RngBitGeneratorOp op, mlir::OpBuilder &b);

}  // namespace tpuc::decompose
