// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "runtime/isa/sharding.h"

#include <algorithm>
#include <charconv>
#include <cstring>
#include <numeric>

namespace tpuc::isa {
namespace {

constexpr int64_t kMostDevices = 1 << 20;

int64_t product(std::span<const int64_t> sizes) {
  int64_t n = 1;
  for (int64_t s : sizes) n = s <= 0 || n > kMostDevices / s ? kMostDevices + 1 : n * s;
  return n;
}

class Parser {
 public:
  explicit Parser(std::string_view text) : text_(text) {}

  bool take(std::string_view word) {
    skip();
    if (!text_.starts_with(word)) return false;
    text_.remove_prefix(word.size());
    return true;
  }
  bool number(int64_t &out) {
    skip();
    auto [end, code] = std::from_chars(text_.data(), text_.data() + text_.size(), out);
    if (code != std::errc()) return false;
    text_.remove_prefix(static_cast<size_t>(end - text_.data()));
    return true;
  }
  // "1,2,3"
  bool numbers(std::vector<int64_t> &out) {
    do {
      if (!number(out.emplace_back())) return false;
    } while (take(","));
    return true;
  }
  bool atEnd() {
    skip();
    return text_.empty();
  }

 private:
  void skip() {
    while (!text_.empty() && text_.front() == ' ') text_.remove_prefix(1);
  }
  std::string_view text_;
};

// Parses devices in the order of the tiles: [8] is 0 to 7; [2,4]T(1,0) is the same as an array of 2x4, transposed.
bool iota(Parser &p, std::vector<int64_t> &order) {
  std::vector<int64_t> sizes, permutation;
  if (!p.numbers(sizes) || !p.take("]") || product(sizes) > kMostDevices) return false;
  if (p.take("T") && (!p.take("(") || !p.numbers(permutation) || !p.take(")"))) return false;
  if (permutation.empty())
    for (size_t d = 0; d < sizes.size(); ++d) permutation.push_back(static_cast<int64_t>(d));
  std::vector<int64_t> sorted = permutation;
  std::sort(sorted.begin(), sorted.end());
  for (size_t d = 0; d < sorted.size(); ++d)
    if (sorted.size() != sizes.size() || sorted[d] != static_cast<int64_t>(d)) return false;
  std::vector<int64_t> strides(sizes.size(), 1);
  for (size_t d = sizes.size(); d-- > 1;) strides[d - 1] = strides[d] * sizes[d];
  const int64_t count = product(sizes);
  for (int64_t i = 0; i < count; ++i) {
    int64_t rest = i, device = 0;
    for (size_t d = sizes.size(); d-- > 0;) {
      const auto from = static_cast<size_t>(permutation[d]);
      device += rest % sizes[from] * strides[from];
      rest /= sizes[from];
    }
    order.push_back(device);
  }
  return true;
}

// "last_tile_dim_replicate" or "last_tile_dims={manual, replicated}": the dims of tiles that are no array's, and
// whether their devices have summands.
bool trailing(Parser &p, std::vector<bool> &unreduced) {
  if (p.take("last_tile_dim_replicate")) {
    unreduced = {false};
    return true;
  }
  if (!p.take("last_tile_dims={")) return true;
  do {
    unreduced.push_back(p.take("unreduced"));
    if (!unreduced.back() && !p.take("replicated") && !p.take("manual")) return false;
  } while (p.take(","));
  return p.take("}");
}

bool tiled(Parser &p, size_t rank, int64_t devices, Sharding &out) {
  std::vector<int64_t> tiles, order;
  std::vector<bool> unreduced;
  if (!p.numbers(tiles) || !p.take("]")) return false;
  if (p.take("<=[") ? !iota(p, order) : !p.numbers(order)) return false;
  if (!trailing(p, unreduced) || !p.take("}") || !p.atEnd()) return false;
  if (tiles.size() != rank + unreduced.size() || product(tiles) != devices ||
      static_cast<int64_t>(order.size()) != devices)
    return false;
  out.tiles.assign(tiles.begin(), tiles.begin() + static_cast<int64_t>(rank));
  out.tileOf.assign(static_cast<size_t>(devices), {});
  const bool partial = std::find(unreduced.begin(), unreduced.end(), true) != unreduced.end();
  std::vector<int64_t> summands(partial ? static_cast<size_t>(devices) : 0, 0);
  for (int64_t i = 0; i < devices; ++i) {
    const int64_t device = order[static_cast<size_t>(i)];
    if (device < 0 || device >= devices || (rank && !out.tileOf[static_cast<size_t>(device)].empty())) return false;
    std::vector<int64_t> place(tiles.size());
    int64_t rest = i;
    for (size_t d = tiles.size(); d-- > 0; rest /= tiles[d]) place[d] = rest % tiles[d];
    for (size_t d = 0; d < unreduced.size(); ++d)
      if (unreduced[d])
        summands[static_cast<size_t>(device)] =
            summands[static_cast<size_t>(device)] * tiles[rank + d] + place[rank + d];
    place.resize(rank);
    out.tileOf[static_cast<size_t>(device)] = std::move(place);
  }
  out.summandOf = std::move(summands);
  return true;
}

// `move` gets the byte of the part and that of the whole where a run of `bytes` begins.
template <typename Move>
void forRuns(const Sharding &s, int64_t device, std::span<const int64_t> dims, int64_t elementBytes, Move move) {
  const size_t rank = dims.size();
  const std::vector<int64_t> part = s.partDims(dims);
  std::vector<Sharding::Range> ranges;
  for (size_t d = 0; d < rank; ++d) {
    ranges.push_back(s.range(device, d, dims[d]));
    if (ranges.back().size <= 0) return;
  }
  if (rank == 0) return move(int64_t{0}, int64_t{0}, elementBytes);
  std::vector<int64_t> index(rank, 0);
  for (;;) {
    int64_t inPart = 0, inWhole = 0;
    for (size_t d = 0; d < rank; ++d) {
      inPart = inPart * part[d] + index[d];
      inWhole = inWhole * dims[d] + ranges[d].begin + index[d];
    }
    move(inPart * elementBytes, inWhole * elementBytes, ranges[rank - 1].size * elementBytes);
    size_t d = rank - 1;
    while (d-- > 0) {
      if (++index[d] < ranges[d].size) break;
      index[d] = 0;
    }
    if (d == static_cast<size_t>(-1)) return;
  }
}

}  // namespace

bool Sharding::isWhole() const {
  return !isPartial() && std::all_of(tiles.begin(), tiles.end(), [](int64_t n) { return n == 1; });
}

std::vector<int64_t> Sharding::partDims(std::span<const int64_t> dims) const {
  std::vector<int64_t> out;
  for (size_t d = 0; d < dims.size(); ++d) out.push_back((dims[d] + tiles[d] - 1) / tiles[d]);
  return out;
}

Sharding::Range Sharding::range(int64_t device, size_t dim, int64_t size) const {
  const int64_t part = (size + tiles[dim] - 1) / tiles[dim];
  const int64_t begin = std::min(tileOf[static_cast<size_t>(device)][dim] * part, size);
  return {begin, std::min(part, size - begin)};
}

bool parseSharding(std::string_view text, size_t rank, int64_t devices, Sharding &out, std::string &error) {
  out = Sharding();
  Parser p(text);
  const bool whole =
      text.empty() || text == "{replicated}" || text == "{manual}" || text == "{}" || text.starts_with("{maximal");
  if (whole) {
    out.tiles.assign(rank, 1);
    out.tileOf.assign(static_cast<size_t>(devices), std::vector<int64_t>(rank, 0));
    return true;
  }
  if (text == "{unreduced}") {
    out.tiles.assign(rank, 1);
    out.tileOf.assign(static_cast<size_t>(devices), std::vector<int64_t>(rank, 0));
    for (int64_t device = 0; device < devices; ++device) out.summandOf.push_back(device);
    return true;
  }
  if (p.take("{") && p.take("devices=[") && tiled(p, rank, devices, out)) return true;
  error = "expects a sharding of " + std::to_string(rank) + " dims over " + std::to_string(devices) +
          " devices, but got '" + std::string(text) + "'";
  return false;
}

void takePart(const Sharding &sharding, int64_t device, std::span<const int64_t> dims, int64_t elementBytes,
              const uint8_t *whole, uint8_t *part) {
  forRuns(sharding, device, dims, elementBytes,
          [&](int64_t to, int64_t from, int64_t bytes) { std::memcpy(part + to, whole + from, bytes); });
}

void putPart(const Sharding &sharding, int64_t device, std::span<const int64_t> dims, int64_t elementBytes,
             const uint8_t *part, uint8_t *whole) {
  forRuns(sharding, device, dims, elementBytes,
          [&](int64_t from, int64_t to, int64_t bytes) { std::memcpy(whole + to, part + from, bytes); });
}

bool isPart(const Sharding &sharding, int64_t device, std::span<const int64_t> dims, int64_t elementBytes,
            const uint8_t *whole, const uint8_t *part) {
  bool same = true;
  forRuns(sharding, device, dims, elementBytes, [&](int64_t inPart, int64_t inWhole, int64_t bytes) {
    same = same && std::memcmp(part + inPart, whole + inWhole, bytes) == 0;
  });
  return same;
}

}  // namespace tpuc::isa
