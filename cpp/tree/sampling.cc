// SPDX-License-Identifier: Apache-2.0
// Sampling rows. Gradient-based sampling keeps a row with a probability that rises with the size s of its gradient and
// divides it by that probability:
//   gradient_based  p = min(1, s / mu), s = sqrt(g^2 + lambda h^2), mu such that the expected number of rows is
//                   subsample * n (minimal variance sampling: Ibragimov and Gusev 2019, equation 10)
//   goss            the top_rate rows of the largest |g|, and other_rate of all from the rest (Ke et al. 2017)
#include "tree/sampling.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <numeric>
#include <utility>

#include "base/error.h"
#include "base/math.h"
#include "parallel/parallel_for.h"

namespace xgbl {
namespace {

constexpr std::size_t kSamplingBlock = std::size_t{1} << 16U;

// The rows for which `take` gives a multiplier above 0.
template <class Take>
RowSample TakeRows(std::size_t rows, bool weighted, Context const& ctx, Take&& take) {
  std::size_t const blocks = (rows + kSamplingBlock - 1) / kSamplingBlock;
  std::vector<RowSample> parts(blocks);
  ParallelBlocks(ctx, rows, kSamplingBlock, [&](std::size_t begin, std::size_t end) {
    RowSample& part = parts[begin / kSamplingBlock];
    for (std::size_t row = begin; row < end; ++row) {
      float const multiplier = take(row);
      if (!(multiplier > 0)) continue;
      part.rows.push_back(static_cast<std::uint32_t>(row));
      if (weighted) part.multiplier.push_back(multiplier);
    }
  });
  RowSample sample;
  sample.all = false;
  for (RowSample const& part : parts) {
    sample.rows.insert(sample.rows.end(), part.rows.begin(), part.rows.end());
    sample.multiplier.insert(sample.multiplier.end(), part.multiplier.begin(), part.multiplier.end());
  }
  return sample;
}

// The size of each row's gradient; over several outputs the Euclidean norm.
std::vector<float> Sizes(Span<OutputGradients const> gradients, double lambda, Context const& ctx) {
  std::vector<float> sizes(gradients[0].rows);
  ParallelBlocks(ctx, sizes.size(), kSamplingBlock, [&](std::size_t begin, std::size_t end) {
    for (std::size_t row = begin; row < end; ++row) {
      double square = 0;
      for (OutputGradients const& output : gradients) {
        double const g = output.G(row), h = output.H(row);
        square += g * g + lambda * h * h;
      }
      sizes[row] = static_cast<float>(std::sqrt(square));
    }
  });
  return sizes;
}

RowSample MinimalVariance(TreeParam const& param, Random const& random, Span<OutputGradients const> gradients,
                          Context const& ctx) {
  std::vector<float> const sizes = Sizes(gradients, param.reg_lambda, ctx);
  double const mu = ThresholdFor(sizes, param.subsample * static_cast<double>(sizes.size()));
  return TakeRows(sizes.size(), true, ctx, [&](std::size_t row) {
    double const size = sizes[row];
    if (size <= 0) return 0.0F;
    if (size >= mu) return 1.0F;
    return random.Uniform(row) < size / mu ? static_cast<float>(mu / size) : 0.0F;
  });
}

RowSample OneSided(TreeParam const& param, Random const& random, Span<OutputGradients const> gradients,
                   Context const& ctx) {
  std::vector<float> const sizes = Sizes(gradients, 0, ctx);
  auto const top = static_cast<std::size_t>(std::ceil(param.top_rate * static_cast<double>(sizes.size())));
  std::vector<float> order = sizes;
  std::size_t const last = std::min(std::max<std::size_t>(top, 1), sizes.size()) - 1;
  std::nth_element(order.begin(), order.begin() + static_cast<std::ptrdiff_t>(last), order.end(), std::greater<>());
  float const least = order[last];
  // Rows as large as the last of the top: as many as there is room for, drawn by chance.
  auto const larger =
      static_cast<double>(std::count_if(sizes.begin(), sizes.end(), [&](float s) { return s > least; }));
  auto const ties = static_cast<double>(std::count(sizes.begin(), sizes.end(), least));
  double const tie_chance = std::max(0.0, static_cast<double>(top) - larger) / ties;
  double const chance = std::min(1.0, param.other_rate / (1 - param.top_rate));
  auto const multiplier = static_cast<float>(1 / chance);
  return TakeRows(sizes.size(), true, ctx, [&](std::size_t row) {
    bool const in_top =
        top > 0 && (sizes[row] > least || (sizes[row] == least && random.Uniform(row + sizes.size()) < tie_chance));
    if (in_top) return 1.0F;
    return random.Uniform(row) < chance ? multiplier : 0.0F;
  });
}

// Query groups, each with the same chance.
RowSample WholeQueries(TreeParam const& param, Random const& random, Span<std::uint32_t const> group_begin) {
  RowSample sample;
  sample.all = false;
  for (std::size_t query = 0; query + 1 < group_begin.size(); ++query) {
    if (random.Uniform(query) >= param.subsample) continue;
    for (std::uint32_t row = group_begin[query]; row < group_begin[query + 1]; ++row) sample.rows.push_back(row);
  }
  return sample;
}

}  // namespace

// Of the sizes in falling order, the first k are certain and mu = (sum of the rest) / (wanted - k), for the least k at
// which that is no less than the next size. Sizes are not sorted but counted by their leading bits, which gives mu to
// half a percent; any mu makes the sample unbiased.
double ThresholdFor(std::vector<float> const& sizes, double wanted) {
  constexpr unsigned kTailBits = 15;
  constexpr std::uint32_t kTail = (1U << kTailBits) - 1;
  // Sizes with the same leading bits differ by whole numbers, which are added up exactly.
  std::vector<std::uint64_t> rows(std::size_t{1} << (32 - kTailBits)), tails(rows.size());
  for (float const size : sizes) {
    std::uint32_t const bits = ToBits(size);
    ++rows[bits >> kTailBits];
    tails[bits >> kTailBits] += bits & kTail;
  }
  std::vector<double> count(rows.begin(), rows.end()), sum(rows.size());
  for (std::size_t bucket = 0; bucket < sum.size(); ++bucket) {
    if (rows[bucket] == 0) continue;
    auto const least = static_cast<std::uint32_t>(bucket << kTailBits);
    int const exponent = std::max(1, static_cast<int>(least >> 23U));
    sum[bucket] =
        count[bucket] * double{FromBits<float>(least)} + std::ldexp(static_cast<double>(tails[bucket]), exponent - 150);
  }
  double rest = std::accumulate(sum.begin(), sum.end(), 0.0), certain = 0, mu = 0;
  for (std::size_t bucket = sum.size(); bucket-- > 0;) {
    if (count[bucket] == 0) continue;
    if (certain >= wanted) break;
    mu = rest / (wanted - certain);
    if (sum[bucket] / count[bucket] <= mu) break;
    certain += count[bucket];
    rest -= sum[bucket];
  }
  return mu;
}

std::vector<std::uint32_t> RowSample::Others(std::size_t count) const {
  std::vector<std::uint32_t> others;
  if (all) return others;
  others.reserve(count - rows.size());
  std::size_t next = 0;
  for (std::uint32_t row = 0; row < count; ++row) {
    if (next < rows.size() && rows[next] == row)
      ++next;
    else
      others.push_back(row);
  }
  return others;
}

bool TakesAllRows(TreeParam const& param) {
  return (param.sampling_method == "goss" ? param.top_rate + param.other_rate : param.subsample) >= 1;
}

RowSample SampleRows(TreeParam const& param, TreeKey key, Span<OutputGradients const> gradients, Context const& ctx,
                     Span<std::uint32_t const> group_begin) {
  std::size_t const rows = gradients[0].rows;
  Random const random(key.seed, Purpose::kRows, key.tree);
  if (rows == 0) return {};
  if (param.bagging_by_query) {
    Require<ParamError>(param.sampling_method == "uniform", "`bagging_by_query` needs `sampling_method` uniform; got `",
                        param.sampling_method, "`.");
    Require<DataError>(!group_begin.empty(),
                       "`bagging_by_query` needs query groups: set `qid` or `group` of the training data.");
  }
  if (param.sampling_method == "goss") {
    Require<ParamError>(param.subsample >= 1, "`subsample` is ", param.subsample, ", but with `sampling_method` goss ",
                        "`top_rate` and `other_rate` say how many rows are taken. Leave `subsample` at 1.");
    Require<ParamError>(param.top_rate + param.other_rate <= 1, "`top_rate` and `other_rate` add up to ",
                        param.top_rate + param.other_rate, ", but together they are at most 1.");
  }
  if (TakesAllRows(param)) return {};
  if (param.sampling_method == "goss") return OneSided(param, random, gradients, ctx);
  if (param.bagging_by_query) return WholeQueries(param, random, group_begin);
  if (param.sampling_method == "gradient_based") return MinimalVariance(param, random, gradients, ctx);
  return TakeRows(rows, false, ctx,
                  [&](std::size_t row) { return random.Uniform(row) < param.subsample ? 1.0F : 0.0F; });
}

ColumnSampler::ColumnSampler(TreeParam const& param, TreeKey key, std::size_t num_features,
                             Span<float const> feature_weights)
    : key_(key),
      by_level_(param.colsample_bylevel),
      by_node_(param.colsample_bynode),
      weights_(feature_weights.begin(), feature_weights.end()) {
  std::vector<std::uint32_t> all(num_features);
  std::iota(all.begin(), all.end(), 0U);
  tree_ = Draw(all, param.colsample_bytree, Purpose::kTreeColumns, 0);
}

std::vector<std::uint32_t> ColumnSampler::Node(std::size_t depth, std::uint64_t path) const {
  auto const level = Draw(tree_, by_level_, Purpose::kLevelColumns, depth);
  return Draw(level, by_node_, Purpose::kNodeColumns, path);
}

// Weighted sampling without replacement by keys u^(1/w) (Efraimidis and Spirakis 2006): those with the largest keys are
// drawn. Compared as log(u) / w. Without weights the same with w = 1.
std::vector<std::uint32_t> ColumnSampler::Draw(std::vector<std::uint32_t> const& from, double share, Purpose purpose,
                                               std::uint64_t stream) const {
  if (share >= 1 && weights_.empty()) return from;
  Random const random(key_.seed, purpose, Mix(key_.tree) ^ stream);
  std::vector<std::pair<double, std::uint32_t>> keys;
  for (auto const feature : from) {
    double const weight = weights_.empty() ? 1.0 : static_cast<double>(weights_[feature]);
    if (weight > 0) keys.emplace_back(-Log(1 - random.Uniform(feature)) / weight, feature);
  }
  auto const wanted = std::max<std::size_t>(1, static_cast<std::size_t>(share * static_cast<double>(from.size())));
  std::size_t const count = std::min(share >= 1 ? from.size() : wanted, keys.size());
  std::partial_sort(keys.begin(), keys.begin() + static_cast<std::ptrdiff_t>(count), keys.end());
  std::vector<std::uint32_t> drawn;
  for (std::size_t i = 0; i < count; ++i) drawn.push_back(keys[i].second);
  std::sort(drawn.begin(), drawn.end());
  return drawn;
}

}  // namespace xgbl
