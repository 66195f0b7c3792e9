// SPDX-License-Identifier: Apache-2.0
// Exclusive feature bundling (Ke et al. 2017, section 4) in its strict form: features are bundled only if no row has
// two of them, so trees stay the same. Candidates are packed greedily by what a sample of the rows shows, frequent
// features first and neighbours together. Then all rows are read; conflicting features are taken out and tried again.
// O(present cells) per pass, at most three times two passes.
#include <algorithm>
#include <cmath>
#include <cstdint>
#include <deque>
#include <numeric>
#include <utility>
#include <vector>

#include "bins/bin_layout.h"
#include "parallel/reduce.h"

namespace xgbl {
namespace {

constexpr std::uint32_t kNone = 0xFFFFFFFFU;
constexpr std::size_t kRounds = 3;
constexpr std::size_t kSampleRows = std::size_t{1} << 16U;
constexpr std::size_t kSampleCells = std::size_t{1} << 22U;
constexpr std::size_t kLeastPairRows = 64;
// Bundles that a feature is tried with.
constexpr std::size_t kOpenBundles = 128;
// One slot in so many must be saved.
constexpr std::size_t kWorthSaving = 64;
constexpr std::size_t kPairTaskRows = 4096;

using Features = std::vector<std::uint32_t>;
using Rows = std::vector<std::uint32_t>;

// A number that is smaller for more cells, in steps of a factor two: within a step, neighbours stay together.
int Rarity(std::size_t cells) {
  int rarity = 64;
  for (; cells > 0; cells /= 2) --rarity;
  return rarity;
}

class Bundler {
 public:
  Bundler(FeatureMatrix const& features, Cuts const& cuts, Span<std::size_t const> present, Context const& ctx)
      : features_(features), cuts_(cuts), present_(present), ctx_(ctx), rank_(features.Columns(), kNone) {}

  Bundles Find() {
    ChooseCandidates();
    std::size_t const all = candidates_.size();
    Bundles found;
    for (std::size_t round = 0; round < kRounds && candidates_.size() > 1; ++round) {
      Bundles packed = Pack(Sample(round > 0));
      if (Saved(packed) == 0 || Saved(packed) < all / kWorthSaving) break;
      Features const evicted = Evict(&packed);
      found.insert(found.end(), std::make_move_iterator(packed.begin()), std::make_move_iterator(packed.end()));
      SetCandidates(evicted);
    }
    if (Saved(found) < all / kWorthSaving) found.clear();
    for (Features& bundle : found) std::sort(bundle.begin(), bundle.end());
    std::sort(found.begin(), found.end());
    return found;
  }

 private:
  static std::size_t Saved(Bundles const& bundles) {
    std::size_t saved = 0;
    for (Features const& bundle : bundles) saved += bundle.size() - 1;
    return saved;
  }

  void SetCandidates(Features candidates) {
    candidates_ = std::move(candidates);
    std::fill(rank_.begin(), rank_.end(), kNone);
    for (std::uint32_t i = 0; i < candidates_.size(); ++i) rank_[candidates_[i]] = i;
  }

  void ChooseCandidates() {
    std::size_t const rows = features_.Rows();
    Features chosen;
    for (std::uint32_t feature = 0; feature < features_.Columns(); ++feature) {
      bool const gaps = present_[feature] > 0 && present_[feature] < rows;
      if (gaps && cuts_.Bins(feature) > 0 && cuts_.Bins(feature) < kMostCodes) chosen.push_back(feature);
    }
    std::stable_sort(chosen.begin(), chosen.end(),
                     [&](auto a, auto b) { return Rarity(present_[a]) < Rarity(present_[b]); });
    SetCandidates(std::move(chosen));
    Features rarest = candidates_;
    if (rarest.size() < 2) return;
    std::nth_element(rarest.begin(), rarest.begin() + 1, rarest.end(),
                     [&](auto a, auto b) { return present_[a] < present_[b]; });
    if (present_[rarest[0]] + present_[rarest[1]] > rows) candidates_.clear();  // no two can exclude one another
  }

  // Calls `visit(rank)` for the candidates that are present in a row.
  template <class Visit>
  void ForEachCandidate(std::size_t row, Visit&& visit) const {
    if (DenseTable const* table = features_.Dense()) {
      for (std::uint32_t rank = 0; rank < candidates_.size(); ++rank) {
        if (!std::isnan(table->At(row, candidates_[rank]))) visit(rank);
      }
      return;
    }
    SparseTable const& rows = *features_.Sparse();
    for (std::size_t k = rows.row_begin[row]; k < rows.row_begin[row + 1]; ++k) {
      std::uint32_t const rank = rank_[rows.column[k]];
      if (rank != kNone) visit(rank);
    }
  }

  std::size_t SampleSize() const {
    std::size_t cells = 0;
    for (std::uint32_t const feature : candidates_) cells += present_[feature];
    std::size_t const affordable = kSampleCells / (1 + cells / std::max<std::size_t>(1, features_.Rows()));
    return std::clamp(affordable, kLeastPairRows, kSampleRows);
  }

  // The rows with several candidates.
  Rows SharedRows() const {
    std::vector<Rows> parts((features_.Rows() + kPairTaskRows - 1) / kPairTaskRows);
    ParallelBlocks(ctx_, features_.Rows(), kPairTaskRows, [&](std::size_t begin, std::size_t end) {
      for (std::size_t row = begin; row < end; ++row) {
        std::size_t count = 0;
        ForEachCandidate(row, [&](std::uint32_t) { ++count; });
        if (count > 1) parts[begin / kPairTaskRows].push_back(static_cast<std::uint32_t>(row));
      }
    });
    Rows all;
    for (Rows const& part : parts) all.insert(all.end(), part.begin(), part.end());
    return all;
  }

