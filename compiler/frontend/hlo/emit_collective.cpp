// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Communication between devices.
#include "compiler/frontend/hlo/families.h"
#include "dialects/stablehlo/stablehlo.h"
#include "mlir/Dialect/Utils/IndexingUtils.h"

using namespace mlir;

namespace tpuc::frontend::hlo {
namespace {

constexpr int64_t kMostDevices = 1 << 20;

// Devices in the order of their numbers, as an array of this shape, transposed, and cut in groups.
LogicalResult iotaGroups(Emitter &e, const Instruction &i, const Message &iota,
                         SmallVectorImpl<SmallVector<int64_t>> &groups) {
  const int64_t count = iota.number(kIotaGroups), size = iota.number(kIotaGroupSize);
  SmallVector<int64_t> shape = iota.numbers(kIotaReshape), order = iota.numbers(kIotaTranspose);
  std::optional<int64_t> devices =
      llvm::all_of(shape, [](int64_t d) { return d > 0; }) ? stablehlo::numElements(shape) : std::nullopt;
  if (count <= 0 || size <= 0 || !devices || *devices > kMostDevices || stablehlo::checkedMul(count, size) != devices ||
      !isPermutationVector(order) || order.size() != shape.size())
    return e.malformed(i) << "expects groups of all devices";
  SmallVector<int64_t> strides(shape.size(), 1), at(shape.size(), 0);
  for (size_t d = shape.size(); d-- > 1;) strides[d - 1] = strides[d] * shape[d];
  for (int64_t n = 0; n < *devices; ++n) {
    if (n % size == 0) groups.emplace_back();
    int64_t device = 0;
    for (auto [k, dim] : llvm::enumerate(order)) device += at[k] * strides[dim];
    groups.back().push_back(device);
    for (size_t k = order.size(); k-- > 0 && ++at[k] == shape[order[k]];) at[k] = 0;
  }
  return success();
}

LogicalResult readGroups(Emitter &e, const Instruction &i, SmallVectorImpl<SmallVector<int64_t>> &groups) {
  if (i.fields.has(kMeshAxesDeviceList))
    return e.refuse(i, codes::kUnknownOp) << "with groups along the axes of a mesh is not supported";
  if (i.fields.has(kIotaDeviceList)) return iotaGroups(e, i, i.fields.message(kIotaDeviceList), groups);
  Message list = i.fields.message(kDeviceList);
  if (list.has(kListIota)) return iotaGroups(e, i, list.message(kListIota), groups);
  std::vector<Message> said = list.messages(kListGroups);
  if (said.empty()) said = i.fields.messages(kReplicaGroups);
  for (const Message &group : said) groups.push_back(group.numbers(kReplicaIds));
  return success();
}

void addChannel(Emitter &e, const Instruction &i, SmallVectorImpl<NamedAttribute> &attributes) {
  constexpr int64_t kDeviceToDevice = 1;
  if (int64_t channel = i.fields.number(kChannelId); channel > 0)
    attributes.push_back(
        e.attribute("channel_handle", stablehlo::ChannelHandleAttr::get(e.b.getContext(), channel, kDeviceToDevice)));
}

// The dim along which the arrays are joined or cut.
LogicalResult addDim(Emitter &e, const Instruction &i, StringRef op, ArrayRef<SmallVector<int64_t>> groups,
                     SmallVectorImpl<NamedAttribute> &attributes) {
  const bool isAllToAll = op == "stablehlo.all_to_all";
  if (!isAllToAll && op != "stablehlo.all_gather" && op != "stablehlo.reduce_scatter") return success();
  SmallVector<int64_t> dims = i.fields.numbers(kDimensions);
  if (dims.size() != 1) return e.refuse(i, codes::kUnknownOp) << "without one dim has no form in StableHLO";
  if (op == "stablehlo.all_gather") attributes.push_back(e.number("all_gather_dim", dims[0]));
  if (op == "stablehlo.reduce_scatter") attributes.push_back(e.number("scatter_dimension", dims[0]));
  if (!isAllToAll) return success();
  attributes.push_back(e.number("split_dimension", dims[0]));
  attributes.push_back(e.number("concat_dimension", dims[0]));
  attributes.push_back(e.number("split_count", groups.empty() ? 1 : groups[0].size()));
  return success();
}

// Those of the operation itself: what a start says besides is bookkeeping. A tuple of operands and results has the
// results last.
SmallVector<Type> resultTypes(const Instruction &i) {
  StringRef opcode = i.fields.bytes(kOpcode);
  const bool hasOperands = opcode == "all-gather-start" || opcode == "collective-permute-start";
  return hasOperands && i.shape.isTuple && i.shape.elements.size() >= 2 ? i.shape.elements[1].types() : i.shape.types();
}

}  // namespace

TPUC_HLO_EMIT(emitCollective) {
  if (i.operands.empty()) return e.malformed(i) << "expects an array";
  SmallVector<SmallVector<int64_t>> groups;
  SmallVector<NamedAttribute> attributes;
  if (failed(readGroups(e, i, groups)) || failed(addDim(e, i, op, groups, attributes))) return failure();
  attributes.push_back(e.table("replica_groups", groups));
  addChannel(e, i, attributes);
  if (i.fields.flag(kUseGlobalDeviceIds)) attributes.push_back(e.attribute("use_global_device_ids", e.b.getUnitAttr()));
  OperationState state(i.location, op, i.values(), resultTypes(i), attributes);
  if (!i.computations.empty()) state.addRegion();
  Operation *made = e.b.create(state);
  llvm::append_range(results, made->getResults());
  return i.computations.empty() ? success() : e.emitRegion(*i.computations[0], i, made->getRegion(0));
}

TPUC_HLO_EMIT(emitCollectivePermute) {
  SmallVector<SmallVector<int64_t>> pairs;
  for (const Message &pair : i.fields.messages(kSourceTargetPairs))
    pairs.push_back({pair.number(kSource), pair.number(kTarget)});
  SmallVector<NamedAttribute> attributes{e.table("source_target_pairs", pairs)};
  addChannel(e, i, attributes);
  OperationState state(i.location, op, i.values(), resultTypes(i), attributes);
  llvm::append_range(results, e.b.create(state)->getResults());
  return success();
}

}  // namespace tpuc::frontend::hlo
