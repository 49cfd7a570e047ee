// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Random bundles over few registers: whatever waits for whatever, all read before any writes.
#include "test/unit/executor/harness.h"

namespace tpuc::exec {
namespace {

struct Model {
  int64_t s[4] = {3, 5, 7, 11};
  uint32_t v[4] = {2, 4, 8, 16};  // every lane
  bool m[2] = {true, false};
  int64_t smem[4] = {};
  uint32_t vmem[4] = {};
};

int below(test::Random &random, int n) { return static_cast<int>(random() % n); }

// Adds one instruction to the bundle and its effect on `next`, reading from `now`; false when it would write what
// another instruction of the bundle writes.
bool addInstruction(test::Random &random, const Model &now, Model &next, std::vector<std::string> &taken,
                    std::string &text) {
  int d = below(random, 4), a = below(random, 4), b = below(random, 4), md = below(random, 2), ma = below(random, 2);
  auto name = [](char kind, int i) { return std::string(1, kind) + std::to_string(i); };
  std::string writes, one;
  Model after = next;
  switch (below(random, 9)) {
    case 0:
      writes = name('s', d), one = "s.add " + writes + ", " + name('s', a) + ", " + name('s', b),
      after.s[d] = now.s[a] + now.s[b];
      break;
    case 1:
      writes = name('v', d), one = "v.add.i32 " + writes + ", " + name('v', a) + ", " + name('v', b),
      after.v[d] = now.v[a] + now.v[b];
      break;
    case 2:
      writes = name('v', d), one = "v.splat " + writes + ", " + name('s', a),
      after.v[d] = static_cast<uint32_t>(now.s[a]);
      break;
    case 3:
      writes = name('m', md), one = "v.lt.s32 " + writes + ", " + name('v', a) + ", " + name('v', b);
      after.m[md] = static_cast<int32_t>(now.v[a]) < static_cast<int32_t>(now.v[b]);
      break;
    case 4:
      writes = name('v', d), one = "v.sel " + writes + ", " + name('m', ma) + ", " + name('v', a) + ", " + name('v', b);
      after.v[d] = now.m[ma] ? now.v[a] : now.v[b];
      break;
    case 5:
      writes = name('s', d), one = "s.ldd " + writes + ", s31, off=" + std::to_string(8 * a), after.s[d] = now.smem[a];
      break;
    case 6:
      writes = "smem" + std::to_string(a), one = "s.std " + name('s', b) + ", s31, off=" + std::to_string(8 * a),
      after.smem[a] = now.s[b];
      break;
    case 7:
      writes = name('v', d), one = "v.ld " + writes + ", s31, off=" + std::to_string(8 * a) + ", stride=1",
      after.v[d] = now.vmem[a];
      break;
    default:
      writes = "vmem" + std::to_string(a),
      one = "v.st " + name('v', b) + ", s31, off=" + std::to_string(8 * a) + ", stride=1", after.vmem[a] = now.v[b];
      break;
  }
  if (std::find(taken.begin(), taken.end(), writes) != taken.end()) return false;
  taken.push_back(writes);
  next = after;
  text += (text.empty() ? "" : " ; ") + one;
  return true;
}

TEST(Sequence, RandomBundles) {
  for (int seed = 0; seed < 300; ++seed) {
    test::Random random(seed);
    Model model;
    std::string text =
        ".set vmem_bytes 65536\n.set smem_bytes 64\n.set semaphores 1\n.dma 0 smem+0 -> hbm[0]+0, run=64\n.dma 1 "
        "vmem+0 -> hbm[1]+0, run=32768\n";
    for (int i = 0; i < 4; ++i) {
      text += "{ s.li s" + std::to_string(i) + ", " + std::to_string(model.s[i]) + " }\n";
      text += "{ v.li v" + std::to_string(i) + ", " + std::to_string(model.v[i]) + " }\n";
    }
    text += "{ v.li v5, 0 }\n";
    text += "{ m.li m0, 1 }\n{ m.li m1, 0 }\n";
    for (int i = 0; i < 4; ++i)
      text += "{ s.std s31, s31, off=" + std::to_string(8 * i) + " }\n{ v.st v5, s31, off=" + std::to_string(8 * i) +
              ", stride=1 }\n";
    for (int bundle = 0; bundle < 20; ++bundle) {
      Model next = model;
      std::vector<std::string> taken;
      std::string one;
      for (int k = 0; k < 7; ++k) addInstruction(random, model, next, taken, one);
      text += "{ " + one + " }\n";
      model = next;
    }
    for (int i = 0; i < 4; ++i) {
      text += "{ s.std s" + std::to_string(i) + ", s31, off=" + std::to_string(32 + 8 * i) + " }\n";
      text += "{ v.st v" + std::to_string(i) + ", s31, off=" + std::to_string(32 + 8 * i) + ", stride=1 }\n";
    }
    text += "{ dma.start s31, s31, 0, desc=0 }\n{ dma.start s31, s31, 0, desc=1 }\n{ dma.wait 0, count=2 }\n{ halt }\n";
    ExecutorOptions options;
    options.checking = seed % 2;
    test::Outcome out = test::runText(text, {}, {64, 32768}, options);
    ASSERT_TRUE(out.ok) << seed << out.error.text();
    for (int i = 0; i < 4; ++i) {
      int64_t smem, s;
      std::memcpy(&smem, &out.results[0][8 * i], 8);
      std::memcpy(&s, &out.results[0][32 + 8 * i], 8);
      ASSERT_EQ(smem, model.smem[i]) << seed << text;
      ASSERT_EQ(s, model.s[i]) << seed << text;
      for (int lane : {0, 777, 1023}) {
        ASSERT_EQ(test::words(out.results[1])[i * 1024 + lane], model.vmem[i]) << seed << text;
        ASSERT_EQ(test::words(out.results[1])[(4 + i) * 1024 + lane], model.v[i]) << seed << text;
      }
    }
  }
}

}  // namespace
}  // namespace tpuc::exec
