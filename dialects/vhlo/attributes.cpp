//===- attributes.cpp - attributes of ops as vhlo and as stablehlo have them --------------------------===//
// Part of tpuc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===-----------------------------------------------------------------------------===//
#include "dialects/vhlo/attributes.h"

#include "dialects/stablehlo/stablehlo.h"

#include "mlir/IR/SymbolTable.h"

using namespace mlir;

namespace tpuc::vhlo {
namespace {

namespace hlo = tpuc::stablehlo;

//===-----------------------------------------------------------------------------===//
// Defaults
//===-----------------------------------------------------------------------------===//

enum class Default {
  False,        // a boolean
  Zero,         // an integer
  MinusOne,
  Ones,         // a list with an entry a spatial dimension
  Zeros,        // a table of pairs with a row a spatial dimension
  Falses,       // a list of booleans with an entry a spatial dimension
  EmptyText,
  EmptyList,    // of attributes
  EmptyNumbers, // i64[0]
  EmptyNames,   // a dictionary
  NoComparison,
  FirstApi,
  PlainPrecision, // two of them
  PlainAccuracy,
  NoType,
};

struct DefaultOf {
  llvm::StringLiteral attribute;
  Default value;
  llvm::StringLiteral ops; // separated by spaces; empty: all that have the attribute
};

constexpr DefaultOf kDefaults[] = {
    {"channel_id", Default::Zero,
     "all_gather all_reduce reduce_scatter all_to_all collective_permute collective_broadcast collective_reduce"},
    {"use_global_device_ids", Default::False, ""},
    {"has_dynamic_root", Default::False, ""},
    {"lower", Default::False, "cholesky"},
    {"compare_type", Default::NoComparison, ""},
    {"version", Default::Zero, "composite"},
    {"composite_attributes", Default::EmptyNames, ""},
    {"window_strides", Default::Ones, ""},
    {"base_dilations", Default::Ones, ""},
    {"window_dilations", Default::Ones, ""},
    {"lhs_dilation", Default::Ones, ""},
    {"rhs_dilation", Default::Ones, ""},
    {"padding", Default::Zeros, ""},
    {"window_reversal", Default::Falses, ""},
    {"precision_config", Default::PlainPrecision, ""},
    {"has_side_effect", Default::False, ""},
    {"backend_config", Default::EmptyText, ""},
    {"api_version", Default::FirstApi, ""},
    {"called_computations", Default::EmptyList, ""},
    {"operand_layouts", Default::EmptyList, ""},
    {"result_layouts", Default::EmptyList, ""},
    {"output_operand_aliases", Default::EmptyList, ""},
    {"result_tilings", Default::EmptyList, ""},
    {"known_expanding_dimensions", Default::EmptyNumbers, ""},
    {"known_nonexpanding_dimensions", Default::EmptyNumbers, ""},
    {"indices_are_sorted", Default::False, ""},
    {"unique_indices", Default::False, ""},
    {"infeed_config", Default::EmptyText, ""},
    {"layout", Default::EmptyList, ""},
    {"outfeed_config", Default::EmptyText, ""},
    {"is_host_transfer", Default::False, ""},
    {"source_target_pairs", Default::EmptyNumbers, "send recv"},
    {"dimension", Default::MinusOne, "sort"},
    {"is_stable", Default::False, ""},
    {"result_accuracy", Default::PlainAccuracy, ""},
    {"lhs_precision_type", Default::NoType, ""},
    {"rhs_precision_type", Default::NoType, ""},
    {"accumulation_type", Default::NoType, ""},
    {"lhs_component_count", Default::NoType, ""},
    {"rhs_component_count", Default::NoType, ""},
    {"num_primitive_operations", Default::NoType, ""},
    {"allow_imprecise_accumulation", Default::NoType, ""},
    {"sym_visibility", Default::EmptyText, ""},
    {"arg_attrs", Default::EmptyList, ""},
    {"res_attrs", Default::EmptyList, ""},
};

const DefaultOf *defaultOf(StringRef base, StringRef attribute) {
  for (const DefaultOf &entry : kDefaults) {
    SmallVector<StringRef> names;
    StringRef(entry.ops).split(names, ' ', -1, /*KeepEmpty=*/false);
    if (entry.attribute == attribute && (names.empty() || llvm::is_contained(names, base)))
      return &entry;
  }
  return nullptr;
}

bool isNumber(Attribute value, int64_t number) {
  auto integer = dyn_cast<IntegerAttr>(value);
  return integer && !isa<BoolAttr>(value) && integer.getValue().getSExtValue() == number;
}

bool isSplat(Attribute value, int64_t number) {
  auto dense = dyn_cast<DenseIntElementsAttr>(value);
  return dense && llvm::all_of(dense.getValues<APInt>(), [&](const APInt &v) {
    return (dense.getElementType().isInteger(1) ? v.getZExtValue() : v.getSExtValue()) == static_cast<uint64_t>(number);
  });
}

bool isEmpty(Attribute value) {
  if (auto text = dyn_cast<StringAttr>(value))
    return text.empty();
  if (auto list = dyn_cast<ArrayAttr>(value))
    return list.empty();
  if (auto names = dyn_cast<DictionaryAttr>(value))
    return names.empty();
  auto dense = dyn_cast<DenseElementsAttr>(value);
  return dense && dense.empty();
}

hlo::ResultAccuracyAttr plainAccuracy(MLIRContext *context) {
  auto mode = hlo::ResultAccuracyModeAttr::get(context, hlo::ResultAccuracyMode::DEFAULT);
  return hlo::ResultAccuracyAttr::get(context, APFloat(0.0), APFloat(0.0), 0, mode);
}

bool isDefault(Attribute value, Default kind) {
  MLIRContext *context = value.getContext();
  switch (kind) {
  case Default::False: return value == BoolAttr::get(context, false);
  case Default::Zero: return isNumber(value, 0);
  case Default::MinusOne: return isNumber(value, -1);
  case Default::Ones: return isSplat(value, 1);
  case Default::Zeros:
  case Default::Falses: return isSplat(value, 0);
  case Default::EmptyText:
  case Default::EmptyList:
  case Default::EmptyNumbers:
  case Default::EmptyNames: return isEmpty(value);
  case Default::NoComparison: return value == hlo::ComparisonTypeAttr::get(context, hlo::ComparisonType::NOTYPE);
  case Default::FirstApi: return isNumber(value, 1);
  case Default::PlainPrecision: {
    auto list = dyn_cast<ArrayAttr>(value);
    Attribute plain = hlo::PrecisionAttr::get(context, hlo::Precision::DEFAULT);
    return list && llvm::all_of(list, [&](Attribute entry) { return entry == plain; });
  }
  case Default::PlainAccuracy: return value == plainAccuracy(context);
  case Default::NoType: return value == TypeAttr::get(NoneType::get(context));
  }
  return false;
}

//===-----------------------------------------------------------------------------===//
// Fields
//===-----------------------------------------------------------------------------===//

// Takes fields of vhlo out of a list and makes attributes of stablehlo of them. The first that is missing or of another
// kind is reported; a list that a version lacks is empty.
class Fields {
public:
  Fields(NamedAttrList &list, Location location) : list(list), location(location) {}

