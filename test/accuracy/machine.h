// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// One op as a program of the machine, on as many elements as one likes.
#pragma once
#include <cstring>
#include <span>
#include <string>
#include <vector>

#include "compiler/embed/cpp/tpuc.h"

namespace tpuc::accuracy {

struct Program {
  std::string type;  // of an element
  int arity;
  size_t count;
  api::Result<api::Executable> executable;
};
Program compile(const std::string &op, const std::string &type, int arity, size_t count);

template <typename E>
std::vector<E> run(Program &program, std::span<const E> x, std::span<const E> y, std::string &error) {
  if (!program.executable) {
    error = program.executable.error().message;
    return {};
  }
  std::vector<std::span<const std::byte>> inputs{std::as_bytes(x)};
  if (program.arity == 2) inputs.push_back(std::as_bytes(y));
  auto results = program.executable->run(inputs);
  if (!results) {
    error = results.error().message;
    return {};
  }
  std::vector<E> out(program.count);
  std::memcpy(out.data(), (*results)[0].data(), out.size() * sizeof(E));
  return out;
}

}  // namespace tpuc::accuracy
