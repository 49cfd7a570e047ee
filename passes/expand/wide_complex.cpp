// Complex numbers on their parts, which may be wide themselves: every rule builds ops on the parts' type, and those of f64 are
// expanded when their turn comes.
#include "passes/expand/wide.h"

using namespace mlir;

namespace tpuc::expand {

Planes expandComplex(Lanes &l, Operation *op, ArrayRef<Planes> v) {
  using namespace stablehlo;
  StringRef name = op->getName().getStringRef();
  // Of f64, `v` holds joined parts here: two values a number.
  auto re = [&](unsigned i) { return v[i][0]; };
  auto im = [&](unsigned i) { return v[i][1]; };
  auto mulAdd = [&](Value a, Value b, Value c, Value d, bool subtract) {
    Value x = l.mul(a, b), y = l.mul(c, d);
    return subtract ? l.sub(x, y) : l.add(x, y);
  };
  if (name == "stablehlo.real") return {re(0)};
  if (name == "stablehlo.imag") return {im(0)};
  if (name == "stablehlo.complex") return {v[0][0], v[1][0]};
  if (name == "stablehlo.add") return {l.add(re(0), re(1)), l.add(im(0), im(1))};
  if (name == "stablehlo.subtract") return {l.sub(re(0), re(1)), l.sub(im(0), im(1))};
  if (name == "stablehlo.negate") return {l.op<NegOp>(re(0)), l.op<NegOp>(im(0))};
  if (name == "stablehlo.multiply") return {mulAdd(re(0), re(1), im(0), im(1), true), mulAdd(re(0), im(1), im(0), re(1), false)};
  if (auto cmp = dyn_cast<CompareOp>(op)) {
    bool ne = cmp.getComparisonDirection() == Lanes::Direction::NE;
    Value a = l.compare(cmp.getComparisonDirection(), re(0), re(1)), b = l.compare(cmp.getComparisonDirection(), im(0), im(1));
    return {ne ? l.bor(a, b) : l.band(a, b)};
  }
  return {};
}

}  // namespace tpuc::expand
