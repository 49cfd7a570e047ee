// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Compiled programs with wrong bytes in them: refused, or run to their end or to a located error. Built with
// -DTPUC_SANITIZE=ON, this also shows that nothing outside of the machine's memories is touched.
#include <gtest/gtest.h>

#include <random>

#include "compiler/pipeline/session.h"
#include "runtime/device/thread_pool.h"
#include "runtime/executor/executor.h"
#include "runtime/timing/timing.h"

namespace tpuc {
namespace {

using Random = std::mt19937_64;

std::string bytesOf(const std::string &name, const std::string &target) {
  CompileOptions options;
  options.target = target;
  std::string messages;
  llvm::raw_string_ostream err(messages);
  Session session;
  Compiled result = session.compileFile(std::string(TPUC_PROGRAMS) + "/" + name + ".mlir", options, err);
  EXPECT_EQ(result.exit, 0) << messages;
  return isa::serialize(result.exe);
}

// One to four changes: registers, fields and bytes of instructions, parts of descriptors, bytes of the index.
void mutate(isa::Executable &exe, Random &random) {
  for (uint64_t k = 0; k <= random() % 4; ++k) {
    switch (random() % 8) {
      case 0: {
        isa::DmaDescriptor &d = exe.descriptors[random() % exe.descriptors.size()];
        int64_t *parts[] = {&d.srcOffset,     &d.dstOffset,         &d.runBytes,
                            &d.dims[0].count, &d.dims[0].srcStride, &d.dims[1].dstStride};
        *parts[random() % std::size(parts)] =
            random() % 2 ? static_cast<int64_t>(random() % 65536) - 32768 : static_cast<int64_t>(random());
        break;
      }
      case 1: {
        std::string index = schema::serialize(exe.index);
        index[random() % index.size()] = static_cast<char>(random());
        isa::proto::Index changed;
        if (schema::parse(index, changed)) exe.index = changed;
        break;
      }
      case 2:
        std::swap(exe.code[random() % exe.code.size()], exe.code[random() % exe.code.size()]);
        break;
      case 3:
        reinterpret_cast<uint8_t *>(&exe.code[random() % exe.code.size()])[random() % 16] ^=
            static_cast<uint8_t>(1u << random() % 8);
        break;
      default: {  // well-formed on its own
        isa::Inst &inst = exe.code[random() % exe.code.size()];
        const isa::InstInfo &info = isa::info(inst.op);
        if (info.numFields && random() % 3) {
          const isa::Field &field = info.fields[random() % info.numFields];
          if (!isa::setField(inst, field, isa::getField(inst, field) ^ (int64_t{1} << random() % 24)))
            isa::setField(inst, field, static_cast<int64_t>(random() % 64));
        } else {
          uint8_t *registers[] = {&inst.dst, &inst.a, &inst.b, &inst.c};
          uint8_t &reg = *registers[random() % 4];
          if (reg != isa::kNoReg) reg = static_cast<uint8_t>(random() % 32);
        }
      }
    }
  }
}

// Whether it ran at all.
bool tryRun(const isa::Executable &exe, bool checking, std::shared_ptr<device::ThreadPool> pool) {
  exec::ExecutorOptions options;
  options.checking = checking;
  options.hotAfter = 2;
  options.maxBlocks = 20000;
  options.pool = std::move(pool);
  std::string error;
  auto executor = exec::Executor::create(exe, options, error);
  if (!executor) {
    EXPECT_FALSE(error.empty());
    return false;
  }
  std::vector<std::vector<uint8_t>> held(executor->numArguments());
  for (int i = 0; i < executor->numArguments(); ++i) {
    if (executor->argument(i).size() > size_t{1} << 24) return false;
    held[i].resize(executor->argument(i).size(), 0x3c);
    EXPECT_TRUE(executor->bindArgument(i, held[i], error)) << error;
  }
  exec::RunError stopped;
  const bool ok = executor->run(stopped);
  EXPECT_EQ(ok, stopped.text().empty()) << stopped.text();
  return true;
}

class Fuzz : public testing::TestWithParam<std::tuple<const char *, const char *>> {};

TEST_P(Fuzz, MutatedExecutables) {
  const std::string bytes = bytesOf(std::get<0>(GetParam()), std::get<1>(GetParam()));
  auto pool = std::make_shared<device::ThreadPool>(2);
  std::string error;
  target::Target target;
  ASSERT_TRUE(target::loadTarget(std::get<1>(GetParam()), target, error)) << error;
  int ran = 0;
  const int count = 100;
  for (int seed = 0; seed < count; ++seed) {
    SCOPED_TRACE(seed);
    Random random(seed);
    isa::Executable exe, back;
    ASSERT_TRUE(isa::parse(bytes, exe, error)) << error;
    mutate(exe, random);
    if (!isa::parse(isa::serialize(exe), back, error)) {
      EXPECT_FALSE(error.empty());
      continue;
    }
    isa::disassemble(back);
    timing::TimingOptions timing;
    timing.maxBundles = 200000;
    timing::TimingResult timed = timing::timeProgram(back, target, timing);
    EXPECT_NE(timed.ok, !timed.error.empty());
    ran += tryRun(back, seed % 4 == 0, pool);
  }
  EXPECT_GT(ran, count / 10);
}

INSTANTIATE_TEST_SUITE_P(All, Fuzz,
                         testing::Combine(testing::Values("mlp", "attention", "convolution", "quantised", "reductions"),
                                          testing::Values("v4", "v6e")),
                         [](const auto &info) {
                           return std::string(std::get<0>(info.param)) + "_" + std::get<1>(info.param);
                         });

}  // namespace
}  // namespace tpuc
