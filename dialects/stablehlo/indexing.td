//===- indexing.td - ops whose positions are values: slices, gathers, scatters -------===//
// Part of tpuc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef TPUC_STABLEHLO_INDEXING_TD
#define TPUC_STABLEHLO_INDEXING_TD

include "dialects/stablehlo/attributes.td"

def DynamicSliceOp : InferringOp<"dynamic_slice",
    "inferDynamicSlice(emit, adaptor.getOperand().getType(), adaptor.getSliceSizes(), types)", [Pure]> {
  let arguments = (ins PerTensorHloTensor:$operand, Variadic<ScalarInt>:$start_indices,
                       DenseI64ArrayAttr:$slice_sizes);
  let results = (outs PerTensorHloTensor:$result);
  let hasVerifier = 1;
  let assemblyFormat = "$operand `,` custom<OperandsThenSizes>($start_indices, $slice_sizes) attr-dict"
                       " `:` functional-type(operands, results)";
}

def DynamicUpdateSliceOp : InferringOp<"dynamic_update_slice",
    "inferSameAsOperands(emit, operands.take_front(), types)", [Pure]> {
  let arguments = (ins PerTensorHloTensor:$operand, PerTensorHloTensor:$update,
                       Variadic<ScalarInt>:$start_indices);
  let results = (outs PerTensorHloTensor:$result);
  let hasVerifier = 1;
  let assemblyFormat = "operands attr-dict `:` functional-type(operands, results)";
}

def GatherOp : StableHLO_Op<"gather", [Pure]> {
  let arguments = (ins PerTensorHloTensor:$operand, IntTensor:$start_indices,
                       GatherDimensionNumbersAttr:$dimension_numbers, DenseI64ArrayAttr:$slice_sizes,
                       DefaultValuedOptionalAttr<BoolAttr, "false">:$indices_are_sorted);
  let results = (outs PerTensorHloTensor:$result);
  let hasVerifier = 1;
}

def DynamicGatherOp : StableHLO_Op<"dynamic_gather", [Pure]> {
  let arguments = (ins PerTensorHloTensor:$operand, IntTensor:$start_indices,
                       RankedTensorOfKinds<1, AnyInt>:$slice_sizes,
                       GatherDimensionNumbersAttr:$dimension_numbers,
                       DefaultValuedOptionalAttr<BoolAttr, "false">:$indices_are_sorted);
  let results = (outs PerTensorHloTensor:$result);
  let hasVerifier = 1;
}

def ScatterOp : StableHLO_Op<"scatter", [SameVariadicOperandSize, RecursiveMemoryEffects, RecursivelySpeculatable]> {
  let arguments = (ins Variadic<PerTensorHloTensor>:$inputs, IntTensor:$scatter_indices,
                       Variadic<PerTensorHloTensor>:$updates,
                       ScatterDimensionNumbersAttr:$scatter_dimension_numbers,
                       DefaultValuedOptionalAttr<BoolAttr, "false">:$indices_are_sorted,
                       DefaultValuedOptionalAttr<BoolAttr, "false">:$unique_indices);
  let results = (outs Variadic<PerTensorHloTensor>);
  let regions = (region SizedRegion<1>:$update_computation);
  let hasVerifier = 1;
}

// PyTorch's index_select.
def TorchIndexSelectOp : StableHLO_Op<"torch_index_select", [Pure]> {
  let arguments = (ins PerTensorHloTensor:$operand, IntTensor:$index, I64Attr:$dim,
                       I64Attr:$batch_dims);
  let results = (outs PerTensorHloTensor:$result);
}

#endif
