// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "passes/decompose/loop_bodies.h"

#include "dialects/stablehlo/sorts.h"
#include "mlir/Transforms/RegionUtils.h"
#include "passes/builders/build.h"
#include "passes/builders/inline_region.h"

using namespace mlir;

namespace tpuc::decompose {
using namespace builders;
namespace {

using Direction = stablehlo::ComparisonDirection;

// A scatter's windows one after the other: [windows, index components], [windows, window dims...].
class InTurn {
 public:
  explicit InTurn(stablehlo::ScatterOp op)
      : op_(op), b_(op), loc_(op.getLoc()), build_{b_, loc_}, numbers_(op.getScatterDimensionNumbers()) {}

  void run() {
    listIndices();
    for (Value v : op_.getUpdates()) updates_.push_back(listed(v));
    if (windows_ == 0) return replace(op_.getInputs());
    Value first = counter(0);
    SmallVector<Value> start{first};
    llvm::append_range(start, op_.getInputs());
    auto loop = stablehlo::WhileOp::create(b_, loc_, TypeRange(ValueRange(start)), start);
    SmallVector<Location> locations(start.size(), loc_);
    {
      OpBuilder::InsertionGuard guard(b_);
      Block *condition = b_.createBlock(&loop.getCond(), {}, TypeRange(ValueRange(start)), locations);
      stablehlo::ReturnOp::create(
          b_, loc_,
          Value(stablehlo::CompareOp::create(b_, loc_, condition->getArgument(0), counter(windows_), Direction::LT)));
      Block *body = b_.createBlock(&loop.getBody(), {}, TypeRange(ValueRange(start)), locations);
      SmallVector<Value> next{stablehlo::AddOp::create(b_, loc_, first.getType(), body->getArgument(0), counter(1))};
      llvm::append_range(next, put(body->getArgument(0), body->getArguments().drop_front()));
      stablehlo::ReturnOp::create(b_, loc_, next);
    }
    replace(loop.getResults().drop_front());
  }

 private:
  Value counter(int64_t value) { return build_.splat(RankedTensorType::get({}, b_.getI32Type()), value); }
  void replace(ValueRange results) {
    op_.replaceAllUsesWith(results);
    op_.erase();
  }

  // The positions along batching dims are components like others.
  void listIndices() {
    Value indices = op_.getScatterIndices();
    int64_t last = numbers_.getIndexVectorDim(), rank = typeOf(indices).getRank();
    SmallVector<int64_t> batch, order;
    for (int64_t d = 0; d < rank; ++d)
      if (d != last) order.push_back(d), batch.push_back(typeOf(indices).getDimSize(d));
    SmallVector<int64_t> shape(batch);
    shape.push_back(last < rank ? typeOf(indices).getDimSize(last) : 1);
    if (last < rank) order.push_back(last);
    indices = build_.reshape(build_.transpose(indices, order), shape);
    if (typeOf(indices).getElementTypeBitWidth() < 32) indices = build_.convert(indices, b_.getI32Type());
    map_ = llvm::to_vector(numbers_.getScatterDimsToOperandDims());
    inserted_ = llvm::to_vector(numbers_.getInsertedWindowDims());
    SmallVector<Value> components{indices};
    shape.back() = 1;
    for (auto [of, dim] : llvm::zip(numbers_.getInputBatchingDims(), numbers_.getScatterIndicesBatchingDims())) {
      components.push_back(
          stablehlo::IotaOp::create(b_, loc_, typeOf(indices).clone(shape), dim - (dim > last ? 1 : 0)));
      map_.push_back(of);
      inserted_.push_back(of);
    }
    llvm::sort(inserted_);
    windows_ = llvm::product_of(batch);
    indices_ = build_.reshape(components.size() > 1 ? build_.concatenate(components, batch.size()) : indices,
                              {windows_, static_cast<int64_t>(map_.size())});
  }

