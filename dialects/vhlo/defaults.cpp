//===- defaults.cpp - what an attribute says where it is left out -----------------------------------------===//
// Part of tpuc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===-----------------------------------------------------------------------------===//
#include "dialects/vhlo/defaults.h"

#include "dialects/stablehlo/stablehlo.h"

using namespace mlir;

namespace tpuc::vhlo {

namespace hlo = tpuc::stablehlo;

bool isEmpty(Attribute value) {
  if (auto text = dyn_cast<StringAttr>(value)) return text.empty();
  if (auto list = dyn_cast<ArrayAttr>(value)) return list.empty();
  if (auto names = dyn_cast<DictionaryAttr>(value)) return names.empty();
  if (auto numbers = dyn_cast<DenseI64ArrayAttr>(value)) return numbers.empty();
  auto dense = dyn_cast<DenseElementsAttr>(value);
  return dense && dense.empty();
}

namespace {

enum class Default {
  False,  // a boolean
  Zero,   // an integer
  MinusOne,
  Ones,    // a list with an entry a spatial dimension
  Zeros,   // a table of pairs with a row a spatial dimension
  Falses,  // a list of booleans with an entry a spatial dimension
  EmptyText,
  EmptyList,     // of attributes
  EmptyNumbers,  // i64[0]
  EmptyNames,    // a dictionary
  NoComparison,
  FirstApi,
  PlainPrecision,  // two of them
  PlainAccuracy,
  NoType,
};

struct DefaultOf {
  llvm::StringLiteral attribute;
  Default value;
  llvm::StringLiteral ops;  // separated by spaces; empty: all that have the attribute
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

const DefaultOf *entryOf(StringRef base, StringRef attribute) {
  for (const DefaultOf &entry : kDefaults) {
    SmallVector<StringRef> names;
    StringRef(entry.ops).split(names, ' ', -1, /*KeepEmpty=*/false);
    if (entry.attribute == attribute && (names.empty() || llvm::is_contained(names, base))) return &entry;
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
           return (dense.getElementType().isInteger(1) ? v.getZExtValue() : v.getSExtValue()) ==
                  static_cast<uint64_t>(number);
         });
}

hlo::ResultAccuracyAttr plainAccuracy(MLIRContext *context) {
  auto mode = hlo::ResultAccuracyModeAttr::get(context, hlo::ResultAccuracyMode::DEFAULT);
  return hlo::ResultAccuracyAttr::get(context, APFloat(0.0), APFloat(0.0), 0, mode);
}

bool isDefaultOf(Default kind, Attribute value) {
  MLIRContext *context = value.getContext();
  switch (kind) {
    case Default::False:
      return value == BoolAttr::get(context, false);
    case Default::Zero:
      return isNumber(value, 0);
    case Default::MinusOne:
      return isNumber(value, -1);
    case Default::Ones:
      return isSplat(value, 1);
    case Default::Zeros:
    case Default::Falses:
      return isSplat(value, 0);
    case Default::EmptyText:
    case Default::EmptyList:
    case Default::EmptyNumbers:
    case Default::EmptyNames:
      return isEmpty(value);
    case Default::NoComparison:
      return value == hlo::ComparisonTypeAttr::get(context, hlo::ComparisonType::NOTYPE);
    case Default::FirstApi:
      return isNumber(value, 1);
    case Default::PlainPrecision: {
      auto list = dyn_cast<ArrayAttr>(value);
      Attribute plain = hlo::PrecisionAttr::get(context, hlo::Precision::DEFAULT);
      return list && llvm::all_of(list, [&](Attribute entry) { return entry == plain; });
    }
    case Default::PlainAccuracy:
      return value == plainAccuracy(context);
    case Default::NoType:
      return value == TypeAttr::get(NoneType::get(context));
  }
  return false;
}

Attribute makeDefault(MLIRContext *context, Default kind, int64_t dims) {
  Builder builder(context);
  Type i64 = builder.getI64Type();
  Attribute plain = hlo::PrecisionAttr::get(context, hlo::Precision::DEFAULT);
  switch (kind) {
    case Default::False:
      return builder.getBoolAttr(false);
    case Default::Zero:
      return builder.getI64IntegerAttr(0);
    case Default::MinusOne:
      return builder.getI64IntegerAttr(-1);
    case Default::Ones:
      return builder.getDenseI64ArrayAttr(SmallVector<int64_t>(dims, 1));
    case Default::Zeros:
      return DenseElementsAttr::get(RankedTensorType::get({dims, 2}, i64),
                                    ArrayRef<int64_t>(SmallVector<int64_t>(2 * dims, 0)));
    case Default::Falses:
      return builder.getDenseBoolArrayAttr(SmallVector<bool>(dims, false));
    case Default::EmptyText:
      return builder.getStringAttr("");
    case Default::EmptyList:
      return builder.getArrayAttr({});
    case Default::EmptyNumbers:
      return builder.getDenseI64ArrayAttr({});
    case Default::EmptyNames:
      return builder.getDictionaryAttr({});
    case Default::NoComparison:
      return hlo::ComparisonTypeAttr::get(context, hlo::ComparisonType::NOTYPE);
    case Default::FirstApi:
      return builder.getI32IntegerAttr(1);
    case Default::PlainPrecision:
      return builder.getArrayAttr({plain, plain});
    case Default::PlainAccuracy:
      return plainAccuracy(context);
    case Default::NoType:
      return TypeAttr::get(builder.getNoneType());
  }
  return {};
}

}  // namespace

bool isDefault(StringRef base, StringRef name, Attribute value) {
  const DefaultOf *entry = entryOf(base, name);
  return entry && isDefaultOf(entry->value, value);
}

Attribute defaultOf(MLIRContext *context, StringRef base, StringRef name, int64_t dims) {
  const DefaultOf *entry = entryOf(base, name);
  return entry ? makeDefault(context, entry->value, dims) : Attribute();
}

}  // namespace tpuc::vhlo
