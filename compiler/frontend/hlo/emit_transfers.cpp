// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Arrays that come from and go to the host, or one other device.
#include "compiler/frontend/hlo/families.h"
#include "dialects/stablehlo/stablehlo.h"

using namespace mlir;

namespace tpuc::frontend::hlo {
namespace {

// The numbers of channel types in StableHLO.
constexpr int64_t kDeviceToDevice = 1, kDeviceToHost = 2, kHostToDevice = 3;

SmallVector<NamedAttribute> channel(Emitter &e, const Instruction &i, int64_t withHost) {
  const bool isHost = i.fields.flag(kIsHostTransfer);
  const int64_t kind = isHost ? withHost : kDeviceToDevice;
  auto handle = stablehlo::ChannelHandleAttr::get(e.b.getContext(), i.fields.number(kChannelId), kind);
  return {e.attribute("channel_handle", handle), e.flag("is_host_transfer", isHost)};
}

}  // namespace

TPUC_HLO_EMIT(emitInfeed) {
  Attribute config = e.b.getStringAttr(i.fields.bytes(kInfeedConfig));
  e.create(i, op, i.values(), e.attribute("infeed_config", config), results);
  return success();
}

TPUC_HLO_EMIT(emitOutfeed) {
  Attribute config = e.b.getStringAttr(i.fields.bytes(kOutfeedConfig));
  e.create(i, op, i.values(), e.attribute("outfeed_config", config), results);
  return success();
}

// Its shape has what is sent, a context and the token.
TPUC_HLO_EMIT(emitSend) {
  Type token = stablehlo::TokenType::get(e.b.getContext());
  OperationState state(i.location, op, i.values(), token, channel(e, i, kDeviceToHost));
  results = {e.b.create(state)->getResult(0)};
  return success();
}

// What comes, a context and the token.
TPUC_HLO_EMIT(emitRecv) {
  if (!i.shape.isTuple || i.shape.elements.empty())
    return e.malformed(i) << "expects a tuple of what it receives, a context and a token";
  SmallVector<Type> types(i.shape.elements[0].types());
  types.push_back(stablehlo::TokenType::get(e.b.getContext()));
  OperationState state(i.location, op, i.values(), types, channel(e, i, kHostToDevice));
  llvm::append_range(results, e.b.create(state)->getResults());
  return success();
}

}  // namespace tpuc::frontend::hlo
