// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Groups the ops of a function into kernels.
#include "dialects/diagnostics/diagnose.h"
#include "dialects/kernel/host_call.h"
#include "mlir/IR/IRMapping.h"
#include "mlir/Transforms/RegionUtils.h"
#include "passes/analysis/elementary.h"
#include "passes/analysis/sorted_rows.h"
#include "passes/analysis/target_option.h"
#include "passes/fusion/group.h"
#include "passes/fusion/passes.h"
#include "passes/plan/question.h"

using namespace mlir;

namespace tpuc::fusion {
#define GEN_PASS_DEF_FUSEKERNELSPASS
#include "passes/fusion/passes.h.inc"
namespace {

struct FuseKernels : impl::FuseKernelsPassBase<FuseKernels> {
  using FuseKernelsPassBase::FuseKernelsPassBase;

  // The kernel that starts at `root`. Ops that joined unseen may have tied dims that are not the same: the first of
  // them that does is looked at, and the kernel grown again.
  Group grow(Operation *root, const DenseSet<Operation *> &taken) {
    looksAt_.clear();
    for (;;) {
      unseen_.clear();
      Group group = grownWithRoom(root, taken);
      if (unseen_.empty() || isValid(group, room_)) return withMadeOperands(withMasks(group));
      looksAt_.insert(firstBroken(group));
    }
  }

  // Towards its producers; where the planner has no blocks for what it becomes with care, and then alone.
  Group grownWithRoom(Operation *root, const DenseSet<Operation *> &taken) {
    Group group = grown(root, taken);
    if (isBroken(group) || hasRoom(group)) return group;
    room_.isCareful = true;
    group = grown(root, taken);
    room_.isCareful = false;
    if (isBroken(group) || hasRoom(group)) return group;
    if ((group.kind == Kind::Dot || group.kind == Kind::Conv) && !isMatrixOp(root)) return withoutProduct(root, taken);
    Group alone;
    alone.ops.insert(root);
    return withCheapOperands(alone);
  }

  // What follows a matmul, as a kernel that reads the matmul's result.
  Group withoutProduct(Operation *root, const DenseSet<Operation *> &taken) {
    leavesProducts_ = true;
    Group group = grownWithRoom(root, taken);
    leavesProducts_ = false;
    return group;
  }

  // Whether ops that joined unseen make it no kernel. Where the planner is not asked, that is seen later.
  bool isBroken(const Group &group) const { return !unseen_.empty() && (!isAsked(group) || !isValid(group, room_)); }

  static bool hasReductions(const Group &group) {
    return llvm::any_of(group.ops, [](Operation *op) { return mlir::isa<stablehlo::ReduceOp>(op); });
  }

  // Kernels that the planner is asked of: reductions, with what they are of and what is made of them, windows and
  // convolutions with their epilogue, and matmuls whose rows lie otherwise in their epilogue.
  static bool isAsked(const Group &group) {
    if (group.kind == Kind::Dot && group.ops.size() > 1)
      return meetsRowsAcross(group.inputs().takeVector(), *llvm::find_if(group.ops, isMatrixOp));
    return (group.kind == Kind::Loop && hasReductions(group)) || group.kind == Kind::Window || group.kind == Kind::Conv;
  }

  // Whether they have blocks that fit.
  bool hasRoom(const Group &group) const {
    if (!isAsked(group) || group.ops.size() == 1 || !fuseAll) return true;
    OpBuilder b(group.ops.front()->getContext());
    OwningOpRef<kernel::FusionOp> kernel = makeKernel(b, group, group.ops.front());
    return question_->hasRoom(*kernel);
  }

  // Finds, by halving, the first op in the order of joining with which the ops are no kernel, though they were without
  // it.
  Operation *firstBroken(const Group &group) const {
    auto startsValid = [&](size_t n) {
      Group start{group.kind, {}};
      start.ops.insert(group.ops.begin(), group.ops.begin() + n);
      return isValid(start, room_);
    };
    size_t valid = llvm::find_if(group.ops, [&](Operation *op) { return unseen_.contains(op); }) - group.ops.begin(),
           broken = group.ops.size();
    while (broken - valid > 1) {
      size_t middle = valid + (broken - valid) / 2;
      (startsValid(middle) ? valid : broken) = middle;
    }
    while (!unseen_.contains(group.ops[valid]))
      --valid;  // of several that joined together no start needs to be a kernel
    return group.ops[valid];
  }

