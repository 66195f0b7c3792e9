// SPDX-License-Identifier: Apache-2.0
// Trees for a few rows, as heaps of bytes (simd/serving_kernels.h). Each row meets them alone; its codes take one byte
// per cell. Immutable; made in O(n log n) of the nodes.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "base/context.h"
#include "model/model.h"
#include "predict/code_book.h"
#include "predict/node_trees.h"
#include "predict/row_reader.h"
#include "simd/serving_kernels.h"

namespace xgbl {

class ByteTrees {
 public:
  /// The book must outlive this.
  ByteTrees(Model const& model, std::vector<TreeShape> const& shapes, CodeBook const& book);
  ByteTrees(ByteTrees const&) = delete;  // the trees point into arrays
  ByteTrees& operator=(ByteTrees const&) = delete;

  /// Whether cells can be numbered, and trees are not so large that heaps would take much memory.
  static bool Suits(Model const& model, std::vector<TreeShape> const& shapes, CodeBook const& book);

  /// Rows that meet the trees together.
  class Rows;
  /// About how many cycles rows take in trees [first, end), with the coding.
  double Cycles(std::size_t first, std::size_t end, std::size_t rows, Context const& ctx) const;

 private:
  class Writer;

  void Code(float const* values, Context const& ctx, std::uint8_t* codes) const;
  void CodeLabels(float const* values, std::uint8_t* codes) const;

  CodeBook const& book_;
  std::vector<RowColumn> columns_;
  std::vector<float> every_16th_;  // edge, of each column that has so many
  std::size_t row_bytes_ = 64;
  unsigned levels_ = 1;
  std::vector<ByteHeap> heaps_;
  std::vector<ByteTree> trees_;
  std::vector<ByteTwig> twigs_;
  std::vector<ByteExit> exits_;
  LeafTable leaves_;
  // Of all trees before one: about how many twigs a row meets, and outputs.
  std::vector<double> twigs_before_{0}, outputs_before_{0};
};

class ByteTrees::Rows {
 public:
  Rows(ByteTrees const& heaps, RoundRange trees, std::size_t outputs, Context const& ctx);

  /// A row, by the values of the used features, NaN if missing. Its margins get the trees now or when it is finished.
  void Add(float const* values, float* margins) {
    heaps_.Code(values, ctx_, codes_.data() + count_ * heaps_.row_bytes_);
    margins_[count_++] = margins;
    if (count_ == kByteRows) Finish();
  }
  /// The rest of the rows get the trees.
  void Finish();

 private:
  ByteTrees const& heaps_;
  RoundRange trees_;
  std::size_t outputs_;
  Context const& ctx_;
  std::size_t count_ = 0;
  SmallBuffer sums_;  // by output and row
  std::array<float*, kByteRows> margins_;
  alignas(64) std::array<std::uint8_t, kByteRows*(kByteCells + 1)> codes_;
};

}  // namespace xgbl