  // Rows at even distances: of all or, as no others tell of conflicts, of those with several candidates.
  Rows Sample(bool shared) const {
    Rows from = shared ? SharedRows() : Rows(features_.Rows());
    if (!shared) std::iota(from.begin(), from.end(), 0U);
    std::size_t const step = from.empty() ? 1 : 1 + (from.size() - 1) / SampleSize();
    Rows rows;
    for (std::size_t i = 0; i < from.size(); i += step) rows.push_back(from[i]);
    return rows;
  }

  struct Open {
    std::size_t bundle;
    std::size_t cells = 0;
    std::size_t codes = 1;
    std::vector<std::uint64_t> taken;  // a bit for each row of the sample
  };

  // First fit, the newest bundle first: columns that exclude one another often stand together.
  Bundles Pack(Rows const& sample) const {
    std::vector<Rows> cells(candidates_.size());  // by rank, the places in `sample` of the rows that have a candidate
    for (std::uint32_t i = 0; i < sample.size(); ++i) {
      ForEachCandidate(sample[i], [&](std::uint32_t rank) { cells[rank].push_back(i); });
    }
    Bundles bundles;
    std::deque<Open> open;  // newest first
    for (std::size_t rank = 0; rank < candidates_.size(); ++rank) {
      std::uint32_t const feature = candidates_[rank];
      auto place = std::find_if(open.begin(), open.end(), [&](Open const& o) { return Fits(o, feature, cells[rank]); });
      if (place == open.end()) {
        open.push_front({bundles.size(), 0, 1, std::vector<std::uint64_t>((sample.size() + 63) / 64)});
        bundles.emplace_back();
        if (open.size() > kOpenBundles) open.pop_back();
        place = open.begin();
      }
      bundles[place->bundle].push_back(feature);
      place->cells += present_[feature];
      place->codes += cuts_.Bins(feature);
      for (std::uint32_t const i : cells[rank]) place->taken[i / 64] |= std::uint64_t{1} << i % 64;
      if (place->cells == features_.Rows()) open.erase(place);
    }
    return bundles;
  }

  bool Fits(Open const& open, std::uint32_t feature, Rows const& cells) const {
    bool const room =
        open.cells + present_[feature] <= features_.Rows() && open.codes + cuts_.Bins(feature) <= kMostCodes;
    return room && std::none_of(cells.begin(), cells.end(),
                                [&](std::uint32_t i) { return (open.taken[i / 64] >> i % 64 & 1U) != 0; });
  }

  // Takes out of the bundles, by the conflicts of all rows, what is to be tried again: of two features that meet, the
  // one that came later. Bundles of one feature are given up.
  Features Evict(Bundles* bundles) const {
    std::vector<std::uint32_t> bundle_of(candidates_.size(), kNone);
    for (std::uint32_t b = 0; b < bundles->size(); ++b) {
      for (std::uint32_t const feature : (*bundles)[b]) bundle_of[rank_[feature]] = b;
    }
    std::vector<std::uint8_t> const conflicts = Conflicts(bundle_of, bundles->size());
    Features evicted;
    Bundles kept;
    for (Features& bundle : *bundles) {
      auto const middle = std::stable_partition(bundle.begin(), bundle.end(),
                                                [&](std::uint32_t f) { return conflicts[rank_[f]] == 0; });
      bool const pays = middle - bundle.begin() > 1;
      evicted.insert(evicted.end(), pays ? middle : bundle.begin(), bundle.end());
      bundle.erase(middle, bundle.end());
      if (pays) kept.push_back(std::move(bundle));
    }
    *bundles = std::move(kept);
    std::sort(evicted.begin(), evicted.end(), [&](auto a, auto b) { return rank_[a] < rank_[b]; });
    return evicted;
  }

  struct Last {
    std::uint32_t row = kNone;  // that had a feature of the bundle, and which
    std::uint32_t rank = kNone;
  };
  // What a thread has met.
  struct Met {
    std::vector<std::uint8_t> conflicts;  // by rank
    std::vector<Last> last;               // by bundle

    Met& operator+=(Met const& other) {
      for (std::size_t i = 0; i < conflicts.size(); ++i) conflicts[i] |= other.conflicts[i];
      return *this;
    }
  };

  // By rank, whether a candidate meets an earlier one of its bundle.
  std::vector<std::uint8_t> Conflicts(std::vector<std::uint32_t> const& bundle_of, std::size_t bundles) const {
    Met const none{std::vector<std::uint8_t>(candidates_.size()), std::vector<Last>(bundles)};
    auto const add = [&](std::size_t begin, std::size_t end, Met* own) {
      for (std::size_t r = begin; r < end; ++r) {
        auto const row = static_cast<std::uint32_t>(r);
        ForEachCandidate(row, [&](std::uint32_t rank) {
          Last& before = own->last[bundle_of[rank]];
          bool const meets = before.row == row;
          if (meets) own->conflicts[std::max(before.rank, rank)] = 1;
          before = {row, meets ? std::min(before.rank, rank) : rank};
        });
      }
    };
    return ReduceRows(ctx_, features_.Rows(), none, add).conflicts;
  }

  FeatureMatrix const& features_;
  Cuts const& cuts_;
  Span<std::size_t const> present_;
  Context const& ctx_;
  Features candidates_;              // in the order in which they are packed
  std::vector<std::uint32_t> rank_;  // by feature: its place among the candidates
};

}  // namespace

Bundles FindBundles(FeatureMatrix const& features, Cuts const& cuts, Span<std::size_t const> present,
                    Context const& ctx) {
  return Bundler(features, cuts, present, ctx).Find();
}

}  // namespace xgbl
