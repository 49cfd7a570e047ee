//===- attributes.td - enumerations and attributes of stablehlo ===//
// Part of tpuc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef TPUC_STABLEHLO_ATTRIBUTES_TD
#define TPUC_STABLEHLO_ATTRIBUTES_TD

include "dialects/stablehlo/base.td"
include "mlir/IR/AttrTypeBase.td"
include "mlir/IR/EnumAttr.td"
include "mlir/IR/TensorEncoding.td"

//===-----------------------------------------------------------------------------===//
// Enumerations: #stablehlo<comparison_direction LT>
//===-----------------------------------------------------------------------------===//

class HloEnum<string name, string word, list<string> names>
    : I32EnumAttr<name, word,
                  !foreach(i, !range(!size(names)), I32EnumAttrCase<names[i], i>)> {
  let cppNamespace = "::tpuc::stablehlo";
  let genSpecializedAttr = 0;
}
// The enumeration, and the attribute that is spelled with the same word.
class HloEnumAttr<HloEnum enumeration> : EnumAttr<StablehloDialect, enumeration, enumeration.summary>;

def ComparisonDirectionEnum : HloEnum<"ComparisonDirection", "comparison_direction",
    ["EQ", "NE", "GE", "GT", "LE", "LT"]>;
def ComparisonDirectionAttr : HloEnumAttr<ComparisonDirectionEnum>;
def ComparisonTypeEnum : HloEnum<"ComparisonType", "comparison_type",
    ["NOTYPE", "FLOAT", "TOTALORDER", "SIGNED", "UNSIGNED"]>;
def ComparisonTypeAttr : HloEnumAttr<ComparisonTypeEnum>;
def PrecisionEnum : HloEnum<"Precision", "precision",
    ["DEFAULT", "HIGH", "HIGHEST"]>;
def PrecisionAttr : HloEnumAttr<PrecisionEnum>;
def FftTypeEnum : HloEnum<"FftType", "fft_type",
    ["FFT", "IFFT", "RFFT", "IRFFT"]>;
def FftTypeAttr : HloEnumAttr<FftTypeEnum>;
def TransposeEnum : HloEnum<"Transpose", "transpose",
    ["TRANSPOSE_INVALID", "NO_TRANSPOSE", "TRANSPOSE", "ADJOINT"]>;
def TransposeAttr : HloEnumAttr<TransposeEnum>;
def RngDistributionEnum : HloEnum<"RngDistribution", "rng_distribution",
    ["UNDEFINED", "UNIFORM", "NORMAL"]>;
def RngDistributionAttr : HloEnumAttr<RngDistributionEnum>;
def RngAlgorithmEnum : HloEnum<"RngAlgorithm", "rng_algorithm",
    ["DEFAULT", "THREE_FRY", "PHILOX"]>;
def RngAlgorithmAttr : HloEnumAttr<RngAlgorithmEnum>;
def CustomCallApiVersionAttr : I32EnumAttr<"CustomCallApiVersion", "custom call api version", [
    I32EnumAttrCase<"API_VERSION_UNSPECIFIED", 0>, I32EnumAttrCase<"API_VERSION_ORIGINAL", 1>,
    I32EnumAttrCase<"API_VERSION_STATUS_RETURNING", 2>,
    I32EnumAttrCase<"API_VERSION_STATUS_RETURNING_UNIFIED", 3>,
    I32EnumAttrCase<"API_VERSION_TYPED_FFI", 4>]> {
  let cppNamespace = "::tpuc::stablehlo";
}
def ResultAccuracyModeEnum : HloEnum<"ResultAccuracyMode", "result_accuracy_mode",
    ["DEFAULT", "HIGHEST", "TOLERANCE"]>;
def ResultAccuracyModeAttr : HloEnumAttr<ResultAccuracyModeEnum> {
  let assemblyFormat = "`<` $value `>`";
}

//===-----------------------------------------------------------------------------===//
// Attributes
//===-----------------------------------------------------------------------------===//

// A list of dimensions, printed in brackets; left out when empty.
class DimList<string desc = ""> : OptionalArrayRefParameter<"int64_t", desc> {
  let parser = "::tpuc::stablehlo::parseDimList($_parser)";
  let printer = "::tpuc::stablehlo::printDimList($_printer, $_self)";
}
// The same, printed when empty too.
class FullDimList<string desc = ""> : ArrayRefParameter<"int64_t", desc> {
  let parser = "::tpuc::stablehlo::parseDimList($_parser)";
  let printer = "::tpuc::stablehlo::printDimList($_printer, $_self)";
}
class TypeParam<string desc = ""> : AttrOrTypeParameter<"::mlir::Type", desc> {
  let printer = "$_printer.printType($_self)";
}
// An attribute in full, with its dialect's name.
class FullAttr<string cppType> : AttrOrTypeParameter<cppType, ""> {
  let printer = "$_printer.printAttribute($_self)";
}
class FullAttrList<string element> : ArrayRefParameter<element, ""> {
  let parser = "::tpuc::stablehlo::parseAttrList<" # element # ">($_parser)";
  let printer = "::tpuc::stablehlo::printAttrList($_printer, $_self)";
}
def ZeroFloat : DefaultValuedParameter<"::llvm::APFloat", "::llvm::APFloat(0.0)"> {
  let parser = "::tpuc::stablehlo::parseDouble($_parser)";
}
def ZeroInt : DefaultValuedParameter<"int64_t", "0">;

// Parameters carry the specification's names; `struct` reads them in any order. Those with a format of
// their own also take a comma after the last one, as written by hand.
class StableHLO_Attr<string name, string attrMnemonic, list<Trait> traits = []>
    : AttrDef<StablehloDialect, name, traits> {
  let mnemonic = attrMnemonic;
  let assemblyFormat = "`<` struct(params) `>`";
}

