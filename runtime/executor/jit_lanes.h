// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Lanes as nodes of a graph, for eup.h.
#pragma once
#include "runtime/executor/jit_graph.h"

namespace tpuc::exec::jit {

struct Lanes {
  Graph *graph;

  struct F {
    Graph *graph;
    Value id;
  };
  struct I {
    Graph *graph;
    Value id;
  };
  struct M {
    Graph *graph;
    Value id;
  };

  F constant(float f) const { return {graph, graph->constant(f)}; }
  F fma(F a, F b, F c) const { return {graph, graph->fma(a.id, b.id, c.id)}; }
  F fma(F a, F b, float c) const { return fma(a, b, constant(c)); }
  F fma(F a, float b, float c) const { return fma(a, constant(b), constant(c)); }
  F fma(F a, float b, F c) const { return fma(a, constant(b), c); }
  F select(M m, F a, F b) const { return {graph, graph->select(m.id, a.id, b.id)}; }
  F select(M m, F a, float b) const { return select(m, a, constant(b)); }
  F select(M m, float a, F b) const { return select(m, constant(a), b); }
  I select(M m, int a, int b) const {
    return {graph,
            graph->select(m.id, graph->constant(static_cast<uint32_t>(a)), graph->constant(static_cast<uint32_t>(b)))};
  }
  I bits(F a) const { return {graph, a.id}; }
  F asFloat(I a) const { return {graph, a.id}; }
  I toInt(F a) const { return {graph, graph->unary({Insn::ToInt}, a.id)}; }
  F toFloat(I a) const { return {graph, graph->unary({Insn::FromInt}, a.id)}; }
  F masked(F a, uint32_t bits) const { return {graph, graph->binary({Insn::And}, a.id, graph->constant(bits))}; }
  F abs(F a) const { return masked(a, 0x7fffffff); }
  F copysign(F a, F sign) const { return {graph, graph->binary({Insn::Or}, abs(a).id, masked(sign, 0x80000000).id)}; }
  F copysign(float a, F sign) const { return copysign(constant(a), sign); }
};

inline Lanes::F arithmetic(Insn insn, Lanes::F a, Lanes::F b) {
  return {a.graph, a.graph->binary({insn}, a.id, b.id, true)};
}
inline Lanes::F number(Graph *g, float f) { return {g, g->constant(f)}; }
inline Lanes::F operator+(Lanes::F a, Lanes::F b) { return arithmetic(Insn::AddF, a, b); }
inline Lanes::F operator-(Lanes::F a, Lanes::F b) { return arithmetic(Insn::SubF, a, b); }
inline Lanes::F operator*(Lanes::F a, Lanes::F b) { return arithmetic(Insn::MulF, a, b); }
inline Lanes::F operator/(Lanes::F a, Lanes::F b) { return arithmetic(Insn::DivF, a, b); }
inline Lanes::F operator+(Lanes::F a, float b) { return a + number(a.graph, b); }
inline Lanes::F operator-(Lanes::F a, float b) { return a - number(a.graph, b); }
inline Lanes::F operator*(Lanes::F a, float b) { return a * number(a.graph, b); }
inline Lanes::F operator-(float a, Lanes::F b) { return number(b.graph, a) - b; }
inline Lanes::F operator/(float a, Lanes::F b) { return number(b.graph, a) / b; }
inline Lanes::F operator-(Lanes::F a) {
  return {a.graph, a.graph->binary({Insn::Xor}, a.id, a.graph->constant(0x80000000u))};
}

inline Lanes::M comparison(FloatPredicate predicate, Lanes::F a, Lanes::F b) {
  return {a.graph, a.graph->compare({Insn::CompareF, predicate}, a.id, b.id)};
}
inline Lanes::M operator==(Lanes::F a, Lanes::F b) { return comparison(kEqF, a, b); }
inline Lanes::M operator==(Lanes::F a, float b) { return comparison(kEqF, a, number(a.graph, b)); }
inline Lanes::M operator<(Lanes::F a, float b) { return comparison(kLtF, a, number(a.graph, b)); }
inline Lanes::M operator>(Lanes::F a, float b) { return comparison(kGtF, a, number(a.graph, b)); }
inline Lanes::M operator>=(Lanes::F a, float b) { return comparison(kGeF, a, number(a.graph, b)); }

inline Lanes::I integer(Graph *g, int v) { return {g, g->constant(static_cast<uint32_t>(v))}; }
inline Lanes::I operator+(Lanes::I a, int b) {
  return {a.graph, a.graph->binary({Insn::AddI}, a.id, integer(a.graph, b).id)};
}
inline Lanes::I operator-(Lanes::I a, Lanes::I b) { return {a.graph, a.graph->binary({Insn::SubI}, a.id, b.id)}; }
inline Lanes::I operator-(Lanes::I a, int b) { return a - integer(a.graph, b); }
inline Lanes::I operator-(int a, Lanes::I b) { return integer(b.graph, a) - b; }
inline Lanes::I operator<<(Lanes::I a, int by) {
  return {a.graph, a.graph->unary({Insn::ShiftLeftBy, static_cast<uint8_t>(by)}, a.id)};
}
inline Lanes::I operator>>(Lanes::I a, int by) {
  return {a.graph, a.graph->unary({Insn::ShiftRightBy, static_cast<uint8_t>(by)}, a.id)};
}

#include "runtime/executor/eup.h"

}  // namespace tpuc::exec::jit