  Group grown(Operation *root, const DenseSet<Operation *> &taken) {
    Group group;
    group.ops.insert(root);
    bool loop = isLoopOp(root), shuffled = fuseAll && analysis::isShuffledView(root);
    group.kind = isMatrixOp(root)                              ? matrixKind(root)
                 : (loop || shuffled) && isValid(group, room_) ? Kind::Loop
                                                               : Kind::Copy;
    if (loop && group.kind == Kind::Copy && fuseAll) {
      // A transpose of a dot's result is the dot's, written in another order.
      auto dot = root->getOperand(0).getDefiningOp<stablehlo::DotGeneralOp>();
      Group both = group;
      if (dot) both.ops.insert(dot);
      if (dot && dot->hasOneUse() && isValid(both, room_)) group = {Kind::Dot, both.ops};
      if (group.kind == Kind::Dot) return group;
    }
    if (group.kind == Kind::Copy && fuseAll) return withTranspose(withCheapOperands(withParts(group, root)), taken);
    if (group.kind == Kind::Copy || !fuseAll) return withCheapOperands(group);
    bool hasDot = isMatrixOp(root);
    if (hasDot) return withCheapOperands(group);
    repeats_.clear();
    // What makes a value for all of its users joins when they all have: which may be after its turn.
    for (size_t before = 0; before != group.ops.size();) {
      before = group.ops.size();
      refused_ = false;
      growOnce(group, taken);
      if (!refused_) break;
    }
    return withTranspose(withCheapOperands(withSlices(group)), taken);
  }

  void growOnce(Group &group, const DenseSet<Operation *> &taken) {
    Operation *root = group.ops.front();
    for (size_t i = 0; i < group.ops.size(); ++i) {
      if (isMatrixOp(group.ops[i]) || analysis::isTileView(group.ops[i]))
        continue;  // the matrix unit and views read arrays
      for (Value v : group.ops[i]->getOperands()) {
        Operation *producer = v.getDefiningOp();
        if (!producer || group.ops.contains(producer) || taken.contains(producer) ||
            producer->getBlock() != root->getBlock())
          continue;
        if (!isMatrixOp(producer) && !isLoopOp(producer)) continue;
        if (leavesProducts_ && isMatrixOp(producer)) continue;
        if (isTable(producer, root) || isRepeated(group.ops[i], producer) || isEpilogue(group, producer)) continue;
        if (!mayJoin(group, producer) || isDearlyRepeated(group, producer) ||
            leavesNoRegisters(producer, group.ops.getArrayRef()))
          continue;
        if (mayEndSharing(producer)) {
          Group bigger = group;
          if (add(bigger, producer) && !endsSharing(bigger, producer)) group = bigger;
        } else if (add(group, producer) && isMatrixOp(producer)) {
          group.kind = matrixKind(producer);
        }
      }
    }
  }

  // An op that every kernel computes for itself, and that others than the group use.
  static bool isShared(const Group &group, Operation *op) {
    return op != group.ops.front() && !isCheap(op) &&
           llvm::any_of(op->getUsers(), [&](Operation *user) { return !group.ops.contains(user); });
  }
  bool hasShared(const Group &group) const {
    return llvm::any_of(repeats_, [&](Operation *op) { return isShared(group, op); });
  }
  // Whether what the op makes leads, within the group and not far, to a value that is made elsewhere too. Elementwise
  // work on the way there is part of that.
  static bool makesShared(const Group &group, Operation *op) {
    constexpr size_t kFarthest = 64;
    if (!isMatrixOp(op) && !mlir::isa<stablehlo::ReduceOp>(op) && !analysis::elementaryCost(op)) return false;
    llvm::SetVector<Operation *> users(op->user_begin(), op->user_end());
    for (size_t i = 0; i < users.size() && users.size() < kFarthest; ++i) {
      if (isShared(group, users[i])) return true;
      for (Operation *user : users[i]->getUsers())
        if (group.ops.contains(user)) users.insert(user);
    }
    return false;
  }

