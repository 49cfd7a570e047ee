//===- partitioner.cpp - one device's program, op by op -----------------------------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===-----------------------------------------------------------------------------===//
#include "passes/shard/partition/partitioner.h"

using namespace mlir;

namespace tpuc::shard {

namespace hlo = tpuc::stablehlo;

// What one byte between devices costs, in bytes of memory and in operations of a matrix unit. The ratios of bandwidths
// and peak rates of the chips that the targets describe lie around 8 and 2000; a matrix unit rarely has its peak, and
// operands that are gathered to compute more take memory too.
constexpr double kMemoryBytesPerByte = 8, kFlopsPerByte = 500;

Partitioner::Partitioner(ModuleOp module, int64_t devices, bool partialSums)
    : emit(module.getContext()),
      table(module),
      devices(devices),
      module(module),
      partialSums(partialSums),
      areRemarked(module.getContext()->getRemarkEngine() != nullptr) {
  for (auto *add :
       {addElementwise, addShape, addContraction, addConvolution, addReduction, addWindows, addGather, addScatter,
        addDynamicSlices, addControl, addSharding, addLinalg, addTopK, addSort, addFourier, addRandom})
    add(handlers);
}

//===-----------------------------------------------------------------------------===//
// Values
//===-----------------------------------------------------------------------------===//

static SmallVector<int64_t> shapeOfType(Type type) {
  auto shaped = dyn_cast<RankedTensorType>(type);
  return shaped ? SmallVector<int64_t>(shaped.getShape()) : SmallVector<int64_t>();
}

Layout Partitioner::decode(sdy::TensorShardingAttr attribute, Type type) {
  std::optional<Sharding> sharding = table.decode(attribute);
  if (!sharding || !isa<RankedTensorType>(type)) return Layout::whole(shapeOfType(type));
  return layoutOf(*sharding, shapeOfType(type), emit.manual);
}

Layout Partitioner::wanted(Value global) { return decode(sdy::shardingOf(global), global.getType()); }

bool Partitioner::isVisible(Value local) {
  for (Block *block = emit.builder.getInsertionBlock(); block;) {
    if (block == local.getParentBlock()) return true;
    Operation *parent = block->getParentOp();
    block = parent ? parent->getBlock() : nullptr;
  }
  return false;
}

void Partitioner::set(Value global, Value local, Layout layout) {
  versions[global].push_back({local, std::move(layout)});
}

int64_t Partitioner::bytesTo(Value global, const Layout &layout) {
  auto type = dyn_cast<RankedTensorType>(global.getType());
  auto entry = versions.find(global);
  if (!type || entry == versions.end()) return 0;  // made where it is needed
  int64_t best = std::numeric_limits<int64_t>::max();
  for (const Version &version : entry->second)
    if (isVisible(version.value)) best = std::min(best, costs.bytes(type, version.layout, layout));
  return best;
}

Layout Partitioner::askedFor(Value result) {
  if (sdy::shardingOf(result) || !result.hasOneUse()) return wanted(result);
  OpOperand &use = *result.use_begin();
  Operation *user = use.getOwner();
  if (isa<sdy::ReshardOp, sdy::ShardingConstraintOp>(user)) return wanted(user->getResult(0));
  if (!isa<func::ReturnOp>(user)) return wanted(result);
  auto function = cast<func::FuncOp>(user->getParentOp());
  return decode(function.getResultAttrOfType<sdy::TensorShardingAttr>(use.getOperandNumber(), "sdy.sharding"),
                result.getType());
}

int64_t Partitioner::bytesFrom(Value result, const Layout &layout) {
  return result.use_empty() ? 0 : costs.bytes(typeOf(result), layout, askedFor(result));
}

const Version &Partitioner::current(Value global) {
  const Version *found = nullptr;
  for (const Version &version : versions[global])
    if (isVisible(version.value) && (!found || (!found->layout.unreduced.empty() && version.layout.unreduced.empty())))
      found = &version;
  if (found) return *found;
  Layout layout = wanted(global);
  get(global, layout);
  return versions[global].back();
}

void Partitioner::replace(Value global, Value local, Layout layout) {
  versions[global].clear();
  set(global, local, std::move(layout));
}

bool Partitioner::isPartial(Value global) {
  auto entry = versions.find(global);
  return entry != versions.end() && !entry->second.empty() &&
         llvm::all_of(entry->second, [](const Version &version) { return !version.layout.unreduced.empty(); });
}

// A value that is made where it is used, as none of its users has had it.
Version Partitioner::madeWhole(Value global, Layout layout) {
  assert(!layout.unreduced.empty() && "every value is set before it is used");
  layout.unreduced.clear();
  return {get(global, layout), layout};
}

Value Partitioner::get(Value global, const Layout &layout) {
  SmallVector<Version, 2> &all = versions[global];
  const Version *best = nullptr;
  int64_t bestBytes = 0;
  for (const Version &version : all) {
    if (!isVisible(version.value)) continue;
    if (version.layout == layout) {
      if (areRemarked) moves.asked.emplace_back(global, layout);
      return version.value;
    }
    auto type = cast<RankedTensorType>(global.getType());
    int64_t bytes = costs.bytes(type, version.layout, layout);
    if (best && bytes >= bestBytes) continue;
    best = &version;
    bestBytes = bytes;
  }
  Value made = remade(global, layout);
  if (!made) {
    Version from = best ? *best : madeWhole(global, layout);
    noteMove(global, typeOf(global), from.layout, layout);
    made = reshard(emit, from.value, typeOf(global).getShape(), from.layout, layout);
  }
  versions[global].push_back({made, layout});
  return made;
}

Value Partitioner::whole(Value global) { return get(global, Layout::whole(shapeOfType(global.getType()))); }

static Value iotaOn(Emitter &emit, hlo::IotaOp op, const Layout &layout) {
  RankedTensorType type = localType(op.getResult().getType(), layout);
  int64_t dim = op.getIotaDimension();
  const DimLayout &along = layout.dims[dim];
  if (along.axes.empty()) return emit.create<hlo::IotaOp>(type, dim);
  auto line = RankedTensorType::get({along.block}, emit.builder.getI32Type());
  Value offset = emit.perIndex(layout.mesh, along.axes, [&](int64_t i) { return i * along.block; });
  Value places = emit.create<hlo::AddOp>(emit.create<hlo::IotaOp>(line, 0), emit.broadcast(offset, line, {}));
  return emit.broadcast(emit.convert(places, type.getElementType()), type, {dim});
}

Value Partitioner::remade(Value global, const Layout &layout) {
  Operation *op = global.getDefiningOp();
  if (!op || !layout.unreduced.empty()) return {};
  ElementsAttr constant;
  if (auto plain = dyn_cast<hlo::ConstantOp>(op)) constant = plain.getValue();
  if (auto own = dyn_cast<sdy::ConstantOp>(op)) constant = own.getValue();
  if (auto dense = dyn_cast_or_null<DenseElementsAttr>(Attribute(constant)); dense && dense.isSplat()) {
    RankedTensorType type = localType(global.getType(), layout);
    return emit.create<hlo::ConstantOp>(type, cast<ElementsAttr>(Attribute(dense.resizeSplat(type))));
  }
  if (auto iota = dyn_cast<hlo::IotaOp>(op)) return iotaOn(emit, iota, layout);
  auto broadcast = dyn_cast<hlo::BroadcastInDimOp>(op);
  if (!broadcast || typeOf(broadcast.getOperand()).getRank() != 0) return {};
  return emit.broadcast(whole(broadcast.getOperand()), localType(global.getType(), layout), {});
}

//===-----------------------------------------------------------------------------===//
// Steps that families share
//===-----------------------------------------------------------------------------===//

std::optional<Factors> Partitioner::factorsOf(Operation *op) {
  auto rule = op->getAttrOfType<sdy::OpShardingRuleAttr>("sdy.sharding_rule");
  if (auto own = dyn_cast<sdy::ShardingRuleOpInterface>(op); own && !rule)
    rule = own.getShardingRule(/*conservative=*/false);
  if (!rule) return std::nullopt;
  return Factors(rule);
}

// Its only use adds other partial results, which are reduced in any case.
bool Partitioner::sharesReduction(Value result, const Layout &layout) {
  if (layout.unreduced.empty() || !result.hasOneUse()) return false;
  Operation *user = *result.user_begin();
  if (!isa<hlo::AddOp, hlo::SubtractOp>(user)) return false;
  Value other = user->getOperand(user->getOperand(0) == result ? 1 : 0);
  return other != result && other.hasOneUse() && isPartial(other) && current(other).layout == layout;
}

static double bytesOn(const Layout &layout, Type type) {
  double bytes = bytesOf(cast<RankedTensorType>(type).getElementType());
  for (int64_t size : layout.localShape()) bytes *= size;
  return bytes;
}

Choice Partitioner::choose(Operation *op, const Factors &factors) {
  Arrays arrays;
  SmallVector<Value> values(op->getOperands());
  llvm::append_range(values, op->getResults());
  for (auto [i, value] : llvm::enumerate(values)) {
    auto type = dyn_cast<RankedTensorType>(value.getType());
    arrays.shapes.push_back(type ? type.getShape() : ArrayRef<int64_t>());
    Layout layout = wanted(value);
    // What no annotation reached may be sharded all the same.
    if (i < op->getNumOperands() && layout.isUnsharded() && versions.contains(value)) layout = current(value).layout;
    arrays.wanted.push_back(layout);
  }
  arrays.costOfOperand = [&](int i, const Layout &layout) { return bytesTo(op->getOperand(i), layout); };
  arrays.costOfResult = [&](int i, const Layout &layout) -> int64_t {
    Value result = op->getResult(i);
    auto type = dyn_cast<RankedTensorType>(result.getType());
    if (!type || result.use_empty() || sharesReduction(result, layout)) return 0;
    return costs.bytes(type, layout, wanted(result));
  };
  bool contracts = isa<hlo::DotGeneralOp, hlo::ConvolutionOp>(op);
  arrays.work = [&, contracts](const Choice &choice) {
    double bytes = 0, flops = 2;
    for (auto [value, layout] : llvm::zip_equal(values, choice.layouts))
      if (isa<RankedTensorType>(value.getType())) bytes += bytesOn(layout, value.getType());
    for (auto [size, axes] : llvm::zip_equal(factors.rule.sizes, choice.axes))
      flops *= static_cast<double>(size) / static_cast<double>(sdy::shardedSize(axes));
    return bytes / kMemoryBytesPerByte + (contracts ? flops / kFlopsPerByte : 0);
  };
  if (areRemarked) moves.factors = factors;
  return shard::choose(factors, arrays);
}

static bool isOfSharding(NamedAttribute attribute) {
  StringRef name = attribute.getName();
  return name.starts_with("sdy.") || name == "mhlo.sharding";
}

void Partitioner::cloneRegion(Region &from, Region &to) {
  IRMapping map;
  from.walk([&](Operation *op) {
    for (Value operand : op->getOperands())
      if (!from.isAncestor(operand.getParentRegion()) && !map.contains(operand)) map.map(operand, whole(operand));
  });
  from.cloneInto(&to, map);
  to.walk([](Operation *op) {
    // JAX constrains what reducers compute, too.
    if (isa<sdy::ReshardOp, sdy::ShardingConstraintOp>(op)) {
      op->getResult(0).replaceAllUsesWith(op->getOperand(0));
      return op->erase();
    }
    for (NamedAttribute attribute : llvm::to_vector(op->getDiscardableAttrs()))
      if (isOfSharding(attribute)) op->removeDiscardableAttr(attribute.getName());
  });
}

Operation *Partitioner::clone(Operation *op, ValueRange operands, TypeRange results) {
  OperationState state(emit.location, op->getName(), operands, results);
  for (NamedAttribute attribute : op->getAttrs())
    if (!isOfSharding(attribute)) state.attributes.push_back(attribute);
  SmallVector<std::unique_ptr<Region>> regions;
  for (Region &region : op->getRegions()) {
    regions.push_back(std::make_unique<Region>());
    cloneRegion(region, *regions.back());
  }
  for (auto &region : regions) state.addRegion(std::move(region));
  return emit.builder.create(state);
}

SmallVector<Value> Partitioner::operandsFor(Operation *op, const Factors &factors, const Choice &choice) {
  SmallVector<Value> operands;
  for (auto [operand, layout] : llvm::zip_equal(op->getOperands(), choice.operands(factors)))
    operands.push_back(get(operand, layout));
  return operands;
}

void Partitioner::setResults(Operation *op, Operation *local, const Factors &factors, const Choice &choice,
                             Reducer reducer) {
  for (auto [global, value, layout] : llvm::zip_equal(op->getResults(), local->getResults(), choice.results(factors))) {
    Layout own = layout;
    own.unreduced = choice.reduced;
    own.reducer = reducer;
    set(global, value, own);
  }
}

static SmallVector<Type> localTypes(Operation *op, ArrayRef<Layout> layouts) {
  SmallVector<Type> types;
  for (auto [type, layout] : llvm::zip_equal(op->getResultTypes(), layouts))
    types.push_back(isa<RankedTensorType>(type) ? localType(type, layout) : type);
  return types;
}

LogicalResult Partitioner::replicate(Operation *op) {
  SmallVector<Value> operands = llvm::map_to_vector(op->getOperands(), [&](Value value) { return whole(value); });
  Operation *local = clone(op, operands, op->getResultTypes());
  for (auto [global, value] : llvm::zip_equal(op->getResults(), local->getResults()))
    set(global, value, Layout::whole(shapeOfType(global.getType())));
  return success();
}

LogicalResult Partitioner::byFactors(Operation *op) {
  std::optional<Factors> factors = factorsOf(op);
  return factors ? byFactors(op, *factors) : replicate(op);
}

LogicalResult Partitioner::byFactors(Operation *op, const Factors &factors) {
  Choice choice = choose(op, factors);
  SmallVector<Value> operands = operandsFor(op, factors, choice);
  Operation *local = clone(op, operands, localTypes(op, choice.results(factors)));
  setResults(op, local, factors, choice);
  return success();
}

Value Partitioner::maskPadding(Value local, const Layout &layout, ArrayRef<int64_t> shape, ArrayRef<int64_t> dims,
                               Value fill) {
  for (int64_t dim : dims) {
    const DimLayout &own = layout.dims[dim];
    if (own.axes.empty() || own.parts() * own.block == shape[dim]) continue;
    Value offset = emit.perIndex(layout.mesh, own.axes, [&](int64_t i) { return i * own.block; });
    local = emit.keepRange(local, dim, offset, std::numeric_limits<int32_t>::min(), shape[dim], fill);
  }
  return local;
}

std::optional<Reducer> reducerOf(Region &region) {
  Block &block = region.front();
  if (block.getNumArguments() != 2) return std::nullopt;
  Operation *end = block.getTerminator();
  if (end->getNumOperands() != 1) return std::nullopt;
  Operation *op = end->getOperand(0).getDefiningOp();
  if (!op || op->getNumOperands() != 2) return std::nullopt;
  Value a = block.getArgument(0), b = block.getArgument(1);
  bool both = (op->getOperand(0) == a && op->getOperand(1) == b) || (op->getOperand(0) == b && op->getOperand(1) == a);
  if (!both) return std::nullopt;
  return llvm::TypeSwitch<Operation *, std::optional<Reducer>>(op)
      .Case<hlo::AddOp>([](auto) { return Reducer::Sum; })
      .Case<hlo::MulOp>([](auto) { return Reducer::Product; })
      .Case<hlo::MaxOp>([](auto) { return Reducer::Max; })
      .Case<hlo::MinOp>([](auto) { return Reducer::Min; })
      .Case<hlo::AndOp>([](auto) { return Reducer::And; })
      .Case<hlo::OrOp>([](auto) { return Reducer::Or; })
      .Case<hlo::XorOp>([](auto) { return Reducer::Xor; })
      .Default(std::nullopt);
}

//===-----------------------------------------------------------------------------===//
// Ops in order
//===-----------------------------------------------------------------------------===//

LogicalResult Partitioner::operation(Operation *op) {
  Moves outer = std::exchange(moves, {});
  LogicalResult done = onDevices(op);
  if (!moves.gathers.empty()) {
    for (Value result : op->getResults())
      for (const Version &version : versions.lookup(result)) moves.results.emplace_back(result, version.layout);
    if (!moves.factors) moves.factors = factorsOf(op);
    remarkGathers(op, moves);
  }
  moves = std::move(outer);
  return done;
}

LogicalResult Partitioner::onDevices(Operation *op) {
  emit.location = op->getLoc();
  if (isa<hlo::PartitionIdOp, hlo::ReplicaIdOp>(op) ||
      llvm::any_of(op->getOperands(), [&](Value value) { return numbered.contains(value); })) {
    numbered.insert_range(op->getResults());
    if (emit.manual.empty() && op->getNumRegions() == 0 && isOnOneDevice(op)) return onOneDevice(op, *this);
  }
  if (std::optional<LogicalResult> done = onParts(op)) return *done;
  return handle(op);
}

LogicalResult Partitioner::handle(Operation *op) {
  auto handler = handlers.find(op->getName().getStringRef());
  return handler == handlers.end() ? byFactors(op) : handler->second(op, *this);
}

LogicalResult Partitioner::block(Block &block) {
  for (Operation &op : block.without_terminator())
    if (failed(operation(&op))) return failure();
  return success();
}

static SmallVector<NamedAttribute> listed(DictionaryAttr attributes) {
  return attributes ? SmallVector<NamedAttribute>(attributes.getValue()) : SmallVector<NamedAttribute>();
}

// What tools need of an argument or a result: the whole array and how it is parted.
static void describe(SmallVector<NamedAttribute> &attributes, Type type, const Layout &layout) {
  llvm::erase_if(attributes, isOfSharding);
  if (!isa<RankedTensorType>(type) || layout.isWhole()) return;
  MLIRContext *context = type.getContext();
  attributes.emplace_back(StringAttr::get(context, "tpuc.global_type"), TypeAttr::get(type));
  attributes.emplace_back(StringAttr::get(context, "tpuc.sharding"), StringAttr::get(context, hloSharding(layout)));
}

// Parts of a sum stay so where callers know of them.
Layout Partitioner::atBorder(func::FuncOp function, Layout layout) {
  if (!partialSums || !function.isPublic() || layout.reducer != Reducer::Sum) layout.unreduced.clear();
  return layout;
}

LogicalResult Partitioner::function(func::FuncOp function) {
  Block &old = function.getBody().front();
  SmallVector<Type> inputs, outputs;
  SmallVector<Attribute> inputAttributes, outputAttributes;
  SmallVector<Layout, 2> layouts, outputLayouts;
  for (auto [i, argument] : llvm::enumerate(old.getArguments())) {
    layouts.push_back(atBorder(function, wanted(argument)));
    Type type = argument.getType();
    inputs.push_back(isa<RankedTensorType>(type) ? localType(type, layouts.back()) : type);
    SmallVector<NamedAttribute> attributes = listed(function.getArgAttrDict(i));
    describe(attributes, type, layouts.back());
    inputAttributes.push_back(DictionaryAttr::get(function.getContext(), attributes));
  }
  for (auto [i, type] : llvm::enumerate(function.getResultTypes())) {
    auto stated = function.getResultAttrOfType<sdy::TensorShardingAttr>(i, "sdy.sharding");
    Layout layout = atBorder(function, decode(stated, type));
    outputs.push_back(isa<RankedTensorType>(type) ? localType(type, layout) : type);
    SmallVector<NamedAttribute> attributes = listed(function.getResultAttrDict(i));
    describe(attributes, type, layout);
    outputAttributes.push_back(DictionaryAttr::get(function.getContext(), attributes));
    outputLayouts.push_back(std::move(layout));
  }
  SmallVector<Location> locations = llvm::map_to_vector(old.getArguments(), [](Value v) { return v.getLoc(); });
  Block *local = emit.builder.createBlock(&function.getBody(), function.getBody().end(), inputs, locations);
  for (auto [i, argument] : llvm::enumerate(old.getArguments())) set(argument, local->getArgument(i), layouts[i]);
  if (failed(block(old))) return failure();
  emit.location = old.getTerminator()->getLoc();
  SmallVector<Value> results;
  for (auto [value, layout] : llvm::zip_equal(old.getTerminator()->getOperands(), outputLayouts))
    results.push_back(get(value, layout));
  emit.create<func::ReturnOp>(results);
  old.dropAllDefinedValueUses();
  old.erase();
  function.setFunctionType(FunctionType::get(function.getContext(), inputs, outputs));
  function.setAllArgAttrs(inputAttributes);
  function.setAllResultAttrs(outputAttributes);
  return success();
}

}  // namespace tpuc::shard
