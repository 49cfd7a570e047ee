//===- import_hlo_shardings.cpp - shardings of sdy for those that GSPMD writes as text ----------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// 1. Each tiled sharding is read as digits: along a dimension of its tile, devices step by a stride a number of times,
//    then by a larger one. Those that are not of this form get a mesh in their own order of devices.
// 2. The strides of all others cut the devices into axes of one mesh.
// 3. Arguments, results and ops get shardings of sdy; the custom call Sharding is a constraint. The borders of manual
//    computations stay calls, with the sharding of what lies outside, until the program is partitioned.
//===-----------------------------------------------------------------------------===//
#include "dialects/diagnostics/diagnose.h"
#include "dialects/stablehlo/device_grid.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/StringExtras.h"
#include "passes/shard/partition/hlo_sharding.h"
#include "passes/shard/partition/passes.h"

using namespace mlir;

namespace tpuc::shard {
#define GEN_PASS_DEF_IMPORTHLOSHARDINGSPASS
#include "passes/shard/partition/passes.h.inc"

namespace {

namespace hlo = tpuc::stablehlo;

constexpr StringLiteral kText = "mhlo.sharding";

struct Digit {
  int64_t size, stride;
};
using Digits = SmallVector<SmallVector<Digit, 2>>;  // of each dimension of a tile, major first

// Nothing where devices are in no such order.
std::optional<Digits> digitsOf(const HloSharding &sharding) {
  if (sharding.devices.front() != 0) return std::nullopt;
  Digits digits;
  int64_t below = sharding.devices.size();
  for (int64_t size : sharding.tile) {
    below /= size;
    auto &own = digits.emplace_back();
    for (int64_t done = 1; done < size;) {
      int64_t stride = sharding.devices[done * below], count = 2;
      while (done * count < size && sharding.devices[done * count * below] == stride * count) ++count;
      while (size % (done * count) != 0) --count;
      if (count < 2) return std::nullopt;
      own.insert(own.begin(), {count, stride});
      done *= count;
    }
  }
  for (auto [place, device] : llvm::enumerate(sharding.devices)) {
    int64_t left = place, expected = 0;
    for (auto &own : llvm::reverse(digits))
      for (Digit digit : llvm::reverse(own)) {
        expected += left % digit.size * digit.stride;
        left /= digit.size;
      }
    if (expected != device) return std::nullopt;
  }
  return digits;
}

class Meshes {
 public:
  explicit Meshes(ModuleOp module) : module(module) {}

  void note(const HloSharding &sharding) {
    for (const HloSharding &element : sharding.elements) note(element);
    if (sharding.kind != HloSharding::Kind::Tiled) return;
    devices = std::max<int64_t>(devices, sharding.devices.size());
    std::optional<Digits> digits = digitsOf(sharding);
    if (!digits) return;
    for (auto &own : *digits)
      for (Digit digit : own) llvm::append_values(cuts, digit.stride, digit.stride * digit.size);
  }

  // The axes of the mesh in the order of devices.
  void finish(int64_t count) {
    devices = std::max(devices, count);
    llvm::append_values(cuts, int64_t{1}, devices);
    llvm::sort(cuts);
    cuts.erase(llvm::unique(cuts), cuts.end());
    for (size_t i = 1; i < cuts.size(); ++i)
      if (cuts[i] % cuts[i - 1] != 0) {
        cuts = {1, devices};
        break;
      }
    SmallVector<int64_t> sizes;
    for (size_t i = cuts.size(); i-- > 1;) sizes.push_back(cuts[i] / cuts[i - 1]);
    common = make(sizes, {});
  }
  int64_t count() const { return devices; }

