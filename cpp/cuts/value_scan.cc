// SPDX-License-Identifier: Apache-2.0
#include "cuts/value_scan.h"

#include <algorithm>
#include <array>
#include <utility>

#include "base/error.h"
#include "simd/bin_kernels.h"

namespace xgbl {
namespace {

constexpr float kMostCategories = 16777216;  // 2^24: larger codes are not exact in float32

}  // namespace

void CheckCategories(std::size_t feature, Span<float const> values) {
  for (float const value : values) {
    bool const missing = value != value;
    bool const code = value >= 0 && value < kMostCategories && value == static_cast<float>(static_cast<int>(value));
    Require<DataError>(missing || code, "Feature ", feature,
                       " is categorical: its values must be whole numbers from 0 ",
                       "to 16777215, the codes of the categories; got ", value, ".");
  }
}

void ValueTally::Reset(ValueScan const& scan) {
  *this = ValueTally();
  weight.assign(scan.edges.size() + 2, 0);
}

void ValueTally::Add(ValueScan const& scan, std::size_t feature, CellRun const& run, RowPiece const& piece,
                     Context const& ctx, std::uint16_t* codes) {
  if (scan.first) Measure(feature, run, scan.categorical);
  if (scan.categorical) return;
  BinKernels::Of(ctx.simd).bins_of(run.values.data(), run.values.size(), scan.edges.data(), scan.edges.size() + 1,
                                   codes);
  Count(run, codes);
  if (scan.collects) Collect(scan, run, piece, codes);
}

void ValueTally::Measure(std::size_t feature, CellRun const& run, bool categorical) {
  constexpr std::size_t kLanes = 8;
  if (categorical) CheckCategories(feature, run.values);
  std::array<float, kLanes> low, high;
  std::array<std::uint32_t, kLanes> count{};
  low.fill(lowest);
  high.fill(highest);
  float const* const x = run.values.data();
  std::size_t const n = run.values.size(), whole = n - n % kLanes;
  for (std::size_t i = 0; i < whole; i += kLanes) {
    for (std::size_t k = 0; k < kLanes; ++k) {  // comparisons with NaN are false
      low[k] = x[i + k] < low[k] ? x[i + k] : low[k];
      high[k] = x[i + k] > high[k] ? x[i + k] : high[k];
      count[k] += x[i + k] == x[i + k] ? 1U : 0U;
    }
  }
  for (std::size_t i = whole; i < n; ++i) {
    low[0] = x[i] < low[0] ? x[i] : low[0];
    high[0] = x[i] > high[0] ? x[i] : high[0];
    count[0] += x[i] == x[i] ? 1U : 0U;
  }
  lowest = *std::min_element(low.begin(), low.end());
  highest = *std::max_element(high.begin(), high.end());
  for (std::uint32_t const lane : count) present += lane;
}

void ValueTally::Count(CellRun const& run, std::uint16_t const* codes) {
  std::size_t const n = run.values.size();
  std::uint64_t* const sum = weight.data();
  if (run.weights == nullptr) {
    for (std::size_t i = 0; i < n; ++i) ++sum[codes[i]];
  } else if (run.rows == nullptr) {
    for (std::size_t i = 0; i < n; ++i) sum[codes[i]] += run.weights[run.first + i];
  } else {
    for (std::size_t i = 0; i < n; ++i) sum[codes[i]] += run.weights[run.rows[i]];
  }
}

void ValueTally::Collect(ValueScan const& scan, CellRun const& run, RowPiece const& piece, std::uint16_t const* codes) {
  for (std::size_t i = 0; i < run.values.size(); ++i) {
    if (codes[i] == scan.use.size() || scan.use[codes[i]] != ValueScan::kCollect) continue;
    std::size_t const row = run.rows == nullptr ? run.first + i : run.rows[i];
    float const value = run.values[i] + 0.0F;  // -0.0 becomes 0.0
    Keep({static_cast<std::uint32_t>(piece.first + row), piece.Weight(row), value}, scan.room);
  }
}

void ValueTally::Keep(CollectedValue const& value, std::size_t room) {
  if (Dropped() && !(value.Rank() < bound)) return;
  collected.push_back(value);
  if (collected.size() > 2 * room) Shrink(room);
}

void ValueTally::Shrink(std::size_t room) {
  if (collected.size() <= room) return;
  std::vector<std::pair<RowRank, CollectedValue>> ranked;
  ranked.reserve(collected.size());
  for (CollectedValue const& value : collected) ranked.emplace_back(value.Rank(), value);
  std::nth_element(ranked.begin(), ranked.begin() + static_cast<std::ptrdiff_t>(room), ranked.end(),
                   [](auto const& a, auto const& b) { return a.first < b.first; });
  bound = ranked[room].first;
  collected.resize(room);
  for (std::size_t i = 0; i < room; ++i) collected[i] = ranked[i].second;
}

void ValueTally::Merge(ValueScan const& scan, ValueTally const& other) {
  for (std::size_t i = 0; i < weight.size(); ++i) weight[i] += other.weight[i];
  present += other.present;
  lowest = std::min(lowest, other.lowest);
  highest = std::max(highest, other.highest);
  if (other.bound < bound) {
    bound = other.bound;
    auto const late = [&](CollectedValue const& value) { return !(value.Rank() < bound); };
    collected.erase(std::remove_if(collected.begin(), collected.end(), late), collected.end());
  }
  for (CollectedValue const& value : other.collected) Keep(value, scan.room);
}

}  // namespace xgbl
