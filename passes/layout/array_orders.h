// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Orders of dims that arrays take together: what one value's order asks of the others around it.
#pragma once
#include "dialects/stablehlo/stablehlo.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/SetVector.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"

namespace tpuc::layout {

using Order = llvm::SmallVector<int64_t>;

// Bytes that another order saves at least: below, a transfer's bytes are not its time.
constexpr int64_t kLeastSaved = int64_t{1} << 18;
// Whether an array of `before` bytes is one of `after` sooner.
inline bool isGain(int64_t before, int64_t after) { return 2 * before >= 3 * after && before - after >= kLeastSaved; }
// The order of some dims `kept` of an array (by their own numbers 0, 1, ..) that `order` gives them.
Order induced(llvm::ArrayRef<int64_t> order, llvm::ArrayRef<int64_t> kept);
bool isIdentity(llvm::ArrayRef<int64_t> order);
// Whether an argument or a result may lie in another order of its dims.
bool takesOrders(mlir::RankedTensorType type);
// Dims of one element outermost, the others in `order`.
Order unitsFirst(Order order, mlir::RankedTensorType type);
mlir::RankedTensorType permuted(mlir::RankedTensorType type, llvm::ArrayRef<int64_t> order);
// Those that differ in the dims under the tile, the rest as they come.
llvm::SmallVector<Order> tileOrders(int64_t rank);

// The values that change their dims' order together, from one of them on. They end at dots, which take any order that
// their roles allow, at arguments and results of the program, and where values are small enough to be transposed.
class ArrayOrders {
 public:
  // `forMoves`: to save transposes rather than padding. The bytes that they move count, and something that needs its
  // dims as they are is given them by one more.
  // `sumsWait`: a reduction's result says nothing of its input's order before all others have. `partsWait`: nor do
  // updates of what they are put into, and gathers of whole tiles take theirs in any order.
  explicit ArrayOrders(bool forMoves = false, bool sumsWait = false, bool partsWait = false)
      : forMoves_(forMoves), sumsWait_(sumsWait), partsWait_(partsWait) {}

  // False when something needs its dims as they are.
  bool spread(mlir::Value from, llvm::ArrayRef<int64_t> order);
  // The dim `lane` of `from` comes last in all that has it, and the others keep their order: nothing can ask for two
  // orders of them.
  bool spreadLane(mlir::Value from, int64_t lane);
  // Bytes before and after of the arrays that are given another order, and bytes of those that keep theirs.
  int64_t bytesBefore() const { return before_ + (forMoves_ ? moved(false) : 0); }
  int64_t bytesAfter() const { return after_ + (forMoves_ ? moved(true) : 0); }
  int64_t bytesKept() const { return kept_; }
  // Of arrays with gaps that are copies then.
  int64_t gapsCopied() const { return gaps_; }
  // Of arrays that are reduced along sublanes or lanes then.
  int64_t bytesSummedInTiles() const;
  // All values that were given an order.
  void values(llvm::DenseSet<mlir::Value> &out) const {
    for (const auto &known : orders_) out.insert(known.first);
  }
  // Whether the matrix unit, of arrays of so many rows and columns, takes the dots' operands in these orders.
  bool dotsStream(int64_t mxuSide) const;
  // Whether reductions along full lanes stay along lanes: what follows one then still fuses with it, a row at a time.
  bool rowsStay() const;
  // The types and attributes of all of them; `done`: the values.
  void apply(llvm::DenseSet<mlir::Value> &done);
  llvm::ArrayRef<int64_t> orderOf(mlir::Value v) const;  // empty: as it is

 private:
  bool set(mlir::Value v, llvm::ArrayRef<int64_t> order);
  bool setLane(mlir::Value v, int64_t lane);       // -1: it does not have the dim
  bool setLike(mlir::Value v, mlir::Value other);  // of the same dims
  bool finish();
  bool visit(mlir::Value v);
  bool relate(mlir::Operation *op, mlir::Value v);
  bool turnsInput(mlir::Operation *op, mlir::Value v) const;
  bool relateBroadcast(mlir::Operation *op);
  bool relateLast(mlir::Operation *op);
  bool relateReduce(mlir::Operation *op, mlir::Value v);
  bool relateUpdate(mlir::Operation *op, mlir::Value v);
  std::optional<bool> relateScatter(stablehlo::ScatterOp op, mlir::Value v);
  bool relateTiles(stablehlo::GatherOp op);
  std::optional<bool> relateGather(stablehlo::GatherOp op, mlir::Value v);
  bool relateRegions(mlir::Operation *op, mlir::Value v);
  // The same by one dim (array_lanes.cpp).
  bool relateLane(mlir::Operation *op, mlir::Value v);
  bool spreadsLane(mlir::Operation *op);
  bool end(mlir::Value v);
  bool takesOrder(mlir::Value v) const;
  bool keepsFreeDims(stablehlo::DotGeneralOp dot, mlir::Value v) const;
  // Whether free dims of a matmul's operands may change places: what follows is a transpose of its result.
  bool movesFreeDims(stablehlo::DotGeneralOp dot) const;
  // The order of a dot's dims that its operands' free dims give it.
  Order orderByOperands(stablehlo::DotGeneralOp dot) const;
  int64_t moved(bool after) const;
  Order permutationAfter(stablehlo::TransposeOp op) const;
  void count(mlir::Value v, llvm::ArrayRef<int64_t> order);
  void rewrite(mlir::Operation *op);
  void rewriteEnd(mlir::Operation *op);
  bool dotStreams(stablehlo::DotGeneralOp dot, int64_t mxuSide) const;

