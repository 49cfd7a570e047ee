// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A matmul's index space and how its operands see it.
//
// The space is [batch.., m.., n.., k.., k, m, n]. The streaming operand has m along sublanes and k along lanes; the
// weights n along lanes, or k with n along sublanes. An operand that lies otherwise is staged through the cross-lane
// unit.
#include "dialects/diagnostics/diagnose.h"
#include "passes/plan/dot/dot_plan.h"
#include "passes/plan/grid/grid_plan.h"

using namespace mlir;

namespace tpuc::plan {

static Type elementOf(Value v) { return getElementTypeOrSelf(v.getType()); }
static RankedTensorType typeOf(Value v) { return cast<RankedTensorType>(v.getType()); }

LogicalResult DotPlan::findDot() {
  for (Operation &op : context_.op.getBlock().without_terminator()) {
    if (auto dot = dyn_cast<stablehlo::DotGeneralOp>(op)) dot_ = dot;
    bool after = &op == dot_.getOperation() || llvm::any_of(op.getOperands(), [&](Value v) {
      return v.getDefiningOp() && epilogue_.contains(v.getDefiningOp());
    });
    if (dot_ && after) epilogue_.insert(&op);
  }
  assert(dot_ && "a dot kernel holds a dot");
  // What the epilogue computes from arguments alone is its own.
  SmallVector<Operation *> work(epilogue_.begin(), epilogue_.end());
  work.push_back(context_.op.getBlock().getTerminator());
  while (!work.empty()) {
    Operation *op = work.pop_back_val();
    if (op == dot_.getOperation()) continue;
    for (Value v : op->getOperands())
      if (Operation *def = v.getDefiningOp(); def && epilogue_.insert(def).second) work.push_back(def);
  }
  epilogue_.erase(dot_.getOperation());
  return success();
}

LogicalResult DotPlan::chooseMode() {
  Type a = elementOf(dot_.getLhs()), b = elementOf(dot_.getRhs()), out = elementOf(dot_);
  const auto &core = context_.target.core();
  StringRef precision = context_.matmulPrecision;
  if (context_.plan) {
    GivenPlan given(context_);
    precision = given.has("f32") ? "highest" : given.number("passes", 1) > 1 ? "high" : "default";
  }
  // An algorithm is part of what the program computes: no flag changes it.
  if (auto algorithm = dot_.getAlgorithm()) {
    bool bf16 = algorithm->getLhsPrecisionType().isBF16() && algorithm->getRhsPrecisionType().isBF16();
    int64_t products = algorithm->getNumPrimitiveOperations();
    precision = !bf16 || products > 3 ? "highest" : products > 1 ? "high" : "default";
  }
  auto mode = chooseMxuMode(context_.target, a, b, out, dot_.getPrecisionConfig(), precision);
  if (!mode && context_.isQuestion) return failure();
  if (!mode)
    return diagnose(dot_, codes::kNoMatrixMode)
           << "expects operands of a mode of " << context_.target.name() << "'s matrix unit, but got " << a << " and "
           << b << " to " << out << "; convert them to bf16, f32 or i8";
  mode_ = *mode;
  side_ = core.mxu_side();
  arrays_ = core.mxus();
  return success();
}

LogicalResult DotPlan::addEpilogue() {
  for (Operation &inner : context_.op.getBlock().without_terminator())
    if (isEpilogue(&inner) && !space_.classes.add(&inner))
      return diagnose(&inner, codes::kBrokenStage)
             << "expects ops that walk their operands' dims after a matmul, but got '" << inner.getName() << "'";
  return success();
}

// The dot's dims in the physical order of the first result, which the epilogue may transpose.
SmallVector<int64_t> DotPlan::resultOrder() {
  Value result = context_.op.getBlock().getTerminator()->getOperand(0);
  SmallVector<int64_t> out, left = llvm::to_vector(llvm::seq<int64_t>(0, typeOf(dot_).getRank()));
  for (int64_t dim : orderOf(context_.op.getResultOrdersAttr(), 0, result)) {
    int64_t cls = space_.classes.classOf(result, dim);
    auto *it = llvm::find_if(left, [&](int64_t d) {
      return cls >= 0 ? space_.classes.classOf(dot_.getResult(), d) == cls : result == dot_.getResult() && d == dim;
    });
    if (it == left.end()) continue;
    out.push_back(*it);
    left.erase(it);
  }
  // Dims of one element lie outermost.
  out.insert(out.begin(), left.begin(), left.end());
  return out;
}

// The fusion's arguments that `v` is computed from, each with its dims; the ops that compute it.
static void sourcesOf(Value v, const DimMap &map, SmallVectorImpl<std::pair<BlockArgument, DimMap>> &out,
                      llvm::SmallPtrSetImpl<Operation *> *ops = nullptr) {
  if (auto arg = dyn_cast<BlockArgument>(v)) {
    for (auto &[known, at] : out)
      if (known == arg && at == map) return;
    out.push_back({arg, map});
    return;
  }
  Operation *op = v.getDefiningOp();
  if (ops && !mlir::isa<stablehlo::ConstantOp, stablehlo::BroadcastInDimOp>(op)) ops->insert(op);
  for (unsigned i = 0; i < op->getNumOperands(); ++i)
    if (auto operand = operandMap(op, i, map)) sourcesOf(op->getOperand(i), *operand, out, ops);
}

// The operand's dim along lanes in its arrays: that of the one with the most dims. A vector may lie along sublanes too:
// where there are no others, the operand lies as the matrix unit wants it.
static int64_t lanesOf(KernelContext &context, Value v) {
  DimMap own;
  for (int64_t d = 0; d < typeOf(v).getRank(); ++d) own.push_back(typeOf(v).getDimSize(d) == 1 ? kUnit : d);
  SmallVector<std::pair<BlockArgument, DimMap>> sources;
  sourcesOf(v, own, sources);
  int64_t lanes = -1, best = -1;
  for (auto &[arg, map] : sources) {
    int64_t dims = llvm::count_if(map, [](int64_t d) { return d >= 0; });
    SmallVector<int64_t> order = orderOf(context.op.getInputOrdersAttr(), arg.getArgNumber(), arg);
    if (dims <= best || order.empty() || (dims < 2 && typeOf(v).getRank() >= 2)) continue;
    best = dims;
    lanes = map[order.back()] == kUnit ? -1 : map[order.back()];
  }
  return lanes;
}

LogicalResult DotPlan::refuseOrder(StringRef expected) {
  if (context_.isQuestion) return failure();
  return diagnose(dot_, codes::kMemoryOrder) << "expects " << expected << "; transpose before the dot";
}

LogicalResult DotPlan::chooseDims() {
  auto numbers = dot_.getDotDimensionNumbers();
  RankedTensorType lhs = typeOf(dot_.getLhs()), rhs = typeOf(dot_.getRhs());
  auto roles =
      analysis::dotRoles(dot_, lanesOf(context_, dot_.getLhs()), lanesOf(context_, dot_.getRhs()), resultOrder());
  if (!roles) return refuseOrder("operands whose rows or lanes are a dim of the dot, but they lie otherwise in memory");
  roles_ = *roles;
  ArrayRef<int64_t> lb = numbers.getLhsBatchingDimensions(), rb = numbers.getRhsBatchingDimensions();
  ArrayRef<int64_t> lc = numbers.getLhsContractingDimensions(), rc = numbers.getRhsContractingDimensions();
  int64_t nb = lb.size();
  auto addDim = [&](int64_t extent) {
    domain_.dims.push_back(extent);
    return static_cast<int64_t>(domain_.dims.size()) - 1;
  };
  for (int64_t i = 0; i < nb; ++i) {
    int64_t d = addDim(lhs.getDimSize(lb[i]));
    batch_.push_back(d);
    lhsDim_[lb[i]] = rhsDim_[rb[i]] = outDim_[i] = d;
  }
  // Each side's free dims, the minor one last of all.
  auto addFree = [&](bool right, int64_t minor, SmallVectorImpl<int64_t> &lead) {
    int64_t base = right ? nb + analysis::freeDims(dot_, false).size() : nb, minorOut = -1;
    auto &dims = right ? rhsDim_ : lhsDim_;
    for (auto [i, d] : llvm::enumerate(analysis::freeDims(dot_, right))) {
      int64_t out = base + i;
      if (d == minor)
        minorOut = out;
      else
        lead.push_back(dims[d] = outDim_[out] = addDim((right ? rhs : lhs).getDimSize(d)));
    }
    return minorOut;
  };
  bool rowsRight = roles_.swapped;
  int64_t mOut = addFree(rowsRight, roles_.m, mLead_), nOut = addFree(!rowsRight, roles_.n, nLead_);
  for (size_t i = 0; i < lc.size(); ++i)
    if (static_cast<int64_t>(i) != roles_.k)
      kLead_.push_back(lhsDim_[lc[i]] = rhsDim_[rc[i]] = addDim(lhs.getDimSize(lc[i])));
  kLast_ = addDim(roles_.k < 0 ? 1 : lhs.getDimSize(lc[roles_.k]));
  if (roles_.k >= 0) lhsDim_[lc[roles_.k]] = rhsDim_[rc[roles_.k]] = kLast_;
  auto minorDim = [&](bool right, int64_t minor, int64_t out) {
    int64_t d = addDim(minor < 0 ? 1 : (right ? rhs : lhs).getDimSize(minor));
    if (minor >= 0) (right ? rhsDim_ : lhsDim_)[minor] = outDim_[out] = d;
    return d;
  };
  m_ = minorDim(rowsRight, roles_.m, mOut);
  n_ = minorDim(!rowsRight, roles_.n, nOut);
  domain_.block = domain_.dims;
  domain_.rDim = m_;
  domain_.cDim = n_;
  domain_.heldTiles = side_ / 128;
  return success();
}

std::unique_ptr<ArrayBlock> DotPlan::makeBlock(Value v, ArrayAttr orders, unsigned i, const Origin &origin, DimMap map,
                                               const Domain *view, bool isResult) {
  auto block = std::make_unique<ArrayBlock>(Array(typeOf(v), orderOf(orders, i, v)), map);
  block->origin = origin;
  block->isResult = isResult;
  if (isResult && i < context_.ends.size()) block->ends = context_.ends[i];
  block->view = view;
  domain_.pack = std::max(domain_.pack, block->array.pack);
  return block;
}

void DotPlan::nameDims(Operand &o, bool rhs) {
  o.value = rhs ? dot_.getRhs() : dot_.getLhs();
  auto &dims = rhs ? rhsDim_ : lhsDim_;
  for (int64_t d = 0; d < typeOf(o.value).getRank(); ++d)
    o.map.push_back(typeOf(o.value).getDimSize(d) == 1 ? kUnit : dims.lookup(d));
}

LogicalResult DotPlan::makeOperand(Operand &o) {
  bool weights = &o == &weights_;
  o.view.rDim = !weights ? m_ : roles_.weightsTransposed ? n_ : kLast_;
  o.view.cDim = !weights ? kLast_ : roles_.weightsTransposed ? kLast_ : n_;
  o.transposed = !weights && roles_.rowsTransposed;
  o.view.heldRows = o.transposed ? 128 : weights && roles_.weightsTransposed ? side_ : 1;
  if (weights && !roles_.weightsTransposed) o.view.heldTiles = side_ / 128;
  o.source = o.view;
  std::swap(o.source.rDim, o.source.cDim);
  o.source.heldRows = 1;
  Domain &view = o.transposed ? o.source : o.view;
  view.dims = domain_.dims;
  view.block = domain_.block;
  SmallVector<std::pair<BlockArgument, DimMap>> sources;
  llvm::SmallPtrSet<Operation *, 8> ops;
  sourcesOf(o.value, o.map, sources, &ops);
  o.ops = static_cast<int64_t>(ops.size());
  for (auto &[arg, map] : sources) {
    if (llvm::is_contained(o.arrays, arg))
      return refuseOrder("an operand that reads each array along one order of its dims, but got two");
    o.arrays.push_back(arg);
    o.blocks.push_back(makeBlock(arg, context_.op.getInputOrdersAttr(), arg.getArgNumber(),
                                 context_.inputs[arg.getArgNumber()], map, &view, false));
    const ArrayBlock &b = *o.blocks.back();
    if (!isAccessible(view, b.array.type, b.array.order, b.map))
      return refuseOrder("operands whose rows or lanes are a dim of the dot, but they lie otherwise in memory");
  }
  return success();
}

// Whether the operand goes into the unit as it lies: it has the mode's type, and its rows and lanes where the unit
// wants them. A mask that leaves zeros clears bits of it.
void DotPlan::findReady(Operand &o) {
  Type t = elementOf(o.value);
  const bool same = (mode_.suffix == "bf16" && t.isBF16()) || (mode_.suffix == "s8" && t.isInteger(8)) ||
                    (mode_.suffix == "f32" && t.isF32());
  Value array = o.value;
  if (auto select = array.getDefiningOp<stablehlo::SelectOp>();
      select && (matchPattern(select.getOnFalse(), m_PosZeroFloat()) || matchPattern(select.getOnFalse(), m_Zero()))) {
    o.mask = select.getPred();
    array = select.getOnTrue();
  }
  auto argument = dyn_cast<BlockArgument>(array);
  if (!same || o.transposed || !argument) return;
  o.array = o.blocks[llvm::find(o.arrays, argument) - o.arrays.begin()].get();
  o.ready = isPackedAlike(o.view, *o.array, o.map);
}

LogicalResult DotPlan::makeOperands() {
  kernel::FusionOp op = context_.op;
  for (auto [d, to] : outDim_)
    if (int64_t cls = space_.classes.classOf(dot_.getResult(), d); cls >= 0) space_.dimOfClass[cls] = to;
  domain_.pack = mode_.pack;
  for (Operand *o : {&rows_, &weights_}) nameDims(*o, (o == &rows_) == roles_.swapped);
  findEnd();
  if (failed(makeOperand(rows_)) || failed(makeOperand(weights_))) return failure();
  space_.domain = domain_;
  for (auto [i, arg] : llvm::enumerate(op.getBlock().getArguments()))
    if (llvm::any_of(arg.getUsers(),
                     [&](Operation *user) { return isEpilogue(user) || user->hasTrait<OpTrait::IsTerminator>(); })) {
      epilogueArgs_.push_back(arg);
      space_.inputs.push_back(
          makeBlock(arg, op.getInputOrdersAttr(), i, context_.inputs[i], space_.mapOf(arg), &domain_, false));
    }
  for (auto [i, v] : llvm::enumerate(op.getBlock().getTerminator()->getOperands()))
    space_.results.push_back(
        makeBlock(v, op.getResultOrdersAttr(), i, context_.results[i], space_.mapOf(v), &domain_, true));
  space_.domain = domain_;
  for (Operand *o : {&rows_, &weights_}) findReady(*o);
  syncViews();
  return success();
}

void DotPlan::syncViews() {
  for (Domain *view : {&rows_.view, &rows_.source, &weights_.view, &weights_.source, &space_.domain}) {
    view->dims = domain_.dims;
    view->block = domain_.block;
    view->cutsTiles = domain_.cutsTiles;
  }
  for (Operand *o : {&rows_, &weights_}) {
    int64_t pack = mode_.pack;
    for (auto &b : o->blocks) pack = std::max(pack, b->array.pack);
    if (o == &rows_) pack = std::max(pack, domain_.pack);  // rows come in the results' units
    o->view.pack = o->source.pack = pack;
  }
}

}  // namespace tpuc::plan
