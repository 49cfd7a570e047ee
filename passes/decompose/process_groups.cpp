// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The StableHLO specification's section "Grouping of processes".
#include "passes/decompose/process_groups.h"

#include "dialects/diagnostics/diagnose.h"
#include "dialects/diagnostics/outer_codes.h"
#include "dialects/sdy/sdy.h"
#include "dialects/stablehlo/device_grid.h"
#include "dialects/stablehlo/stablehlo.h"

using namespace mlir;

namespace tpuc::decompose {
namespace {

enum class Ids { Replicas, ReplicasOfAllPartitions, Partitions, Devices };

bool isDense(Operation *op, StringRef name) { return mlir::isa_and_nonnull<DenseIntElementsAttr>(op->getAttr(name)); }

Ids idsOf(Operation *op) {
  auto channel = op->getAttrOfType<stablehlo::ChannelHandleAttr>("channel_handle");
  const bool hasChannel = channel && channel.getHandle() > 0;
  const bool permutes = mlir::isa<stablehlo::CollectivePermuteOp>(op);
  if (!permutes && !isDense(op, "replica_groups")) return Ids::Devices;  // axes of a mesh
  if (mlir::isa<stablehlo::AllToAllOp, stablehlo::CollectiveBroadcastOp, stablehlo::CollectivePermuteOp>(op))
    return hasChannel ? Ids::Partitions : Ids::Replicas;
  if (op->hasAttr("use_global_device_ids")) return Ids::Devices;
  return hasChannel ? Ids::ReplicasOfAllPartitions : Ids::Replicas;
}

Groups rowsOf(DenseIntElementsAttr ids) {
  Groups rows;
  if (ids.getType().getRank() != 2) return rows;
  const int64_t columns = ids.getType().getDimSize(1);
  rows.resize(columns ? ids.getType().getDimSize(0) : 0);
  for (auto [i, id] : llvm::enumerate(ids.getValues<APInt>()))
    if (id.getSExtValue() != -1) rows[i / columns].push_back(id.getSExtValue());
  llvm::erase_if(rows, [](auto &row) { return row.empty(); });
  return rows;
}

struct Axis {
  StringRef name;
  int64_t size;
};

// The axes of the mesh that a collective names, and the order of its devices; empty: as they come.
bool meshOf(Operation *op, stablehlo::ReplicaGroupMeshAxesAttr axes, SmallVector<Axis> &out,
            SmallVector<int64_t> &devices) {
  if (auto mesh = dyn_cast<stablehlo::MeshAttr>(axes.getMesh())) {
    for (auto axis : mesh.getAxes()) out.push_back({axis.getName(), axis.getSize()});
    if (auto ids = mesh.getDeviceIds())
      for (const APInt &id : ids.getValues<APInt>()) devices.push_back(id.getSExtValue());
    return true;
  }
  auto symbol = dyn_cast<FlatSymbolRefAttr>(axes.getMesh());
  auto mesh = symbol ? SymbolTable::lookupNearestSymbolFrom<sdy::MeshOp>(op, symbol) : sdy::MeshOp();
  if (!mesh) return false;
  for (auto axis : mesh.getMesh().getAxes()) out.push_back({axis.getName(), axis.getSize()});
  llvm::append_range(devices, mesh.getMesh().getDeviceIds());
  return true;
}

// Devices that differ in the named axes alone; the last one named changes fastest.
FailureOr<Groups> alongAxes(Operation *op, stablehlo::ReplicaGroupMeshAxesAttr axes) {
  SmallVector<Axis> mesh;
  SmallVector<int64_t> devices;
  auto refuse = [&]() -> FailureOr<Groups> {
    return diagnose(op, codes::kNoCollective) << "expects whole axes of a mesh as groups, but got " << axes;
  };
  if (!meshOf(op, axes, mesh, devices)) return refuse();
  SmallVector<size_t> named;
  for (auto axis : axes.getAxes()) {
    auto it = llvm::find_if(mesh, [&](const Axis &a) { return a.name == axis.getName(); });
    if (it == mesh.end() || axis.getSubAxisInfo()) return refuse();
    named.push_back(it - mesh.begin());
  }
  int64_t total = 1;
  for (const Axis &a : mesh) total *= a.size;
  std::map<SmallVector<int64_t>, std::map<SmallVector<int64_t>, int64_t>> groups;  // by other axes, by named ones
  for (int64_t device = 0; device < total; ++device) {
    SmallVector<int64_t> place(mesh.size()), inside;
    int64_t rest = device;
    for (size_t a = mesh.size(); a-- > 0; rest /= mesh[a].size) place[a] = rest % mesh[a].size;
    for (size_t a : named) inside.push_back(std::exchange(place[a], 0));
    groups[place][inside] = devices.empty() ? device : devices[device];
  }
  Groups out;
  for (auto &[other, members] : groups) {
    out.emplace_back();
    for (auto &[inside, device] : members) out.back().push_back(device);
  }
  return out;
}

LogicalResult checkIds(Operation *op, const Groups &rows, int64_t count, StringRef what) {
  const bool pairs = mlir::isa<stablehlo::CollectivePermuteOp>(op);
  llvm::DenseSet<int64_t> sources, seen;
  for (const auto &row : rows)
    for (auto [i, id] : llvm::enumerate(row)) {
      if (id < 0 || id >= count)
        return diagnose(op, codes::kBadGroups) << "expects numbers of " << count << " " << what << ", but got " << id;
      if (!(pairs && i == 0 ? sources : seen).insert(id).second)
        return diagnose(op, codes::kBadGroups)
               << "expects each of the " << what << " once" << (pairs ? i ? " as a target" : " as a source" : "")
               << ", but got " << id << " twice";
    }
  return success();
}

}  // namespace

FailureOr<Groups> processGroups(Operation *op) {
  const stablehlo::DeviceGrid grid = stablehlo::gridOf(op);
  Groups rows;
  if (auto axes = op->getAttrOfType<stablehlo::ReplicaGroupMeshAxesAttr>("replica_groups")) {
    FailureOr<Groups> found = alongAxes(op, axes);
    if (failed(found)) return failure();
    rows = *found;
  } else {
    const bool permutes = mlir::isa<stablehlo::CollectivePermuteOp>(op);
    auto ids = op->getAttrOfType<DenseIntElementsAttr>(permutes ? "source_target_pairs" : "replica_groups");
    if (!ids) return diagnose(op, codes::kNoCollective) << "expects its groups in the program, but got a resource";
    rows = rowsOf(ids);
    if (permutes && ids.getType().getRank() == 2)
      for (auto &row : rows)
        if (row.size() != 2)
          return diagnose(op, codes::kBadGroups) << "expects pairs of devices, but got " << row.size();
  }
  const Ids kind = idsOf(op);
  const int64_t count = kind == Ids::Devices      ? grid.devices()
                        : kind == Ids::Partitions ? grid.partitions
                                                  : grid.replicas;
  if (rows.empty() && !mlir::isa<stablehlo::CollectivePermuteOp>(op)) {
    rows.emplace_back(llvm::to_vector(llvm::seq<int64_t>(0, count)));  // all of them
  }
  if (failed(checkIds(op, rows, count,
                      kind == Ids::Devices      ? "devices"
                      : kind == Ids::Partitions ? "partitions"
                                                : "replicas")))
    return failure();
  Groups out;
  switch (kind) {
    case Ids::Devices:
      return rows;
    case Ids::Replicas:
      for (auto &row : rows)
        for (int64_t p = 0; p < grid.partitions; ++p)
          out.emplace_back(llvm::map_to_vector(row, [&](int64_t r) { return r * grid.partitions + p; }));
      return out;
    case Ids::ReplicasOfAllPartitions:
      for (auto &row : rows) {
        out.emplace_back();
        for (int64_t p = 0; p < grid.partitions; ++p)
          for (int64_t r : row) out.back().push_back(r * grid.partitions + p);
      }
      return out;
    case Ids::Partitions:
      for (int64_t r = 0; r < grid.replicas; ++r)
        for (auto &row : rows)
          out.emplace_back(llvm::map_to_vector(row, [&](int64_t p) { return r * grid.partitions + p; }));
      return out;
  }
  return out;
}

}  // namespace tpuc::decompose
