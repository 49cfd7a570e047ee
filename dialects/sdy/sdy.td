//===- sdy.td - meshes, shardings and manual computations, as programs state them --------------===//
// Part of tpuc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef TPUC_SDY_TD
#define TPUC_SDY_TD

include "mlir/IR/AttrTypeBase.td"
include "mlir/IR/BuiltinAttributes.td"
include "mlir/IR/EnumAttr.td"
include "mlir/IR/OpBase.td"
include "mlir/IR/SymbolInterfaces.td"
include "mlir/Interfaces/SideEffectInterfaces.td"

def SdyDialect : Dialect {
  let name = "sdy";
  let summary = "axis-based shardings";
  let cppNamespace = "::tpuc::sdy";
  let useDefaultAttributePrinterParser = 1;
  let dependentDialects = ["::mlir::func::FuncDialect"];
  let hasOperationAttrVerify = 1; // sdy.sharding_rule
}

class Sdy_Attr<string name, string attrMnemonic> : AttrDef<SdyDialect, name> {
  let mnemonic = attrMnemonic;
  let hasCustomAssemblyFormat = 1;
}

// "x"=4
def MeshAxisAttr : Sdy_Attr<"MeshAxis", "mesh_axis"> {
  let parameters = (ins StringRefParameter<>:$name, "int64_t":$size);
}
// <["x"=4, "y"=2], device_ids=[..]>
def MeshAttr : Sdy_Attr<"Mesh", "mesh"> {
  let parameters = (ins ArrayRefParameter<"::tpuc::sdy::MeshAxisAttr">:$axes,
                        OptionalArrayRefParameter<"int64_t">:$device_ids);
  let genVerifyDecl = 1;
}
// "x", or "x":(1)2, the part of an axis that begins after `pre_size` parts
def AxisRefAttr : Sdy_Attr<"AxisRef", "axis_ref"> {
  let parameters = (ins StringRefParameter<>:$name, DefaultValuedParameter<"int64_t", "0">:$pre_size,
                        DefaultValuedParameter<"int64_t", "0">:$size);
  let extraClassDeclaration = [{ bool isSubAxis() const { return getSize() != 0; } }];
}
// {"x", ?}p1: axes from major to minor, whether more may follow, the priority in propagation
def DimensionShardingAttr : Sdy_Attr<"DimensionSharding", "dimension_sharding"> {
  let parameters = (ins ArrayRefParameter<"::tpuc::sdy::AxisRefAttr">:$axes, "bool":$is_closed,
                        OptionalParameter<"::std::optional<int64_t>">:$priority);
}
// <@mesh, [{"x"}, {}], replicated={"y"}, unreduced={"z"}>
def TensorShardingAttr : Sdy_Attr<"TensorSharding", "sharding"> {
  let parameters = (ins "::mlir::Attribute":$mesh_or_ref,
                        ArrayRefParameter<"::tpuc::sdy::DimensionShardingAttr">:$dim_shardings,
                        OptionalArrayRefParameter<"::tpuc::sdy::AxisRefAttr">:$replicated_axes,
                        OptionalArrayRefParameter<"::tpuc::sdy::AxisRefAttr">:$unreduced_axes);
}
// <[<@mesh, [..]>, <@mesh, [..]>]>
def TensorShardingPerValueAttr : Sdy_Attr<"TensorShardingPerValue", "sharding_per_value"> {
  let parameters = (ins ArrayRefParameter<"::tpuc::sdy::TensorShardingAttr">:$shardings);
}
// {"x", "y"}
def ManualAxesAttr : Sdy_Attr<"ManualAxes", "manual_axes"> {
  let parameters = (ins ArrayRefParameter<"::mlir::StringAttr">:$value);
}
// ij: the factors that a dimension is the product of, from major to minor
def DimMappingAttr : Sdy_Attr<"DimMapping", "dim_mapping"> {
  let parameters = (ins OptionalArrayRefParameter<"int64_t">:$factors);
}
// [ij, k]: of each dimension of an operand or a result
def TensorMappingAttr : Sdy_Attr<"TensorMapping", "tensor_mapping"> {
  let parameters = (ins OptionalArrayRefParameter<"::tpuc::sdy::DimMappingAttr">:$dims);
}
// <([i, k], [k, j])->([i, j]) {i=8, j=16, k=4} reduction={k}, custom>: how shardings of operands and results belong together
def OpShardingRuleAttr : Sdy_Attr<"OpShardingRule", "op_sharding_rule"> {
  let parameters = (ins OptionalArrayRefParameter<"int64_t">:$factor_sizes,
                        OptionalArrayRefParameter<"::tpuc::sdy::TensorMappingAttr">:$operands,
                        OptionalArrayRefParameter<"::tpuc::sdy::TensorMappingAttr">:$results,
                        OptionalArrayRefParameter<"int64_t">:$reduction,
                        OptionalArrayRefParameter<"int64_t">:$need_replication,
                        OptionalArrayRefParameter<"int64_t">:$permutation,
                        OptionalArrayRefParameter<"int64_t">:$blocked_propagation,
                        DefaultValuedParameter<"bool", "false">:$is_custom);
}
def PropagationDirection : I32EnumAttr<"PropagationDirection", "direction of propagation", [
    I32EnumAttrCase<"NONE", 0>, I32EnumAttrCase<"FORWARD", 1>, I32EnumAttrCase<"BACKWARD", 2>,
    I32EnumAttrCase<"BOTH", 3>]> {
  let cppNamespace = "::tpuc::sdy";
}

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

