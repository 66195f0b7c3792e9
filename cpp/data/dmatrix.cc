// SPDX-License-Identifier: Apache-2.0
#include "data/dmatrix.h"

#include <algorithm>

#include "base/error.h"
#include "bins/binned_matrix_builder.h"
#include "cuts/cut_builder.h"
#include "parallel/reduce.h"

namespace xgbl {
namespace {

constexpr std::size_t kPickTaskRows = 1024;

DenseTable PickRows(DenseTable const& table, Span<std::uint32_t const> rows, Context const& ctx) {
  float* cells = nullptr;
  DenseTable out = NewTable(rows.size(), table.columns, &cells);
  ParallelBlocks(ForWork(ctx, rows.size() * table.columns), rows.size(), kPickTaskRows,
                 [&](std::size_t begin, std::size_t end) {
                   float* to = cells + begin * table.columns;
                   for (std::size_t const row : rows.Sub(begin, end - begin)) {
                     for (std::size_t column = 0; column < table.columns; ++column) *to++ = table.At(row, column);
                   }
                 });
  return out;
}

SparseRows PickRows(SparseTable const& source, Span<std::uint32_t const> rows, Context const& ctx) {
  SparseRows out;
  out.columns = source.columns;
  out.row_begin.reserve(rows.size() + 1);
  std::size_t total = 0;
  for (std::size_t const row : rows) {
    total += source.row_begin[row + 1] - source.row_begin[row];
    out.row_begin.push_back(total);
  }
  out.column.reserve(total);
  out.value.reserve(total);
  PacedCheck pace(ctx);
  for (std::size_t const row : rows) {
    std::size_t const first = source.row_begin[row], count = source.row_begin[row + 1] - first;
    out.column.insert(out.column.end(), source.column.data() + first, source.column.data() + first + count);
    out.value.insert(out.value.end(), source.value.data() + first, source.value.data() + first + count);
    pace.Step(count + 1);
  }
  return out;
}

// DataError if the user's memory has changed.
FeatureMatrix Pick(FeatureMatrix const& features, Span<std::uint32_t const> rows, Context const& ctx) {
  CheckUnchanged(features, ctx);
  DenseTable const* const table = features.Dense();
  return table != nullptr ? FeatureMatrix(PickRows(*table, rows, ctx))
                          : FeatureMatrix(PickRows(*features.Sparse(), rows, ctx));
}

std::shared_ptr<BinnedMatrix const> MakeBins(FeatureMatrix const& features, Meta const& meta, int max_bin,
                                             Context const& ctx) {
  std::vector<float> const by_row = meta.WeightsByRow(features.Rows());
  Span<float const> const weights = by_row.empty() ? Span<float const>(meta.weights) : by_row;
  CutBuilder builder(features.Columns(), meta.CategoricalFlags(features.Columns()), max_bin);
  builder.PushAll(features, weights, ctx);
  auto const present = builder.Present();
  auto bins = BinMatrix(features, std::make_shared<Cuts const>(builder.Finish()), present, ctx);
  CheckUnchanged(features, ctx);
  return bins;
}

}  // namespace

DMatrix::DMatrix(FeatureMatrix features, Meta meta) : features_(std::move(features)) {
  CheckShape(Rows(), Columns());
  SetInfo(std::move(meta));
}

DMatrix::DMatrix(std::shared_ptr<BinnedMatrix const> bins, int max_bin, Meta meta)
    : features_(bins), quantised_(std::move(bins)), quantised_with_(max_bin) {
  SetInfo(std::move(meta));
}

std::size_t DMatrix::Present(Context const& ctx) const {
  SparseTable const* const sparse = features_.Sparse();
  if (quantised_ != nullptr) {
    std::size_t present = 0;
    for (std::size_t column = 0; column < Columns(); ++column) present += quantised_->Present(column);
    return present;
  }
  return ReduceBlocks(ctx, Rows(), std::size_t{0}, [&](std::size_t begin, std::size_t end) {
    std::size_t present = 0;
    for (std::size_t i = begin; i < end; ++i) {
      std::size_t const row = chosen_ ? (*chosen_)[i] : i;
      if (sparse != nullptr) {
        present += sparse->row_begin[row + 1] - sparse->row_begin[row];
      } else {
        features_.ForEachPresent(row, [&](std::size_t, float) { ++present; });
      }
    }
    return present;
  });
}

void DMatrix::SetInfo(Meta meta) {
  meta.Check(Rows(), Columns());
  if (quantised_ != nullptr && !meta.feature_types.empty()) {
    Require<DataError>(
        meta.CategoricalFlags(Columns()) == quantised_->GetCuts().categorical,
        "Which features are categories is settled when a quantised matrix is made. Give `feature_types` ",
        "then, or make a new matrix.");
  }
  // None if neither has types: sparse data may have billions of columns.
  std::size_t const typed = std::max(meta.feature_types.size(), meta_.feature_types.size());
  bool const same_cuts = meta.weights == meta_.weights &&
                         meta.CategoricalFlags(typed) == meta_.CategoricalFlags(typed) &&
                         (meta.weights.empty() || meta.group_begin == meta_.group_begin);
  if (!same_cuts) {
    Replace([](Views* views) {
      views->binned.clear();
      views->latest_cuts.reset();
    });
  }
  meta_ = std::move(meta);
  ++info_version_;
}

// A change that another thread makes at the same time is not lost.
template <class Change>
void DMatrix::Replace(Change const& change) const {
  std::shared_ptr<Views const> before = Seen();
  std::shared_ptr<Views const> after;
  do {
    auto views = std::make_shared<Views>(*before);
    change(views.get());
    after = std::move(views);
  } while (!std::atomic_compare_exchange_weak(&views_, &before, after));
}

// The view that is found, made first if it is not there. A caller that needs a view in the making waits for it; one
// that only looks does not. Nor does a signal handler of the thread that makes it: it makes its own.
template <class Find, class Make>
auto DMatrix::Built(Interrupt const& interrupted, Find const& find, Make const& make) const {
  auto const look = [&] {
    Views views = *Seen();
    return std::move(find(&views));
  };
  if (auto there = look()) return there;
  std::optional<Turns::Turn> turn;
  if (!building_.Mine()) turn.emplace(&building_, interrupted);
  if (auto there = look()) return there;
  auto made = make();
  Replace([&](Views* views) { find(views) = made; });
  return made;
}

FeatureMatrix const& DMatrix::Features() const {
  if (!chosen_) return features_;
  auto const find = [](Views* views) -> auto& { return views->picked; };
  return *Built({}, find, [&] { return std::make_shared<FeatureMatrix const>(Pick(features_, *chosen_, {})); });
}

bool DMatrix::HasViews() const {
  auto const views = Seen();
  return views->sorted || views->ordered || !views->binned.empty();
}

FeatureMatrix DMatrix::PassingFeatures(Context const& ctx) const {
  if (!chosen_) return features_;
  auto const picked = Seen()->picked;
  return picked ? *picked : Pick(features_, *chosen_, ctx);
}

std::shared_ptr<ColumnBlocks const> DMatrix::Sorted(Context const& ctx) const {
  FeatureMatrix const& features = Features();
  auto const find = [](Views* views) -> auto& { return views->sorted; };
  return Built(ctx.interrupted, find,
               [&] { return std::make_shared<ColumnBlocks const>(ColumnBlocks::Build(features, ctx)); });
}

std::shared_ptr<BinOrder const> DMatrix::InValueOrder(Context const& ctx) const {
  auto const find = [](Views* views) -> auto& { return views->ordered; };
  return *Built(ctx.interrupted, find, [&] { return std::make_optional(BinOrder::Make(PassingFeatures(ctx), ctx)); });
}

std::shared_ptr<BinnedMatrix const> DMatrix::FinelyBinned(Context const& ctx, int max_bin) const {
  auto const find = [&](Views* views) -> auto& { return views->binned[max_bin]; };
  return Built(ctx.interrupted, find, [&] {
    auto bins = MakeBins(PassingFeatures(ctx), meta_, max_bin, ctx);
    Replace([&](Views* views) {  // of many values of max_bin that are tried, the last two are kept
      std::map<int, std::shared_ptr<BinnedMatrix const>> last;
      last.insert(views->binned.extract(std::exchange(views->last_max_bin, max_bin)));
      views->binned.swap(last);
    });
    return bins;
  });
}

std::shared_ptr<BinnedMatrix const> DMatrix::Binned(Context const& ctx, int max_bin) const {
  if (quantised_ != nullptr) {
    Require<ParamError>(max_bin == quantised_with_, "`max_bin` must be consistent: it is ", max_bin,
                        ", but the quantised matrix was made with ", quantised_with_, ". Set `max_bin` to ",
                        quantised_with_, " or make the matrix anew.");
    return quantised_;
  }
  auto bins = FinelyBinned(ctx, max_bin);
  if (Seen()->latest_cuts != bins->SharedCuts()) NoteCuts(bins->SharedCuts());
  return bins;
}

std::shared_ptr<Cuts const> DMatrix::LatestCuts() const {
  if (quantised_ != nullptr) return quantised_->SharedCuts();
  return Seen()->latest_cuts;
}

void DMatrix::NoteCuts(std::shared_ptr<Cuts const> cuts) const {
  Replace([&](Views* views) { views->latest_cuts = cuts; });
}

DMatrix::RowNumbers DMatrix::Chosen(Span<std::size_t const> rows) const {
  features_.NeedValues("A slice");
  RowNumbers chosen;
  chosen.reserve(rows.size());
  for (std::size_t const row : rows) {
    Require<DataError>(row < Rows(), "Row ", row, " is not in the matrix, which has ", Rows(), " rows.");
    chosen.push_back(chosen_ ? (*chosen_)[row] : static_cast<std::uint32_t>(row));
  }
  return chosen;
}

std::shared_ptr<DMatrix> DMatrix::Slice(Span<std::size_t const> rows, bool allow_groups, Context const& ctx) const {
  return std::make_shared<DMatrix>(Pick(features_, Chosen(rows), ctx), meta_.Slice(rows, allow_groups));
}

std::shared_ptr<DMatrix> DMatrix::Refer(Span<std::size_t const> rows, bool allow_groups) const {
  auto matrix = std::make_shared<DMatrix>(features_, Meta{});
  matrix->chosen_ = Chosen(rows);
  matrix->SetInfo(meta_.Slice(rows, allow_groups));
  return matrix;
}

}  // namespace xgbl
