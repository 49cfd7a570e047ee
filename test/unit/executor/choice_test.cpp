// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The faster of two ways is found, kept against single slow executions, and left when it has become the slower one.
#include "runtime/executor/choice.h"

#include <gtest/gtest.h>

namespace tpuc::exec {
namespace {

using std::chrono::microseconds;

// How often way 1 is taken in `turns` executions of these times.
int takesOther(Choice &choice, int turns, microseconds first, microseconds second) {
  int other = 0;
  for (int k = 0; k < turns; ++k) {
    int way = choice.next();
    choice.took(way, way ? second : first);
    other += way;
  }
  return other;
}

TEST(Choice, TriesBothAndTakesTheFaster) {
  Choice choice;
  EXPECT_EQ(takesOther(choice, 4, microseconds(10), microseconds(20)), 2);
  EXPECT_EQ(takesOther(choice, 64, microseconds(10), microseconds(20)), 2);  // the other way every 32nd time
  Choice reverse;
  EXPECT_EQ(takesOther(reverse, 4 + 64, microseconds(20), microseconds(10)), 2 + 62);
}

TEST(Choice, OneSlowExecutionChangesNothing) {
  Choice choice;
  takesOther(choice, 8, microseconds(10), microseconds(20));
  choice.took(0, microseconds(50));
  EXPECT_EQ(choice.next(), 0);
}

TEST(Choice, LeavesAWayThatHasBecomeSlow) {
  Choice choice;
  takesOther(choice, 8, microseconds(10), microseconds(20));
  EXPECT_GT(takesOther(choice, 64, microseconds(40), microseconds(20)), 40);
}

}  // namespace
}  // namespace tpuc::exec
