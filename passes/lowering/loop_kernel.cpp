// Loop kernels: elementwise ops and reductions over one domain.
//
//  1. Choose blocks: dims that a reduction's consumers walk again stay whole; other reduced dims may be walked in sequence.
//  2. Each reduction: a nest over its kept dims, accumulators in vregs over the reduced ones; partial results in VMEM scratch.
//  3. When a reduction is complete: across lanes and sublanes, combined with its initial value, into scratch.
//  4. The results: one nest for each set of dims.
#include "dialects/stablehlo/stablehlo.h"
#include "dialects/diagnostics/diagnose.h"
#include "passes/lowering/kernels.h"
#include "passes/lowering/region.h"

using namespace mlir;

namespace tpuc::lowering {
namespace {

Type elementOf(Value v) { return getElementTypeOrSelf(v.getType()); }

struct Reduction {
  stablehlo::ReduceOp op;
  std::optional<Reducer> reducer;      // null: the op's region, on all its operands together
  SmallVector<int64_t> kept, reduced;  // domain dims, in domain order
  int64_t scratchWord = 0, scratchWords = 0, region = 0;
  bool pinned = false;   // its consumers walk the reduced dims again
  bool late = false;     // needs another reduction that completes at the sequence's end
  bool sequential = false;
};

// A value that a reduction walks and others walk again, too dear to compute twice: kept in VMEM, a vreg for each of the block's.
struct KeptValue {
  SmallVector<int64_t> dims;
  int64_t word = 0, region = 0;
};

// Whether a value takes a transcendental, a division or the like to compute from the kernel's inputs.
bool isDear(Value v, DenseSet<Operation *> &seen) {
  Operation *def = v.getDefiningOp();
  if (!def || mlir::isa<stablehlo::ReduceOp>(def) || !seen.insert(def).second) return false;
  if (mlir::isa<stablehlo::ExpOp, stablehlo::Expm1Op, stablehlo::LogOp, stablehlo::Log1pOp, stablehlo::LogisticOp, stablehlo::TanhOp, stablehlo::SineOp, stablehlo::CosineOp, stablehlo::DivOp,
                stablehlo::PowOp, stablehlo::SqrtOp, stablehlo::RsqrtOp>(def))
    return true;
  return llvm::any_of(def->getOperands(), [&](Value operand) { return isDear(operand, seen); });
}

class LoopKernel {
 public:
  LoopKernel(KernelContext &context, Code &code) : context_(context), c_(code) {}
  LogicalResult run(Value start, Value count);

 private:
  LogicalResult analyse();
  SmallVector<int64_t> dimsOf(Value v);
  void findKept();
  int64_t vregsOf(ArrayRef<int64_t> dims) const;
  Linear vregAt(ArrayRef<int64_t> dims, const Linear &first, const Point &p) const;
  LogicalResult chooseBlocks();
  int64_t place();
  void emitStep(const Step &step);
  int64_t accumulatorSets(const Reduction &r);
  void accumulate(Reduction &r, const Step &step);
  bool finishesAtOnce(const Reduction &r) const;
  SmallVector<Value> finished(Reduction &r, const Point &p, ArrayRef<Value> partial);
  void finalise(Reduction &r);
  void emitReduction(Reduction &r, const Step &step);
  Linear scratchAddress(const Reduction &r, unsigned operand, const Point &p);
  SmallVector<Value> inputsOf(Reduction &r, unsigned operand, const Point &p, bool rows, bool maskLanes);
  Value identity(Reduction &r, unsigned operand, const Point &p);
  SmallVector<Value> combine(Reduction &r, ArrayRef<Value> a, ArrayRef<Value> b);
  SmallVector<Value> acrossVreg(Reduction &r, ArrayRef<Value> values);