  // `dims` of the array; of others than a tiled one all dimensions are whole.
  sdy::TensorShardingAttr encode(const HloSharding &sharding, int64_t rank, ArrayRef<int64_t> open = {}) {
    MLIRContext *context = module.getContext();
    std::optional<Digits> digits;
    SmallVector<SmallVector<sdy::AxisRefAttr>> axes(rank);
    SmallVector<sdy::AxisRefAttr> unreduced;
    FlatSymbolRefAttr mesh = common;
    if (sharding.kind == HloSharding::Kind::Tiled && static_cast<int64_t>(sharding.rank()) == rank) {
      digits = digitsOf(sharding);
      bool fits = digits.has_value();
      for (int64_t dim = 0; fits && dim < rank; ++dim)
        for (Digit digit : (*digits)[dim]) fits &= along(digit, axes[dim]);
      for (int64_t dim : summandDims(sharding))
        for (Digit digit : fits ? (*digits)[dim] : SmallVector<Digit, 2>()) fits &= along(digit, unreduced);
      if (!fits) mesh = ownMesh(sharding, axes, unreduced);
      llvm::sort(unreduced, [&](auto a, auto b) { return numberOf(a) < numberOf(b); });
    }
    SmallVector<sdy::DimensionShardingAttr> dims;
    for (auto [dim, own] : llvm::enumerate(axes)) {
      bool closed = sharding.kind != HloSharding::Kind::Unknown && !llvm::is_contained(open, dim);
      dims.push_back(sdy::DimensionShardingAttr::get(context, own, closed, std::nullopt));
    }
    return sdy::TensorShardingAttr::get(context, mesh, dims, {}, unreduced);
  }

 private:
  std::string nameOf(size_t axis) { return "_axis_" + std::to_string(axis); }
  sdy::AxisRefAttr axisRef(size_t axis) { return sdy::AxisRefAttr::get(module.getContext(), nameOf(axis), 0, 0); }

  // The axes of the common mesh that a digit is made of; false where it ends within one.
  bool along(Digit digit, SmallVector<sdy::AxisRefAttr> &axes) {
    const int64_t *low = llvm::find(cuts, digit.stride), *high = llvm::find(cuts, digit.stride * digit.size);
    if (low == cuts.end() || high == cuts.end()) return false;
    for (const int64_t *at = high; at != low; --at) axes.push_back(axisRef(cuts.end() - 1 - at));
    return true;
  }

  static int numberOf(sdy::AxisRefAttr axis) {
    int number = 0;
    (void)axis.getName().drop_front(strlen("_axis_")).getAsInteger(10, number);
    return number;
  }

  // Those of the tile along which devices have summands.
  static SmallVector<int64_t> summandDims(const HloSharding &sharding) {
    SmallVector<int64_t> dims;
    for (auto [i, kind] : llvm::enumerate(sharding.subgroups))
      if (kind == HloSharding::Subgroup::Unreduced) dims.push_back(sharding.rank() + i);
    return dims;
  }

  // Axes as the tile, devices as they are listed.
  FlatSymbolRefAttr ownMesh(const HloSharding &sharding, SmallVector<SmallVector<sdy::AxisRefAttr>> &axes,
                            SmallVector<sdy::AxisRefAttr> &unreduced) {
    for (auto [dim, own] : llvm::enumerate(axes)) {
      own.clear();
      if (sharding.tile[dim] > 1) own.push_back(axisRef(dim));
    }
    unreduced.clear();
    for (int64_t dim : summandDims(sharding))
      if (sharding.tile[dim] > 1) unreduced.push_back(axisRef(dim));
    return make(sharding.tile, sharding.devices);
  }

  FlatSymbolRefAttr make(ArrayRef<int64_t> sizes, ArrayRef<int64_t> ids) {
    MLIRContext *context = module.getContext();
    SmallVector<sdy::MeshAxisAttr> axes;
    for (auto [i, size] : llvm::enumerate(sizes)) axes.push_back(sdy::MeshAxisAttr::get(context, nameOf(i), size));
    if (llvm::is_sorted(ids)) ids = {};
    auto mesh = sdy::MeshAttr::get(context, axes, ids);
    FlatSymbolRefAttr &symbol = made[mesh];
    if (symbol) return symbol;
    std::string name = "mesh";
    for (int i = 0; module.lookupSymbol(name); ++i) name = "mesh_" + std::to_string(i);
    OpBuilder builder = OpBuilder::atBlockBegin(module.getBody());
    sdy::MeshOp::create(builder, module.getLoc(), name, mesh);
    return symbol = FlatSymbolRefAttr::get(context, name);
  }

