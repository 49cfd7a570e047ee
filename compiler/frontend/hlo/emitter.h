// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What the families of opcodes share: an instruction with its operands, and the building of ops from it.
#ifndef TPUC_COMPILER_FRONTEND_HLO_EMITTER_H
#define TPUC_COMPILER_FRONTEND_HLO_EMITTER_H

#include <deque>
#include <map>

#include "compiler/frontend/hlo/fields.h"
#include "compiler/frontend/hlo/locations.h"
#include "compiler/frontend/hlo/message.h"
#include "compiler/frontend/hlo/shapes.h"
#include "dialects/diagnostics/diagnose.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/Builders.h"

namespace tpuc::frontend::hlo {

using Leaves = llvm::SmallVector<mlir::Value, 1>;
using Attributes = llvm::ArrayRef<mlir::NamedAttribute>;

struct Computation {
  Message fields;
  llvm::StringRef name;
  std::vector<Message> instructions;  // read with the first use
  bool isOpen = false;                // is being emitted
  mlir::func::FuncOp function;        // where it is called
};

class Emitter;
struct Instruction;
// Emits one instruction; `op` is the name of the op in the table of opcodes.
using Emit = mlir::LogicalResult (*)(Emitter &, const Instruction &, llvm::StringRef op, Leaves &);

// A line of the table of opcodes.
struct Opcode {
  llvm::StringRef name;
  Emit emit;
  int operands;      // how many; -1: any number
  int computations;  // how many are called; -1: any number
  bool onArrays;     // each operand is an array
  llvm::StringRef op;
};
const Opcode *findOpcode(llvm::StringRef name);

struct Instruction {
  Message fields;
  const Opcode *opcode = nullptr;
  Shape shape;
  mlir::Location location;
  llvm::SmallVector<const Leaves *> operands;
  llvm::SmallVector<Shape> operandShapes;
  llvm::SmallVector<Computation *> computations;

  // The value of an operand that is an array, not a tuple.
  mlir::Value array(unsigned i) const { return operands[i]->front(); }
  // Null where it is no array.
  mlir::RankedTensorType arrayType(unsigned i) const { return dyn_cast<mlir::RankedTensorType>(array(i).getType()); }
  mlir::RankedTensorType type() const { return dyn_cast_or_null<mlir::RankedTensorType>(shape.type); }
  // The start of an operation that ends elsewhere: its leaves are the results, where its shape says more.
  bool isAsynchronous() const;
  // The arrays of all operands.
  llvm::SmallVector<mlir::Value> values() const;
};

class Emitter {
 public:
  Emitter(const Message &module, mlir::ModuleOp into, const Locations &locations, const bool &damaged);

  // The entry as @main, and what is called from it.
  mlir::LogicalResult emitModule(const Message &module);

  CodedError refuse(const Instruction &instruction, const DiagnosticCode &code);
  CodedError malformed(const Instruction &instruction) { return refuse(instruction, codes::kMalformed); }

  // The op with the shape's types as results, which become the instruction's leaves.
  mlir::Operation *create(const Instruction &instruction, llvm::StringRef op, mlir::ValueRange operands,
                          Attributes attributes, Leaves &results, unsigned regions = 0);
  // One op with one result of another type, on the way to the instruction's.
  mlir::Value create(const Instruction &instruction, llvm::StringRef op, mlir::ValueRange operands, mlir::Type type,
                     Attributes attributes);
  mlir::NamedAttribute attribute(llvm::StringRef name, mlir::Attribute value) { return b.getNamedAttr(name, value); }
  mlir::NamedAttribute dims(llvm::StringRef name, llvm::ArrayRef<int64_t> values) {
    return attribute(name, b.getDenseI64ArrayAttr(values));
  }
  mlir::NamedAttribute number(llvm::StringRef name, int64_t value) {
    return attribute(name, b.getI64IntegerAttr(value));
  }
  mlir::NamedAttribute flag(llvm::StringRef name, bool value) { return attribute(name, b.getBoolAttr(value)); }
  // Rows of numbers; those that are shorter end in -1.
  mlir::NamedAttribute table(llvm::StringRef name, llvm::ArrayRef<llvm::SmallVector<int64_t>> rows);

  // A computation in the place of an instruction that calls it, or as a region whose arguments are its parameters'
  // leaves.
  mlir::LogicalResult emitInline(Computation &computation, const Instruction &caller,
                                 llvm::ArrayRef<const Leaves *> arguments, Leaves &results);
  mlir::LogicalResult emitRegion(Computation &computation, const Instruction &caller, mlir::Region &region);
  mlir::LogicalResult emitBranch(Computation &computation, const Instruction &caller, const Leaves &argument,
                                 mlir::Region &region);
  // A function of the computation, whose body comes later.
  mlir::FailureOr<mlir::func::FuncOp> function(Computation &computation);

  mlir::OpBuilder b;

 private:
  struct Signature {
    llvm::SmallVector<Shape> parameters;
    std::vector<Message> instructions;  // of the parameters
    Shape result;
    Message root;
  };
  struct Value {
    Leaves leaves;
    Shape shape;
  };
  using Values = std::map<uint32_t, Value>;

  mlir::LogicalResult readComputation(const Message &fields, size_t index);
  mlir::LogicalResult open(Computation &computation);
  mlir::FailureOr<Signature> signature(Computation &computation);
  mlir::LogicalResult emitBody(Computation &computation, llvm::ArrayRef<const Leaves *> arguments, Leaves &results);
  mlir::LogicalResult emitFunction(Computation &computation);
  mlir::LogicalResult emitOne(const Message &fields, Values &values, llvm::ArrayRef<const Leaves *> arguments);
  mlir::LogicalResult readInstruction(const Message &fields, Values &values, Instruction &instruction);
  mlir::LogicalResult findCallees(Instruction &instruction);
  mlir::LogicalResult checkForm(const Instruction &instruction);
  mlir::LogicalResult parameter(const Instruction &instruction, llvm::ArrayRef<const Leaves *> arguments,
                                Leaves &results);
  mlir::LogicalResult spend(size_t ops, mlir::Location location);
  mlir::FailureOr<mlir::func::FuncOp> entry(const Message &module, Computation &computation);
  void annotate(const Instruction &instruction, mlir::Operation *op);

  mlir::ModuleOp module_;
  const Locations &locations_;
  const bool &damaged_;
  std::deque<Computation> computations_;
  std::map<int64_t, Computation *> byId_;
  llvm::SmallVector<Computation *> pending_;  // functions without a body yet
  mlir::Operation *last_ = nullptr;           // made for the instruction that is being emitted
  size_t spent_ = 0;
  unsigned depth_ = 0;
};

// The attributes of a function's arguments and results: shardings, aliases, donors.
void annotateEntry(const Message &module, llvm::ArrayRef<Shape> parameters, llvm::ArrayRef<Message> instructions,
                   const Shape &result, const Message &root, mlir::func::FuncOp function);
// A map of names and texts; null where it is empty.
mlir::DictionaryAttr frontendAttributes(const Message &fields, mlir::MLIRContext *context);

}  // namespace tpuc::frontend::hlo

#endif  // TPUC_COMPILER_FRONTEND_HLO_EMITTER_H
