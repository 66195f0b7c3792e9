// SPDX-License-Identifier: Apache-2.0
#include "predict/questions.h"

#include <gtest/gtest.h>

#include <vector>

#include "base/random.h"
#include "simd/kernels.h"

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

}  // namespace
}  // namespace xgbl
