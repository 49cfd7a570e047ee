// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Messages as bytes and as text are what protobuf makes of the same schema.
#include <google/protobuf/descriptor.pb.h>
#include <google/protobuf/dynamic_message.h>
#include <google/protobuf/text_format.h>
#include <gtest/gtest.h>

#include <cmath>
#include <fstream>
#include <random>

#include "runtime/isa/executable_messages.h"
#include "runtime/target/target.h"

namespace tpuc::schema {
namespace {

namespace pb = google::protobuf;

// A message by protobuf's own reading of the schema.
class Protobuf {
 public:
  explicit Protobuf(const char *message) {
    pb::FileDescriptorSet files;
    std::ifstream in(TPUC_SCHEMAS, std::ios::binary);
    EXPECT_TRUE(files.ParseFromIstream(&in));
    for (const pb::FileDescriptorProto &file : files.file()) EXPECT_TRUE(pool_.BuildFile(file));
    message_.reset(factory_.GetPrototype(pool_.FindMessageTypeByName(message))->New());
  }
  pb::Message &message() { return *message_; }
  std::string text() const {
    std::string out;
    pb::TextFormat::PrintToString(*message_, &out);
    return out;
  }

 private:
  pb::DescriptorPool pool_;
  pb::DynamicMessageFactory factory_;
  std::unique_ptr<pb::Message> message_;
};

using Random = std::mt19937_64;

// Any values in every field.
void fill(Ref ref, Random &random, int depth) {
  auto number = [&] { return random() >> random() % 64; };
  auto put = [&](const Field &f, auto value) {
    using T = decltype(value);
    if (f.repeated)
      static_cast<std::vector<T> *>(f.at(ref.message))->push_back(value);
    else
      *static_cast<T *>(f.at(ref.message)) = value;
  };
  auto text = [&](unsigned most) {
    std::string out;
    for (uint64_t n = random() % 9; n > 0; --n) out += static_cast<char>(random() % (most + 1));
    return out;
  };
  for (int i = 0; i < ref.type->count; ++i) {
    const Field &f = ref.type->fields[i];
    for (uint64_t n = f.repeated ? random() % 4 : random() % 2; n > 0; --n) switch (f.kind) {
        case Kind::Bool:
          put(f, random() % 2 == 0);
          break;
        case Kind::Int32:
          put(f, static_cast<int32_t>(number()));
          break;
        case Kind::Int64:
          put(f, static_cast<int64_t>(number()));
          break;
        case Kind::Uint32:
          put(f, static_cast<uint32_t>(number()));
          break;
        case Kind::Uint64:
          put(f, static_cast<uint64_t>(number()));
          break;
        case Kind::Double:
          put(f, std::ldexp(static_cast<double>(number()), static_cast<int>(random() % 200) - 100));
          break;
        case Kind::Enum:
          put(f, static_cast<int32_t>(random() % f.values->count));
          break;
        case Kind::String:
          put(f, text(f.name == std::string("location") ? 255 : 127));
          break;  // locations are bytes
        case Kind::Message:
          if (depth < 4)
            fill({&f.message(), f.repeated ? f.list->add(f.at(ref.message)) : f.at(ref.message)}, random, depth + 1);
          break;
        case Kind::StringMap:
          (*static_cast<std::map<std::string, std::string> *>(f.at(ref.message)))["key\n"] = "value";
          break;
      }
  }
}

template <typename Message>
void agree(const char *name) {
  for (int seed = 0; seed < 300; ++seed) {
    Random random(seed);
    Message message, back, fromText;
    fill(refOf(message), random, 0);
    Protobuf theirs(name);
    const std::string bytes = serialize(message), text = toText(message);
    ASSERT_TRUE(theirs.message().ParseFromString(bytes)) << text;
    EXPECT_EQ(theirs.message().SerializeAsString(), bytes) << text;
    EXPECT_EQ(theirs.text(), text);
    ASSERT_TRUE(parse(bytes, back));
    EXPECT_EQ(serialize(back), bytes);
    TextError error;
    ASSERT_TRUE(parseText(text, fromText, error)) << error.line << ":" << error.column << ": " << error.message << "\n"
                                                  << text;
    EXPECT_EQ(toText(fromText), text);
    EXPECT_TRUE(parseText(toText(message, /*oneLine=*/true), back, error)) << error.message;
  }
}

TEST(Messages, AreProtobufs) { agree<isa::proto::Index>("tpuc.isa.proto.Index"); }

TEST(Messages, MapsArePairs) { agree<target::Target>("tpuc.target.Target"); }

TEST(Messages, DamageIsRefusedOrRead) {
  Random random(1);
  isa::proto::Index message;
  fill(refOf(message), random, 0);
  const std::string bytes = serialize(message);
  for (int k = 0; k < 20000; ++k) {
    std::string bad = bytes.substr(0, random() % 4 ? bytes.size() : random() % bytes.size());
    for (uint64_t n = random() % 3; n > 0 && !bad.empty(); --n)
      bad[random() % bad.size()] = static_cast<char>(random());
    isa::proto::Index back;
    if (parse(bad, back)) (void)serialize(back);
  }
  std::string deep;
  for (int k = 0; k < 200; ++k) deep = std::string("\xff\x07", 2) + static_cast<char>(deep.size() & 127) + deep;
  EXPECT_TRUE(parse(std::string("\xfa\x3f\x00", 3), message));  // a field that nobody knows
  EXPECT_FALSE(parse(std::string("\x0a", 1), message));
  EXPECT_FALSE(parse(std::string("\x0d\x01\x00\x00\x00", 5), message));  // a number of another width
}

TEST(Text, ErrorsSayWhereAndWhat) {
  auto errorOf = [](const char *text) {
    isa::proto::Buffer message;
    TextError error;
    EXPECT_FALSE(parseText(text, message, error)) << text;
    return std::to_string(error.line) + ":" + std::to_string(error.column) + ": " + error.message;
  };
  EXPECT_EQ(errorOf("kind: LAMP"), "1:7: expects one of ARENA, ARGUMENT, RESULT, CONSTANT, but got 'LAMP'");
  EXPECT_EQ(errorOf("\n  size: -1"), "2:10: the number -1 is out of range");
  EXPECT_EQ(errorOf("index: 3000000000"), "1:8: the number 3000000000 is out of range");
  EXPECT_EQ(errorOf("index: 1 index: 2"), "1:10: field 'index' is given twice");
  EXPECT_EQ(errorOf("array { type: f32 }"), "1:15: expects a quoted string, but got 'f32'");
  EXPECT_EQ(errorOf("array { type: \"f32 }"), "1:15: the string does not end");
  EXPECT_EQ(errorOf("array { dims: [1, 2"), "1:20: expects ',' or ']', but got the end");
  EXPECT_EQ(errorOf("sizes: 1").substr(0, 55), "1:1: unknown field 'sizes'; the fields of Buffer are ki");
}

TEST(Text, OtherSpellings) {
  isa::proto::Buffer a, b;
  TextError error;
  ASSERT_TRUE(
      parseText("# a comment\nkind: ARGUMENT, index: 0x10; array < dims: [2, 3] dims: 4 type: 'f' \"32\" >", a, error))
      << error.message;
  ASSERT_TRUE(parseText("kind: 1 index: 16 array { type: \"f32\" dims: 2 dims: 3 dims: 4 }", b, error))
      << error.message;
  EXPECT_EQ(serialize(a), serialize(b));
}

}  // namespace
}  // namespace tpuc::schema
