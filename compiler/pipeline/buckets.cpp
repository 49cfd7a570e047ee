// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "compiler/pipeline/buckets.h"

#include "compiler/encoder/link.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/MathExtras.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "passes/shapes/passes.h"
#include "runtime/isa/dim_expr.h"

using namespace mlir;

namespace tpuc {
namespace {

constexpr int64_t kMostSize = int64_t{1} << 31;
constexpr size_t kMostBuckets = 4096;

// "17..32"
bool parseRange(llvm::StringRef text, SizeRange &range) {
  auto [first, last] = text.split("..");
  return !first.getAsInteger(10, range.least) && !last.getAsInteger(10, range.most) && range.least >= 0 &&
         range.least <= range.most && range.most < kMostSize;
}

// Ends of buckets over a range, each from the one before on.
std::vector<SizeRange> rangesOf(int64_t least, const std::vector<int64_t> &ends) {
  std::vector<SizeRange> ranges;
  for (int64_t end : ends) {
    ranges.push_back({least, end});
    least = end + 1;
  }
  return ranges;
}

std::optional<std::vector<SizeRange>> parseSizes(llvm::StringRef text, std::string &error) {
  SizeRange range;
  std::vector<int64_t> ends;
  if (auto [policy, sizes] = text.split(':'); !sizes.empty()) {
    if (!parseRange(sizes, range))
      error = "expects " + policy.str() + ":LEAST..MOST, but got '" + text.str() + "'";
    else if (policy == "pow2") {
      for (int64_t end = std::max<int64_t>(1, llvm::PowerOf2Ceil(std::max<int64_t>(range.least, 1))); end < range.most;
           end *= 2)
        ends.push_back(end);
      ends.push_back(range.most);
    } else if (policy == "multiples") {
      // The first number is the step.
      if (range.least == 0) error = "expects multiples of 1 at least, but got '" + text.str() + "'";
      for (int64_t end = range.least; range.least && end < range.most && ends.size() <= kMostBuckets;
           end += range.least)
        ends.push_back(end);
      ends.push_back(range.most);
      range.least = 1;
    } else if (policy == "each") {
      for (int64_t end = range.least; end <= range.most && ends.size() <= kMostBuckets; ++end) ends.push_back(end);
    } else {
      error = "expects pow2, multiples or each, but got '" + policy.str() + "'";
    }
    return error.empty() ? std::optional(rangesOf(range.least, ends)) : std::nullopt;
  }
  if (text.contains("..")) {
    if (parseRange(text, range)) return std::vector<SizeRange>{range};
    error = "expects LEAST..MOST, but got '" + text.str() + "'";
    return std::nullopt;
  }
  llvm::SmallVector<llvm::StringRef> parts;
  text.split(parts, ',');
  for (llvm::StringRef part : parts) {
    if (part.getAsInteger(10, ends.emplace_back()) || ends.back() < 1 || ends.back() >= kMostSize)
      error = "expects sizes of 1 at least, but got '" + part.str() + "'";
    else if (ends.size() > 1 && ends.back() <= ends[ends.size() - 2])
      error = "expects sizes in ascending order, but got '" + text.str() + "'";
    if (!error.empty()) return std::nullopt;
  }
  return rangesOf(1, ends);
}

std::vector<std::string> strings(ArrayAttr list) {
  std::vector<std::string> texts;
  if (list)
    for (Attribute text : list) texts.push_back(cast<StringAttr>(text).str());
  return texts;
}

}  // namespace

std::optional<std::vector<Bucket>> parseBuckets(const std::vector<std::string> &texts, std::string &error) {
  std::vector<Bucket> buckets(1);
  for (llvm::StringRef text : texts) {
    auto [name, sizes] = text.split('=');
    if (name.empty() || sizes.empty()) {
      error = "expects NAME=SIZES, but got '" + text.str() + "'";
      return std::nullopt;
    }
    auto ranges = parseSizes(sizes, error);
    if (!ranges) return std::nullopt;
    if (buckets.front().count(name.str())) error = "expects each name once, but got '" + name.str() + "' twice";
    if (buckets.size() * ranges->size() > kMostBuckets)
      error = "expects " + std::to_string(kMostBuckets) + " buckets at most";
    if (!error.empty()) return std::nullopt;
    std::vector<Bucket> all;
    for (const Bucket &bucket : buckets)
      for (SizeRange range : *ranges) {
        all.push_back(bucket);
        all.back()[name.str()] = range;
      }
    buckets = std::move(all);
  }
  return buckets;
}

std::vector<std::string> textsOf(const Bucket &bucket) {
  std::vector<std::string> texts;
  for (const auto &[name, range] : bucket)
    texts.push_back(name + "=" + std::to_string(range.least) + ".." + std::to_string(range.most));
  return texts;
}

ModuleSizes sizesOf(ModuleOp module) {
  ModuleSizes sizes;
  auto main = module.lookupSymbol<func::FuncOp>("main");
  if (!main) return sizes;
  for (unsigned i = 0; i < main.getNumArguments(); ++i) {
    sizes.arguments.push_back(strings(main.getArgAttrOfType<ArrayAttr>(i, shapes::kDimsAttr)));
    if (auto name = main.getArgAttrOfType<StringAttr>(i, shapes::kExtentAttr))
      sizes.extents[static_cast<int>(i)] = name.str();
  }
  for (unsigned i = 0; i < main.getNumResults(); ++i)
    sizes.results.push_back(strings(main.getResultAttrOfType<ArrayAttr>(i, shapes::kDimsAttr)));
  if (auto conditions = main->getAttrOfType<ArrayAttr>(shapes::kConditionsAttr))
    for (auto condition : conditions.getAsRange<DictionaryAttr>())
      sizes.conditions.push_back({condition.getAs<StringAttr>("size").str(),
                                  condition.getAs<StringAttr>("message").str(),
                                  condition.getAs<BoolAttr>("zero").getValue()});
  sizes.exact = static_cast<bool>(main->getAttr(shapes::kExactAttr));
  return sizes;
}

// 1 + its place; 0 for a number.
uint32_t BucketLinker::symbol(const std::string &size) {
  std::string error;
  if (auto expression = isa::DimExpr::parse(size, error); !expression || expression->asNumber()) return 0;
  auto found = llvm::find(symbols_, size);
  if (found == symbols_.end()) found = symbols_.insert(symbols_.end(), size);
  return static_cast<uint32_t>(found - symbols_.begin()) + 1;
}

void BucketLinker::name(isa::proto::Array &array, const std::vector<std::string> &dims) {
  if (static_cast<int>(dims.size()) != array.dims_size()) return;
  for (const std::string &dim : dims) array.add_symbols(symbol(dim));
}

void BucketLinker::add(const Bucket &bucket, const ModuleSizes &sizes, isa::Executable exe) {
  // The symbols themselves come first.
  for (const auto &[name, range] : bucket) symbol(name);
  for (int i = 0; i < exe.index.buffers_size(); ++i) {
    isa::proto::Buffer &b = *exe.index.mutable_buffers(i);
    const auto number = static_cast<size_t>(b.index());
    if (b.kind() == isa::proto::ARGUMENT && number < sizes.arguments.size()) {
      name(*b.mutable_array(), sizes.arguments[number]);
      if (auto extent = sizes.extents.find(b.index()); extent != sizes.extents.end())
        b.set_extent(symbol(extent->second));
    }
    if (b.kind() == isa::proto::RESULT && number < sizes.results.size())
      name(*b.mutable_array(), sizes.results[number]);
  }
  for (const ModuleSizes::Condition &condition : sizes.conditions)
    if (!llvm::any_of(conditions_,
                      [&](const auto &known) { return known.size == condition.size && known.zero == condition.zero; }))
      conditions_.push_back(condition);
  entries_.push_back({bucket, sizes.exact});
  if (exe.index.has_system()) systemOffset_ = exe.index.system().offset();
  if (linked_)
    encoder::addEntry(*linked_, exe);
  else
    linked_ = std::move(exe);
}

bool BucketLinker::finish(isa::Executable &exe, std::string &error) {
  constexpr int64_t kAny = int64_t{1} << 40;
  exe = std::move(*linked_);
  exe.constants = exe.ownedConstants;
  isa::proto::Index &index = exe.index;
  for (const std::string &size : symbols_) {
    isa::proto::Symbol *symbol = index.add_symbols();
    symbol->set_name(size);
    symbol->set_most(kAny);
    if (!entries_.front().bucket.count(size)) symbol->set_value(size);
  }
  for (auto [e, entry] : llvm::enumerate(entries_)) {
    isa::DimExpr::Sizes largest;
    for (const auto &[name, range] : entry.bucket) largest[name] = range.most;
    for (auto [s, size] : llvm::enumerate(symbols_)) {
      isa::proto::Entry &out = *index.mutable_entries(static_cast<int>(e));
      auto range = entry.bucket.find(size);
      std::string unread;
      auto expression = isa::DimExpr::parse(size, unread);
      const int64_t most = expression ? std::max<int64_t>(expression->evaluate(largest).value_or(0), 0) : 0;
      out.add_extents(most);
      out.add_least(range == entry.bucket.end() ? 0 : entry.exact ? most : range->second.least);
      isa::proto::Symbol &symbol = *index.mutable_symbols(static_cast<int>(s));
      if (range == entry.bucket.end()) continue;
      symbol.set_least(e == 0 ? out.least(out.least_size() - 1)
                              : std::min(symbol.least(), out.least(out.least_size() - 1)));
      symbol.set_most(e == 0 ? most : std::max(symbol.most(), most));
    }
  }
  for (const ModuleSizes::Condition &condition : conditions_) {
    isa::proto::SizeCondition *out = index.add_conditions();
    out->set_size(condition.size);
    out->set_zero(condition.zero);
    out->set_message(condition.message);
  }
  const uint64_t area = llvm::alignTo((2 + symbols_.size()) * 4, 64);
  // Two words, then the sizes. Code of several devices has the area's place written in it, with room for 256 bytes.
  if (index.num_devices() > 1 && systemOffset_ && area > 256) {
    error = "a program for several devices has too many open sizes";
    return false;
  }
  const uint64_t offset = systemOffset_.value_or(index.smem_bytes());
  index.mutable_system()->set_offset(offset);
  index.mutable_system()->set_size(area);
  index.set_smem_bytes(std::max(index.smem_bytes(), offset + area));
  error = isa::validate(exe);
  return error.empty();
}

}  // namespace tpuc
