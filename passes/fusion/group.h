// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A candidate kernel: a set of ops, and whether one grid can run it.
#pragma once
#include "dialects/stablehlo/stablehlo.h"
#include "llvm/ADT/SetVector.h"
#include "passes/analysis/domain.h"
#include "passes/plan/question.h"
#include "runtime/target/target.h"

namespace tpuc::fusion {

enum class Kind { Loop, Dot, Conv, Window, Copy };

struct Group {
  Kind kind = Kind::Loop;
  llvm::SetVector<mlir::Operation *> ops;  // the first one here is the root, the last one of the program

  // Values from outside; and what leaves, the root's: others that are used outside are computed there again.
  llvm::SetVector<mlir::Value> inputs() const;
  llvm::SmallVector<mlir::Value> results() const;
};

// Ops that a loop kernel's body can hold.
bool isLoopOp(mlir::Operation *op);
// Elementwise on arrays of the result's shape, or a splat.
bool isPointwise(mlir::Operation *op);
// Ops cheap enough to stand in every kernel that uses them.
bool isCheap(mlir::Operation *op);
// An elementary function of few elements, made of no reduction, that a kernel around `root` would compute for many:
// sines of positions, say, for every head. It is an array of its own.
bool isTable(mlir::Operation *op, mlir::Operation *root);
// Vector instructions for each vreg of a value, roughly, with all elementwise work that leads to it; nothing where that
// is much, or a reduction is among it.
std::optional<int64_t> instructionsOf(mlir::Operation *op);
// Ops that read whole arrays and take an epilogue: products of the matrix unit, windows.
bool isMatrixOp(mlir::Operation *op);
Kind matrixKind(mlir::Operation *op);
// Whether `op` is a depthwise window of many weights and there is work among `epilogue`. The weights stay in registers
// over its rows: with work on its result its loop would spill, or not be pipelined. Whoever reads the result does that
// work.
bool leavesNoRegisters(mlir::Operation *op, llvm::ArrayRef<mlir::Operation *> epilogue);
// A reshape that leaves every element in its place: the same memory under another type. Constants stay the data of one
// type.
bool isView(mlir::Operation *op);
// Ops that only move data.
bool isCopyOp(mlir::Operation *op);
// Copies move strided runs: reshapes that would take very many of them go through one dim of 32-bit elements.
void splitReshapes(mlir::func::FuncOp func);
bool takesFewTransfers(mlir::RankedTensorType from, mlir::RankedTensorType to);
// Arithmetic on elements that take turns, on the joined ones (join_turns.cpp).
void joinTurns(mlir::func::FuncOp func);
// Elements that take turns along lanes, as gaps and steps along them.
void interleaveLanes(mlir::func::FuncOp func);
// Dealt lanes as steps along lanes (part_lanes.cpp).
void partLanes(mlir::func::FuncOp func);
// Concatenations along lanes and pads, as selects between what loops read.
void readParts(mlir::func::FuncOp func, const plan::Question &question);
// Gaps along leading dims, as selections (split_gaps.cpp).
void splitGaps(mlir::func::FuncOp func);
// Arrays that an op meets in two places, as two (read_twice.cpp).
void readTwice(mlir::func::FuncOp func);
// Moves along lanes that would take an element at a time, on transposed arrays.
void turnLanes(mlir::func::FuncOp func);
// Kernels of sorts, with positions and slices.
void outlineSorts(mlir::func::FuncOp func);
// Gradients of pools that pad, with their pads and slices (outline_selects.cpp).
void outlineSelects(mlir::func::FuncOp func, const plan::Question &question);
// Reshapes that move elements, with the moves around them (outline_relayouts.cpp).
void outlineRelayouts(mlir::func::FuncOp func, const plan::Question &question);
// Other moves of narrow elements that would take one at a time, on wide ones.
void widenMoves(mlir::func::FuncOp func);

// The same once it is a kernel, or is to be one: its results may be other values than those used outside.
struct Members {
  llvm::ArrayRef<mlir::Operation *> ops;
  llvm::SmallVector<mlir::Value> inputs, results;
};

// A mask of positions on a matmul's operand, `select(iota < n, x, 0)`, with all that makes it but x: nothing where the
// operand is none, or has other users than matmuls.
llvm::SetVector<mlir::Operation *> maskOn(mlir::Value operand);
// The ops that the results are computed by, back to the matrix op: the others make its operands.
llvm::DenseSet<mlir::Operation *> epilogueOf(const Members &group, mlir::Operation *dot);

// Semaphores a grid has: two for each array.
constexpr size_t kMostArrays = 120;
// The ops that make a matmul's operand of arrays with fewer or narrower elements, positions and constants, for matmuls
// alone; empty where it is made otherwise.
llvm::SetVector<mlir::Operation *> makersOf(mlir::Value operand);
// What a target has for a kernel: bytes of VMEM for its blocks, rows and columns of an array of its matrix unit, cores
// that share its steps.
struct Room {
  int64_t vmemBytes, mxuSide, cores, sums;  // sums: rows of all accumulators
  bool isCareful = false;                   // reductions are not cut, and nothing is computed twice
  bool cutsTiles = true;  // dims under an array's tile that are walked outside of it come a tile at a time
};
Room roomOn(const target::Target &target);
// Whether some user wants an array: the matrix unit, a copy, a kernel that is made already, the end of a block.
bool isArrayAnyway(mlir::Value v);
// Whether each kernel that uses an op's result computes it for itself: from one array that is in memory anyway and is
// no larger, by few instructions.
bool paysToRepeat(mlir::Operation *op, const Room &room);
// One index space, readable arrays, blocks that fit.
bool isValid(const Group &group, const Room &room);
bool isValid(const Members &group, const Room &room);

// Whether a matmul's epilogue meets arrays of fewer dims, which have leading dims of its rows under their tiles: these
// come in whole tiles then, and the rows of a block may be more than the accumulators hold.
bool meetsRowsAcross(llvm::ArrayRef<mlir::Value> inputs, mlir::Operation *dot);

// What a loop kernel walks: elements, and how many vregs of them no reduction joins.
struct IndexSpace {
  int64_t elements = 1, parallelUnits = 1;
};
std::optional<IndexSpace> indexSpace(const Members &group);

// Whether an op may not join a group that has a matmul as products and sums, or that matmul the group: it is alone in
// its kernel but for elementwise work behind it (matrix_sums.cpp).
bool disturbsSums(const Group &group, mlir::Operation *op);

// The group's kernel, where the builder is.
kernel::FusionOp makeKernel(mlir::OpBuilder &b, const Group &group, mlir::Operation *root);
// Replaces the group by its kernel at its last op's place.
kernel::FusionOp outline(const Group &group, mlir::Operation *root);

// A copy's padding, its positions along dims, and where windows start from need no array.
bool takesConstant(mlir::Operation *copy, mlir::Value v);
// Constants, and what is made of nothing else, move into the regions that use them: kernels there make them again.
void sinkCheapOps(mlir::func::FuncOp func);
// A splat that a matrix op reads as an array is one of its own: it stays outside where an epilogue takes an equal one
// in. So is one that is reduced: it has dims to walk, where elsewhere it is a number at any position.
void keepArraysApart(mlir::func::FuncOp func);

}  // namespace tpuc::fusion