  // Whether a kernel that broadcasts a value would compute it so often that an array of it pays.
  bool isRepeated(Operation *user, Operation *producer) const {
    auto broadcast = dyn_cast<stablehlo::BroadcastInDimOp>(user);
    if (!broadcast || broadcast.getOperand().getType().getRank() == 0) return false;
    std::optional<int64_t> instructions = instructionsOf(producer);
    return instructions && question_->paysAsArray(broadcast.getOperand().getType(), broadcast.getType(), *instructions);
  }

  // Nothing but elementwise work on arrays of one index space.
  static bool isElementwise(const Group &group) {
    return group.kind == Kind::Loop && group.results().size() == 1 && llvm::none_of(group.ops, [](Operation *op) {
             return mlir::isa<stablehlo::ReduceOp, stablehlo::TransposeOp>(op) || analysis::isTileView(op);
           });
  }

  // A transpose that puts another dim along lanes has a kernel of its own, which takes the elementwise work on its
  // result and on its operand.
  Group withTranspose(const Group &group, const DenseSet<Operation *> &taken) {
    constexpr size_t kMost = 32;  // ops: more want the loop's own way with registers
    auto transpose = dyn_cast<stablehlo::TransposeOp>(group.ops.front());
    Group out = group;
    if (isElementwise(group) && unseen_.empty() && group.ops.size() < kMost) {
      for (Value v : group.inputs()) {
        transpose = v.getDefiningOp<stablehlo::TransposeOp>();
        if (transpose && (!mayJoin(group, transpose) || taken.contains(transpose) ||
                          transpose->getBlock() != group.ops.front()->getBlock() || isProducts(transpose)))
          transpose = nullptr;
        if (transpose) break;
      }
      if (!transpose) return group;
      out.kind = Kind::Copy;
      out.ops.insert(transpose);
      if (!isTransposing(out, transpose)) return group;
    } else if (group.kind != Kind::Copy || !transpose || !isCopyOp(transpose)) {
      return group;
    }
    Operation *before = transpose.getOperand().getDefiningOp();
    if (!before || before->getBlock() != transpose->getBlock() || !isLoopOp(before) || !mayJoin(out, before) ||
        taken.contains(before))
      return out;
    Group source = grown(before, taken), bigger = out;
    if (!unseen_.empty() || !isElementwise(source) || source.ops.size() + out.ops.size() > kMost) {
      unseen_.clear();
      return out;
    }
    bigger.ops.insert(source.ops.begin(), source.ops.end());
    return isTransposing(bigger, transpose) ? bigger : out;
  }

  // Written transposed by the matmul that makes it.
  bool isProducts(stablehlo::TransposeOp transpose) const {
    auto dot = transpose.getOperand().getDefiningOp<stablehlo::DotGeneralOp>();
    Group both{Kind::Dot, {}};
    both.ops.insert(transpose);
    if (dot) both.ops.insert(dot);
    return dot && dot->hasOneUse() && isValid(both, room_);
  }

  bool isTransposing(const Group &group, stablehlo::TransposeOp transpose) const {
    OpBuilder b(transpose->getContext());
    OwningOpRef<kernel::FusionOp> kernel = makeKernel(b, group, group.ops.front());
    auto inner = *kernel->getBlock().getOps<stablehlo::TransposeOp>().begin();
    return question_->hasKernel(*kernel, inner);
  }

  // Masks of positions on a matmul's operands are applied where they go into the array. What of them others read too is
  // made again.
  Group withMasks(Group group) const {
    if (group.kind != Kind::Dot || !fuseAll) return group;
    Operation *dot = *llvm::find_if(group.ops, isMatrixOp);
    const SmallVector<Value> results = group.results();
    for (Value operand : dot->getOperands()) {
      Group bigger = group;
      for (Operation *op : maskOn(operand)) bigger.ops.insert(op);
      if (bigger.ops.size() > group.ops.size() &&
          isValid(Members{bigger.ops.getArrayRef(), bigger.inputs().takeVector(), results}, room_))
        group = bigger;
    }
    return group;
  }

