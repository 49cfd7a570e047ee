// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// OpSharding as the text of the attribute mhlo.sharding.
#include "compiler/frontend/hlo/sharding.h"

#include "compiler/frontend/hlo/fields.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/raw_ostream.h"

namespace tpuc::frontend::hlo {
namespace {

std::string list(llvm::ArrayRef<int64_t> numbers) {
  std::string text;
  llvm::raw_string_ostream os(text);
  llvm::interleave(numbers, os, ",");
  return text;
}

llvm::StringRef typeName(int64_t type) {
  switch (type) {
    case kReplicated:
      return "replicated";
    case kManual:
      return "manual";
    case kUnreduced:
      return "unreduced";
    case kUnknown:
      return "unknown";
    default:
      return "";
  }
}

// {devices=[2,4]<=[4,2]T(1,0) last_tile_dims={manual}}: tiles a dim, then which device has each tile.
std::string tiled(const Message &sharding) {
  std::string text = "{devices=[" + list(sharding.numbers(kTileDims)) + "]";
  if (auto reshape = sharding.numbers(kShardingReshape); !reshape.empty()) {
    text += "<=[" + list(reshape) + "]";
    auto order = sharding.numbers(kShardingTranspose);
    if (order.size() > 1) text += "T(" + list(order) + ")";
  } else {
    text += list(sharding.numbers(kTileDevices));
  }
  if (sharding.flag(kReplicateLast)) text += " last_tile_dim_replicate";
  if (auto last = sharding.numbers(kLastTileDims); !last.empty()) {
    text += " last_tile_dims={";
    llvm::raw_string_ostream os(text);
    llvm::interleave(last, os, [&](int64_t type) { os << typeName(type); }, ", ");
    text += "}";
  }
  return text + "}";
}

}  // namespace

std::string shardingText(const Message &sharding) {
  const int64_t type = sharding.number(kShardingType);
  if (type == kOther) return tiled(sharding);
  if (type == kMaximal) return "{maximal device=" + list(sharding.numbers(kTileDevices)) + "}";
  if (type != kTupleSharding) return "{" + typeName(type).str() + "}";
  std::string text = "{";
  llvm::raw_string_ostream os(text);
  // A tuple's parts are leaves: tuples in them have been flattened.
  llvm::interleave(
      sharding.messages(kTupleShardings), os,
      [&](const Message &part) {
        os << (part.number(kShardingType) == kTupleSharding ? "{replicated}" : shardingText(part));
      },
      ", ");
  return text + "}";
}

llvm::SmallVector<std::string> shardingsOfLeaves(const Message &sharding, size_t leaves) {
  llvm::SmallVector<std::string> texts;
  if (sharding.number(kShardingType) != kTupleSharding) {
    texts.assign(leaves, shardingText(sharding));
    return texts;
  }
  for (const Message &part : sharding.messages(kTupleShardings))
    if (part.number(kShardingType) != kTupleSharding) texts.push_back(shardingText(part));
  if (texts.size() != leaves) texts.clear();
  return texts;
}

}  // namespace tpuc::frontend::hlo
