// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What a program has its host do in between: `host.call` hands over arrays, and takes arrays back.
#pragma once
#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <vector>

#include "runtime/executor/core.h"
#include "runtime/isa/executable.h"
#include "runtime/isa/layout.h"

namespace tpuc::exec {

// Dense, the last dim fastest; elements below 8 bits take a byte each.
struct HostArray {
  const isa::ArrayLayout *layout = nullptr;
  void *data = nullptr;
};

// Reads the operands and writes the results of the call that its program knows by `id`; false with `error` ends the
// run. Called on the run's thread, which holds nothing that another run needs.
using HostFunction = std::function<bool(uint64_t id, std::span<const HostArray> operands,
                                        std::span<const HostArray> results, std::string &error)>;

// The host calls of one program.
class HostCalls {
 public:
  // `exe` is valid.
  explicit HostCalls(const isa::Executable &exe);

  bool empty() const { return calls_.empty(); }
  // Call number `call` on the arrays in `hbm`. False with `error`.
  bool run(size_t call, const HbmBuffer *hbm, const HostFunction &host, std::string &error) const;
  // Checking mode: what is wrong with an operand whose elements are garbage, "" if none is; afterwards the results'
  // padding alone is.
  std::string garbage(size_t call, const HbmBuffer *shadows) const;
  void clean(size_t call, const HbmBuffer *shadows) const;

 private:
  struct Array {
    int buffer = 0;
    int64_t offset = 0;
    isa::ArrayLayout layout;
  };
  struct Call {
    uint64_t id = 0;
    std::vector<Array> operands, results;
  };
  static Array arrayOf(const isa::proto::HostArray &array);

  std::vector<Call> calls_;
};

}  // namespace tpuc::exec
