// SPDX-License-Identifier: Apache-2.0
#include "predict/deep_node.h"

#include <gtest/gtest.h>

#include <cstdint>

namespace xgbl {
namespace {

TEST(DeepNode, GivesBackWhatItIsMadeOf) {
  for (std::uint32_t const cell : {0U, 5U, (1U << 22U) - 1}) {
    for (std::uint32_t const edge : {0U, 1U, 255U}) {
      for (unsigned const leaves : {0U, 1U, 2U, 3U}) {
        std::uint32_t const left = 0xFFFFFFF0U - cell;
        DeepNode const node(cell << 8U | edge, left, (leaves & 1U) != 0, (leaves & 2U) != 0);
        EXPECT_EQ(node.Cell(), cell);
        EXPECT_EQ(node.Child(0), left);
        EXPECT_EQ(node.Child(1), left + 1);
        EXPECT_EQ(node.LeafAt(0) | node.LeafAt(1) << 1U, leaves);
        for (unsigned const code : {0U, 1U, 254U, 255U}) {
          EXPECT_EQ(node.Side(static_cast<std::uint8_t>(code)), code >= edge ? 1U : 0U);
        }
      }
    }
  }
}

}  // namespace
}  // namespace xgbl
