#ifndef TPUC_PASSES_EXPAND_PASSES
#define TPUC_PASSES_EXPAND_PASSES
include "mlir/Pass/PassBase.td"

def NormaliseDotsPass : Pass<"tpuc-normalise-dots", "::mlir::func::FuncOp"> {
  let summary = "give every dot_general operands that the matrix unit can stream";
  let description = [{
    A dot's streaming operand has a contracted dim last; the other one a contracted or a free dim of its own. Where only the
    right operand can stream, the operands change places and the result is transposed; where neither can, the left one is
    transposed.
  }];
}

def ExpandConvolutionPass : Pass<"tpuc-expand-convolution", "::mlir::func::FuncOp"> {
  let summary = "convolutions as padded, strided slices and one dot_general";
}

def ExpandReduceWindowPass : Pass<"tpuc-expand-reduce-window", "::mlir::func::FuncOp"> {
  let summary = "reduce_window as strided slices combined elementwise";
}
#endif