  ModuleOp module;
  int64_t devices = 1;
  SmallVector<int64_t> cuts;
  FlatSymbolRefAttr common;
  llvm::MapVector<Attribute, FlatSymbolRefAttr> made;
};

int64_t rankOf(Type type) {
  auto shaped = dyn_cast<RankedTensorType>(type);
  return shaped ? shaped.getRank() : 0;
}

struct ImportHloShardings : impl::ImportHloShardingsPassBase<ImportHloShardings> {
  // `types`: of the values that have it.
  LogicalResult parse(Operation *op, Attribute attribute, TypeRange types) {
    auto text = dyn_cast_or_null<StringAttr>(attribute);
    if (!text) return success();
    if (!parsed.count(text)) {
      std::optional<HloSharding> sharding = parseHloSharding(text.getValue());
      if (!sharding)
        return diagnose(op, codes::kMalformed)
               << "expects a sharding as HLO writes it, but got '" << text.getValue() << "'";
      parsed[text] = *sharding;
    }
    const HloSharding &sharding = parsed[text];
    if (sharding.kind != HloSharding::Kind::Tuple) return check(op, text, sharding, types);
    for (auto [element, type] : llvm::zip(sharding.elements, types))
      if (failed(check(op, text, element, type))) return failure();
    return success();
  }

  // Checks that a sharding has as many dimensions as the array, and as many devices as the program.
  LogicalResult check(Operation *op, StringAttr text, const HloSharding &sharding, TypeRange types) {
    if (sharding.kind == HloSharding::Kind::Maximal && devices > 1 && !sharding.devices.empty() &&
        sharding.devices.front() >= devices)
      return diagnose(op, codes::kMalformed)
             << "expects a device of the program's " << devices << ", but got '" << text.getValue() << "'";
    if (sharding.kind != HloSharding::Kind::Tiled || types.size() != 1) return success();
    auto type = dyn_cast<RankedTensorType>(types.front());
    if (type && static_cast<int64_t>(sharding.rank()) != type.getRank())
      return diagnose(op, codes::kMalformed) << "expects a sharding of " << type.getRank() << " dimensions for " << type
                                             << ", but got '" << text.getValue() << "'";
    const int64_t own = sharding.devices.size();
    if (devices > 1 && own != devices)
      return diagnose(op, codes::kMalformed)
             << "expects a sharding over " << devices << " devices, as the program or another one has, but got '"
             << text.getValue() << "'";
    devices = own;
    return success();
  }

  // Every text of the module.
  LogicalResult collect() {
    WalkResult walk = getOperation().walk([&](Operation *op) {
      if (failed(parse(op, op->getDiscardableAttr(kText), op->getResultTypes()))) return WalkResult::interrupt();
      if (auto function = dyn_cast<func::FuncOp>(op)) {
        for (unsigned i = 0; i < function.getNumArguments(); ++i)
          if (failed(parse(op, function.getArgAttr(i, kText), function.getArgumentTypes()[i])))
            return WalkResult::interrupt();
        for (unsigned i = 0; i < function.getNumResults(); ++i)
          if (failed(parse(op, function.getResultAttr(i, kText), function.getResultTypes()[i])))
            return WalkResult::interrupt();
      }
      return WalkResult::advance();
    });
    return failure(walk.wasInterrupted());
  }

  // No sharding where the text says none of a value: manual, maximal.
  sdy::TensorShardingAttr encode(Attribute attribute, Type type, ArrayRef<int64_t> open = {}) {
    auto text = dyn_cast_or_null<StringAttr>(attribute);
    if (!text || !isa<RankedTensorType>(type)) return {};
    const HloSharding &sharding = parsed.lookup(text);
    if (sharding.kind == HloSharding::Kind::Manual || sharding.kind == HloSharding::Kind::Maximal) return {};
    return meshes->encode(sharding, rankOf(type), open);
  }

  void rewriteFunction(func::FuncOp function) {
    for (unsigned i = 0; i < function.getNumArguments(); ++i) {
      if (auto sharding = encode(function.getArgAttr(i, kText), function.getArgumentTypes()[i]))
        function.setArgAttr(i, "sdy.sharding", sharding);
      function.removeArgAttr(i, StringAttr::get(&getContext(), kText));
    }
    for (unsigned i = 0; i < function.getNumResults(); ++i) {
      if (auto sharding = encode(function.getResultAttr(i, kText), function.getResultTypes()[i]))
        function.setResultAttr(i, "sdy.sharding", sharding);
      function.removeResultAttr(i, StringAttr::get(&getContext(), kText));
    }
  }

