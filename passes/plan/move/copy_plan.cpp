// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Strided transfers between tiled arrays.
#include "passes/plan/move/copy_plan.h"

#include <numeric>

#include "dialects/stablehlo/stablehlo.h"

using namespace mlir;

namespace tpuc::plan {

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

// Indices `step` apart, so many of which make whole tiles of a physical dim.
int64_t periodOf(const Array &a, int64_t phys, int64_t step) {
  int64_t tile = a.isVector() ? 128 * a.pack : phys < a.rank() - 2 ? 1 : phys == a.rank() - 1 ? 128 : a.tileRows();
  return tile / std::gcd(tile, step);
}

// A group that ties one source dim to one destination dim by affine indices.
CopyGroup affine(const Array &src, int64_t sd, int64_t s0, int64_t ss, const Array &dst, int64_t dd, int64_t d0,
                 int64_t ds, int64_t count) {
  int64_t sp = llvm::find(src.order, sd) - src.order.begin(), dp = llvm::find(dst.order, dd) - dst.order.begin();
  return {count,
          [=](int64_t i) {
            return std::pair(sd < 0 ? 0 : byteOffset(src, sp, s0 + ss * i), byteOffset(dst, dp, d0 + ds * i));
          },
          std::lcm(sd < 0 ? 1 : periodOf(src, sp, ss), periodOf(dst, dp, ds))};
}

analysis::Tiles tilesOf(const Array &array) { return {array.type, array.order}; }

}  // namespace

std::optional<SmallVector<Move>> movesOf(Operation *op, function_ref<Array(unsigned)> operand, const Array &dst) {
  SmallVector<Move> moves;
  int64_t rank = dst.rank();
  auto extent = [&](int64_t d) { return dst.type.getDimSize(d); };
  if (mlir::isa<stablehlo::ReshapeOp>(op))
    return SmallVector<Move>{{0, analysis::reshapeGroups(tilesOf(operand(0)), tilesOf(dst))}};
  if (auto concat = dyn_cast<stablehlo::ConcatenateOp>(op)) {
    int64_t at = 0, dim = concat.getDimension();
    for (unsigned i = 0; i < op->getNumOperands(); ++i) {
      Array src = operand(i);
      Move m{i, {}};
      auto slice = op->getOperand(i).getDefiningOp<stablehlo::SliceOp>();
      auto part = cast<RankedTensorType>(op->getOperand(i).getType());
      for (int64_t d = 0; d < rank; ++d) {
        int64_t start = slice ? slice.getStartIndices()[d] : 0, step = slice ? slice.getStrides()[d] : 1;
        m.groups.push_back(affine(src, d, start, step, dst, d, d == dim ? at : 0, 1, part.getDimSize(d)));
      }
      at += part.getDimSize(dim);
      moves.push_back(m);
    }
    return moves;
  }
  Array src = operand(0);
  Move m{0, {}};
  if (auto slice = dyn_cast<stablehlo::SliceOp>(op)) {
    for (int64_t d = 0; d < rank; ++d)
      m.groups.push_back(affine(src, d, slice.getStartIndices()[d], slice.getStrides()[d], dst, d, 0, 1, extent(d)));
  } else if (auto reverse = dyn_cast<stablehlo::ReverseOp>(op)) {
    for (int64_t d = 0; d < rank; ++d) {
      bool flips = llvm::is_contained(reverse.getDimensions(), d);
      m.groups.push_back(affine(src, d, flips ? extent(d) - 1 : 0, flips ? -1 : 1, dst, d, 0, 1, extent(d)));
    }
  } else if (auto transpose = dyn_cast<stablehlo::TransposeOp>(op)) {
    for (int64_t d = 0; d < rank; ++d)
      m.groups.push_back(affine(src, transpose.getPermutation()[d], 0, 1, dst, d, 0, 1, extent(d)));
  } else if (auto broadcast = dyn_cast<stablehlo::BroadcastInDimOp>(op)) {
    for (int64_t d = 0; d < rank; ++d) {
      auto dims = broadcast.getBroadcastDimensions();
      auto it = llvm::find(dims, d);
      bool tied = it != dims.end() && src.type.getDimSize(it - dims.begin()) != 1;
      m.groups.push_back(affine(src, tied ? it - dims.begin() : -1, 0, 1, dst, d, 0, 1, extent(d)));
    }
  } else if (auto pad = dyn_cast<stablehlo::PadOp>(op)) {
    auto part = pad.getOperand().getDefiningOp<stablehlo::SliceOp>();
    for (int64_t d = 0; d < rank; ++d) {
      int64_t low = pad.getEdgePaddingLow()[d], step = pad.getInteriorPadding()[d] + 1,
              n = pad.getOperand().getType().getDimSize(d), start = part ? part.getStartIndices()[d] : 0,
              stride = part ? part.getStrides()[d] : 1;
      // Elements that negative padding cuts off stay out.
      int64_t first = low < 0 ? llvm::divideCeil(-low, step) : 0;
      int64_t last = std::min<int64_t>(n, extent(d) - low <= 0 ? 0 : llvm::divideCeil(extent(d) - low, step));
      m.groups.push_back(affine(src, d, start + first * stride, stride, dst, d, low + first * step, step,
                                std::max<int64_t>(last - first, 0)));
    }
  } else {
    return std::nullopt;
  }
  moves.push_back(m);
  return moves;
}

