// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "compiler/frontend/spread_processes.h"

#include "dialects/diagnostics/diagnose.h"
#include "dialects/diagnostics/outer_codes.h"
#include "dialects/stablehlo/check.h"
#include "dialects/stablehlo/device_grid.h"
#include "dialects/stablehlo/interpreter.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/IRMapping.h"

using namespace mlir;

namespace tpuc::frontend {
namespace {

LogicalResult refuse(Operation *op, const Twine &why) { return diagnose(op, codes::kNoCollective) << why; }

bool isToken(Type t) { return mlir::isa<stablehlo::TokenType>(t); }

class Spread {
 public:
  explicit Spread(interpreter::RunParallelOp op) : op_(op), module_(op->getParentOfType<ModuleOp>()), b_(op) {}

  LogicalResult run() {
    if (failed(findProcesses())) return failure();
    const bool same = llvm::all_of(processes_, [&](func::FuncOp f) { return f == processes_[0]; });
    if (op_.getInfeed() && !(same && processes_.size() == 1))
      return refuse(op_, "expects one process where there is an infeed");
    if (failed(same && processes_.size() > 1 ? callOne() : inlineEach())) return failure();
    for (auto [result, value] : llvm::zip(op_.getResults(), values_)) useResult(result, value);
    op_.erase();
    // What is part of main now is nobody's.
    for (func::FuncOp function : llvm::SmallSetVector<func::FuncOp, 4>(processes_.begin(), processes_.end()))
      if (SymbolTable::symbolKnownUseEmpty(function, module_)) function.erase();
    return success();
  }

 private:
  LogicalResult findProcesses() {
    int64_t rows = 0, inputs = 0, results = 0;
    for (Attribute row : op_.getPrograms()) {
      ++rows;
      for (auto name : cast<ArrayAttr>(row).getAsRange<FlatSymbolRefAttr>()) {
        auto function = module_.lookupSymbol<func::FuncOp>(name.getValue());
        if (!function || function.isExternal())
          return refuse(op_, "expects functions as programs, but found no @" + name.getValue());
        processes_.push_back(function);
        inputs += function.getNumArguments();
        results += function.getNumResults();
      }
    }
    if (inputs != op_->getNumOperands() || results != op_->getNumResults())
      return refuse(op_, "expects " + Twine(inputs) + " inputs and " + Twine(results) +
                             " results of its programs, but got " + Twine(op_->getNumOperands()) + " and " +
                             Twine(op_->getNumResults()));
    partitions_ = static_cast<int64_t>(processes_.size()) / rows;
    if (processes_.size() > 1) stablehlo::setGrid(module_, {rows, partitions_});
    return success();
  }

  // Whether this is the device of a process.
  Value isProcess(size_t process) {
    auto type = RankedTensorType::get({}, b_.getIntegerType(32, /*isSigned=*/false));
    auto number = [&](int64_t n) -> Value {
      auto value = cast<ElementsAttr>(Attribute(DenseElementsAttr::get(type, APInt(32, static_cast<uint64_t>(n)))));
      return stablehlo::ConstantOp::create(b_, op_.getLoc(), type, value);
    };
    Value id = stablehlo::ReplicaIdOp::create(b_, op_.getLoc(), type);
    id = stablehlo::MulOp::create(b_, op_.getLoc(), id, number(partitions_));
    id = stablehlo::AddOp::create(b_, op_.getLoc(), id, stablehlo::PartitionIdOp::create(b_, op_.getLoc(), type));
    return stablehlo::CompareOp::create(b_, op_.getLoc(), id, number(static_cast<int64_t>(process)),
                                        stablehlo::ComparisonDirection::EQ);
  }

  Value selectFor(size_t process, Value own, Value other) {
    if (own == other || isToken(own.getType()) || processes_.size() == 1) return own;
    return stablehlo::SelectOp::create(b_, op_.getLoc(), isProcess(process), own, other);
  }

