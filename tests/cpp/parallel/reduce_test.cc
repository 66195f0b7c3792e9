// SPDX-License-Identifier: Apache-2.0
#include "parallel/reduce.h"

#include <gtest/gtest.h>

#include "base/random.h"

namespace xgbl {
namespace {

Context Threads(int threads) {
  Context ctx;
  ctx.threads = threads;
  return ctx;
}

// Terms of very unequal size, whose sum depends on the order of adding.
double Term(std::size_t row) {
  Random const random(5, Purpose::kRows, 0);
  return (random.Uniform(row) - 0.5) * (row % 7 == 0 ? 1e12 : 1e-3);
}

TEST(Reduce, BitsDoNotDependOnThreads) {
  for (std::size_t const rows : {std::size_t{1}, kReduceBlock, kReduceBlock + 1, 10 * kReduceBlock + 17}) {
    double const one = SumRows(Threads(1), rows, Term);
    for (int const threads : {2, 3, 8}) EXPECT_EQ(SumRows(Threads(threads), rows, Term), one);
  }
}

TEST(Reduce, WeightsAreSummedByKind) {
  auto const weight = [](std::size_t row) { return row % 3 == 0 ? 1.0F : 0.1F * static_cast<float>(row % 11); };
  std::size_t const rows = 5 * kReduceBlock + 3;
  auto const sums =
      SumWeights(Threads(3), rows, 2, [&](std::size_t row, WeightSum* sum) { sum[row % 2] += weight(row); });
  for (std::size_t kind = 0; kind < 2; ++kind) {
    auto const of_kind = [&](std::size_t row) { return row % 2 == kind ? double{weight(row)} : 0.0; };
    EXPECT_EQ(sums[kind].Value(), SumRows(Threads(1), rows, of_kind));
  }
  EXPECT_EQ((sums[0] + sums[1]).Value(), SumRows(Threads(2), rows, weight));
}

TEST(Reduce, SumOfNothingIsZero) {
  EXPECT_EQ(SumRows(Threads(4), 0, Term), 0);
  EXPECT_EQ(SumVectors(Threads(4), 0, 3, [](std::size_t, double*) {}), (std::vector<double>{0, 0, 0}));
  EXPECT_TRUE(SumVectors(Threads(4), 10, 0, [](std::size_t, double*) {}).empty());
}

TEST(Reduce, VectorsAreSumsOfTheirEntries) {
  std::size_t const rows = 3 * kReduceBlock + 5;
  auto const add = [](std::size_t row, double* sums) {
    sums[0] += Term(row);
    sums[1] += 1;
  };
  auto const sums = SumVectors(Threads(3), rows, 2, add);
  EXPECT_EQ(sums[0], SumRows(Threads(1), rows, Term));
  EXPECT_EQ(sums[1], static_cast<double>(rows));
}

}  // namespace
}  // namespace xgbl