// All of an array, tile padding included.
static SmallVector<Transfer> wholeOf(const Array &array) {
  const int64_t bytes = array.hbmBytes(), tile = isa::kVregBytes;
  SmallVector<Transfer> out;
  if (bytes / tile) out.push_back({0, 0, tile, {CopyDim{bytes / tile, 0, tile}}});
  if (bytes % tile) out.push_back({0, bytes / tile * tile, bytes % tile, {}});
  return out;
}

SmallVector<Transfer> fillsOf(stablehlo::PadOp pad, const Array &result) {
  const int64_t rank = result.rank();
  if (result.isVector() || llvm::any_of(pad.getInteriorPadding(), [](int64_t n) { return n != 0; }))
    return wholeOf(result);
  // Tiles along each physical dim; those before `begin` and from `end` on have padding.
  struct Edge {
    int64_t begin, end, tiles, stride;
  };
  SmallVector<Edge> edges;
  for (int64_t phys = 0; phys < rank; ++phys) {
    const int64_t d = result.order[phys], n = result.type.getDimSize(d),
                  tile = phys == rank - 1   ? 128
                         : phys == rank - 2 ? result.tileRows()
                                            : 1,
                  low = std::clamp<int64_t>(pad.getEdgePaddingLow()[d], 0, n),
                  high = std::clamp<int64_t>(n - std::max<int64_t>(pad.getEdgePaddingHigh()[d], 0), low, n),
                  end = high == n ? llvm::divideCeil(n, tile) : high / tile;
    edges.push_back({std::min<int64_t>(llvm::divideCeil(low, tile), end), end,
                     static_cast<int64_t>(llvm::divideCeil(n, tile)), byteOffset(result, phys, tile)});
  }
  // Along each dim before and behind what lies within the edges of the dims before.
  SmallVector<Transfer> out;
  for (int64_t phys = 0; phys < rank; ++phys)
    for (auto [first, last] :
         {std::pair(int64_t{0}, edges[phys].begin), std::pair(edges[phys].end, edges[phys].tiles)}) {
      Transfer t{0, 0, isa::kVregBytes, {}};
      int64_t count = last - first;
      for (int64_t p = 0; p < rank; ++p) {
        const int64_t from = p == phys  ? first
                             : p < phys ? edges[p].begin
                                        : 0,
                      to = p == phys  ? last
                           : p < phys ? edges[p].end
                                      : edges[p].tiles;
        t.dst += from * edges[p].stride;
        if (to - from != 1) t.dims.push_back({to - from, 0, edges[p].stride});
        count *= to - from;
      }
      if (count > 0) out.push_back(t);
    }
  return out;
}

FailureOr<SmallVector<Copy>> copiesOf(const KernelContext &context) {
  kernel::FusionOp fusion = context.op;
  Operation *op = fusion.getBlock().getTerminator()->getOperand(0).getDefiningOp();
  // A concatenation and a pad take slices from where they lie.
  auto sourceOf = [&](unsigned i) {
    Value v = op->getOperand(i);
    auto slice = v.getDefiningOp<stablehlo::SliceOp>();
    return slice ? Value(slice.getOperand()) : v;
  };
  const Array result = resultArray(context, 0);
  auto moves = movesOf(op, [&](unsigned i) { return operandArray(context, sourceOf(i)); }, result);
  if (!moves)
    return diagnose(op, codes::kNoLowering)
           << "expects an op that moves data, but got '" << op->getName() << "'; write it in simpler ops";
  SmallVector<Copy> copies;
  for (const Move &m : *moves) {
    auto transfers = planCopy(m.groups, result.bytes);
    if (!transfers)
      return diagnose(op, codes::kMemoryOrder) << "expects a copy of few transfers, but got more than a kernel holds; "
                                                  "reshape in steps whose dims divide each other";
    copies.push_back({cast<BlockArgument>(sourceOf(m.operand)).getArgNumber(), *transfers});
  }
  return copies;
}

}  // namespace tpuc::plan
