// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Files as a command should write them: whole or not at all, and never another thing than a file in a file's place.
#pragma once
#include <span>
#include <string>
#include <string_view>

namespace tpuc::isa {

// The pieces one after the other. A regular file is replaced at once, so that a reader sees the old one or the new one,
// and keeps its mode; a link is followed; into a device, a FIFO or a file of several names the bytes are written. False
// with `error`, which names the path.
bool writeFile(const std::string &path, std::span<const std::string_view> pieces, std::string &error);
bool writeFile(const std::string &path, std::string_view text, std::string &error);

}  // namespace tpuc::isa
