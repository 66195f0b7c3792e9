// SPDX-License-Identifier: Apache-2.0
#include "parallel/reduce.h"

#include <gtest/gtest.h>

#include <cmath>

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
  for (std::size_t const rows : {std::size_t{1}, kReduceBlock, kReduceTask + 1, 10 * kReduceTask + 17}) {
    double const one = SumRows(Threads(1), rows, Term);
    for (int const threads : {2, 3, 8}) EXPECT_EQ(SumRows(Threads(threads), rows, Term), one);
  }
}

TEST(Reduce, WeightsAreSummedByKind) {
  std::size_t const rows = 5 * kReduceBlock + 3;
  std::vector<float> weights(rows);
  for (std::size_t row = 0; row < rows; ++row) {
    float const weight = row % 3 == 0 ? 1.0F : 0.1F * static_cast<float>(row % 11);
    weights[row] = row < 2 * kReduceBlock ? weight : std::ldexp(weight, static_cast<int>(row % 240) - 140);
  }
  auto const add = [](std::size_t begin, std::size_t end, std::int64_t const* parts, std::int64_t* sums) {
    for (std::size_t row = begin; row < end; ++row) sums[row % 2] += parts[row - begin];
  };
  for (Span<float const> const given : {Span<float const>(weights), Span<float const>()}) {
    auto const sums = SumWeights(Threads(3), rows, given, 2, add);
    for (std::size_t kind = 0; kind < 2; ++kind) {
      auto const of_kind = [&](std::size_t row) {
        return row % 2 != kind ? 0.0 : given.empty() ? 1.0 : double{given[row]};
      };
      EXPECT_EQ(sums[kind], SumRows(Threads(1), rows, of_kind));
    }
  }
}

TEST(Reduce, SumOfNothingIsZero) {
  EXPECT_EQ(SumRows(Threads(4), 0, Term), 0);
  auto const none = [](std::size_t, std::size_t) { return std::array<double, 1>{1}; };
  EXPECT_EQ(SumColumns<1>(Threads(4), 0, 2, none), (std::vector<std::array<double, 1>>{{0}, {0}}));
  EXPECT_TRUE(SumColumns<1>(Threads(4), 10, 0, none).empty());
}

TEST(Reduce, ColumnsAreSummedApart) {
  std::size_t const rows = 3 * kReduceTask + 5;
  auto const terms = [](std::size_t row, std::size_t column) {
    return std::array<double, 2>{column == 0 ? Term(row) : -1.0, 1};
  };
  auto const sums = SumColumns<2>(Threads(3), rows, 2, terms);
  EXPECT_EQ(sums[0][0], SumRows(Threads(1), rows, Term));
  EXPECT_EQ(sums[1][0], -static_cast<double>(rows));
  EXPECT_EQ(sums[1][1], static_cast<double>(rows));
}

}  // namespace
}  // namespace xgbl
