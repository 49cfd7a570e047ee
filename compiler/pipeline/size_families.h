// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Static programs that a caller traces again and again at other leading sizes: one of open sizes for all of them, to
// be compiled in buckets.
#pragma once
#include <deque>
#include <memory>
#include <mutex>

#include "compiler/pipeline/buckets.h"
#include "compiler/pipeline/session.h"
#include "passes/shapes/size_outline.h"

namespace tpuc {

// Which bucket a size is in: "pow2", "multiples:128", "8,64,512".
class BucketPolicy {
 public:
  static std::optional<BucketPolicy> parse(llvm::StringRef text, std::string &error);
  // Nothing where none holds it, or it holds nothing else.
  std::optional<SizeRange> bucketOf(int64_t size) const;

 private:
  int64_t step_ = 0;           // of multiples
  std::vector<int64_t> ends_;  // listed; none and no step: powers of two
};

// An executable that programs of a family share.
struct FamilyBucket {
  SizeRange range;
  std::mutex mutex;                            // of what follows; held while it is compiled
  std::shared_ptr<const isa::Executable> exe;  // null: not yet, or there is none
  std::string why;                             // there is none
};

// A program as one of a family's.
struct FamilyMember {
  std::string name;     // the module's
  std::string program;  // of open sizes, a portable artifact; empty with `why` where there is none
  std::string why;
  int64_t size = 0;  // 0: not known
  std::shared_ptr<FamilyBucket> bucket;
  static constexpr char kSymbol[] = "b";
};

// For many threads.
class SizeFamilies {
 public:
  explicit SizeFamilies(BucketPolicy policy) : policy_(std::move(policy)) {}

  // Sees `source`, which is to be compiled with `options` (any text that tells them apart).
  FamilyMember memberFor(Session &session, llvm::StringRef source, llvm::StringRef options);

 private:
  struct Family {
    std::string options;
    shapes::SizeOutline first;
    std::optional<shapes::SizeLines> lines;  // once there are two
    std::vector<std::shared_ptr<FamilyBucket>> buckets;
  };
  Family *find(const shapes::SizeOutline &outline, llvm::StringRef options, int64_t &size);
  std::optional<shapes::SizeLines> place(const shapes::SizeOutline &outline, llvm::StringRef options,
                                         FamilyMember &member);
  std::shared_ptr<FamilyBucket> bucketOf(Family &family, SizeRange range);

  const BucketPolicy policy_;
  std::mutex mutex_;
  std::deque<Family> families_;  // used last, first
};

}  // namespace tpuc
