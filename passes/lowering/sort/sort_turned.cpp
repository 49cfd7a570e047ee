// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Rows that are sorted with others along lanes: their elements' way in and out, tiles of 128 x 128 through the
// transpose buffers.
#include "passes/lowering/sort/sort_kernel.h"

using namespace mlir;

namespace tpuc::lowering {

// Tiles of 128 rows and 128 elements, two in turn. The last rows may be fewer: `body` gets how many groups of 8.
void SortKernel::forTiles(int64_t elements, TileBody body) {
  const int64_t tiles = llvm::divideCeil(elements, 128), groups = llvm::divideCeil(domain_.block[domain_.r()], 8);
  const int64_t whole = groups / 16, rest = llvm::alignTo(groups % 16, pack_);
  int64_t number = 0;
  if (whole)
    c_.flatLoop({whole, tiles}, 2, [&](ArrayRef<Linear> at, const Linear &) { body(at[0], at[1], 16, number++ % 2); });
  if (rest)
    c_.flatLoop({tiles}, 2,
                [&](ArrayRef<Linear> at, const Linear &) { body(Linear(whole), at[0], rest, number++ % 2); });
}

// Eight elements of 128 rows are a vreg of the network.
void SortKernel::forTurnedOperands(OperandBody body) {
  const int64_t units = 16 / pack_, vregs = std::min<int64_t>(16, shape_.vregs);
  Value slots = network().slots();
  forTiles(shape_.vregs * 8, [&](const Linear &unit, const Linear &tile, int64_t groups, int64_t buffer) {
    const int64_t held = llvm::divideCeil(domain_.block[domain_.c()], 128);
    // Beyond the array all is padding: any of its tiles will do.
    const Linear from = held * 128 >= shape_.vregs * 8 ? tile : c_.linear(c_.min(c_.value(tile), c_.i64(held - 1)));
    SmallVector<Values> turned(inputs_.size());
    for (auto [k, v] : llvm::enumerate(op_.getInputs())) {
      if (!inputs_[k]) continue;
      const bool isMask = typeOf(v).getElementType().isInteger(1);
      for (int64_t g = 0; g < groups; ++g) {
        Value lanes = in_->evaluate(v, map_, Point{{unit * units + Linear(g / pack_), from}, g % pack_});
        c_.inst("x.tr.push", {isMask ? maskToInt(c_, lanes) : lanes}, {{"row", g}, {"buf", buffer}});
        in_->nextPoint();
      }
      for (int64_t i = 0; i < vregs; ++i) {
        Value lanes = c_.inst("x.tr.pop", {}, {{"row", i}, {"buf", buffer}});
        turned[k].push_back(isMask ? intToMask(c_, lanes) : lanes);
      }
      buffer = 1 - buffer;
    }
    for (int64_t i = 0; i < vregs; ++i) {
      Value positions = c_.inst("v.add.i32", {slots, c_.splat(tile * 128 + Linear(8 * i))});
      Values lanes = llvm::map_to_vector(turned, [&](const Values &v) { return v.empty() ? positions : v[i]; });
      body(lanes, positions, unit * shape_.vregs + tile * 16 + Linear(i));
    }
  });
}

void SortKernel::putTurned(Result &r) {
  const unsigned operand = cast<OpResult>(r.sorted).getResultNumber();
  const bool isMask = typeOf(r.sorted).getElementType().isInteger(1);
  const int64_t units = 16 / pack_, vregs = std::min<int64_t>(16, shape_.vregs);
  forTiles(r.view->block[r.view->c()], [&](const Linear &unit, const Linear &tile, int64_t groups, int64_t buffer) {
    for (int64_t i = 0; i < vregs; ++i) {
      Value lanes = stored(operand, (unit * shape_.vregs + tile * 16 + Linear(i)) * 8, 1);
      c_.inst("x.tr.push", {isMask ? maskToInt(c_, lanes) : lanes}, {{"row", i}, {"buf", buffer}});
    }
    for (int64_t g = 0; g < groups; g += pack_) {
      Values rows;
      for (int64_t sub = 0; sub < pack_; ++sub) {
        Value lanes = c_.inst("x.tr.pop", {}, {{"row", g + sub}, {"buf", buffer}});
        rows.push_back(isMask ? intToMask(c_, lanes) : lanes);
      }
      bodyOf(r).store(*r.block, rows, Point{{unit * units + Linear(g / pack_), tile}, 0});
      bodyOf(r).nextPoint();
    }
  });
}

}  // namespace tpuc::lowering
