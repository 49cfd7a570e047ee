// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// 1. The key: the program's bytes and name, the options, the target's constants, the build of tpuc.
// 2. An entry: done.
// 3. Claim it, and look again: another process may have made it meanwhile.
// 4. Compile, keep, say why.
#include "compiler/cache/compile_cache.h"

#include <chrono>

#include "compiler/cache/build_id.h"
#include "compiler/cache/differences.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FormatVariadic.h"
#include "runtime/isa/printable.h"
#include "runtime/target/target.h"

namespace tpuc::cache {
namespace {

constexpr size_t kCompared = 200;  // programs

// Whatever changes the executable, as a user would write it; the target's constants stand in the key themselves. All
// members are named, so that none is added to the options without a decision here and in mayKeep.
std::string optionsText(const CompileOptions &options) {
  const auto &[target, sets, matmulPrecision, fuse, pipeline, constantArrays, dims, buckets, argumentShapes, ioLayouts,
               devices, mesh, partialSums, dumpStages, stopAfter, startFrom, remarks, anyModule, artifactVersion,
               onStage, onInspect, onRemark, onImport] = options;
  std::string out;
  auto add = [&](bool on, const std::string &text) { out += on ? (out.empty() ? "" : " ") + text : ""; };
  add(!matmulPrecision.empty(), "--matmul-precision=" + matmulPrecision);
  add(!fuse, "--no-fuse");
  add(!pipeline, "--no-pipeline");
  add(constantArrays, "--constants=arrays");
  add(!dims.empty(), "--dim=" + llvm::join(dims, ","));
  add(!buckets.empty(), "--bucket=" + llvm::join(buckets, " --bucket="));
  add(!argumentShapes.empty(), "inputs " + llvm::join(argumentShapes, ","));
  add(devices != 0, "--devices=" + std::to_string(devices));
  add(!mesh.empty(), "--mesh=" + llvm::join(mesh, ","));
  add(partialSums, "with summands");
  add(!ioLayouts.empty(), "--io-layouts=" + ioLayouts);
  return out;
}

// Only whole compilations that leave nothing else behind, and that nobody waits to hear of.
bool mayKeep(const CompileOptions &options) {
  return options.dumpStages.empty() && options.stopAfter.empty() && options.startFrom.empty() &&
         options.artifactVersion.empty() && options.remarks.empty() && !options.anyModule && !options.onInspect &&
         !options.onRemark && !buildId().empty();
}

}  // namespace

struct CompileCache::Job {
  std::unique_ptr<llvm::MemoryBuffer> buffer;
  const CompileOptions &options;
  Key key = {};
  Record record = {};
  std::chrono::steady_clock::time_point start = std::chrono::steady_clock::now();
};

CompileCache::CompileCache(Settings settings) : settings_(std::move(settings)) {
  if (!settings_.folder.empty()) store_.emplace(settings_.folder, settings_.mostBytes);
}

std::string CompileCache::trouble() const {
  std::lock_guard lock(mutex_);
  return trouble_;
}

Compiled CompileCache::compile(llvm::function_ref<Session &()> session, std::unique_ptr<llvm::MemoryBuffer> buffer,
                               const CompileOptions &options, llvm::raw_ostream &err) {
  target::Target target;
  std::string error;
  if ((!store_ && !settings_.log) || !mayKeep(options) || !resolveTarget(options, target, error))
    return session().compileBuffer(std::move(buffer), options, err);
  Job job = {std::move(buffer), options};
  job.record.build = buildId();
  job.record.options = optionsText(options);
  job.record.target = target.name() + (options.sets.empty() ? "" : " with --set");
  job.key = keyOf({job.record.build, target::toText(target), job.record.options, job.buffer->getBufferIdentifier(),
                   job.buffer->getBuffer()});
  job.record.key = text(job.key);
  Compiled compiled;
  if (find(job, compiled)) return compiled;
  Claim claim;
  if (store_) claim = store_->claim(job.key);
  if (!find(job, compiled)) compileNow(job, session(), compiled, err);
  return compiled;
}

bool CompileCache::find(Job &job, Compiled &compiled) {
  if (!store_ || !store_->find(job.key, compiled.exe)) return false;
  say(job, compiled.exe.index.module_name(), "cached, loaded", "");
  return true;
}

void CompileCache::compileNow(Job &job, Session &session, Compiled &compiled, llvm::raw_ostream &err) {
  CompileOptions options = job.options;
  options.onImport = [&](mlir::ModuleOp module) { readModule(module, settings_.log, job.record); };
  const uint64_t said = err.tell();
  compiled = session.compileBuffer(std::move(job.buffer), options, err);
  if (compiled.exit) return say(job, job.record.name, "refused", compiled.code);
  const std::string reason = settings_.log ? why(job.record) : "";
  if (err.tell() == said) keep(job, compiled);
  say(job, job.record.name, "compiled", reason);
}

void CompileCache::keep(Job &job, const Compiled &compiled) {
  std::lock_guard lock(mutex_);
  if (store_) {
    trouble_ = store_->keep(job.key, compiled.exe, toJson(job.record));
    return;
  }
  seen_.push_front(job.record);
  if (seen_.size() > kCompared) seen_.pop_back();
}

std::string CompileCache::why(const Record &record) const {
  std::vector<Record> before;
  std::lock_guard lock(mutex_);
  if (!store_)
    before.assign(seen_.begin(), seen_.end());
  else
    for (const std::string &text : store_->records(kCompared))
      if (Record one; fromJson(text, one)) before.push_back(std::move(one));
  return whyNew(record, before);
}

void CompileCache::say(const Job &job, const std::string &name, const char *what, const std::string &why) const {
  if (!settings_.log) return;
  const double seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - job.start).count();
  const std::string who = name.empty() ? job.buffer ? job.buffer->getBufferIdentifier().str() : "program" : name;
  llvm::errs() << llvm::formatv("tpuc: {0}: {1} in {2:f1} ms{3}\n", isa::printable(who), what, seconds * 1e3,
                                why.empty() ? "" : ": " + isa::printable(why))
                      .str();
}

}  // namespace tpuc::cache