  Value listed(Value updates) {
    SmallVector<int64_t> order, shape{windows_};
    for (int64_t d = 0; d < typeOf(updates).getRank(); ++d)
      if (!llvm::is_contained(numbers_.getUpdateWindowDims(), d)) order.push_back(d);
    for (int64_t d : numbers_.getUpdateWindowDims()) order.push_back(d), shape.push_back(typeOf(updates).getDimSize(d));
    return build_.reshape(build_.transpose(updates, order), shape);
  }

  Value at(Value list, Value number) {
    SmallVector<int64_t> sizes(typeOf(list).getShape());
    sizes[0] = 1;
    SmallVector<Value> starts(sizes.size(), counter(0));
    starts[0] = number;
    return stablehlo::DynamicSliceOp::create(b_, loc_, typeOf(list).clone(sizes), list, starts,
                                             b_.getDenseI64ArrayAttr(sizes));
  }

  // Whether all of a window is inside. `index` is its start, [1, components].
  Value isInside(Value index, ArrayRef<int64_t> shape, ArrayRef<int64_t> sizes) {
    Value inside;
    for (auto [k, d] : llvm::enumerate(map_)) {
      Value at = build_.component(index, 1, k);
      for (auto [bound, direction] :
           {std::pair(int64_t{0}, Direction::GE), std::pair(shape[d] - sizes[d], Direction::LE)}) {
        Value fits = stablehlo::CompareOp::create(b_, loc_, at, build_.splat(typeOf(at), bound), direction);
        inside = inside ? Value(stablehlo::AndOp::create(b_, loc_, inside, fits)) : fits;
      }
    }
    return inside;
  }

  // What a window outside is read as does not matter: nothing is computed of it, and it is not put back.
  SmallVector<Value> put(Value number, ValueRange arrays) {
    Value index = at(indices_, number);
    SmallVector<Value> arguments, window = llvm::map_to_vector(updates_, [&](Value v) { return at(v, number); });
    SmallVector<int64_t> dims = llvm::to_vector(llvm::seq<int64_t>(1, typeOf(window[0]).getRank())), sizes;
    for (int64_t d = 0, next = 1; d < typeOf(arrays[0]).getRank(); ++d)
      sizes.push_back(llvm::is_contained(inserted_, d) ? 1 : typeOf(window[0]).getDimSize(next++));
    auto read = stablehlo::GatherDimensionNumbersAttr::get(b_.getContext(), dims, inserted_, {}, {}, map_, 1);
    for (Value v : arrays)
      arguments.push_back(stablehlo::GatherOp::create(b_, loc_, typeOf(v).clone(typeOf(window[0]).getShape()), v, index,
                                                      read, b_.getDenseI64ArrayAttr(sizes), b_.getBoolAttr(false)));
    llvm::append_range(arguments, window);
    Block &computation = op_.getUpdateComputation().front();
    for (auto [v, arg] : llvm::zip(arguments, computation.getArguments()))
      if (Type type = typeOf(v).clone(typeOf(arg).getElementType()); type != v.getType())
        v = stablehlo::ConvertOp::create(b_, loc_, type, v);
    Value inside = isInside(index, typeOf(arrays[0]).getShape(), sizes);
    SmallVector<Value> made = inlineElementwise(
        b_, computation, arguments, inside ? build_.broadcast(inside, typeOf(window[0]).getShape(), {0}) : inside);
    auto written = stablehlo::ScatterDimensionNumbersAttr::get(b_.getContext(), dims, inserted_, {}, {}, map_, 1);
    auto scatter = stablehlo::ScatterOp::create(b_, loc_, TypeRange(arrays), arrays, index, made, written,
                                                b_.getBoolAttr(true), b_.getBoolAttr(true));
    OpBuilder::InsertionGuard guard(b_);
    SmallVector<Type> scalars;
    for (Value v : llvm::concat<Value>(SmallVector<Value>(arrays), made))
      scalars.push_back(typeOf(v).clone(ArrayRef<int64_t>{}));
    Block *body =
        b_.createBlock(&scatter.getUpdateComputation(), {}, scalars, SmallVector<Location>(scalars.size(), loc_));
    stablehlo::ReturnOp::create(b_, loc_, body->getArguments().take_back(made.size()));
    return scatter.getResults();
  }

