//===- dynamic.td - ops whose result shape is a value ----------------------------------===//
// Part of tpuc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef TPUC_STABLEHLO_DYNAMIC_TD
#define TPUC_STABLEHLO_DYNAMIC_TD

include "dialects/stablehlo/attributes.td"

def DynamicBroadcastInDimOp : StableHLO_Op<"dynamic_broadcast_in_dim", [Pure]> {
  let arguments = (ins AnyHloTensor:$operand, StaticExtentTensor:$output_dimensions,
                       DenseI64ArrayAttr:$broadcast_dimensions,
                       OptionalAttr<DenseI64ArrayAttr>:$known_expanding_dimensions,
                       OptionalAttr<DenseI64ArrayAttr>:$known_nonexpanding_dimensions);
  let results = (outs AnyHloTensor:$result);
  let hasVerifier = 1;
  let assemblyFormat = "$operand `,` $output_dimensions `,` `dims` `=` custom<Dims>($broadcast_dimensions)"
                       " attr-dict `:` functional-type(operands, results)";
}

def DynamicIotaOp : StableHLO_Op<"dynamic_iota", [Pure]> {
  let arguments = (ins ExtentTensor:$output_shape, I64Attr:$iota_dimension);
  let results = (outs TensorOfKinds<[IntKind, UIntKind, FloatKind, ComplexKind, QuantKind]>:$result);
  let hasVerifier = 1;
  let assemblyFormat = "$output_shape `,` `dim` `=` custom<I64>($iota_dimension) attr-dict"
                       " `:` functional-type(operands, results)";
}

def DynamicPadOp : StableHLO_Op<"dynamic_pad", [Pure]> {
  let arguments = (ins PerTensorHloTensor:$operand, ScalarTensor:$padding_value,
                       ExtentTensor:$edge_padding_low, ExtentTensor:$edge_padding_high,
                       ExtentTensor:$interior_padding);
  let results = (outs PerTensorHloTensor:$result);
  let hasVerifier = 1;
  let assemblyFormat = "operands attr-dict `:` functional-type(operands, results)";
}

def DynamicReshapeOp : StableHLO_Op<"dynamic_reshape", [Pure]> {
  let arguments = (ins AnyHloTensor:$operand, StaticExtentTensor:$output_shape);
  let results = (outs AnyHloTensor:$result);
  let hasVerifier = 1;
  let assemblyFormat = "operands attr-dict `:` functional-type(operands, results)";
}

def RealDynamicSliceOp : StableHLO_Op<"real_dynamic_slice", [Pure]> {
  let arguments = (ins PerTensorHloTensor:$operand, ExtentTensor:$start_indices,
                       ExtentTensor:$limit_indices, ExtentTensor:$strides);
  let results = (outs PerTensorHloTensor:$result);
  let hasVerifier = 1;
  let assemblyFormat = "operands attr-dict `:` functional-type(operands, results)";
}

#endif
