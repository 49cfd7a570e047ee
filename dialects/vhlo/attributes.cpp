//===- attributes.cpp - attributes of ops as vhlo and as stablehlo have them --------------------------===//
// Part of tpuc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===-----------------------------------------------------------------------------===//
#include "dialects/vhlo/attributes.h"

#include "dialects/stablehlo/stablehlo.h"
#include "dialects/vhlo/defaults.h"
#include "mlir/IR/SymbolTable.h"

using namespace mlir;

namespace tpuc::vhlo {
namespace {

namespace hlo = tpuc::stablehlo;

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
    if (!value) return {};
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
    if (!value) refuse(name, "a type", value);
    return value ? value.getValue() : Type();
  }
  bool flag(StringRef name) {
    auto value = dyn_cast_or_null<BoolAttr>(list.erase(name));
    if (!value) refuse(name, "a boolean", value);
    return value && value.getValue();
  }

  LogicalResult result() const { return failure(failedOnce); }

 private:
  void refuse(StringRef name, StringRef what, Attribute value) {
    if (!failedOnce) emitError(location) << "expects " << what << " as " << name << ", but got " << value;
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
  if (!list.get("accumulation_type")) return f.result();
  Type lhsType = f.type("lhs_precision_type"), rhsType = f.type("rhs_precision_type"),
       sum = f.type("accumulation_type");
  int64_t lhsCount = f.number("lhs_component_count"), rhsCount = f.number("rhs_component_count");
  int64_t operations = f.number("num_primitive_operations");
  bool imprecise = f.flag("allow_imprecise_accumulation");
  if (succeeded(f.result()))
    list.set("algorithm",
             hlo::DotAlgorithmAttr::get(context, lhsType, rhsType, sum, lhsCount, rhsCount, operations, imprecise));
  return f.result();
}

LogicalResult gatherConvolution(NamedAttrList &list, Location location) {
  Fields f(list, location);
  int64_t inputBatch = f.number("input_batch_dimension"), inputFeature = f.number("input_feature_dimension");
  SmallVector<int64_t> input = f.numbers("input_spatial_dimensions");
  int64_t kernelInput = f.number("kernel_input_feature_dimension"),
          kernelOutput = f.number("kernel_output_feature_dimension");
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
  SmallVector<int64_t> batch = f.numbers("operand_batching_dims"),
                       indexBatch = f.numbers("start_indices_batching_dims");
  SmallVector<int64_t> map = f.numbers("start_index_map");
  int64_t vectorDim = f.number("index_vector_dim");
  list.set("dimension_numbers", hlo::GatherDimensionNumbersAttr::get(location.getContext(), offset, collapsed, batch,
                                                                     indexBatch, map, vectorDim));
  return f.result();
}

LogicalResult gatherScatter(NamedAttrList &list, Location location) {
  Fields f(list, location);
  SmallVector<int64_t> window = f.numbers("update_window_dims"), inserted = f.numbers("inserted_window_dims");
  SmallVector<int64_t> batch = f.numbers("input_batching_dims"),
                       indexBatch = f.numbers("scatter_indices_batching_dims");
  SmallVector<int64_t> map = f.numbers("scatter_dims_to_operand_dims");
  int64_t vectorDim = f.number("index_vector_dim");
  list.set("scatter_dimension_numbers", hlo::ScatterDimensionNumbersAttr::get(location.getContext(), window, inserted,
                                                                              batch, indexBatch, map, vectorDim));
  return f.result();
}

// Collectives have the handle's number only; a device's channel to another is of type 1.
LogicalResult gatherChannel(NamedAttrList &list, Location location) {
  if (!list.get("channel_id")) return success();
  Fields f(list, location);
  int64_t handle = f.number("channel_id"), type = list.get("channel_type") ? f.number("channel_type") : 1;
  list.set("channel_handle", hlo::ChannelHandleAttr::get(location.getContext(), handle, type));
  return f.result();
}

LogicalResult gatherFields(StringRef base, NamedAttrList &list, Location location) {
  if (base == "dot_general") return gatherDot(list, location);
  if (base == "convolution" || base == "dynamic_conv") return gatherConvolution(list, location);
  if (base == "gather" || base == "dynamic_gather") return gatherGather(list, location);
  if (base == "scatter") return gatherScatter(list, location);
  return gatherChannel(list, location);
}

//===-----------------------------------------------------------------------------===//
// Kinds
//===-----------------------------------------------------------------------------===//

// Names of functions are text there, and so is a flag a boolean.
Attribute convertKind(StringRef base, StringRef name, Attribute value) {
  MLIRContext *context = value.getContext();
  if (name == "use_global_device_ids" || name == "has_dynamic_root") return UnitAttr::get(context);
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
  if (!dense || dense.getType().getRank() != 1 || base == "constant") return value;
  if (dense.getElementType().isInteger(64))
    return DenseI64ArrayAttr::get(context, llvm::to_vector(dense.getValues<int64_t>()));
  if (dense.getElementType().isInteger(1))
    return DenseBoolArrayAttr::get(context, llvm::to_vector(dense.getValues<bool>()));
  return value;
}

}  // namespace

LogicalResult toStablehlo(StringRef base, Location location, NamedAttrList &attributes) {
  // The padding of dynamic_conv was once said twice.
  if (base == "dynamic_conv") attributes.erase("padding");
  // Layouts come in pairs, or not at all.
  Attribute operandLayouts = attributes.get("operand_layouts"), resultLayouts = attributes.get("result_layouts");
  bool layouts = operandLayouts && resultLayouts && !(isEmpty(operandLayouts) && isEmpty(resultLayouts));
  NamedAttrList kept;
  for (NamedAttribute attribute : attributes) {
    StringRef name = attribute.getName();
    bool isLayout = name == "operand_layouts" || name == "result_layouts";
    if (attribute.getValue() && isDefault(base, name, attribute.getValue()) && !(isLayout && layouts)) continue;
    kept.push_back(attribute);
  }
  if (failed(gatherFields(base, kept, location))) return failure();
  attributes.clear();
  for (NamedAttribute attribute : kept)
    attributes.push_back({attribute.getName(), convertKind(base, attribute.getName(), attribute.getValue())});
  return success();
}

}  // namespace tpuc::vhlo
