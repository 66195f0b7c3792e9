// SPDX-License-Identifier: Apache-2.0
#include "cuts/cuts.h"

#include <algorithm>

#include "base/error.h"
#include "cuts/rank_groups.h"
#include "simd/bin_kernels.h"

namespace xgbl {

std::uint32_t Cuts::BinOf(std::size_t feature, float value) const {
  std::uint32_t const bins = Bins(feature);
  if (categorical[feature] != 0) {
    return value >= 0 && value < static_cast<float>(bins) ? static_cast<std::uint32_t>(value) : bins;
  }
  Span<float const> const edges = Upper(feature);
  auto const place = std::upper_bound(edges.begin(), edges.end(), value);
  return std::min(bins - 1, static_cast<std::uint32_t>(place - edges.begin()));
}

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
          GroupByRank(weight.Sub(fine.begin[feature], upper.size()), upper.size(), static_cast<std::size_t>(max_bin));
      for (std::size_t group = 1; group < first.size(); ++group) out.upper.push_back(upper[first[group] - 1]);
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

}  // namespace xgbl
