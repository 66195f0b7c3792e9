// SPDX-License-Identifier: Apache-2.0
// Builds binned matrices once the cuts are known: from a whole matrix, from pieces, or from a matrix with finer cuts.
// Threads share blocks of rows. Takes O(cells x log bins) for dense pieces and O(present cells x log bins) for sparse
// ones. Memory beyond the result is one block of rows per thread.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

#include "base/context.h"
#include "base/span.h"
#include "bins/binned_matrix.h"
#include "ingest/feature_matrix.h"

namespace xgbl {

class BinnedMatrixBuilder {
 public:
  /// `present`: how many cells of each feature are not missing, in all pieces together. The features of a bundle must
  /// exclude one another.
  BinnedMatrixBuilder(std::shared_ptr<Cuts const> cuts, std::size_t rows, Span<std::size_t const> present,
                      Bundles const& bundles = {});

  /// The rows follow those that were appended before. DataError if they do not agree with what was counted.
  void Append(FeatureMatrix const& piece, Context const& ctx);
  /// The rows of a matrix with the same bundles and finer cuts. It must have each of our cuts.
  void Append(BinnedMatrix const& fine, Context const& ctx);
  std::shared_ptr<BinnedMatrix const> Finish();

 private:
  void MakeRoom(std::size_t rows, std::size_t columns) const;
  void AppendSparse(FeatureMatrix const& piece, Context const& ctx);
  void AppendSparse(BinnedMatrix const& fine, Context const& ctx);

  std::shared_ptr<BinnedMatrix> matrix_;
  std::size_t done_ = 0;  // rows
};

/// A whole matrix; features that exclude one another are bundled.
std::shared_ptr<BinnedMatrix const> BinMatrix(FeatureMatrix const& features, std::shared_ptr<Cuts const> cuts,
                                              Span<std::size_t const> present, Context const& ctx);

/// The matrix with fewer cuts: every one of `coarse` is one of `fine`'s.
std::shared_ptr<BinnedMatrix const> Regroup(BinnedMatrix const& fine, std::shared_ptr<Cuts const> coarse,
                                            Context const& ctx);

}  // namespace xgbl
