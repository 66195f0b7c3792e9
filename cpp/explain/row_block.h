// SPDX-License-Identifier: Apache-2.0
// The rows of one task, read once: the cells of predict/node_trees.h, cell by cell for each group of kGroupRows rows,
// so that one cell of a group is a vector. Lanes past the last row are missing.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "ingest/feature_matrix.h"
#include "predict/node_trees.h"
#include "simd/shap_kernels.h"

namespace xgbl {

inline constexpr std::size_t kGroupRows = ShapTask::kRows;

class RowBlock {
 public:
  /// Rows [begin, end). A group has room for `extra` more cells behind those of the features.
  RowBlock(FeatureMatrix const& features, Span<std::uint32_t const> used, std::size_t begin, std::size_t end,
           std::size_t extra);

  std::size_t Rows() const { return rows_; }
  std::size_t Groups() const { return (rows_ + kGroupRows - 1) / kGroupRows; }
  float* Cells(std::size_t group) { return cells_.data() + group * group_cells_; }
  /// The cells of a row, kGroupRows apart.
  float const* Row(std::size_t row) const { return cells_.data() + row / kGroupRows * group_cells_ + row % kGroupRows; }

 private:
  std::size_t rows_;
  std::size_t group_cells_;
  std::vector<float> cells_;
};

/// Where a row goes from a split; its cells lie kGroupRows apart.
inline std::uint32_t NextPlace(PackedTree const& tree, std::uint32_t place, float const* cells) {
  PackedNode const& node = tree.nodes[place];
  return node.left + (GoesLeft(tree, node, cells[node.cell * kGroupRows]) ? 0U : 1U);
}

/// How many rows a task takes: few enough to stay in the inner caches and to give work to all threads.
std::size_t TaskRows(Context const& ctx, std::size_t rows, std::size_t bytes_per_row);

}  // namespace xgbl
