// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Generator: every register is assigned before it is read; registers born in a branch or a loop are not read outside.
#include "test/unit/schedule/random_routine.h"

#include <random>

#include "passes/schedule/flow.h"

namespace tpuc::schedule::reference {
namespace {

using machine::LoopNode;
using machine::Region;
using machine::Routine;

constexpr int kRegions = 4;

class Generator {
 public:
  Generator(uint64_t seed, const RandomOptions &options) : rng_(seed), options_(options) {}

  Routine run() {
    routine_.name = "random";
    routine_.isEntry = chance(50);
    routine_.spillVmemWord = int64_t{1} << 29;
    routine_.spillSmemByte = int64_t{1} << 29;
    if (chance(70)) names_.s.push_back(routine_.gridStart = newReg(RegKind::S));
    if (chance(70)) names_.s.push_back(routine_.gridCount = newReg(RegKind::S));
    Region &body = routine_.body;
    for (int r = 0; r < kRegions; ++r)
      for (int k = 0; k < 2; ++k) {
        Reg a = newReg(RegKind::S);
        put(body, make(Op::SLi, a, {}, (r + 1) * (1 << 22) + 64 * k));
        names_.address[r].push_back(a);
      }
    for (Reg &counter : counters_) put(body, make(Op::SLi, counter = newReg(RegKind::S), {}, 1));
    while (static_cast<int>(names_.s.size()) < options_.scalars) {
      Reg r = newReg(RegKind::S);
      put(body, chance(50) ? make(Op::SLi, r, {}, pick(100)) : make(Op::SLdw, r, {names_.address[0][0]}, 4 * pick(20)));
      names_.s.push_back(r);
    }
    for (int i = 0; i < options_.vregs; ++i) {
      Reg r = newReg(RegKind::V);
      put(body, chance(30) ? make(Op::VLi, r, {}, pick(100)) : load(r));
      names_.v.push_back(r);
    }
    for (int i = 0; i < options_.masks; ++i) {
      Reg r = newReg(RegKind::M);
      put(body, make(Op::VLtI, r, {oneOf(names_.v), oneOf(names_.v)}, 0));
      names_.m.push_back(r);
    }
    budget_ = options_.statements;
    while (budget_ > 0) statement(body, 0);
    finish(body);
    return std::move(routine_);
  }

 private:
  struct Names {
    std::vector<Reg> s, v, m;
    std::vector<Reg> address[kRegions];
  };

  int pick(int n) { return static_cast<int>(rng_() % static_cast<uint64_t>(n)); }
  bool chance(int percent) { return pick(100) < percent; }
  Reg newReg(RegKind kind) { return routine_.newReg(kind); }
  Reg oneOf(const std::vector<Reg> &list) { return list[pick(static_cast<int>(list.size()))]; }
  // A target: an existing register or a new one.
  Reg target(std::vector<Reg> &list, RegKind kind) {
    if (chance(50)) return oneOf(list);
    Reg r = newReg(kind);
    born_.push_back({&list, r});
    return r;
  }
  MInst make(Op op, Reg dst, std::initializer_list<Reg> src, int64_t imm) {
    return makeInst(op, dst, src, imm, loc_++ % 50);
  }
  void put(Region &region, MInst inst) {
    region.push_back({inst});
    for (auto &[list, reg] : born_) list->push_back(reg);
    born_.clear();
  }

  MInst access(Op op, Reg dst, std::initializer_list<Reg> src, int region) {
    static const int strides[] = {1, 1, 1, 8, 2, 0, -1, 3};
    MInst inst = make(op, dst, src, pick(12) * 8 - 16 + (chance(20) ? pick(8) : 0));
    setFieldOf(inst, "stride", strides[pick(8)]);
    inst.region = chance(8) ? -1 : region;
    return inst;
  }
  MInst load(Reg dst) {
    int region = pick(kRegions);
    return access(Op::VLd, dst, {oneOf(names_.address[region])}, region);
  }
  MInst store() {
    int region = pick(kRegions);
    MInst inst = access(Op::VSt, kNone, {oneOf(names_.v), oneOf(names_.address[region])}, region);
    if (chance(25)) inst.mask = oneOf(names_.m);
    return inst;
  }

