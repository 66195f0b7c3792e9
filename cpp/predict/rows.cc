// SPDX-License-Identifier: Apache-2.0
#include "predict/rows.h"

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <limits>

namespace xgbl {
namespace {

constexpr float kMissingLeft = -std::numeric_limits<float>::infinity();
// A block should stay in the inner caches beside the tree that walks over it.
constexpr std::size_t kBlockCells = std::size_t{1} << 16U;
constexpr std::size_t kMaxGroups = 4;

std::size_t BlockRowsFor(std::size_t row_cells) {
  std::size_t const groups = kBlockCells / (RowReader::kRowGroup * (row_cells + 1));
  return RowReader::kRowGroup * std::clamp(groups, std::size_t{1}, kMaxGroups);
}

}  // namespace

RowReader::RowReader(FeatureMatrix const& features, Span<std::uint32_t const> used)
    : features_(features),
      used_(used),
      block_rows_(BlockRowsFor(2 * used.size())),
      // One cell more than there are, for the leaf of a tree without splits to look at.
      cells_(block_rows_ * 2 * used.size() + 1) {
  for (std::size_t row = 0; row < block_rows_; ++row) {
    for (std::size_t i = 0; i < used.size(); ++i) Put(row, i, kMissing);
  }
}

void RowReader::Put(std::size_t row, std::size_t i, float value) {
  float* const cells = cells_.data() + row * Stride();
  cells[i] = value;
  cells[used_.size() + i] = std::isnan(value) ? kMissingLeft : value;
}

void RowReader::Read(std::size_t begin, std::size_t end) {
  if (DenseTable const* table = features_.Dense()) {
    ReadDense(*table, begin, end);
  } else if (SparseTable const* rows = features_.Sparse()) {
    ReadSparse(*rows, begin, end);
  } else {
    ReadBinned(*features_.Binned(), begin, end);
  }
}

void RowReader::ReadBinned(BinnedFeatures const& bins, std::size_t begin, std::size_t end) {
  for (std::size_t i = 0; i < used_.size(); ++i) {
    for (std::size_t row = begin; row < end; ++row) Put(row - begin, i, bins.At(row, used_[i]));
  }
}

void RowReader::ReadDense(DenseTable const& table, std::size_t begin, std::size_t end) {
  bool const by_column = std::abs(table.row_stride) < std::abs(table.column_stride);
  if (by_column) {
    for (std::size_t i = 0; i < used_.size(); ++i) {
      for (std::size_t row = begin; row < end; ++row) Put(row - begin, i, table.At(row, used_[i]));
    }
    return;
  }
  for (std::size_t row = begin; row < end; ++row) {
    for (std::size_t i = 0; i < used_.size(); ++i) Put(row - begin, i, table.At(row, used_[i]));
  }
}

void RowReader::ReadSparse(SparseTable const& rows, std::size_t begin, std::size_t end) {
  std::size_t const width = std::max<std::size_t>(1, used_.size());
  for (std::size_t const cell : present_) Put(cell / width, cell % width, kMissing);
  present_.clear();
  for (std::size_t row = begin; row < end; ++row) {
    auto const* place = used_.begin();
    for (std::size_t k = rows.row_begin[row]; k < rows.row_begin[row + 1]; ++k) {
      place = std::lower_bound(place, used_.end(), rows.column[k]);
      if (place == used_.end()) break;
      if (*place != rows.column[k]) continue;
      auto const i = static_cast<std::size_t>(place - used_.begin());
      Put(row - begin, i, rows.value[k]);
      present_.push_back((row - begin) * width + i);
    }
  }
}

}  // namespace xgbl
