// The catalogue of every diagnostic's code.
#include "compiler/report/codes.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringExtras.h"

namespace tpuc::report {
namespace {

constexpr Code kLater[] = {
    {"TPUC-FIT-001", Exit::DoesNotFit,
     "Arguments, results, constants and the temporaries alive at one time need more HBM than the target has. The notes name "
     "the three largest arrays alive at the peak with their lines. Shard the program over more chips, make the batch smaller, "
     "or choose another target (tpuc targets)."},
    {"TPUC-EXPAND-001", Exit::Unsupported,
     "A computation in a region (of a reduce_window, a sort, a scatter) is not one on single elements. The message names the op."},
    {"TPUC-EXPAND-002", Exit::Unsupported, "A constant of a 64-bit or complex type has its elements outside of the program. Write them into it."},
    {"TPUC-EXPAND-003", Exit::Unsupported,
     "An op on a 64-bit or complex type has no form in 32-bit operations. Cast to a narrower type around it; the message names the op."},
    {"TPUC-EXPAND-001", Exit::Unsupported,
     "A reduce_window's computation looks at more than one element of each operand at a time. Write it elementwise."},
    {"TPUC-EXPAND-002", Exit::Unsupported, "A constant's elements are not in the program but in a resource beside it. Export with the elements inline."},
    {"TPUC-EXPAND-003", Exit::Unsupported,
     "An op has no lowering to the instruction set for this element type (64-bit and complex types run as pairs of 32-bit lanes). Compute "
     "it in f32 or i32, or write it in simpler ops."},
    {"TPUC-EXPAND-004", Exit::Unsupported, "Random bits come from Threefry with a state of two 64-bit words; other generators have no lowering yet."},
    {"TPUC-LOWER-001", Exit::DoesNotFit,
     "The smallest block that a kernel can work on is larger than the target's VMEM: usually one row of a reduction, or the updates of "
     "one index. Split the dimension, or choose a target with more VMEM."},
    {"TPUC-LOWER-002", Exit::Unsupported,
     "The matrix unit has no mode for these element types: it takes bf16, f32 and, on most targets, i8. Convert the operands."},
    {"TPUC-LOWER-003", Exit::Unsupported,
     "An op, or the computation inside of one, has no lowering to the instruction set with these types. The message names the op and its "
     "line; cast around it, or write it in simpler ops."},
    {"TPUC-LOWER-004", Exit::Unsupported,
     "The order in which an array lies in memory does not suit what reads it: a matmul's operand, or a copy that would take too many "
     "transfers. Transpose or reshape in smaller steps before it."},
    {"TPUC-LOWER-005", Exit::Unsupported, "A convolution has an empty operand or result. Drop it from the program."},
    {"TPUC-STAGE-001", Exit::Invalid,
     "A stage's result breaks what holds after it (docs/stages). From tpuc's own stages this is a defect worth a report; "
     "from an edited file of --dump-stages, the message says what to mend."},
    {"TPUC-STAGE-002", Exit::Invalid,
     "The file given to --start-from is not what the stage before writes. Write it with --stop-after or --dump-stages."},
    {"TPUC-TARGET-001", Exit::Usage,
     "The target is neither a bundled name (tpuc targets lists them) nor a readable description, or a constant of it is "
     "unsound. --set NAME=VALUE changes one constant; tpuc targets NAME shows them with their sources."},
    {"TPUC-TARGET-002", Exit::Unsupported,
     "The target has no unit for this. v1 has one array for 8-bit integers and runs dense int8 programs only; every later one "
     "takes bf16 and f32."},
    {"TPUC-USAGE-001", Exit::Usage, "A flag is unknown, its value malformed, or two exclude each other. tpuc COMMAND --help lists them."},
    {"TPUC-INPUT-001", Exit::Usage, "A file or folder cannot be read or written. Check the path and its permissions."},
    {"TPUC-INPUT-002", Exit::Invalid,
     "The file is no .npy file, or is cut off or damaged. numpy.save(PATH, ARRAY) writes one; pickled objects are not read."},
    {"TPUC-INPUT-003", Exit::Invalid,
     "An array's element type or shape is not that of the program's argument or result. bf16 and 8-bit floats are stored as "
     "raw bytes (numpy dtype V2 and V1, as numpy.save writes ml_dtypes); types below 8 bits take a byte an element."},
    {"TPUC-INPUT-004", Exit::Invalid,
     "The program has another number of arguments than inputs were given. A folder brings input.0.npy, input.1.npy, ...; "
     "--input FILE gives one at a time, --random=SEED makes them up."},
    {"TPUC-INPUT-005", Exit::Invalid, "info.json of a program's folder is no JSON object, or its tolerance is no number."},
    {"TPUC-EXE-001", Exit::Invalid,
     "The executable is cut off, damaged, or of another version of tpuc. Compile the program again with this one."},
    {"TPUC-EXE-002", Exit::Invalid, "The assembly text has a line that is no instruction, descriptor or directive. docs/isa.md lists them."},
    {"TPUC-RUN-001", Exit::Unsupported, "The executor cannot load the executable on this host: memory ran out, or the target's machine is not one it has."},
    {"TPUC-RUN-002", Exit::Invalid,
     "The machine stopped: an address out of range, or in checking mode a race of a DMA or garbage that reached a result. The "
     "message names the instruction, the bundle and the line of the program. From compiled programs this is a defect worth a report."},
    {"TPUC-RUN-003", Exit::Unsupported,
     "How long the program takes depends on data: a loop's count or a branch comes from a tensor. Run it with inputs (tpuc run "
     "DIR --time, tpuc report DIR): the run tells the timing which way the branches went."},
    {"TPUC-RUN-004", Exit::Unsupported,
     "tpuc crashed on one of several programs and went on with the others; the command ends with 70. Please report the program."},
    {"TPUC-CHECK-001", Exit::Invalid,
     "A result differs from what is expected by more than the tolerance. Outputs of a folder: relative to the largest magnitude of "
     "the output, integers and booleans exact. At the default precision f32 matmuls take bf16 inputs, as on a TPU; "
     "--matmul-precision=highest compares at the folder's own tolerance."},
    {"TPUC-CHECK-002", Exit::Invalid, "An expectation inside the program (check.expect_*) does not hold."},
    {"TPUC-CHECK-003", Exit::Unsupported,
     "An expectation stands inside a loop or a branch, where its values have no end to be compared at. Return them and check after."},
};

}  // namespace

llvm::ArrayRef<const Code *> allCodes() {
  static const std::vector<const Code *> codes = [] {
    std::vector<const Code *> all(frontend::allCodes());
    for (const Code &code : kLater) all.push_back(&code);
    return all;
  }();
  return codes;
}

const Code *findCode(llvm::StringRef name) {
  auto found = llvm::find_if(allCodes(), [&](const Code *code) { return code->name == name; });
  return found == allCodes().end() ? nullptr : *found;
}

llvm::StringRef codeIn(llvm::StringRef message) {
  for (size_t at = message.find("TPUC-"); at != llvm::StringRef::npos; at = message.find("TPUC-", at + 1)) {
    llvm::StringRef rest = message.substr(at + 5);
    size_t word = rest.find_if_not([](char c) { return llvm::isAlpha(c); });
    if (word == 0 || word == llvm::StringRef::npos || rest[word] != '-') continue;
    size_t digits = rest.substr(word + 1).take_while([](char c) { return llvm::isDigit(c); }).size();
    if (digits == 3) return message.substr(at, 5 + word + 1 + digits);
  }
  return {};
}

Exit exitOf(llvm::StringRef message) {
  llvm::StringRef name = codeIn(message);
  if (const Code *code = findCode(name)) return code->exit;
  if (name.contains("-FIT-")) return Exit::DoesNotFit;
  if (name.contains("-IMPORT-")) return Exit::Invalid;
  return Exit::Unsupported;
}

}  // namespace tpuc::report