  void statement(Region &out, int depth) {
    --budget_;
    int kind = pick(100);
    if (depth < options_.maxDepth && kind < 8) return loop(out, depth);
    if (depth < options_.maxDepth && kind < 11) return branch(out, depth);
    if (depth < options_.maxDepth && kind < 13) return whileLoop(out, depth);
    if (kind < 25) return scalar(out);
    if (kind < 30) return advance(out);
    if (kind < 45) return put(out, load(target(names_.v, RegKind::V)));
    if (kind < 55) return put(out, store());
    if (kind < 63) return mask(out);
    if (kind < 70) return matrix(out);
    if (kind < 74) return transposeBuffer(out);
    if (kind < 76) return dma(out);
    if (kind < 77 && options_.calls && depth < 2) return call(out);
    vector(out);
  }

  void scalar(Region &out) {
    static const Op ops[] = {Op::SAdd, Op::SSub, Op::SMul, Op::SXor, Op::SMin, Op::SLt};
    Reg a = oneOf(names_.s), b = oneOf(names_.s), c = oneOf(names_.s), base = oneOf(names_.address[0]);
    switch (pick(6)) {
      case 0:
        return put(out, make(Op::SLdw, target(names_.s, RegKind::S), {base}, 4 * pick(10)));
      case 1:
        return put(out, make(chance(50) ? Op::SStw : Op::SStd, kNone, {a, base}, 4 * pick(10)));
      case 2:
        return put(out, make(Op::SSel, target(names_.s, RegKind::S), {a, b, c}, 0));
      case 3:
        return put(out, make(ops[pick(6)], target(names_.s, RegKind::S), {a}, pick(50) - 25));
      case 4:
        return put(out, make(Op::VToS, target(names_.s, RegKind::S), {oneOf(names_.v)}, 0));
      default:
        return put(out, make(ops[pick(6)], target(names_.s, RegKind::S), {a, b}, 0));
    }
  }

  // Moves an address, mostly in place, as induction variables do.
  void advance(Region &out) {
    int region = pick(kRegions);
    Reg a = oneOf(names_.address[region]);
    int64_t step = (pick(9) - 2) * 8;
    if (chance(75)) return put(out, make(chance(85) ? Op::SAdd : Op::SSub, a, {a}, step));
    Reg fresh = newReg(RegKind::S);
    born_.push_back({&names_.address[region], fresh});
    put(out, make(Op::SAdd, fresh, {a}, step));
  }

  void vector(Region &out) {
    static const Op binary[] = {Op::VFAdd, Op::VFMul, Op::VAddI, Op::VXor, Op::VMulI, Op::XPermLane};
    static const Op unary[] = {Op::EExp2, Op::ERcp, Op::XSumLaneF, Op::VMov, Op::VI2F, Op::ETanh};
    Reg a = oneOf(names_.v), b = oneOf(names_.v), c = oneOf(names_.v);
    switch (pick(8)) {
      case 0:
        return put(out, make(Op::VFma, target(names_.v, RegKind::V), {a, b, c}, 0));
      case 1:
      case 2:
        return put(out, make(unary[pick(6)], target(names_.v, RegKind::V), {a}, 0));
      case 3:
        return put(out, make(Op::VSel, target(names_.v, RegKind::V), {oneOf(names_.m), a, b}, 0));
      case 4:
        return put(out, make(Op::VSplat, target(names_.v, RegKind::V), {oneOf(names_.s)}, 0));
      case 5:
        return put(out, make(Op::XRotLane, target(names_.v, RegKind::V), {a, chance(50) ? kNone : oneOf(names_.s)}, 3));
      default:
        return put(out, make(binary[pick(6)], target(names_.v, RegKind::V), {a, b}, 0));
    }
  }

  void mask(Region &out) {
    static const Op ops[] = {Op::MAnd, Op::MOr, Op::MXor};
    if (chance(20)) return put(out, make(Op::MLi, target(names_.m, RegKind::M), {}, pick(2)));
    if (chance(50))
      return put(out, make(chance(50) ? Op::VLtF : Op::VNeI, target(names_.m, RegKind::M),
                           {oneOf(names_.v), oneOf(names_.v)}, 0));
    put(out, make(ops[pick(3)], target(names_.m, RegKind::M), {oneOf(names_.m), oneOf(names_.m)}, 0));
  }

