// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Merging sorted blocks of a sequence through HBM.
//
//  1. The number of a block is the high bits of the order. So the steps of a bitonic merge over 2^k blocks are k steps
//     that exchange elements at the same place of two blocks, the first one mirrored, and then those within each block.
//  2. The former go by pieces, the same few vregs of many blocks: all k steps while they are in VMEM, or as many as
//     there is room for. A block that takes the upper part of the mirrored step gives the mirrored vregs.
//  3. The latter go block by block: those of the last merge where the sorted elements leave.
//  4. Blocks past the end are padding, which stays where it is: they take no memory, and are filled in where a piece
//     has them.
#include "passes/lowering/sort/sort_stream.h"

using namespace mlir;

namespace tpuc::lowering {

enum SemaphoreKind : int64_t { kLoads = 0, kSaves = 2 };

static Value shiftLeft(Code &c, Value a, Value by) { return c.b.createOrFold<arith::ShLIOp>(c.loc, a, by); }
static Value shiftRight(Code &c, Value a, Value by) { return c.b.createOrFold<arith::ShRUIOp>(c.loc, a, by); }
static Value bitAnd(Code &c, Value a, Value b) { return c.b.createOrFold<arith::AndIOp>(c.loc, a, b); }
static Value sub(Code &c, Value a, Value b) { return c.b.createOrFold<arith::SubIOp>(c.loc, a, b); }
static Value powerOf2(Code &c, Value n) { return shiftLeft(c, c.i64(1), n); }
static void wait(Code &c, Value sem) { c.inst("dma.wait", {sem}, {{"count", 1}}); }

int64_t SortStream::pieceBits() const { return std::min<int64_t>(llvm::Log2_64_Ceil(blocks), shape.vregBits()); }

Linear SortStream::slotOf(Value number) const { return Linear(number) * slotWords(); }

Value SortStream::semaphoreOf(Code &c, int64_t kind, Value number) const {
  return c.add(bitAnd(c, number, c.i64(1)), c.i64(semaphore + kind));
}

// The network of one sequence.
SortNetwork SortStream::network(Code &c, Value number) const {
  SortShape one = shape;
  one.units = 1;
  return SortNetwork(c, one, values, Linear(word) + slotOf(bitAnd(c, number, c.i64(1))), order);
}

void SortStream::move(Code &c, bool in, const Linear &hbm, const Linear &vmemWord, int64_t vregs, ArrayRef<Runs> runs,
                      Value sem) const {
  int64_t run = vregs * isa::kVregBytes;
  SmallVector<int64_t> counts, ofHbm, ofVmem;
  for (const Runs &r : llvm::reverse(runs)) {
    int64_t hbmBytes = r.hbmVregs * isa::kVregBytes, vmemBytes = r.vmemVregs * isa::kVregBytes;
    if (r.count == 1) continue;
    if (counts.empty() && hbmBytes == run && vmemBytes == run) {
      run *= r.count;
      continue;
    }
    counts.insert(counts.begin(), r.count);
    ofHbm.insert(ofHbm.begin(), hbmBytes);
    ofVmem.insert(ofVmem.begin(), vmemBytes);
  }
  struct End {
    Linear at;
    StringRef space;
    FlatSymbolRefAttr symbol;
    ArrayRef<int64_t> strides;
  };
  End from{hbm, "hbm", FlatSymbolRefAttr::get(c.b.getContext(), buffer), ofHbm},
      to{vmemWord * isa::kWordBytes, "vmem", {}, ofVmem};
  if (!in) std::swap(from, to);
  auto add = [&](End &end) {
    Linear rest = end.at;
    rest.constant = 0;
    return c.value(rest);
  };
  OpBuilder &b = c.b;
  tpu::DmaStartOp::create(b, c.loc, add(from), add(to), sem, b.getStringAttr(from.space), b.getStringAttr(to.space),
                          from.symbol, to.symbol, b.getI64IntegerAttr(from.at.constant),
                          b.getI64IntegerAttr(to.at.constant), b.getI64IntegerAttr(run), b.getDenseI64ArrayAttr(counts),
                          b.getDenseI64ArrayAttr(from.strides), b.getDenseI64ArrayAttr(to.strides));
}

Linear SortStream::blockBytes(Code &c, const Linear &sequence, Value block) const {
  return (sequence * blocks + c.linear(block)) * (values * shape.vregs * isa::kVregBytes);
}

void SortStream::moveBlock(Code &c, bool in, const Linear &first, Value block) const {
  int64_t v = shape.vregs;
  move(c, in, blockBytes(c, first, block), Linear(word) + slotOf(bitAnd(c, block, c.i64(1))), v,
       {{shape.units, blocks * values * v, v}, {values, v, shape.units * v}},
       semaphoreOf(c, in ? kLoads : kSaves, block));
}

void SortStream::load(Code &c, const Linear &first, Value block) const { moveBlock(c, true, first, block); }
void SortStream::save(Code &c, const Linear &first, Value block) const { moveBlock(c, false, first, block); }
void SortStream::awaitLoad(Code &c, Value block) const { wait(c, semaphoreOf(c, kLoads, block)); }
void SortStream::awaitSave(Code &c, Value block) const { wait(c, semaphoreOf(c, kSaves, block)); }

void SortStream::pipelined(Code &c, Value count, Work load, Work awaitLoad, Work work, Work save,
                           Work awaitSave) const {
  load(c.i64(0));
  c.loop(c.i64(0), count, 1, {}, [&](Value task, ValueRange) {
    Value next = c.add(task, c.i64(1));
    c.ifThen(c.cmp(arith::CmpIPredicate::sgt, task, c.i64(0)), [&] { awaitSave(sub(c, task, c.i64(1))); });
    c.ifThen(c.cmp(arith::CmpIPredicate::slt, next, count), [&] { load(next); });
    awaitLoad(task);
    work(task);
    save(task);
    return SmallVector<Value>();
  });
  awaitSave(sub(c, count, c.i64(1)));
}

// Each block of the task's piece that there is room for: its number, which may be past the end, and its first vreg.
void SortStream::forPieces(Code &c, const Pass &pass, Value task, function_ref<void(Value, Value, Value)> each) const {
  int64_t bits = pieceBits();
  Value chunk = bitAnd(c, task, c.i64((int64_t{1} << bits) - 1)), rest = c.div(task, int64_t{1} << bits);
  Value low = bitAnd(c, rest, sub(c, powerOf2(c, pass.low), c.i64(1))), high = shiftRight(c, rest, pass.low);
  Value top = sub(c, sub(c, pass.from, c.i64(1)), pass.low), base = shiftLeft(c, high, c.add(pass.low, c.i64(bits)));
  Value vreg = c.mul(chunk, pieceVregs());
  c.loop(c.i64(0), c.i64(int64_t{1} << bits), 1, {}, [&](Value piece, ValueRange) {
    Value upper = c.b.createOrFold<arith::AndIOp>(c.loc, pass.mirrored, bitAnd(c, shiftRight(c, piece, top), c.i64(1)));
    Value isUpper = c.cmp(arith::CmpIPredicate::ne, upper, c.i64(0));
    Value mirrored = sub(c, sub(c, powerOf2(c, pass.low), c.i64(1)), low);
    Value block = c.add(c.add(base, shiftLeft(c, piece, pass.low)), c.select(isUpper, mirrored, low));
    each(piece, block, c.select(isUpper, sub(c, c.i64(shape.vregs - pieceVregs()), vreg), vreg));
    return SmallVector<Value>();
  });
}

void SortStream::fill(Code &c, Value task, Value piece) const {
  SortNetwork net = network(c, task);
  SmallVector<Value> padding = llvm::map_to_vector(last, [&](uint32_t bits) { return c.splatBits(bits); });
  c.loop(
      c.i64(0), c.i64(pieceVregs()), 1, {},
      [&](Value i, ValueRange) {
        for (int64_t k = 0; k < values; ++k)
          c.store(padding[k], net.wordOf(k, Linear(piece) * pieceVregs() + c.linear(i)), 1, net.regionOf(k));
        return SmallVector<Value>();
      },
      true);
}

void SortStream::mergeAcross(Code &c, const Linear &sequence, const Pass &pass) const {
  int64_t bits = pieceBits(), vregs = pieceVregs(), vregBits = llvm::Log2_64(vregs);
  Value groups = shiftRight(c, sub(c, c.add(c.i64(blocks), powerOf2(c, c.add(pass.low, c.i64(bits)))), c.i64(1)),
                            c.add(pass.low, c.i64(bits)));
  Value tasks = shiftLeft(c, groups, c.add(pass.low, c.i64(bits)));
  auto isThere = [&](Value block) { return c.cmp(arith::CmpIPredicate::slt, block, c.i64(blocks)); };
  auto moveAll = [&](bool in, Value task) {
    Value sem = semaphoreOf(c, in ? kLoads : kSaves, task);
    forPieces(c, pass, task, [&](Value piece, Value block, Value vreg) {
      auto start = [&] {
        Linear hbm = blockBytes(c, sequence, block) + c.linear(vreg) * isa::kVregBytes;
        Linear vmem = Linear(word) + slotOf(bitAnd(c, task, c.i64(1))) + c.linear(piece) * (vregs * 8);
        move(c, in, hbm, vmem, vregs, {{values, shape.vregs, shape.vregs}}, sem);
      };
      if (in)
        c.ifThen(isThere(block), start, [&] { fill(c, task, piece); });
      else
        c.ifThen(isThere(block), start);
    });
  };
  auto awaitAll = [&](int64_t kind, Value task) {
    Value sem = semaphoreOf(c, kind, task);
    forPieces(c, pass, task, [&](Value, Value block, Value) { c.ifThen(isThere(block), [&] { wait(c, sem); }); });
  };
  auto work = [&](Value task) {
    SortNetwork net = network(c, task);
    Value top = c.add(sub(c, pass.from, pass.low), c.i64(vregBits));
    c.ifThen(
        c.cmp(arith::CmpIPredicate::ne, pass.mirrored, c.i64(0)), [&] { net.mergePieces(top); },
        [&] { net.exchangePieces(sub(c, top, c.i64(1))); });
    Value below = sub(c, top, c.i64(2));
    c.loop(c.i64(0), sub(c, top, c.i64(vregBits + 1)), 1, {}, [&](Value step, ValueRange) {
      net.exchangePieces(sub(c, below, step));
      return SmallVector<Value>();
    });
  };
  pipelined(
      c, tasks, [&](Value t) { moveAll(true, t); }, [&](Value t) { awaitAll(kLoads, t); }, work,
      [&](Value t) { moveAll(false, t); }, [&](Value t) { awaitAll(kSaves, t); });
}

void SortStream::mergeBlocks(Code &c, const Linear &sequence) const {
  int64_t all = values * shape.vregs;
  auto moveAll = [&](bool in, Value block) {
    move(c, in, blockBytes(c, sequence, block), Linear(word) + slotOf(bitAnd(c, block, c.i64(1))), all, {},
         semaphoreOf(c, in ? kLoads : kSaves, block));
  };
  pipelined(
      c, c.i64(blocks), [&](Value b) { moveAll(true, b); }, [&](Value b) { awaitLoad(c, b); },
      [&](Value b) { network(c, b).mergeWithin(); }, [&](Value b) { moveAll(false, b); },
      [&](Value b) { awaitSave(c, b); });
}

void SortStream::merge(Code &c, const Linear &sequence) const {
  int64_t stages = llvm::Log2_64_Ceil(blocks), bits = pieceBits();
  c.loop(c.i64(1), c.i64(stages + 1), 1, {}, [&](Value stage, ValueRange) {
    c.loop(c.i64(0), c.div(c.add(stage, c.i64(bits - 1)), bits), 1, {}, [&](Value number, ValueRange) {
      Pass pass;
      pass.from = sub(c, stage, c.mul(number, bits));
      pass.low = c.max(sub(c, pass.from, c.i64(bits)), c.i64(0));
      pass.mirrored = c.select(c.cmp(arith::CmpIPredicate::eq, number, c.i64(0)), c.i64(1), c.i64(0));
      mergeAcross(c, sequence, pass);
      return SmallVector<Value>();
    });
    c.ifThen(c.cmp(arith::CmpIPredicate::ne, stage, c.i64(stages)), [&] { mergeBlocks(c, sequence); });
    return SmallVector<Value>();
  });
}

}  // namespace tpuc::lowering