  SmallVector<int64_t> numbers(StringRef name) {
    Attribute value = list.erase(name);
    if (!value)
      return {};
    auto dense = dyn_cast<DenseIntElementsAttr>(value);
    if (!dense || !dense.getElementType().isInteger(64)) {
      refuse(name, "a list of 64-bit integers", value);
      return {};
    }
    return llvm::to_vector(dense.getValues<int64_t>());
  }
  int64_t number(StringRef name) {
    Attribute value = list.erase(name);
    auto integer = dyn_cast_or_null<IntegerAttr>(value);
    if (!integer || integer.getValue().getBitWidth() > 64) {
      refuse(name, "an integer", value);
      return 0;
    }
    return integer.getValue().getSExtValue();
  }
  Type type(StringRef name) {
    auto value = dyn_cast_or_null<TypeAttr>(list.erase(name));
    if (!value)
      refuse(name, "a type", value);
    return value ? value.getValue() : Type();
  }
  bool flag(StringRef name) {
    auto value = dyn_cast_or_null<BoolAttr>(list.erase(name));
    if (!value)
      refuse(name, "a boolean", value);
    return value && value.getValue();
  }

  LogicalResult result() const { return failure(failedOnce); }

private:
  void refuse(StringRef name, StringRef what, Attribute value) {
    if (!failedOnce)
      emitError(location) << "expects " << what << " as " << name << ", but got " << value;
    failedOnce = true;
  }

