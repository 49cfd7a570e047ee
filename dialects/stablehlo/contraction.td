//===- contraction.td - dot products and convolutions --------------------------------===//
// Part of tpuc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef TPUC_STABLEHLO_CONTRACTION_TD
#define TPUC_STABLEHLO_CONTRACTION_TD

include "dialects/stablehlo/attributes.td"

defvar PrecisionConfig = OptionalAttr<TypedArrayAttrBase<PrecisionAttr, "list of precisions">>;

def DotGeneralOp : StableHLO_Op<"dot_general", [Pure]> {
  let arguments = (ins PerTensorHloTensor:$lhs, AnyHloTensor:$rhs,
                       DotDimensionNumbersAttr:$dot_dimension_numbers,
                       PrecisionConfig:$precision_config,
                       OptionalAttr<DotAlgorithmAttr>:$algorithm);
  let results = (outs AnyHloTensor:$result);
  let hasVerifier = 1;
  let assemblyFormat = "$lhs `,` $rhs `,` custom<DotDimensions>($dot_dimension_numbers) ``"
                       " custom<PrecisionConfigAndAlgorithm>($precision_config, $algorithm)"
                       " attr-dict `:` functional-type(operands, results)";
}

// An op of HLO: vector and matrix products, without dimension numbers.
def DotOp : StableHLO_Op<"dot", [Pure]> {
  let arguments = (ins PerTensorHloTensor:$lhs, AnyHloTensor:$rhs, PrecisionConfig:$precision_config);
  let results = (outs AnyHloTensor:$result);
  let hasVerifier = 1;
  let assemblyFormat = "$lhs `,` $rhs `` custom<PrecisionConfig>($precision_config) attr-dict"
                       " `:` functional-type(operands, results)";
}

def EinsumOp : StableHLO_Op<"einsum", [Pure]> {
  let arguments = (ins PerTensorHloTensor:$lhs, PerTensorHloTensor:$rhs, StrAttr:$einsum_config);
  let results = (outs PerTensorHloTensor:$result);
  let assemblyFormat = "$lhs `,` $rhs `,` `config` `=` $einsum_config attr-dict"
                       " `:` functional-type(operands, results)";
}
def UnaryEinsumOp : StableHLO_Op<"unary_einsum", [Pure]> {
  let arguments = (ins PerTensorHloTensor:$operand, StrAttr:$einsum_config);
  let results = (outs PerTensorHloTensor:$result);
  let assemblyFormat = "$operand `,` `config` `=` $einsum_config attr-dict"
                       " `:` functional-type(operands, results)";
}

defvar WindowAndDimensions = (ins
    OptionalAttr<DenseI64ArrayAttr>:$window_strides, OptionalAttr<I64ElementsAttr>:$padding,
    OptionalAttr<DenseI64ArrayAttr>:$lhs_dilation, OptionalAttr<DenseI64ArrayAttr>:$rhs_dilation,
    OptionalAttr<DenseBoolArrayAttr>:$window_reversal,
    ConvDimensionNumbersAttr:$dimension_numbers, I64Attr:$feature_group_count,
    I64Attr:$batch_group_count, PrecisionConfig:$precision_config);

def ConvolutionOp : StableHLO_Op<"convolution", [Pure]> {
  let arguments = !con((ins PerTensorHloTensor:$lhs, AnyHloTensor:$rhs), WindowAndDimensions);
  let results = (outs AnyHloTensor:$result);
  let hasVerifier = 1;
  let assemblyFormat = "`(`operands`)` `dim_numbers` `=` custom<ConvNumbers>($dimension_numbers) `,`"
                       " `window` `=` custom<Window>($window_strides, $padding, $lhs_dilation,"
                       " $rhs_dilation, $window_reversal)"
                       " attr-dict `:` functional-type(operands, results)";
}

def DynamicConvOp : StableHLO_Op<"dynamic_conv", [Pure]> {
  let arguments = !con((ins PerTensorHloTensor:$lhs, AnyHloTensor:$rhs,
                            RankedTensorOfKinds<2, [IntKind, UIntKind, IndexKind]>:$d_padding),
                       WindowAndDimensions);
  let results = (outs AnyHloTensor:$result);
  let hasVerifier = 1;
}

#endif
