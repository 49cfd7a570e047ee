// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Groups lie along axes where they are those that the axes' strides make: all subsets of axes are tried, then all parts
// of one.
#include "dialects/stablehlo/mesh_axes.h"

using namespace mlir;

namespace tpuc::stablehlo {
namespace {

constexpr StringLiteral kAxesAttr("tpuc.axes");
constexpr size_t kMostAxes = 10;  // whose subsets are tried

struct Axis {
  std::string text;
  int64_t stride, size;
};

SmallVector<Axis> axesOf(func::FuncOp function) {
  SmallVector<Axis> axes;
  auto all = function->getAttrOfType<ArrayAttr>(kAxesAttr);
  if (!all) return axes;
  int64_t stride = 1;
  for (Attribute entry : llvm::reverse(all)) {
    auto axis = cast<DictionaryAttr>(entry);
    const int64_t size = axis.getAs<IntegerAttr>("size").getInt();
    axes.insert(axes.begin(), {axis.getAs<StringAttr>("name").str(), stride, size});
    stride *= size;
  }
  return axes;
}

// Groups of `columns` as they stand, each along the same strides from its first member.
bool areAlong(DenseIntElementsAttr groups, ArrayRef<Axis> axes) {
  SmallVector<int64_t> offsets{0};
  for (const Axis &axis : axes) {
    SmallVector<int64_t> next;
    for (int64_t offset : offsets)
      for (int64_t i = 0; i < axis.size; ++i) next.push_back(offset + i * axis.stride);
    offsets = std::move(next);
  }
  const int64_t columns = groups.getType().getDimSize(1);
  if (columns != static_cast<int64_t>(offsets.size())) return false;
  int64_t place = 0, first = 0;
  for (int64_t id : groups.getValues<int64_t>()) {
    if (place == 0) first = id;
    if (id != first + offsets[place]) return false;
    place = (place + 1) % columns;
  }
  return true;
}

std::string textOf(ArrayRef<Axis> axes) {
  return llvm::join(llvm::map_range(axes, [](const Axis &axis) { return axis.text; }), ",");
}

// Parts of an axis from major to minor: after `before` parts, `size` of them.
std::string partOf(const Axis &axis, DenseIntElementsAttr groups) {
  const int64_t size = groups.getType().getDimSize(1);
  for (int64_t before = 1; before * size <= axis.size; ++before) {
    if (axis.size % (before * size) != 0) continue;
    const std::string text = axis.text + ":(" + std::to_string(before) + ")" + std::to_string(size);
    if (areAlong(groups, Axis{text, axis.stride * (axis.size / (before * size)), size})) return text;
  }
  return "";
}

}  // namespace

void setMeshAxes(func::FuncOp function, ArrayRef<StringRef> names, ArrayRef<int64_t> sizes) {
  Builder b(function.getContext());
  SmallVector<Attribute> axes;
  for (auto [name, size] : llvm::zip_equal(names, sizes))
    axes.push_back(b.getDictionaryAttr(
        {b.getNamedAttr("name", b.getStringAttr(name)), b.getNamedAttr("size", b.getI64IntegerAttr(size))}));
  function->setAttr(kAxesAttr, b.getArrayAttr(axes));
}

std::string axesOf(func::FuncOp function, DenseIntElementsAttr groups) {
  SmallVector<Axis> axes = axesOf(function);
  if (axes.size() > kMostAxes || groups.getType().getDimSize(1) < 2) return "";
  for (unsigned subset = 1; subset < 1u << axes.size(); ++subset) {
    SmallVector<Axis> chosen;
    for (size_t i = 0; i < axes.size(); ++i)
      if (subset >> i & 1) chosen.push_back(axes[i]);
    if (areAlong(groups, chosen)) return textOf(chosen);
  }
  for (const Axis &axis : axes)
    if (std::string part = partOf(axis, groups); !part.empty()) return part;
  return "";
}

std::string axesBetween(func::FuncOp function, DenseIntElementsAttr pairs) {
  SmallVector<Axis> axes = axesOf(function), differ;
  SmallVector<int64_t> ids(pairs.getValues<int64_t>());
  for (const Axis &axis : axes) {
    auto place = [&](int64_t id) { return id / axis.stride % axis.size; };
    for (size_t i = 0; i + 1 < ids.size(); i += 2)
      if (place(ids[i]) != place(ids[i + 1])) {
        differ.push_back(axis);
        break;
      }
  }
  return textOf(differ);
}

}  // namespace tpuc::stablehlo
