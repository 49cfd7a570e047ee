// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "compiler/pipeline/apply_mesh.h"

#include "dialects/diagnostics/diagnose.h"
#include "dialects/diagnostics/outer_codes.h"
#include "dialects/sdy/sdy.h"
#include "dialects/stablehlo/device_grid.h"
#include "dialects/stablehlo/stablehlo.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringSet.h"
#include "llvm/Support/CheckedArithmetic.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/AttrTypeSubElements.h"
#include "mlir/IR/Verifier.h"
#include "mlir/Pass/PassManager.h"
#include "passes/shard/partition/passes.h"

using namespace mlir;

namespace tpuc {
namespace {

constexpr int64_t kMostDevices = 1 << 20;

using Sizes = llvm::MapVector<StringRef, int64_t>;

bool parse(const std::vector<std::string> &mesh, Sizes &sizes, std::string &error) {
  for (StringRef text : mesh) {
    auto [name, number] = text.rsplit(':');
    int64_t size = 0;
    if (name.empty() || number.getAsInteger(10, size) || size < 1 || size > kMostDevices)
      error = "--mesh expects NAME:SIZE, as data:8, but got '" + text.str() + "'";
    else if (!sizes.insert({name, size}).second)
      error = "--mesh expects each axis once, but got '" + name.str() + "' twice";
    if (!error.empty()) return false;
  }
  return true;
}

class Resizer {
 public:
  Resizer(ModuleOp module, const Sizes &sizes) : module(module), sizes(sizes) {}

  LogicalResult run() {
    AttrTypeReplacer replacer;
    replacer.addReplacement([&](sdy::MeshAttr mesh) { return resized(mesh); });
    replacer.addReplacement([&](stablehlo::MeshAttr mesh) { return resized(mesh); });
    module.walk([&](Operation *op) {
      at = op;
      replacer.replaceElementsIn(op);
    });
    if (ordered)
      return diagnose(ordered, codes::kDeviceCount)
             << "expects a mesh without device ids where --mesh changes its sizes, but got some";
    for (auto [name, size] : sizes)
      if (!used.contains(name))
        return diagnose(place(), codes::kDeviceCount)
               << "expects axes of the program's meshes, " << listed() << ", but got --mesh=" << name << ":" << size;
    if (most > 1) stablehlo::setGrid(module, {stablehlo::gridOf(module).replicas, most});
    return check();
  }

 private:
  template <typename MeshT>
  Attribute resized(MeshT mesh) {
    using AxisT = std::decay_t<decltype(mesh.getAxes().front())>;
    SmallVector<AxisT> axes;
    std::optional<int64_t> count = 1;
    for (AxisT axis : mesh.getAxes()) {
      names.insert(axis.getName());
      auto own = sizes.find(axis.getName());
      int64_t size = own == sizes.end() ? axis.getSize() : own->second;
      if (own != sizes.end()) used.insert(axis.getName());
      axes.push_back(AxisT::get(module.getContext(), axis.getName(), size));
      count = count ? llvm::checkedMul(*count, size) : count;
    }
    most = std::max(most, count && *count <= kMostDevices ? *count : kMostDevices + 1);
    if (ArrayRef<AxisT>(axes) == mesh.getAxes()) return mesh;
    if (!isEmpty(mesh.getDeviceIds())) ordered = at;
    return MeshT::get(module.getContext(), axes, {});
  }
  static bool isEmpty(ArrayRef<int64_t> ids) { return ids.empty(); }
  static bool isEmpty(DenseIntElementsAttr ids) { return !ids || ids.empty(); }

  // The first mesh; where there is none, the program's first function.
  Operation *place() {
    auto meshes = module.getOps<sdy::MeshOp>();
    if (!meshes.empty()) return *meshes.begin();
    auto functions = module.getOps<func::FuncOp>();
    return functions.empty() ? module.getOperation() : *functions.begin();
  }

