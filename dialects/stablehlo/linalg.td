//===- linalg.td - transforms, factorizations and random numbers ----------------------===//
// Part of tpuc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef TPUC_STABLEHLO_LINALG_TD
#define TPUC_STABLEHLO_LINALG_TD

include "dialects/stablehlo/attributes.td"

defvar FloatOrComplexTensor = TensorOfKinds<[FloatKind, ComplexKind]>;
defvar MatrixTensor = TensorOfKinds<[FloatKind, ComplexKind, QuantKind]>;

def FftOp : StableHLO_Op<"fft", [Pure]> {
  let arguments = (ins FloatOrComplexTensor:$operand, FftTypeAttr:$fft_type,
                       DenseI64ArrayAttr:$fft_length);
  let results = (outs FloatOrComplexTensor:$result);
  let hasVerifier = 1;
  let assemblyFormat = "$operand `,` `type` `=` `` $fft_type `,` `length` `=` custom<Dims>($fft_length)"
                       " attr-dict `:` functional-type(operands, results)";
}

def CholeskyOp : InferringOp<"cholesky", "inferSameAsOperands(emit, operands, types)", [Pure]> {
  let arguments = (ins MatrixTensor:$a, DefaultValuedOptionalAttr<BoolAttr, "false">:$lower);
  let results = (outs MatrixTensor:$result);
  let hasVerifier = 1;
  let assemblyFormat = "$a (`,` `lower` `=` $lower^)? attr-dict `:` "
                       "custom<SameOperandsAndResult>(type($a), type($result))";
}

def TriangularSolveOp : StableHLO_Op<"triangular_solve", [Pure]> {
  let arguments = (ins MatrixTensor:$a, MatrixTensor:$b, BoolAttr:$left_side,
                       BoolAttr:$lower, BoolAttr:$unit_diagonal, TransposeAttr:$transpose_a);
  let results = (outs MatrixTensor:$result);
  let hasVerifier = 1;
}

def RngOp : StableHLO_Op<"rng"> {
  let arguments = (ins RankedTensorOfKinds<0, [BoolKind, IntKind, UIntKind, FloatKind]>:$a,
                       RankedTensorOfKinds<0, [BoolKind, IntKind, UIntKind, FloatKind]>:$b, ExtentTensor:$shape,
                       RngDistributionAttr:$rng_distribution);
  let results = (outs TensorOfKinds<[BoolKind, IntKind, UIntKind, FloatKind]>:$result);
  let hasVerifier = 1;
  let assemblyFormat = "$a `,` $b `,` $shape `,` `distribution` `=` `` $rng_distribution attr-dict"
                       " `:` functional-type(operands, results)";
}

def RngBitGeneratorOp : StableHLO_Op<"rng_bit_generator", [Pure]> {
  let arguments = (ins RngAlgorithmAttr:$rng_algorithm, TensorOfKinds<[IntKind, UIntKind, FloatKind]>:$initial_state);
  let results = (outs TensorOfKinds<[IntKind, UIntKind, FloatKind]>:$output_state,
                      TensorOfKinds<[IntKind, UIntKind, FloatKind]>:$output);
  let hasVerifier = 1;
  let assemblyFormat = "$initial_state `,` `algorithm` `=` `` $rng_algorithm attr-dict"
                       " `:` functional-type(operands, results)";
}

#endif
