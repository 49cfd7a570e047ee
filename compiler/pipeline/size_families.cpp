// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// 1. A program's outline: all but its numbers, and these.
// 2. Of two with one text and other numbers, a line for each number; a third one belongs to them where its numbers are
//    on the lines. So the program of open sizes is, at this size, the one that was handed over: nothing is guessed.
// 3. Of its buckets each is compiled when a size needs it.
#include "compiler/pipeline/size_families.h"

#include "compiler/pipeline/export.h"
#include "dialects/vhlo/artifact.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/MathExtras.h"
#include "llvm/Support/raw_ostream.h"

using namespace mlir;

namespace tpuc {
namespace {

constexpr size_t kMostFamilies = 256;

}  // namespace

std::optional<BucketPolicy> BucketPolicy::parse(llvm::StringRef text, std::string &error) {
  BucketPolicy policy;
  if (text == "pow2") return policy;
  if (llvm::StringRef step = text; step.consume_front("multiples:")) {
    if (!step.getAsInteger(10, policy.step_) && policy.step_ > 0) return policy;
  } else if (auto list = parseBuckets({"b=" + text.str()}, error); list && !text.contains_insensitive("..")) {
    for (const Bucket &bucket : *list) policy.ends_.push_back(bucket.begin()->second.most);
    return policy;
  }
  error = "expects pow2, multiples:STEP or ascending sizes, but got '" + text.str() + "'";
  return std::nullopt;
}

std::optional<SizeRange> BucketPolicy::bucketOf(int64_t size) const {
  if (size < 1) return std::nullopt;
  SizeRange range{1, 0};
  if (step_) {
    range.most = llvm::divideCeil(size, step_) * step_;
    range.least = range.most - step_ + 1;
  } else if (ends_.empty()) {
    range.most = static_cast<int64_t>(llvm::PowerOf2Ceil(size));
    range.least = range.most / 2 + 1;
  } else {
    auto end = llvm::lower_bound(ends_, size);
    if (end == ends_.end()) return std::nullopt;
    range = {end == ends_.begin() ? 1 : end[-1] + 1, *end};
  }
  return range.least == range.most ? std::nullopt : std::optional(range);
}

// The family whose lines the program is on; else the one whose first program it makes a family with.
SizeFamilies::Family *SizeFamilies::find(const shapes::SizeOutline &outline, llvm::StringRef options, int64_t &size) {
  auto use = [&](std::deque<Family>::iterator it) {
    std::rotate(families_.begin(), it, it + 1);
    return &families_.front();
  };
  for (auto it = families_.begin(); it != families_.end(); ++it)
    if (auto at = it->lines && it->options == options ? it->lines->sizeOf(outline) : std::nullopt) {
      size = *at;
      return use(it);
    }
  for (auto it = families_.begin(); it != families_.end(); ++it) {
    if (it->lines || it->options != options) continue;
    auto lines = shapes::SizeLines::through(it->first, outline);
    if (!lines) continue;
    it->lines = std::move(lines);
    size = *it->lines->sizeOf(outline);
    return use(it);
  }
  for (const Family &family : families_)
    if (family.options == options && family.first == outline) return nullptr;
  families_.push_front({options.str(), outline, {}, {}});
  if (families_.size() > kMostFamilies) families_.pop_back();
  return nullptr;
}

std::shared_ptr<FamilyBucket> SizeFamilies::bucketOf(Family &family, SizeRange range) {
  for (const auto &bucket : family.buckets)
    if (bucket->range.most == range.most) return bucket;
  auto bucket = std::make_shared<FamilyBucket>();
  bucket->range = range;
  return family.buckets.emplace_back(std::move(bucket));
}

// Nothing, and `why` is set, where it has no bucket.
std::optional<shapes::SizeLines> SizeFamilies::place(const shapes::SizeOutline &outline, llvm::StringRef options,
                                                     FamilyMember &member) {
  std::lock_guard lock(mutex_);
  Family *family = find(outline, options, member.size);
  if (!family) {
    member.why = "no program came before that differs in one leading size alone";
    return std::nullopt;
  }
  auto range = policy_.bucketOf(member.size);
  if (!range) {
    member.why = "no bucket holds it and other sizes";
    return std::nullopt;
  }
  member.bucket = bucketOf(*family, *range);
  return family->lines;
}

FamilyMember SizeFamilies::memberFor(Session &session, llvm::StringRef source, llvm::StringRef options) {
  FamilyMember member;
  member.why = "it cannot be read";
  session.look(llvm::MemoryBuffer::getMemBufferCopy(source, "program"), [&](ModuleOp module) {
    member.name = module.getSymName().value_or("main").str();
    auto outline = shapes::outlineOf(module);
    if (!outline) {
      member.why = "its sizes are open, or it holds what cannot be compared";
      return;
    }
    member.why.clear();
    auto lines = place(*outline, options, member);
    if (!lines || !shapes::openSizes(module, *lines, FamilyMember::kSymbol, member.why)) return;
    llvm::raw_string_ostream os(member.program);
    if (failed(exportArtifact(module, vhlo::kPortable.text(), os)))
      member.why = "the program of open sizes has no portable form";
  });
  return member;
}

}  // namespace tpuc
