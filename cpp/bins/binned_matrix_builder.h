// SPDX-License-Identifier: Apache-2.0
// Builds binned matrices once the cuts are known: from a whole matrix, from pieces, or from a matrix with finer cuts.
// Threads share blocks of rows. Takes O(cells x log bins) for dense pieces and O(present cells x log bins) for sparse
// ones. Memory beyond the result is one block of rows per thread, and a byte a row for each slot that is joined with
// others.
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

/// Whether slots of few codes share joint ones. Whoever reads one feature at a time had better have its codes as they
/// are.
enum class SlotJoining { kOn, kOff };

class BinnedMatrixBuilder {
 public:
  /// `present`: how many cells of each feature are not missing, in all pieces together. The features of a bundle must
  /// exclude one another.
  BinnedMatrixBuilder(std::shared_ptr<Cuts const> cuts, std::size_t rows, Span<std::size_t const> present,
                      Bundles const& bundles = {}, SlotJoining joining = SlotJoining::kOn);
  /// With a layout that is known.
  BinnedMatrixBuilder(std::shared_ptr<Cuts const> cuts, std::size_t rows, Span<std::size_t const> present,
                      BinLayout layout, SlotJoining joining);

  /// The rows follow those that were appended before. DataError if they do not agree with what was counted.
  void Append(FeatureMatrix const& piece, Context const& ctx);
  /// The rows of a matrix with the same slots and finer cuts. It must have each of our cuts.
  void Append(BinnedMatrix const& fine, Context const& ctx);
  std::shared_ptr<BinnedMatrix const> Finish(Context const& ctx);

 private:
  bool MakeColumns();
  void MakeTiles();
  void JoinSlots(Context const& ctx);
  void ShiftSparse(BinLayout const& plain, Context const& ctx);
  void FillTiles(Context const& ctx);
  void MakeRoom(std::size_t rows, std::size_t columns) const;
  void AppendSparse(FeatureMatrix const& piece, Context const& ctx);
  void AppendSparse(BinnedMatrix const& fine, Context const& ctx);

  std::shared_ptr<BinnedMatrix> matrix_;
  bool joins_ = false;    // when all rows are there
  std::size_t done_ = 0;  // rows
};

/// A whole matrix; features that exclude one another are bundled.
std::shared_ptr<BinnedMatrix const> BinMatrix(FeatureMatrix const& features, std::shared_ptr<Cuts const> cuts,
                                              Span<std::size_t const> present, Context const& ctx,
                                              SlotJoining joining = SlotJoining::kOn);

/// The matrix with fewer cuts: every one of `coarse` is one of `fine`'s.
std::shared_ptr<BinnedMatrix const> Regroup(BinnedMatrix const& fine, std::shared_ptr<Cuts const> coarse,
                                            Context const& ctx);

}  // namespace xgbl
