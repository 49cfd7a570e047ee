// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The logarithm of the gamma function and its derivative for f64, on numbers of 128 bits: near a zero, which each has
// between any two negative whole numbers, what is left of the terms is as small as the rounding of the argument.
//
//  1. |x| = n + f; g is the distance to the nearest whole number, exact. Products and sums over n factors bring x to 2
//     + f, where a polynomial takes over; from n = 18 and 16 on it is the asymptotic series in 1 / |x|.
//  2. lgamma is the logarithm of one quotient, whose distance from 1 is exact enough: gamma(2 + f) and its factors
//     above, for negative x by gamma(x) gamma(1 - x) = pi / sin(pi x) below.
//  3. digamma is a sum with terms of one fixed scale. Its pole, 1 / x or pi cot(pi x), is added last where it is large.
#include <cmath>

#include "passes/legalise/softfloat/double_elementary.h"
#include "passes/legalise/softfloat/quad.h"

using namespace mlir;

namespace tpuc::legalise {
namespace {

using V = Value;

// Near-minimax fits (Chebyshev interpolation in 110 digits), the lowest power first, of 120 fractional bits.
// gamma(2 + f) over f from 0 to 1.
constexpr QuadBits kGamma[] = {{0x0100000000000000, 0x0000000000000000}, {0x006c3b981c824f38, 0x5b2e41c07efead6d},
                               {0x00696e5e2e5afafc, 0x1653aa8bcf425781}, {0x0014e239984650ac, 0x09b93ad928b91943},
                               {0x001301fbb0f25a92, 0x4952218121374f5b}, {0xffffee80c8bf01d5, 0x8eb7423aeb213f50},
                               {0x0002dafdd593d483, 0x52f022f268aafb0c}, {0xffff450c8b7db68c, 0xdf55a9c816c9ddc2},
                               {0x000089e224e42991, 0xe938235087bf42ab}, {0xffffc3bc1c6f9cbd, 0x05e7ace595e1ac0a},
                               {0x000020235a5bce75, 0x5b8003522f576f1e}, {0xfffff035ac69b2da, 0x051dcd120bb488b5},
                               {0x000007f9590513e1, 0xb1ae61d3866aaac2}, {0xfffffc0410851e1b, 0x21398afd2d1a78e9},
                               {0x000001feed081198, 0x22d6adca3225db5d}, {0xffffff006672d7f4, 0xba61065056c26492},
                               {0x0000007fdf4b5b9e, 0x81bbef13da3973a4}, {0xffffffc00b1c78b4, 0x57f95acc77de58a4},
                               {0x0000001ffc510fdb, 0x0e5136a30949b753}, {0xfffffff0013d478b, 0x049cd5a1a276e537},
                               {0x00000007ff90ae02, 0xd425392d8411263d}, {0xfffffffc0032e661, 0x49e373eaae526fae},
                               {0x00000001ffd16d2e, 0x3c7b00f3952f5feb}, {0xffffffff00475978, 0xdc7c572486d8b92b},
                               {0x000000007f8bd852, 0x7d6b250e7d456588}, {0xffffffffc0acd509, 0x95de6915cafbc28a},
                               {0x000000001f1ba217, 0x484e82d5eb3691c1}, {0xfffffffff10a9a69, 0x39dd0dfed77b3e89},
                               {0x0000000006ed26c7, 0x66f3612f65aee658}, {0xfffffffffcfa75c4, 0xa511d8c164769cda},
                               {0x000000000135c05f, 0x1de7a741d608a821}, {0xffffffffff917009, 0x98792ca375c9a217},
                               {0x0000000000220c31, 0xe85c7a549b019a07}, {0xfffffffffff74a9a, 0xc5eda063cc363161},
                               {0x000000000001c33a, 0xe0be907a3df719ed}, {0xffffffffffffbca0, 0xd82dc09d23d43a10},
                               {0x0000000000000691, 0xac490751016ac2dc}, {0xffffffffffffffaf, 0xeb9a6b9930817059}};
// digamma(2 + f).
constexpr QuadBits kDigamma[] = {{0x006c3b981c824f38, 0x5b2e41c07efead35}, {0x00a51a6625307d32, 0x30e7b1224401738b},
                                 {0xffcc45ffb0ff9dec, 0x7c8e8ea3a61d2069}, {0x00151322ac7d8483, 0x6bf22422303bc349},
                                 {0xfff68be713583324, 0x85dcfb1d2e58980c}, {0x000470984c092448, 0xf7db2ecf0021290f},
                                 {0xfffddcd25eb30c77, 0x256414079dc9d226}, {0x00010b36af86396e, 0x8be4810d3b25c2dd},
                                 {0xffff7c60c27e94a8, 0xfd18e1e072972868}, {0x0000412e33a5bb97, 0xdfdc2ee82518ba18},
                                 {0xffffdf9ce41b74cd, 0x6de94ff92d1270a1}, {0x00001020a5b2cd2f, 0x489227b32472e2b9},
                                 {0xfffff7f5362f744a, 0xf810f7443db3d423}, {0x0000040392bcacf4, 0x8ffaa7886ee23007},
                                 {0xfffffdfed0868390, 0x7a8257933f2f4552}, {0x0000010064cde1d0, 0x7a9b4a95228e4e48},
                                 {0xffffff7fde7c9079, 0x015a1ccf96fa45ed}, {0x000000400b25a3f4, 0x035019caf2c327fc},
                                 {0xffffffdffc4c5a14, 0x5b61f2dbc9ed3b98}, {0x000000100134f6e4, 0x961126bdafa99b3d},
                                 {0xfffffff7ffaa4875, 0x69e9cc953dbb1b71}, {0x00000003fff55cd8, 0x5cf1d58e1829dbe1},
                                 {0xfffffffe0051a292, 0xecc8c69985a2b175}, {0x00000000ff5cbbc0, 0x536a2d0d1d18060d},
                                 {0xffffffff8105bfc6, 0xfe2c9237f3395d92}, {0x000000003e948e2d, 0x6507c7638767d564},
                                 {0xffffffffe1ba88f9, 0x8ba2554314663fda}, {0x000000000e262ad0, 0x8bca533a50b0c205},
                                 {0xfffffffff9bed427, 0x37924b05dfd37691}, {0x00000000028c0309, 0xd1a45f60423b747c},
                                 {0xffffffffff12a24b, 0x5ccc92b83efbc7d8}, {0x00000000004ab6fc, 0x960f6a21ea0d2435},
                                 {0xffffffffffec7071, 0xb3a2b1f28b08ff29}, {0x0000000000040e3b, 0xaa609ac0c94495c1},
                                 {0xffffffffffff6128, 0x5d03e629d88a7a1c}, {0x0000000000000fde, 0xa59f23c4e608ff02},
                                 {0xffffffffffffff39, 0xd2772db3ad0e777c}};
// sin(pi g) / (pi g) and cos(pi g) over g^2, up to a quarter; of every second coefficient the magnitude.
constexpr QuadBits kSine[] = {{0x0100000000000000, 0x0000000000000000}, {0x01a51a6625307d32, 0x30e7b1224401759c},
                              {0x00cfce5a015e2362, 0x90f59b19a6257af5}, {0x0030d51c8e41b6cd, 0xae7918d21f02a071},
                              {0x0006b1a0173cd429, 0x8ba4a569a0636500}, {0x000099c0b552303d, 0x5b20e712b45fde9a},
                              {0x000009ba38cfd59c, 0x8aa1cc34f2131cb2}, {0x0000007509263473, 0x8262e5409092e8ac},
                              {0x000000043f264bfc, 0xe784dc5218475594}, {0x000000001f5f9d97, 0x0ca6dc3ed1f5d209},
                              {0x0000000000bcbc43, 0x42111c8e13dee27c}, {0x000000000003ae6a, 0x7271aaf0099d9236},
                              {0x0000000000000f80, 0x8ad82c809738f34e}, {0x0000000000000037, 0xcb7326dcc951f979},
                              {0x0000000000000000, 0xad94883320ff9b55}, {0x0000000000000000, 0x01ceedad1f0a9db2}};
constexpr QuadBits kCosine[] = {{0x0100000000000000, 0x0000000000000000}, {0x04ef4f326f917796, 0x92b71366cc0460d6},
                                {0x040f07c206d6b0ec, 0xd4cc07803ebb6893}, {0x0155d3c7e3cbff9f, 0xc54fadbed913b46e},
                                {0x003c3ea0d1237575, 0xe8c9d0b6a3f62dbd}, {0x00069b47ca8812a2, 0xea69edcdd87ed828},
                                {0x00007e74e28dd8f3, 0x0a375eb371c2fe6c}, {0x000006db893d12c4, 0xa3cb6f0ecfa62435},
                                {0x00000048318b0bcb, 0x5fd2a5bfd841f0e6}, {0x000000025418b235, 0xf06288e37df396bf},
                                {0x000000000f7b7184, 0x6b68e06f5aa0d621}, {0x000000000054ab90, 0x483f6fcedef04261},
                                {0x000000000001838d, 0x8f42f6a6d6f1413c}, {0x00000000000005e2, 0x759815cead45db36},
                                {0x0000000000000013, 0xaab6d6b0b5fcf411}, {0x0000000000000000, 0x391b07056f26513c},
                                {0x0000000000000000, 0x008ec75a74823383}};
// (log gamma(a) - (a - 1/2) log a + a - log(2 pi) / 2) a over (8 / a)^2, up to a fifth.
constexpr QuadBits kStirling[] = {{0x0015555555555555, 0x555555474c0a70db}, {0x000002d82d82d82d, 0x82d80a69f372a3a0},
                                  {0x0000000340340340, 0x33f4d784ba582a50}, {0x0000000009c09c09, 0xbe5a9fb34fe52fbb},
                                  {0x0000000000372a3c, 0x29c107628086d79b}, {0x000000000001f6a9, 0x3123fcf3c3086bd1},
                                  {0x0000000000001a36, 0x8b3b7a75ef12a7ee}, {0x00000000000001c1, 0x5f5237361bf16417}};
// (log a + 1 / (2 a) - digamma(1 + a)) (a / 8)^2, up to a quarter.
constexpr QuadBits kDigammaFar[] = {{0x0000555555555555, 0x5555555555555555}, {0x0000002222222222, 0x222222222222201f},
                                    {0x0000000041041041, 0x04104104103ef7db}, {0x0000000001111111, 0x11111111103ef5e0},
                                    {0x000000000007c1f0, 0x7c1f07c1c4801764}, {0x0000000000005665, 0x66566560d0d7a6ec},
                                    {0x0000000000000555, 0x555554e236b61264}, {0x0000000000000071, 0x7979731964cbb772},
                                    {0x000000000000000c, 0x373f8ea8d10fa02b}, {0x0000000000000001, 0xa74aea9f3b981eae},
                                    {0x0000000000000000, 0x4654e577c948b723}, {0x0000000000000000, 0x0dfa1a5f8a0cac62},
                                    {0x0000000000000000, 0x0314fba1698caafc}, {0x0000000000000000, 0x008cca8aef1b9a65}};
// log(2 pi) / 2 as a fixed-point number.
constexpr QuadBits kHalfLogOf2Pi = {0x000eb3f8e4325f5a, 0x53494bc900144192};

constexpr uint32_t kFarProduct = 18, kFarSum = 16;  // |x| from which on the series is used

struct Argument {
  V negative, upper;  // masks; the nearest whole number is above |x|
  Large size;         // |x|
  V n, steps;  // whole part, up to 31; gamma(|x|) or, of negative x, gamma(1 + |x|) is gamma(2 + f) (2 + f) ... (steps
               // - 1 + f)
  Quad f, g;   // of 128 fractional bits
  Large distance;  // g with all its bits
};

Argument split(Quads &q, Pair x) {
  Lanes &l = q.l;
  Argument a;
  a.negative = q.d.isNegative(x);
  a.size = q.fromDouble(q.d.abs(x));
  V e = a.size.exponent, below = l.ne(l.shr(e, 31), l.u(0));
  Pair bits{a.size.significand[2], a.size.significand[3]};
  // A shift by 32 and more leaves nothing.
  V whole = l.shr(bits.hi, l.sub(l.u(31), e));
  a.n = l.select(l.lt(l.asSigned(l.u(4)), l.asSigned(e)), l.u(31), whole);
  a.steps = l.add(a.n, l.toU(a.negative));
  a.f = q.select(below, q.shr(a.size.significand, l.sub(l.u(0xffffffff), e)), q.top(l.shl(bits, l.add(e, l.u(1)))));
  a.upper = q.isNegative(a.f);  // the top bit
  a.g = q.select(a.upper, q.neg(a.f), a.f);
  // Where the number is small, g keeps less than all bits.
  a.distance = q.select(l.band(below, l.bnot(a.upper)), a.size, q.normalise(a.g, -1));
  return a;
}

// 0 and negative whole numbers.
V isPole(Quads &q, const Argument &a) {
  return q.l.band(q.isZero(a.distance.significand), q.l.bor(a.negative, q.isZero(a.size.significand)));
}

// j + f, for a constant j of `bits` bits, as a fraction of 2^bits.
Quad shifted(Quads &q, uint32_t j, uint32_t bits, const Quad &f) {
  Quad sum = q.shr(f, bits);
  sum[3] = q.l.bor(sum[3], q.l.u(j << (32 - bits)));
  return sum;
}

Large onePlus(Quads &q, const Quad &f) { return {q.l.u(0), shifted(q, 1, 1, f)}; }

// sin(pi |x|) / pi.
Large sineOfPi(Quads &q, const Argument &a, const Quad &square) {
  return q.mul(a.distance, q.normalise(q.polynomial(square, kSine, Quads::Signs::Alternating), 7));
}

// (8 / |x|)^2 from 1 / |x|.
Quad inverseSquare(Quads &q, const Large &inverse) {
  Quad eighth = q.toFixed({q.l.add(inverse.exponent, q.l.u(3)), inverse.significand}, 128);
  return q.mulHigh(eighth, eighth);
}

// The numbers whose quotient's logarithm is lgamma x; of far ones what the series leaves out.
void quotient(Quads &q, const Argument &a, V far, Large &over, Large &under) {
  Lanes &l = q.l;
  Large product = q.normalise(q.polynomial(a.f, kGamma, Quads::Signs::Any), 7);
  for (uint32_t j = 2; j < kFarProduct; ++j) {
    uint32_t bits = 32 - llvm::countl_zero(j);
    Large longer = q.mul(product, {l.u(bits - 1), shifted(q, j, bits, a.f)});
    product = q.select(l.lt(l.u(j), a.steps), longer, product);
  }
  Large divisor = q.select(l.le(a.steps, l.u(1)), onePlus(q, a.f), q.one());
  divisor = q.select(l.isZero(a.steps), q.mul(divisor, a.size), divisor);
  Large sine = sineOfPi(q, a, q.mulHigh(a.g, a.g));
  Large reflected = q.mul(q.select(far, a.size, product), sine);
  over = q.select(far, q.one(), q.select(a.negative, divisor, product));
  under = q.select(a.negative, reflected, q.select(far, q.one(), divisor));
}

// lgamma a = a (log a - 1) - log a / 2 + log(2 pi) / 2 + ..., of negative x log(1 / (|x| sin(pi |x|) / pi)), `rest`,
// less it.
Pair stirling(Quads &q, const Argument &a, const Quad &rest) {
  Lanes &l = q.l;
  Quad log = q.logOfQuotient(a.size, q.one()).fixed;
  Large inverse = q.reciprocal(a.size);
  Quad series = q.polynomial(inverseSquare(q, inverse), kStirling, Quads::Signs::Alternating);
  Quad tail = q.mulHigh(q.toFixed(inverse, 128), q.shr(series, 120 - kFixedBits));
  Quad small = q.sub(q.add(q.constant(kHalfLogOf2Pi), tail), q.shr(log, 1));
  small = q.select(a.negative, q.sub(small, rest), small);
  Large main = q.mul(a.size, q.normalise(q.sub(log, q.constant({1ull << (kFixedBits - 64), 0})), 127 - kFixedBits));
  // Both in units of 2^(exponent - 121), the main term being 2^5 at least.
  V down = l.sub(main.exponent, l.u(5));
  Quad sum = q.add(q.shr(main.significand, 6), q.sar(small, l.select(l.lt(l.u(127), down), l.u(127), down)));
  return q.toDouble(q.normalise(sum, l.add(main.exponent, l.u(6))), a.negative);
}

// Near numbers: digamma(2 + f) + 1 / (2 + f) + ... + 1 / (steps - 1 + f), or digamma(2 + f) - 1 / (1 + f) where `steps`
// is 1 or 0. Far numbers: log a - 1 / (2 a) - ..., with + 1 / (2 a) where the argument is negative.
Quad regularPart(Quads &q, const Argument &a) {
  Lanes &l = q.l;
  V far = l.le(l.u(kFarSum), a.n), back = l.le(a.steps, l.u(1));
  // The sum of reciprocals as one fraction, with each factor below 1.
  Quad over = q.constant({0, 0}), under = q.constant({~0ull, ~0ull});
  for (uint32_t j = 2; j < kFarSum; ++j) {
    uint32_t bits = 32 - llvm::countl_zero(j);
    Quad factor = shifted(q, j, bits, a.f);
    V counts = l.lt(l.u(j), a.steps);
    Quad sum = q.add(q.mulHigh(over, factor), q.shr(under, bits));
    over = q.select(counts, sum, over);
    under = q.select(counts, q.mulHigh(under, factor), under);
  }
  Large half{l.u(0xffffffff), q.one().significand};
  Large numerator = q.select(far, half, q.select(back, q.one(), q.normalise(over, -1)));
  Large denominator = q.select(far, a.size, q.select(back, onePlus(q, a.f), q.normalise(under, -1)));
  Large inverse = q.reciprocal(denominator);
  Quad fraction = q.toFixed(q.mul(numerator, inverse));
  Quad square = inverseSquare(q, inverse);
  Quad tail = q.shr(q.mulHigh(q.polynomial(square, kDigammaFar, Quads::Signs::Alternating), square), 120 - kFixedBits);
  Quad log = q.logOfQuotient(a.size, q.one()).fixed;
  Quad near = q.shr(q.polynomial(a.f, kDigamma, Quads::Signs::Any), 120 - kFixedBits);
  Quad base = q.select(far, q.sub(log, tail), near);
  V subtracts = l.bor(l.band(far, l.bnot(a.negative)), l.band(l.bnot(far), back));
  return q.select(subtracts, q.sub(base, fraction), q.add(base, fraction));
}

}  // namespace

Pair doubleLgamma(Doubles &d, Pair x) {
  Lanes &l = d.l;
  Quads q(d);
  Argument a = split(q, x);
  V far = l.le(l.u(kFarProduct), a.n);
  Large over, under;
  quotient(q, a, far, over, under);
  Quads::Logarithm log = q.logOfQuotient(over, under);
  Pair near = l.select(log.isNear, q.toDouble(log.near, log.negative), q.toDouble(log.fixed));
  Pair result = l.select(far, stirling(q, a, log.fixed), near);
  result = l.select(l.bor(isPole(q, a), d.isInf(x)), d.constant(INFINITY), result);
  return l.select(d.isNan(x), l.pair(0x7ff8000000000000ull), result);
}

Pair doubleDigamma(Doubles &d, Pair x) {
  Lanes &l = d.l;
  Quads q(d);
  Argument a = split(q, x);
  Quad regular = regularPart(q, a), square = q.mulHigh(a.g, a.g);
  // pi cot(pi |x|) of negative x, -1 / x below 1.
  Quad cosine = q.polynomial(square, kCosine, Quads::Signs::Alternating);
  cosine = q.select(q.isNegative(cosine), q.constant({0, 0}), cosine);  // of a half
  Large numerator = q.select(a.negative, q.normalise(cosine, 7), q.one());
  Large pole = q.mul(numerator, q.reciprocal(q.select(a.negative, sineOfPi(q, a, square), a.size)));
  V has = l.bor(a.negative, l.isZero(a.n)), subtracts = l.bor(l.bnot(a.negative), a.upper);
  V large = l.band(has, l.lt(l.asSigned(l.u(9)), l.asSigned(pole.exponent)));
  Quad fixed = q.toFixed(pole);
  Quad both = q.select(subtracts, q.sub(regular, fixed), q.add(regular, fixed));
  Pair sum = q.toDouble(q.select(l.band(has, l.bnot(large)), both, regular));
  Pair result = l.select(large, d.add(q.toDouble(pole, subtracts), sum), sum);
  result = l.select(l.eq(x, d.constant(INFINITY)), x, result);
  return l.select(l.bor(d.isNan(x), isPole(q, a)), l.pair(0x7ff8000000000000ull), result);
}

}  // namespace tpuc::legalise
