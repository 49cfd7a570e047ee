//===- reduction.td - ops that apply a region over windows, dimensions or orders -----===//
// Part of tpuc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef TPUC_STABLEHLO_REDUCTION_TD
#define TPUC_STABLEHLO_REDUCTION_TD

include "dialects/stablehlo/attributes.td"

// Bodies end in stablehlo.return, which their verifiers check.
defvar BodyTraits = [RecursiveMemoryEffects, RecursivelySpeculatable];

def ReduceOp : StableHLO_Op<"reduce", [SameVariadicOperandSize] # BodyTraits> {
  let arguments = (ins Variadic<PerTensorHloTensor>:$inputs, Variadic<PerTensorHloTensor>:$init_values,
                       DenseI64ArrayAttr:$dimensions);
  let results = (outs Variadic<PerTensorHloTensor>);
  let regions = (region SizedRegion<1>:$body);
  let hasVerifier = 1;
  let hasCustomAssemblyFormat = 1;
  let extraClassDeclaration = [{
    // The one binary op that the body is, arguments in order, or null.
    ::mlir::Operation *getSimpleBodyOp();
  }];
}

def ReduceWindowOp : StableHLO_Op<"reduce_window", [SameVariadicOperandSize] # BodyTraits> {
  let arguments = (ins Variadic<PerTensorHloTensor>:$inputs, Variadic<PerTensorHloTensor>:$init_values,
                       DenseI64ArrayAttr:$window_dimensions,
                       OptionalAttr<DenseI64ArrayAttr>:$window_strides,
                       OptionalAttr<DenseI64ArrayAttr>:$base_dilations,
                       OptionalAttr<DenseI64ArrayAttr>:$window_dilations,
                       OptionalAttr<I64ElementsAttr>:$padding);
  let results = (outs Variadic<PerTensorHloTensor>);
  let regions = (region SizedRegion<1>:$body);
  let hasVerifier = 1;
}

def SelectAndScatterOp : StableHLO_Op<"select_and_scatter", BodyTraits> {
  let arguments = (ins PerTensorHloTensor:$operand, PerTensorHloTensor:$source,
                       ScalarTensor:$init_value, OptionalAttr<DenseI64ArrayAttr>:$window_dimensions,
                       OptionalAttr<DenseI64ArrayAttr>:$window_strides,
                       OptionalAttr<I64ElementsAttr>:$padding);
  let results = (outs PerTensorHloTensor:$result);
  let regions = (region SizedRegion<1>:$select, SizedRegion<1>:$scatter);
  let hasVerifier = 1;
}

def MapOp : StableHLO_Op<"map", BodyTraits> {
  let arguments = (ins Variadic<PerTensorHloTensor>:$inputs, DenseI64ArrayAttr:$dimensions);
  let results = (outs PerTensorHloTensor:$result);
  let regions = (region SizedRegion<1>:$computation);
  let hasVerifier = 1;
}

def SortOp : StableHLO_Op<"sort", BodyTraits> {
  let arguments = (ins Variadic<PerTensorHloTensor>:$inputs,
                       DefaultValuedOptionalAttr<I64Attr, "-1">:$dimension,
                       DefaultValuedOptionalAttr<BoolAttr, "false">:$is_stable);
  let results = (outs Variadic<PerTensorHloTensor>);
  let regions = (region SizedRegion<1>:$comparator);
  let hasVerifier = 1;
}

def ReturnOp : StableHLO_Op<"return", [Pure, Terminator]> {
  let arguments = (ins Variadic<AnyHloValueOrBuffer>:$results);
  let assemblyFormat = "$results attr-dict (`:` type($results)^)?";
}

//===-----------------------------------------------------------------------------===//
// Batch normalization
//===-----------------------------------------------------------------------------===//

defvar NormTensor = TensorOfKinds<[FloatKind, QuantKind]>;

def BatchNormInferenceOp : StableHLO_Op<"batch_norm_inference", [Pure]> {
  let arguments = (ins NormTensor:$operand, FloatVector:$scale, FloatVector:$offset,
                       FloatVector:$mean, FloatVector:$variance, F32Attr:$epsilon,
                       I64Attr:$feature_index);
  let results = (outs NormTensor:$result);
  let hasVerifier = 1;
}
def BatchNormTrainingOp : StableHLO_Op<"batch_norm_training", [Pure]> {
  let arguments = (ins NormTensor:$operand, FloatVector:$scale, FloatVector:$offset,
                       F32Attr:$epsilon, I64Attr:$feature_index);
  let results = (outs NormTensor:$output, FloatVector:$batch_mean, FloatVector:$batch_var);
  let hasVerifier = 1;
}
def BatchNormGradOp : StableHLO_Op<"batch_norm_grad", [Pure]> {
  let arguments = (ins NormTensor:$operand, FloatVector:$scale, FloatVector:$mean,
                       FloatVector:$variance, NormTensor:$grad_output, F32Attr:$epsilon,
                       I64Attr:$feature_index);
  let results = (outs NormTensor:$grad_operand, FloatVector:$grad_scale, FloatVector:$grad_offset);
  let hasVerifier = 1;
}

#endif
