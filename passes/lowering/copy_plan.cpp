// Strided transfers between tiled arrays.
#include "passes/lowering/copy_plan.h"

#include "dialects/stablehlo/stablehlo.h"

using namespace mlir;

namespace tpuc::lowering {

int64_t byteOffset(const Array &a, int64_t phys, int64_t i) {
  if (a.isVector()) {
    int64_t row = i / 128;
    return row / a.pack * isa::kWordBytes + row % a.pack * a.bytes + i % 128 * 4;
  }
  int64_t rank = a.rank();
  if (phys < rank - 2) return i * a.leadStrideBytes(phys);
  if (phys == rank - 1) return i / 128 * isa::kVregBytes + i % 128 * 4;
  int64_t tile = a.tileRows(), within = i % tile;
  return i / tile * a.colTiles() * isa::kVregBytes + within / a.pack * isa::kWordBytes + within % a.pack * a.bytes;
}

namespace {

struct Segment {
  int64_t src, dst;
  SmallVector<CopyDim, 4> dims;  // innermost first
};

// Joins neighbours of the same form at a constant distance, until nothing joins.
SmallVector<Segment> compress(const CopyGroup &group) {
  SmallVector<Segment> items;
  // The first level straight from the positions, so that long dims never stand element by element.
  for (int64_t i = 0; i < group.count;) {
    auto [s, d] = group.offsets(i);
    Segment seg{s, d, {}};
    int64_t n = 1;
    if (i + 1 < group.count) {
      auto [s1, d1] = group.offsets(i + 1);
      int64_t ds = s1 - s, dd = d1 - d;
      int64_t ps = s1, pd = d1;
      n = 2;
      while (i + n < group.count) {
        auto [sn, dn] = group.offsets(i + n);
        if (sn - ps != ds || dn - pd != dd) break;
        ps = sn;
        pd = dn;
        ++n;
      }
      seg.dims.push_back({n, ds, dd});
    }
    items.push_back(seg);
    i += n;
  }
  while (items.size() > 1) {
    SmallVector<Segment> next;
    for (size_t i = 0; i < items.size();) {
      size_t n = 1;
      if (i + 1 < items.size() && items[i + 1].dims == items[i].dims) {
        int64_t ds = items[i + 1].src - items[i].src, dd = items[i + 1].dst - items[i].dst;
        n = 2;
        while (i + n < items.size() && items[i + n].dims == items[i].dims && items[i + n].src - items[i + n - 1].src == ds && items[i + n].dst - items[i + n - 1].dst == dd) ++n;
        Segment seg = items[i];
        seg.dims.push_back({static_cast<int64_t>(n), ds, dd});
        next.push_back(seg);
      } else {
        next.push_back(items[i]);
      }
      i += n;
    }
    if (next.size() == items.size()) break;
    items = std::move(next);
  }
  return items;
}

Transfer merge(ArrayRef<const Segment *> parts, int64_t elementBytes) {
  Transfer t;
  t.run = elementBytes;
  SmallVector<CopyDim> dims;
  for (const Segment *s : parts) {
    t.src += s->src;
    t.dst += s->dst;
    for (CopyDim d : s->dims)
      if (d.count > 1) dims.push_back(d);
  }
  for (bool changed = true; changed;) {
    changed = false;
    for (size_t i = 0; i < dims.size(); ++i)
      if (dims[i].src == t.run && dims[i].dst == t.run) {
        t.run *= dims[i].count;
        dims.erase(dims.begin() + i);
        changed = true;
        break;
      }
  }
  for (bool changed = true; changed;) {
    changed = false;
    for (size_t i = 0; i < dims.size() && !changed; ++i)
      for (size_t k = 0; k < dims.size() && !changed; ++k)
        if (i != k && dims[i].src == dims[k].src * dims[k].count && dims[i].dst == dims[k].dst * dims[k].count) {
          dims[k].count *= dims[i].count;
          dims.erase(dims.begin() + i);
          changed = true;
        }
  }
  llvm::sort(dims, [](const CopyDim &a, const CopyDim &b) { return std::abs(a.dst) > std::abs(b.dst); });
  t.dims.assign(dims.begin(), dims.end());
  return t;
}

}  // namespace

std::optional<SmallVector<Transfer>> planCopy(ArrayRef<CopyGroup> groups, int64_t elementBytes, int64_t limit) {
  SmallVector<SmallVector<Segment>> segments;
  int64_t total = 1;
  for (const CopyGroup &g : groups) {
    if (g.count == 0) return SmallVector<Transfer>();
    segments.push_back(compress(g));
    total *= segments.back().size();
    if (total > limit) return std::nullopt;
  }
  SmallVector<Transfer> out;
  SmallVector<const Segment *> chosen(groups.size());
  std::function<void(size_t)> go = [&](size_t i) {
    if (i == groups.size()) {
      out.push_back(merge(chosen, elementBytes));
      return;
    }
    for (const Segment &s : segments[i]) {
      chosen[i] = &s;
      go(i + 1);
    }
  };
  go(0);
  return out;
}

namespace {

// A group that ties one source dim to one destination dim by affine indices.
CopyGroup affine(const Array &src, int64_t sd, int64_t s0, int64_t ss, const Array &dst, int64_t dd, int64_t d0, int64_t ds, int64_t count) {
  int64_t sp = llvm::find(src.order, sd) - src.order.begin(), dp = llvm::find(dst.order, dd) - dst.order.begin();
  return {count, [=](int64_t i) { return std::pair(sd < 0 ? 0 : byteOffset(src, sp, s0 + ss * i), byteOffset(dst, dp, d0 + ds * i)); }};
}

// Dims [a0, a1) of the source hold the same elements, in order, as [b0, b1) of the destination.
CopyGroup flat(const Array &src, int64_t a0, int64_t a1, const Array &dst, int64_t b0, int64_t b1) {
  int64_t count = 1;
  for (int64_t d = a0; d < a1; ++d) count *= src.type.getDimSize(d);
  auto offset = [](const Array &array, int64_t from, int64_t to, int64_t i) {
    int64_t bytes = 0;
    for (int64_t d = to - 1; d >= from; --d) {
      int64_t size = array.type.getDimSize(d);
      bytes += byteOffset(array, llvm::find(array.order, d) - array.order.begin(), i % size);
      i /= size;
    }
    return bytes;
  };
  return {count, [=](int64_t i) { return std::pair(offset(src, a0, a1, i), offset(dst, b0, b1, i)); }};
}

SmallVector<CopyGroup> reshapeGroups(const Array &src, const Array &dst) {
  SmallVector<CopyGroup> groups;
  int64_t a = 0, b = 0, ra = src.rank(), rb = dst.rank();
  while (a < ra || b < rb) {
    int64_t a0 = a, b0 = b, pa = 1, pb = 1;
    if (a < ra) pa = src.type.getDimSize(a++);
    if (b < rb) pb = dst.type.getDimSize(b++);
    while (pa != pb) {
      if (pa < pb && a < ra) pa *= src.type.getDimSize(a++);
      else if (b < rb) pb *= dst.type.getDimSize(b++);
      else break;
    }
    groups.push_back(flat(src, a0, a, dst, b0, b));
  }
  return groups;
}

}  // namespace

std::optional<SmallVector<Move>> movesOf(Operation *op, function_ref<Array(unsigned)> operand, const Array &dst) {
  SmallVector<Move> moves;
  int64_t rank = dst.rank();
  auto extent = [&](int64_t d) { return dst.type.getDimSize(d); };
  if (mlir::isa<stablehlo::ReshapeOp>(op)) return SmallVector<Move>{{0, reshapeGroups(operand(0), dst)}};
  if (auto concat = dyn_cast<stablehlo::ConcatenateOp>(op)) {
    int64_t at = 0, dim = concat.getDimension();
    for (unsigned i = 0; i < op->getNumOperands(); ++i) {
      Array src = operand(i);
      Move m{i, {}};
      for (int64_t d = 0; d < rank; ++d) m.groups.push_back(affine(src, d, 0, 1, dst, d, d == dim ? at : 0, 1, src.type.getDimSize(d)));
      at += src.type.getDimSize(dim);
      moves.push_back(m);
    }
    return moves;
  }
  Array src = operand(0);
  Move m{0, {}};
  if (auto slice = dyn_cast<stablehlo::SliceOp>(op)) {
    for (int64_t d = 0; d < rank; ++d) m.groups.push_back(affine(src, d, slice.getStartIndices()[d], slice.getStrides()[d], dst, d, 0, 1, extent(d)));
  } else if (auto reverse = dyn_cast<stablehlo::ReverseOp>(op)) {
    for (int64_t d = 0; d < rank; ++d) {
      bool flips = llvm::is_contained(reverse.getDimensions(), d);
      m.groups.push_back(affine(src, d, flips ? extent(d) - 1 : 0, flips ? -1 : 1, dst, d, 0, 1, extent(d)));
    }
  } else if (auto transpose = dyn_cast<stablehlo::TransposeOp>(op)) {
    for (int64_t d = 0; d < rank; ++d) m.groups.push_back(affine(src, transpose.getPermutation()[d], 0, 1, dst, d, 0, 1, extent(d)));
  } else if (auto broadcast = dyn_cast<stablehlo::BroadcastInDimOp>(op)) {
    for (int64_t d = 0; d < rank; ++d) {
      auto dims = broadcast.getBroadcastDimensions();
      auto it = llvm::find(dims, d);
      bool tied = it != dims.end() && src.type.getDimSize(it - dims.begin()) != 1;
      m.groups.push_back(affine(src, tied ? it - dims.begin() : -1, 0, 1, dst, d, 0, 1, extent(d)));
    }
  } else if (auto pad = dyn_cast<stablehlo::PadOp>(op)) {
    for (int64_t d = 0; d < rank; ++d) {
      int64_t low = pad.getEdgePaddingLow()[d], step = pad.getInteriorPadding()[d] + 1, n = src.type.getDimSize(d);
      // Elements that negative padding cuts off stay out.
      int64_t first = low < 0 ? llvm::divideCeil(-low, step) : 0;
      int64_t last = std::min<int64_t>(n, extent(d) - low <= 0 ? 0 : llvm::divideCeil(extent(d) - low, step));
      m.groups.push_back(affine(src, d, first, 1, dst, d, low + first * step, step, std::max<int64_t>(last - first, 0)));
    }
  } else {
    return std::nullopt;
  }
  moves.push_back(m);
  return moves;
}

}  // namespace tpuc::lowering
