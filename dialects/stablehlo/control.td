//===- control.td - control flow, calls, tuples, tokens and what has effects ----------===//
// Part of tpuc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef TPUC_STABLEHLO_CONTROL_TD
#define TPUC_STABLEHLO_CONTROL_TD

include "dialects/stablehlo/attributes.td"

defvar RegionTraits = [RecursiveMemoryEffects, RecursivelySpeculatable];

def IfOp : StableHLO_Op<"if", RegionTraits> {
  let arguments = (ins ScalarPred:$pred);
  let results = (outs Variadic<AnyHloValue>);
  let regions = (region SizedRegion<1>:$true_branch, SizedRegion<1>:$false_branch);
  let hasVerifier = 1;
}

def CaseOp : StableHLO_Op<"case", RegionTraits> {
  let arguments = (ins ScalarI32:$index);
  let results = (outs Variadic<AnyHloValue>);
  let regions = (region VariadicRegion<SizedRegion<1>>:$branches);
  let hasVerifier = 1;
}

def WhileOp : StableHLO_Op<"while",
    [RecursiveMemoryEffects, DeclareOpInterfaceMethods<OpAsmOpInterface, ["getAsmBlockArgumentNames"]>]> {
  let arguments = (ins Variadic<AnyHloValueOrBuffer>:$operand);
  let results = (outs Variadic<AnyHloValueOrBuffer>);
  let regions = (region SizedRegion<1>:$cond, SizedRegion<1>:$body);
  let hasVerifier = 1;
  let hasCustomAssemblyFormat = 1;
}

def OptimizationBarrierOp : StableHLO_Op<"optimization_barrier"> {
  let summary = "keeps what is computed before it from moving past it";
  let arguments = (ins Variadic<BarrierValue>:$operand);
  let results = (outs Variadic<BarrierValue>:$result);
  let hasVerifier = 1;
  let assemblyFormat = "attr-dict `` custom<Barrier>($operand, type($operand), type($result))";
}

def CustomCallOp : StableHLO_Op<"custom_call",
    [DeclareOpInterfaceMethods<MemoryEffectsOpInterface>,
     DeclareOpInterfaceMethods<SymbolUserOpInterface>]> {
  let arguments = (ins Variadic<AnyCallValue>:$inputs, StrAttr:$call_target_name,
                       DefaultValuedOptionalAttr<BoolAttr, "false">:$has_side_effect,
                       OptionalAttr<AnyAttrOf<[StrAttr, DictionaryAttr]>>:$backend_config,
                       DefaultValuedOptionalAttr<CustomCallApiVersionAttr,
                         "::tpuc::stablehlo::CustomCallApiVersion::API_VERSION_ORIGINAL">:$api_version,
                       OptionalAttr<FlatSymbolRefArrayAttr>:$called_computations,
                       OptionalAttr<ArrayAttr>:$operand_layouts,
                       OptionalAttr<ArrayAttr>:$result_layouts,
                       OptionalAttr<TypedArrayAttrBase<OutputOperandAliasAttr, "list of aliases">>
                         :$output_operand_aliases);
  let results = (outs Variadic<AnyCallValue>);
  let hasVerifier = 1;
  let assemblyFormat = "custom<CallTarget>($call_target_name) `(` $inputs `)` attr-dict"
                       " `:` functional-type(operands, results)";
}

def CompositeOp : StableHLO_Op<"composite", [DeclareOpInterfaceMethods<SymbolUserOpInterface>]> {
  let summary = "a named op with a decomposition";
  let arguments = (ins Variadic<AnyHloValue>:$inputs, StrAttr:$name,
                       OptionalAttr<DictionaryAttr>:$composite_attributes,
                       FlatSymbolRefAttr:$decomposition,
                       DefaultValuedOptionalAttr<I32Attr, "0">:$version);
  let results = (outs Variadic<AnyHloValue>);
  let regions = (region VariadicRegion<AnyRegion>:$composite_regions);
  let hasVerifier = 1;
  let assemblyFormat = "$name $inputs attr-dict (`(` $composite_regions^ `)`)?"
                       " `:` functional-type(operands, results)";
}

