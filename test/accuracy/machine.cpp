// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "test/accuracy/machine.h"

#include <sstream>

namespace tpuc::accuracy {

Program compile(const std::string &op, const std::string &type, int arity, size_t count) {
  std::ostringstream text;
  std::string tensor = "tensor<" + std::to_string(count) + "x" + type + ">";
  text << "func.func @main(%x: " << tensor << (arity == 2 ? ", %y: " + tensor : "") << ") -> " << tensor
       << " {\n  %0 = " << op << " %x" << (arity == 2 ? ", %y" : "") << " : ";
  if (op.starts_with("chlo.") && arity == 2)
    text << tensor << ", " << tensor << " -> " << tensor;
  else if (op.starts_with("chlo."))
    text << tensor << " -> " << tensor;
  else
    text << tensor;
  text << "\n  return %0 : " << tensor << "\n}\n";
  return {type, arity, count, api::compile(text.str())};
}

}  // namespace tpuc::accuracy
