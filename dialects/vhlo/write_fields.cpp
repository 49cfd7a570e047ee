//===- write_fields.cpp - attributes of ops of stablehlo as vhlo has them ----------------------------------===//
// Part of tpuc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===-----------------------------------------------------------------------------===//
#include "dialects/stablehlo/stablehlo.h"
#include "dialects/vhlo/attributes.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;

namespace tpuc::vhlo {
namespace {

namespace hlo = tpuc::stablehlo;

// An attribute with fields, field by field.
class Fields {
 public:
  Fields(MLIRContext *context, NamedAttrList &list) : builder(context), list(list) {}

  void numbers(StringRef name, ArrayRef<int64_t> values) { list.set(name, builder.getDenseI64ArrayAttr(values)); }
  void number(StringRef name, int64_t value) { list.set(name, builder.getI64IntegerAttr(value)); }
  void type(StringRef name, Type value) { list.set(name, TypeAttr::get(value)); }
  void flag(StringRef name, bool value) { list.set(name, builder.getBoolAttr(value)); }

  void spread(hlo::DotDimensionNumbersAttr dims) {
    numbers("lhs_batching_dimensions", dims.getLhsBatchingDimensions());
    numbers("rhs_batching_dimensions", dims.getRhsBatchingDimensions());
    numbers("lhs_contracting_dimensions", dims.getLhsContractingDimensions());
    numbers("rhs_contracting_dimensions", dims.getRhsContractingDimensions());
  }
  void spread(hlo::DotAlgorithmAttr algorithm) {
    type("lhs_precision_type", algorithm.getLhsPrecisionType());
    type("rhs_precision_type", algorithm.getRhsPrecisionType());
    type("accumulation_type", algorithm.getAccumulationType());
    number("lhs_component_count", algorithm.getLhsComponentCount());
    number("rhs_component_count", algorithm.getRhsComponentCount());
    number("num_primitive_operations", algorithm.getNumPrimitiveOperations());
    flag("allow_imprecise_accumulation", algorithm.getAllowImpreciseAccumulation());
  }
  void spread(hlo::ConvDimensionNumbersAttr dims) {
    number("input_batch_dimension", dims.getInputBatchDimension());
    number("input_feature_dimension", dims.getInputFeatureDimension());
    numbers("input_spatial_dimensions", dims.getInputSpatialDimensions());
    number("kernel_input_feature_dimension", dims.getKernelInputFeatureDimension());
    number("kernel_output_feature_dimension", dims.getKernelOutputFeatureDimension());
    numbers("kernel_spatial_dimensions", dims.getKernelSpatialDimensions());
    number("output_batch_dimension", dims.getOutputBatchDimension());
    number("output_feature_dimension", dims.getOutputFeatureDimension());
    numbers("output_spatial_dimensions", dims.getOutputSpatialDimensions());
  }
  void spread(hlo::GatherDimensionNumbersAttr dims) {
    numbers("offset_dims", dims.getOffsetDims());
    numbers("collapsed_slice_dims", dims.getCollapsedSliceDims());
    numbers("operand_batching_dims", dims.getOperandBatchingDims());
    numbers("start_indices_batching_dims", dims.getStartIndicesBatchingDims());
    numbers("start_index_map", dims.getStartIndexMap());
    number("index_vector_dim", dims.getIndexVectorDim());
  }
  void spread(hlo::ScatterDimensionNumbersAttr dims) {
    numbers("update_window_dims", dims.getUpdateWindowDims());
    numbers("inserted_window_dims", dims.getInsertedWindowDims());
    numbers("input_batching_dims", dims.getInputBatchingDims());
    numbers("scatter_indices_batching_dims", dims.getScatterIndicesBatchingDims());
    numbers("scatter_dims_to_operand_dims", dims.getScatterDimsToOperandDims());
    number("index_vector_dim", dims.getIndexVectorDim());
  }
  // Collectives have the handle alone.
  void spread(hlo::ChannelHandleAttr channel, bool hasType) {
    number("channel_id", channel.getHandle());
    if (hasType) number("channel_type", channel.getType());
  }

 private:
  Builder builder;
  NamedAttrList &list;
};

}  // namespace

NamedAttrList toVhlo(Operation *op) {
  NamedAttrList inherent, list;
  op->getName().populateInherentAttrs(op, inherent);
  Fields fields(op->getContext(), list);
  bool hasType = isa<hlo::SendOp, hlo::RecvOp>(op);
  for (NamedAttribute attribute : inherent) {
    StringRef name = attribute.getName();
    Attribute value = attribute.getValue();
    if (!value || name == "operandSegmentSizes" || name == "resultSegmentSizes") continue;
    llvm::TypeSwitch<Attribute>(value)
        .Case<hlo::DotDimensionNumbersAttr, hlo::DotAlgorithmAttr, hlo::ConvDimensionNumbersAttr,
              hlo::GatherDimensionNumbersAttr, hlo::ScatterDimensionNumbersAttr>(
            [&](auto dims) { fields.spread(dims); })
        .Case([&](hlo::ChannelHandleAttr channel) { fields.spread(channel, hasType); })
        .Case([&](UnitAttr) { fields.flag(name, true); })
        .Default([&](Attribute) { list.set(name, value); });
  }
  return list;
}

}  // namespace tpuc::vhlo