  KernelContext &context_;
  Code &c_;
  Space space_;
  SmallVector<Reduction> reductions_;
  DenseMap<Value, size_t> reductionOf_;
  llvm::MapVector<Value, KeptValue> kept_;
  std::unique_ptr<Body> body_;
  std::unique_ptr<Grid> grid_;
};

// Whether no array has the dim that `hero` has along lanes in another place than its last.
bool allowsAll(const kernel::OrderedArray &hero, ArrayRef<kernel::OrderedArray> arrays, kernel::DimClasses &classes) {
  int64_t lanes = hero.order.empty() ? -1 : classes.classOf(hero.value, hero.order.back());
  return lanes < 0 || llvm::all_of(arrays, [&](const kernel::OrderedArray &a) {
    return a.order.empty() || llvm::none_of(ArrayRef(a.order).drop_back(), [&](int64_t d) { return classes.classOf(a.value, d) == lanes; });
  });
}

SmallVector<int64_t> LoopKernel::dimsOf(Value v) {
  SmallVector<int64_t> dims;
  for (int64_t d : space_.mapOf(v)) {
    if (d == kLinear) dims.append({space_.domain.r(), space_.domain.c()});
    else if (d != kUnit) dims.push_back(d);
  }
  llvm::sort(dims);
  if (space_.domain.linear && dims.size() == 2) return {space_.domain.r()};  // rows of 128 are one dim to walk
  return dims;
}

LogicalResult LoopKernel::analyse() {
  kernel::FusionOp op = context_.op;
  SmallVector<Source, 8> sources = sourcesOf(op);
  SmallVector<Value> values = llvm::map_to_vector(sources, [](const Source &s) { return s.value; });
  for (Operation &inner : op.getBlock().without_terminator()) {
    if (!space_.classes.add(&inner)) return diagnose(&inner, codes::kBrokenStage) << "expects ops that walk their operands' dims in a loop kernel, but got '" << inner.getName() << "'";
    llvm::append_range(values, inner.getResults());
  }
  SmallVector<kernel::OrderedArray> arrays;
  for (auto [i, v] : llvm::enumerate(op.getBlock().getTerminator()->getOperands())) arrays.push_back({v, orderOf(op.getResultOrdersAttr(), i, v)});
  for (auto [v, i] : sources) arrays.push_back({v, orderOf(op.getInputOrdersAttr(), i, v)});
  // Fusion may have listed them otherwise, and chosen the order of another array: one that allows all to be read comes first here.
  SmallVector<kernel::OrderedArray> all(arrays);
  std::stable_partition(arrays.begin(), arrays.end(), [&](const kernel::OrderedArray &a) { return allowsAll(a, all, space_.classes); });
  auto dims = kernel::chooseDomain(space_.classes, arrays, values);
  if (!dims) return diagnose(op, codes::kNoIndexSpace) << "expects a value that spans all dims of the kernel, but got none; compile with --no-fuse";
  makeBlocks(context_, space_, *dims);
  for (const auto &block : llvm::concat<std::unique_ptr<ArrayBlock>>(space_.inputs, space_.results))
    if (!isAccessible(space_.domain, block->array.type, block->array.order, block->map))
      return diagnose(op, codes::kNoIndexSpace) << "expects arrays with one dim along lanes, but got " << block->array.type << " with it elsewhere; compile with --no-fuse";
  for (Operation &inner : op.getBlock().without_terminator()) {
    auto reduce = dyn_cast<stablehlo::ReduceOp>(&inner);
    if (!reduce) continue;
    Reduction r;
    r.op = reduce;
    Block &body = reduce.getBody().front();
    if (reduce.getInputs().size() == 1 && body.getOperations().size() == 2) r.reducer = reducerOf(&body.front());
    if (!r.reducer && !isLaneRegion(body)) return diagnose(&inner, codes::kNoLowering) << "expects a reduction by ops that the instruction set has for "
                                                                                          << inner.getOperand(0).getType() << "; cast to f32 or i32 around it";
    r.kept = dimsOf(reduce.getResult(0));
    for (int64_t d : dimsOf(reduce.getInputs()[0]))
      if (!llvm::is_contained(r.kept, d)) r.reduced.push_back(d);
    for (Value result : reduce.getResults()) reductionOf_[result] = reductions_.size();
    reductions_.push_back(r);
  }
  // A consumer that has one of the reduced dims walks it again.
  for (Reduction &r : reductions_) {
    SmallVector<Value> work(r.op.getResults());
    DenseSet<Value> seen;
    while (!work.empty()) {
      Value v = work.pop_back_val();
      if (!seen.insert(v).second) continue;
      for (Operation *user : v.getUsers()) {
        for (Value result : user->getResults()) work.push_back(result);
        for (Value operand : llvm::concat<Value>(llvm::to_vector(user->getOperands()), llvm::to_vector(user->getResults())))
          for (int64_t d : dimsOf(operand)) r.pinned |= !mlir::isa<kernel::YieldOp>(user) && llvm::is_contained(r.reduced, d);
      }
    }
  }
  return success();
}

int64_t LoopKernel::place() {
  int64_t word = grid_->placeBlocks(context_.firstWord);
  int64_t region = space_.inputs.size() + space_.results.size();
  for (Reduction &r : reductions_) {
    r.scratchWord = word;
    r.scratchWords = vregsOf(r.kept) * 8 * r.op.getInputs().size();
    r.region = region++;
    word += r.scratchWords;
  }
  for (auto &[v, kept] : kept_) {
    kept.word = word;
    kept.region = region++;
    word += vregsOf(kept.dims) * 8;
  }
  return word;
}

// Vregs of a block's dims, of which rows may run over to a whole unit.
int64_t LoopKernel::vregsOf(ArrayRef<int64_t> dims) const {
  const Domain &d = space_.domain;
  int64_t vregs = 1;
  for (int64_t k : dims) vregs *= k == d.r() ? llvm::divideCeil(d.block[k], 8) + d.pack : k == d.c() ? llvm::divideCeil(d.block[k], 128) : d.block[k];
  return vregs;
}

// The word of a point's vreg among those of `dims`, of which `first` sets come before.
Linear LoopKernel::vregAt(ArrayRef<int64_t> dims, const Linear &first, const Point &p) const {
  const Domain &d = space_.domain;
  Linear index = first;
  for (int64_t k : dims) index = index * vregsOf({k}) + (k == d.r() ? p.at[k] * d.pack + Linear(p.sub) : p.at[k]);
  return index * 8;
}

// Operands of reductions whose reduced dims are walked again.
void LoopKernel::findKept() {
  for (Reduction &r : reductions_)
    for (Value v : r.op.getInputs()) {
      bool again = llvm::any_of(v.getUsers(), [&](Operation *user) { return user != r.op; });
      DenseSet<Operation *> seen;
      if (r.pinned && again && mlir::isa<FloatType>(elementOf(v)) && isDear(v, seen)) kept_.insert({v, {dimsOf(v)}});
    }
}

// Halves the outermost dim that may be cut until blocks fit and there are steps enough to overlap transfers with work.
LogicalResult LoopKernel::chooseBlocks() {
  Domain &d = space_.domain;
  DenseSet<int64_t> whole, reducedDims;
  for (Reduction &r : reductions_)
    for (int64_t k : r.reduced) {
      reducedDims.insert(k);
      if (r.pinned) whole.insert(k);
    }
  SmallVector<int64_t> granule(d.dims.size(), 1);
  granule[d.r()] = d.unitRows();
  granule[d.c()] = 128;
  for (const auto *blocks : {&space_.inputs, &space_.results})
    for (auto &b : *blocks)
      for (int64_t phys = 0; phys < b->array.rank(); ++phys) {
        int64_t k = b->map[b->array.order[phys]];
        if (k < 0) continue;
        bool minor = phys + 2 >= b->array.rank();
        if (b->isResult && b->blockedDim(d, phys) == kUnit) whole.insert(k);
        if (minor && k < d.r()) whole.insert(k);  // tiles of a leading dim are not cut
        if (b->isResult && (k == d.c() || k == d.r()) && (b->array.isVector() || (k == d.r() && phys == b->array.rank() - 1)))
          granule[k] = std::lcm(granule[k], 128 * b->array.pack);
      }
  if (d.linear) whole.insert(d.c());
  grid_ = std::make_unique<Grid>(d, space_.inputPointers(), space_.resultPointers(), context_.residents);
  grid_->exactTails = true;
  for (size_t k = 0; k < d.dims.size(); ++k) (reducedDims.contains(k) ? grid_->sequential : grid_->parallel).push_back(k);
  // A reduction sums over steps from the first one to the last: what it keeps is then the same in all of them.
  auto mixesSums = [&](int64_t cut) {
    auto isCut = [&](int64_t k) { return reducedDims.contains(k) && (k == cut || d.steps(k) > 1); };
    return llvm::any_of(reductions_, [&](const Reduction &r) { return llvm::any_of(r.kept, isCut) && llvm::any_of(r.reduced, isCut); });
  };
  int64_t budget = vmemBudgetWords(context_.target);
  findKept();
  while (true) {
    int64_t words = place(), moved = 0;
    for (const auto *blocks : {&space_.inputs, &space_.results})
      for (auto &b : *blocks) moved += b->stepWords;
    int64_t steps = grid_->parallelSteps() * grid_->sequentialSteps();
    bool tooBig = words > budget;
    bool tooFew = steps < 16 && moved > 1024;  // over 512 KiB a step
    if (!tooBig && !tooFew) break;
    int64_t cut = -1;
    for (int64_t pass = 0; pass < 2 && cut < 0; ++pass)  // parallel dims first
      for (size_t k = 0; k < d.dims.size() && cut < 0; ++k)
        if (!whole.contains(k) && d.block[k] > granule[k] && reducedDims.contains(k) == (pass == 1) && !mixesSums(k)) cut = k;
    if (cut < 0) {
      if (!tooBig) break;
      if (!kept_.empty()) {
        kept_.clear();
        d.block = d.dims;
        continue;
      }
      return overVmem(context_, context_.op, "a block of this kernel", words);
    }
    d.block[cut] = llvm::alignTo(llvm::divideCeil(d.block[cut], 2), granule[cut]);
  }
  for (Reduction &r : reductions_)
    for (int64_t k : r.reduced) r.sequential |= d.steps(k) > 1;
  // What needs a sequence's total runs at its end.
  for (Reduction &r : reductions_) {
    SmallVector<Value> work(r.op.getOperands());
    DenseSet<Value> seen;
    while (!work.empty()) {
      Value v = work.pop_back_val();
      if (!seen.insert(v).second) continue;
      auto it = reductionOf_.find(v);
      if (it != reductionOf_.end()) r.late |= reductions_[it->second].sequential || reductions_[it->second].late;
      if (Operation *def = v.getDefiningOp()) llvm::append_range(work, def->getOperands());
    }
  }
  context_.vmemWords = place();
  return success();
}

Linear LoopKernel::scratchAddress(const Reduction &r, unsigned operand, const Point &p) { return vregAt(r.kept, Linear(operand), p) + Linear(r.scratchWord); }

// What lanes outside of the extents hold, and where accumulation starts. A region's own initial value leaves every x unchanged.
Value LoopKernel::identity(Reduction &r, unsigned operand, const Point &p) {
  Type t = elementOf(r.op.getInputs()[operand]);
  if (r.reducer) return emitIdentity(c_, *r.reducer, t);
  Value init = body_->evaluate(r.op.getInitValues()[operand], {}, p);
  return t.isInteger(1) ? maskToInt(c_, init) : init;
}

// The reduction's operand at a point: one vreg for each group of 8 rows it walks, neutral outside of the extents.
SmallVector<Value> LoopKernel::inputsOf(Reduction &r, unsigned operand, const Point &at, bool rows, bool maskLanes) {
  const Domain &d = space_.domain;
  Value input = r.op.getInputs()[operand];
  Type t = elementOf(input);
  SmallVector<Value> out;
  for (int64_t sub = 0; sub < (rows ? d.pack : 1); ++sub) {
    Point p = at;
    p.sub = sub;
    Value v = body_->evaluate(input, space_.mapOf(input), p);
    if (auto kept = kept_.find(input); kept != kept_.end() && !body_->providers.contains(input))
      c_.store(v, vregAt(kept->second.dims, Linear(0), p) + Linear(kept->second.word), 1, kept->second.region);
    if (t.isInteger(1)) v = maskToInt(c_, v);
    bool reducesRows = llvm::is_contained(r.reduced, d.r());
    if (Value mask = body_->boundsMask(p, reducesRows, maskLanes || (d.linear && reducesRows)))
      if (reducesRows || maskLanes) v = c_.inst("v.sel", {mask, v, identity(r, operand, p)});
    out.push_back(v);
  }
  return out;
}

// Values are in lane form, i1 as 0 or 1.
SmallVector<Value> LoopKernel::combine(Reduction &r, ArrayRef<Value> a, ArrayRef<Value> b) {
  if (r.reducer) return {emitCombine(c_, *r.reducer, elementOf(r.op.getInputs()[0]), a[0], b[0])};
  SmallVector<Value> arguments;
  for (ArrayRef<Value> side : {a, b})
    for (auto [i, v] : llvm::enumerate(side)) arguments.push_back(elementOf(r.op.getInputs()[i]).isInteger(1) ? intToMask(c_, v) : v);
  SmallVector<Value> out = emitRegion(c_, r.op.getBody().front(), arguments);
  for (auto [i, v] : llvm::enumerate(out))
    if (elementOf(r.op.getInputs()[i]).isInteger(1)) v = maskToInt(c_, v);
  return out;
}

// Over the lanes and sublanes that the reduction walks; the result is in all of them.
SmallVector<Value> LoopKernel::acrossVreg(Reduction &r, ArrayRef<Value> values) {
  const Domain &d = space_.domain;
  Type t = elementOf(r.op.getInputs()[0]);
  SmallVector<Value> v(values);
  auto halve = [&](StringRef rotate, int64_t extent) {
    for (int64_t step = extent / 2; step >= 1; step /= 2) {
      SmallVector<Value> other = llvm::map_to_vector(v, [&](Value x) { return c_.inst(rotate, {x}, {{"imm", step}}); });
      v = combine(r, v, other);
    }
  };
  if (llvm::is_contained(r.reduced, d.c()) || (d.linear && !r.reduced.empty())) {
    if (r.reducer) v = {emitReduceLanes(c_, *r.reducer, t, v[0])};
    else halve("x.rot.lane", 128);
  }
  if (llvm::is_contained(r.reduced, d.r())) {
    if (r.reducer) v = {emitReduceSublanes(c_, *r.reducer, t, v[0])};
    else halve("x.rot.sub", 8);
  }
  return v;
}

// Sums that a reduction's steps take in turn: an addition takes some cycles, a region several instructions one after the other, which
// those of other sums fill in. All but the first begin with the identity; a region's initial value is one.
int64_t LoopKernel::accumulatorSets(const Reduction &r) {
  constexpr int64_t kSets = 4;
  const Domain &d = space_.domain;
  int64_t last = r.reduced.back();
  bool ragged = last == d.c() && d.dims[last] % 128 != 0;
  APInt trip;
  bool isShort = r.reducer == Reducer::Max || r.reducer == Reducer::Min;
  if (isShort || ragged || !matchPattern(blockTrip(c_, d, body_->blockIndex, last), m_ConstantInt(&trip))) return 1;
  return trip.getSExtValue() >= 2 * kSets ? kSets : 1;
}

void LoopKernel::accumulate(Reduction &r, const Step &step) {
  const Domain &d = space_.domain;
  unsigned operands = r.op.getInputs().size();
  bool rows = d.linear || llvm::is_contained(r.kept, d.r()) || llvm::is_contained(r.reduced, d.r());
  bool keepsRows = llvm::is_contained(r.kept, d.r());
  bool reducesLanes = llvm::is_contained(r.reduced, d.c());
  int64_t accumulators = keepsRows ? d.pack : 1;
  emitNest(c_, d, body_->blockIndex, r.kept, 1, {}, [&](const Point &outer, ValueRange) {
    SmallVector<Value> init, identities;  // all operands of group 0, then of group 1, ...
    for (int64_t i = 0; i < accumulators; ++i)
      for (unsigned k = 0; k < operands; ++k) {
        Point p = outer;
        p.sub = i;
        Value start = identity(r, k, p);
        identities.push_back(start);
        if (r.sequential) {
          auto load = scf::IfOp::create(c_.b, c_.loc, start.getType(), step.first, true);
          OpBuilder::InsertionGuard guard(c_.b);
          c_.b.setInsertionPointToStart(load.thenBlock());
          scf::YieldOp::create(c_.b, c_.loc, start);
          c_.b.setInsertionPointToStart(load.elseBlock());
          scf::YieldOp::create(c_.b, c_.loc, c_.load(scratchAddress(r, k, p), 1, r.region));
          start = load.getResult(0);
        }
        init.push_back(start);
      }
    body_->nextPoint();  // what the identities evaluated is outside of the loops below
    const int64_t sets = accumulatorSets(r), each = accumulators * operands;
    for (int64_t set = 1; set < sets; ++set) llvm::append_range(init, identities);
    auto step1 = [&](const Point &at, ValueRange accs, bool maskLanes) {
      SmallVector<Value> next(accs);
      SmallVector<SmallVector<Value>> inputs;
      for (unsigned k = 0; k < operands; ++k) inputs.push_back(inputsOf(r, k, at, rows, maskLanes));
      for (size_t i = 0; i < inputs[0].size(); ++i) {
        int64_t first = (keepsRows ? i : 0) * operands;
        SmallVector<Value> now = llvm::map_to_vector(inputs, [&](auto &in) { return in[i]; });
        llvm::copy(combine(r, ArrayRef(next).slice(first, operands), now), next.begin() + first);
      }
      body_->nextPoint();
      std::rotate(next.begin(), next.begin() + each, next.end());  // the next step takes the next set
      return next;
    };
    // The ragged last column tile stands apart, so that the others need no mask.
    bool ragged = reducesLanes && d.dims[d.c()] % 128 != 0;
    SmallVector<Value> total;
    if (ragged && r.reduced.back() == d.c() && d.steps(d.c()) == 1) {
      ArrayRef<int64_t> around = ArrayRef<int64_t>(r.reduced).drop_back();
      int64_t tiles = llvm::divideCeil(d.dims[d.c()], 128);
      total = emitNest(c_, d, body_->blockIndex, around, 1, init, [&](const Point &at, ValueRange in) {
        Point p = at;
        SmallVector<Value> v = c_.loop(c_.i64(0), c_.i64(tiles - 1), 1, in, [&](Value iv, ValueRange accs) {
          APInt known;
          p.at[d.c()] = matchPattern(iv, m_ConstantInt(&known)) ? Linear(known.getSExtValue()) : Linear(iv);
          return step1(p, accs, false);
        }, true);
        p.at[d.c()] = Linear(tiles - 1);
        return step1(p, v, true);
      }, &outer);
    } else {
      total = emitNest(c_, d, body_->blockIndex, r.reduced, r.reducer ? 4 : sets, init, [&](const Point &at, ValueRange in) { return step1(at, in, ragged); }, &outer);
    }
    for (int64_t set = 1; set < sets; ++set)
      for (int64_t first = 0; first < each; first += operands)
        llvm::copy(combine(r, ArrayRef(total).slice(first, operands), ArrayRef(total).slice(set * each + first, operands)), total.begin() + first);
    for (int64_t i = 0; i < accumulators; ++i) {
      Point p = outer;
      p.sub = i;
      SmallVector<Value> v(ArrayRef<Value>(total).slice(i * operands, operands));
      if (finishesAtOnce(r)) v = finished(r, p, v);
      for (unsigned k = 0; k < operands; ++k) c_.store(v[k], scratchAddress(r, k, p), 1, r.region);
    }
    body_->nextPoint();
    return SmallVector<Value>();
  });
}

// Whether a nest of its own would only store and load sums: where the reduced vregs are few, so that they are straight code, the
// outer loop hides the cross-lane unit's latency.
bool LoopKernel::finishesAtOnce(const Reduction &r) const {
  constexpr int64_t kStraight = 4;
  return !r.sequential && r.reducer && vregsOf(r.reduced) <= kStraight;
}

// A partial vreg's result: across lanes, across sublanes, with the initial value, rounded to the type.
SmallVector<Value> LoopKernel::finished(Reduction &r, const Point &p, ArrayRef<Value> partial) {
  Type t = elementOf(r.op.getInputs()[0]);
  SmallVector<Value> v = acrossVreg(r, partial);
  if (!r.reducer) return v;
  Value init = body_->evaluate(r.op.getInitValues()[0], {}, p);
  if (t.isInteger(1)) init = maskToInt(c_, init);
  v[0] = emitCombine(c_, *r.reducer, t, init, v[0]);
  if (mlir::isa<FloatType>(t) && !t.isF32()) v[0] = normalise(c_, t, v[0]);
  return v;
}

// Partial vregs to results.
void LoopKernel::finalise(Reduction &r) {
  const Domain &d = space_.domain;
  unsigned operands = r.op.getInputs().size();
  bool keepsRows = llvm::is_contained(r.kept, d.r());
  emitNest(c_, d, body_->blockIndex, r.kept, 1, {}, [&](const Point &at, ValueRange) {
    for (int64_t i = 0; i < (keepsRows ? d.pack : 1); ++i) {
      Point p = at;
      p.sub = i;
      SmallVector<Value> v;
      for (unsigned k = 0; k < operands; ++k) v.push_back(c_.load(scratchAddress(r, k, p), 1, r.region));
      v = finished(r, p, v);
      for (unsigned k = 0; k < operands; ++k) c_.store(v[k], scratchAddress(r, k, p), 1, r.region);
    }
    body_->nextPoint();
    return SmallVector<Value>();
  });
}

void LoopKernel::emitReduction(Reduction &r, const Step &step) {
  Code::InNameOf named(c_, r.op.getLoc());
  accumulate(r, step);
  for (Value v : r.op.getInputs())
    if (auto kept = kept_.find(v); kept != kept_.end() && !body_->providers.contains(v))
      body_->providers[v] = [this, &k = kept->second](const Point &p) { return c_.load(vregAt(k.dims, Linear(0), p) + Linear(k.word), 1, k.region); };
  if (finishesAtOnce(r)) return;
  if (!r.sequential) return finalise(r);
  c_.ifThen(step.last, [&] { finalise(r); });
}

void LoopKernel::emitStep(const Step &step) {
  body_->blockIndex = step.index;
  bool anySequential = llvm::any_of(reductions_, [](const Reduction &r) { return r.sequential; });
  for (Reduction &r : reductions_)
    if (!r.late) emitReduction(r, step);
  // Results by the set of dims they have.
  auto yielded = context_.op.getBlock().getTerminator()->getOperands();
  std::map<SmallVector<int64_t>, SmallVector<unsigned>> groups, lateGroups;
  for (auto [i, v] : llvm::enumerate(yielded)) {
    SmallVector<int64_t> dims = dimsOf(v);
    bool walks = llvm::any_of(grid_->sequential, [&](int64_t k) { return space_.domain.steps(k) > 1 && llvm::is_contained(dims, k); });
    (anySequential && !walks ? lateGroups : groups)[dims].push_back(i);
  }
  for (auto &[dims, which] : groups) emitResults(c_, *body_, space_, yielded, which, dims);
  auto late = [&] {
    for (Reduction &r : reductions_)
      if (r.late) emitReduction(r, step);
    for (auto &[dims, which] : lateGroups) emitResults(c_, *body_, space_, yielded, which, dims);
  };
  if (!anySequential) return late();
  c_.ifThen(step.last, late);
}

LogicalResult LoopKernel::run(Value start, Value count) {
  if (failed(analyse()) || failed(chooseBlocks())) return failure();
  body_ = std::make_unique<Body>(c_, space_.domain);
  for (auto [i, source] : llvm::enumerate(sourcesOf(context_.op))) body_->blocks[source.value] = space_.inputs[i].get();
  for (Reduction &r : reductions_)
    for (auto [k, result] : llvm::enumerate(r.op.getResults())) {
      bool pred = elementOf(result).isInteger(1);
      body_->providers[result] = [this, &r, pred, k = static_cast<unsigned>(k)](const Point &p) {
        Value v = c_.load(scratchAddress(r, k, p), 1, r.region);
        return pred ? intToMask(c_, v) : v;
      };
    }
  context_.gridSteps = grid_->parallelSteps();
  grid_->emit(c_, start, count, [&](const Step &step) { emitStep(step); });
  return success();
}

}  // namespace

LogicalResult lowerLoopKernel(KernelContext &context, Code &code, Value start, Value count) {
  return LoopKernel(context, code).run(start, count);
}

}  // namespace tpuc::lowering
