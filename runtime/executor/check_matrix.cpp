// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Checking mode: the matrix unit. Garbage in a row of activations makes that row of the result garbage, garbage among
// the weights of a column that column: zeros on the other side do not clean it, since it may be a NaN.
#include <algorithm>
#include <cstring>

#include "runtime/executor/check.h"

namespace tpuc::exec {
namespace {

using isa::Op;

int partsOf(Op op) {
  switch (op) {
    case Op::MxuLdwB:
    case Op::MxuPushB:
      return 2;
    case Op::MxuLdwI:
    case Op::MxuPushI:
      return 4;
    default:
      return 1;
  }
}

// Shadow bits of row r, lane l of rows packed `parts` a word.
uint32_t element(const uint32_t *shadow, int parts, int r, int l) {
  uint32_t word = shadow[r / parts * isa::kLanes + l];
  return parts == 1 ? word : word >> (r % parts * (32 / parts)) & ((uint64_t{1} << (32 / parts)) - 1);
}

bool rowHasGarbage(const uint32_t *shadow, int parts, int r) {
  for (int l = 0; l < isa::kLanes; ++l)
    if (element(shadow, parts, r, l)) return true;
  return false;
}

const DInst *loadWeights(Core &core, const DInst *i) {
  Checker &c = *core.checker;
  const int parts = partsOf(i->op), rows = 8 * parts;
  const uint32_t *shadow = c.vreg(i->a);
  uint8_t *stage = c.arrays[i->mxu].stage.data();
  bool transposed = i->flags;
  for (int r = 0; r < rows; ++r) {
    int64_t row = i->imm * rows + r;
    for (int l = 0; l < isa::kLanes; ++l) {
      int64_t lane = int64_t{i->aux} * isa::kLanes + l;
      stage[transposed ? row * core.side + lane : lane * core.side + row] = element(shadow, parts, r, l) != 0;
    }
  }
  return runInner(core, i);
}

const DInst *swap(Core &core, const DInst *i) {
  Checker::Array &array = core.checker->arrays[i->mxu];
  for (int64_t n = 0; n < core.side; ++n) {
    const uint8_t *column = array.stage.data() + n * core.side;
    array.active[n] = std::any_of(column, column + core.side, [](uint8_t b) { return b != 0; });
  }
  std::fill(array.stage.begin(), array.stage.end(), 0);
  return runInner(core, i);
}

const DInst *push(Core &core, const DInst *i) {
  Checker &c = *core.checker;
  if (i->c != kNone && c.scalar[i->c]) return c.fail(core, i, "the accumulator's number is garbage");
  const DInst *next = runInner(core, i);
  if (!next) return nullptr;
  const int parts = partsOf(i->op);
  int64_t group = i->c == kNone ? i->imm : core.s[i->c];
  Checker::Array &array = c.arrays[i->mxu];
  uint8_t *sums = array.sums.data() + group * isa::kSublanes * core.side;
  for (int r = 0; r < 8 * parts; ++r, sums += core.side) {
    bool row = rowHasGarbage(c.vreg(i->a), parts, r) || (i->b != kNone && rowHasGarbage(c.vreg(i->b), parts, r));
    for (int n = 0; n < core.side; ++n) sums[n] |= row | array.active[n];
  }
  return next;
}

const DInst *pop(Core &core, const DInst *i) {
  Checker &c = *core.checker;
  if (i->a != kNone && c.scalar[i->a]) return c.fail(core, i, "the accumulator's number is garbage");
  int64_t group = i->a == kNone ? i->imm : core.s[i->a];
  const DInst *next = runInner(core, i);
  if (!next) return nullptr;
  uint8_t *sums = c.arrays[i->mxu].sums.data() + group * isa::kSublanes * core.side + i->aux * isa::kLanes;
  for (int r = 0; r < isa::kSublanes; ++r, sums += core.side) {
    for (int l = 0; l < isa::kLanes; ++l) c.vreg(i->dst)[r * isa::kLanes + l] = sums[l] ? ~0u : 0;
    if (i->flags) std::memset(sums, 0, isa::kLanes);
  }
  return next;
}

}  // namespace

Handler checkedMatrix(const DInst &i) {
  switch (isa::info(i.op).unit) {
    case isa::Unit::MxuWeight:
      return i.op == Op::MxuSwap ? swap : loadWeights;
    case isa::Unit::MxuPush:
      return push;
    case isa::Unit::MxuPop:
      return pop;
    default:
      return nullptr;
  }
}

}  // namespace tpuc::exec
