// SPDX-License-Identifier: Apache-2.0
#include "explain/background.h"

#include <algorithm>
#include <bitset>
#include <numeric>

#include "explain/quadrature.h"
#include "tree/fixed_point.h"

namespace xgbl {
namespace {

constexpr std::size_t kMostTableFeatures = 12;

bool UsesTable(std::size_t features, std::size_t rows, std::size_t background) {
  if (features > kMostTableFeatures) return false;
  return (features * features << features) / 4 <= rows * std::min(background, std::size_t{1} << features);
}

// A path may be shorter than the tree's longest, which sets how many words there are.
std::uint64_t AllBits(std::size_t features, std::size_t word) {
  std::size_t const here = std::min<std::size_t>(64, features - std::min(features, word * 64));
  return here == 64 ? ~std::uint64_t{0} : (std::uint64_t{1} << here) - 1;
}

// How the features of a path are shared out between a row and a background row; false if some are satisfied by neither.
bool CountOwn(PatternView x, std::size_t row, PatternView z, std::size_t other, std::size_t features, std::size_t* own,
              std::size_t* others) {
  *own = *others = 0;
  for (std::size_t word = 0; word < x.words; ++word) {
    std::uint64_t const a = x.bits[word * x.rows + row], b = z.bits[word * z.rows + other];
    if ((a | b) != AllBits(features, word)) return false;
    *own += std::bitset<64>(a & ~b).count();
    *others += std::bitset<64>(b & ~a).count();
  }
  return true;
}

}  // namespace

std::vector<double> WholeWeights(Span<float const> weights, std::size_t rows) {
  std::vector<double> whole(rows, 1.0);
  if (weights.empty()) return whole;
  constexpr int kLost = 62 - 53;  // bits of a sum of integers that one of doubles has not
  float const largest = *std::max_element(weights.begin(), weights.end());
  double const unit = ScaleFor({largest, 0}, BitsForSum(rows) - kLost, 1).gradient_unit;
  for (std::size_t i = 0; i < rows; ++i) whole[i] = static_cast<double>(NearestUnit(weights[i], unit));
  return whole;
}

double PairShare(std::size_t a, std::size_t b) {
  double share = 1 / static_cast<double>(a);  // of b = 0
  for (std::size_t i = 1; i <= b; ++i) share *= static_cast<double>(i) / static_cast<double>(a + i);
  return share;
}

LeafShares::LeafShares(PatternView background, std::size_t features, std::size_t rows, Span<double const> weights)
    : features_(features), background_(background), shares_(features) {
  if (UsesTable(features, rows, background.rows)) {
    MakeTable(background, weights);
  } else {
    FindDifferent(background, weights);
  }
}

void LeafShares::FindDifferent(PatternView background, Span<double const> weights) {
  std::vector<std::size_t> order(background.rows);
  std::iota(order.begin(), order.end(), std::size_t{0});
  auto const word = [&](std::size_t row, std::size_t w) { return background.bits[w * background.rows + row]; };
  auto const compare = [&](std::size_t a, std::size_t b) {
    for (std::size_t w = 0; w < background.words; ++w) {
      if (word(a, w) != word(b, w)) return word(a, w) < word(b, w) ? -1 : 1;
    }
    return 0;
  };
  std::sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) { return compare(a, b) < 0; });
  for (std::size_t const row : order) {
    if (first_.empty() || compare(first_.back(), row) != 0) {
      first_.push_back(row);
      part_.push_back(0);
    }
    part_.back() += weights[row];
  }
  double const total = std::accumulate(weights.begin(), weights.end(), 0.0);
  for (double& part : part_) part /= total;
}

void LeafShares::MakeTable(PatternView background, Span<double const> weights) {
  std::vector<double> counts(std::size_t{1} << features_);
  for (std::size_t row = 0; row < background.rows; ++row) counts[background.bits[row]] += weights[row];
  double const total = std::accumulate(weights.begin(), weights.end(), 0.0);
  for (double& count : counts) count /= total;
  table_.assign(counts.size() * features_, 0.0);
  for (auto const& point : Quadrature((features_ + 1) / 2)) AddPoint(counts, point.at, point.rest, point.weight);
}

// A feature's factor is `at` where the row alone satisfies it, `rest` where the other does, 1 where both do. Its own
// value has 1 and -1 in place of the first two, which is found from the factors again.
void LeafShares::AddPoint(std::vector<double> counts, double at, double rest, double weight) {
  std::size_t const size = counts.size();
  for (std::size_t bit = 1; bit < size; bit *= 2) {
    for (std::size_t begin = 0; begin < size; begin += 2 * bit) {
      for (std::size_t i = begin; i < begin + bit; ++i) {
        double const none = counts[i], both = counts[i + bit];
        counts[i] = rest * both;
        counts[i + bit] = at * none + both;
      }
    }
  }
  double const down = weight / rest, up = weight / at, mixed = weight / (at * rest);
  for (std::size_t pattern = 0; pattern < size; ++pattern) {
    double* const to = table_.data() + pattern * features_;
    for (std::size_t f = 0; f < features_; ++f) {
      std::size_t const bit = std::size_t{1} << f;
      bool const along = (pattern & bit) != 0;
      to[f] += along ? counts[pattern] * up - counts[pattern ^ bit] * mixed : -counts[pattern] * down;
    }
  }
}

Span<double const> LeafShares::Of(PatternView patterns, std::size_t row) {
  if (!table_.empty()) return Span<double const>(table_).Sub(patterns.bits[row] * features_, features_);
  Direct(patterns, row);
  return shares_;
}

void LeafShares::Direct(PatternView patterns, std::size_t row) {
  std::fill(shares_.begin(), shares_.end(), 0.0);
  for (std::size_t i = 0; i < first_.size(); ++i) {
    std::size_t own = 0, others = 0;
    if (!CountOwn(patterns, row, background_, first_[i], features_, &own, &others)) continue;
    double const gain = own > 0 ? part_[i] * PairShare(own, others) : 0;
    double const loss = others > 0 ? part_[i] * PairShare(others, own) : 0;
    for (std::size_t f = 0; f < features_; ++f) {
      std::uint64_t const bit = std::uint64_t{1} << f % 64;
      bool const a = (patterns.bits[f / 64 * patterns.rows + row] & bit) != 0;
      bool const b = (background_.bits[f / 64 * background_.rows + first_[i]] & bit) != 0;
      if (a != b) shares_[f] += a ? gain : -loss;
    }
  }
}

}  // namespace xgbl
