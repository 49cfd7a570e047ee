// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Compiling through the cache: a program that was compiled before, by this process or another, is loaded instead.
#pragma once
#include <deque>
#include <memory>
#include <mutex>
#include <optional>

#include "compiler/cache/record.h"
#include "compiler/cache/settings.h"
#include "compiler/cache/store.h"
#include "compiler/pipeline/session.h"
#include "llvm/ADT/STLFunctionalExtras.h"

namespace tpuc::cache {

// For many threads.
class CompileCache {
 public:
  explicit CompileCache(Settings settings);

  // Compiles as Session::compileBuffer does; `session` is called only when there is something to compile. A program
  // with warnings is not kept, so that `err` has them each time.
  Compiled compile(llvm::function_ref<Session &()> session, std::unique_ptr<llvm::MemoryBuffer> buffer,
                   const CompileOptions &options, llvm::raw_ostream &err);

  // Why the last program could not be kept; empty for none.
  std::string trouble() const;
  const Settings &settings() const { return settings_; }

 private:
  struct Job;
  bool find(Job &job, Compiled &compiled);
  void compileNow(Job &job, Session &session, Compiled &compiled, llvm::raw_ostream &err);
  void keep(Job &job, const Compiled &compiled);
  std::string why(const Record &record) const;
  void say(const Job &job, const std::string &name, const char *what, const std::string &why) const;

  const Settings settings_;
  mutable std::mutex mutex_;
  std::optional<Store> store_;
  std::deque<Record> seen_;  // without a folder: what this process compiled, the latest first
  std::string trouble_;
};

}  // namespace tpuc::cache
