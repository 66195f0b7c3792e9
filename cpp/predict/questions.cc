// SPDX-License-Identifier: Apache-2.0
#include "predict/questions.h"

#include <algorithm>
#include <utility>

#include "simd/kernels.h"

namespace xgbl {

Questions::Questions(std::vector<Question> asked) : asked_(std::move(asked)) {
  std::sort(asked_.begin(), asked_.end());
  for (Question const question : asked_) {
    std::uint32_t const cell = question >> 8U;
    if (cells_.empty() || cells_.back().cell != cell) {
      cells_.push_back({cell, static_cast<std::uint32_t>(edges_.size()), 0});
    }
    ++cells_.back().count;
    edges_.push_back(static_cast<std::uint8_t>(question & 0xFFU));
  }
}

std::uint32_t Questions::PlaceOf(Question question) const {
  return static_cast<std::uint32_t>(std::lower_bound(asked_.begin(), asked_.end(), question) - asked_.begin());
}

void Questions::Answer(std::uint8_t const* codes, std::size_t block_bytes, std::size_t blocks, Context const& ctx,
                       std::uint64_t* planes) const {
  auto const compare = Simd(ctx).compare_cell;
  for (Cell const& cell : cells_) {
    compare({codes + std::size_t{cell.cell} * kCodeRows, block_bytes, blocks, edges_.data() + cell.first, cell.count,
             planes + cell.first * WordsFor(blocks)});
  }
}

}  // namespace xgbl
