// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The matrix unit's modes.
#include "passes/plan/dot/mxu_mode.h"

#include "dialects/stablehlo/stablehlo.h"

using namespace mlir;

namespace tpuc::plan {

static StringRef precisionOf(std::optional<ArrayAttr> config) {
  StringRef p = "default";
  if (!config) return p;
  for (Attribute attr : *config) {
    auto value = cast<stablehlo::PrecisionAttr>(attr).getValue();
    if (value == stablehlo::Precision::HIGHEST)
      p = "highest";
    else if (value == stablehlo::Precision::HIGH && p == "default")
      p = "high";
  }
  return p;
}

MxuOps opsOf(const MxuMode &mode) {
  if (mode.suffix == "bf16") return {isa::Op::MxuPushB, isa::Op::MxuLdwB};
  if (mode.suffix == "s8") return {isa::Op::MxuPushI, isa::Op::MxuLdwI};
  return {isa::Op::MxuPushF, isa::Op::MxuLdwF};
}

std::optional<MxuMode> chooseMxuMode(const target::Target &target, Type a, Type b, Type out,
                                     std::optional<ArrayAttr> config, StringRef precision) {
  if (precision.empty()) precision = precisionOf(config);
  bool ints = a.isInteger(8) && b.isInteger(8) && out.isInteger(32) && !a.isUnsignedInteger() && !b.isUnsignedInteger();
  if (ints) return target.core().mxu_int8_rate() > 0 ? MxuMode{"s8", 4} : MxuMode{"bf16", 2, 1, true};
  if (!mlir::isa<FloatType>(a) || !mlir::isa<FloatType>(b) || !mlir::isa<FloatType>(out)) return std::nullopt;
  bool narrow = a.isBF16() && b.isBF16();
  if (!narrow && (precision == "highest" || a.isF16() || b.isF16())) return MxuMode{"f32", 1};
  return MxuMode{"bf16", 2, !narrow && precision == "high" ? 3 : 1};
}

}  // namespace tpuc::plan
