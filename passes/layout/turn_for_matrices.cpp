// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Products of an array with a matrix along one of its dims after the other (jax.image.resize, separable transforms).
//
//  1. A chain: dots whose one operand is a matrix, each along another dim of what the dot before made.
//  2. With the dims that no matrix meets in front, each product has its dim along sublanes or lanes, and its result
//     lies where the next one wants it: one transpose before the chain and one behind it.
//  3. The planner's estimates of both forms decide. As the chain is, a dim that lies neither along lanes nor next to
//     them comes first, and the others are joined, which moves the array twice for each product.
#include "dialects/kernel/kernel.h"
#include "passes/analysis/domain.h"
#include "passes/analysis/dot_roles.h"
#include "passes/analysis/target_option.h"
#include "passes/builders/build.h"
#include "passes/layout/array_orders.h"
#include "passes/layout/passes.h"
#include "passes/plan/question.h"

using namespace mlir;

namespace tpuc::layout {
using namespace builders;
#define GEN_PASS_DEF_TURNFORMATRICESPASS
#include "passes/layout/passes.h.inc"
namespace {

// A product of an array and a matrix, and the transpose behind it.
struct Link {
  stablehlo::DotGeneralOp dot;
  bool matrixFirst = false;
  int64_t dim = 0;              // of the array, which is contracted
  int64_t contracted = 0;       // dim of the matrix
  SmallVector<int64_t> source;  // the array's dim that each of the result's was; `dim` for the matrix's

  Value matrix() { return matrixFirst ? dot.getLhs() : dot.getRhs(); }
  Value array() { return matrixFirst ? dot.getRhs() : dot.getLhs(); }
  stablehlo::TransposeOp transpose() {
    return dot->hasOneUse() ? dyn_cast<stablehlo::TransposeOp>(*dot->user_begin()) : stablehlo::TransposeOp();
  }
  Value result() { return transpose() ? transpose().getResult() : dot.getResult(); }
};

std::optional<Link> linkOf(stablehlo::DotGeneralOp dot) {
  auto n = dot.getDotDimensionNumbers();
  auto isEmpty = [](Value v) { return typeOf(v).getNumElements() == 0; };
  if (!n.getLhsBatchingDimensions().empty() || n.getLhsContractingDimensions().size() != 1 || isEmpty(dot) ||
      isEmpty(dot.getLhs()) || isEmpty(dot.getRhs()) || !analysis::takesEitherWay(dot.getAlgorithmAttr()))
    return std::nullopt;
  const int64_t left = typeOf(dot.getLhs()).getRank(), right = typeOf(dot.getRhs()).getRank();
  if ((left == 2) == (right == 2) || std::max(left, right) < 3) return std::nullopt;
  Link out{dot,
           left == 2,
           (left == 2 ? n.getRhsContractingDimensions() : n.getLhsContractingDimensions())[0],
           (left == 2 ? n.getLhsContractingDimensions() : n.getRhsContractingDimensions())[0],
           {}};
  for (int64_t d = 0; d < std::max(left, right); ++d)
    if (d != out.dim) out.source.push_back(d);
  out.source.insert(out.matrixFirst ? out.source.begin() : out.source.end(), out.dim);
  if (stablehlo::TransposeOp transpose = out.transpose())
    out.source = llvm::map_to_vector(transpose.getPermutation(), [&](int64_t d) { return out.source[d]; });
  return out;
}

class Chain {
 public:
  Chain(Link first, const plan::Question &question, int64_t side) : question_(question), side_(side), links_{first} {
    while (links_.back().result().hasOneUse()) {
      auto dot = dyn_cast<stablehlo::DotGeneralOp>(*links_.back().result().user_begin());
      std::optional<Link> next = dot ? linkOf(dot) : std::nullopt;
      if (!next || next->array() != links_.back().result()) break;
      links_.push_back(*next);
    }
  }
  ArrayRef<Link> links() const { return links_; }

  void rewrite() {
    if (!readDims()) return;
    const std::optional<double> before = cyclesAsItIs();
    OpBuilder b(links_.back().result().getDefiningOp());
    Turned turned = turn(b);
    if (turned.cycles && (!before || *turned.cycles < *before)) {
      links_.back().result().replaceAllUsesWith(turned.result);
      for (Link &link : llvm::reverse(links_)) {
        if (stablehlo::TransposeOp transpose = link.transpose()) transpose.erase();
        link.dot.erase();
      }
      return;
    }
    for (Operation *op : llvm::reverse(turned.ops)) op->erase();
  }

 private:
  struct Turned {
    Value result;
    SmallVector<Operation *> ops;
    std::optional<double> cycles;
  };

  // Numbers of the source's dims: which one each dim of the chain's result is, and which a matrix meets. Those are two
  // or more, each met once.
  bool readDims() {
    dims_ = llvm::to_vector(llvm::seq<int64_t>(0, typeOf(links_[0].array()).getRank()));
    for (Link &link : links_) {
      if (llvm::is_contained(met_, dims_[link.dim])) return false;
      met_.push_back(dims_[link.dim]);
      dims_ = llvm::map_to_vector(link.source, [&](int64_t d) { return dims_[d]; });
    }
    return links_.size() > 1;
  }

  // Of a kernel of `dot` and the transpose of its result.
  std::optional<double> cyclesOf(stablehlo::DotGeneralOp dot, ArrayRef<int64_t> order) const {
    OpBuilder b(dot->getBlock(), std::next(dot->getIterator()));
    Value turned = Build{b, dot.getLoc()}.transpose(dot, order);
    if (turned == dot.getResult()) return question_.cyclesOf("dot", {dot});
    const std::optional<double> cycles = question_.cyclesOf("dot", {dot, turned.getDefiningOp()});
    turned.getDefiningOp()->erase();
    return cycles;
  }