  llvm::MapVector<mlir::Value, Order> orders_;
  llvm::SmallVector<mlir::Value> work_;
  llvm::SmallVector<mlir::Operation *>
      later_;  // broadcasts whose result, reductions whose input, and updates whose whole nothing has decided
  bool last_ = false;
  llvm::SmallSetVector<mlir::Operation *, 16> inside_;  // they work on the dims in any order
  llvm::SmallSetVector<mlir::Operation *, 16> ends_;    // they get and give the dims as they are
  llvm::DenseSet<mlir::Operation *> turned_;            // of these, convolutions that take their input in its order
  llvm::DenseMap<mlir::Value, int64_t> lanes_;
  bool byLane_ = false;
  int64_t before_ = 0, after_ = 0, kept_ = 0, gaps_ = 0;
  bool forMoves_, sumsWait_, partsWait_;
};

inline int64_t rankOf(mlir::Value v) {
  auto type = mlir::dyn_cast<mlir::RankedTensorType>(v.getType());
  return type ? type.getRank() : 0;
}
inline Order inverse(llvm::ArrayRef<int64_t> order) {
  Order out(order.size());
  for (auto [i, d] : llvm::enumerate(order)) out[d] = static_cast<int64_t>(i);
  return out;
}
// `values` by dim, in the new order of dims.
template <typename T>
llvm::SmallVector<T> inOrder(llvm::ArrayRef<T> values, llvm::ArrayRef<int64_t> order) {
  return llvm::map_to_vector(order, [&](int64_t d) { return values[d]; });
}

// Whether an element of a window's result depends on elements in other places along dim `d`.
bool reachesAlong(stablehlo::ReduceWindowOp window, int64_t d);
// Whether a dynamic slice or update has a kernel in this order. It has none where its part is shorter than the array
// along lanes: a part begins anywhere.
bool takesPart(mlir::Operation *op, llvm::ArrayRef<int64_t> order);
// Whether a reshape only adds and drops dims of one element; the other dims.
bool onlyUnits(stablehlo::ReshapeOp op);
llvm::SmallVector<int64_t> longDims(mlir::Value v);
// Whether a transpose moves elements: not where only dims of one element change places.
bool movesElements(mlir::RankedTensorType from, llvm::ArrayRef<int64_t> permutation);
// Gives each user of an op that fills an array (a constant, an iota) an op of its own.
void ownLeaves(mlir::func::FuncOp main);
// Renumbers the dims of a dot whose operand changes to `order`.
void renumberDot(stablehlo::DotGeneralOp dot, unsigned operand, llvm::ArrayRef<int64_t> order);
// The order in which a dot's result is wanted: what it is transposed to before anything else, or the dot's own.
Order wantedOrder(stablehlo::DotGeneralOp dot);
// Whether the matrix unit takes its operands as they lie; in blocks that fit, where the result's order is given.
bool streams(stablehlo::DotGeneralOp dot);
bool streams(stablehlo::DotGeneralOp dot, llvm::ArrayRef<int64_t> order, int64_t mxuSide);
// dot(transpose x, y) is a dot of x with other dims, where the free ones keep their order and x can be taken as it
// lies, in no more pushes than a transpose is worth.
void foldTranspose(stablehlo::DotGeneralOp dot, bool right, int64_t mxuSide);
// `v`, or the value of its type that reshapes lead back to.
mlir::Value throughReshapes(mlir::Value v);
// A matmul beside another one, of an operand as it lies before a transpose that exchanges free dims, but not the dim
// that the result has last; transposed by `back`, its result is that of the other.
struct Untransposed {
  stablehlo::DotGeneralOp dot;
  Order back;
};
std::optional<Untransposed> untransposed(stablehlo::DotGeneralOp dot, bool right);

}  // namespace tpuc::layout