//===-----------------------------------------------------------------------------===//
// Tuples
//===-----------------------------------------------------------------------------===//

def TupleOp : InferringOp<"tuple", "inferTuple(context, operands, types)", [Pure]> {
  let arguments = (ins Variadic<AnyHloValueOrBuffer>:$val);
  let results = (outs Tuple:$result);
  let assemblyFormat = "$val attr-dict `:` custom<TupleType>(type($val), type($result))";
}

def GetTupleElementOp : InferringOp<"get_tuple_element",
    "inferTupleElement(emit, operands, adaptor.getIndex(), types)", [Pure]> {
  let arguments = (ins Tuple:$operand, I32Attr:$index);
  let results = (outs AnyHloValueOrBuffer:$result);
  let assemblyFormat = "$operand `[` custom<I32>($index) `]` attr-dict"
                       " `:` functional-type(operands, results)";
}

//===-----------------------------------------------------------------------------===//
// Tokens, the host, other devices
//===-----------------------------------------------------------------------------===//

def AfterAllOp : StableHLO_Op<"after_all", [Pure]> {
  let arguments = (ins Variadic<Token>:$inputs);
  let results = (outs Token:$result);
  let assemblyFormat = "$inputs attr-dict `:` custom<VariadicSameTypes>(ref($inputs), type($inputs), type($result))";
}

def CreateTokenOp : StableHLO_Op<"create_token", [Pure]> {
  let results = (outs Token:$output);
  let assemblyFormat = "attr-dict `:` type(results)";
}

def InfeedOp : StableHLO_Op<"infeed"> {
  let arguments = (ins Token:$token, OptionalAttr<StrAttr>:$infeed_config,
                       OptionalAttr<ArrayAttr>:$layout);
  let results = (outs Variadic<TensorOrToken>);
  let hasVerifier = 1;
}

def OutfeedOp : StableHLO_Op<"outfeed"> {
  let arguments = (ins Variadic<AnyHloTensor>:$inputs, Token:$token,
                       OptionalAttr<StrAttr>:$outfeed_config);
  let results = (outs Token:$result);
}

def SendOp : StableHLO_Op<"send"> {
  let arguments = (ins Variadic<AnyHloTensor>:$inputs, Token:$token, ChannelHandleAttr:$channel_handle,
                       DefaultValuedOptionalAttr<BoolAttr, "false">:$is_host_transfer,
                       OptionalAttr<I64ElementsAttr>:$source_target_pairs);
  let results = (outs Token:$result);
  let hasVerifier = 1;
}

def RecvOp : StableHLO_Op<"recv"> {
  let arguments = (ins Token:$token, ChannelHandleAttr:$channel_handle,
                       DefaultValuedOptionalAttr<BoolAttr, "false">:$is_host_transfer,
                       OptionalAttr<I64ElementsAttr>:$source_target_pairs);
  let results = (outs Variadic<TensorOrToken>);
  let hasVerifier = 1;
}

def ReplicaIdOp : StableHLO_Op<"replica_id", [Pure]> {
  let results = (outs RankedTensorOfKinds<0, [UIntKind]>:$result);
  let assemblyFormat = "attr-dict `:` type(results)";
}
def PartitionIdOp : StableHLO_Op<"partition_id", [Pure]> {
  let results = (outs RankedTensorOfKinds<0, [UIntKind]>:$result);
  let assemblyFormat = "attr-dict `:` type(results)";
}

//===-----------------------------------------------------------------------------===//
// Asynchronous operations
//===-----------------------------------------------------------------------------===//

def AsyncStartOp : StableHLO_Op<"async_start"> {
  let arguments = (ins Variadic<AnyHloTensor>:$operands);
  let results = (outs Future:$result);
  let regions = (region SizedRegion<1>:$body);
  let hasVerifier = 1;
}
def AsyncDoneOp : StableHLO_Op<"async_done"> {
  let arguments = (ins Future:$operand);
  let results = (outs Variadic<AnyHloTensor>);
  let hasVerifier = 1;
}

#endif
