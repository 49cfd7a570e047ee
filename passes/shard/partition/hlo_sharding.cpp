//===- hlo_sharding.cpp - shardings as HLO writes them ------------------------------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===-----------------------------------------------------------------------------===//
#include "passes/shard/partition/hlo_sharding.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/CheckedArithmetic.h"

namespace tpuc::shard {
namespace {

using llvm::SmallVector;
using llvm::StringRef;

constexpr int64_t kMostDevices = int64_t{1} << 24;

class Parser {
 public:
  explicit Parser(StringRef text) : rest(text) {}

  std::optional<HloSharding> sharding() {
    if (!take("{")) return std::nullopt;
    HloSharding result;
    if (peek("{") || peek("}")) return tuple();
    if (take("replicated"))
      result.kind = HloSharding::Kind::Replicated;
    else if (take("manual"))
      result.kind = HloSharding::Kind::Manual;
    else if (take("unknown"))
      result.kind = HloSharding::Kind::Unknown;
    else if (take("maximal"))
      result.kind = HloSharding::Kind::Maximal;
    else if (!take("devices=") || !tiles(result))
      return std::nullopt;
    if (result.kind == HloSharding::Kind::Maximal && take("device=") && !numbers(result.devices)) return std::nullopt;
    // What else may stand here says nothing of the parts: metadata, groups of shard_as and shard_like.
    while (!peek("}"))
      if (!skipWord()) return std::nullopt;
    take("}");
    return result;
  }
  bool done() {
    space();
    return rest.empty();
  }

 private:
  void space() { rest = rest.ltrim(); }
  bool peek(StringRef word) {
    space();
    return rest.starts_with(word);
  }
  bool take(StringRef word) {
    space();
    return rest.consume_front(word);
  }
  bool skipWord() {
    if (rest.empty()) return false;
    if (!take("{")) {
      rest = rest.drop_front(1);
      return true;
    }
    for (int depth = 1; depth > 0 && !rest.empty(); rest = rest.drop_front(1))
      depth += (rest.front() == '{') - (rest.front() == '}');
    return true;
  }

  std::optional<HloSharding> tuple() {
    HloSharding result;
    result.kind = HloSharding::Kind::Tuple;
    while (!take("}")) {
      std::optional<HloSharding> element = sharding();
      if (!element) return std::nullopt;
      result.elements.push_back(std::move(*element));
      if (!take(",") && !peek("}")) return std::nullopt;
    }
    return result;
  }

  bool numbers(SmallVector<int64_t> &list) {
    do {
      int64_t number;
      space();
      if (rest.consumeInteger(10, number) || number < 0 || number > kMostDevices) return false;
      list.push_back(number);
    } while (take(","));
    return true;
  }
  static std::optional<int64_t> product(const SmallVector<int64_t> &sizes) {
    int64_t product = 1;
    for (int64_t size : sizes) {
      std::optional<int64_t> next = llvm::checkedMul(product, size);
      if (size < 1 || !next || *next > kMostDevices) return std::nullopt;
      product = *next;
    }
    return product;
  }

  bool tiles(HloSharding &result) {
    result.kind = HloSharding::Kind::Tiled;
    if (!take("[") || !numbers(result.tile) || !take("]")) return false;
    std::optional<int64_t> count = product(result.tile);
    if (!count || !(take("<=") ? iota(result.devices) : numbers(result.devices))) return false;
    if (take("last_tile_dim_replicate"))
      result.subgroups.push_back(HloSharding::Subgroup::Replicated);
    else if (take("last_tile_dims={") && !subgroups(result))
      return false;
    return result.subgroups.size() <= result.tile.size() && isPermutation(result.devices, *count);
  }

  // [4,2]T(1,0): 0, 1, .. in this shape, transposed.
  bool iota(SmallVector<int64_t> &devices) {
    SmallVector<int64_t> shape, order;
    if (!take("[") || !numbers(shape) || !take("]")) return false;
    if (take("T(") && !(numbers(order) && take(")"))) return false;
    std::optional<int64_t> count = product(shape);
    if (order.empty()) order = llvm::to_vector(llvm::seq<int64_t>(shape.size()));
    if (!count || !isPermutation(order, shape.size())) return false;
    SmallVector<int64_t> strides(shape.size(), 1);
    for (size_t i = shape.size(); i-- > 1;) strides[i - 1] = strides[i] * shape[i];
    for (int64_t place = 0; place < *count; ++place) {
      int64_t left = place, device = 0;
      for (int64_t dim : llvm::reverse(order)) {
        device += left % shape[dim] * strides[dim];
        left /= shape[dim];
      }
      devices.push_back(device);
    }
    return true;
  }

  bool subgroups(HloSharding &result) {
    do {
      if (take("replicated"))
        result.subgroups.push_back(HloSharding::Subgroup::Replicated);
      else if (take("manual"))
        result.subgroups.push_back(HloSharding::Subgroup::Manual);
      else if (take("unreduced"))
        result.subgroups.push_back(HloSharding::Subgroup::Unreduced);
      else
        return false;
    } while (take(","));
    return take("}");
  }

  static bool isPermutation(const SmallVector<int64_t> &list, int64_t count) {
    if (static_cast<int64_t>(list.size()) != count) return false;
    std::vector<bool> seen(count);
    for (int64_t number : list) {
      if (number < 0 || number >= count || seen[number]) return false;
      seen[number] = true;
    }
    return true;
  }

  StringRef rest;
};

}  // namespace

std::optional<HloSharding> parseHloSharding(StringRef text) {
  Parser parser(text);
  std::optional<HloSharding> result = parser.sharding();
  return result && parser.done() ? result : std::nullopt;
}

}  // namespace tpuc::shard
