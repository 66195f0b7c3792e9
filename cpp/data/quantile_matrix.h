// SPDX-License-Identifier: Apache-2.0
// Makes quantised matrices, which keep bins and no values, from a whole matrix or from batches that come again in every
// pass. The cuts, and the bin of each cell, are the same either way; only whole matrices have bundles.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

#include "base/context.h"
#include "base/span.h"
#include "bins/binned_matrix_builder.h"
#include "cuts/cut_builder.h"
#include "data/dmatrix.h"
#include "ingest/feature_matrix.h"
#include "labels/meta.h"

namespace xgbl {

/// The quantised form of a matrix, with its own cuts or those of a reference (nullptr: none).
std::shared_ptr<DMatrix> Quantise(DMatrix const& matrix, int max_bin, DMatrix const* reference, Context const& ctx);

/// Life: Push all batches, EndPass; again while EndPass says so; Finish. DataError if a pass brings other batches than
/// the first, as a hash of each shows.
class QuantileMatrixBuilder {
 public:
  /// `categorical`: a flag for each column.
  QuantileMatrixBuilder(std::vector<std::uint8_t> categorical, int max_bin);
  /// With the cuts of a reference.
  QuantileMatrixBuilder(DMatrix const& reference, int max_bin, Context const& ctx);

  /// `weights`: empty, or one per row.
  void Push(FeatureMatrix const& batch, Span<float const> weights, Context const& ctx);
  /// True: all batches must be pushed once more, in the same order.
  bool EndPass(Context const& ctx);
  std::shared_ptr<DMatrix> Finish(Meta meta);

 private:
  void CheckSame(FeatureMatrix const& batch, Span<float const> weights, Context const& ctx);

  int max_bin_;
  std::vector<std::uint64_t> batches_;  // of the first pass
  std::size_t pushed_ = 0;              // batches of this pass
  bool is_first_pass_ = true;
  std::shared_ptr<Cuts const> cuts_;
  std::size_t rows_ = 0;
  std::vector<std::size_t> present_;
  // What the passes are for, in turn: finding the cuts or, if they are given, counting; then binning.
  std::optional<CutBuilder> cut_builder_;
  std::optional<BinnedMatrixBuilder> bin_builder_;
  std::shared_ptr<BinnedMatrix const> bins_;
};

}  // namespace xgbl
