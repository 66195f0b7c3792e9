// SPDX-License-Identifier: Apache-2.0
#include "hist/histogram.h"

#include <gtest/gtest.h>

#include <vector>

#include "base/random.h"

namespace xgbl {
namespace {

using Words = std::vector<std::int64_t>;

std::int64_t Packed(FixedSum sum) {
  return static_cast<std::int64_t>(static_cast<std::uint64_t>(sum.gradient) << 32U) + sum.hessian;
}

// Gradients of either sign, hessians that are not negative, as many as vectors have lanes and some.
std::vector<FixedSum> RandomSums(std::uint64_t seed, std::size_t bins) {
  Random const random(seed, Purpose::kRows, 0);
  std::vector<FixedSum> sums(bins);
  for (std::size_t i = 0; i < bins; ++i) {
    sums[i].gradient = static_cast<std::int64_t>(random.Bits(2 * i) % 2'000'001) - 1'000'000;
    sums[i].hessian = static_cast<std::int64_t>(random.Bits(2 * i + 1) % 1'000'000);
  }
  return sums;
}

Words PackedOf(std::vector<FixedSum> const& sums) {
  Words words;
  for (FixedSum const sum : sums) words.push_back(Packed(sum));
  return words;
}

Words WideOf(std::vector<FixedSum> const& sums) {
  Words words;
  for (FixedSum const sum : sums) words.insert(words.end(), {sum.gradient, sum.hessian});
  return words;
}

class BinArithmetic : public testing::TestWithParam<std::size_t> {
 protected:
  std::vector<FixedSum> a_ = RandomSums(1, GetParam()), b_ = RandomSums(2, GetParam()), sum_ = a_;
  void SetUp() override {
    for (std::size_t i = 0; i < a_.size(); ++i) sum_[i] += b_[i];
  }
};
INSTANTIATE_TEST_SUITE_P(Bins, BinArithmetic, testing::Values(0, 1, 7, 64, 257));

TEST_P(BinArithmetic, FlushAddsAndClears) {
  Words part = PackedOf(b_), packed = PackedOf(a_);
  FlushWords(part.data(), part.size(), packed.data());
  EXPECT_EQ(packed, PackedOf(sum_));
  EXPECT_EQ(part, Words(part.size(), 0));
  part = PackedOf(b_);
  Words wide = WideOf(a_);
  FlushPackedToWide(part.data(), part.size(), wide.data());
  EXPECT_EQ(wide, WideOf(sum_));
  EXPECT_EQ(part, Words(part.size(), 0));
}

TEST_P(BinArithmetic, SubtractUndoesAddition) {
  Words packed = PackedOf(sum_), wide = WideOf(sum_), mixed = WideOf(sum_);
  SubtractWords(packed.data(), PackedOf(b_).data(), packed.size());
  EXPECT_EQ(packed, PackedOf(a_));
  SubtractWords(wide.data(), WideOf(b_).data(), wide.size());
  EXPECT_EQ(wide, WideOf(a_));
  SubtractPackedFromWide(mixed.data(), PackedOf(b_).data(), a_.size());
  EXPECT_EQ(mixed, WideOf(a_));
}

TEST_P(BinArithmetic, DifferencesThatFitArePacked) {
  Words packed(a_.size());
  PackWideMinusPacked(WideOf(sum_).data(), PackedOf(b_).data(), a_.size(), packed.data());
  EXPECT_EQ(packed, PackedOf(a_));
}

TEST_P(BinArithmetic, UnpackGivesWhatWasPacked) {
  for (FixedSum const sum : a_) EXPECT_EQ(Histogram::Unpack(Packed(sum)), sum);
}

}  // namespace
}  // namespace xgbl
