//===- attributes.td - meshes, axes, shardings and rules, as programs state them ---------------------===//
// Part of tpuc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef TPUC_SDY_ATTRIBUTES_TD
#define TPUC_SDY_ATTRIBUTES_TD

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
  let hasOperationAttrVerify = 1; // sdy.sharding_rule, sdy.sharding
  let hasRegionArgAttrVerify = 1;
  let hasRegionResultAttrVerify = 1;
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
def ReductionOpEnum : I32EnumAttr<"ReductionOp", "how the parts of an unreduced array become the array", [
    I32EnumAttrCase<"SUM", 0, "sum">, I32EnumAttrCase<"MAX", 1, "max">, I32EnumAttrCase<"MIN", 2, "min">]> {
  let cppNamespace = "::tpuc::sdy";
  let genSpecializedAttr = 0;
}
def ReductionOpAttr : EnumAttr<SdyDialect, ReductionOpEnum, "reduction_op"> { let assemblyFormat = "$value"; }

// <@mesh, [{"x"}, {}], replicated={"y"}, unreduced=max{"z"}>
def TensorShardingAttr : Sdy_Attr<"TensorSharding", "sharding"> {
  let parameters = (ins "::mlir::Attribute":$mesh_or_ref,
                        ArrayRefParameter<"::tpuc::sdy::DimensionShardingAttr">:$dim_shardings,
                        OptionalArrayRefParameter<"::tpuc::sdy::AxisRefAttr">:$replicated_axes,
                        OptionalArrayRefParameter<"::tpuc::sdy::AxisRefAttr">:$unreduced_axes,
                        DefaultValuedParameter<"::tpuc::sdy::ReductionOp",
                                               "::tpuc::sdy::ReductionOp::SUM">:$reduction_op);
  let builders = [AttrBuilder<(ins "::mlir::Attribute":$mesh_or_ref,
                                   "::llvm::ArrayRef<::tpuc::sdy::DimensionShardingAttr>":$dims,
                                   CArg<"::llvm::ArrayRef<::tpuc::sdy::AxisRefAttr>", "{}">:$replicated,
                                   CArg<"::llvm::ArrayRef<::tpuc::sdy::AxisRefAttr>", "{}">:$unreduced),
                              [{ return $_get($_ctxt, mesh_or_ref, dims, replicated, unreduced, ReductionOp::SUM); }]>];
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
// <([i, k], [k, j])->([i, j]) {i=8, j=16, k=4} reduction={k}, custom>: how shardings of operands and results belong
// together
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

// {"x", "y":(1)2}
def AxisRefListAttr : Sdy_Attr<"AxisRefList", "axis_ref_list"> {
  let parameters = (ins OptionalArrayRefParameter<"::tpuc::sdy::AxisRefAttr">:$value);
}
// [{"x"}, {}]: a list a dimension
def ListOfAxisRefListsAttr : Sdy_Attr<"ListOfAxisRefLists", "list_of_axis_ref_lists"> {
  let parameters = (ins OptionalArrayRefParameter<"::tpuc::sdy::AxisRefListAttr">:$value);
}
// {"x"}: 0->1
def AllToAllParamAttr : Sdy_Attr<"AllToAllParam", "all_to_all_param"> {
  let parameters = (ins OptionalArrayRefParameter<"::tpuc::sdy::AxisRefAttr">:$axes, "int64_t":$src_dim,
                        "int64_t":$tgt_dim);
}
// [{"x"}: 0->1, {"y"}: 2->3]
def AllToAllParamListAttr : Sdy_Attr<"AllToAllParamList", "all_to_all_param_list"> {
  let parameters = (ins OptionalArrayRefParameter<"::tpuc::sdy::AllToAllParamAttr">:$value);
}

//===-----------------------------------------------------------------------------===//
// How an axis reached a value
//===-----------------------------------------------------------------------------===//

def EdgeNodeType : I32EnumAttr<"EdgeNodeType", "side of an op", [
    I32EnumAttrCase<"OPERAND", 0, "operand">, I32EnumAttrCase<"RESULT", 1, "result">]> {
  let cppNamespace = "::tpuc::sdy";
}
// operand-1
def EdgeValueRefAttr : Sdy_Attr<"EdgeValueRef", "edge_value_ref"> {
  let parameters = (ins "::tpuc::sdy::EdgeNodeType":$type, "int64_t":$index);
}
// {"x" = operand-1 -> [operand-0, result-0]}
def AxisToPropagationDetailsAttr : Sdy_Attr<"AxisToPropagationDetails", "axis_to_propagation_details"> {
  let parameters = (ins "::tpuc::sdy::AxisRefAttr":$axis_name, "::tpuc::sdy::EdgeValueRefAttr":$source,
                        OptionalArrayRefParameter<"::tpuc::sdy::EdgeValueRefAttr">:$targets);
}
// {step-2 = [..]}
def PropagationOneStepAttr : Sdy_Attr<"PropagationOneStep", "propagation_one_step"> {
  let parameters = (ins "int64_t":$step_index,
                        OptionalArrayRefParameter<"::tpuc::sdy::AxisToPropagationDetailsAttr">:$axis_entries);
}
// <[{step-2 = [..]}, ..]>
def PropagationEdgesAttr : Sdy_Attr<"PropagationEdges", "propagation_edges"> {
  let parameters = (ins OptionalArrayRefParameter<"::tpuc::sdy::PropagationOneStepAttr">:$value);
}

#endif
