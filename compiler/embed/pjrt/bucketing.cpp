// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "compiler/embed/pjrt/bucketing.h"

#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/raw_ostream.h"
#include "runtime/isa/printable.h"

namespace tpuc::pjrt {
namespace {

void say(const PJRT_Client &client, const FamilyMember &member, const std::string &what) {
  if (!client.options.cache.log) return;
  const std::string size = member.size ? "leading size " + std::to_string(member.size) + " " : "";
  llvm::errs() << "tpuc: " + isa::printable(member.name) + ": " + size + what + "\n";
}

// What the compiler said, on one line.
std::string firstLine(llvm::StringRef text) { return isa::printable(text.split('\n').first.trim().str()); }

// The largest sizes alone: an op refused its padding.
bool isExact(const isa::Executable &exe) {
  const isa::proto::Entry &entry = exe.index.entries(0);
  for (int s = 0; s < exe.index.symbols_size(); ++s)
    if (exe.index.symbols(s).value().empty() && entry.least(s) == entry.extents(s)) return true;
  return false;
}

// The caller has the bucket's mutex.
void compileBucket(PJRT_Client &client, const FamilyMember &member, const CompileOptions &options) {
  FamilyBucket &bucket = *member.bucket;
  CompileOptions pipeline = options;
  pipeline.buckets = {llvm::formatv("{0}={1}..{2}", FamilyMember::kSymbol, bucket.range.least, bucket.range.most)};
  std::string diagnostics;
  llvm::raw_string_ostream err(diagnostics);
  std::unique_ptr<Session> session;
  auto taken = [&]() -> Session & { return *(session = client.takeSession()); };
  Compiled compiled =
      client.cache->compile(taken, llvm::MemoryBuffer::getMemBufferCopy(member.program, "program"), pipeline, err);
  if (session) client.giveBack(std::move(session));
  if (compiled.exit || isExact(compiled.exe)) {
    bucket.why = diagnostics.empty() ? "an op is only known at exact sizes" : firstLine(diagnostics);
    return;
  }
  bucket.exe = std::make_shared<const isa::Executable>(std::move(compiled.exe));
}

// Each symbol's; empty where the bucket does not hold them.
isa::Extents extentsOf(const isa::proto::Index &index, int64_t size) {
  isa::Extents extents(index.symbols_size(), size);
  std::string error;
  if (!isa::completeExtents(index, extents) || isa::entryFor(index, extents, error) < 0) extents.clear();
  return extents;
}

}  // namespace

std::optional<InBucket> compileInBucket(PJRT_Client &client, std::string_view source, const CompileOptions &options) {
  std::unique_ptr<Session> session = client.takeSession();
  const FamilyMember member = client.families->memberFor(*session, {source.data(), source.size()},
                                                         options.matmulPrecision + " " + options.ioLayouts);
  client.giveBack(std::move(session));
  auto exactly = [&](const std::string &why) {
    say(client, member, "is compiled for itself: " + why);
    return std::nullopt;
  };
  if (!member.why.empty()) return exactly(firstLine(member.why));
  FamilyBucket &bucket = *member.bucket;
  std::lock_guard lock(bucket.mutex);
  if (!bucket.exe && bucket.why.empty()) compileBucket(client, member, options);
  if (!bucket.exe) return exactly(bucket.why);
  isa::Extents extents = extentsOf(bucket.exe->index, member.size);
  if (extents.empty()) return exactly("the bucket does not hold it");
  const double waste = 100 * (1 - static_cast<double>(member.size) / static_cast<double>(bucket.range.most));
  say(client, member,
      llvm::formatv("runs in the bucket {0}..{1}: {2:f0}% of its rows are padding", bucket.range.least,
                    bucket.range.most, waste));
  return InBucket{bucket.exe, std::move(extents)};
}

}  // namespace tpuc::pjrt