  LogicalResult callOne() {
    func::FuncOp function = processes_[0];
    const unsigned count = function.getNumArguments();
    SmallVector<Value> inputs;
    for (unsigned k = 0; k < count; ++k) {
      Value input = op_->getOperand(k);
      for (size_t p = 1; p < processes_.size(); ++p) input = selectFor(p, op_->getOperand(p * count + k), input);
      inputs.push_back(input);
    }
    auto call = func::CallOp::create(b_, op_.getLoc(), function, inputs);
    for (size_t p = 0; p < processes_.size(); ++p)
      for (Value result : call.getResults()) values_.push_back({result, p});
    return success();
  }

  // Every device computes all of them, and has its own part in what they send.
  LogicalResult inlineEach() {
    unsigned at = 0;
    for (auto [p, function] : llvm::enumerate(processes_)) {
      IRMapping map;
      for (BlockArgument argument : function.getArguments()) map.map(argument, op_->getOperand(at++));
      for (Operation &op : function.getBody().front().without_terminator())
        if (failed(inlineOp(op, p, map))) return failure();
      for (Value v : function.getBody().front().getTerminator()->getOperands()) values_.push_back({map.lookup(v), p});
    }
    for (auto &[channel, ends] : channels_)
      for (size_t i = 0; i < std::max(ends.first.size(), ends.second.size()); ++i) {
        if (i >= ends.first.size() || i >= ends.second.size())
          return refuse(op_, "expects a send for each recv of channel " + Twine(channel));
        connect(channel, ends.first[i], ends.second[i]);
      }
    return success();
  }

  struct End {
    Operation *op;
    size_t process;
  };

  LogicalResult inlineOp(Operation &op, size_t process, IRMapping &map) {
    if (auto outfeed = dyn_cast<stablehlo::OutfeedOp>(op)) {
      map.map(outfeed.getResult(), map.lookup(outfeed.getToken()));
      return success();
    }
    if (auto infeed = dyn_cast<stablehlo::InfeedOp>(op)) return feed(infeed, map);
    const bool sends = mlir::isa<stablehlo::SendOp>(op), receives = mlir::isa<stablehlo::RecvOp>(op);
    if (!sends && !receives && op.getName().getStringRef().starts_with("stablehlo.") &&
        (op.hasAttr("replica_groups") || op.hasAttr("source_target_pairs")))
      return refuse(&op, "expects a collective in a program of all processes");
    Operation *copy = b_.clone(op, map);
    if (!sends && !receives) return success();
    auto &ends = channels_[op.getAttrOfType<stablehlo::ChannelHandleAttr>("channel_handle").getHandle()];
    (sends ? ends.first : ends.second).push_back({copy, process});
    return success();
  }

  // What the next function of the queue gives.
  LogicalResult feed(stablehlo::InfeedOp infeed, IRMapping &map) {
    auto queue = op_.getInfeedAttr();
    auto name = queue && fed_ < queue.size() ? dyn_cast<FlatSymbolRefAttr>(queue[fed_++]) : FlatSymbolRefAttr();
    auto function = name ? module_.lookupSymbol<func::FuncOp>(name.getValue()) : func::FuncOp();
    if (!function || function.getNumArguments() || function.getNumResults() + 1 != infeed->getNumResults())
      return refuse(infeed, "expects a function that feeds it");
    auto call = func::CallOp::create(b_, infeed.getLoc(), function, ValueRange());
    map.map(infeed->getResults().drop_back(), call.getResults());
    map.map(infeed->getResults().back(), map.lookup(infeed.getToken()));
    return success();
  }

