// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Bytecode of the stablehlo dialect itself, as TensorFlow writes it: attributes, types, and which attributes an op has.
#include "dialects/stablehlo/chlo.h"
#include "dialects/stablehlo/stablehlo.h"
#include "dialects/vhlo/read_ops.h"
#include "dialects/vhlo/reader.h"
#include "llvm/ADT/StringSwitch.h"

using namespace mlir;

namespace tpuc::vhlo {
namespace {

namespace hlo = tpuc::stablehlo;

// Reads numbers and lists of them one after the other; what it gives after a failure means nothing.
class Numbers {
 public:
  explicit Numbers(Reader &reader) : reader(reader) {}

  int64_t one() {
    int64_t value = 0;
    bad |= failed(reader.readSignedVarInt(value));
    return value;
  }
  SmallVector<int64_t> list() {
    SmallVector<int64_t> values;
    bad |= !bad && failed(reader.readSignedVarInts(values));
    return values;
  }
  Attribute unlessBad(Attribute made) { return bad ? Attribute() : made; }

 private:
  Reader &reader;
  bool bad = false;
};

Attribute readConvolution(Reader &reader) {
  Numbers n(reader);
  int64_t inputBatch = n.one(), inputFeature = n.one();
  auto input = n.list();
  int64_t kernelInput = n.one(), kernelOutput = n.one();
  auto kernel = n.list();
  int64_t outputBatch = n.one(), outputFeature = n.one();
  auto output = n.list();
  return n.unlessBad(hlo::ConvDimensionNumbersAttr::get(reader.getContext(), inputBatch, inputFeature, input,
                                                        kernelInput, kernelOutput, kernel, outputBatch, outputFeature,
                                                        output));
}

Attribute readDot(Reader &reader) {
  Numbers n(reader);
  auto lhsBatch = n.list(), rhsBatch = n.list(), lhs = n.list(), rhs = n.list();
  return n.unlessBad(hlo::DotDimensionNumbersAttr::get(reader.getContext(), lhsBatch, rhsBatch, lhs, rhs));
}

Attribute readIndexing(Reader &reader, bool isGather) {
  Numbers n(reader);
  auto window = n.list(), gone = n.list(), batch = n.list(), indexBatch = n.list(), map = n.list();
  int64_t vectorDim = n.one();
  MLIRContext *context = reader.getContext();
  if (isGather)
    return n.unlessBad(hlo::GatherDimensionNumbersAttr::get(context, window, gone, batch, indexBatch, map, vectorDim));
  return n.unlessBad(hlo::ScatterDimensionNumbersAttr::get(context, window, gone, batch, indexBatch, map, vectorDim));
}

Attribute readAlgorithm(Reader &reader) {
  Type lhs, rhs, sum;
  if (failed(reader.readType(lhs)) || failed(reader.readType(rhs)) || failed(reader.readType(sum))) return {};
  Numbers n(reader);
  int64_t lhsCount = n.one(), rhsCount = n.one(), operations = n.one();
  bool imprecise;
  if (failed(reader.readBool(imprecise))) return {};
  return n.unlessBad(
      hlo::DotAlgorithmAttr::get(reader.getContext(), lhs, rhs, sum, lhsCount, rhsCount, operations, imprecise));
}

Attribute readChannel(Reader &reader) {
  Numbers n(reader);
  int64_t handle = n.one(), type = n.one();
  return n.unlessBad(hlo::ChannelHandleAttr::get(reader.getContext(), handle, type));
}

template <typename HloAttr, typename ChloAttr>
Attribute asChlo(Attribute read) {
  auto attribute = llvm::dyn_cast_or_null<HloAttr>(read);
  return attribute ? ChloAttr::get(attribute.getContext(), attribute.getValue()) : Attribute();
}

}  // namespace

Attribute readStablehloAttribute(Reader &reader) {
  uint64_t number;
  if (failed(reader.readVarInt(number))) return {};
  using Code = StablehloAttribute;
  switch (static_cast<Code>(number)) {
    case Code::ChannelHandle:
      return readChannel(reader);
    case Code::ConvNumbers:
      return readConvolution(reader);
    case Code::DotNumbers:
      return readDot(reader);
    case Code::GatherNumbers:
      return readIndexing(reader, true);
    case Code::ScatterNumbers:
      return readIndexing(reader, false);
    case Code::DotAlgorithm:
      return readAlgorithm(reader);
    // Encoded as vhlo's.
    case Code::ComparisonDirection:
      return readVhloAttribute(AttributeCode::ComparisonDirection, reader);
    case Code::ComparisonType:
      return readVhloAttribute(AttributeCode::ComparisonType, reader);
    case Code::FftType:
      return readVhloAttribute(AttributeCode::FftType, reader);
    case Code::Precision:
      return readVhloAttribute(AttributeCode::Precision, reader);
    case Code::RngAlgorithm:
      return readVhloAttribute(AttributeCode::RngAlgorithm, reader);
    case Code::RngDistribution:
      return readVhloAttribute(AttributeCode::RngDistribution, reader);
    case Code::Transpose:
      return readVhloAttribute(AttributeCode::Transpose, reader);
    case Code::TypeExtensions:
      return readVhloAttribute(AttributeCode::TypeExtensions, reader);
    case Code::OutputOperandAlias:
      return readVhloAttribute(AttributeCode::OutputOperandAlias, reader);
    case Code::ResultAccuracyMode:
      return readVhloAttribute(AttributeCode::ResultAccuracyMode, reader);
    case Code::ResultAccuracy:
      return readVhloAttribute(AttributeCode::ResultAccuracy, reader);
  }
  reader.emitError("expects an attribute of stablehlo, but got code ") << number;
  return {};
}

// The enumerations are numbered as StableHLO's, but are attributes of their own.
Attribute readChloAttribute(Reader &reader) {
  uint64_t number;
  if (failed(reader.readVarInt(number))) return {};
  if (number == 0)
    return asChlo<hlo::ComparisonDirectionAttr, chlo::ComparisonDirectionAttr>(
        readVhloAttribute(AttributeCode::ComparisonDirection, reader));
  if (number == 1)
    return asChlo<hlo::ComparisonTypeAttr, chlo::ComparisonTypeAttr>(
        readVhloAttribute(AttributeCode::ComparisonType, reader));
  reader.emitError("expects an attribute of chlo, but got code ") << number;
  return {};
}

Type readStablehloType(Reader &reader) {
  uint64_t number;
  if (failed(reader.readVarInt(number))) return {};
  SmallVector<Type> types;
  switch (static_cast<StablehloType>(number)) {
    case StablehloType::Token:
      return hlo::TokenType::get(reader.getContext());
    case StablehloType::Future:
      if (failed(reader.readTypes(types))) return {};
      return hlo::FutureType::getChecked([&] { return reader.emitError(); }, reader.getContext(),
                                         ArrayRef<Type>(types));
  }
  reader.emitError("expects a type of stablehlo, but got code ") << number;
  return {};
}

// In alphabetical order, with a question mark where it may be absent: as MLIR writes the properties of ops.
StringRef stablehloAttributes(StringRef dialect, StringRef op) {
  if (dialect == "func")
    return llvm::StringSwitch<StringRef>(op)
        .Case("func", "arg_attrs? function_type no_inline? res_attrs? sym_name sym_visibility?")
        .Case("call", "arg_attrs? callee no_inline? res_attrs?")
        .Default("");
  if (dialect == "chlo")
    return llvm::StringSwitch<StringRef>(op)
        .Cases({"constant", "constant_like"}, "value")
        .Case("top_k", "is_stable? k")
        .Case("ragged_dot", "precision_config? ragged_dot_dimension_numbers")
        .Case("broadcast_compare", "broadcast_dimensions? compare_type? comparison_direction")
        .StartsWith("broadcast_", op == "broadcast_select" ? "" : "broadcast_dimensions?")
        .Default("");
  return llvm::StringSwitch<StringRef>(op)
      .Case("constant", "value")
      .Cases({"iota", "dynamic_iota"}, "iota_dimension")
      .Cases({"cbrt", "cosine", "exponential", "exponential_minus_one", "log", "log_plus_one"}, "result_accuracy?")
      .Cases({"logistic", "rsqrt", "sine", "sqrt", "tan", "tanh"}, "result_accuracy?")
      .Case("infeed", "infeed_config? layout?")
      .Case("outfeed", "outfeed_config?")
      .Cases({"send", "recv"}, "channel_handle is_host_transfer? source_target_pairs?")
      .Case("all_gather", "all_gather_dim channel_handle? replica_groups use_global_device_ids?")
      .Case("all_reduce", "channel_handle? replica_groups use_global_device_ids?")
      .Case("reduce_scatter", "channel_handle? replica_groups scatter_dimension use_global_device_ids?")
      .Case("all_to_all", "channel_handle? concat_dimension replica_groups split_count split_dimension")
      .Case("collective_broadcast", "channel_handle? has_dynamic_root? replica_groups")
      .Case("collective_reduce", "channel_handle? has_dynamic_root? replica_groups use_global_device_ids?")
      .Case("collective_permute", "channel_handle? source_target_pairs")
      .Case("cross-replica-sum", "replica_groups")
      .Cases({"reduce", "map", "reverse"}, "dimensions")
      .Case("get_tuple_element", "index")
      .Case("compare", "compare_type? comparison_direction")
      .Case("dynamic_slice", "slice_sizes")
      .Cases({"batch_norm_grad", "batch_norm_inference", "batch_norm_training"}, "epsilon feature_index")
      .Case("broadcast", "broadcast_sizes")
      .Case("broadcast_in_dim", "broadcast_dimensions")
      .Case("dynamic_broadcast_in_dim",
            "broadcast_dimensions known_expanding_dimensions? known_nonexpanding_dimensions?")
      .Case("cholesky", "lower?")
      .Cases({"concatenate", "get_dimension_size", "set_dimension_size"}, "dimension")
      .Case("composite", "composite_attributes? decomposition name version?")
      .Case("convolution",
            "batch_group_count dimension_numbers feature_group_count lhs_dilation? padding? "
            "precision_config? rhs_dilation? window_reversal? window_strides?")
      .Case("dynamic_conv",
            "batch_group_count dimension_numbers feature_group_count lhs_dilation? precision_config? "
            "rhs_dilation? window_reversal? window_strides?")
      .Case("custom_call",
            "api_version? backend_config? call_target_name called_computations? has_side_effect? "
            "operand_layouts? output_operand_aliases? result_layouts? result_tilings?")
      .Case("dot", "precision_config?")
      .Case("dot_general", "algorithm? dot_dimension_numbers precision_config?")
      .Cases({"einsum", "unary_einsum"}, "einsum_config")
      .Case("fft", "fft_length fft_type")
      .Case("gather", "dimension_numbers indices_are_sorted? slice_sizes")
      .Case("dynamic_gather", "dimension_numbers indices_are_sorted?")
      .Case("scatter", "indices_are_sorted? scatter_dimension_numbers unique_indices?")
      .Case("select_and_scatter", "padding? window_dimensions? window_strides?")
      .Case("sort", "dimension? is_stable?")
      .Case("slice", "limit_indices start_indices strides")
      .Case("pad", "edge_padding_high edge_padding_low interior_padding")
      .Case("transpose", "permutation")
      .Case("triangular_solve", "left_side lower transpose_a unit_diagonal")
      .Case("reduce_window", "base_dilations? padding? window_dilations? window_dimensions window_strides?")
      .Case("torch_index_select", "batch_dims dim")
      .Case("rng", "rng_distribution")
      .Case("rng_bit_generator", "rng_algorithm")
      .Case("reduce_precision", "exponent_bits mantissa_bits")
      .Default("");
}

}  // namespace tpuc::vhlo