def DotDimensionNumbersAttr : StableHLO_Attr<"DotDimensionNumbers", "dot"> {
  let parameters = (ins DimList<>:$lhs_batching_dimensions, DimList<>:$rhs_batching_dimensions,
    DimList<>:$lhs_contracting_dimensions, DimList<>:$rhs_contracting_dimensions);
  let hasCustomAssemblyFormat = 1;
  let assemblyFormat = ?;
}

def DotAlgorithmAttr : StableHLO_Attr<"DotAlgorithm", "dot_algorithm"> {
  let parameters = (ins TypeParam<>:$lhs_precision_type, TypeParam<>:$rhs_precision_type,
    TypeParam<>:$accumulation_type, "int64_t":$lhs_component_count, "int64_t":$rhs_component_count,
    "int64_t":$num_primitive_operations, "bool":$allow_imprecise_accumulation);
}

def GatherDimensionNumbersAttr : StableHLO_Attr<"GatherDimensionNumbers", "gather"> {
  let parameters = (ins DimList<>:$offset_dims, DimList<>:$collapsed_slice_dims,
    DimList<>:$operand_batching_dims, DimList<>:$start_indices_batching_dims,
    DimList<>:$start_index_map, ZeroInt:$index_vector_dim);
  let hasCustomAssemblyFormat = 1;
  let assemblyFormat = ?;
}

def ScatterDimensionNumbersAttr : StableHLO_Attr<"ScatterDimensionNumbers", "scatter"> {
  let parameters = (ins DimList<>:$update_window_dims, DimList<>:$inserted_window_dims,
    DimList<>:$input_batching_dims, DimList<>:$scatter_indices_batching_dims,
    DimList<>:$scatter_dims_to_operand_dims, ZeroInt:$index_vector_dim);
  let hasCustomAssemblyFormat = 1;
  let assemblyFormat = ?;
}

// #stablehlo.conv<[b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f]>, or `raw` and the fields by name.
def ConvDimensionNumbersAttr : StableHLO_Attr<"ConvDimensionNumbers", "conv"> {
  let parameters = (ins "int64_t":$input_batch_dimension, "int64_t":$input_feature_dimension,
    FullDimList<>:$input_spatial_dimensions, "int64_t":$kernel_input_feature_dimension,
    "int64_t":$kernel_output_feature_dimension, FullDimList<>:$kernel_spatial_dimensions,
    "int64_t":$output_batch_dimension, "int64_t":$output_feature_dimension,
    FullDimList<>:$output_spatial_dimensions);
  let hasCustomAssemblyFormat = 1;
  let assemblyFormat = ?;
}

def ChannelHandleAttr : StableHLO_Attr<"ChannelHandle", "channel_handle"> {
  let parameters = (ins "int64_t":$handle, "int64_t":$type);
}

// Result `output_tuple_indices` of a call lives where its operand `operand_index` lives.
def OutputOperandAliasAttr : StableHLO_Attr<"OutputOperandAlias", "output_operand_alias"> {
  let parameters = (ins FullDimList<>:$output_tuple_indices, "int64_t":$operand_index,
    FullDimList<>:$operand_tuple_indices);
}

def ResultAccuracyAttr : StableHLO_Attr<"ResultAccuracy", "result_accuracy"> {
  let parameters = (ins ZeroFloat:$atol, ZeroFloat:$rtol, ZeroInt:$ulps,
    FullAttr<"::tpuc::stablehlo::ResultAccuracyModeAttr">:$mode);
  let genVerifyDecl = 1;
}

// The encoding of a bounded dynamic tensor: tensor<?x10xf32, #stablehlo.bounds<4, ?>>. Also
// spelled #stablehlo.type_extensions<bounds = [4, ?]>, which dialect.cpp reads.
def TypeExtensionsAttr
    : StableHLO_Attr<"TypeExtensions", "bounds",
                     [DeclareAttrInterfaceMethods<VerifiableTensorEncoding>]> {
  let parameters = (ins FullDimList<"kDynamic where a dimension has no bound">:$bounds);
  let hasCustomAssemblyFormat = 1;
  let assemblyFormat = ?;
}

// Groups of devices along axes of a mesh, instead of lists of their ids.
def MeshAxisAttr : StableHLO_Attr<"MeshAxis", "mesh_axis"> {
  let parameters = (ins StringRefParameter<>:$name, "int64_t":$size);
}
def MeshAttr : StableHLO_Attr<"Mesh", "mesh"> {
  let parameters = (ins FullAttrList<"::tpuc::stablehlo::MeshAxisAttr">:$axes,
    OptionalParameter<"::mlir::DenseIntElementsAttr">:$device_ids);
}
// Printed as (pre_size)size within its axis_ref.
def SubAxisInfoAttr : StableHLO_Attr<"SubAxisInfo", "sub_axis_info"> {
  let parameters = (ins "int64_t":$pre_size, "int64_t":$size);
  let assemblyFormat = "`(` $pre_size `)` `` $size";
}
def AxisRefAttr : StableHLO_Attr<"AxisRef", "axis_ref"> {
  let parameters = (ins StringRefParameter<>:$name,
    OptionalParameter<"::tpuc::stablehlo::SubAxisInfoAttr">:$sub_axis_info);
}
def ReplicaGroupMeshAxesAttr : StableHLO_Attr<"ReplicaGroupMeshAxes", "replica_group_mesh_axes"> {
  let parameters = (ins FullAttr<"::mlir::Attribute">:$mesh,
    FullAttrList<"::tpuc::stablehlo::AxisRefAttr">:$axes);
}

#endif
