// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "passes/decompose/exchange.h"

#include <algorithm>

using namespace mlir;

namespace tpuc::decompose {

Value ExchangeBuild::splat0(RankedTensorType type) {
  Type element = type.getElementType();
  auto complex = dyn_cast<ComplexType>(element);
  Attribute zero = complex ? Attribute(b.getArrayAttr(
                                 {b.getZeroAttr(complex.getElementType()), b.getZeroAttr(complex.getElementType())}))
                           : Attribute(b.getZeroAttr(element));
  return splat(type, zero);
}

Value ExchangeBuild::padTo(Value v, int64_t dim, int64_t size) {
  RankedTensorType type = typeOf(v);
  if (type.getDimSize(dim) == size) return v;
  SmallVector<int64_t> none(type.getRank(), 0), high(none);
  high[dim] = size - type.getDimSize(dim);
  return pad(v, splat0(RankedTensorType::get({}, type.getElementType())), none, high, none);
}

Value ExchangeBuild::sliceTo(Value v, ArrayRef<int64_t> shape) {
  if (typeOf(v).getShape() == shape) return v;
  return slice(v, SmallVector<int64_t>(shape.size(), 0), shape, SmallVector<int64_t>(shape.size(), 1));
}

Value ExchangeBuild::select(Value scalar, Value yes, Value no) {
  Value mask = broadcast(scalar, typeOf(yes).getShape(), {});
  return stablehlo::SelectOp::create(b, loc, mask, yes, no);
}

Value ExchangeBuild::equals(Value x, Value y) {
  return stablehlo::CompareOp::create(b, loc, x, y, stablehlo::ComparisonDirection::EQ);
}

Value ExchangeBuild::blockAt(Value blocks, Value index, ArrayRef<int64_t> shape) {
  RankedTensorType type = typeOf(blocks);
  Value zero = splat(RankedTensorType::get({}, b.getI32Type()), 0);
  SmallVector<Value> starts(type.getRank(), zero);
  starts[0] = index;
  SmallVector<int64_t> sizes(type.getShape());
  sizes[0] = 1;
  Value one =
      stablehlo::DynamicSliceOp::create(b, loc, type.clone(sizes), blocks, starts, b.getDenseI64ArrayAttr(sizes));
  return reshape(one, shape);
}

Exchange::Exchange(OpBuilder &b, Operation *op, const Groups &groups)
    : b_(b),
      build_{{b, op->getLoc()}},
      name_(op->getName().stripDialect()),
      groups_(groups),
      grid_(stablehlo::gridOf(op)) {
  for (const auto &group : groups_) {
    const auto members = static_cast<int64_t>(group.size());
    uniform_ &= size_ == 0 || members == size_;
    size_ = std::max(size_, members);
    numMembers_ += members;
  }
}

Value Exchange::start(StringRef kind, Value x, RankedTensorType type, const Groups &rows) {
  int64_t columns = 0;
  for (const auto &row : rows) columns = std::max<int64_t>(columns, row.size());
  SmallVector<int64_t> ids;
  for (const auto &row : rows) {
    llvm::append_range(ids, row);
    ids.resize(ids.size() + columns - row.size(), -1);
  }
  auto idType = RankedTensorType::get({static_cast<int64_t>(rows.size()), columns}, b_.getI64Type());
  Value started =
      kernel::ExchangeStartOp::create(b_, build_.loc, type, kind, x, DenseIntElementsAttr::get(idType, ids), name_);
  return kernel::ExchangeDoneOp::create(b_, build_.loc, started, x);
}

// A block is tiles of its own from a rank of two on.
static SmallVector<int64_t> tiled(ArrayRef<int64_t> shape) {
  SmallVector<int64_t> out(shape);
  while (out.size() < 2) out.insert(out.begin(), 1);
  return out;
}

Value Exchange::gather(Value x) {
  RankedTensorType type = typeOf(x);
  SmallVector<int64_t> block = tiled(type.getShape()), blocks(block), out(type.getShape());
  blocks.insert(blocks.begin(), size_);
  out.insert(out.begin(), size_);
  return build_.reshape(start("gather", build_.reshape(x, block), type.clone(blocks), groups_), out);
}

Value Exchange::scatter(Value x) {
  RankedTensorType type = typeOf(x);
  SmallVector<int64_t> blocks = tiled(type.getShape().drop_front());
  blocks.insert(blocks.begin(), size_);
  Value lead = build_.reshape(x, blocks);
  return build_.reshape(start("scatter", lead, type.clone(blocks), groups_), type.getShape());
}

Value Exchange::along(Value x, const Groups &pairs) {
  if (pairs.empty()) return build_.splat0(typeOf(x));
  Value moved = start("permute", x, typeOf(x), pairs);
  std::vector<bool> hasSource(grid_.devices(), false);
  for (const auto &pair : pairs) hasSource[pair[1]] = true;
  if (llvm::all_of(hasSource, [](bool has) { return has; })) return moved;
  SmallVector<APInt> flags = llvm::map_to_vector(hasSource, [](bool has) { return APInt(1, has); });
  return build_.select(lookUp(flags, b_.getI1Type()), moved, build_.splat0(typeOf(x)));
}

Value Exchange::permute(Value x) { return along(x, groups_); }

Value Exchange::fromFirst(Value x) {
  Groups pairs;
  for (const auto &group : groups_)
    for (int64_t member : group) pairs.push_back({group[0], member});
  return along(x, pairs);
}

Value Exchange::splitToFront(Value x, int64_t dim) {
  SmallVector<int64_t> shape(typeOf(x).getShape()), order{dim};
  shape[dim] /= size_;
  shape.insert(shape.begin() + dim, size_);
  for (int64_t d = 0; d < static_cast<int64_t>(shape.size()); ++d)
    if (d != dim) order.push_back(d);
  Value parts = build_.reshape(x, shape);
  return dim == 0 ? parts : build_.transpose(parts, order);
}

Value Exchange::mergeFront(Value blocks, int64_t dim, RankedTensorType type) {
  SmallVector<int64_t> order;
  for (int64_t d = 1; d <= dim; ++d) order.push_back(d);
  order.push_back(0);
  for (int64_t d = dim + 1; d < typeOf(blocks).getRank(); ++d) order.push_back(d);
  return build_.reshape(dim == 0 ? blocks : build_.transpose(blocks, order), type.getShape());
}

// In elements, tiles and parts padded.
int64_t Exchange::bestSplit(RankedTensorType type) const {
  int64_t best = 0, least = INT64_MAX;
  for (int64_t d = 0; d < type.getRank(); ++d) {
    int64_t elements = size_;
    for (int64_t k = 0; k < type.getRank(); ++k) {
      const int64_t part = k == d ? llvm::divideCeil(type.getDimSize(k), size_) : type.getDimSize(k);
      const int64_t tile = k + 1 == type.getRank() ? 128 : k + 2 == type.getRank() ? 8 : 1;
      elements *= llvm::alignTo(part, tile);
    }
    if (elements >= least) continue;
    best = d;
    least = elements;
  }
  return best;
}

// The device's own element.
Value Exchange::lookUp(ArrayRef<APInt> byDevice, Type element) {
  auto type = RankedTensorType::get({static_cast<int64_t>(byDevice.size())}, element);
  Value table = stablehlo::ConstantOp::create(b_, build_.loc, type,
                                              cast<ElementsAttr>(Attribute(DenseElementsAttr::get(type, byDevice))));
  auto word = RankedTensorType::get({}, b_.getIntegerType(32, /*isSigned=*/false));
  Value id = build_.convert(kernel::DeviceIdOp::create(b_, build_.loc, word), b_.getI32Type());
  auto one = RankedTensorType::get({1}, element);
  Value own =
      stablehlo::DynamicSliceOp::create(b_, build_.loc, one, table, ValueRange{id}, b_.getDenseI64ArrayAttr({1}));
  return build_.reshape(own, {});
}

Value Exchange::flag(function_ref<bool(int64_t, int64_t)> holds) {
  SmallVector<APInt> flags(grid_.devices(), APInt(1, holds(0, 0)));
  for (const auto &group : groups_)
    for (auto [position, member] : llvm::enumerate(group))
      flags[member] = APInt(1, holds(static_cast<int64_t>(group.size()), static_cast<int64_t>(position)));
  return lookUp(flags, b_.getI1Type());
}

Value Exchange::position() {
  SmallVector<APInt> positions(grid_.devices(), APInt(32, static_cast<uint64_t>(-1), /*isSigned=*/true));
  for (const auto &group : groups_)
    for (auto [position, member] : llvm::enumerate(group)) positions[member] = APInt(32, position);
  return lookUp(positions, b_.getI32Type());
}

}  // namespace tpuc::decompose
