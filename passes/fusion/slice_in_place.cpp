// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Pieces of arrays (passes/analysis/pieces.h) are read and written where they lie.
//
//  1. A kernel that only copies a piece goes, and its readers read from the array, where all of them are kernels,
//     nothing writes over the array before the last of them, and to fetch the position once for each of them takes no
//     longer than the copy.
//  2. A kernel that only puts a piece into an array goes, and the kernel that makes the piece writes it there: in its
//     own place where the array and the position are known there, else in that of the one that goes.
#include "dialects/kernel/counts.h"
#include "passes/analysis/counters.h"
#include "passes/analysis/pieces.h"
#include "passes/analysis/target_option.h"
#include "passes/fusion/group.h"
#include "passes/fusion/passes.h"

using namespace mlir;

namespace tpuc::fusion {
#define GEN_PASS_DEF_SLICEINPLACEPASS
#include "passes/fusion/passes.h.inc"
namespace {

using kernel::FusionOp;

RankedTensorType typeOf(Value v) { return cast<RankedTensorType>(v.getType()); }

int64_t bytesOf(RankedTensorType type) {
  return type.getNumElements() * llvm::divideCeil(type.getElementTypeBitWidth(), 8);
}

// The op that a kernel of moves is for, beside constants; null where there are several.
Operation *onlyMove(FusionOp fusion) {
  Operation *only = nullptr;
  for (Operation &op : fusion.getBlock().without_terminator()) {
    if (mlir::isa<stablehlo::ConstantOp>(op)) continue;
    if (only) return nullptr;
    only = &op;
  }
  bool yields = only && fusion.getNumResults() == 1 && fusion.getKind() == "copy" && !fusion.getInputOrdersAttr() &&
                fusion.getBlock().getTerminator()->getOperand(0) == only->getResult(0);
  return yields ? only : nullptr;
}

Value rootOf(Value v) {
  while (auto view = v.getDefiningOp<kernel::ViewOp>()) v = view.getSource();
  return v;
}

// Uses of an array and its views by anything else.
SmallVector<OpOperand *> usesOf(Value v) {
  SmallVector<OpOperand *> uses;
  for (OpOperand &use : v.getUses())
    if (auto view = dyn_cast<kernel::ViewOp>(use.getOwner()))
      llvm::append_range(uses, usesOf(view.getResult()));
    else
      uses.push_back(&use);
  return uses;
}

// Where a kernel's piece begins along each dim: one of its inputs, or a constant.
struct Start {
  Value input;
  ElementsAttr constant;
};

// A piece of an array that is no kernel's argument.
struct Piece {
  Value array;
  RankedTensorType type;
  SmallVector<Start> starts;
  // Whether the scalar unit has to bring a position.
  bool isFetched() const {
    return llvm::any_of(starts, [](const Start &s) { return s.input && !s.input.getDefiningOp<kernel::CounterOp>(); });
  }
};

std::optional<Piece> pieceOf(FusionOp fusion, Value array, RankedTensorType type, ValueRange starts) {
  auto argument = dyn_cast<BlockArgument>(array);
  if (!argument || !analysis::isPiece(typeOf(array), type.getShape())) return std::nullopt;
  Piece piece{fusion.getInputs()[argument.getArgNumber()], type, {}};
  for (Value v : starts) {
    auto index = dyn_cast<BlockArgument>(v);
    auto constant = v.getDefiningOp<stablehlo::ConstantOp>();
    if (!index && !constant) return std::nullopt;
    if (index)
      piece.starts.push_back({fusion.getInputs()[index.getArgNumber()], {}});
    else
      piece.starts.push_back({{}, constant.getValue()});
  }
  return piece;
}

// A row's words are apart, for kernels that move blocks.
bool takes(FusionOp fusion, const Piece &piece) {
  bool isRow = analysis::isRow(typeOf(piece.array), piece.type.getShape());
  return !isRow || fusion.getKind() == "loop" || fusion.getKind() == "dot";
}

// A sort's rows go through its operands and results whole, in several passes.
bool isSort(FusionOp fusion) { return !fusion.getBlock().getOps<stablehlo::SortOp>().empty(); }

// The input of a kernel that is this array.
Value argumentOf(FusionOp fusion, Value array) {
  for (auto [input, argument] : llvm::zip(fusion.getInputs(), fusion.getBlock().getArguments()))
    if (input == array) return argument;
  fusion.getInputsMutable().append(array);
  return fusion.getBlock().addArgument(array.getType(), array.getLoc());
}

SmallVector<Value> startsIn(FusionOp fusion, const Piece &piece, OpBuilder &b) {
  return llvm::map_to_vector(piece.starts, [&](const Start &s) -> Value {
    if (s.input) return argumentOf(fusion, s.input);
    return stablehlo::ConstantOp::create(b, fusion.getLoc(), s.constant.getType(), s.constant);
  });
}

// The op that a kernel of moves yields, beside pieces that it reads where they lie; null where it does more.
Operation *moveOf(FusionOp fusion) {
  if (fusion.getNumResults() != 1) return nullptr;
  Operation *move = fusion.getBlock().getTerminator()->getOperand(0).getDefiningOp();
  for (Operation &op : fusion.getBlock().without_terminator()) {
    auto slice = dyn_cast<stablehlo::DynamicSliceOp>(op);
    bool ofSlice = mlir::isa<stablehlo::ReshapeOp>(op) && op.getOperand(0).getDefiningOp<stablehlo::DynamicSliceOp>();
    if (&op != move && !mlir::isa<stablehlo::ConstantOp>(op) && !(slice && analysis::isReadInPlace(slice)) && !ofSlice)
      return nullptr;
  }
  return move;
}

// Whether `fusion` yields an update of its input `i`, which may then be made where that lies.
bool updates(FusionOp fusion, unsigned i) {
  return llvm::any_of(fusion.getBlock().getArgument(i).getUses(), [](OpOperand &use) {
    return mlir::isa<stablehlo::DynamicUpdateSliceOp, stablehlo::ScatterOp>(use.getOwner()) &&
           use.getOperandNumber() == 0;
  });
}

bool isHandedOn(stablehlo::WhileOp loop, unsigned i) {
  return loop.getBody().front().getTerminator()->getOperand(i) == loop.getBody().getArgument(i);
}

class InPlace {
 public:
  InPlace(int64_t copyBytes, int64_t fetchBytes, const target::Target &target)
      : copyBytes_(copyBytes), fetchBytes_(fetchBytes), question_(target) {}
  bool read(FusionOp copy);  // whether it went
  void write(FusionOp put);

