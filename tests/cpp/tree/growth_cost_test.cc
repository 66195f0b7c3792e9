// SPDX-License-Identifier: Apache-2.0
// What growing a tree costs as the tree gets larger, told by the memory that it asks for: a timer would tell less, and
// not the same on every machine.
#include <gtest/gtest.h>

#include <atomic>
#include <cstddef>
#include <cstdlib>
#include <new>
#include <string>

#include "tree/growing.h"

namespace {

std::atomic<std::size_t> asked_for{0};

}  // namespace

[[gnu::noinline]] void* operator new(std::size_t bytes) {
  asked_for += bytes;
  if (void* const block = std::malloc(bytes > 0 ? bytes : 1)) return block;
  throw std::bad_alloc();
}
[[gnu::noinline]] void operator delete(void* block) noexcept { std::free(block); }
[[gnu::noinline]] void operator delete(void* block, std::size_t /*bytes*/) noexcept { std::free(block); }

namespace xgbl {
namespace {

double BytesPerLeaf(std::string const& method, std::string const& policy, std::size_t rows) {
  Sample const sample = RandomSample(3, rows, 3, 100'000, 0);
  TreeParam param;
  param.grow_policy = policy;
  param.max_depth = 0;
  param.min_child_weight = 0;
  std::size_t const before = asked_for;
  GrownTree const grown = Grow(sample, param, 1, {}, true, method);
  std::size_t const bytes = asked_for - before;
  std::size_t const leaves = (grown.tree.Size() + 1) / 2;
  EXPECT_GT(leaves, rows / 8);
  return static_cast<double>(bytes) / static_cast<double>(leaves);
}

TEST(GrowthCost, ALeafOfALargeTreeCostsWhatOneOfASmallTreeDoes) {
  for (char const* method : {"hist", "approx"}) {
    for (char const* policy : {"depthwise", "lossguide"}) {
      EXPECT_LT(BytesPerLeaf(method, policy, 16'000), 2 * BytesPerLeaf(method, policy, 2'000))
          << method << ", " << policy;
    }
  }
}

}  // namespace
}  // namespace xgbl
