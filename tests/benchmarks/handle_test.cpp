// SPDX-License-Identifier: Apache-2.0
#include "benchmarks/handle.hpp"

#include <gtest/gtest.h>

#include <utility>

namespace muster::benchmarks {
namespace {

void count(int* releases) { ++*releases; }

using Counted = Handle<int, count>;

TEST(Handle, ReleasesOnceWhereverItWasMoved) {
  int releases = 0;
  {
    Counted first(&releases);
    const Counted second = std::move(first);
    EXPECT_EQ(releases, 0);
  }
  EXPECT_EQ(releases, 1);
}

TEST(Handle, IsAsSmallAsAPointer) { EXPECT_EQ(sizeof(Counted), sizeof(int*)); }

}  // namespace
}  // namespace muster::benchmarks