  void matrix(Region &out) {
    MInst inst{};
    switch (pick(5)) {
      case 0:
        inst = make(Op::MxuLdwB, kNone, {oneOf(names_.v)}, 0);
        setFieldOf(inst, "row", pick(4));
        setFieldOf(inst, "xpose", pick(2));
        break;
      case 1:
        inst = make(Op::MxuSwap, kNone, {}, 0);
        break;
      case 2:
        inst = make(Op::MxuPop, target(names_.v, RegKind::V), {chance(30) ? oneOf(names_.s) : kNone}, pick(6));
        setFieldOf(inst, "clear", pick(2));
        setFieldOf(inst, "col", pick(2));
        break;
      default:
        inst = make(chance(70) ? Op::MxuPushB : Op::MxuPushF, kNone,
                    {oneOf(names_.v), kNone, chance(30) ? oneOf(names_.s) : kNone}, pick(6));
    }
    setFieldOf(inst, "mxu", pick(2));
    put(out, inst);
  }

  void transposeBuffer(Region &out) {
    MInst inst = chance(60) ? make(Op::XTrPush, kNone, {oneOf(names_.v)}, 0)
                            : make(Op::XTrPop, target(names_.v, RegKind::V), {}, 0);
    setFieldOf(inst, "row", pick(16));
    setFieldOf(inst, "buf", pick(2));
    put(out, inst);
  }

  void dma(Region &out) {
    MInst inst =
        chance(50)
            ? make(Op::DmaStart, kNone,
                   {oneOf(names_.address[pick(kRegions)]), oneOf(names_.address[pick(kRegions)]), kNone}, pick(3))
            : make(Op::DmaWait, kNone, {kNone}, pick(3));
    if (inst.op == Op::DmaWait) setFieldOf(inst, "count", 1 + pick(2));
    put(out, inst);
  }

  // Vector and mask registers do not survive a call: they are made again after it.
  void call(Region &out) {
    MInst inst = make(Op::Call, kNone, {}, 0);
    inst.callee = 3;
    put(out, inst);
    for (Reg r : names_.v) put(out, load(r));
    for (Reg r : names_.m) put(out, make(Op::VLtI, r, {oneOf(names_.v), oneOf(names_.v)}, 0));
  }

  // The statements of a body, with its own names forgotten afterwards.
  void body(Region &out, int depth, int statements) {
    Names outer = names_;
    int end = std::max(0, budget_ - statements);
    while (budget_ > end) statement(out, depth);
    names_ = outer;
  }

  void loop(Region &out, int depth) {
    static const int counts[] = {0, 1, 2, 3, 4, 5, 7, 12, 33, 100};
    LoopNode node;
    node.countImm = depth > 0 ? counts[pick(7)] : counts[pick(10)];
    if (chance(40)) {
      Reg count = newReg(RegKind::S);
      put(out, chance(70) ? make(Op::SLi, count, {}, node.countImm) : make(Op::SAnd, count, {oneOf(names_.s)}, 7));
      node.count = count;
      if (chance(30)) names_.s.push_back(count);
    }
    bool straight = chance(70);
    int statements = 1 + pick(straight ? 14 : 20);
    if (straight && chance(35))
      independentBody(node, out, statements);
    else if (straight && chance(45))
      carriedBody(node, out);
    else
      body(node.body, straight ? 100 : depth + 1, statements);
    out.push_back({std::move(node)});
  }

