// SPDX-License-Identifier: Apache-2.0
#include "objective/quantiles.h"

#include <array>
#include <cmath>

#include "labels/row_weights.h"
#include "parallel/reduce.h"

namespace xgbl {
namespace {

// Sums of doubles that are whole numbers are exact up to 2^53.
constexpr int kExactBits = 53;

struct Unit {
  float value;
  double weight;  // a whole number
};

// Whole numbers in proportion to the weights, their sum below 2^53.
std::vector<Unit> Units(std::vector<float> const& values, std::vector<float> const& weights) {
  int exponent = 0, bits = 0;
  std::frexp(*std::max_element(weights.begin(), weights.end()), &exponent);
  while ((values.size() >> static_cast<unsigned>(bits)) != 0) ++bits;
  std::vector<Unit> units(values.size());
  for (std::size_t i = 0; i < values.size(); ++i) {
    double const scaled = std::ldexp(double{weights[i]}, kExactBits - 1 - bits - exponent);
    units[i] = {values[i], std::max(1.0, std::floor(scaled + 0.5))};
  }
  return units;
}

}  // namespace

float WeightedValues::Quantile(double alpha) {
  if (values_.empty()) return 0;
  return weighted_ ? Weighted(alpha) : Unweighted(alpha);
}

float WeightedValues::Unweighted(double alpha) {
  auto const n = static_cast<double>(values_.size());
  double const place = std::clamp(alpha * (n + 1) - 1, 0.0, n - 1);  // counted from 0
  auto const below = values_.begin() + static_cast<std::ptrdiff_t>(place);
  std::nth_element(values_.begin(), below, values_.end());
  if (below + 1 == values_.end()) return *below;
  double const low = *below, high = *std::min_element(below + 1, values_.end());
  return static_cast<float>(low + (place - std::floor(place)) * (high - low));
}

float WeightedValues::Weighted(double alpha) {
  auto units = Units(values_, weights_);
  double total = 0;
  for (Unit const& unit : units) total += unit.weight;
  double wanted = alpha * total;
  auto begin = units.begin(), end = units.end();
  while (end - begin > 1) {
    auto const middle = begin + (end - begin) / 2;
    std::nth_element(begin, middle, end, [](Unit const& a, Unit const& b) { return a.value < b.value; });
    double low = 0;
    for (auto unit = begin; unit != middle; ++unit) low += unit->weight;
    if (low >= wanted) {
      end = middle;
    } else {
      wanted -= low;
      begin = middle;
    }
  }
  return begin->value;
}

WeightedValues LeafResiduals(LeafTask const& task, std::size_t target) {
  auto const labels = task.meta.labels.View();
  auto const& weights = task.meta.weights;
  WeightedValues values(!weights.empty());
  for (std::uint32_t const row : task.rows) {
    values.Add(labels(row, target) - task.margins(row, task.output), weights.empty() ? 1.0F : weights[row]);
  }
  return values;
}

std::vector<float> ResidualScales(std::string const& name, MatrixView<float const> margins, Meta const& meta,
                                  std::size_t levels, Context const& ctx) {
  auto const labels = meta.labels.View();
  std::size_t const outputs = margins.columns();
  RowWeights const weights(meta, margins.rows(), name);
  auto const sums = SumColumns<2>(ctx, margins.rows(), outputs, [&](std::size_t row, std::size_t k) {
    float const label = labels(row, k / levels);
    double const weight = std::isnan(label) ? 0.0 : double{weights[row]};
    double const residual = std::isnan(label) ? 0.0 : double{margins(row, k)} - double{label};
    return std::array<double, 2>{weight * std::sqrt(std::fabs(residual)), weight};
  });
  std::vector<float> scales(outputs);
  for (std::size_t k = 0; k < outputs; ++k) {
    double const root = sums[k][1] > 0 ? sums[k][0] / sums[k][1] : 0.0;
    scales[k] = static_cast<float>(root * root);
  }
  return scales;
}

}  // namespace xgbl
