// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "runtime/isa/layout.h"

#include <algorithm>

#include "runtime/isa/isa.h"

namespace tpuc::isa {
namespace {

constexpr int64_t kMaxBytes = int64_t{1} << 44;

bool mul(int64_t &product, int64_t factor) {
  return !__builtin_mul_overflow(product, factor, &product) && product <= kMaxBytes;
}

int64_t ceilDiv(int64_t a, int64_t b) { return a / b + (a % b != 0); }

bool isPermutation(std::span<const int32_t> order, size_t rank) {
  std::vector<bool> seen(rank);
  for (int32_t dim : order) {
    if (dim < 0 || dim >= static_cast<int32_t>(rank) || seen[dim]) return false;
    seen[dim] = true;
  }
  return order.size() == rank;
}

std::string list(std::span<const int64_t> dims) {
  std::string text = "[";
  for (size_t i = 0; i < dims.size(); ++i) text += (i ? ", " : "") + std::to_string(dims[i]);
  return text + "]";
}

// `words` of one plane; false when too large.
bool countWords(ArrayLayout &l) {
  if (!l.tiled()) {
    l.words = ceilDiv(l.elements, int64_t{kLanes} * l.type->packing);
    return true;
  }
  size_t rank = l.dims.size();
  l.rows = l.dims[l.order[rank - 2]];
  l.columns = l.dims[l.order[rank - 1]];
  l.rowTiles = ceilDiv(l.rows, l.tileRows());
  l.columnTiles = ceilDiv(l.columns, kLanes);
  l.words = l.outer = 1;
  for (size_t i = 0; i + 2 < rank; ++i) {
    if (!mul(l.outer, l.dims[l.order[i]])) return false;
  }
  return mul(l.words, l.outer) && mul(l.words, l.rowTiles) && mul(l.words, l.columnTiles) && mul(l.words, kSublanes);
}

}  // namespace

bool makeLayout(std::string_view type, std::span<const int64_t> dims, std::span<const int32_t> order,
                ArrayLayout &layout, std::string &error) {
  layout = ArrayLayout();
  layout.type = elementType(type);
  if (!layout.type) {
    error = "unknown element type '" + std::string(type) + "'";
    return false;
  }
  layout.dims.assign(dims.begin(), dims.end());
  layout.order.assign(order.begin(), order.end());
  if (order.empty())
    for (size_t i = 0; i < dims.size(); ++i) layout.order.push_back(static_cast<int32_t>(i));
  if (!isPermutation(layout.order, dims.size())) {
    error = "the physical order is no permutation of the dims";
    return false;
  }
  bool empty = false;
  for (int64_t dim : dims) {
    empty |= dim == 0;
    if (dim >= 0) continue;
    error = "negative extent in " + list(dims);
    return false;
  }
  if (empty) return true;
  bool fits = true;
  layout.elements = 1;
  for (int64_t dim : dims) fits = fits && mul(layout.elements, dim);
  fits = fits && countWords(layout);
  layout.planeBytes = layout.words;
  fits = fits && mul(layout.planeBytes, kWordBytes);
  layout.bytes = layout.planeBytes;
  if (fits && mul(layout.bytes, layout.type->planes)) return true;
  error = "an array of " + std::string(type) + list(dims) + " is too large";
  return false;
}

int64_t paddedBytes(std::string_view type, std::span<const int64_t> dims, std::span<const int32_t> order) {
  ArrayLayout layout;
  std::string error;
  return makeLayout(type, dims, order, layout, error) ? layout.bytes : -1;
}

std::vector<int32_t> sharedOrder(std::string_view type, std::span<const int64_t> dims) {
  constexpr int64_t kGain = 8;
  const ElementType *element = elementType(type);
  const auto rank = static_cast<int32_t>(dims.size());
  if (rank < 2 || !element || element->planes > 1 || element->bits < 8) return {};
  const int64_t before = paddedBytes(type, dims);
  if (before <= 0) return {};  // empty, or too large
  int64_t dense = element->hostBytes;
  for (int64_t dim : dims) dense *= dim;
  if (before < kGain * dense) return {};
  // Rows of a matrix are what lookups read: of few elements only, whose lookups take them in either order.
  if (rank == 2 && dims[1] >= kSublanes) return {};
  // Below so many bytes their padding is read in less time than a transpose takes. Products read heads in any order,
  // and need none, nor does most of what is computed with few columns; few channels or a window's columns along lanes
  // are what a convolution reads.
  const bool heads = dims[rank - 1] >= kSublanes && dims[rank - 2] < kSublanes;
  const int64_t leastSaved = int64_t{1} << (heads || rank == 2 ? 20 : 23);
  std::vector<int32_t> best, order;
  int64_t least = std::min(before / kGain, before - leastSaved) + 1;
  for (int32_t lanes = rank - 1; lanes >= 0; --lanes)
    for (int32_t rows = rank - 1; rows >= 0; --rows) {
      if (rows == lanes) continue;
      order.clear();
      for (int32_t d = 0; d < rank; ++d)
        if (d != rows && d != lanes) order.push_back(d);
      order.insert(order.end(), {rows, lanes});
      if (int64_t bytes = paddedBytes(type, dims, order); bytes < least) {
        least = bytes;
        best = order;
      }
    }
  return best;
}

ArrayLayout::Place ArrayLayout::place(std::span<const int64_t> index) const {
  int64_t p = type->packing, word, lane, part;
  if (!tiled()) {
    int64_t i = dims.empty() ? 0 : index[0];
    word = i / (kLanes * p);
    lane = i % kLanes;
    part = i / kLanes % p;
  } else {
    size_t rank = dims.size();
    int64_t lead = 0;
    for (size_t i = 0; i + 2 < rank; ++i) lead = lead * dims[order[i]] + index[order[i]];
    int64_t row = index[order[rank - 2]], column = index[order[rank - 1]];
    int64_t tile = (lead * rowTiles + row / tileRows()) * columnTiles + column / kLanes;
    word = tile * kSublanes + row % tileRows() / p;
    lane = column % kLanes;
    part = row % p;
  }
  int64_t bit = part * type->partBits();
  return {word * kWordBytes + lane * 4 + bit / 8, static_cast<int>(bit % 8)};
}

}  // namespace tpuc::isa
