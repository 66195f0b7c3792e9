// SPDX-License-Identifier: Apache-2.0
#include "simd/bin_kernels.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

#include "base/random.h"
#include "simd/level.h"

namespace xgbl {
namespace {

constexpr float kInf = std::numeric_limits<float>::infinity();
constexpr float kNan = std::numeric_limits<float>::quiet_NaN();

std::uint16_t Expected(float x, std::vector<float> const& edges) {
  if (std::isnan(x)) return static_cast<std::uint16_t>(edges.size() + 1);
  return static_cast<std::uint16_t>(std::upper_bound(edges.begin(), edges.end(), x) - edges.begin());
}

class BinSearch : public testing::TestWithParam<SimdLevel> {
 protected:
  // There is one bin more than edges; the last upper one is never looked at.
  std::vector<std::uint16_t> Search(std::vector<float> const& x, std::vector<float> const& edges) {
    std::vector<std::uint16_t> bins(x.size() + 1, 54321);
    BinKernels::Of(GetParam()).bins_of(x.data(), x.size(), edges.data(), edges.size() + 1, bins.data());
    EXPECT_EQ(bins.back(), 54321) << "written behind the end";
    bins.pop_back();
    return bins;
  }
  void ExpectRight(std::vector<float> const& x, std::vector<float> const& edges) {
    auto const bins = Search(x, edges);
    for (std::size_t i = 0; i < x.size(); ++i) {
      ASSERT_EQ(bins[i], Expected(x[i], edges)) << x[i] << " among " << edges.size() << " edges";
    }
  }
};
INSTANTIATE_TEST_SUITE_P(Simd, BinSearch, testing::ValuesIn(AvailableSimd()),
                         [](auto const& level) { return SimdName(level.param); });

TEST_P(BinSearch, FindsTheBinForEveryNumberOfEdges) {
  Random const random(1, Purpose::kCuts, 0);
  std::vector<float> edges;
  for (std::size_t count = 0; count < 65535; count = count < 600 ? count + 1 : count * 2 - 511) {
    while (edges.size() < count) edges.push_back(static_cast<float>(3 * edges.size()) - 700.5F);
    std::vector<float> x{kNan, -kInf, kInf, -1e30F, 1e30F};
    for (std::size_t i = 0; i < 250; ++i) {
      x.push_back(static_cast<float>(random.Uniform(i) * static_cast<double>(3 * count + 10)) - 705);
      if (count > 0) x.push_back(edges[random.Bits(i) % count]);
    }
    ExpectRight(x, edges);
  }
}

TEST_P(BinSearch, NumbersSixteenBitsOfBins) {
  std::vector<float> edges(65534);
  for (std::size_t i = 0; i < edges.size(); ++i) edges[i] = static_cast<float>(i) * 0.5F;
  ExpectRight({-1, 0, 0.25F, 12345.5F, 32766, 32766.5F, 1e9F, kNan}, edges);
  EXPECT_EQ(Search({kNan}, edges), std::vector<std::uint16_t>{65535});
}

TEST_P(BinSearch, WorksAtEveryLength) {
  for (std::size_t edges = 3; edges < 400; edges += 300) {
    std::vector<float> const upper(edges, 1);
    for (std::size_t n = 0; n < 70; ++n) ExpectRight(std::vector<float>(n, 1), upper);
  }
}

TEST_P(BinSearch, TellsNeighboursApart) {
  float const least = std::numeric_limits<float>::denorm_min(), most = std::numeric_limits<float>::max();
  std::vector<float> const edges{-most, -1, -least, 0, least, 1, std::nextafter(1.0F, 2.0F), most};
  std::vector<float> x{-0.0F, std::nextafter(1.0F, 0.0F), 2 * least, -2 * least};
  x.insert(x.end(), edges.begin(), edges.end());
  ExpectRight(x, edges);
}

}  // namespace
}  // namespace xgbl
