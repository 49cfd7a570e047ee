// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A matmul kernel as a compiler would schedule it by hand: a double-buffered grid over blocks, weights staged while
// rows are pushed, the arrays side by side over column tiles. Addresses do not matter to the timing and are left out.
#pragma once
#include "runtime/target/target.h"
#include "test/unit/timing/builder.h"

namespace tpuc::timing::test {

struct MatmulShape {
  int64_t m, n, k, bm, bn;  // whole blocks; k is not split
};

inline Builder matmulProgram(const target::Target &t, const MatmulShape &s) {
  Builder b;
  const int64_t side = t.core().mxu_side(), arrays = t.core().mxus(), perTile = side / 128;
  b.descriptor(s.bm * s.k * 2);                                      // 0: rows
  b.descriptor(s.k * s.bn * 2);                                      // 1: weights
  b.descriptor(s.bm * s.bn * 2, isa::Space::Vmem, isa::Space::Hbm);  // 2: result
  auto S = [](int64_t v) { return std::to_string(v); };
  auto each = [&](auto f) {
    for (int64_t a = 0; a < arrays; ++a) f(S(a));
  };
  // side / 16 loads an array and 128 columns: two a bundle, and two bundles later into the arrays.
  auto stage = [&] {
    const int64_t count = side / 16 * perTile * arrays;
    auto load = [&](int64_t i) { return "v.ld v" + S(20 + i % 16) + ", s2, off=0, stride=1"; };
    auto ldw = [&](int64_t i) {
      return "mxu.ldw.bf16 v" + S(20 + i % 16) + ", mxu=" + S(i % arrays) + ", row=0, col=0, xpose=0";
    };
    for (int64_t i = 0; i < count + 8; i += 2) {
      std::string bundle;
      if (i < count) bundle = load(i) + "; " + load(i + 1);
      if (i >= 8) bundle += (bundle.empty() ? "" : "; ") + ldw(i - 8) + "; " + ldw(i - 7);
      b(bundle);
    }
  };
  int kernel = b.here();
  // s10: the step's number, s11: its column block. Rows stay for all column blocks.
  const std::string columns = S(s.n / s.bn);
  b("s.add s3, s1, 0; s.add s10, s0, 0");
  b("s.add s7, s0, s1");
  b("dma.start s4, s31, 2, desc=0");
  b("dma.start s4, s31, 0, desc=1");
  b("s.li s12, 1");  // rows are under way
  int steps = b.loop("s3");
  b("dma.wait 0, count=1");
  int haveRows = b.branch("bz s12, ");
  b("dma.wait 2, count=1");
  b.patch(haveRows, b.here());
  b("s.add s10, s10, 1; s.li s12, 0");
  b("s.rem s11, s10, " + columns + "; s.lt s8, s10, s7");
  int noNext = b.branch("bz s8, ");
  int sameRows = b.branch("bnz s11, ");
  b("dma.start s4, s31, 2, desc=0; s.li s12, 1");
  b.patch(sameRows, b.here());
  b("dma.start s4, s31, 0, desc=1");
  b.patch(noNext, b.here());
  int groups = b.loop(S((s.bn / side + arrays - 1) / arrays));
  stage();
  int kTiles = b.loop(S(s.k / side));
  std::string swaps;
  each([&](const std::string &a) { b("mxu.swap mxu=" + a); });
  stage();
  b("s.li s5, 0");
  b("v.ld v1, s2, off=0, stride=1");
  int rows = b.loop(S(s.bm / 16));  // the push of one iteration and the load of the next
  std::string pushes;
  each([&](const std::string &a) { pushes += "mxu.push.bf16 v1, v2, s5, mxu=" + a + "; "; });
  b(pushes + "s.add s5, s5, 2; s.add s2, s2, 8");
  b("v.ld v1, s2, off=0, stride=1");
  b.end(rows);
  b.end(kTiles);
  // Results leave as pairs of groups, packed: what was popped an iteration ago is packed, and before that, stored.
  const int64_t units = arrays * perTile, slots = t.core().valu_slots();
  b("s.li s5, 0");
  b("s.li s6, 1");
  int pops = b.loop(S(s.bm / 16));
  for (int64_t i = 0; i < std::max(units, 2 * perTile); ++i) {
    std::string bundle = "s.add s2, s2, 8";
    for (int64_t u = i * slots; u < std::min(units, (i + 1) * slots); ++u)
      bundle += "; v.pack.bf16 v" + S(48 + u) + ", v" + S(32 + u) + ", v" + S(40 + u);
    if (i < 2 * perTile)
      each([&](const std::string &a) {
        int64_t u = i / 2 * arrays + std::stol(a);
        bundle += "; mxu.pop v" + S((i % 2 ? 40 : 32) + u) + (i % 2 ? ", s6" : ", s5") + ", mxu=" + a +
                  ", col=" + S(i / 2) + ", clear=1";
      });
    if (i < units) bundle += "; v.st v" + S(48 + (i + units - 2) % units) + ", s2, off=0, stride=1";
    b(bundle);
  }
  b("s.add s5, s5, 2; s.add s6, s6, 2");
  b.end(pops);
  b.end(groups);
  b("s.sub s9, s10, s0");
  b("s.lt s9, s9, 2");
  int noWait = b.branch("bnz s9, ");
  b("dma.wait 1, count=1");
  b.patch(noWait, b.here());
  b("dma.start s4, s31, 1, desc=2");
  b.end(steps);
  b("dma.wait 1, count=1");
  b("ret");
  b.routine("matmul", "matmul", kernel);
  int entry = b("grid " + S((s.m / s.bm) * (s.n / s.bn)) + ", target=" + S(kernel));
  b("halt");
  b.finish(entry);
  return b;
}

}  // namespace tpuc::timing::test
