// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// 1. Arguments, then what the function returns: a returned value's home is the result's buffer.
// 2. In program order, every other array: the place that its one user wants (a loop's carried place, a branch's result,
//    the array that an update replaces), else memory of its own.
// 3. Positions between which a storage is in use; what a loop's body reads from outside lives to the loop's end.
#include "passes/plan/memory/storage.h"

#include "dialects/kernel/counts.h"
#include "dialects/kernel/fetch.h"
#include "dialects/kernel/host_call.h"
#include "dialects/kernel/kernel.h"
#include "dialects/kernel/order.h"
#include "dialects/stablehlo/stablehlo.h"
#include "passes/plan/grid/arrays.h"
#include "passes/plan/memory/in_place.h"

using namespace mlir;

namespace tpuc::plan {

int64_t bytesOf(Value v) {
  auto type = cast<RankedTensorType>(v.getType());
  int64_t bytes = Array(type).hbmBytes();
  size_t planes = kernel::planesOf(type.getElementType()).size();
  return bytes * std::max<size_t>(planes, 1);
}

// The regions that run: not the condition of a loop that is counted.
static MutableArrayRef<Region> regionsOf(Operation *op) {
  return op->getRegions().drop_front(kernel::tripCountOf(op) ? 1 : 0);
}

bool isControl(Operation *op) { return mlir::isa<stablehlo::WhileOp, stablehlo::IfOp, stablehlo::CaseOp>(op); }

// Whether one kernel alone reads `v`'s memory: no other view or plane of it is in use.
static bool hasOneReader(Value v) {
  if (!v.hasOneUse()) return false;
  if (auto view = v.getDefiningOp<kernel::ViewOp>()) return hasOneReader(view.getSource());
  if (auto split = v.getDefiningOp<kernel::SplitOp>()) return split.getWhole().hasOneUse();
  return true;
}

StorageMap::StorageMap(func::FuncOp main, ArrayRef<int64_t> aliases, const DenseSet<Value> &apart)
    : main_(main), apart_(apart) {
  Block &block = main.getBody().front();
  number(block);
  for (auto [i, arg] : llvm::enumerate(block.getArguments())) {
    auto value = main.getArgAttrOfType<ElementsAttr>(i, kernel::kConstantAttr);
    create(arg, value ? "constant" : "argument", value ? constants_++ : i);
    storages_.back().constant = value;
  }
  const auto returned = block.getTerminator()->getOperands();
  firstResult_ = static_cast<int64_t>(storages_.size());
  for (auto [i, v] : llvm::enumerate(returned)) {
    Storage result{v, "result", static_cast<int64_t>(i), bytesOf(v), {}};
    if (!aliases.empty()) result.alias = aliases[i];
    storages_.push_back(result);
  }
  // A value returned twice, or one that cannot move, is copied into the result.
  for (auto [i, v] : llvm::enumerate(returned)) {
    if (!mayMove(v)) continue;
    bind(v, homeOf(i));
    bindUpdated(rootOf(v), homeOf(i));
  }
  placeBlock(block);
  main.walk([&](Operation *op) {
    if (op->hasTrait<OpTrait::IsTerminator>() &&
        (isControl(op->getParentOp()) || op == main.getBody().front().getTerminator()))
      exits_[op] = exitCopies(op);
  });
  extendLives();
}

// Whether `v` may lie where its user wants it: the array that it views has no place yet, and a kernel writes it.
bool StorageMap::mayMove(Value v) const {
  Value root = rootOf(v);
  Operation *def = root.getDefiningOp();
  return def && !mlir::isa<stablehlo::ConstantOp, kernel::SplitOp>(def) && !places_.contains(root);
}

// Where result `i` is when the program ends.
Place StorageMap::homeOf(unsigned i) const {
  const int64_t own = firstResult_ + i, alias = storages_[own].alias;
  return {alias >= 0 ? alias : own, 0};  // arguments come first
}

void StorageMap::number(Block &block) {
  for (Operation &op : block) {
    position_[&op] = {next_++, 0};
    if (isControl(&op))
      for (Region &region : regionsOf(&op)) number(region.front());
    position_[&op].second = next_++;
  }
}

Place StorageMap::create(Value v, StringRef kind, int64_t index) {
  storages_.push_back({v, kind.str(), index, bytesOf(v), {}});
  Place place{static_cast<int64_t>(storages_.size()) - 1, 0};
  bind(v, place);
  return place;
}

void StorageMap::bind(Value v, Place place) {
  places_[v] = place;
  if (auto loop = v.getDefiningOp<stablehlo::WhileOp>()) {
    unsigned i = cast<OpResult>(v).getResultNumber();
    // One by one: an entry may move when the next is made.
    if (isApart(v)) place = arena(loop.getBody().getArgument(i));
    places_[loop.getCond().getArgument(i)] = place;
    places_[loop.getBody().getArgument(i)] = place;
  }
  if (auto view = v.getDefiningOp<kernel::ViewOp>(); view && !places_.contains(view.getSource()))
    bind(view.getSource(), place);
  if (auto done = v.getDefiningOp<kernel::ExchangeDoneOp>(); done && !places_.contains(done.getStarted()))
    bind(done.getStarted(), place);
  if (auto join = v.getDefiningOp<kernel::JoinOp>()) {
    int64_t plane = bytesOf(v) / join.getPlanes().size();
    for (auto [i, part] : llvm::enumerate(join.getPlanes()))
      if (mayMove(part)) bind(part, {place.storage, place.offset + static_cast<int64_t>(i) * plane});
  }
}

Place StorageMap::placeOfResult(Operation *op, unsigned i) {
  Value v = op->getResult(i);
  if (places_.contains(v)) return places_.lookup(v);
  if (auto place = wanted(v, op)) {
    bind(v, *place);
    return *place;
  }
  return arena(v);
}

Place StorageMap::carriedPlace(Operation *loop, unsigned i) const {
  return placeOf(cast<stablehlo::WhileOp>(loop).getBody().getArgument(i));
}

Place StorageMap::placeToCarry(Operation *loop, unsigned i) {
  placeOfResult(loop, i);
  return carriedPlace(loop, i);
}

std::optional<int64_t> StorageMap::positionOf(Operation *op) const {
  auto at = position_.find(op);
  return at == position_.end() ? std::nullopt : std::optional(at->second.first);
}

// Arrays that become `made` by one update after the other, each where the one before it lay.
void StorageMap::bindUpdated(Value made, Place place) {
  Operation *end = main_.getBody().front().getTerminator();
  while (Value replaced = updatedInPlace(made)) {
    Value old = rootOf(replaced);
    Operation *def = old.getDefiningOp();
    if (!def || def->getBlock() != end->getBlock() || !mayMove(old) || !deadAfter(old, made.getDefiningOp(), made, end))
      return;
    // The first of them takes the place of an argument, once nothing else reads that.
    Value before = updatedInPlace(old);
    if (!before || (!rootOf(before).getDefiningOp() && !deadAfter(rootOf(before), def, old, end))) return;
    bind(old, place);
    made = old;
  }
}

// Where the array lies that `def` updates to make `made`, if nothing reads it afterwards. In a loop's body, nothing may
// read `made` either after the loop's next value has come to that place.
std::optional<Place> StorageMap::placeOfUpdated(Value made, Operation *def) {
  Value replaced = updatedInPlace(made);
  if (!replaced) return std::nullopt;
  Block *block = def->getBlock();
  auto loop = dyn_cast<stablehlo::WhileOp>(block->getParentOp());
  // The body reads what the condition was given.
  if (loop && block != &loop.getBody().front()) return std::nullopt;
  Operation *end = block->getTerminator();
  Value old = rootOf(replaced);
  const Place place = places_.contains(replaced) ? places_.lookup(replaced) : Place{-1, 0};
  if (old.getParentBlock() != block || place.storage < 0 || storages_[place.storage].kind != "arena" ||
      !deadAfter(old, def, made, end))
    return std::nullopt;
  if (!loop) return place;
  for (auto [carried, next] : llvm::zip_equal(block->getArguments(), end->getOperands())) {
    if (placeOf(carried).storage != place.storage || rootOf(next) == made) continue;
    Operation *maker = rootOf(next).getDefiningOp();
    if (!maker || maker->getBlock() != block || !deadAfter(made, maker, rootOf(next), end)) return std::nullopt;
  }
  return place;
}

// Whether nothing reads `old`, the contents of the place where `op` wants to make `made`, or something within that,
// once `op` runs.
bool StorageMap::deadAfter(Value old, Operation *op, Value made, Operation *terminator) {
  Value replaced = made.getDefiningOp() == op ? updatedInPlace(made) : Value();
  for (OpOperand *use : readersOf(old)) {
    Operation *user = op->getBlock()->findAncestorOpInBlock(*use->getOwner());
    if (!user) continue;  // the condition, which runs before the body
    if (user == terminator) {
      // Carried on unchanged in its own place: then op's value cannot be there.
      return false;
    }
    // The kernel itself: an update, or each block by what is made of it. A loop takes over what it is given.
    auto replaces = [&] {
      if (use->getOwner() != op || made.getDefiningOp() != op) return false;
      if (mlir::isa<stablehlo::WhileOp>(op)) return use->getOperandNumber() == cast<OpResult>(made).getResultNumber();
      if (kernel::isFetched(use->get())) return true;
      return (replaced && old == rootOf(replaced)) ||
             (use->get().getType() == made.getType() &&
              replacesEachBlock(op, use->getOperandNumber(), cast<OpResult>(made).getResultNumber()));
    };
    bool before = user == op ? replaces() || readsBeforeWriting(op) : user->isBeforeInBlock(op);
    if (!before) return false;
  }
  return true;
}

// Whether no enclosing loop still has something to read at `place` when `made` is made.
bool StorageMap::isFreeFrom(Place place, Value made) {
  for (Operation *inner = made.getDefiningOp(), *parent = inner->getParentOp(); parent && parent != main_;
       inner = parent, parent = parent->getParentOp()) {
    auto loop = dyn_cast<stablehlo::WhileOp>(parent);
    if (!loop) continue;
    for (Value carried : loop.getBody().getArguments())
      if (placeOf(carried).storage == place.storage &&
          (inner->getParentRegion() != &loop.getBody() ||
           !deadAfter(carried, inner, made, loop.getBody().front().getTerminator())))
        return false;
  }
  return true;
}

std::optional<Place> StorageMap::wanted(Value v, Operation *def) {
  for (OpOperand &use : v.getUses()) {
    Operation *user = use.getOwner();
    if (auto view = dyn_cast<kernel::ViewOp>(user); view && view->getBlock() == def->getBlock())
      if (auto place = wanted(view.getResult(), def)) return place;
    Operation *parent = user->getParentOp();
    if (!user->hasTrait<OpTrait::IsTerminator>() || def->getBlock() != user->getBlock()) continue;
    if (auto loop = dyn_cast<stablehlo::WhileOp>(parent)) {
      if (user->getParentRegion() != &loop.getBody()) continue;
      unsigned i = use.getOperandNumber();
      if (deadAfter(loop.getBody().getArgument(i), def, rootOf(v), user)) return placeToCarry(parent, i);
    } else if (mlir::isa<stablehlo::IfOp, stablehlo::CaseOp>(parent)) {
      return placeOfResult(parent, use.getOperandNumber());
    }
  }
  if (hasOneReader(v) && v.use_begin()->getOwner()->getBlock() == def->getBlock())
    if (mlir::isa<stablehlo::WhileOp>(v.use_begin()->getOwner())) {
      Place place = placeToCarry(v.use_begin()->getOwner(), v.use_begin()->getOperandNumber());
      if (isFreeFrom(place, rootOf(v))) return place;
    }
  return placeOfUpdated(rootOf(v), def);
}

// Planes of what a host call reads are made where it finds them together.
void StorageMap::placeJoins(Block &block) {
  for (Operation &call : llvm::make_filter_range(block, [](Operation &op) { return kernel::isHostCall(&op); }))
    for (Value v : call.getOperands())
      if (auto join = v.getDefiningOp<kernel::JoinOp>(); join && join->getBlock() == &block && !places_.contains(v))
        arena(v);
}

SmallVector<Relocation> StorageMap::joinCopies(Value v) {
  SmallVector<Relocation> out;
  auto join = v.getDefiningOp<kernel::JoinOp>();
  if (!join) return out;
  const Place whole = placeOf(v);
  const int64_t plane = bytesOf(v) / static_cast<int64_t>(join.getPlanes().size());
  for (auto [k, part] : llvm::enumerate(join.getPlanes())) {
    Place at{whole.storage, whole.offset + static_cast<int64_t>(k) * plane};
    if (!(placeOf(part) == at) && plane) out.push_back({placeOf(part), at, plane});
  }
  return out;
}

void StorageMap::placeBlock(Block &block) {
  placeJoins(block);
  for (Operation &op : block.without_terminator()) {
    if (mlir::isa<kernel::CounterOp>(op)) continue;  // no array
    if (auto constant = dyn_cast<stablehlo::ConstantOp>(op)) {
      create(constant.getResult(), "constant", constants_++);
      storages_.back().constant = constant.getValue();
      continue;
    }
    if (auto split = dyn_cast<kernel::SplitOp>(op)) {
      Place whole = places_.lookup(split.getWhole());
      int64_t plane = bytesOf(split.getWhole()) / split.getNumResults();
      for (auto [i, v] : llvm::enumerate(split.getResults()))
        bind(v, {whole.storage, whole.offset + static_cast<int64_t>(i) * plane});
      continue;
    }
    if (auto view = dyn_cast<kernel::ViewOp>(op)) {
      if (!places_.contains(view.getResult())) bind(view.getResult(), places_.lookup(view.getSource()));
      continue;
    }
    if (auto done = dyn_cast<kernel::ExchangeDoneOp>(op)) {
      if (!places_.contains(done.getResult())) bind(done.getResult(), places_.lookup(done.getStarted()));
      continue;
    }
    for (unsigned i = 0; i < op.getNumResults(); ++i) placeOfResult(&op, i);
    if (isControl(&op))
      for (Region &region : regionsOf(&op)) placeBlock(region.front());
  }
}

SmallVector<Relocation> StorageMap::entryCopies(Operation *loop) {
  SmallVector<Relocation> out;
  for (auto [i, init] : llvm::enumerate(loop->getOperands())) {
    Place from = placeOf(init), to = carriedPlace(loop, i);
    if (!(from == to) && bytesOf(init)) out.push_back({from, to, bytesOf(init), init.getType()});
  }
  return out;
}

SmallVector<Relocation> StorageMap::copiesBehind(Operation *loop) {
  SmallVector<Relocation> out;
  for (auto [i, result] : llvm::enumerate(loop->getResults()))
    if (isApart(result) && bytesOf(result))
      out.push_back({carriedPlace(loop, i), placeOf(result), bytesOf(result), result.getType()});
  return out;
}

SmallVector<Relocation> StorageMap::exitCopies(Operation *terminator) {
  auto known = exits_.find(terminator);
  if (known != exits_.end()) return known->second;
  SmallVector<Relocation> out;
  Operation *parent = terminator->getParentOp();
  if (auto loop = dyn_cast<stablehlo::WhileOp>(parent))
    if (terminator->getParentRegion() == &loop.getCond()) return out;
  for (auto [i, v] : llvm::enumerate(terminator->getOperands())) {
    Place from = placeOf(v), to;
    if (parent == main_)
      to = homeOf(i);
    else
      to = mlir::isa<stablehlo::WhileOp>(parent) ? carriedPlace(parent, i) : placeOf(parent->getResult(i));
    if (auto join = v.getDefiningOp<kernel::JoinOp>()) {
      int64_t plane = bytesOf(v) / join.getPlanes().size();
      for (auto [k, part] : llvm::enumerate(join.getPlanes())) {
        Place at{to.storage, to.offset + static_cast<int64_t>(k) * plane};
        if (!(placeOf(part) == at) && plane) out.push_back({placeOf(part), at, plane});
      }
    } else if (!(from == to) && bytesOf(v)) {
      out.push_back({from, to, bytesOf(v), v.getType()});
    }
  }
  avoidOverwriting(out, terminator);
  return out;
}

// Copies happen at once: what is overwritten by one of them has been read by the others before. Of those that go round
// in a circle one begins in memory of its own.
void StorageMap::avoidOverwriting(SmallVectorImpl<Relocation> &copies, Operation *terminator) {
  SmallVector<Relocation> rest(copies.begin(), copies.end()), order;
  while (!rest.empty()) {
    auto isFree = [&](const Relocation &c) {
      return llvm::none_of(rest,
                           [&](const Relocation &other) { return &other != &c && other.from.storage == c.to.storage; });
    };
    if (auto *free = llvm::find_if(rest, isFree); free != rest.end()) {
      order.push_back(*free);
      rest.erase(free);
      continue;
    }
    Relocation &c = rest.front();
    Storage held{storages_[c.from.storage].value, "arena", 0, c.bytes, {}};
    held.first = position_[terminator].first;
    held.last = position_[terminator].second;
    storages_.push_back(held);
    Place place{static_cast<int64_t>(storages_.size()) - 1, 0};
    order.push_back({c.from, place, c.bytes, c.type});
    c.from = place;
  }
  copies.assign(order.begin(), order.end());
}

void StorageMap::extendLives() {
  for (auto &[v, place] : places_) {
    Storage &s = storages_[place.storage];
    auto cover = [&](int64_t at) {
      s.first = std::min(s.first, at);
      s.last = std::max(s.last, at);
    };
    Operation *def = v.getDefiningOp();
    Operation *owner = def ? def : cast<BlockArgument>(v).getOwner()->getParentOp();
    auto at = position_.find(owner);
    if (at != position_.end()) {
      if (!isApart(v)) cover(at->second.first);
      // What a loop carries is in use from its start to its end; a branch's result from the branches on.
      if (isControl(owner)) cover(at->second.second);
    }
    for (Operation *user : v.getUsers()) {
      auto used = position_.find(user);
      if (used == position_.end()) continue;
      cover(used->second.first);
      // Until its first reader runs.
      if (kernel::isFetch(user))
        for (Operation *reader : user->getUsers()) cover(position_[reader].first);
      for (Operation *loop = user->getParentOp(); loop && loop != main_; loop = loop->getParentOp())
        if (mlir::isa<stablehlo::WhileOp>(loop) && loop != owner && !loop->isAncestor(owner))
          cover(position_[loop].second);
    }
  }
}

}  // namespace tpuc::plan
