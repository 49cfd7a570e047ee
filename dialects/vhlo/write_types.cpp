#include "dialects/vhlo/bytecode.h"
using namespace mlir;
namespace tpuc::vhlo {
LogicalResult writeType(Type type, DialectBytecodeWriter &writer) { return failure(); }
}