// A region that each device along the manual axes runs on its own parts, with explicit collectives.
def ManualComputationOp
    : Sdy_Op<"manual_computation", [RecursiveMemoryEffects, IsolatedFromAbove,
                                    DeclareOpInterfaceMethods<SymbolUserOpInterface>]> {
  let arguments = (ins Variadic<AnyType>:$tensors, TensorShardingPerValueAttr:$in_shardings,
                       TensorShardingPerValueAttr:$out_shardings, ManualAxesAttr:$manual_axes);
  let results = (outs Variadic<AnyType>:$results);
  let regions = (region SizedRegion<1>:$body);
  let hasVerifier = 1;
  let assemblyFormat = "`(` operands `)` `in_shardings` `` `=` `` custom<ShardingList>($in_shardings)"
                       " `out_shardings` `` `=` `` custom<ShardingList>($out_shardings)"
                       " `manual_axes` `` `=` `` $manual_axes custom<FunctionBody>($body)"
                       " attr-dict `:` functional-type(operands, results)";
}

def NamedComputationOp
    : Sdy_Op<"named_computation", [RecursiveMemoryEffects, IsolatedFromAbove]> {
  let arguments = (ins Variadic<AnyType>:$operands, StrAttr:$name,
                       OptionalAttr<TensorShardingPerValueAttr>:$in_shardings,
                       OptionalAttr<TensorShardingPerValueAttr>:$out_shardings);
  let results = (outs Variadic<AnyType>:$results);
  let regions = (region SizedRegion<1>:$body);
  let hasVerifier = 1;
  let assemblyFormat = "`<` $name `>` `` `(` $operands `)`"
                       " (`in_shardings` `` `=` `` custom<ShardingList>($in_shardings)^)?"
                       " (`out_shardings` `` `=` `` custom<ShardingList>($out_shardings)^)?"
                       " custom<FunctionBody>($body) attr-dict `:` functional-type($operands, results)";
}

def PropagationBarrierOp : Sdy_Op<"propagation_barrier", [Pure, AllTypesMatch<["input", "result"]>]> {
  let arguments = (ins AnyRankedTensor:$input, PropagationDirection:$allowed_direction);
  let results = (outs AnyRankedTensor:$result);
  let assemblyFormat = "$input `allowed_direction` `` `=` `` $allowed_direction attr-dict"
                       " `:` type($input)";
}

def ReturnOp : Sdy_Op<"return", [Pure, Terminator, ParentOneOf<["ManualComputationOp", "NamedComputationOp"]>]> {
  let arguments = (ins Variadic<AnyType>:$results);
  let assemblyFormat = "attr-dict ($results^ `:` type($results))?";
}

#endif
