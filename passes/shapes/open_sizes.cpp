// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Two programs as one of open sizes.
#include "dialects/diagnostics/diagnose.h"
#include "dialects/diagnostics/outer_codes.h"
#include "passes/shapes/passes.h"
#include "passes/shapes/size_outline.h"

using namespace mlir;

namespace tpuc::shapes {
#define GEN_PASS_DEF_OPENSIZESPASS
#include "passes/shapes/passes.h.inc"

namespace {

struct OpenSizes : impl::OpenSizesPassBase<OpenSizes> {
  using OpenSizesPassBase::OpenSizesPassBase;

  void runOnOperation() override {
    auto programs = llvm::to_vector(getOperation().getOps<ModuleOp>());
    if (programs.size() != 2) {
      diagnose(getOperation(), codes::kSizes) << "expects two programs, but got " << programs.size();
      return signalPassFailure();
    }
    auto first = outlineOf(programs[0]), second = outlineOf(programs[1]);
    auto lines = first && second ? SizeLines::through(*first, *second) : std::nullopt;
    if (!lines) {
      programs[0].emitRemark("the programs differ in more than a leading size");
      return;
    }
    ModuleOp copy = programs[0].clone();
    OwningOpRef<ModuleOp> owned(copy);
    std::string why;
    if (!openSizes(copy, *lines, symbol, why)) {
      programs[0].emitRemark("no program of open sizes: ") << why;
      return;
    }
    for (ModuleOp program : programs) program.erase();
    Block *body = getOperation().getBody();
    body->getOperations().splice(body->end(), copy.getBody()->getOperations());
  }
};

}  // namespace
}  // namespace tpuc::shapes
