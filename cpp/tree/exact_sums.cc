// SPDX-License-Identifier: Apache-2.0
#include "tree/exact_sums.h"

#include <algorithm>

#include "base/prefetch.h"

namespace xgbl {
namespace {

constexpr std::size_t kAhead = 64;  // rows that are fetched in advance

}  // namespace

void ExactSums::Make(std::uint32_t feature, Span<std::uint32_t const> rows, BinWindow const& pick) {
  std::uint32_t const bins = order_.Bins().Place(feature).bins, width = pick.last - pick.first;
  CodeColumn const codes(order_.Bins(), feature);
  feature_ = feature;
  bins_.assign(bins + 1, {});
  has_picked_ = !pick.Empty();
  if (picked_.size() <= rows.size()) picked_.resize(rows.size() + 1);
  std::uint32_t* picked = picked_.data();
  for (std::size_t i = 0; i < rows.size(); ++i) {
    std::uint32_t const ahead = rows[std::min(i + kAhead, rows.size() - 1)];
    Prefetch(&records_[ahead]);
    codes.PrefetchRow(ahead);
    std::uint32_t const code = codes.At(rows[i]);
    Bin& bin = bins_[std::min(code, bins)];
    bin.below += records_[rows[i]].Pair();
    ++bin.rows;
    *picked = rows[i];
    picked += code - pick.first < width ? 1 : 0;
  }
  picks_ = static_cast<std::size_t>(picked - picked_.data());
  FixedSum sum;
  for (Bin& bin : bins_) {
    FixedSum const own = bin.below;
    bin.below = sum;
    sum += own;
  }
}

std::uint32_t ExactSums::FilledBelow(std::uint32_t bin) const {
  while (bin > 0) {
    if (bins_[--bin].rows > 0) return bin;
  }
  return kNone;
}

}  // namespace xgbl
