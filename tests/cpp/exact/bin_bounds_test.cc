// SPDX-License-Identifier: Apache-2.0
#include "exact/bin_bounds.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <memory>
#include <numeric>
#include <utility>
#include <vector>

#include "exact/sample_node.h"
#include "simd/level.h"

namespace xgbl {
namespace {

// A node with some rows of a sample, and all that bounds are made of.
class OneNode {
 public:
  OneNode(Sample const& sample, Sample const& rounded, std::vector<std::uint32_t> rows, Context const& ctx)
      : order_(sample.data->InValueOrder(ctx)),
        rows_(std::move(rows)),
        node_(sample, rounded, rows_, GradientBits::kAuto, ctx),
        bounds_(*order_, node_.Coarse(), ctx.simd) {
    for (std::uint32_t f = 0; f < sample.data->Columns(); ++f) features_.push_back(f);
    HistogramBuilder builder(order_->Bins(), {&node_.Coarse().packed, 1}, true);
    std::vector<HistogramBuilder::Job> const jobs{{rows_, false, &histogram_}};
    builder.Build(jobs, ctx);
    bounds_.Load(node_.Batch(), node_.Total(), rows_.size(), features_, histogram_);
  }

  // Of each bin the best score of a place within it or at its lower border; -1 if there is none.
  std::vector<double> BestScores(std::uint32_t feature, bool missing_left) {
    auto const by_bin = CellsByBin(feature);
    FixedSum present;
    for (auto const& cells : by_bin) {
      for (auto const& cell : cells) present += node_.Exact(cell.second);
    }
    FixedSum left = missing_left ? node_.Total() - present : FixedSum{};
    std::vector<double> best;
    for (std::uint32_t bin = 0; bin < by_bin.size(); ++bin) {
      ExpectNear(feature, missing_left, bin, left);
      best.push_back(node_.Score(left));
      float last = by_bin[bin].empty() ? 0 : by_bin[bin][0].first;
      for (auto const& [value, row] : by_bin[bin]) {
        if (value != last) best.back() = std::max(best.back(), node_.Score(left));
        left += node_.Exact(row);
        last = value;
      }
    }
    return best;
  }

  BinBounds& Bounds() { return bounds_; }
  std::size_t Features() const { return features_.size(); }
  bool Packed() const { return histogram_.Packed(); }

 private:
  std::vector<std::vector<std::pair<float, std::uint32_t>>> CellsByBin(std::uint32_t feature) const {
    std::vector<std::vector<std::pair<float, std::uint32_t>>> cells(order_->Bins().Place(feature).bins);
    for (auto const row : rows_) {
      float const value = order_->Values(feature)[row];
      if (!std::isnan(value)) cells[order_->Bins().BinOf(row, feature)].emplace_back(value, row);
    }
    for (auto& of_bin : cells) std::sort(of_bin.begin(), of_bin.end());
    return cells;
  }

  void ExpectNear(std::uint32_t feature, bool missing_left, std::uint32_t bin, FixedSum left) const {
    if (missing_left && bounds_.Sides(feature) == 1) return;
    NearSum const near = bounds_.At(feature, missing_left ? 1 : 0, bin);
    EXPECT_LE(std::fabs(near.gradient - static_cast<double>(left.gradient)), near.gradient_error * (1 + 1e-9) + 1);
    EXPECT_LE(std::fabs(near.hessian - static_cast<double>(left.hessian)), near.hessian_error * (1 + 1e-9) + 1);
  }

