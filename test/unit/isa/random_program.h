// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Random well-formed instructions and executables.
#pragma once
#include <random>

#include "runtime/isa/executable.h"

namespace tpuc::isa::test {

using Random = std::mt19937_64;

inline int64_t below(Random &random, int64_t n) { return std::uniform_int_distribution<int64_t>(0, n - 1)(random); }

inline uint8_t randomReg(Random &random, RegKind kind) {
  return static_cast<uint8_t>(below(random, kind == RegKind::S   ? kNumScalars
                                            : kind == RegKind::V ? kNumVregs
                                                                 : kNumMasks));
}

inline Inst randomInst(Random &random, Op op) {
  Inst inst;
  inst.op = op;
  const InstInfo &i = info(op);
  if (i.result != RegKind::None) inst.dst = randomReg(random, i.result);
  for (int k = 0; k < i.numSources; ++k)
    if (!(i.sources[k].orImm || i.sources[k].optional) || below(random, 2))
      inst.source(k) = randomReg(random, i.sources[k].kind);
  if (i.masked && below(random, 2)) inst.m = randomReg(random, RegKind::M);
  for (int k = 0; k < i.numFields; ++k) {
    int bits = std::min<int>(i.fields[k].bits, 62);
    int64_t value = below(random, int64_t{1} << bits);
    if (i.fields[k].isSigned) value -= int64_t{1} << (bits - 1);
    if (below(random, 3) == 0) value = 0;
    setField(inst, i.fields[k], value);
  }
  return inst;
}

inline DmaDescriptor randomDescriptor(Random &random, int buffers) {
  DmaDescriptor d;
  d.srcSpace = static_cast<Space>(below(random, 3));
  d.dstSpace = static_cast<Space>(below(random, 3));
  if (d.srcSpace == Space::Hbm) d.srcBuffer = static_cast<int32_t>(below(random, buffers));
  if (d.dstSpace == Space::Hbm) d.dstBuffer = static_cast<int32_t>(below(random, buffers));
  d.srcOffset = below(random, 100000) - 50000;
  d.dstOffset = below(random, 100000);
  d.runBytes = 1 + below(random, 5000);
  d.numDims = static_cast<uint8_t>(below(random, 5));
  for (int i = 0; i < d.numDims; ++i)
    d.dims[i] = {1 + below(random, 9), below(random, 9999) - 5000, below(random, 9999)};
  return d;
}

// Straight-line code of every instruction but control, with a loop around some of it and two routines.
inline Executable randomExecutable(Random &random) {
  Executable exe;
  exe.index.set_module_name("jit_\"f\"\n");
  exe.index.add_entries()->set_arena_bytes(1 << 20);
  exe.index.set_semaphores(4);
  for (int i = 0; i < 4; ++i) {
    proto::Buffer *b = exe.index.add_buffers();
    b->set_kind(static_cast<proto::BufferKind>(i));
    b->set_size(4096);
    b->mutable_array()->set_type("f32");
    b->mutable_array()->add_dims(8);
    b->mutable_array()->add_dims(128);
  }
  exe.ownedConstants.resize(5000 + below(random, 300));
  for (size_t i = 0; i < exe.ownedConstants.size() / 3; ++i) exe.ownedConstants[i] = static_cast<uint8_t>(random());
  exe.constants = exe.ownedConstants;
  for (int i = 0; i < 8; ++i) exe.descriptors.push_back(randomDescriptor(random, 4));
  // To another chip.
  exe.descriptors[0].srcSpace = exe.descriptors[0].dstSpace = Space::Hbm;
  exe.descriptors[0].srcBuffer = exe.descriptors[0].dstBuffer = 1;
  for (int i = 0; i < 3; ++i) exe.index.add_chip_semaphores()->set_collective("all_gather");

  for (int i = 0; i < 2; ++i) {
    proto::HostCall *call = exe.index.add_host_calls();
    call->set_id(random());
    for (proto::HostArray *array : {call->add_operands(), call->add_results()}) {
      array->set_buffer(2);
      array->set_offset(512);
      array->mutable_array()->set_type("i32");
      array->mutable_array()->add_dims(1 + below(random, 128));
    }
  }

  uint32_t bundle = 0;
  bool inEntry = false;
  auto close = [&] {
    exe.code.back().last = 1;
    ++bundle;
  };
  auto control = [&](Op op, int64_t target) {
    Inst inst;
    inst.op = op;
    if (info(op).field("target")) setField(inst, "target", target);
    exe.code.push_back(inst);
    close();
  };
  auto body = [&](int bundles) {
    for (int i = 0; i < bundles; ++i) {
      Op op = static_cast<Op>(below(random, kNumOps));
      const bool ofEntries = op == Op::HostCall || op == Op::DmaRemote || op == Op::SemSignal || op == Op::SemWait;
      if (info(op).unit == Unit::Control || (ofEntries && !inEntry)) op = Op::VFAdd;
      Inst inst = randomInst(random, op);
      if (info(op).field("desc")) setField(inst, "desc", below(random, 8));
      if (info(op).field("mxu")) setField(inst, "mxu", below(random, kMaxMxus));
      if (op == Op::HostCall) setField(inst, "imm", below(random, 2));
      if (op == Op::DmaRemote) setField(inst, "desc", 0);
      if (op == Op::DmaRemote) setField(inst, "there", below(random, 3));
      if (op == Op::SemSignal) setField(inst, "imm", below(random, 3));
      if (op == Op::SemWait) setField(inst, "sem", below(random, 3));
      exe.code.push_back(inst);
      if (below(random, 2) && info(op).result != RegKind::S) exe.code.push_back(randomInst(random, Op::SLi));
      close();
    }
  };
  auto routine = [&](const char *name, Op end, int64_t callee) {
    proto::Routine *r = exe.index.add_routines();
    r->set_name(name);
    r->set_bundle(bundle);
    r->set_location("model.py:3:\"x\"");
    if (inEntry) r->set_kind("entry");
    exe.sourceMap.push_back({bundle, std::string("a \\n // \"quoted\" ") + name});
    body(5);
    uint32_t loop = bundle;
    control(Op::Loop, loop + 4);
    body(3);
    control(Op::LoopEnd, loop);
    if (callee >= 0) control(Op::Call, callee);
    body(2);
    control(end, 0);
    r->set_bundles(bundle - r->bundle());
  };
  routine("kernel.1", Op::Ret, -1);
  exe.index.mutable_entries(0)->set_bundle(bundle);
  inEntry = true;
  routine("main", Op::Halt, 0);
  exe.index.set_num_bundles(bundle);
  exe.index.set_format_version(kFormatVersion);
  exe.index.set_table_hash(tableHash());
  return exe;
}

}  // namespace tpuc::isa::test
