// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Arrays that meet themselves in other places: differences of all pairs of rows, Gram matrices as products and sums.
//
// A kernel has one map of each array that it reads. The second read is of the same memory as an array of its own, a
// reshape to its own shape (a view once kernels are made): else one of both would be an array of all pairs.
#include "passes/builders/build.h"
#include "passes/fusion/group.h"

using namespace mlir;

namespace tpuc::fusion {
using namespace builders;
namespace {

constexpr int64_t kMoved = -1;  // of a dim of one element: anywhere
using Places = SmallVector<int64_t>;

// A use of an array by what is computed pointwise in the space of an op, and where its dims are there.
struct Read {
  OpOperand *use;
  Places places;
};

class Reads {
 public:
  // What leads to an operand by elementwise work, broadcasts and transposes.
  explicit Reads(OpOperand &operand) {
    visit(operand, llvm::to_vector(llvm::seq<int64_t>(0, typeOf(operand.get()).getRank())), 0);
  }
  ArrayRef<Read> all() const { return reads_; }

 private:
  static constexpr int kDeepest = 6;
  static constexpr size_t kMost = 32;

  void visit(OpOperand &use, Places places, int depth) {
    RankedTensorType type = typeOf(use.get());
    if (!type.getRank() || reads_.size() >= kMost) return;
    for (auto [d, place] : llvm::enumerate(places))
      if (type.getDimSize(d) == 1) place = kMoved;
    reads_.push_back({&use, places});
    Operation *def = use.get().getDefiningOp();
    if (!def || depth == kDeepest) return;
    if (auto broadcast = dyn_cast<stablehlo::BroadcastInDimOp>(def))
      return visit(broadcast->getOpOperand(0), at(places, broadcast.getBroadcastDimensions()), depth + 1);
    if (auto transpose = dyn_cast<stablehlo::TransposeOp>(def)) {
      Places before(places.size());
      for (auto [i, d] : llvm::enumerate(transpose.getPermutation())) before[d] = places[i];
      return visit(transpose->getOpOperand(0), before, depth + 1);
    }
    if (!def->hasTrait<stablehlo::IsElementwise>()) return;
    for (OpOperand &operand : def->getOpOperands())
      if (typeOf(operand.get()).getRank()) visit(operand, places, depth + 1);
  }

  static Places at(ArrayRef<int64_t> places, ArrayRef<int64_t> dims) {
    return llvm::map_to_vector(dims, [&](int64_t d) { return places[d]; });
  }

  SmallVector<Read> reads_;
};

// The first read, from the op on, of a value that another operand reads in other places. Numbers that are the same
// everywhere, and positions, are made wherever they are wanted.
OpOperand *meetsItself(const Reads &ours, const Reads &others) {
  for (const Read &read : ours.all()) {
    if (mlir::isa_and_nonnull<stablehlo::ConstantOp, stablehlo::IotaOp>(read.use->get().getDefiningOp())) continue;
    for (const Read &other : others.all())
      if (other.use->get() == read.use->get() && other.places != read.places) return read.use;
  }
  return nullptr;
}

// What is cheap is made twice, of what is then met twice in its turn; an array is read twice.
void readApart(OpOperand &use) {
  OpBuilder b(use.getOwner());
  Value v = use.get();
  if (Operation *def = v.getDefiningOp(); def && isCheap(def))
    use.set(b.clone(*def)->getResult(0));
  else
    use.set(stablehlo::ReshapeOp::create(b, v.getLoc(), v.getType(), v));
}

// Sets one of the reads apart that meet another one; false where none does.
bool setOneApart(Operation *op) {
  SmallVector<Reads> reads;
  for (OpOperand &operand : op->getOpOperands()) {
    Reads ours(operand);
    for (const Reads &others : reads)
      if (OpOperand *use = meetsItself(ours, others)) return readApart(*use), true;
    reads.push_back(std::move(ours));
  }
  return false;
}

}  // namespace

void readTwice(func::FuncOp func) {
  func.walk([](Operation *op) {
    if (!op->hasTrait<stablehlo::IsElementwise>() || op->getNumOperands() < 2 || !typeOf(op->getResult(0)).getRank())
      return;
    constexpr int kMost = 8;  // an array, and conversions and broadcasts of it
    for (int i = 0; i < kMost && setOneApart(op); ++i) continue;
  });
}

}  // namespace tpuc::fusion