  // An operand made of smaller arrays is made as it goes into the array, and lies nowhere, where the planner finds that
  // sooner than to write and read it.
  Group withMadeOperands(Group group) const {
    if (group.kind != Kind::Dot || !fuseAll) return group;
    Operation *dot = *llvm::find_if(group.ops, isMatrixOp);
    const SmallVector<Value> results = group.results();
    for (Value operand : dot->getOperands()) {
      Group bigger = group;
      for (Operation *op : makersOf(operand)) bigger.ops.insert(op);
      if (bigger.ops.size() == group.ops.size() ||
          !isValid(Members{bigger.ops.getArrayRef(), bigger.inputs().takeVector(), results}, room_))
        continue;
      auto cycles = [&](const Group &g) {
        OpBuilder b(dot->getContext());
        OwningOpRef<kernel::FusionOp> kernel = makeKernel(b, g, group.ops.front());
        return question_->cyclesOf(*kernel);
      };
      std::optional<double> with = cycles(bigger), without = cycles(group);
      const auto readers = static_cast<double>(std::distance(operand.user_begin(), operand.user_end()));
      const double write = question_->cyclesToWrite(cast<RankedTensorType>(operand.getType())) / readers;
      if (with && (!without || *with <= *without + write)) group = bigger;
    }
    return group;
  }

  // Elementwise work on a matmul's result, its scale or a mask of positions, that reductions of the group would do each
  // time they walk it: the matmul's own, whose vector slots are free while rows are pushed.
  bool isEpilogue(const Group &group, Operation *op) const {
    constexpr size_t kLongest = 20;
    if (group.kind != Kind::Loop || op->hasOneUse() || isCheap(op) ||
        mlir::isa<stablehlo::ReduceOp, stablehlo::DotGeneralOp>(op))
      return false;
    // Last: a program has constants, which are cheap, of ten thousands of users.
    bool reduced = llvm::any_of(op->getUsers(), [&](Operation *user) {
      return mlir::isa<stablehlo::ReduceOp>(user) && group.ops.contains(user);
    });
    if (!reduced) return false;
    Group made;
    made.kind = Kind::Dot;
    made.ops.insert(op);
    Operation *dot = nullptr;
    for (size_t i = 0; i < made.ops.size() && made.ops.size() <= kLongest; ++i) {
      if (made.ops[i] == dot) continue;
      for (Value v : made.ops[i]->getOperands()) {
        Operation *producer = v.getDefiningOp();
        // A number from elsewhere: where a mask of positions ends.
        if (cast<RankedTensorType>(v.getType()).getRank() == 0 && (!producer || !isCheap(producer))) continue;
        if (!producer || producer->getBlock() != op->getBlock()) return false;
        if (mlir::isa<stablehlo::DotGeneralOp>(producer) && (!dot || dot == producer))
          dot = producer;
        else if (!isLoopOp(producer) || mlir::isa<stablehlo::ReduceOp>(producer))
          return false;
        // What comes of the matmul is this op's alone; positions and constants are cheap to make again.
        made.ops.insert(producer);
      }
    }
    if (!dot || made.ops.size() > kLongest) return false;
    auto typeOf = [](Operation *o) { return cast<RankedTensorType>(o->getResult(0).getType()); };
    if (typeOf(op).getElementTypeBitWidth() > typeOf(dot).getElementTypeBitWidth()) return false;
    // Only the matmul's operands come from elsewhere, and only `op` is used elsewhere.
    for (Operation *inner : made.ops)
      if (inner != op && !isCheap(inner) &&
          llvm::any_of(inner->getUsers(), [&](Operation *user) { return !made.ops.contains(user); }))
        return false;
    return isValid(made, room_);
  }

  // Slices whose tiles a loop can read where they lie; others are copies first.
  Group withSlices(Group group) {
    for (size_t i = 0; group.kind == Kind::Loop && i < group.ops.size(); ++i) {
      if (analysis::isTileView(group.ops[i])) continue;
      for (Value v : group.ops[i]->getOperands()) {
        Operation *slice = v.getDefiningOp();
        if (!slice || group.ops.contains(slice) || !analysis::isTileView(slice) ||
            slice->getBlock() != group.ops[i]->getBlock())
          continue;
        Group bigger = group;
        bigger.ops.insert(slice);
        if (isValid(bigger, room_)) group = bigger;
      }
    }
    return group;
  }

  // Whether a slice leaves rows and lanes whole, so that they move as such.
  static bool cutsLeadingDims(stablehlo::SliceOp slice) {
    return slice.getOperand().getType().getShape().take_back(2) == slice.getType().getShape().take_back(2);
  }

