// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Traces are JSON, hold what ran, and do not change the cycles.
#include "runtime/trace/perfetto.h"

#include <google/protobuf/struct.pb.h>
#include <google/protobuf/util/json_util.h>

#include <map>
#include <sstream>

#include "test/unit/timing/matmul_program.h"

namespace tpuc::trace {
namespace {

using google::protobuf::Struct;

Struct parse(const std::string &text) {
  Struct out;
  EXPECT_TRUE(google::protobuf::util::JsonStringToMessage(text, &out).ok()) << text.substr(0, 400);
  return out;
}

class Perfetto : public testing::Test {
 protected:
  void SetUp() override {
    std::string error;
    ASSERT_TRUE(target::loadTarget("v4", target, error)) << error;
    builder = timing::test::matmulProgram(target, {1024, 1024, 1024, 512, 512});
  }
  std::map<std::string, int> slices(const Struct &trace) {
    std::map<std::string, int> count;
    for (const auto &event : trace.fields().at("traceEvents").list_value().values()) {
      const auto &fields = event.struct_value().fields();
      if (fields.at("ph").string_value() == "X") ++count[fields.at("name").string_value()];
    }
    return count;
  }
  target::Target target;
  timing::test::Builder builder;
};

TEST_F(Perfetto, HoldsKernelsTransfersAndArrays) {
  std::ostringstream out;
  timing::TimingResult traced = writeTrace(builder.exe, target, {}, {}, out);
  ASSERT_TRUE(traced.ok) << traced.error;
  EXPECT_EQ(traced.cycles, timing::timeProgram(builder.exe, target).cycles);
  Struct trace = parse(out.str());
  auto count = slices(trace);
  EXPECT_EQ(count["matmul"], 1);
  EXPECT_EQ(count["HBM buffer 0 to VMEM"], 6);  // rows once a core, weights in each of four steps
  EXPECT_EQ(count["VMEM to HBM buffer 0"], 4);
  EXPECT_GT(count["push"], 8);
  EXPECT_EQ(trace.fields().at("otherData").struct_value().fields().at("cycles").number_value(), traced.cycles);
  EXPECT_TRUE(trace.fields().at("otherData").struct_value().fields().at("complete").bool_value());
}

TEST_F(Perfetto, StopsWritingAtTheLimit) {
  std::ostringstream out;
  TraceOptions options;
  options.maxSlices = 3;
  timing::TimingResult traced = writeTrace(builder.exe, target, {}, options, out);
  EXPECT_EQ(traced.cycles, timing::timeProgram(builder.exe, target).cycles);
  Struct trace = parse(out.str());
  EXPECT_FALSE(trace.fields().at("otherData").struct_value().fields().at("complete").bool_value());
}

TEST_F(Perfetto, NamesNeedNotBeUtf8) {
  builder.exe.index.set_module_name("a\"b\\\n\xc3\xa9\xff\xe0\x80");
  std::ostringstream out;
  writeTrace(builder.exe, target, {}, {}, out);
  const Struct trace = parse(out.str());
  const auto &first = trace.fields().at("traceEvents").list_value().values(0).struct_value().fields();
  EXPECT_EQ(first.at("args").struct_value().fields().at("name").string_value(),
            "a\"b\\\n\xc3\xa9\xef\xbf\xbd\xef\xbf\xbd\xef\xbf\xbd on v4");
}

}  // namespace
}  // namespace tpuc::trace
