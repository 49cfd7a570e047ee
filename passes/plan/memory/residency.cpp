// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// 1. Candidates: temporaries that one kernel makes and others of its block, or of loops and branches in it, read, all
//    of kinds that move whole blocks; what fetches bring; what such kernels make and read in turn while loops and
//    branches carry it (contents.h).
// 2. Candidates take places one after the other, in one of two orders: the greatest saving of HBM traffic first, or the
//    greatest saving for its words times its life. The order that saves more in all is kept. A candidate takes the
//    lowest place that is free for its whole life, below the limit that leaves room for the kernels' blocks.
// 3. An array that finds no place may lie over one that its kernel reads last: a softmax's probabilities lie over its
//    scores.
// Attributes that say so are written and read in residency_attributes.cpp.
#include "dialects/diagnostics/diagnose.h"
#include "dialects/kernel/counts.h"
#include "dialects/kernel/fetch.h"
#include "dialects/kernel/plan.h"
#include "passes/analysis/counters.h"
#include "passes/analysis/pieces.h"
#include "passes/plan/kernels.h"
#include "passes/plan/loop/kept_values.h"
#include "passes/plan/memory/in_place.h"
#include "passes/plan/memory/resident_candidates.h"

using namespace mlir;

namespace tpuc::plan {
namespace {

constexpr int64_t kSomeTrips = 8;  // of a loop whose trips nobody knows

// The outermost loop of the block `in` that `op` runs in; null: none.
Operation *outermostLoop(Operation *op, Block *in) {
  Operation *loop = nullptr;
  for (; op->getBlock() != in; op = op->getParentOp())
    if (mlir::isa<stablehlo::WhileOp>(op->getParentOp())) loop = op->getParentOp();
  return loop;
}

// Which takes a place first: what saves most, or what saves most for the room that it takes over its life.
enum class First { kSaving, kDensity };

// How many rows, and column tiles, kernels may walk at once; `tile`: rows of a matmul that transposes an operand.
struct Walked {
  int64_t rows = 8, tile = 8, columnTiles = 1;
  // RowRoom in whole tiles, where that is not much more than there are.
  int64_t rowsOf(const Array &array) const {
    const bool isLong =
        !array.isVector() && static_cast<int64_t>(llvm::alignTo(array.rows(), tile)) * 3 <= array.rows() * 4;
    return isLong ? std::max(rows, tile) : rows;
  }
};

void widen(kernel::FusionOp fusion, const target::Target &target, Walked &walked) {
  for (Value v : llvm::concat<Value>(llvm::to_vector(fusion->getOperands()), llvm::to_vector(fusion->getResults())))
    walked.rows = std::max(walked.rows, 8 * Array(cast<RankedTensorType>(v.getType())).pack);
  if (fusion.getKind() != "dot" && fusion.getKind() != "conv") return;
  if (fusion.getKind() == "dot") walked.tile = 128;
  walked.columnTiles = std::max<int64_t>(walked.columnTiles, target.core().mxu_side() / 128);
}

Array arrayOf(Value v) { return Array(cast<RankedTensorType>(v.getType())); }

// Kernels in program order.
class Order {
 public:
  Order(func::FuncOp main, const StorageMap &map) {
    main.walk<WalkOrder::PreOrder>([&](kernel::FusionOp op) {
      number.try_emplace(op, number.size());
      // A kernel in a condition that never runs has no position. It gets that of the kernel before it.
      positions_.push_back(map.positionOf(op).value_or(positions_.empty() ? -1 : positions_.back()));
    });
  }
  int64_t size() const { return static_cast<int64_t>(positions_.size()); }
  int64_t firstFrom(int64_t position) const { return llvm::lower_bound(positions_, position) - positions_.begin(); }
  int64_t lastUntil(int64_t position) const { return llvm::upper_bound(positions_, position) - positions_.begin() - 1; }

  DenseMap<Operation *, int64_t> number;