  // What a concatenation puts together, or a pad has in its middle, may be slices: they are taken from where they lie.
  // Those that cut packed rows are copies first, and of pads all that cut rows or lanes: loops read these in place. A
  // scatter of rows in order takes them from where they lie too.
  static Group withParts(Group group, Operation *root) {
    if (auto scatter = dyn_cast<stablehlo::ScatterOp>(root))
      if (auto gather = analysis::rowsInOrder(scatter)) group.ops.insert(gather);
    auto pad = dyn_cast<stablehlo::PadOp>(root);
    if (!pad && !mlir::isa<stablehlo::ConcatenateOp>(root)) return group;
    const bool isPacked =
        analysis::packingOf(cast<RankedTensorType>(root->getResult(0).getType()).getElementType()) != 1;
    for (Value v : root->getOperands().take_front(pad ? 1 : root->getNumOperands())) {
      auto slice = v.getDefiningOp<stablehlo::SliceOp>();
      if (!slice || slice->getBlock() != root->getBlock() || slice.getOperand().getDefiningOp<stablehlo::ConstantOp>())
        continue;
      if ((!pad && !isPacked) || cutsLeadingDims(slice)) group.ops.insert(slice);
    }
    return group;
  }

  bool mayJoin(const Group &group, Operation *producer) {
    if (isReadInstead(group, producer) || disturbsSums(group, producer)) return false;
    if (isCheap(producer)) return true;
    if (llvm::any_of(producer->getUsers(), [&](Operation *user) { return !group.ops.contains(user); })) {
      const bool repeats = group.kind == Kind::Loop && paysToRepeat(producer, room_);
      if (repeats) repeats_.insert(producer);
      return repeats;
    }
    const bool refused = hasShared(group) && makesShared(group, producer);
    refused_ |= refused;
    return !refused;
  }

  // A conversion that is an array anyway, for a matmul for example, of a value that nothing else uses: who made it
  // again would make that value again too, and all that leads to it.
  static bool isReadInstead(const Group &group, Operation *op) {
    auto convert = dyn_cast<stablehlo::ConvertOp>(op);
    const auto isElsewhere = [&](Operation *user) { return !group.ops.contains(user); };
    if (!convert || llvm::none_of(op->getUsers(), isElsewhere) || !isArrayAnyway(convert.getResult())) return false;
    Value made = convert.getOperand();
    Operation *def = made.getDefiningOp();
    return def && def->getBlock() == op->getBlock() && (isLoopOp(def) || isMatrixOp(def)) && !isCheap(def) &&
           made.hasOneUse() &&
           analysis::paddedBytes(cast<RankedTensorType>(convert.getType())) <=
               analysis::paddedBytes(cast<RankedTensorType>(made.getType()));
  }

  // Whether cores would no longer share a reduction: the group reduces what is left of it again, on one of them.
  bool mayEndSharing(Operation *op) const {
    auto reduce = dyn_cast<stablehlo::ReduceOp>(op);
    return reduce && room_.cores > 1 &&
           analysis::paddedBytes(cast<RankedTensorType>(reduce.getInputs()[0].getType())) >= room_.vmemBytes / 2;
  }
  bool endsSharing(const Group &group, Operation *reduction) const {
    auto isShared = [&](const Group &g) {
      auto space = indexSpace(Members{g.ops.getArrayRef(), g.inputs().takeVector(), g.results()});
      return !space || space->parallelUnits >= room_.cores;
    };
    Group alone;
    alone.ops.insert(reduction);
    return isShared(alone) && !isShared(group);
  }

  // Rows that the systolic arrays take, or that are gathered for them, for each row of a product; 0: no product. A
  // convolution has some for each position of its window.
  int64_t rowsFor(Operation *op) const {
    if (auto dot = dyn_cast<stablehlo::DotGeneralOp>(op)) {
      int64_t n = 1;
      for (int64_t d : dot.getDotDimensionNumbers().getLhsContractingDimensions())
        n *= cast<RankedTensorType>(dot.getLhs().getType()).getDimSize(d);
      return llvm::divideCeil(n, room_.mxuSide);
    }
    auto conv = dyn_cast<stablehlo::ConvolutionOp>(op);
    if (!conv) return 0;
    auto weights = cast<RankedTensorType>(conv.getRhs().getType());
    int64_t rows = llvm::divideCeil(weights.getDimSize(conv.getDimensionNumbers().getKernelInputFeatureDimension()),
                                    room_.mxuSide);
    for (int64_t d : conv.getDimensionNumbers().getKernelSpatialDimensions()) rows *= weights.getDimSize(d);
    return rows;
  }

