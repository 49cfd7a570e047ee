// The constants of a description by path ("memory.hbm_granule_bytes"), from the schema.
#pragma once
#include <google/protobuf/descriptor.h>

#include <string>
#include <vector>

namespace tpuc::target {

struct FieldPath {
  std::string path;
  std::vector<const google::protobuf::FieldDescriptor *> steps;
};

// Every constant, in the schema's order; the name and the sources are none.
const std::vector<FieldPath> &allFields();
// "the fields of tpuc.target.Core are mxus, mxu_side, ...".
std::string fieldsOf(const std::string &messageType);

}  // namespace tpuc::target
