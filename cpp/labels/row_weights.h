// SPDX-License-Identifier: Apache-2.0
// Weights for losses and metrics of single rows: one per row, 1 if there are none. Weights by query group have no
// meaning there and are refused. A view: the Meta must outlive it.
#pragma once

#include <algorithm>
#include <cstddef>
#include <string>
#include <vector>

#include "base/error.h"
#include "labels/meta.h"

namespace xgbl {

/// Throws DataError if there are rows to learn from, but all their weights are 0.
inline void RequireSomeWeight(bool any_rows, double total, std::string const& user) {
  Require<DataError>(!any_rows || total > 0, "All weights are 0; `", user, "` needs one that is positive.");
}

class RowWeights {
 public:
  /// `user` is the objective or metric that a message names.
  RowWeights(Meta const& meta, std::size_t rows, std::string const& user) : weights_(meta.weights) {
    Require<DataError>(weights_.empty() || weights_.size() == rows, "`", user, "` needs one weight a row: ", rows,
                       "; got ", weights_.size(), ". Weights by query group are for ranking.");
  }

  bool Given() const { return !weights_.empty(); }
  float operator[](std::size_t row) const { return weights_.empty() ? 1.0F : weights_[row]; }

  /// The weights of the cells [begin, end) of a matrix in row order with that many columns.
  void Fill(std::size_t begin, std::size_t end, std::size_t columns, float* out) const {
    if (weights_.empty()) {
      std::fill(out, out + (end - begin), 1.0F);
    } else if (columns == 1) {
      std::copy(weights_.data() + begin, weights_.data() + end, out);
    } else {
      for (std::size_t i = begin, next = begin; i < end; i = next) {
        next = std::min(end, (i / columns + 1) * columns);
        std::fill(out + (i - begin), out + (next - begin), weights_[i / columns]);
      }
    }
  }

 private:
  std::vector<float> const& weights_;
};

}  // namespace xgbl