  // A product whose result the group takes through ops that others use too, such as conversions, is computed again for
  // those: where that takes longer than to read the result, as always for windows, which load each element for every
  // position, it is a kernel of its own.
  bool isDearlyRepeated(const Group &group, Operation *producer) const {
    const bool isWindow = isMatrixOp(producer) && matrixKind(producer) == Kind::Window;
    const int64_t rows = rowsFor(producer);
    if (!rows && !isWindow) return false;
    llvm::SetVector<Operation *> made;  // of the product, and not only the group's result
    made.insert(producer);
    bool repeated = false;
    for (size_t i = 0; i < made.size() && !repeated; ++i)
      for (Operation *user : made[i]->getUsers()) {
        repeated |= !group.ops.contains(user);
        if (!repeated && user != group.ops.front()) made.insert(user);
      }
    if (!repeated || isWindow) return repeated;
    auto type = cast<RankedTensorType>(producer->getResult(0).getType());
    return static_cast<double>(rows) * pushBytes > static_cast<double>(type.getElementTypeBitWidth()) / 8;
  }

  // A reduction's operand may lead back to a value that the group has: what lies between joins with it, or the two
  // sides would have no dims in common.
  bool add(Group &group, Operation *producer) {
    // Long chains on elements (f64 on words, random bits) have hundreds of ops: what walks its users' dims and no
    // others joins unseen.
    constexpr size_t kLong = 16;
    const bool isLong = group.ops.size() > kLong && (group.kind == Kind::Loop || group.kind == Kind::Dot);
    if (isLong && isPointwise(producer) && !looksAt_.contains(producer)) {
      group.ops.insert(producer);
      unseen_.insert(producer);
      return true;
    }
    Group bigger = group;
    bigger.ops.insert(producer);
    if (isValid(bigger, room_)) {
      group = bigger;
      return true;
    }
    if (isMatrixOp(producer)) return false;
    constexpr size_t kFarthest = 12;
    for (size_t i = group.ops.size(); i < bigger.ops.size() && bigger.ops.size() < group.ops.size() + kFarthest; ++i)
      for (Value v : bigger.ops[i]->getOperands()) {
        Operation *next = v.getDefiningOp();
        if (!next || bigger.ops.contains(next) || next->getBlock() != producer->getBlock() || !isLoopOp(next) ||
            !mayJoin(bigger, next))
          continue;
        bigger.ops.insert(next);
        if (!isValid(bigger, room_)) continue;
        group = bigger;
        return true;
      }
    return false;
  }

  // Splat constants never become arrays.
  Group withCheapOperands(Group group) {
    for (size_t i = 0; i < group.ops.size(); ++i)
      for (Value v : group.ops[i]->getOperands())
        if (auto constant = v.getDefiningOp<stablehlo::ConstantOp>();
            constant && constant->getBlock() == group.ops[i]->getBlock())
          if (analysis::walksDims(constant)) {
            if (analysis::isTileView(group.ops[i]) && v == group.ops[i]->getOperand(0))
              continue;  // a view is one of an array
            if ((group.kind == Kind::Copy || isMatrixOp(group.ops[i])) && !takesConstant(group.ops[i], v)) continue;
            group.ops.insert(constant);
          }
    return group;
  }

  // A result that no kernel writes (an argument, a constant, the same value twice) gets a kernel that copies it. The
  // planes of a wide value are put together where the program ends, once for each result.
  void copyPassedResults(func::FuncOp func) {
    Operation *ret = func.getBody().front().getTerminator();
    DenseSet<Value> seen;
    for (OpOperand &operand : ret->getOpOperands()) {
      Value v = operand.get();
      if (v.getDefiningOp() && !v.getDefiningOp<stablehlo::ConstantOp>() && seen.insert(v).second) continue;
      if (!kernel::planesOf(getElementTypeOrSelf(v.getType())).empty())
        continue;  // copied plane by plane where the function ends
      OpBuilder b(ret);
      auto type = cast<RankedTensorType>(v.getType());
      auto fusion = kernel::FusionOp::create(b, v.getLoc(), type, b.getStringAttr("loop"), v, ArrayAttr(), ArrayAttr());
      Block *body = b.createBlock(&fusion.getBody());
      body->addArgument(type, v.getLoc());
      b.setInsertionPointToEnd(body);
      kernel::YieldOp::create(b, v.getLoc(), body->getArguments());
      operand.set(fusion.getResult(0));
    }
  }