  // base + counter * step, computed in the body from a counter that starts before the loop.
  Reg scaled(Region &out, Region &body, Reg base, int step, Reg &counter) {
    if (counter == kNone && chance(30)) {
      counter = counters_[pick(2)];  // goes on from where other loops left it
    } else if (counter == kNone) {
      put(out, make(Op::SLi, counter = newReg(RegKind::S), {}, pick(3)));
    }
    stepped_ = chance(30);
    if (stepped_) put(body, make(Op::SAdd, counter, {counter}, 1));
    Reg product = newReg(RegKind::S), sum = newReg(RegKind::S);
    put(body, chance(50) ? make(Op::SMul, product, {counter}, step)
                         : make(Op::SShl, product, {counter}, __builtin_ctz(step)));
    put(body, chance(70) ? make(Op::SAdd, sum, {product, base}, 0) : make(Op::SAdd, sum, {base, product}, 0));
    return sum;
  }

  // Every access within the iteration's own window of 64 words, in a region of its own address register.
  void independentBody(LoopNode &node, Region &out, int statements) {
    node.independent = true;
    Names outer = names_;
    int region = pick(kRegions);
    Reg a = oneOf(names_.address[region]), counter = kNone;
    if (chance(50)) a = scaled(out, node.body, a, 64, counter);
    std::vector<Reg> values;
    auto window = [&](Op op, Reg dst, std::initializer_list<Reg> src) {
      MInst inst = make(op, dst, src, 8 * pick(8));
      setFieldOf(inst, "stride", 1);
      inst.region = region;
      return inst;
    };
    for (int i = 0; i < statements; ++i) {
      --budget_;
      if (values.empty() || chance(30)) {
        values.push_back(newReg(RegKind::V));
        put(node.body, window(Op::VLd, values.back(), {a}));
      } else if (chance(30)) {
        put(node.body, window(Op::VSt, kNone, {oneOf(values), a}));
      } else if (chance(20)) {
        Reg sum = oneOf(names_.v);  // a reduction
        put(node.body, make(Op::VFAdd, sum, {sum, oneOf(values)}, 0));
      } else {
        Reg r = newReg(RegKind::V);
        put(node.body,
            make(chance(30) ? Op::EExp2 : Op::VFMul, r, {oneOf(values), chance(30) ? kNone : oneOf(values)}, 0));
        MInst &inst = std::get<MInst>(node.body.back().value);
        if (inst.op == Op::EExp2)
          inst.src[1] = kNone;
        else if (inst.src[1] == kNone)
          inst.src[1] = oneOf(names_.v);
        values.push_back(r);
      }
    }
    if (counter == kNone)
      put(node.body, make(Op::SAdd, a, {a}, 64));
    else if (!stepped_)
      put(node.body, make(Op::SAdd, counter, {counter}, 1));
    names_ = outer;
  }

  // Short chains from memory to memory (or through an array's accumulators) that meet those of other iterations at
  // small distances.
  void carriedBody(LoopNode &node, Region &out) {
    static const int steps[] = {0, 8, 8, 16, 24, -8, 4};
    Names outer = names_;
    int region = pick(kRegions);
    Reg group = newReg(RegKind::S);
    put(out, make(Op::SLi, group, {}, pick(4)));
    int64_t step = steps[pick(7)];
    auto &addresses = names_.address[region];
    Reg counter = kNone;
    bool counted = chance(40);
    if (counted) {
      addresses.push_back(scaled(out, node.body, addresses[0], 8, counter));
      std::swap(addresses[0], addresses.back());
      if (chance(50)) addresses[1] = scaled(out, node.body, addresses[1], 16, counter);
    }
    bool early = !counted && chance(30), twoSteps = chance(30);
    auto advanceAll = [&] {
      if (counted && !stepped_) put(node.body, make(Op::SAdd, counter, {counter}, 1 + pick(2)));
      if (counted) return;
      put(node.body, make(Op::SAdd, addresses[0], {addresses[0]}, step));
      if (twoSteps) put(node.body, make(Op::SAdd, addresses[1], {addresses[1]}, step));
      if (chance(60)) put(node.body, make(Op::SAdd, group, {group}, 1 + pick(2)));
    };
    auto place = [&](Op op, Reg dst, std::initializer_list<Reg> src) {
      MInst inst = make(op, dst, src, 8 * pick(8));
      setFieldOf(inst, "stride", chance(90) ? 1 : 2);
      inst.region = region;
      return inst;
    };
    if (early) advanceAll();
    for (int chain = 1 + pick(3); chain > 0; --chain) {
      budget_ -= 4;
      if (chance(20)) {
        Reg x = newReg(RegKind::S), base = names_.address[0][0];
        put(node.body, make(Op::SLdw, x, {base}, 4 * pick(6)));
        put(node.body, make(Op::SAdd, x, {x}, 3));
        put(node.body, make(chance(50) ? Op::SStw : Op::SStd, kNone, {x, base}, 4 * pick(6)));
        continue;
      }
      Reg value = newReg(RegKind::V);
      put(node.body, place(Op::VLd, value, {addresses[pick(2)]}));
      if (chance(35)) {
        if (chance(30)) {
          put(node.body, make(Op::MxuLdwB, kNone, {value}, 0));
          put(node.body, make(Op::MxuSwap, kNone, {}, 0));
        }
        put(node.body,
            make(chance(50) ? Op::MxuPushB : Op::MxuPushF, kNone, {value, kNone, chance(70) ? group : kNone}, pick(4)));
        MInst pop = make(Op::MxuPop, value, {chance(70) ? group : kNone}, pick(4));
        setFieldOf(pop, "clear", pick(2));
        put(node.body, pop);
      }
      for (int n = pick(3); n > 0; --n) put(node.body, make(chance(30) ? Op::EExp2 : Op::VMov, value, {value}, 0));
      put(node.body, place(Op::VSt, kNone, {value, addresses[pick(2)]}));
    }
    if (!early) advanceAll();
    names_ = outer;
  }

