// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What runs a compiled program: a chip, or a slice of them. Arrays are whole: a slice's are split over its chips as the
// program says, and put together again.
#pragma once
#include <memory>
#include <string>
#include <vector>

#include "runtime/device/pack.h"
#include "runtime/executor/executor.h"
#include "runtime/executor/slice.h"
#include "runtime/isa/sharding.h"

namespace tpuc::exec {

class Chips {
 public:
  // `exe` stays alive and unchanged. Null with `error`.
  static std::unique_ptr<Chips> create(const isa::Executable &exe, const ExecutorOptions &options, std::string &error);

  int count() const { return slice_ ? slice_->chips() : 1; }
  // Sets the sizes of a program of open sizes, as Executor does.
  bool setSizes(std::span<const std::vector<int64_t>> shapes, std::string &error);
  bool setExtents(const isa::Extents &extents, std::string &error);
  // Empty for a slice: its own.
  isa::Extents extents() const { return one_ ? one_->extents() : isa::Extents(); }
  int entry() const { return one_ ? one_->entry() : 0; }

  int numArguments() const { return one_ ? one_->numArguments() : slice_->chip(0).numArguments(); }
  int numResults() const { return one_ ? one_->numResults() : slice_->chip(0).numResults(); }
  const isa::proto::Buffer &argument(int i) const { return one_ ? one_->argument(i) : slice_->chip(0).argument(i); }
  const isa::proto::Buffer &result(int i) const { return one_ ? one_->result(i) : slice_->chip(0).result(i); }
  // Dims of whole arrays, as the program's user sees them.
  std::vector<int64_t> argumentDims(int i) const { return one_ ? one_->argumentDims(i) : wholeDims(argument(i)); }
  std::vector<int64_t> resultDims(int i) const { return one_ ? one_->resultDims(i) : wholeDims(result(i)); }

  // Dense row-major elements of argumentDims(i); padding gets `fill`. False with `error`; HBM may be full.
  bool bind(int i, const void *data, std::string &error, uint32_t fill = device::kZeroFill);
  bool run(RunError &error, ControlTrace *trace = nullptr);
  // Copies result `i` of the last run, into room for the elements of resultDims(i). False with `error` where chips that
  // should have the same have not.
  bool fetch(int i, void *data, std::string &error) const;

  // The statistics of the first chip.
  Statistics statistics() const { return one_ ? one_->statistics() : slice_->chip(0).statistics(); }
  // Bytes that all chips sent.
  uint64_t sentBytes() const;

 private:
  bool makeSlice(const isa::Executable &exe, const ExecutorOptions &options, std::string &error);
  bool findShardings(std::string &error);
  static std::vector<int64_t> wholeDims(const isa::proto::Buffer &buffer);

  std::unique_ptr<Executor> one_;
  std::shared_ptr<LoadedSlice> slice_;
  std::vector<Run> runs_;  // by chip
  std::vector<isa::Sharding> arguments_, results_;
};

}  // namespace tpuc::exec