  // "unspecified_dims=[0,1]": dimensions that others may shard.
  static SmallVector<int64_t> unspecified(hlo::CustomCallOp op) {
    SmallVector<int64_t> dims;
    auto config = dyn_cast_or_null<StringAttr>(op.getBackendConfigAttr());
    if (!config) return dims;
    auto [before, list] = config.getValue().split("unspecified_dims=[");
    SmallVector<StringRef> numbers;
    list.split(']').first.split(numbers, ',', -1, false);
    for (StringRef number : numbers)
      if (int64_t dim; !number.trim().getAsInteger(10, dim)) dims.push_back(dim);
    return dims;
  }

  void rewriteCall(hlo::CustomCallOp op, Attribute text) {
    StringRef name = op.getCallTargetName();
    if (name == "SPMDFullToShardShape") {
      // What the parts are parts of.
      if (auto constraint = op->getOperand(0).getDefiningOp<sdy::ShardingConstraintOp>())
        op->setAttr("tpuc.in_sharding", constraint.getSharding());
      return;
    }
    auto sharding = encode(text, op->getResult(0).getType(), unspecified(op));
    if (name == "SPMDShardToFullShape") {
      if (sharding) op->setAttr("sdy.sharding", sdy::TensorShardingPerValueAttr::get(&getContext(), sharding));
      return;
    }
    Value result = op->getOperand(0);
    OpBuilder builder(op);
    if (sharding)
      result = sdy::ShardingConstraintOp::create(builder, op.getLoc(), op->getResult(0).getType(), result, sharding);
    op->getResult(0).replaceAllUsesWith(result);
    op->erase();
  }

  void rewrite(Operation *op) {
    Attribute text = op->removeDiscardableAttr(kText);
    if (!text) return;
    auto call = dyn_cast<hlo::CustomCallOp>(op);
    if (call && call->getNumOperands() == 1 && call->getNumResults() == 1 &&
        (call.getCallTargetName() == "Sharding" || call.getCallTargetName().starts_with("SPMD")))
      return rewriteCall(call, text);
    const HloSharding &sharding = parsed.lookup(cast<StringAttr>(text));
    SmallVector<sdy::TensorShardingAttr> all;
    for (auto [i, result] : llvm::enumerate(op->getResults())) {
      bool tuple = sharding.kind == HloSharding::Kind::Tuple;
      if (tuple && i >= sharding.elements.size()) return;
      const HloSharding &own = tuple ? sharding.elements[i] : sharding;
      if (own.kind == HloSharding::Kind::Manual || own.kind == HloSharding::Kind::Maximal) return;
      all.push_back(meshes->encode(own, rankOf(result.getType())));
    }
    if (!all.empty()) op->setAttr("sdy.sharding", sdy::TensorShardingPerValueAttr::get(&getContext(), all));
  }

  void runOnOperation() override {
    ModuleOp module = getOperation();
    parsed.clear();
    devices = stablehlo::gridOf(module).partitions;
    // Twice: any text may be the first that says how many devices there are.
    if (failed(collect()) || failed(collect())) return signalPassFailure();
    if (parsed.empty()) return;
    for (auto mesh : module.getOps<sdy::MeshOp>())
      if (!mesh.getMesh().getAxes().empty()) {
        diagnose(mesh, codes::kMalformed) << "expects shardings of sdy or of GSPMD, but got both";
        return signalPassFailure();
      }
    Meshes all(module);
    meshes = &all;
    for (auto &entry : parsed) all.note(entry.second);
    all.finish(devices);
    SmallVector<Operation *> ops;
    module.walk<WalkOrder::PreOrder>([&](Operation *op) {
      if (op != module) ops.push_back(op);
    });
    for (Operation *op : ops) {
      if (auto function = dyn_cast<func::FuncOp>(op)) rewriteFunction(function);
      rewrite(op);
    }
  }

  llvm::MapVector<StringAttr, HloSharding> parsed;
  int64_t devices = 1;
  Meshes *meshes = nullptr;
};

}  // namespace
}  // namespace tpuc::shard