  NamedAttrList &list;
  Location location;
  bool failedOnce = false;
};

LogicalResult gatherDot(NamedAttrList &list, Location location) {
  MLIRContext *context = location.getContext();
  Fields f(list, location);
  SmallVector<int64_t> lhsBatch = f.numbers("lhs_batching_dimensions"), rhsBatch = f.numbers("rhs_batching_dimensions");
  SmallVector<int64_t> lhs = f.numbers("lhs_contracting_dimensions"), rhs = f.numbers("rhs_contracting_dimensions");
  list.set("dot_dimension_numbers", hlo::DotDimensionNumbersAttr::get(context, lhsBatch, rhsBatch, lhs, rhs));
  if (!list.get("accumulation_type"))
    return f.result();
  Type lhsType = f.type("lhs_precision_type"), rhsType = f.type("rhs_precision_type"), sum = f.type("accumulation_type");
  int64_t lhsCount = f.number("lhs_component_count"), rhsCount = f.number("rhs_component_count");
  int64_t operations = f.number("num_primitive_operations");
  bool imprecise = f.flag("allow_imprecise_accumulation");
  if (succeeded(f.result()))
    list.set("algorithm", hlo::DotAlgorithmAttr::get(context, lhsType, rhsType, sum, lhsCount, rhsCount, operations, imprecise));
  return f.result();
}

LogicalResult gatherConvolution(NamedAttrList &list, Location location) {
  Fields f(list, location);
  int64_t inputBatch = f.number("input_batch_dimension"), inputFeature = f.number("input_feature_dimension");
  SmallVector<int64_t> input = f.numbers("input_spatial_dimensions");
  int64_t kernelInput = f.number("kernel_input_feature_dimension"), kernelOutput = f.number("kernel_output_feature_dimension");
  SmallVector<int64_t> kernel = f.numbers("kernel_spatial_dimensions");
  int64_t outputBatch = f.number("output_batch_dimension"), outputFeature = f.number("output_feature_dimension");
  SmallVector<int64_t> output = f.numbers("output_spatial_dimensions");
  list.set("dimension_numbers",
           hlo::ConvDimensionNumbersAttr::get(location.getContext(), inputBatch, inputFeature, input, kernelInput,
                                              kernelOutput, kernel, outputBatch, outputFeature, output));
  return f.result();
}

LogicalResult gatherGather(NamedAttrList &list, Location location) {
  Fields f(list, location);
  SmallVector<int64_t> offset = f.numbers("offset_dims"), collapsed = f.numbers("collapsed_slice_dims");
  SmallVector<int64_t> batch = f.numbers("operand_batching_dims"), indexBatch = f.numbers("start_indices_batching_dims");
  SmallVector<int64_t> map = f.numbers("start_index_map");
  int64_t vectorDim = f.number("index_vector_dim");
  list.set("dimension_numbers", hlo::GatherDimensionNumbersAttr::get(location.getContext(), offset, collapsed, batch,
                                                                     indexBatch, map, vectorDim));
  return f.result();
}

LogicalResult gatherScatter(NamedAttrList &list, Location location) {
  Fields f(list, location);
  SmallVector<int64_t> window = f.numbers("update_window_dims"), inserted = f.numbers("inserted_window_dims");
  SmallVector<int64_t> batch = f.numbers("input_batching_dims"), indexBatch = f.numbers("scatter_indices_batching_dims");
  SmallVector<int64_t> map = f.numbers("scatter_dims_to_operand_dims");
  int64_t vectorDim = f.number("index_vector_dim");
  list.set("scatter_dimension_numbers",
           hlo::ScatterDimensionNumbersAttr::get(location.getContext(), window, inserted, batch, indexBatch, map, vectorDim));
  return f.result();
}

// Collectives have the handle's number only; a device's channel to another is of type 1.
LogicalResult gatherChannel(NamedAttrList &list, Location location) {
  if (!list.get("channel_id"))
    return success();
  Fields f(list, location);
  int64_t handle = f.number("channel_id"), type = list.get("channel_type") ? f.number("channel_type") : 1;
  list.set("channel_handle", hlo::ChannelHandleAttr::get(location.getContext(), handle, type));
  return f.result();
}

LogicalResult gatherFields(StringRef base, NamedAttrList &list, Location location) {
  if (base == "dot_general")
    return gatherDot(list, location);
  if (base == "convolution" || base == "dynamic_conv")
    return gatherConvolution(list, location);
  if (base == "gather" || base == "dynamic_gather")
    return gatherGather(list, location);
  if (base == "scatter")
    return gatherScatter(list, location);
  return gatherChannel(list, location);
}

//===-----------------------------------------------------------------------------===//
// Kinds
//===-----------------------------------------------------------------------------===//

// Names of functions are text there, and so is a flag a boolean.
Attribute convertKind(StringRef base, StringRef name, Attribute value) {
  MLIRContext *context = value.getContext();
  if (name == "use_global_device_ids" || name == "has_dynamic_root")
    return UnitAttr::get(context);
  if (name == "callee" || name == "decomposition") {
    auto text = dyn_cast<StringAttr>(value);
    return text && !text.empty() ? Attribute(FlatSymbolRefAttr::get(text)) : value;
  }
  if (name == "called_computations") {
    SmallVector<Attribute> symbols;
    for (Attribute entry : dyn_cast<ArrayAttr>(value) ? cast<ArrayAttr>(value).getValue() : ArrayRef<Attribute>()) {
      auto text = dyn_cast<StringAttr>(entry);
      symbols.push_back(text && !text.empty() ? Attribute(FlatSymbolRefAttr::get(text)) : entry);
    }
    return ArrayAttr::get(context, symbols);
  }
  auto dense = dyn_cast<DenseIntElementsAttr>(value);
  if (!dense || dense.getType().getRank() != 1 || base == "constant")
    return value;
  if (dense.getElementType().isInteger(64))
    return DenseI64ArrayAttr::get(context, llvm::to_vector(dense.getValues<int64_t>()));
  if (dense.getElementType().isInteger(1))
    return DenseBoolArrayAttr::get(context, llvm::to_vector(dense.getValues<bool>()));
  return value;
}

} // namespace

LogicalResult toStablehlo(StringRef base, Location location, NamedAttrList &attributes) {
  // The padding of dynamic_conv was once said twice.
  if (base == "dynamic_conv")
    attributes.erase("padding");
  // Layouts come in pairs, or not at all.
  Attribute operandLayouts = attributes.get("operand_layouts"), resultLayouts = attributes.get("result_layouts");
  bool layouts = operandLayouts && resultLayouts && !(isEmpty(operandLayouts) && isEmpty(resultLayouts));
  NamedAttrList kept;
  for (NamedAttribute attribute : attributes) {
    StringRef name = attribute.getName();
    const DefaultOf *entry = attribute.getValue() ? defaultOf(base, name) : nullptr;
    bool isLayout = name == "operand_layouts" || name == "result_layouts";
    if (entry && isDefault(attribute.getValue(), entry->value) && !(isLayout && layouts))
      continue;
    kept.push_back(attribute);
  }
  if (failed(gatherFields(base, kept, location)))
    return failure();
  attributes.clear();
  for (NamedAttribute attribute : kept)
    attributes.push_back({attribute.getName(), convertKind(base, attribute.getName(), attribute.getValue())});
  return success();
}

} // namespace tpuc::vhlo