  std::optional<double> cyclesAsItIs() {
    double total = 0;
    for (Link &link : links_) {
      const Order order = wantedOrder(link.dot);
      const std::optional<double> cycles =
          streams(link.dot, order, side_) ? cyclesOf(link.dot, order) : cyclesOfMatrices(link);
      if (!cycles) return std::nullopt;
      total += *cycles;
    }
    return total;
  }
  // With the contracted dim first, or last where it lies so, and all others joined (normalise_dots.cpp).
  std::optional<double> cyclesOfMatrices(Link &link) {
    OpBuilder b(link.dot);
    Build build{b, link.dot.getLoc()};
    RankedTensorType array = typeOf(link.array()), result = typeOf(link.result());
    const int64_t k = array.getDimSize(link.dim), rest = array.getNumElements() / k;
    const bool isLast = link.dim == array.getRank() - 1;
    Value joined = build.reshape(link.array(), isLast ? ArrayRef{rest, k} : ArrayRef{k, rest});
    auto dot = product(build, link, joined, isLast ? 1 : 0);
    RankedTensorType out = typeOf(dot);
    const std::optional<double> cycles = cyclesOf(dot, {0, 1});
    double moves = question_.cyclesToMove(out, result) + (isLast ? 0 : question_.cyclesToMove(array, typeOf(joined)));
    dot.erase();
    joined.getDefiningOp()->erase();
    return cycles ? std::optional(*cycles + moves) : std::nullopt;
  }

  // `v` times the link's matrix along `dim`: the matrix's dim comes last where `dim` is `v`'s last one, else first.
  static stablehlo::DotGeneralOp product(Build &build, Link &link, Value v, int64_t dim) {
    const int64_t own = typeOf(link.matrix()).getDimSize(1 - link.contracted);
    const bool isLast = dim == typeOf(v).getRank() - 1;
    SmallVector<int64_t> shape(typeOf(v).getShape());
    shape.erase(shape.begin() + dim);
    shape.insert(isLast ? shape.end() : shape.begin(), own);
    ArrayRef<int64_t> ofArray(dim), ofMatrix(link.contracted);
    auto numbers = stablehlo::DotDimensionNumbersAttr::get(build.b.getContext(), {}, {}, isLast ? ofArray : ofMatrix,
                                                           isLast ? ofMatrix : ofArray);
    return stablehlo::DotGeneralOp::create(
        build.b, build.loc, typeOf(link.dot).clone(shape), isLast ? v : link.matrix(), isLast ? link.matrix() : v,
        numbers, analysis::precisionOf(link.dot, isLast == link.matrixFirst), link.dot.getAlgorithmAttr());
  }

  // The dims that no matrix meets, then the others, both as they lie.
  Order order() const {
    Order out;
    for (bool isMet : {false, true})
      for (int64_t d = 0; d < static_cast<int64_t>(dims_.size()); ++d)
        if (llvm::is_contained(met_, d) == isMet) out.push_back(d);
    return out;
  }

  Turned turn(OpBuilder &b) {
    Turned out;
    out.cycles = 0;
    const Order order = this->order();
    Build build{b, links_[0].dot.getLoc()};
    auto turned = [&](Value v, ArrayRef<int64_t> permutation) {
      Value made = build.transpose(v, permutation);
      if (made != v) out.ops.push_back(made.getDefiningOp());
      return made;
    };
    Value v = turned(links_[0].array(), order);
    if (!out.ops.empty()) *out.cycles += question_.cyclesToMove(typeOf(links_[0].array()), typeOf(v));
    for (auto [link, met] : llvm::zip_equal(links_, met_)) {
      build.loc = link.dot.getLoc();
      const int64_t at = llvm::find(order, met) - order.begin(), rank = static_cast<int64_t>(order.size());
      auto dot = product(build, link, v, at);
      out.ops.push_back(dot);
      Order back = llvm::to_vector(llvm::seq<int64_t>(0, rank));
      if (at != rank - 1) std::rotate(back.begin(), back.begin() + 1, back.begin() + at + 1);
      if (auto cycles = streams(dot, back, side_) ? cyclesOf(dot, back) : std::nullopt; cycles && out.cycles)
        *out.cycles += *cycles;
      else
        out.cycles = std::nullopt;
      v = turned(dot, back);
    }
    out.result = turned(
        v, llvm::map_to_vector(dims_, [&](int64_t d) -> int64_t { return llvm::find(order, d) - order.begin(); }));
    if (out.result != v && out.cycles) *out.cycles += question_.cyclesToMove(typeOf(v), typeOf(out.result));
    return out;
  }

  const plan::Question &question_;
  int64_t side_;
  SmallVector<Link> links_;
  SmallVector<int64_t> dims_, met_;
};

struct TurnForMatrices : impl::TurnForMatricesPassBase<TurnForMatrices> {
  using TurnForMatricesPassBase::TurnForMatricesPassBase;

  void runOnOperation() override {
    target::Target machine;
    if (failed(analysis::loadTarget(getOperation(), target, sets, machine))) return signalPassFailure();
    const plan::Question question(machine);
    SmallVector<stablehlo::DotGeneralOp> dots;
    getOperation().walk([&](stablehlo::DotGeneralOp dot) { dots.push_back(dot); });
    llvm::DenseSet<Operation *> done;
    for (stablehlo::DotGeneralOp dot : dots) {
      std::optional<Link> first = done.contains(dot) ? std::nullopt : linkOf(dot);
      if (!first) continue;
      Chain chain(*first, question, machine.core().mxu_side());
      for (const Link &link : chain.links()) done.insert(link.dot);
      chain.rewrite();
    }
  }
};

}  // namespace
}  // namespace tpuc::layout