  stablehlo::ScatterOp op_;
  OpBuilder b_;
  Location loc_;
  Build build_;
  stablehlo::ScatterDimensionNumbersAttr numbers_;
  int64_t windows_ = 0;
  Value indices_;
  SmallVector<Value> updates_;
  SmallVector<int64_t> map_, inserted_;
};

}  // namespace

void scatterInTurn(stablehlo::ScatterOp op) { InTurn(op).run(); }

void sortByRank(stablehlo::SortOp op) {
  OpBuilder b(op);
  Location loc = op.getLoc();
  Build build{b, loc};
  const int64_t rank = typeOf(op.getInputs()[0]).getRank(), dim = stablehlo::sortedDim(op);
  // [..., n, n, ...]: each element against all others.
  SmallVector<int64_t> shape(typeOf(op.getInputs()[0]).getShape()), itself, other;
  shape.insert(shape.begin() + dim, shape[dim]);
  for (int64_t d = 0; d < rank; ++d) {
    itself.push_back(d > dim ? d + 1 : d);
    other.push_back(d >= dim ? d + 1 : d);
  }
  SmallVector<Value> arguments;
  for (Value v : op.getInputs()) {
    arguments.push_back(build.broadcast(v, shape, other));
    arguments.push_back(build.broadcast(v, shape, itself));
  }
  Value before = inlineElementwise(b, op.getComparator().front(), arguments)[0];
  Value ranks = build.sum(build.convert(before, b.getI32Type()), {dim + 1});
  SmallVector<Value> arrays{ranks};
  llvm::append_range(arrays, op.getInputs());
  auto sort = stablehlo::SortOp::create(b, loc, TypeRange(ValueRange(arrays)), arrays, dim, true);
  SmallVector<Type> scalars;
  for (Value v : arrays) scalars.append(2, typeOf(v).clone(ArrayRef<int64_t>{}));
  Block *body = b.createBlock(&sort.getComparator(), {}, scalars, SmallVector<Location>(scalars.size(), loc));
  stablehlo::ReturnOp::create(
      b, loc, Value(stablehlo::CompareOp::create(b, loc, body->getArgument(0), body->getArgument(1), Direction::LT)));
  op.replaceAllUsesWith(sort.getResults().drop_front());
  op.erase();
}

void sortWithCaptures(stablehlo::SortOp op) {
  OpBuilder b(op);
  Build build{b, op.getLoc()};
  Block &comparator = op.getComparator().front();
  SmallVector<Value> arrays(op.getInputs());
  for (Value captured : capturesOf(comparator)) {
    auto scalar = typeOf(captured).clone(ArrayRef<int64_t>{});
    arrays.push_back(build.broadcast(build.reshape(captured, {}), typeOf(arrays[0]).getShape(), {}));
    BlockArgument own = comparator.addArgument(scalar, op.getLoc());
    comparator.addArgument(scalar, op.getLoc());
    OpBuilder inside = OpBuilder::atBlockBegin(&comparator);
    Value v = Build{inside, op.getLoc()}.reshape(own, typeOf(captured).getShape());
    replaceAllUsesInRegionWith(captured, v, op.getComparator());
  }
  auto sort = stablehlo::SortOp::create(b, op.getLoc(), TypeRange(ValueRange(arrays)), arrays, op.getDimension(),
                                        op.getIsStable());
  sort.getComparator().takeBody(op.getComparator());
  op.replaceAllUsesWith(sort.getResults().take_front(op.getNumResults()));
  op.erase();
}

}  // namespace tpuc::decompose
