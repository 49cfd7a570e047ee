// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Arrays in NumPy's file format.
#pragma once
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "runtime/isa/element_type.h"

namespace tpuc::tools {

struct Npy {
  std::string descr;  // "<f4", "|b1", "|V2"
  std::vector<int64_t> shape;
  std::vector<uint8_t> data;  // dense, row-major, little-endian
};

// False with `error` (without the path) when the file cannot be read or is none; `unreadable` tells the first.
bool readNpy(const std::string &path, Npy &out, std::string &error, bool &unreadable);
// Reads the header alone. Gives nothing for a file that readNpy would refuse there.
std::optional<std::vector<int64_t>> readNpyShape(const std::string &path);
// False with `error`, which names the path.
bool writeNpy(const std::string &path, const isa::ElementType &type, const std::vector<int64_t> &shape,
              const std::vector<uint8_t> &data, std::string &error);

// Whether arrays of `descr` hold elements of `type`, in the host's form.
bool descrHolds(const std::string &descr, const isa::ElementType &type);
// What NumPy calls the host's form of `type`.
std::string descrOf(const isa::ElementType &type);

// "100x300xf32".
std::string shapeText(const std::vector<int64_t> &shape, const std::string &type);

}  // namespace tpuc::tools
