// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Blocks that VMEM shows without copying them, and loads that are forwarded, against the checking mode, which does
// neither: random transfers between a buffer that changes and VMEM, loads and stores at any place between them.
#include "test/unit/executor/harness.h"

namespace tpuc::exec {
namespace {

constexpr int kPages = 16;  // of VMEM, of the argument and of the result each

int below(test::Random &random, int n) { return static_cast<int>(random() % n); }

class Generator {
 public:
  explicit Generator(uint64_t seed) : random_(seed) {}

  std::string program() {
    // The argument to the result, as a buffer that changes; then to VMEM.
    start("hbm[0]+0 -> hbm[1]+0, run=" + bytes(kPages));
    start("hbm[0]+0 -> vmem+0, run=" + bytes(kPages));
    code_ += "{ v.laneid v0 }\n{ v.li v1, 40 }\n{ v.lt.s32 m1, v0, v1 }\n";
    for (int v = 0; v < 6; ++v)
      code_ += "{ v.ld v" + std::to_string(v) + ", s31, off=" + std::to_string(8 * v) + ", stride=1 }\n";
    for (int k = 0; k < 60; ++k) below(random_, 3) ? instruction() : transfer();
    start("vmem+0 -> hbm[1]+0, run=" + bytes(kPages / 2));
    return ".set vmem_bytes " + bytes(kPages) + "\n.set semaphores 1\n" + descriptors_ +
           ".entry bundle: 0\nmain:\n{ grid 1, target=step }\n{ halt }\nstep:\n" + code_ + "{ ret }\n";
  }

 private:
  static std::string bytes(int pages) { return std::to_string(pages * 4096); }
  void start(const std::string &descriptor) {
    descriptors_ += ".dma " + std::to_string(started_) + " " + descriptor + "\n";
    code_ += "{ dma.start s31, s31, 0, desc=" + std::to_string(started_++) + " }\n{ dma.wait 0, count=1 }\n";
  }

  void transfer() {
    // Mostly whole pages, some in two runs apart, some that are none.
    const int pages = 1 + below(random_, 3), odd = below(random_, 4) ? 0 : 512 * below(random_, 8);
    std::string vmem = "vmem+" + std::to_string(4096 * below(random_, kPages - 8) + odd),
                other = below(random_, 3) ? "hbm[1]+" : "hbm[0]+";
    std::string hbm = other + bytes(below(random_, kPages - 8));
    std::string shape = ", run=" + bytes(pages),
                apart = ", run=4096, dim=2:" + bytes(2 + below(random_, 2)) + ":" + bytes(pages);
    switch (below(random_, 6)) {
      case 0:
        return start(vmem + " -> hbm[1]+" + bytes(below(random_, kPages - 8)) + shape);
      case 1:
        return start("hbm[0]+" + bytes(below(random_, kPages - 8)) + " -> hbm[1]+" + bytes(below(random_, kPages - 8)) +
                     shape);
      case 2:
        return start(vmem + " -> vmem+" + bytes(kPages - 4) + shape);
      case 3:
        return start(hbm + " -> " + vmem + apart);
      default:
        return start(hbm + " -> " + vmem + shape);
    }
  }

  void instruction() {
    auto v = [&] { return "v" + std::to_string(below(random_, 6)); };
    auto place = [&] {
      int stride = below(random_, 3) ? 1 : below(random_, 4),
          word = below(random_, 2) ? 8 * below(random_, kPages - 5) : below(random_, 8 * (kPages - 5));
      return "s31, off=" + std::to_string(word) + ", stride=" + std::to_string(stride);
    };
    switch (below(random_, 7)) {
      case 0:
      case 1:
        code_ += "{ v.ld " + v() + ", " + place() + " }\n";
        return;
      case 2:
        code_ += "{ v.st " + v() + ", " + place() + (below(random_, 3) ? "" : ", ?m1") + " }\n";
        return;
      case 3:
        code_ += "{ v.add.i32 " + v() + ", " + v() + ", " + v() + " }\n";
        return;
      case 4:
        code_ += "{ v.xor " + v() + ", " + v() + ", " + v() + " }\n";
        return;
      case 5:
        code_ += "{ v.unpack.bf16 " + v() + ", " + v() + ", part=" + std::to_string(below(random_, 2)) + " }\n";
        return;
      default:
        code_ += "{ v.pack.bf16 " + v() + ", " + v() + ", " + v() + " }\n";
        return;
    }
  }

  test::Random random_;
  std::string descriptors_, code_;
  int started_ = 0;
};

TEST(Views, AreNotSeen) {
  for (uint64_t seed = 0; seed < 200; ++seed) {
    std::string text = Generator(seed).program();
    test::Random random(seed);
    test::Bytes in = test::oddBytes(random, kPages * 4096);
    ExecutorOptions checking;
    checking.checking = true;
    test::Outcome want = test::runText(text, {in}, {in.size()}, checking), got = test::runText(text, {in}, {in.size()});
    ASSERT_TRUE(want.ok) << want.error.text() << "\n" << text;
    ASSERT_TRUE(got.ok) << got.error.text();
    ASSERT_EQ(got.results, want.results) << "seed " << seed << "\n" << text;
  }
}

}  // namespace
}  // namespace tpuc::exec
