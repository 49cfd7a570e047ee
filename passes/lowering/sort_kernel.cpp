// Sorts as bitonic networks (Batcher, "Sorting networks and their applications", 1968) over vregs.
//
//  1. A unit of rows of every operand comes to VMEM; 8 rows at a time lie as 32-bit lanes, the sorted dim along lanes and column
//     tiles, and beside them each element's position.
//  2. Steps (k, j) of the network, in scalar loops: elements j apart exchange, within a vreg by a lane permutation, between column
//     tiles as whole vregs.
//  3. The comparator decides; where it says nothing either way, and for padding, the position does. So every sort is stable.
#include "dialects/stablehlo/stablehlo.h"
#include "dialects/diagnostics/diagnose.h"
#include "passes/lowering/indices.h"
#include "passes/lowering/region.h"

using namespace mlir;

namespace tpuc::lowering {
namespace {

class SortKernel {
 public:
  SortKernel(KernelContext &context, Code &code, stablehlo::SortOp op) : context_(context), c_(code), op_(op) {}
  LogicalResult run(Value start, Value count);

 private:
  struct Operand {
    Side from, to;
    int64_t staged = 0, lanes = 0;  // VMEM words: a unit of rows as in HBM; 8 rows as lanes
    Type type() const { return from.array.type.getElementType(); }
  };
  using Values = SmallVector<Value>;

  LogicalResult place();
  int64_t transfer(const Operand &o, Value unit, bool in);
  void unpackGroup(int64_t group);
  void packGroup(int64_t group);
  void network();
  void betweenTiles(Value k, Value j);
  void withinTiles(Value k, Value j);
  Values loadTile(const Linear &tile);
  void storeTile(const Values &values, const Linear &tile);
  Value less(const Values &a, const Values &b);
  Value compare(const Values &a, const Values &b);
  Value shifted(int64_t one, Value by) { return arith::ShLIOp::create(c_.b, c_.loc, c_.i64(one), by); }
  Value isClear(const Linear &position, Value bit) {  // mask of positions whose bit is 0
    Value at = c_.inst("v.add.i32", {c_.inst("v.laneid", {}), c_.splat(position)});
    return c_.inst("v.eq.i32", {c_.inst("v.and", {at, c_.inst("v.splat", {bit})}), c_.splatI(0)});
  }
  Value select(Value mask, Value a, Value b) { return c_.inst("v.sel", {mask, a, b}); }

