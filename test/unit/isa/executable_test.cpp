// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The executable file: round trips, and refusal of what is corrupt.
#include <gtest/gtest.h>
#include <unistd.h>

#include <cstdio>
#include <fstream>

#include "test/unit/isa/random_program.h"

namespace tpuc::isa {
namespace {

TEST(File, RoundTripsAndIsDeterministic) {
  test::Random random(3);
  Executable exe = test::randomExecutable(random), back;
  std::string bytes = serialize(exe), error;
  ASSERT_TRUE(parse(bytes, back, error)) << error;
  EXPECT_EQ(back.code, exe.code);
  EXPECT_EQ(back.descriptors, exe.descriptors);
  EXPECT_EQ(schema::serialize(back.index), schema::serialize(exe.index));
  EXPECT_EQ(serialize(back), bytes);
}

TEST(File, SavedFilesAreMapped) {
  test::Random random(3);
  Executable exe = test::randomExecutable(random), back;
  std::string path = testing::TempDir() + "tpuc_file_test." + std::to_string(getpid()), error;
  ASSERT_TRUE(save(exe, path, error)) << error;
  ASSERT_TRUE(load(path, back, error)) << error;
  EXPECT_TRUE(back.ownedConstants.empty());
  EXPECT_EQ(std::vector<uint8_t>(back.constants.begin(), back.constants.end()), exe.ownedConstants);
  EXPECT_EQ(serialize(back), serialize(exe));
  Executable moved = std::move(back);
  EXPECT_EQ(serialize(moved), serialize(exe));
  std::remove(path.c_str());
  EXPECT_FALSE(load(path, back, error));
  EXPECT_FALSE(save(exe, testing::TempDir() + "no/such/folder/x", error));
  EXPECT_FALSE(load("/dev/null", back, error));
  EXPECT_FALSE(load("/", back, error));
}

TEST(File, TruncationIsRefused) {
  test::Random random(5);
  std::string bytes = serialize(test::randomExecutable(random)), error;
  for (size_t size = 0; size < bytes.size(); size += size < 3000 ? 1 : 997) {
    Executable exe;
    // Only the zeros that align the end may be missing.
    if (parse(std::string_view(bytes).substr(0, size), exe, error))
      EXPECT_GE(size + 4096, bytes.size());
    else
      EXPECT_FALSE(error.empty());
  }
}

TEST(File, FlippedBytesAreRefused) {
  test::Random random(6);
  std::string bytes = serialize(test::randomExecutable(random));
  size_t accepted = 0;
  for (size_t i = 0; i < bytes.size(); ++i) {
    std::string bad = bytes;
    bad[i] ^= static_cast<char>(1 + test::below(random, 255));
    Executable exe;
    std::string error;
    if (parse(bad, exe, error)) {
      ++accepted;
      EXPECT_EQ(bytes[i], 0) << "only padding may change";
      EXPECT_EQ(serialize(exe), bytes);
    }
  }
  EXPECT_LT(accepted, bytes.size());
}

// With checksums made right again the checks of the content have to hold by themselves.
TEST(File, MutatedProgramsNeverCrash) {
  for (int seed = 0; seed < 3000; ++seed) {
    test::Random random(seed);
    Executable exe = test::randomExecutable(random);
    for (int k = 0; k < 3; ++k) {
      auto bytes = reinterpret_cast<uint8_t *>(exe.code.data());
      if (test::below(random, 2))
        bytes[test::below(random, static_cast<int64_t>(exe.code.size()) * 16)] = static_cast<uint8_t>(random());
      DmaDescriptor &d = exe.descriptors[test::below(random, 8)];
      int64_t *wild[] = {&d.srcOffset, &d.runBytes, &d.dims[0].count, &d.dims[3].srcStride};
      if (test::below(random, 4) == 0) *wild[test::below(random, 4)] = static_cast<int64_t>(random());
    }
    std::string index = schema::serialize(exe.index), error;
    if (test::below(random, 2))
      index[test::below(random, static_cast<int64_t>(index.size()))] = static_cast<char>(random());
    schema::parse(index, exe.index);
    Executable back;
    if (parse(serialize(exe), back, error)) {
      EXPECT_EQ(validate(back), "");
    } else {
      EXPECT_FALSE(error.empty());
    }
  }
}

std::string refused(const char *code) {
  Executable exe;
  std::string error;
  EXPECT_FALSE(assemble(code, exe, error)) << code;
  return error;
}

TEST(Validate, ControlFlow) {
  EXPECT_NE(refused("{ s.li s1, 1 }\n").find("past the last bundle"), std::string::npos);
  EXPECT_NE(refused("{ br target=7 }\n").find("outside"), std::string::npos);
  EXPECT_NE(refused("{ halt ; ret }\n").find("two control"), std::string::npos);
  EXPECT_NE(refused("{ s.li s1, 1 ; s.li s1, 2 }\n{ halt }\n").find("written twice"), std::string::npos);
  EXPECT_NE(refused("{ loop 3, target=1 }\n{ halt }\n").find("loop without its end"), std::string::npos);
  EXPECT_NE(refused("{ loop.end target=0 }\n{ halt }\n").find("loop.end without"), std::string::npos);
  EXPECT_NE(refused("{ loop 3, target=2 }\n{ br target=3 }\n{ loop.end target=0 }\n{ halt }\n").find("out of a loop"),
            std::string::npos);
  EXPECT_NE(refused("{ loop 3, target=2 }\n{ ret }\n{ loop.end target=0 }\n{ halt }\n").find("return out"),
            std::string::npos);
  EXPECT_NE(refused("").find("not closed"), std::string::npos);
}

// The index, with a line for each thing that has to agree.
TEST(Validate, Index) {
  auto with = [](const std::string &lines) { return refused((lines + "{ halt }\n").c_str()); };
  auto contains = [](const std::string &text, const char *what) {
    return text.find(what) != std::string::npos ? std::string() : text;
  };
  EXPECT_EQ(contains(with(".entry bundle: 1\n"), "entry 0: outside of the code"), "");
  EXPECT_EQ(contains(with(".symbol least: 3 most: 2\n"), "symbol 0: bad bounds"), "");
  EXPECT_EQ(contains(with(".symbol most: 2 multiple: -1\n"), "symbol 0: bad multiple"), "");
  EXPECT_EQ(contains(with(".symbol most: 2\n.entry extents: 2\n"), "symbols, but no system area"), "");
  EXPECT_EQ(contains(with(".set smem_bytes 64\n.system size: 12\n.symbol most: 2\n.entry bundle: 0\n"),
                     "expects an extent for each symbol"),
            "");
  EXPECT_EQ(contains(with(".set smem_bytes 64\n.system size: 12\n.symbol most: 2\n.entry extents: 3\n"),
                     "outside of its symbol's bounds"),
            "");
  EXPECT_EQ(contains(with(".set smem_bytes 64\n.system size: 8\n.symbol most: 2\n.entry extents: 2\n"), "too small"),
            "");
  EXPECT_EQ(contains(with(".set smem_bytes 64\n.system offset: 2 size: 12\n"), "no whole number of words"), "");
  EXPECT_EQ(contains(with(".set smem_bytes 64\n.system offset: 56 size: 12\n"), "outside of SMEM"), "");
  EXPECT_EQ(contains(with(".set num_devices 99999999\n"), "too many devices"), "");
  EXPECT_EQ(contains(with(".set matmul_precision \"most\"\n"), "unknown matmul precision"), "");
  EXPECT_EQ(contains(with(".buffer kind: ARGUMENT entries: 1\n"), "bad entries"), "");
  EXPECT_EQ(contains(with(".buffer kind: ARGUMENT entries: 0 entries: 0\n"), "bad entries"), "");
  EXPECT_EQ(contains(with(".buffer kind: ARENA size: 8\n"), "outside of the arena"), "");
  EXPECT_EQ(contains(with(".buffer sharding: \"{replicated}\"\n"), "no argument and no result"), "");
  EXPECT_EQ(contains(with(".buffer kind: RESULT donated: true\n"), "only arguments are donated"), "");
  EXPECT_EQ(contains(with(".buffer kind: ARGUMENT alias_argument: 1\n"), "bad alias"), "");
  EXPECT_EQ(contains(with(".buffer kind: RESULT alias_argument: 1\n"), "bad alias"), "");
  EXPECT_EQ(contains(with(".buffer kind: ARGUMENT\n.buffer kind: RESULT alias_argument: 1\n.buffer kind: RESULT index: "
                          "1 alias_argument: 1\n"),
                     "another result has"),
            "");
  EXPECT_EQ(contains(with(".buffer kind: ARGUMENT array { dims: 2 symbols: 1 }\n"), "unknown symbol"), "");
  EXPECT_EQ(contains(with(".buffer kind: ARGUMENT array { dims: 2 dims: 3 symbols: 0 }\n"), "a symbol for each dim"),
            "");
  EXPECT_EQ(contains(with(".buffer kind: ARGUMENT\n.buffer kind: ARGUMENT\n"), "bad argument or result number"), "");
  // The same number in another entry is another buffer.
  Executable exe;
  std::string error;
  EXPECT_TRUE(
      assemble(".entry name: \"a\"\n.entry name: \"b\"\n.buffer kind: ARGUMENT entries: 0\n.buffer kind: ARGUMENT "
               "entries: 1\n{ halt }\n",
               exe, error))
      << error;
  EXPECT_NE(disassemble(exe).find(".entry name: \"b\"\n"), std::string::npos);
}

}  // namespace
}  // namespace tpuc::isa
