// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Programs for the timing tests, written bundle by bundle.
#pragma once
#include <gtest/gtest.h>

#include "runtime/isa/executable.h"

namespace tpuc::timing::test {

class Builder {
 public:
  Builder() {
    exe.index.set_semaphores(8);
    exe.index.set_smem_bytes(4096);
    isa::proto::Buffer *b = exe.index.add_buffers();
    b->set_kind(isa::proto::ARENA);
    b->set_size(1 << 30);
    exe.index.add_entries()->set_arena_bytes(1 << 30);
  }

  int here() const { return bundles_; }
  // One bundle: instructions as the assembler reads them, separated by ';'. Returns its number.
  int operator()(const std::string &text) {
    size_t first = exe.code.size();
    for (size_t at = 0; at <= text.size();) {
      size_t end = std::min(text.find(';', at), text.size());
      isa::Inst inst;
      std::string error, one = text.substr(at, end - at);
      while (!one.empty() && one[0] == ' ') one.erase(0, 1);
      while (!one.empty() && one.back() == ' ') one.pop_back();
      EXPECT_TRUE(isa::parseInst(one, inst, error)) << one << ": " << error;
      exe.code.push_back(inst);
      at = end + 1;
    }
    EXPECT_GT(exe.code.size(), first);
    exe.code.back().last = 1;
    return bundles_++;
  }
  // `loop` with its end: returns the bundle of the loop, to be closed by end().
  int loop(const std::string &count) { return (*this)("loop " + count + ", target=0"); }
  void end(int loop) {
    int at = (*this)("loop.end target=" + std::to_string(loop));
    patch(loop, at);
  }
  // A branch to a place that is not there yet.
  int branch(const std::string &text) { return (*this)(text + "target=0"); }
  void patch(int bundle, int target) {
    std::vector<uint32_t> starts = exe.bundleStarts();
    for (uint32_t i = starts[bundle]; i < starts[bundle + 1]; ++i)
      if (isa::info(exe.code[i].op).field("target")) isa::setField(exe.code[i], "target", target);
  }
  int descriptor(int64_t bytes, isa::Space from = isa::Space::Hbm, isa::Space to = isa::Space::Vmem) {
    isa::DmaDescriptor d;
    d.srcSpace = from;
    d.dstSpace = to;
    d.srcBuffer = from == isa::Space::Hbm ? 0 : -1;
    d.dstBuffer = to == isa::Space::Hbm ? 0 : -1;
    d.runBytes = bytes;
    exe.descriptors.push_back(d);
    return static_cast<int>(exe.descriptors.size()) - 1;
  }
  void routine(const std::string &name, const std::string &kind, int begin) {
    isa::proto::Routine *r = exe.index.add_routines();
    r->set_name(name);
    r->set_kind(kind);
    r->set_bundle(static_cast<uint32_t>(begin));
    r->set_bundles(static_cast<uint32_t>(bundles_ - begin));
  }
  const isa::Executable &finish(int entry = 0) {
    exe.index.mutable_entries(0)->set_bundle(static_cast<uint32_t>(entry));
    exe.index.set_num_bundles(static_cast<uint32_t>(bundles_));
    EXPECT_EQ(isa::validate(exe), "");
    return exe;
  }

  isa::Executable exe;

 private:
  int bundles_ = 0;
};

}  // namespace tpuc::timing::test
