// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Sums and multiples of linear expressions.
#include "passes/plan/linear.h"

#include "llvm/ADT/STLExtras.h"

using namespace mlir;

namespace tpuc::plan {

Linear operator+(const Linear &a, const Linear &b) {
  Linear r = a;
  r.constant += b.constant;
  for (auto [v, c] : b.terms) {
    auto *it = llvm::find_if(r.terms, [&](auto &t) { return t.first == v; });
    if (it == r.terms.end())
      r.terms.push_back({v, c});
    else
      it->second += c;
  }
  llvm::erase_if(r.terms, [](auto &t) { return t.second == 0; });
  return r;
}

Linear operator*(const Linear &a, int64_t factor) {
  Linear r;
  if (factor == 0) return r;
  r.constant = a.constant * factor;
  for (auto [v, c] : a.terms) r.terms.push_back({v, c * factor});
  return r;
}

bool isSame(const Linear &a, const Linear &b) { return a.constant == b.constant && a.terms == b.terms; }

}  // namespace tpuc::plan