 private:
  static bool isIntact(Value array, Operation *from, Operation *until);
  static void readFrom(OpOperand *use, const Piece &piece);
  static bool mayWrite(FusionOp maker, unsigned made, const Piece &piece, FusionOp put);
  static bool placeBefore(FusionOp maker, const Piece &piece, FusionOp put);
  static bool placeAfter(FusionOp maker, FusionOp put);
  bool hasRoomFor(FusionOp maker, unsigned made, const Piece &piece) const;
  static Value withArray(FusionOp maker, unsigned made, bool stays, const Piece &piece);

  int64_t copyBytes_, fetchBytes_;
  plan::Question question_;
};

// Whether nothing in between makes what may lie where the array does: an update of it, or what a loop carries on in its
// place.
bool InPlace::isIntact(Value array, Operation *from, Operation *until) {
  auto isBetween = [&](Operation *op) {
    Operation *here = op ? from->getBlock()->findAncestorOpInBlock(*op) : nullptr;
    return here && from->isBeforeInBlock(here) && here->isBeforeInBlock(until);
  };
  Value root = rootOf(array);
  for (OpOperand *use : usesOf(root)) {
    auto fusion = dyn_cast<FusionOp>(use->getOwner());
    if (fusion && updates(fusion, use->getOperandNumber()) && isBetween(fusion)) return false;
    // A loop that begins with it and changes it takes its place too.
    auto loop = dyn_cast<stablehlo::WhileOp>(use->getOwner());
    if (loop && !isHandedOn(loop, use->getOperandNumber()) && (loop == until || isBetween(loop))) return false;
  }
  auto argument = dyn_cast<BlockArgument>(root);
  auto loop = argument ? dyn_cast<stablehlo::WhileOp>(argument.getOwner()->getParentOp()) : stablehlo::WhileOp();
  if (!loop) return true;
  Value next = argument.getOwner()->getTerminator()->getOperand(argument.getArgNumber());
  return next == root || !isBetween(rootOf(next).getDefiningOp());
}

// In the body, the piece takes the place of the argument that was a copy of it.
void InPlace::readFrom(OpOperand *use, const Piece &piece) {
  auto fusion = cast<FusionOp>(use->getOwner());
  unsigned i = use->getOperandNumber();
  BlockArgument copy = fusion.getBlock().getArgument(i);
  OpBuilder b = OpBuilder::atBlockBegin(&fusion.getBlock());
  Value array = argumentOf(fusion, piece.array);
  SmallVector<Value> starts = startsIn(fusion, piece, b);
  Value v = stablehlo::DynamicSliceOp::create(b, copy.getLoc(), piece.type, array, starts,
                                              b.getDenseI64ArrayAttr(piece.type.getShape()));
  if (v.getType() != copy.getType()) v = stablehlo::ReshapeOp::create(b, copy.getLoc(), copy.getType(), v);
  copy.replaceAllUsesWith(v);
  fusion.getBlock().eraseArgument(i);
  fusion.getInputsMutable().erase(i);
}

// What a kernel slices, and does nothing else: a slice, or a part of a slice that it reads where that lies.
struct Slices {
  stablehlo::DynamicSliceOp whole;
  Operation *last = nullptr;
};

std::optional<Slices> slicesOf(FusionOp copy) {
  Operation *last = moveOf(copy);
  if (!last || copy.getKind() != "copy" || copy.getInputOrdersAttr()) return std::nullopt;
  auto part = dyn_cast<stablehlo::SliceOp>(last);
  auto whole = dyn_cast_or_null<stablehlo::DynamicSliceOp>(part ? part.getOperand().getDefiningOp() : last);
  // Beside constants a kernel has these alone.
  for (Operation &op : copy.getBlock().without_terminator())
    if (&op != last && &op != whole.getOperation() && !mlir::isa<stablehlo::ConstantOp>(op)) return std::nullopt;
  if (part && llvm::any_of(part.getStrides(), [](int64_t n) { return n != 1; })) return std::nullopt;
  return part || whole ? std::optional(Slices{whole, last}) : std::nullopt;
}

// Where a part of a slice begins in the array: along each dim the part is all of the slice, or the slice is all of the
// array. A position that is out of range would else be another one for the part.
std::optional<Piece> partOf(FusionOp copy, stablehlo::SliceOp part, stablehlo::DynamicSliceOp whole) {
  Value array = whole ? whole.getOperand() : part.getOperand();
  auto piece = pieceOf(copy, array, typeOf(part), whole ? ValueRange(whole.getStartIndices()) : ValueRange());
  if (!piece) return std::nullopt;
  // Positions have one type.
  auto scalar = whole ? typeOf(whole.getStartIndices().front())
                      : RankedTensorType::get({}, IntegerType::get(copy.getContext(), 32));
  for (auto [d, start] : llvm::enumerate(part.getStartIndices())) {
    const Start constant{{}, DenseElementsAttr::get(scalar, APInt(scalar.getElementTypeBitWidth(), start))};
    if (!whole)
      piece->starts.push_back(constant);
    else if (whole.getSliceSizes()[d] == typeOf(array).getDimSize(d))
      piece->starts[d] = constant;
    else if (typeOf(part).getDimSize(d) != whole.getSliceSizes()[d])
      return std::nullopt;
  }
  return piece;
}

// The piece that a kernel copies, and does nothing else.
std::optional<Piece> copiedBy(FusionOp copy) {
  auto slices = slicesOf(copy);
  if (!slices) return std::nullopt;
  if (auto part = dyn_cast<stablehlo::SliceOp>(slices->last)) return partOf(copy, part, slices->whole);
  stablehlo::DynamicSliceOp slice = slices->whole;
  return pieceOf(copy, slice.getOperand(), typeOf(slice), slice.getStartIndices());
}

void eraseUnread(Operation *op) {
  for (Operation *user : llvm::make_early_inc_range(op->getUsers())) eraseUnread(user);  // views
  op->erase();
}

bool InPlace::read(FusionOp copy) {
  auto piece = copiedBy(copy);
  if (!piece) return false;
  Operation *last = copy;
  double times = 0;
  SmallVector<OpOperand *> uses = usesOf(copy.getResult(0));
  for (OpOperand *use : uses) {
    auto reader = dyn_cast<FusionOp>(use->getOwner());
    if (!reader || reader.getInputOrdersAttr() || reader.getInputs().size() + piece->starts.size() > kMostArrays)
      return false;
    if (!takes(reader, *piece) || isSort(reader)) return false;
    BlockArgument argument = reader.getBlock().getArgument(use->getOperandNumber());
    if (llvm::any_of(argument.getUsers(), llvm::IsaPred<kernel::YieldOp>)) return false;
    Operation *here = copy->getBlock()->findAncestorOpInBlock(*reader);
    if (last->isBeforeInBlock(here)) last = here;
    times += analysis::timesOf(reader, copy->getBlock(), kernel::kMostTrips);
  }
  double fetched = piece->isFetched() ? times * static_cast<double>(fetchBytes_) : 0;
  if (uses.empty() || fetched > static_cast<double>(copyBytes_ + 2 * bytesOf(piece->type))) return false;
  if (!isIntact(piece->array, copy, last)) return false;
  // One by one: an operand moves when another one goes.
  while (!uses.empty()) {
    readFrom(uses.front(), *piece);
    uses = usesOf(copy.getResult(0));
  }
  eraseUnread(copy);
  return true;
}

// Whether `maker` may write `made`, the piece that `put` puts in its place, there itself.
bool InPlace::mayWrite(FusionOp maker, unsigned made, const Piece &piece, FusionOp put) {
  Value inside = maker.getBlock().getTerminator()->getOperand(made);
  if (mlir::isa<BlockArgument>(inside) || maker.getResultOrdersAttr() || maker.getInputOrdersAttr()) return false;
  if (maker->getBlock() != put->getBlock() || analysis::writtenInPlace(maker, made) || !takes(maker, piece))
    return false;
  if (maker.getInputs().size() + maker.getNumResults() + piece.starts.size() + 2 > kMostArrays) return false;
  Value root = rootOf(piece.array);
  if (llvm::any_of(maker.getInputs(), [&](Value v) { return rootOf(v) == root; })) return false;
  // Neither the array nor the position is of its own making.
  auto makes = [&](Value v) { return v && rootOf(v).getDefiningOp() == maker; };
  if (makes(root) || llvm::any_of(piece.starts, [&](const Start &s) { return makes(s.input); })) return false;
  // A kernel of kind copy has to have one reader and one move. One that updates an argument in place would have to copy
  // it first.
  if (maker.getKind() == "relayout") return usesOf(maker.getResult(0)).size() == 1;
  if (maker.getKind() != "copy") return true;
  Operation *move = moveOf(maker);
  if (!move || usesOf(maker.getResult(0)).size() != 1 || isSort(maker) || mlir::isa<stablehlo::DynamicSliceOp>(move))
    return false;
  bool updates = mlir::isa<stablehlo::DynamicUpdateSliceOp, stablehlo::ScatterOp>(move);
  return !updates || !mlir::isa<BlockArgument>(move->getOperand(0));
}

// Whether the array and the position are known before `maker`, which then writes no earlier than others have read.
bool InPlace::placeBefore(FusionOp maker, const Piece &piece, FusionOp put) {
  auto isBefore = [&](Value v) {
    Operation *def = v.getDefiningOp();
    return !def || def->getBlock() != maker->getBlock() || def->isBeforeInBlock(maker);
  };
  if (!isBefore(piece.array)) return false;
  for (OpOperand *use : usesOf(rootOf(piece.array))) {
    Operation *here = maker->getBlock()->findAncestorOpInBlock(*use->getOwner());
    if (here && here != put && maker->isBeforeInBlock(here) && here->isBeforeInBlock(put)) return false;
  }
  SmallVector<Operation *> counters;  // kernels of a number that come too late
  for (const Start &s : piece.starts) {
    if (!s.input || isBefore(s.input)) continue;
    Operation *def = s.input.getDefiningOp();
    if (!mlir::isa<FusionOp>(def) || !llvm::all_of(def->getOperands(), isBefore)) return false;
    counters.push_back(def);
  }
  for (Operation *op : counters) op->moveBefore(maker);
  return true;
}

// Whether `maker` may as well come where `put` is: it is moved there, with its views.
bool InPlace::placeAfter(FusionOp maker, FusionOp put) {
  SmallVector<Operation *> moved{maker};
  for (size_t i = 0; i < moved.size(); ++i)
    for (Operation *user : moved[i]->getUsers()) {
      Operation *here = put->getBlock()->findAncestorOpInBlock(*user);
      if (!here || here == put || put->isBeforeInBlock(here)) continue;
      if (!mlir::isa<kernel::ViewOp>(here)) return false;
      moved.push_back(here);
    }
  if (!llvm::all_of(maker.getInputs(), [&](Value v) { return isIntact(v, maker, put); })) return false;
  for (Operation *op : moved) op->moveBefore(put);
  return true;
}

// The kernel with the array that the piece is put into as its result: in place of `made`, or beside it where that is
// read too.
Value InPlace::withArray(FusionOp maker, unsigned made, bool stays, const Piece &piece) {
  OpBuilder b(maker);
  SmallVector<Type> types(maker.getResultTypes());
  if (stays) types.push_back({});
  unsigned at = stays ? types.size() - 1 : made;
  types[at] = piece.array.getType();
  auto writer =
      FusionOp::create(b, maker.getLoc(), types, maker.getKindAttr(), maker.getInputs(), ArrayAttr(), ArrayAttr());
  writer->setDiscardableAttrs(maker->getDiscardableAttrDictionary());
  writer.getBody().takeBody(maker.getBody());
  Operation *yield = writer.getBlock().getTerminator();
  b.setInsertionPoint(yield);
  Value v = yield->getOperand(made);
  if (v.getType() != piece.type) v = stablehlo::ReshapeOp::create(b, maker.getLoc(), piece.type, v);
  Value array = argumentOf(writer, piece.array);
  SmallVector<Value> starts = startsIn(writer, piece, b);
  Value whole = stablehlo::DynamicUpdateSliceOp::create(b, maker.getLoc(), array.getType(), array, v, starts);
  if (stays)
    yield->insertOperands(at, whole);
  else
    yield->setOperand(at, whole);
  for (unsigned r = 0; r < maker.getNumResults(); ++r)
    if (stays || r != made) maker.getResult(r).replaceAllUsesWith(writer.getResult(r));
  return writer.getResult(at);
}

// Whether the kernel has blocks that fit when it writes the piece beside what it makes.
bool InPlace::hasRoomFor(FusionOp maker, unsigned made, const Piece &piece) const {
  OpBuilder b(maker);
  auto copy = cast<FusionOp>(b.clone(*maker));
  auto writer = withArray(copy, made, /*stays=*/true, piece).getDefiningOp<FusionOp>();
  const bool hasRoom = question_.hasRoom(writer);
  writer.erase();
  copy.erase();
  return hasRoom;
}

void InPlace::write(FusionOp put) {
  auto update = dyn_cast_or_null<stablehlo::DynamicUpdateSliceOp>(onlyMove(put));
  auto argument = update ? dyn_cast<BlockArgument>(update.getUpdate()) : BlockArgument();
  if (!argument) return;
  auto piece = pieceOf(put, update.getOperand(), typeOf(update.getUpdate()), update.getStartIndices());
  Value made = rootOf(put.getInputs()[argument.getArgNumber()]);
  auto maker = made.getDefiningOp<FusionOp>();
  if (!piece || !maker || !kernel::haveSameBytes(typeOf(made), piece->type)) return;
  unsigned result = cast<OpResult>(made).getResultNumber();
  if (!mayWrite(maker, result, *piece, put)) return;
  const bool stays = usesOf(made).size() > 1;
  if (stays && !hasRoomFor(maker, result, *piece)) return;
  if (!placeBefore(maker, *piece, put) && !placeAfter(maker, put)) return;
  put.getResult(0).replaceAllUsesWith(withArray(maker, result, stays, *piece));
  put.erase();
  eraseUnread(maker);
}

struct SliceInPlace : impl::SliceInPlacePassBase<SliceInPlace> {
  using SliceInPlacePassBase::SliceInPlacePassBase;
  void runOnOperation() override {
    SmallVector<FusionOp> kernels;
    getOperation().walk([&](FusionOp fusion) { kernels.push_back(fusion); });
    target::Target machine;
    if (failed(analysis::loadTarget(getOperation(), target, sets, machine))) return signalPassFailure();
    InPlace inPlace(copyBytes, fetchBytes, machine);
    // A slice may be a slice's; what is put in place may be made of slices.
    for (FusionOp &fusion : kernels)
      if (inPlace.read(fusion)) fusion = {};
    llvm::erase(kernels, FusionOp());
    for (FusionOp fusion : kernels) inPlace.write(fusion);
  }
};

}  // namespace
}  // namespace tpuc::fusion
