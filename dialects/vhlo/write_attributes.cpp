#include "dialects/vhlo/bytecode.h"
using namespace mlir;
namespace tpuc::vhlo {
LogicalResult writeAttribute(Attribute type, DialectBytecodeWriter &writer) { return failure(); }
}
