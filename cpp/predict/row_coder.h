// SPDX-License-Identifier: Apache-2.0
// Rows to the codes of a CodeBook, a few blocks at a time. One coder per thread. A row costs its used features, a
// sparse one its present cells: what no row of a run of blocks has stays as it is.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "base/context.h"
#include "base/span.h"
#include "data/buffer.h"
#include "data/feature_matrix.h"
#include "predict/code_book.h"

namespace xgbl {

class RowCoder {
 public:
  /// `blocks`: at most so many at once.
  RowCoder(CodeBook const& book, FeatureMatrix const& features, std::size_t blocks, Context const& ctx);

  /// Codes rows [begin, end); valid until the next call.
  void Read(std::size_t begin, std::size_t end);
  std::uint8_t const* Codes() const { return codes_.data(); }

 private:
  // Values of one feature; none at all if `values` is nullptr.
  struct Run {
    float const* values = nullptr;
    std::ptrdiff_t stride = 1;
    float missing = kMissing;
  };

  Run RunOf(std::uint32_t used, std::size_t begin);
  void ScatterSparse(SparseRows const& rows, std::size_t begin);
  void CodeNumbers(std::size_t begin);
  void Blank(CodeBook::Numbers const& column);
  void CodeLabels(std::size_t begin);
  void CodeLabel(CodeBook::Labels const& column, Run const& run);
  void CodeSets();

  CodeBook const& book_;
  FeatureMatrix const& features_;
  Context const& ctx_;
  std::size_t blocks_;
  std::size_t rows_ = 0;          // now
  std::uint32_t value_used_ = 0;  // the feature whose values a quantised matrix gave last
  Buffer<std::uint8_t> codes_;
  std::vector<std::uint8_t> label_codes_;  // by block and run of labels
  std::vector<float> values_;              // sparse: by used feature and row; quantised: by row
  std::vector<std::uint8_t> touched_;      // sparse: by used feature
  std::vector<std::uint8_t> blank_;        // by column of numbers: all rows are missing, and say so
  std::vector<std::size_t> present_;       // sparse: the values to take back
};

}  // namespace xgbl
