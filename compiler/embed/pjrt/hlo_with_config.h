// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The form of HLO that callers take back: a message of a module and its configuration.
#pragma once
#include <string>
#include <string_view>

namespace tpuc::pjrt {

inline constexpr std::string_view kHloWithConfig = "hlo_with_config";

// An HloModuleProto, with a configuration that says how its arguments and results lie.
std::string withConfig(std::string_view module);

}  // namespace tpuc::pjrt
