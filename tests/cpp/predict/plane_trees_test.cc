// SPDX-License-Identifier: Apache-2.0
#include "predict/plane_trees.h"

#include <gtest/gtest.h>

#include <cstdint>
#include <vector>

#include "base/random.h"
#include "simd/level.h"

namespace xgbl {
namespace {

Question Ask(std::uint32_t cell, std::uint32_t edge) { return cell << 8U | edge; }

TEST(Questions, AreAnsweredAtTheirPlaces) {
  constexpr std::size_t kCells = 5, kBlockBytes = kCells * kCodeRows;
  std::vector<Question> const asked{Ask(4, 255), Ask(0, 9), Ask(2, 100), Ask(0, 1), Ask(2, 40)};
  Questions const questions(asked);
  ASSERT_EQ(questions.size(), asked.size());
  Random const random(1, Purpose::kRows, 0);
  for (SimdLevel const level : AvailableSimd()) {
    Context ctx;
    ctx.simd = level;
    for (std::size_t const blocks : {1U, 2U, 8U}) {
      std::vector<std::uint8_t> codes(blocks * kBlockBytes);
      for (std::size_t i = 0; i < codes.size(); ++i) codes[i] = static_cast<std::uint8_t>(random.Bits(i));
      std::vector<std::uint64_t> planes(asked.size() * WordsFor(blocks));
      questions.Answer(codes.data(), kBlockBytes, blocks, ctx, planes.data());
      for (Question const question : asked) {
        std::uint64_t const* const plane = planes.data() + questions.PlaceOf(question) * WordsFor(blocks);
        for (std::size_t row = 0; row < blocks * kCodeRows; ++row) {
          std::size_t const block = row / kCodeRows, lane = row % kCodeRows;
          std::uint8_t const code = codes[block * kBlockBytes + (question >> 8U) * kCodeRows + lane];
          ASSERT_EQ(plane[block] >> lane & 1U, code >= (question & 0xFFU) ? 1U : 0U) << question << ", row " << row;
        }
      }
    }
  }
}

TEST(Questions, MayBeNone) {
  Questions const questions;
  EXPECT_EQ(questions.size(), 0U);
  questions.Answer(nullptr, 0, 1, Context{}, nullptr);
}

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