  // The i-th send of a channel is the i-th recv's, and both have a channel of their own.
  void connect(int64_t channel, End send, End recv) {
    auto type = RankedTensorType::get({1, 2}, b_.getI64Type());
    auto pairs =
        DenseIntElementsAttr::get(type, {static_cast<int64_t>(send.process), static_cast<int64_t>(recv.process)});
    auto handle = stablehlo::ChannelHandleAttr::get(b_.getContext(), nextChannel_++, 1);
    for (Operation *op : {send.op, recv.op}) {
      op->setAttr("source_target_pairs", pairs);
      op->setAttr("is_host_transfer", b_.getBoolAttr(false));
      op->setAttr("channel_handle", handle);
    }
  }

  struct Result {
    Value value;
    size_t process;
  };

  // The constant or value that a result is to equal.
  Value expectedBy(Operation *check, Value result) {
    for (Value v : check->getOperands())
      if (v != result) return v;
    auto value = check->getAttrOfType<ElementsAttr>("value");
    OpBuilder b(check);
    return value ? stablehlo::ConstantOp::create(b, check->getLoc(), result.getType(), value).getResult() : Value();
  }

  void useResult(Value result, Result from) {
    if (isToken(result.getType()) || processes_.size() == 1) return result.replaceAllUsesWith(from.value);
    for (OpOperand &use : llvm::make_early_inc_range(result.getUses())) {
      Operation *user = use.getOwner();
      Value expected =
          mlir::isa_and_nonnull<check::CheckDialect>(user->getDialect()) ? expectedBy(user, result) : Value();
      if (!expected) continue;
      OpBuilder::InsertionGuard guard(b_);
      b_.setInsertionPoint(user);
      use.set(selectFor(from.process, from.value, expected));
    }
    if (!result.use_empty()) result.replaceAllUsesWith(onAllDevices(from));
  }

  Value onAllDevices(Result from) {
    auto type = cast<RankedTensorType>(from.value.getType());
    const int64_t count = static_cast<int64_t>(processes_.size()), at = static_cast<int64_t>(from.process);
    SmallVector<int64_t> one(type.getShape()), all, start(type.getRank() + 1, 0), stride(type.getRank() + 1, 1);
    one.insert(one.begin(), 1);
    all = one;
    all[0] = count;
    Location loc = op_.getLoc();
    Value block = stablehlo::ReshapeOp::create(b_, loc, type.clone(one), from.value);
    auto groups = DenseIntElementsAttr::get(RankedTensorType::get({1, count}, b_.getI64Type()),
                                            llvm::to_vector(llvm::seq<int64_t>(0, count)));
    auto gathered = stablehlo::AllGatherOp::create(
        b_, loc, TypeRange{type.clone(all)}, ValueRange{block}, b_.getI64IntegerAttr(0), groups,
        stablehlo::ChannelHandleAttr::get(b_.getContext(), 1, 0), b_.getUnitAttr());
    SmallVector<int64_t> limit(all);
    start[0] = at;
    limit[0] = at + 1;
    Value own =
        stablehlo::SliceOp::create(b_, loc, type.clone(one), gathered->getResult(0), b_.getDenseI64ArrayAttr(start),
                                   b_.getDenseI64ArrayAttr(limit), b_.getDenseI64ArrayAttr(stride));
    return stablehlo::ReshapeOp::create(b_, loc, type, own);
  }

  interpreter::RunParallelOp op_;
  ModuleOp module_;
  OpBuilder b_;
  SmallVector<func::FuncOp> processes_;
  int64_t partitions_ = 1, nextChannel_ = 1;
  SmallVector<Result> values_;  // of the op's results
  std::map<int64_t, std::pair<SmallVector<End>, SmallVector<End>>> channels_;
  size_t fed_ = 0;
};

}  // namespace

LogicalResult spreadProcesses(ModuleOp module) {
  SmallVector<interpreter::RunParallelOp> ops;
  module.walk([&](interpreter::RunParallelOp op) { ops.push_back(op); });
  for (auto op : ops)
    if (failed(Spread(op).run())) return failure();
  return success();
}

}  // namespace tpuc::frontend