  void branch(Region &out, int depth) {
    machine::IfNode node;
    node.cond = newReg(RegKind::S);
    put(out, make(Op::SLt, node.cond, {oneOf(names_.s), oneOf(names_.s)}, 0));
    body(node.then, depth + 1, 1 + pick(10));
    if (chance(60)) body(node.otherwise, depth + 1, 1 + pick(10));
    out.push_back({std::move(node)});
  }

  void whileLoop(Region &out, int depth) {
    machine::WhileNode node;
    Reg counter = newReg(RegKind::S);
    node.cond = newReg(RegKind::S);
    put(out, make(Op::SLi, counter, {}, pick(6)));
    put(node.before, make(Op::SSub, counter, {counter}, 1));
    Names outer = names_;
    body(node.before, 100, pick(4));
    put(node.before, make(Op::SLe, node.cond, {counter}, 0));
    put(node.before, make(Op::SEq, node.cond, {node.cond}, 0));
    body(node.body, depth + 1, 1 + pick(8));
    names_ = outer;
    out.push_back({std::move(node)});
  }

  // Everything that is still alive goes to memory.
  void finish(Region &out) {
    Reg base = newReg(RegKind::S), ones = newReg(RegKind::V), zeros = newReg(RegKind::V);
    put(out, make(Op::SLi, base, {}, 1 << 27));
    put(out, make(Op::VLi, ones, {}, 1));
    put(out, make(Op::VLi, zeros, {}, 0));
    int place = 0;
    for (Reg r : names_.m) {
      Reg bits = newReg(RegKind::V);
      put(out, make(Op::VSel, bits, {r, ones, zeros}, 0));
      names_.v.push_back(bits);
    }
    for (Reg r : names_.v) {
      MInst inst = make(Op::VSt, kNone, {r, base}, 8 * place++);
      setFieldOf(inst, "stride", 1);
      inst.region = 100;
      put(out, inst);
    }
    for (Reg r : names_.s) put(out, make(Op::SStd, kNone, {r, base}, 8 * place++));
    for (auto &list : names_.address)
      for (Reg r : list) put(out, make(Op::SStd, kNone, {r, base}, 8 * place++));
  }

  std::mt19937_64 rng_;
  RandomOptions options_;
  Routine routine_;
  Names names_;
  Reg counters_[2];
  bool stepped_ = false;  // a body's counter, before its uses
  std::vector<std::pair<std::vector<Reg> *, Reg>> born_;
  int budget_ = 0;
  int loc_ = 0;
};

}  // namespace

machine::Routine randomRoutine(uint64_t seed, const RandomOptions &options) { return Generator(seed, options).run(); }

}  // namespace tpuc::schedule::reference