  // What is no kernel: array constants, which are buffers, control flow around kernels, views, kernels, exchanges with
  // other devices, calls of the host.
  static bool stays(Operation *op) {
    if (mlir::isa<stablehlo::ConstantOp>(op)) return !analysis::walksDims(op);
    return mlir::isa<kernel::FusionOp, kernel::SplitOp, kernel::JoinOp, kernel::ViewOp, kernel::UndefinedOp,
                     kernel::CounterOp, kernel::ExchangeStartOp, kernel::ExchangeDoneOp, kernel::DeviceIdOp,
                     stablehlo::WhileOp, stablehlo::IfOp, stablehlo::CaseOp>(op) ||
           kernel::isHostCall(op);
  }

  LogicalResult fuseBlock(Block &block) {
    DenseSet<Operation *> taken;
    for (Operation *op = block.getTerminator()->getPrevNode(); op;) {
      Operation *previous = op->getPrevNode();
      if (mlir::isa<kernel::FusionOp>(op)) {
        op = previous;
        continue;
      }
      if (op->use_empty() && isMemoryEffectFree(op)) {
        op->erase();
        op = previous;
        continue;
      }
      if (stays(op)) {
        op = previous;
        continue;
      }
      if (fuseAll && isView(op)) {
        OpBuilder b(op);
        Value source = op->getOperand(0), result = op->getResult(0);
        result.replaceAllUsesWith(kernel::ViewOp::create(b, op->getLoc(), result.getType(), source).getResult());
        op->erase();
        op = previous;
        continue;
      }
      bool known = isLoopOp(op) || isCopyOp(op) || isMatrixOp(op);
      if (!known)
        return diagnose(op, codes::kNoLowering)
               << "expects ops that the instruction set has for their types, but got '" << op->getName() << "' of "
               << op->getResultTypes() << "; cast around it or write it in simpler ops";
      Group group = grow(op, taken);
      // Everything after the fusion is done; go on before it.
      op = outline(group, op)->getPrevNode();
    }
    return success();
  }

  void runOnOperation() override {
    target::Target machine;
    if (failed(analysis::loadTarget(getOperation(), target, sets, machine))) return signalPassFailure();
    question_.emplace(machine);
    room_ = roomOn(machine);
    func::FuncOp func = getOperation();
    if (func.getBody().empty()) return;
    if (fuseAll) joinTurns(func);  // whose repeated arrays interleaveLanes() takes
    if (fuseAll) interleaveLanes(func);
    if (fuseAll) partLanes(func);
    if (fuseAll) splitGaps(func);
    if (fuseAll) readParts(func, *question_);
    if (fuseAll) outlineSorts(func);
    if (fuseAll) outlineSelects(func, *question_);
    if (fuseAll) outlineRelayouts(func, *question_);
    splitReshapes(func);
    turnLanes(func);
    widenMoves(func);
    sinkCheapOps(func);
    keepArraysApart(func);
    if (fuseAll) readTwice(func);
    SmallVector<Block *> blocks;
    func.walk([&](Operation *op) {
      if (!mlir::isa<stablehlo::WhileOp, stablehlo::IfOp, stablehlo::CaseOp>(op)) return;
      for (Region &region : op->getRegions()) blocks.push_back(&region.front());
    });
    blocks.push_back(&func.getBody().front());
    for (Block *block : blocks)
      if (failed(fuseBlock(*block))) return signalPassFailure();
    copyPassedResults(func);
  }

  DenseSet<Operation *> unseen_;  // ops that joined the last kernel unchecked
  std::optional<plan::Question> question_;
  Room room_{};
  // What the last kernel may have that others compute too; and whether something was refused that makes such a value.
  llvm::SmallSetVector<Operation *, 4> repeats_;
  bool refused_ = false;
  DenseSet<Operation *> looksAt_;  // ops that may not
  bool leavesProducts_ = false;    // no kernel takes a matmul
};

}  // namespace
}  // namespace tpuc::fusion