 private:
  SmallVector<int64_t> positions_;
};

// Bytes that do not go to and from HBM.
double savedBytes(const Contents &contents, const Walked &walked, RowRoom rows, func::FuncOp main) {
  const Array array = arrayOf(contents.whole);
  const auto bytes = static_cast<double>(array.hbmBytes());
  auto times = [&](Operation *op) { return analysis::timesOf(op, &main.getBody().front(), kSomeTrips); };
  double saved = 0;
  for (auto [reader, v] : contents.reads) saved += bytes * times(reader);
  for (OpResult made : contents.made) {
    saved += bytes * times(made.getOwner());
    // A matmul that has no room for the rows that it transposes writes them elsewhere, and they are copied.
    const bool isCopied = rows == RowRoom::kFew && cast<kernel::FusionOp>(made.getOwner()).getKind() == "dot" &&
                          walked.rowsOf(array) % 128 == 0 && array.rows() % 128 != 0;
    if (isCopied) saved -= bytes * times(made.getOwner());
  }
  return saved;
}

// Bytes of loops' results that go to HBM when the loops that carry `values` have ended.
double copiedBytes(ArrayRef<Value> values, func::FuncOp main, const StorageMap &map) {
  double copied = 0;
  for (Value v : values) {
    auto argument = dyn_cast<BlockArgument>(v);
    auto loop = argument ? dyn_cast<stablehlo::WhileOp>(argument.getOwner()->getParentOp()) : stablehlo::WhileOp();
    if (loop && argument.getOwner() == &loop.getBody().front() && map.isApart(loop.getResult(argument.getArgNumber())))
      copied +=
          static_cast<double>(arrayOf(v).hbmBytes()) * analysis::timesOf(loop, &main.getBody().front(), kSomeTrips);
  }
  return copied;
}

// Values whose ops say in the text where they are: those that kernels make, what loops carry, what branches give back.
std::vector<OpResult> heldOf(ArrayRef<Value> values) {
  llvm::SetVector<OpResult> held;
  for (Value v : values) {
    auto argument = dyn_cast<BlockArgument>(v);
    Operation *owner = argument ? argument.getOwner()->getParentOp() : v.getDefiningOp();
    if (!argument && mlir::isa<kernel::ViewOp>(owner)) continue;
    // A loop's result may lie apart: its body's argument counts.
    if (!argument && mlir::isa<stablehlo::WhileOp>(owner)) continue;
    held.insert(argument ? owner->getResult(argument.getArgNumber()) : cast<OpResult>(v));
  }
  return {held.begin(), held.end()};
}

// The places of all types of the values, as one array.
SmallVector<Resident> placesFor(const Contents &contents, ArrayRef<Value> values, const Walked &walked, RowRoom rows) {
  SmallVector<Resident> places;
  auto add = [&](Value v) {
    if (llvm::any_of(places, [&](const Resident &r) { return r.type == v.getType(); })) return;
    Array array = arrayOf(v);
    places.push_back(
        contents.hasViews
            ? Resident::ofJoined(array, walked.columnTiles)
            : Resident::of(array, rows == RowRoom::kTiles ? walked.rowsOf(array) : walked.rows, walked.columnTiles));
  };
  add(contents.whole);
  llvm::for_each(values, add);
  int64_t words = 0;
  for (const Resident &r : places) words = std::max<int64_t>(words, llvm::alignTo(r.words, 8));
  for (Resident &r : places) r.words = words;
  return places;
}

// `values`: all that storage `i` holds.
std::optional<Candidate> candidateOf(ArrayRef<Value> values, int64_t i, const target::Target &target, func::FuncOp main,
                                     const StorageMap &map, const Order &order, RowRoom rows) {
  std::optional<Contents> contents = contentsOf(values);
  if (!contents || (contents->reads.empty() && !contents->isCopied)) return std::nullopt;
  const Storage &storage = map.storages()[i];
  Walked walked;
  bool again = contents->isCopied;  // behind the last kernel that meets it, or by a loop
  for (OpResult made : contents->made) widen(cast<kernel::FusionOp>(made.getOwner()), target, walked);
  for (auto [reader, v] : contents->reads) {
    widen(cast<kernel::FusionOp>(reader), target, walked);
    again |= outermostLoop(reader, v.getParentBlock()) != nullptr;
  }
  Candidate c{contents->whole, contents->hasViews, i, storage.first, storage.last, 0, {}};
  const double copied = copiedBytes(values, main, map);
  c.saved = savedBytes(*contents, walked, rows, main) - copied;
  c.kept.first = order.firstFrom(storage.first);
  c.kept.last = order.lastUntil(storage.last);
  // Candidates are the same for any rows.
  if (savedBytes(*contents, walked, RowRoom::kTiles, main) <= copied || c.kept.first > c.kept.last) return std::nullopt;
  c.kept.whole = contents->whole;
  c.kept.isReadAgain = again;
  c.kept.isCarried = contents->isCarried;
  c.kept.held = heldOf(values);
  c.kept.places = placesFor(*contents, values, walked, rows);
  return c;
}

bool liveTogether(const Candidate &a, const Candidate &b) { return a.first <= b.last && b.first <= a.last; }

// The lowest word where it overlaps nothing that is alive with it.
int64_t lowestPlace(const Candidate &c, ArrayRef<Candidate> placed) {
  SmallVector<std::pair<int64_t, int64_t>> busy;
  for (const Candidate &p : placed)
    if (liveTogether(p, c)) busy.push_back({p.word(), p.word() + p.words()});
  llvm::sort(busy);
  int64_t at = 0;
  for (auto [low, high] : busy) {
    if (at + c.words() <= low) break;
    at = std::max(at, high);
  }
  return at;
}

}  // namespace

bool mayLieOver(const Candidate &c, const Candidate &p, const target::Target &target) {
  if (p.kept.last != c.kept.first || c.hasViews || p.hasViews || p.kept.isReadAgain || c.kept.isCarried) return false;
  auto fusion = c.whole.getDefiningOp<kernel::FusionOp>();
  Array from = arrayOf(p.whole), to = arrayOf(c.whole);
  if (fusion.getKind() != "loop" || to.isVector() || from.isVector() || to.bytes > from.bytes) return false;
  if (from.rowTiles() * from.colTiles() * 8 * from.pack > kernelVmemWords(target) / 4) return false;
  unsigned i = llvm::find(fusion.getInputs(), p.whole) - fusion.getInputs().begin();
  if (i == fusion.getInputs().size()) return false;
  auto isKeptByOne = [&](Value v) {
    return llvm::any_of(v.getUsers(), [&](Operation *user) {
      return mlir::isa<stablehlo::ReduceOp>(user) && isKept(cast<stablehlo::ReduceOp>(user), v);
    });
  };
  return replacesEachBlock(fusion, i, cast<OpResult>(c.whole).getResultNumber()) &&
         isReadByReductionsAlone(fusion, fusion.getBlock().getArgument(i), isKeptByOne);
}

namespace {

// The array that `c` may lie over, and nothing else in its place while it is alive; null: none.
const Candidate *replacedBy(const Candidate &c, ArrayRef<Candidate> placed, const target::Target &target) {
  for (const Candidate &p : placed) {
    if (!mayLieOver(c, p, target)) continue;
    auto meets = [&](const Candidate &other) {
      return &other != &p && liveTogether(other, c) && other.word() < p.word() + p.words() &&
             p.word() < other.word() + other.words();
    };
    if (llvm::none_of(placed, meets)) return &p;
  }
  return nullptr;
}

}  // namespace

void layOver(Candidate &c, const Candidate &p) {
  Resident &r = c.kept.places[0];
  const Resident &under = p.kept.places[0];
  r.word = under.word;
  r.words = under.words;
  r.leadWords = under.leadWords;
  r.colWords = under.colWords;
  r.colTiles = under.colTiles;
  r.rowsHeld = under.rowsHeld;
  c.kept.over = p.storage;
}

namespace {

// Whether the program's core alone makes and reads them. It also does what is between kernels.
bool areOfOneCore(ArrayRef<Value> values) {
  auto isOfOne = [](Operation *op) {
    return !mlir::isa<kernel::FusionOp>(op) || kernel::isFetch(op) || op->hasAttr(kernel::kOneCoreAttr);
  };
  return llvm::all_of(values, [&](Value v) {
    Operation *def = v.getDefiningOp();
    return (!def || isOfOne(def)) && llvm::all_of(v.getUsers(), isOfOne);
  });
}

// By storage.
std::vector<SmallVector<Value>> valuesOf(func::FuncOp main, const StorageMap &map) {
  std::vector<SmallVector<Value>> values(map.storages().size());
  main.walk<WalkOrder::PreOrder>([&](Operation *op) {
    auto note = [&](Value v) {
      Place place = map.placeOf(v);
      if (place.storage >= 0) values[place.storage].push_back(v);
    };
    for (Region &region : op->getRegions())
      for (Block &block : region) llvm::for_each(block.getArguments(), note);
    llvm::for_each(op->getResults(), note);
  });
  return values;
}

bool isTemporary(const Storage &s, ArrayRef<Value> values, const StorageMap &map) {
  return s.kind == "arena" && llvm::all_of(values, [&](Value v) { return map.placeOf(v).offset == 0; });
}

}  // namespace

SmallVector<Candidate> candidatesOf(func::FuncOp main, const target::Target &target, const StorageMap &map,
                                    Residency &out, RowRoom rows) {
  const std::vector<SmallVector<Value>> values = valuesOf(main, map);
  const Order order(main, map);
  out.number = order.number;
  SmallVector<Candidate> candidates;
  for (auto [i, s] : llvm::enumerate(map.storages())) {
    if (!isTemporary(s, values[i], map)) continue;
    auto c = candidateOf(values[i], i, target, main, map, order, rows);
    if (!c) continue;
    c->kept.isPerCore = target.cores() > 1 && kernel::loopOverCores(c->kept.held.front().getOwner());
    if (target.cores() > 1 && !c->kept.isPerCore && !areOfOneCore(values[i])) continue;
    candidates.push_back(*c);
  }
  return candidates;
}

void keep(const Candidate &c, StorageMap &map, Residency &out) {
  map.keepOnChip(c.storage);
  out.kept.emplace(c.storage, c.kept);
  out.words = std::max(out.words, c.word() + c.words());
  if (!c.kept.isPerCore) out.programWords = std::max(out.programWords, c.word() + c.words());
}

// Candidates that find a place below `limit` words, in the order in which they took it.
static SmallVector<Candidate> placedOf(SmallVector<Candidate> candidates, const target::Target &target, bool mayReplace,
                                       int64_t limit, First first) {
  auto worth = [&](const Candidate &c) {
    return first == First::kSaving ? c.saved : c.saved / static_cast<double>(c.words() * (c.last - c.first + 1));
  };
  // What is fetched lies in what the others leave.
  llvm::stable_sort(candidates, [&](const Candidate &a, const Candidate &b) {
    const bool isFetched = kernel::isFetched(a.whole), isOtherFetched = kernel::isFetched(b.whole);
    return isFetched != isOtherFetched ? isOtherFetched : !isFetched && worth(a) > worth(b);
  });
  SmallVector<Candidate> placed;
  for (Candidate &c : candidates) {
    int64_t word = lowestPlace(c, placed);
    if (word + c.words() <= limit) {
      c.moveTo(word);
    } else {
      const Candidate *under = mayReplace ? replacedBy(c, placed, target) : nullptr;
      if (!under) continue;
      layOver(c, *under);
    }
    placed.push_back(c);
  }
  return placed;
}

static int64_t wordsOf(ArrayRef<Candidate> placed) {
  int64_t words = 0;
  for (const Candidate &c : placed) words = std::max(words, c.word() + c.words());
  return words;
}

static int64_t roomFor(const target::Target &target, int64_t divisor) {
  const int64_t budget = vmemBudgetWords(target);
  return (budget - std::min<int64_t>(kernelVmemWords(target), budget / 2)) / divisor;
}

// What arrays of the program's core take at most: where there are several, kernels of all cores have none of it.
static int64_t programRoom(const target::Target &target) {
  constexpr int64_t kShare = 8;
  return target.cores() > 1 ? vmemBudgetWords(target) / kShare : roomFor(target, 1);
}

// Those of each core behind those of the program's, which take what room they leave.
static SmallVector<Candidate> placedApart(ArrayRef<Candidate> candidates, const target::Target &target, bool mayReplace,
                                          int64_t limit, First first) {
  SmallVector<Candidate> each, program;
  for (const Candidate &c : candidates) (c.kept.isPerCore ? each : program).push_back(c);
  each = placedOf(std::move(each), target, mayReplace, limit, first);
  program =
      placedOf(std::move(program), target, mayReplace, std::min(limit - wordsOf(each), programRoom(target)), first);
  const int64_t behind = wordsOf(program);
  for (Candidate &c : each) c.moveTo(c.word() + behind);
  program.append(each);
  return program;
}

// Whether a kernel reads the array through a view, of which it copies its blocks even in VMEM, at less than HBM's rate.
static bool readsViewOf(kernel::FusionOp fusion, Value v) {
  return llvm::any_of(sourcesOf(fusion), [&](const Source &source) {
    return fusion.getInputs()[source.argument] == v && source.value != fusion.getBlock().getArgument(source.argument);
  });
}

std::vector<Keepable> keepableArrays(func::FuncOp main, const target::Target &target, const StorageMap &map) {
  const Order order(main, map);
  const std::vector<SmallVector<Value>> values = valuesOf(main, map);
  std::vector<Keepable> arrays;
  for (auto [i, s] : llvm::enumerate(map.storages())) {
    auto c = isTemporary(s, values[i], map) ? candidateOf(values[i], i, target, main, map, order, RowRoom::kFew)
                                            : std::nullopt;
    // A single element saves no bytes.
    if (!c || c->words() > programRoom(target) || arrayOf(c->whole).type.getNumElements() == 1 ||
        kernel::isFetched(c->whole))
      continue;
    Keepable &array = arrays.emplace_back(Keepable{values[i], {}});
    auto meet = [&](Operation *op) {
      if (mlir::isa<kernel::FusionOp>(op)) array.kernels.insert(op);
    };
    for (OpResult v : c->kept.held) meet(v.getOwner());
    for (Value v : values[i]) llvm::for_each(v.getUsers(), meet);
    auto isNoReason = [&](Operation *op) {
      auto reads = [&](Value v) { return readsViewOf(cast<kernel::FusionOp>(op), v); };
      return kernel::loopOverCores(op) || llvm::any_of(values[i], reads);
    };
    if (llvm::any_of(array.kernels, isNoReason)) arrays.pop_back();
  }
  return arrays;
}

Residency planResidency(func::FuncOp main, const target::Target &target, StorageMap &map, bool mayReplace,
                        int64_t divisor) {
  Residency out;
  const int64_t limit = roomFor(target, divisor);
  SmallVector<Candidate> best;
  double most = -1;
  for (RowRoom rows : {RowRoom::kTiles, RowRoom::kFew}) {
    const SmallVector<Candidate> candidates = candidatesOf(main, target, map, out, rows);
    for (First first : {First::kSaving, First::kDensity}) {
      auto placed = placedApart(candidates, target, mayReplace, limit, first);
      double saved = 0;
      for (const Candidate &c : placed) saved += c.saved;
      if (saved <= most) continue;
      most = saved;
      best = std::move(placed);
    }
  }
  for (const Candidate &c : best) keep(c, map, out);
  return out;
}

}  // namespace tpuc::plan