  KernelContext &context_;
  Code &c_;
  stablehlo::SortOp op_;
  SmallVector<Operand, 2> operands_;
  int64_t size_ = 0, tiles_ = 1, stages_ = 0, pack_ = 1, positions_ = 0;
};

LogicalResult SortKernel::place() {
  size_ = cast<RankedTensorType>(op_.getInputs()[0].getType()).getDimSize(1);
  stages_ = llvm::Log2_64_Ceil(size_);
  tiles_ = std::max<int64_t>((int64_t{1} << stages_) / 128, 1);
  for (auto [i, v] : llvm::enumerate(op_.getInputs())) {
    operands_.push_back({operandSide(context_, v), resultSide(context_, i)});
    pack_ = std::max(pack_, operands_.back().from.array.pack);
  }
  int64_t word = context_.firstWord;
  for (Operand &o : operands_) {
    o.staged = word;
    word += o.from.array.colTiles() * 8 * (pack_ / o.from.array.pack);
    o.lanes = word;
    word += tiles_ * 8;
  }
  positions_ = word;
  word += tiles_ * 8;
  context_.vmemWords = word;
  if (word <= vmemBudgetWords(context_.target)) return success();
  return overVmem(context_, op_, "a sort of " + Twine(size_) + " elements", word);
}

// A unit of rows: one tile row of the most packed operand, several of the others. The last unit may lack some.
int64_t SortKernel::transfer(const Operand &o, Value unit, bool in) {
  const Array &a = o.from.array;
  int64_t rows = pack_ / a.pack, bytes = a.colTiles() * isa::kVregBytes;
  for (int64_t i = 0; i < rows; ++i) {
    Linear row = Linear(unit) * rows + Linear(i);
    Side vmem{"vmem", "", a, false, Linear((o.staged + i * a.colTiles() * 8) * isa::kWordBytes)};
    Side hbm = in ? o.from : o.to;
    hbm.base = row * bytes;
    Transfer t;
    t.run = bytes;
    c_.ifThen(c_.cmp(arith::CmpIPredicate::slt, c_.value(row), c_.i64(a.rowTiles())), [&] {
      if (in) emitTransfer(c_, hbm, vmem, t, hbm.base, vmem.base);
      else emitTransfer(c_, vmem, hbm, t, vmem.base, hbm.base);
      emitWait(c_, 1);
    });
  }
  return rows;
}

SortKernel::Values SortKernel::loadTile(const Linear &tile) {
  Values out;
  for (auto [i, o] : llvm::enumerate(operands_)) out.push_back(c_.load(tile * 8 + Linear(o.lanes), 1, 2 * i + 1));
  out.push_back(c_.load(tile * 8 + Linear(positions_), 1, 2 * operands_.size()));
  return out;
}

void SortKernel::storeTile(const Values &values, const Linear &tile) {
  for (auto [i, o] : llvm::enumerate(operands_)) c_.store(values[i], tile * 8 + Linear(o.lanes), 1, 2 * i + 1);
  c_.store(values.back(), tile * 8 + Linear(positions_), 1, 2 * operands_.size());
}

// Rows 8 group .. of the unit as lanes; zeros where the sorted dim has ended.
void SortKernel::unpackGroup(int64_t group) {
  c_.loop(c_.i64(0), c_.i64(tiles_), 1, {}, [&](Value iv, ValueRange) {
    Linear tile{iv};
    Value at = c_.inst("v.add.i32", {c_.inst("v.laneid", {}), c_.splat(tile * 128)});
    Value real = c_.inst("v.lt.s32", {at, c_.splatI(size_)});
    Values values;
    for (auto [i, o] : llvm::enumerate(operands_)) {
      int64_t p = o.from.array.pack, held = o.from.array.colTiles();
      // Tiles beyond the array's are padding of the network: any of its tiles will do.
      Linear from = held == tiles_ ? tile : Linear(c_.min(iv, c_.i64(held - 1)));
      Value packed = c_.load(from * 8 + Linear(o.staged + group / p * held * 8), 1, 2 * i);
      Value v = unpackLanes(c_, o.type(), packed)[group % p];
      if (o.type().isInteger(1)) v = maskToInt(c_, v);
      values.push_back(select(real, v, c_.splatI(0)));
    }
    values.push_back(at);
    storeTile(values, tile);
    return Values();
  }, true);
}

void SortKernel::packGroup(int64_t group) {
  // The other groups of a word are still as they came, or already sorted: one part is replaced.
  for (auto [i, o] : llvm::enumerate(operands_)) {
    int64_t p = o.from.array.pack, held = o.from.array.colTiles();
    c_.loop(c_.i64(0), c_.i64(held), 1, {}, [&, i = i, &o = o](Value iv, ValueRange) {
      Linear address = Linear(iv) * 8 + Linear(o.staged + group / p * held * 8);
      Value v = c_.load(Linear(iv) * 8 + Linear(o.lanes), 1, 2 * i + 1);
      if (o.type().isInteger(1)) v = intToMask(c_, v);
      Values groups{v};
      if (p > 1) {
        groups = unpackLanes(c_, o.type(), c_.load(address, 1, 2 * i));
        groups[group % p] = v;
      }
      c_.store(packLanes(c_, o.type(), groups), address, 1, 2 * i);
      return Values();
    }, true);
  }
}

Value SortKernel::compare(const Values &a, const Values &b) {
  Values arguments;
  for (size_t i = 0; i < operands_.size(); ++i)
    for (Value v : {a[i], b[i]}) arguments.push_back(operands_[i].type().isInteger(1) ? intToMask(c_, v) : v);
  return emitRegion(c_, op_.getComparator().front(), arguments)[0];
}

Value SortKernel::less(const Values &a, const Values &b) {
  Value all = c_.inst("m.li", {}, {{"imm", 1}}), first = c_.inst("v.lt.s32", {a.back(), b.back()});
  Value notAfter = c_.inst("m.xor", {compare(b, a), all});
  Value before = c_.inst("m.or", {compare(a, b), c_.inst("m.and", {notAfter, first})});
  if (llvm::isPowerOf2_64(size_) && size_ >= 128) return before;
  Value end = c_.splatI(size_);
  Value padding = c_.inst("m.or", {c_.inst("v.le.s32", {end, a.back()}), c_.inst("v.le.s32", {end, b.back()})});
  return c_.inst("m.or", {c_.inst("m.and", {padding, first}), c_.inst("m.and", {c_.inst("m.xor", {padding, all}), before})});
}

void SortKernel::betweenTiles(Value k, Value j) {
  Value distance = arith::ShRUIOp::create(c_.b, c_.loc, j, c_.i64(7));
  c_.loop(c_.i64(0), c_.i64(tiles_ / 2), 1, {}, [&](Value iv, ValueRange) {
    // A zero in place of the bit of the distance.
    Value below = arith::AndIOp::create(c_.b, c_.loc, iv, arith::SubIOp::create(c_.b, c_.loc, distance, c_.i64(1)));
    Linear tile = Linear(iv) * 2 + Linear(below) * -1, partner = tile + Linear(distance);
    Values a = loadTile(tile), b = loadTile(partner), low, high;
    Value swap = c_.inst("m.xor", {less(a, b), isClear(tile * 128, k)});
    for (auto [x, y] : llvm::zip(a, b)) {
      low.push_back(select(swap, y, x));
      high.push_back(select(swap, x, y));
    }
    storeTile(low, tile);
    storeTile(high, partner);
    return Values();
  }, true);
}

void SortKernel::withinTiles(Value k, Value j) {
  c_.loop(c_.i64(0), c_.i64(tiles_), 1, {}, [&](Value iv, ValueRange) {
    Linear tile{iv};
    Values own = loadTile(tile), other, next;
    Value lane = c_.inst("v.xor", {c_.inst("v.laneid", {}), c_.inst("v.splat", {j})});
    for (Value v : own) other.push_back(c_.inst("x.perm.lane", {v, lane}));
    // The lower of two elements keeps the smaller one in a run that ascends.
    Value opposed = c_.inst("m.xor", {isClear(tile * 128, k), isClear(Linear(0), j)});
    Value keep = c_.inst("m.xor", {less(own, other), opposed});
    for (auto [x, y] : llvm::zip(own, other)) next.push_back(select(keep, x, y));
    storeTile(next, tile);
    return Values();
  }, true);
}

void SortKernel::network() {
  c_.loop(c_.i64(1), c_.i64(stages_ + 1), 1, {}, [&](Value stage, ValueRange) {
    Value k = shifted(1, stage);
    c_.loop(c_.i64(0), stage, 1, {}, [&](Value step, ValueRange) {
      Value bit = arith::SubIOp::create(c_.b, c_.loc, arith::SubIOp::create(c_.b, c_.loc, stage, c_.i64(1)), step);
      Value j = shifted(1, bit);
      auto lanes = [&] { withinTiles(k, j); };
      if (tiles_ == 1) lanes();
      else c_.ifThen(c_.cmp(arith::CmpIPredicate::slt, bit, c_.i64(7)), lanes, [&] { betweenTiles(k, j); });
      return Values();
    });
    return Values();
  });
}

LogicalResult SortKernel::run(Value start, Value count) {
  if (!isLaneRegion(op_.getComparator().front())) return diagnose(op_, codes::kNoLowering) << "expects a comparator of ops that the instruction set has for these types; cast to f32 or i32 around the sort";
  if (failed(place())) return failure();
  auto type = cast<RankedTensorType>(op_.getInputs()[0].getType());
  context_.gridSteps = llvm::divideCeil(type.getDimSize(0), 8 * pack_);
  c_.loop(c_.i64(0), count, 1, {}, [&](Value iv, ValueRange) {
    Value unit = c_.add(start, iv);
    for (const Operand &o : operands_) transfer(o, unit, true);
    int64_t groups = std::min<int64_t>(pack_, llvm::divideCeil(type.getDimSize(0), 8));
    for (int64_t g = 0; g < groups; ++g) {
      unpackGroup(g);
      network();
      packGroup(g);
    }
    for (const Operand &o : operands_) transfer(o, unit, false);
    return Values();
  });
  return success();
}

}  // namespace

LogicalResult lowerSort(KernelContext &context, Code &code, stablehlo::SortOp op, Value start, Value count) { return SortKernel(context, code, op).run(start, count); }

}  // namespace tpuc::lowering
