// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// 1. A device tells those that send to it that its result may be written (`sem.signal`), and waits until those that it
//    sends to have said so.
// 2. It sends, and waits until what it sent has left and what it gets is there.
// Exchanges of the same routes and slot share two chip semaphores: nobody begins the next one with a device before that
// has ended this one. docs/rationale/collectives.md has the argument.
#include "passes/lowering/move/exchange.h"

#include "dialects/kernel/slots.h"
#include "dialects/stablehlo/device_grid.h"
#include "dialects/stablehlo/mesh_axes.h"
#include "passes/plan/grid/arrays.h"

using namespace mlir;

namespace tpuc::lowering {
namespace {

constexpr int64_t kWord = TrueSizes::kWord;
constexpr int64_t kUnrolled = 4;
constexpr size_t kLongestText = 160;

Attribute keyOf(kernel::ExchangeStartOp op) {
  return ArrayAttr::get(op.getContext(), {op.getKindAttr(), op.getCollectiveAttr(), op.getGroups()});
}

// The semaphore that an exchange's transfers raise when they have left. The last ones are taken: kernels run meanwhile,
// and use semaphores from 0 on.
int64_t sendSemaphoreOf(kernel::ExchangeStartOp op) { return kernel::kDmaSemaphores - 1 - kernel::slotOf(op); }

// A transfer of one run.
void transfer(Code &c, StringRef srcSpace, StringRef src, Value srcAdd, StringRef dstSpace, StringRef dst, Value dstAdd,
              int64_t bytes, int64_t semaphore, Value chip = {}, IntegerAttr signals = {}) {
  OpBuilder &b = c.b;
  auto symbol = [&](StringRef name) {
    return name.empty() ? FlatSymbolRefAttr() : FlatSymbolRefAttr::get(b.getContext(), name);
  };
  auto none = b.getDenseI64ArrayAttr({});
  tpu::DmaStartOp::create(b, c.loc, srcAdd, dstAdd, c.i64(semaphore), b.getStringAttr(srcSpace),
                          b.getStringAttr(dstSpace), symbol(src), symbol(dst), b.getI64IntegerAttr(0),
                          b.getI64IntegerAttr(0), b.getI64IntegerAttr(bytes), none, none, none, chip, signals);
}

void waitFor(Code &c, int64_t semaphore, int64_t count) {
  c.inst("dma.wait", {}, {{"imm", semaphore}, {"count", count}});
}

// `body` for each of [0, n), with its number.
void repeat(Code &c, int64_t n, function_ref<void(Value)> body) {
  if (n <= kUnrolled) {
    for (int64_t i = 0; i < n; ++i) body(c.i64(i));
    return;
  }
  c.loop(c.i64(0), c.i64(n), 1, {}, [&](Value i, ValueRange) {
    body(i);
    return SmallVector<Value>();
  });
}

// `axes`: what they lie along.
std::string textOf(DenseIntElementsAttr groups, StringRef axes, bool arePairs) {
  std::string text;
  const int64_t rows = groups.getType().getDimSize(0), columns = groups.getType().getDimSize(1);
  if (!axes.empty()) {
    const std::string what = arePairs ? " pair" : " group", many = rows == 1 ? "" : "s";
    return ("along " + axes + ", " + Twine(rows) + what + many).str() +
           (arePairs ? "" : " of " + std::to_string(columns));
  }
  for (auto [i, id] : llvm::enumerate(groups.getValues<int64_t>())) {
    const bool first = i % columns == 0;
    if (id >= 0) text += (first ? i ? "],[" : "[[" : ",") + std::to_string(id);
    if (text.size() > kLongestText)
      return text.substr(0, text.rfind(',')) + ",...: " + std::to_string(rows) + " of " + std::to_string(columns);
  }
  return text + "]]";
}

}  // namespace

Exchanges::Exchanges(func::FuncOp main) : smemBegin_(kEntrySmemBytes), smemEnd_(kEntrySmemBytes), sizes_(main) {
  devices_ = stablehlo::gridOf(main).devices();
  bool counts = false;
  main.walk([&](Operation *op) {
    usesIds_ |= mlir::isa<kernel::ExchangeStartOp, kernel::DeviceIdOp>(op);
    counts |= mlir::isa<kernel::CounterOp>(op);
  });
  if (usesIds_ || !sizes_.empty() || counts) smemEnd_ += TrueSizes::kSystemBytes;
  main.walk([&](kernel::ExchangeStartOp op) {
    addRoute(op);
    Route &route = routes_[numbers_.lookup(keyOf(op))];
    route.slots = std::max(route.slots, kernel::slotOf(op) + 1);
  });
  for (int64_t next = 0; Route &route : routes_) {
    route.semaphore = next;
    next += 2 * route.slots;
  }
}

void Exchanges::addRoute(kernel::ExchangeStartOp op) {
  if (!numbers_.try_emplace(keyOf(op), routes_.size()).second) return;
  Route &route = routes_.emplace_back();
  route.kind = op.getKindAttr();
  route.collective = op.getCollectiveAttr();
  route.groups = cast<DenseIntElementsAttr>(op.getGroups());
  auto main = op->getParentOfType<func::FuncOp>();
  route.axes = route.hasBlocks() ? stablehlo::axesOf(main, route.groups) : stablehlo::axesBetween(main, route.groups);
  route.rows.resize(devices_);
  const int64_t columns = route.groups.getType().getDimSize(1);
  SmallVector<int64_t> ids(route.groups.getValues<int64_t>());
  for (size_t begin = 0; begin < ids.size(); begin += columns) {
    auto group = ArrayRef(ids).slice(begin, columns).take_while([](int64_t id) { return id >= 0; });
    if (!route.hasBlocks()) {
      Row &from = route.rows[group[0]], &to = route.rows[group[1]];
      from.sends.push_back({group[1], 0});
      to.signals.push_back(group[0]);
      ++from.ready;
      ++to.arrive;
      continue;
    }
    // Each begins with the member after it: not all with the same one.
    for (auto [p, id] : llvm::enumerate(group)) {
      Row &row = route.rows[id];
      row.block = static_cast<int64_t>(p);
      row.ready = row.arrive = static_cast<int64_t>(group.size()) - 1;
      for (size_t k = 1; k < group.size(); ++k) {
        const size_t other = (p + k) % group.size();
        row.signals.push_back(group[other]);
        row.sends.push_back({group[other], static_cast<int64_t>(other)});
      }
    }
  }
  for (const Row &row : route.rows) {
    route.signals = std::max<int64_t>(route.signals, row.signals.size());
    route.sends = std::max<int64_t>(route.sends, row.sends.size());
  }
  route.smem = smemEnd_;
  smemEnd_ += llvm::alignTo(route.words() * kWord, 8);
}

const Exchanges::Route &Exchanges::routeOf(kernel::ExchangeStartOp op) const {
  return routes_[numbers_.lookup(keyOf(op))];
}

int64_t Exchanges::semaphoreOf(kernel::ExchangeStartOp op) const {
  return routeOf(op).semaphore + 2 * kernel::slotOf(op);
}

void Exchanges::emitTables(OpBuilder &b, ModuleOp module) const {
  SmallVector<Attribute> semaphores;
  for (auto [i, route] : llvm::enumerate(routes_)) {
    SmallVector<int32_t> words;
    for (const Row &row : route.rows) {
      auto add = [&](int64_t word) { words.push_back(static_cast<int32_t>(word)); };
      add(row.block), add(row.ready), add(row.arrive);
      for (int64_t k = 0; k < route.signals; ++k)
        add(k < static_cast<int64_t>(row.signals.size()) ? row.signals[k] : -1);
      for (int64_t k = 0; k < route.sends; ++k) {
        const bool has = k < static_cast<int64_t>(row.sends.size());
        add(has ? row.sends[k].first : -1), add(has ? row.sends[k].second : 0);
      }
    }
    auto type = RankedTensorType::get({static_cast<int64_t>(words.size())}, b.getI32Type());
    tpu::BufferOp::create(
        b, module.getLoc(), b.getStringAttr(tableName(i)), b.getStringAttr("constant"), b.getI64IntegerAttr(0),
        b.getI64IntegerAttr(0), b.getI64IntegerAttr(Array(type, {0}).hbmBytes()), TypeAttr::get(type),
        b.getDenseI64ArrayAttr({0}), cast<ElementsAttr>(Attribute(DenseElementsAttr::get(type, ArrayRef(words)))),
        IntegerAttr(), StringAttr(), FlatSymbolRefAttr(), DenseI64ArrayAttr(), FlatSymbolRefAttr());
    auto text = b.getDictionaryAttr(
        {b.getNamedAttr("collective", route.collective),
         b.getNamedAttr("groups", b.getStringAttr(textOf(route.groups, route.axes, !route.hasBlocks())))});
    semaphores.append(2 * route.slots, text);
  }
  if (usesIds_) module->setAttr("tpu.chip_semaphores", b.getArrayAttr(semaphores));
  if (usesIds_ || !sizes_.empty()) module->setAttr("tpu.system_area", b.getI64IntegerAttr(smemBegin_));
}

void Exchanges::emitPrologue(OpBuilder &b, Location loc) const {
  if (routes_.empty()) return;
  Code c(b, loc);
  Value device = c.inst("s.ldw", {c.i64(smemBegin_)});
  for (auto [i, route] : llvm::enumerate(routes_))
    transfer(c, "hbm", tableName(i), c.mul(device, route.words() * kWord), "smem", "", c.i64(route.smem),
             route.words() * kWord, 0);
  waitFor(c, 0, static_cast<int64_t>(routes_.size()));
}

void Exchanges::emitStart(OpBuilder &b, kernel::ExchangeStartOp op, StringRef from, StringRef to) const {
  Code c(b, op.getLoc());
  const Route &route = routeOf(op);
  auto word = [&](int64_t at) { return c.inst("s.ldw", {c.i64(route.smem)}, {{"off", at * kWord}}); };
  auto element = [&](Value i, int64_t at, int64_t words) {
    return c.inst("s.ldw", {c.add(c.mul(i, words * kWord), c.i64(route.smem))}, {{"off", at * kWord}});
  };
  auto bytesOf = [](Value v) {
    auto type = cast<RankedTensorType>(v.getType());
    return Array(type).hbmBytes();
  };
  const int64_t ready = semaphoreOf(op), arrive = ready + 1, sent = sendSemaphoreOf(op);
  const int64_t blocks = route.hasBlocks() ? cast<RankedTensorType>(op.getType()).getDimSize(0) : 1;
  const int64_t bytes = bytesOf(op.getResult()) / blocks;
  const bool scatters = route.kind.getValue() == "scatter";
  repeat(c, route.signals, [&](Value i) { c.inst("sem.signal", {element(i, 3, 1)}, {{"imm", ready}, {"count", 1}}); });
  Value place = route.hasBlocks() ? c.mul(word(0), bytes) : c.i64(0);
  if (route.hasBlocks()) transfer(c, "hbm", from, scatters ? place : c.i64(0), "hbm", to, place, bytes, sent);
  c.inst("sem.wait", {word(1)}, {{"sem", ready}});
  repeat(c, route.sends, [&](Value i) {
    Value chip = element(i, 3 + route.signals, 2);
    Value block = scatters ? c.mul(element(i, 4 + route.signals, 2), bytes) : c.i64(0);
    transfer(c, "hbm", from, block, "hbm", to, place, bytes, sent, chip, b.getI64IntegerAttr(arrive));
  });
}

void Exchanges::emitDone(OpBuilder &b, kernel::ExchangeDoneOp op) const {
  Code c(b, op.getLoc());
  auto start = op.getStarted().getDefiningOp<kernel::ExchangeStartOp>();
  const Route &route = routeOf(start);
  waitFor(c, sendSemaphoreOf(start), route.sends + route.hasBlocks());
  c.inst("sem.wait", {c.inst("s.ldw", {c.i64(route.smem)}, {{"off", 2 * kWord}})}, {{"sem", semaphoreOf(start) + 1}});
}

void Exchanges::emitDeviceId(OpBuilder &b, kernel::DeviceIdOp op, StringRef to) const {
  Code c(b, op.getLoc());
  transfer(c, "smem", "", c.i64(smemBegin_), "hbm", to, c.i64(0), kWord, 0);
  waitFor(c, 0, 1);
}

}  // namespace tpuc::lowering
