// SPDX-License-Identifier: Apache-2.0
// The data of one training or evaluation set: features, which never change, and Meta, which can be set. Views that a
// tree method needs are built on first use and kept; several threads may ask for one. A quantised matrix has only the
// bins that it was made with. A matrix that refers to rows of another copies the features when they are needed, and
// temporarily to make bins.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "base/context.h"
#include "base/span.h"
#include "bins/bin_order.h"
#include "bins/binned_matrix.h"
#include "columns/column_blocks.h"
#include "ingest/feature_matrix.h"
#include "ingest/fingerprint.h"
#include "labels/meta.h"
#include "parallel/turns.h"

namespace xgbl {

class DMatrix {
 public:
  DMatrix(FeatureMatrix features, Meta meta);
  /// A quantised matrix; `max_bin` is what its cuts were made with.
  DMatrix(std::shared_ptr<BinnedMatrix const> bins, int max_bin, Meta meta);

  std::size_t Rows() const { return chosen_ ? chosen_->size() : features_.Rows(); }
  std::size_t Columns() const { return features_.Columns(); }
  bool IsDense() const { return features_.Dense() != nullptr; }
  /// For rows of another matrix this is a copy, which is kept.
  FeatureMatrix const& Features() const;
  /// The same, temporarily: a copy that was not there before is not kept, unless what is made from it does so.
  FeatureMatrix PassingFeatures(Context const& ctx = {}) const;
  /// Whether there are bins or sorted columns. They would not follow a change of the user's memory.
  bool HasViews() const;
  /// Throws DataError if an array of the user's, of these rows or more, was changed since it was read.
  void CheckUnchanged(Context const& ctx) const { xgbl::CheckUnchanged(features_, ctx); }
  /// Number of cells that are not missing.
  std::size_t Present(Context const& ctx = {}) const;

  Meta const& Info() const { return meta_; }
  /// Replaces the Meta after checking it against the features.
  void SetInfo(Meta meta);
  /// Rises with every SetInfo: margins that were computed before may no longer hold.
  std::uint64_t InfoVersion() const { return info_version_; }

  std::shared_ptr<ColumnBlocks const> Sorted(Context const& ctx) const;
  /// The bins by cuts that respect the weights; kept for the last two values of `max_bin` until weights or types
  /// change. ParamError if the matrix is quantised with another `max_bin`; DataError if the user's array changed before
  /// the bins were made. Later changes do not affect the bins; CheckUnchanged() finds them.
  std::shared_ptr<BinnedMatrix const> Binned(Context const& ctx, int max_bin) const;
  /// The same for bins that are only a means to others: LatestCuts() does not return their cuts.
  std::shared_ptr<BinnedMatrix const> FinelyBinned(Context const& ctx, int max_bin) const;
  /// A dense table's values in order; nullptr if BinOrder would not be worth it.
  std::shared_ptr<BinOrder const> InValueOrder(Context const& ctx) const;
  /// The cuts that Binned() gave last, or that were noted since; nullptr if there are none.
  std::shared_ptr<Cuts const> LatestCuts() const;
  /// Notes the cuts of a tree that has its own.
  void NoteCuts(std::shared_ptr<Cuts const> cuts) const;
  /// The `max_bin` of a quantised matrix, 0 if it is none.
  int QuantisedWith() const { return quantised_with_; }
  /// The bins of a quantised matrix, nullptr if it is none.
  BinnedMatrix const* Quantised() const { return quantised_.get(); }

  std::shared_ptr<DMatrix> Slice(Span<std::size_t const> rows, bool allow_groups, Context const& ctx = {}) const;
  /// The same, but the values stay where they are until they are needed.
  std::shared_ptr<DMatrix> Refer(Span<std::size_t const> rows, bool allow_groups) const;

 private:
  using RowNumbers = std::vector<std::uint32_t>;

  // What was made of the features so far; never changes, but is replaced.
  struct Views {
    std::shared_ptr<FeatureMatrix const> picked;
    std::shared_ptr<ColumnBlocks const> sorted;
    std::optional<std::shared_ptr<BinOrder const>> ordered;
    std::map<int, std::shared_ptr<BinnedMatrix const>> binned;  // by max_bin, the two that were made last
    int last_max_bin = 0;
    std::shared_ptr<Cuts const> latest_cuts;
  };

  std::shared_ptr<Views const> Seen() const { return std::atomic_load(&views_); }
  template <class Change>
  void Replace(Change const& change) const;
  template <class Find, class Make>
  auto Built(Interrupt const& interrupted, Find const& find, Make const& make) const;
  /// Those rows, checked, by their numbers in `features_`.
  RowNumbers Chosen(Span<std::size_t const> rows) const;

  FeatureMatrix features_;
  std::optional<RowNumbers> chosen_;  // of `features_`, which are another matrix's then; otherwise all of them
  Meta meta_;
  std::uint64_t info_version_ = 0;
  mutable Turns building_;  // a view at a time is made, which may take long and ask Python for signals
  mutable std::shared_ptr<Views const> views_ = std::make_shared<Views>();  // by Seen() and Replace() alone
  std::shared_ptr<BinnedMatrix const> quantised_;                           // of a quantised matrix
  int quantised_with_ = 0;
};

/// The binary file of a matrix: equal data give equal bytes. Writing is atomic; every length is checked on reading.
void SaveBinary(DMatrix const& matrix, std::string const& path);
std::shared_ptr<DMatrix> LoadBinary(std::string const& path);
/// Whether the file starts like one of SaveBinary's.
bool IsBinaryMatrix(std::string const& path);

}  // namespace xgbl