  std::string listed() const {
    if (names.empty()) return "of which there are none";
    return llvm::join(names, ", ");
  }

  // Sharded sizes, parts of axes and local types of manual computations were checked for the sizes before.
  LogicalResult check() {
    ScopedDiagnosticHandler coded(module.getContext(), [](Diagnostic &diagnostic) {
      if (diagnostic.getSeverity() == DiagnosticSeverity::Error && !codeOf(diagnostic.str()))
        diagnostic << ", which does not fit --mesh [" << codes::kDeviceCount.name << "]";
      return failure();
    });
    return verify(module);
  }

  ModuleOp module;
  const Sizes &sizes;
  llvm::StringSet<> used;
  llvm::SetVector<StringRef> names;
  int64_t most = 1;
  Operation *at = nullptr, *ordered = nullptr;
};

bool hasShardingsAsText(ModuleOp module) {
  auto isText = [](DictionaryAttr attributes) { return attributes && attributes.contains("mhlo.sharding"); };
  return module
      .walk([&](Operation *op) {
        bool found = isText(op->getDiscardableAttrDictionary());
        if (auto function = dyn_cast<func::FuncOp>(op))
          for (ArrayAttr all : {function.getAllArgAttrs(), function.getAllResultAttrs()})
            found |= all && llvm::any_of(all.getAsRange<DictionaryAttr>(), isText);
        return found ? WalkResult::interrupt() : WalkResult::advance();
      })
      .wasInterrupted();
}

// Shardings that GSPMD wrote have no names of axes: those of --mesh, in order, for the axes that they part arrays by.
LogicalResult nameAxes(ModuleOp module, const Sizes &sizes) {
  PassManager pm(module.getContext());
  pm.addPass(shard::createImportHloShardingsPass());
  if (failed(pm.run(module))) return failure();
  SmallVector<sdy::MeshOp> meshes(module.getOps<sdy::MeshOp>());
  if (meshes.empty()) return success();
  ArrayRef<sdy::MeshAxisAttr> axes = meshes.front().getMesh().getAxes();
  if (meshes.size() > 1 || axes.size() != sizes.size()) {
    std::string parts =
        llvm::join(llvm::map_range(axes, [](sdy::MeshAxisAttr axis) { return std::to_string(axis.getSize()); }), " x ");
    auto diagnostic = diagnose(meshes.front(), codes::kDeviceCount);
    return diagnostic << "expects --mesh to name the axes that the shardings part arrays by, " << parts << ", but got "
                      << sizes.size() << (meshes.size() > 1 ? " for several orders of devices" : "");
  }
  llvm::StringMap<StringRef> names;
  for (auto [axis, named] : llvm::zip_equal(axes, sizes)) names[axis.getName()] = named.first;
  AttrTypeReplacer replacer;
  MLIRContext *context = module.getContext();
  replacer.addReplacement([&](sdy::MeshAxisAttr axis) {
    return sdy::MeshAxisAttr::get(context, names.lookup(axis.getName()), axis.getSize());
  });
  replacer.addReplacement([&](sdy::AxisRefAttr axis) {
    return sdy::AxisRefAttr::get(context, names.lookup(axis.getName()), axis.getPreSize(), axis.getSize());
  });
  module.walk([&](Operation *op) { replacer.replaceElementsIn(op); });
  return success();
}

}  // namespace

bool checkMesh(const std::vector<std::string> &mesh, std::string &error) {
  Sizes sizes;
  return parse(mesh, sizes, error);
}

LogicalResult applyMesh(ModuleOp module, const std::vector<std::string> &mesh) {
  Sizes sizes;
  std::string error;
  if (!parse(mesh, sizes, error)) return diagnose(module, codes::kDeviceCount) << error;
  if (hasShardingsAsText(module) && failed(nameAxes(module, sizes))) return failure();
  return Resizer(module, sizes).run();
}

}  // namespace tpuc