  std::shared_ptr<BinOrder const> order_;
  std::vector<std::uint32_t> rows_, features_;
  SampleNode node_;
  BinBounds bounds_;
  Histogram histogram_;
};

std::vector<std::uint32_t> AThirdOfRows(Sample const& sample) {
  std::vector<std::uint32_t> rows;
  for (std::uint32_t row = 0; row < sample.gradient.size(); row += row % 2 == 0 ? 1 : 5) rows.push_back(row);
  return rows;
}

// Of each bin the best score in either direction.
std::vector<double> BestScores(OneNode& node, std::uint32_t feature) {
  std::vector<double> best = node.BestScores(feature, false);
  std::vector<double> const other = node.BestScores(feature, true);
  for (std::size_t bin = 0; bin < best.size(); ++bin) best[bin] = std::max(best[bin], other[bin]);
  return best;
}

// Gives how many bins are open.
std::size_t ExpectOpen(OneNode& node, std::uint32_t feature, std::vector<double> const& best, double bar) {
  std::vector<BinBounds::Open> open;
  node.Bounds().AddOpen(feature, bar, &open);
  std::map<std::uint32_t, double> bound;
  for (auto const& bin : open) bound[bin.bin] = bin.bound;
  for (std::uint32_t bin = 0; bin < best.size(); ++bin) {
    if (best[bin] <= bar) continue;
    EXPECT_EQ(bound.count(bin), 1U) << feature << " " << bin;
    EXPECT_LE(best[bin], bound[bin] * (1 + 1e-12)) << feature << " " << bin;
  }
  return open.size();
}

void ExpectBounds(std::size_t rows, int levels, double missing, bool packed) {
  Sample const sample = RandomSample(3, rows, 3, levels, missing);
  for (SimdLevel const level : AvailableSimd()) {
    Context ctx;
    ctx.simd = level;
    OneNode node(sample, sample, AThirdOfRows(sample), ctx);
    EXPECT_EQ(node.Packed(), packed);
    EXPECT_LT(node.Bounds().Lead(), node.Features());
    for (std::uint32_t f = 0; f < node.Features(); ++f) {
      std::vector<double> const best = BestScores(node, f);
      double const top = *std::max_element(best.begin(), best.end());
      std::size_t last_open = best.size() + 1;
      for (double const bar : {0.0, 0.3 * top, 0.9 * top, 0.999 * top, 1.5 * top}) {
        std::size_t const open = ExpectOpen(node, f, best, bar);
        EXPECT_LE(open, last_open);
        last_open = open;
      }
      if (best.size() > 100) {
        EXPECT_LT(last_open, best.size() / 2) << "hardly anything is ruled out";
      }
    }
  }
}

TEST(BinBounds, HoldForAllPlacesWhetherBinsAreInGroupsOrNot) {
  for (int const levels : {5, 127, 128, 129, 100'000}) {
    for (double const missing : {0.0, 0.3}) {
      SCOPED_TRACE(levels);
      ExpectBounds(9000, levels, missing, true);
    }
  }
}

// Rounding that is off to one side in all rows adds up, and rows of one sign leave the bounds no other room. The best
// places are in the middle, where sums from below meet those from above.
// `hessian_off`: as compared with the gradients. If it is 0, a row of hardly any hessian keeps that of others from
// saying anything about gradients, so that nothing but errors leaves room.
void ExpectBoundsWhereErrorsAddUp(int levels, double missing, float hessian_off) {
  Sample sample = RandomSample(5, 9000, 2, levels, missing);
  auto const order = sample.data->InValueOrder(Context{});
  for (std::size_t row = 0; row < 9000; ++row) {
    sample.gradient[row] = order->Values(0)[row] < static_cast<float>(levels) / 2 ? 1.0F : -1.0F;
    sample.hessian[row] = 1.0F;
  }
  if (hessian_off == 0) sample.hessian[0] = 1e-7F;
  std::vector<std::uint32_t> rows(sample.gradient.size());
  std::iota(rows.begin(), rows.end(), 0U);
  for (float const off : {0.2F, -0.2F}) {
    Sample rounded = sample;
    for (float& gradient : rounded.gradient) gradient += off;
    for (float& hessian : rounded.hessian) hessian += off * hessian_off;
    OneNode node(sample, rounded, rows, Context{});
    for (std::uint32_t f = 0; f < node.Features(); ++f) {
      std::vector<double> const best = BestScores(node, f);
      double const top = *std::max_element(best.begin(), best.end());
      for (double const share : {0.0, 0.9, 0.99, 0.999, 0.999999}) ExpectOpen(node, f, best, share * top);
    }
  }
}

TEST(BinBounds, HoldWhereAllErrorsAddUp) {
  for (int const levels : {100'000, 300}) {  // the middle is at the end of some open groups, or among them
    for (double const missing : {0.0, 0.3}) {
      SCOPED_TRACE(levels);
      ExpectBoundsWhereErrorsAddUp(levels, missing, 1);
      ExpectBoundsWhereErrorsAddUp(levels, missing, 0);
    }
  }
}

TEST(BinBounds, HoldForNodesOfManyRows) { ExpectBounds(210'000, 100'000, 0.1, false); }

}  // namespace
}  // namespace xgbl
