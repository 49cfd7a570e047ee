//===- sdy.td - ops that state shardings, and computations under them ------------------------------===//
// Part of tpuc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef TPUC_SDY_TD
#define TPUC_SDY_TD

include "dialects/sdy/interfaces.td"
include "mlir/Interfaces/ControlFlowInterfaces.td"

class Sdy_Op<string mnemonic, list<Trait> traits = []> : Op<SdyDialect, mnemonic, traits>;

def MeshOp : Sdy_Op<"mesh", [Symbol]> {
  let arguments = (ins SymbolNameAttr:$sym_name, MeshAttr:$mesh);
  let assemblyFormat = "$sym_name `=` $mesh attr-dict";
}

// Its operand, with a sharding asked for.
class ShardingOp<string mnemonic>
    : Sdy_Op<mnemonic, [AllTypesMatch<["input", "result"]>,
                        DeclareOpInterfaceMethods<SymbolUserOpInterface>]> {
  let arguments = (ins AnyType:$input, TensorShardingAttr:$sharding);
  let results = (outs AnyType:$result);
  let assemblyFormat = "$input $sharding attr-dict `:` type($result)";
}
def ShardingConstraintOp : ShardingOp<"sharding_constraint">;
def ReshardOp : ShardingOp<"reshard">;

// The methods of a computation whose arguments and results are edges of their own.
def EdgeMethods {
  string cpp = [{
    ::llvm::SmallVector<::mlir::Value> getEdgeOwners();
    ::llvm::SmallVector<::mlir::OpOperand *> getEdgeSources(::mlir::Value owner);
    ::llvm::SmallVector<::mlir::Value> getNonEdgeOwnerTargets(::mlir::Value owner) { return {}; }
    ::mlir::Value getEdgeOwnerFromTarget(::mlir::Value target) { return target; }
    ::mlir::Value getEdgeOwnerFromSource(::mlir::OpOperand &source);
    ::tpuc::sdy::TensorShardingAttr getEdgeOwnerSharding(::mlir::Value owner);
    void setEdgeOwnerShardings(::llvm::ArrayRef<::tpuc::sdy::TensorShardingAttr> shardings);
    ::tpuc::sdy::TensorShardingAttr transformTargetSharding(::mlir::Value target,
        ::tpuc::sdy::TensorShardingAttr sharding, bool afterPropagation);
  }];
}

// A region that each device along the manual axes runs on its own parts, with explicit collectives.
def ManualComputationOp
    : Sdy_Op<"manual_computation", [RecursiveMemoryEffects, IsolatedFromAbove, ShardableDataFlowOpInterface,
                                    DeclareOpInterfaceMethods<SymbolUserOpInterface>]> {
  let arguments = (ins Variadic<AnyType>:$tensors, TensorShardingPerValueAttr:$in_shardings,
                       TensorShardingPerValueAttr:$out_shardings, ManualAxesAttr:$manual_axes);
  let results = (outs Variadic<AnyType>:$results);
  let regions = (region SizedRegion<1>:$body);
  let hasVerifier = 1;
  let extraClassDeclaration = EdgeMethods.cpp;
  let assemblyFormat = "`(` operands `)` `in_shardings` `` `=` `` custom<ShardingList>($in_shardings)"
                       " `out_shardings` `` `=` `` custom<ShardingList>($out_shardings)"
                       " `manual_axes` `` `=` `` $manual_axes custom<FunctionBody>($body)"
                       " attr-dict `:` functional-type(operands, results)";
}

def NamedComputationOp
    : Sdy_Op<"named_computation", [RecursiveMemoryEffects, IsolatedFromAbove, ShardableDataFlowOpInterface,
                                    DeclareOpInterfaceMethods<SymbolUserOpInterface>]> {
  let arguments = (ins Variadic<AnyType>:$operands, StrAttr:$name,
                       OptionalAttr<TensorShardingPerValueAttr>:$in_shardings,
                       OptionalAttr<TensorShardingPerValueAttr>:$out_shardings);
  let results = (outs Variadic<AnyType>:$results);
  let regions = (region SizedRegion<1>:$body);
  let hasVerifier = 1;
  let extraClassDeclaration = EdgeMethods.cpp;
  let assemblyFormat = "`<` $name `>` `` `(` $operands `)`"
                       " (`in_shardings` `` `=` `` custom<ShardingList>($in_shardings)^)?"
                       " (`out_shardings` `` `=` `` custom<ShardingList>($out_shardings)^)?"
                       " custom<FunctionBody>($body) attr-dict `:` functional-type($operands, results)";
}

def PropagationBarrierOp : Sdy_Op<"propagation_barrier", [Pure, AllTypesMatch<["input", "result"]>]> {
  let arguments = (ins AnyRankedTensor:$input, PropagationDirection:$allowed_direction);
  let results = (outs AnyRankedTensor:$result);
  let hasVerifier = 1;
  let assemblyFormat = "$input `allowed_direction` `` `=` `` $allowed_direction attr-dict"
                       " `:` type($input)";
}

def ReturnOp : Sdy_Op<"return", [Pure, Terminator, ParentOneOf<["ManualComputationOp", "NamedComputationOp"]>]> {
  let arguments = (ins Variadic<AnyType>:$results);
  let assemblyFormat = "attr-dict ($results^ `:` type($results))?";
}

// Arrays of one group are sharded alike.
def ShardingGroupOp : Sdy_Op<"sharding_group"> {
  let arguments = (ins AnyRankedTensor:$input, I64Attr:$group_id);
  let assemblyFormat = "$input `group_id` `` `=` `` $group_id attr-dict `:` type($input)";
}

// Like stablehlo.constant, but nothing merges two of them: each use has its own sharding.
def ConstantOp : Sdy_Op<"constant", [Pure, AllTypesMatch<["value", "output"]>]> {
  let arguments = (ins ElementsAttr:$value);
  let results = (outs AnyStaticShapeTensor:$output);
  let assemblyFormat = "attr-dict $value";
}

// Stands for the targets of an edge of data flow, in place of their owner: all of them have its sharding.
def DataFlowEdgeOp : Sdy_Op<"data_flow_edge", [AllTypesMatch<["input", "result"]>,
                                               DeclareOpInterfaceMethods<SymbolUserOpInterface>]> {
  let arguments = (ins AnyType:$input, OptionalAttr<TensorShardingAttr>:$sharding);
  let results = (outs AnyType:$result);
  let hasVerifier = 1;
  let assemblyFormat = "$input (`sharding` `` `=` `` $sharding^)? attr-dict `:` type($result)";
}

// The same of an argument of a function, or of a call's result.
def FuncDataFlowEdgeOp : Sdy_Op<"func_data_flow_edge", [AllTypesMatch<["operand", "result"]>]> {
  let arguments = (ins AnyType:$operand);
  let results = (outs AnyType:$result);
  let hasVerifier = 1;
  let assemblyFormat = "$operand attr-dict `:` type($result)";
}

#endif
