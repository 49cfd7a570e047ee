//===- read_sdy.cpp - meshes, shardings and rules of bytecode ---------------------------------------------------===//
// Part of tpuc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===-----------------------------------------------------------------------------===//
#include "dialects/sdy/sdy.h"
#include "dialects/stablehlo/stablehlo.h"
#include "dialects/vhlo/reader.h"

using namespace mlir;

namespace tpuc::vhlo {
namespace {

Attribute readManualAxes(Reader &reader) {
  SmallVector<StringAttr> axes;
  return failed(reader.readAttributes(axes)) ? Attribute() : sdy::ManualAxesAttr::get(reader.getContext(), axes);
}

Attribute readMeshAxis(Reader &reader) {
  StringRef name;
  int64_t size;
  if (failed(reader.readString(name)) || failed(reader.readSignedVarInt(size))) return {};
  return sdy::MeshAxisAttr::get(reader.getContext(), name, size);
}

Attribute readMesh(Reader &reader) {
  SmallVector<sdy::MeshAxisAttr> axes;
  SmallVector<int64_t> ids;
  if (failed(reader.readAttributes(axes)) || failed(reader.readSignedVarInts(ids))) return {};
  return sdy::MeshAttr::getChecked([&] { return reader.emitError(); }, reader.getContext(),
                                   ArrayRef<sdy::MeshAxisAttr>(axes), ArrayRef<int64_t>(ids));
}

// An entry of its own there, fields of the axis here.
Attribute readSubAxis(Reader &reader) {
  int64_t before, size;
  if (failed(reader.readSignedVarInt(before)) || failed(reader.readSignedVarInt(size))) return {};
  return stablehlo::SubAxisInfoAttr::get(reader.getContext(), before, size);
}

Attribute readAxis(Reader &reader) {
  StringRef name;
  stablehlo::SubAxisInfoAttr part;
  if (failed(reader.readString(name)) || failed(reader.readOptionalAttribute(part))) return {};
  return sdy::AxisRefAttr::get(reader.getContext(), name, part ? part.getPreSize() : 0, part ? part.getSize() : 0);
}

Attribute readDimension(Reader &reader) {
  SmallVector<sdy::AxisRefAttr> axes;
  bool closed, prior;
  uint64_t priority = 0;
  if (failed(reader.readAttributes(axes)) || failed(reader.readBool(closed)) ||
      failed(reader.readFlagged(priority, prior)))
    return {};
  return sdy::DimensionShardingAttr::get(reader.getContext(), axes, closed,
                                         prior ? std::optional<int64_t>(priority) : std::nullopt);
}

// Newer forms have unreduced axes, and how they are reduced.
Attribute readSharding(Reader &reader, bool hasUnreduced, bool hasReduction = false) {
  Attribute mesh;
  SmallVector<sdy::DimensionShardingAttr> dims;
  SmallVector<sdy::AxisRefAttr> replicated, unreduced;
  if (failed(reader.readAttribute(mesh)) || failed(reader.readAttributes(dims)) ||
      failed(reader.readAttributes(replicated)) || (hasUnreduced && failed(reader.readAttributes(unreduced))))
    return {};
  int64_t reduction = 0;
  if (hasReduction && failed(reader.readSignedVarInt(reduction))) return {};
  auto reducer = sdy::symbolizeReductionOp(static_cast<uint32_t>(reduction));
  if (!reducer) {
    reader.emitError("expects sum, max or min, but got code ") << reduction;
    return {};
  }
  if (!isa<sdy::MeshAttr, FlatSymbolRefAttr>(mesh)) {
    reader.emitError("expects a mesh or its symbol, but got ") << mesh;
    return {};
  }
  return sdy::TensorShardingAttr::get(reader.getContext(), mesh, dims, replicated, unreduced, *reducer);
}

Attribute readPerValue(Reader &reader) {
  SmallVector<sdy::TensorShardingAttr> shardings;
  return failed(reader.readAttributes(shardings))
             ? Attribute()
             : sdy::TensorShardingPerValueAttr::get(reader.getContext(), shardings);
}

template <typename ListT, typename OneT>
Attribute readList(Reader &reader) {
  SmallVector<OneT> all;
  return failed(reader.readAttributes(all)) ? Attribute() : ListT::get(reader.getContext(), all);
}

Attribute readMove(Reader &reader) {
  SmallVector<sdy::AxisRefAttr> axes;
  int64_t source, target;
  if (failed(reader.readAttributes(axes)) || failed(reader.readSignedVarInt(source)) ||
      failed(reader.readSignedVarInt(target)))
    return {};
  return sdy::AllToAllParamAttr::get(reader.getContext(), axes, source, target);
}

Attribute readDimMapping(Reader &reader) {
  SmallVector<int64_t> factors;
  return failed(reader.readSignedVarInts(factors)) ? Attribute()
                                                   : sdy::DimMappingAttr::get(reader.getContext(), factors);
}

Attribute readTensorMapping(Reader &reader) {
  SmallVector<sdy::DimMappingAttr> dims;
  return failed(reader.readAttributes(dims)) ? Attribute() : sdy::TensorMappingAttr::get(reader.getContext(), dims);
}

Attribute readRule(Reader &reader) {
  SmallVector<int64_t> sizes, reduction, replicated, permuted, blocked;
  SmallVector<sdy::TensorMappingAttr> operands, results;
  bool custom;
  if (failed(reader.readSignedVarInts(sizes)) || failed(reader.readAttributes(operands)) ||
      failed(reader.readAttributes(results)))
    return {};
  for (auto *factors : {&reduction, &replicated, &permuted, &blocked})
    if (failed(reader.readSignedVarInts(*factors))) return {};
  if (failed(reader.readBool(custom))) return {};
  return sdy::OpShardingRuleAttr::get(reader.getContext(), sizes, operands, results, reduction, replicated, permuted,
                                      blocked, custom);
}

}  // namespace

Attribute readSdyAttribute(Reader &reader) {
  uint64_t number;
  if (failed(reader.readVarInt(number))) return {};
  switch (static_cast<SdyAttribute>(number)) {
    case SdyAttribute::ManualAxes:
      return readManualAxes(reader);
    case SdyAttribute::MeshAxis:
      return readMeshAxis(reader);
    case SdyAttribute::Mesh:
      return readMesh(reader);
    case SdyAttribute::SubAxisInfo:
      return readSubAxis(reader);
    case SdyAttribute::AxisRef:
      return readAxis(reader);
    case SdyAttribute::DimensionSharding:
      return readDimension(reader);
    case SdyAttribute::TensorSharding:
      return readSharding(reader, /*hasUnreduced=*/false);
    case SdyAttribute::UnreducedTensorSharding:
      return readSharding(reader, /*hasUnreduced=*/true);
    case SdyAttribute::DimMapping:
      return readDimMapping(reader);
    case SdyAttribute::TensorMapping:
      return readTensorMapping(reader);
    case SdyAttribute::OpShardingRule:
      return readRule(reader);
    case SdyAttribute::AxisRefList:
      return readList<sdy::AxisRefListAttr, sdy::AxisRefAttr>(reader);
    case SdyAttribute::ListOfAxisRefLists:
      return readList<sdy::ListOfAxisRefListsAttr, sdy::AxisRefListAttr>(reader);
    case SdyAttribute::AllToAllParam:
      return readMove(reader);
    case SdyAttribute::AllToAllParamList:
      return readList<sdy::AllToAllParamListAttr, sdy::AllToAllParamAttr>(reader);
    case SdyAttribute::ReducedByTensorSharding:
      return readSharding(reader, /*hasUnreduced=*/true, /*hasReduction=*/true);
    case SdyAttribute::TensorShardingPerValue:
    case SdyAttribute::UnreducedTensorShardingPerValue:
      return readPerValue(reader);
  }
  reader.emitError("expects an attribute of sdy, but got code ") << number;
  return {};
}

}  // namespace tpuc::vhlo
