//===- shape.td - constants, and ops that move elements without computing ----------===//
// Part of tpuc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef TPUC_STABLEHLO_SHAPE_TD
#define TPUC_STABLEHLO_SHAPE_TD

include "dialects/stablehlo/attributes.td"

def ConstantOp : StableHLO_Op<"constant",
    [Pure, ConstantLike, DeclareOpInterfaceMethods<OpAsmOpInterface, ["getAsmResultNames"]>]> {
  let arguments = (ins ElementsAttr:$value);
  let results = (outs AnyHloTensor:$output);
  let builders = [OpBuilder<(ins "::mlir::ElementsAttr":$value),
                            [{ build($_builder, $_state, value.getType(), value); }]>];
  let hasVerifier = 1;
  let hasFolder = 1;
  let hasCustomAssemblyFormat = 1;
}

def IotaOp : StableHLO_Op<"iota", [Pure]> {
  let arguments = (ins I64Attr:$iota_dimension);
  let results = (outs TensorOfKinds<[IntKind, UIntKind, FloatKind, ComplexKind, QuantKind]>:$output);
  let hasVerifier = 1;
  let assemblyFormat = "`dim` `=` custom<I64>($iota_dimension) attr-dict `:` type($output)";
}

def BroadcastInDimOp : StableHLO_Op<"broadcast_in_dim", [Pure]> {
  let arguments = (ins AnyHloTensor:$operand, DenseI64ArrayAttr:$broadcast_dimensions);
  let results = (outs AnyHloTensor:$result);
  let hasVerifier = 1;
  let assemblyFormat = "$operand `,` `dims` `=` custom<Dims>($broadcast_dimensions) attr-dict"
                       " `:` functional-type(operands, results)";
}

// An op of HLO; `sizes` are prepended to the operand's shape.
def BroadcastOp : StableHLO_Op<"broadcast", [Pure]> {
  let arguments = (ins PerTensorHloTensor:$operand, DenseI64ArrayAttr:$broadcast_sizes);
  let results = (outs PerTensorHloTensor:$result);
  let hasVerifier = 1;
  let assemblyFormat = "$operand `,` `sizes` `=` custom<Dims>($broadcast_sizes) attr-dict"
                       " `:` functional-type(operands, results)";
}

def ReshapeOp : StableHLO_Op<"reshape", [Pure]> {
  let arguments = (ins AnyHloTensor:$operand);
  let results = (outs AnyHloTensor:$result);
  let hasVerifier = 1;
  let assemblyFormat = "operands attr-dict `:` functional-type(operands, results)";
}

def TransposeOp : InferringOp<"transpose",
    "inferTranspose(emit, adaptor.getOperand().getType(), adaptor.getPermutation(), types)", [Pure]> {
  let arguments = (ins AnyHloTensor:$operand, DenseI64ArrayAttr:$permutation);
  let results = (outs AnyHloTensor:$result);
  let hasVerifier = 1;
  let assemblyFormat = "$operand `,` `dims` `=` custom<Dims>($permutation) attr-dict"
                       " `:` functional-type(operands, results)";
}

def ReverseOp : InferringOp<"reverse", "inferSameAsOperands(emit, operands, types)", [Pure]> {
  let arguments = (ins PerTensorHloTensor:$operand, DenseI64ArrayAttr:$dimensions);
  let results = (outs PerTensorHloTensor:$result);
  let hasVerifier = 1;
  let assemblyFormat = "$operand `,` `dims` `=` custom<Dims>($dimensions) attr-dict `:` "
                       "custom<SameOperandsAndResult>(type($operand), type($result))";
}

def SliceOp : InferringOp<"slice",
    "inferSlice(emit, adaptor.getOperand().getType(), adaptor.getStartIndices(),"
    " adaptor.getLimitIndices(), adaptor.getStrides(), types)", [Pure]> {
  let arguments = (ins PerTensorHloTensor:$operand, DenseI64ArrayAttr:$start_indices,
                       DenseI64ArrayAttr:$limit_indices, DenseI64ArrayAttr:$strides);
  let results = (outs PerTensorHloTensor:$result);
  let assemblyFormat = "$operand custom<SliceRanges>($start_indices, $limit_indices, $strides)"
                       " attr-dict `:` functional-type(operands, results)";
}

def PadOp : InferringOp<"pad",
    "inferPad(emit, adaptor.getOperand().getType(), adaptor.getEdgePaddingLow(),"
    " adaptor.getEdgePaddingHigh(), adaptor.getInteriorPadding(), types)", [Pure]> {
  let arguments = (ins PerTensorHloTensor:$operand, ScalarTensor:$padding_value,
                       DenseI64ArrayAttr:$edge_padding_low, DenseI64ArrayAttr:$edge_padding_high,
                       DenseI64ArrayAttr:$interior_padding);
  let results = (outs PerTensorHloTensor:$result);
  let hasVerifier = 1;
  let assemblyFormat = "$operand `,` $padding_value `,` `low` `=` custom<Dims>($edge_padding_low)"
                       " `,` `high` `=` custom<Dims>($edge_padding_high)"
                       " `,` `interior` `=` custom<Dims>($interior_padding)"
                       " attr-dict `:` functional-type(operands, results)";
}

def ConcatenateOp : InferringOp<"concatenate",
    "inferConcatenate(emit, adaptor.getInputs().getTypes(), adaptor.getDimension(), types)", [Pure]> {
  let arguments = (ins Variadic<PerTensorHloTensor>:$inputs, I64Attr:$dimension);
  let results = (outs PerTensorHloTensor:$result);
  let assemblyFormat = "custom<OperandsThenDim>($inputs, $dimension) attr-dict"
                       " `:` functional-type(operands, results)";
}

def BitcastConvertOp : StableHLO_Op<"bitcast_convert", [Pure]> {
  let arguments = (ins AnyHloTensor:$operand);
  let results = (outs AnyHloTensor:$result);
  let hasVerifier = 1;
  let assemblyFormat = "operands attr-dict `:` functional-type(operands, results)";
}

def GetDimensionSizeOp : StableHLO_Op<"get_dimension_size", [Pure]> {
  let arguments = (ins AnyHloTensor:$operand, I64Attr:$dimension);
  let results = (outs ScalarI32:$result);
  let hasVerifier = 1;
  let assemblyFormat = "$operand `,` `dim` `=` custom<I64>($dimension) attr-dict"
                       " `:` functional-type(operands, results)";
}

def SetDimensionSizeOp : StableHLO_Op<"set_dimension_size", [Pure]> {
  let arguments = (ins PerTensorHloTensor:$operand, ScalarI32:$size, I64Attr:$dimension);
  let results = (outs PerTensorHloTensor:$result);
  let hasVerifier = 1;
  let assemblyFormat = "$operand `,` $size `,` `dim` `=` custom<I64>($dimension) attr-dict"
                       " `:` functional-type(operands, results)";
}

#endif
