// SPDX-License-Identifier: Apache-2.0
#include "cuts/cuts.h"

#include <cmath>
#include <limits>
#include <numeric>

#include "base/error.h"
#include "base/random.h"
#include "cuts/even_parts.h"
#include "parallel/radix_sort.h"
#include "simd/bin_kernels.h"

namespace xgbl {
namespace {

constexpr std::size_t kRoughRowsABin = 32;
constexpr std::size_t kLeastRoughRows = 32768;

// One row of each of so many equal parts of the rows.
std::vector<float> SampleOf(Span<float const> values, std::size_t parts) {
  Random const random(0, Purpose::kCuts, 0);
  std::size_t const rows = values.size();
  std::vector<float> sample;
  sample.reserve(parts);
  for (std::size_t part = 0; part < parts; ++part) {
    std::size_t const begin = part * rows / parts, end = (part + 1) * rows / parts;
    float const value = values[begin + random.Bits(part) % (end - begin)];
    if (!std::isnan(value)) sample.push_back(value);
  }
  return sample;
}

}  // namespace

float Cuts::ValueOf(std::size_t feature, std::uint32_t bin) const {
  if (categorical[feature] != 0) return upper[begin[feature] + bin];
  return bin == 0 ? lowest[feature] : upper[begin[feature] + bin - 1];
}

Cuts GroupCuts(Cuts const& fine, Span<std::uint64_t const> weight, int max_bin) {
  Ensure(weight.size() == fine.upper.size() && max_bin > 0, "weights of bins do not fit the cuts.");
  Cuts out;
  out.lowest = fine.lowest;
  out.categorical = fine.categorical;
  for (std::size_t feature = 0; feature < fine.Columns(); ++feature) {
    Span<float const> const upper = fine.Upper(feature);
    if (fine.categorical[feature] != 0) {
      out.upper.insert(out.upper.end(), upper.begin(), upper.end());
    } else {
      auto const first =
          PartsByRank(weight.Sub(fine.begin[feature], upper.size()), upper.size(), static_cast<std::size_t>(max_bin));
      for (std::size_t part = 1; part < first.size(); ++part) out.upper.push_back(upper[first[part] - 1]);
      out.upper.push_back(upper[upper.size() - 1]);
    }
    out.begin.push_back(static_cast<std::uint32_t>(out.upper.size()));
  }
  return out;
}

void Cuts::BinsOf(std::size_t feature, Span<float const> values, Context const& ctx, std::uint16_t* bins) const {
  if (categorical[feature] == 0) {
    BinKernels::Of(ctx.simd).bins_of(values.data(), values.size(), Upper(feature).data(), Bins(feature), bins);
    return;
  }
  auto const none = static_cast<std::int32_t>(Bins(feature));
  auto const codes = static_cast<float>(none);
  for (std::size_t i = 0; i < values.size(); ++i) {  // BinOf without branches
    bool const known = values[i] >= 0 && values[i] < codes;
    auto const code = static_cast<std::int32_t>(known ? values[i] : 0);
    bins[i] = static_cast<std::uint16_t>(known ? code : none);
  }
}

// Each bin gets its share of what is left. Equal values stay together: those that the share would cut through begin the
// next bin, or have one of their own if they are all that there is.
std::vector<float> EndsByRank(Span<float const> rising, std::size_t most) {
  std::vector<float> ends;
  for (auto begin = rising.begin(); begin != rising.end() && ends.size() + 1 < most;) {
    std::size_t const left = static_cast<std::size_t>(rising.end() - begin);
    std::size_t const share = std::max<std::size_t>(left / (most - ends.size()), 1);
    if (share >= left) break;
    auto next = begin + share;
    if (next[-1] == *next) {
      auto const [first, last] = std::equal_range(begin, rising.end(), *next);
      next = first != begin ? first : last;
      if (next == rising.end()) break;
    }
    ends.push_back(*next);
    begin = next;
  }
  ends.push_back(std::numeric_limits<float>::max());
  return ends;
}

std::vector<float> EndsBySample(Span<float const> values, std::size_t most) {
  std::vector<float> sample =
      SampleOf(values, std::min(values.size(), std::max(kLeastRoughRows, kRoughRowsABin * most)));
  std::vector<std::uint32_t> order(sample.size());
  std::iota(order.begin(), order.end(), 0U);
  ColumnSorter().Sort(sample, order);
  return EndsByRank(sample, most);
}

Cuts CutsAt(std::vector<std::vector<float>> const& ends) {
  Cuts cuts;
  cuts.categorical.assign(ends.size(), 0);
  cuts.lowest.assign(ends.size(), std::numeric_limits<float>::lowest());
  for (auto const& own : ends) {
    cuts.upper.insert(cuts.upper.end(), own.begin(), own.end());
    cuts.begin.push_back(static_cast<std::uint32_t>(cuts.upper.size()));
  }
  return cuts;
}

}  // namespace xgbl
