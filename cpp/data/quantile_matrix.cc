// SPDX-License-Identifier: Apache-2.0
#include "data/quantile_matrix.h"

#include <algorithm>
#include <functional>
#include <utility>

#include "base/error.h"
#include "ingest/fingerprint.h"
#include "parallel/reduce.h"

namespace xgbl {
namespace {

constexpr char kSameBatches[] =
    "Batches are read several times and must be the same in every pass: after reset(), next() must hand over the same "
    "ones in the same order.";

// How many cells of each feature are not missing.
std::vector<std::size_t> CountPresent(FeatureMatrix const& features, Cuts const& cuts, Context const& ctx) {
  using Counts = SumArray<std::size_t>;
  Context const worth = ForWork(ctx, features.Rows() * features.Columns());
  auto const count = [&](std::size_t begin, std::size_t end, Counts* present) {
    for (std::size_t row = begin; row < end; ++row) {
      features.ForEachPresent(row, [&](std::size_t column, float value) {
        ++(*present)[column];
        if (cuts.categorical[column] != 0) CheckCategories(column, {&value, 1});
      });
    }
  };
  return ReduceRows(worth, features.Rows(), Counts(features.Columns()), count);
}

void CheckColumns(std::size_t columns, std::size_t expected) {
  Require<DataError>(columns == expected, "The data have ", columns, " columns, but their cuts are for ", expected,
                     ". All batches, and the reference (`ref`), must have the same features.");
}

}  // namespace

std::shared_ptr<DMatrix> Quantise(DMatrix const& matrix, int max_bin, DMatrix const* reference, Context const& ctx) {
  if (reference == nullptr) {
    CheckUnchanged(matrix.Features(), ctx);
    return std::make_shared<DMatrix>(matrix.Binned(ctx, max_bin), max_bin, matrix.Info());
  }
  matrix.Features().NeedValues("Quantising with `ref`");
  CheckUnchanged(matrix.Features(), ctx);
  CheckColumns(matrix.Columns(), reference->Columns());
  auto const cuts = reference->Binned(ctx, max_bin)->SharedCuts();
  auto const present = CountPresent(matrix.Features(), *cuts, ctx);
  return std::make_shared<DMatrix>(BinMatrix(matrix.Features(), cuts, present, ctx), max_bin, matrix.Info());
}

QuantileMatrixBuilder::QuantileMatrixBuilder(std::vector<std::uint8_t> categorical, int max_bin)
    : max_bin_(max_bin), present_(categorical.size()) {
  std::size_t const columns = categorical.size();
  cut_builder_.emplace(columns, std::move(categorical), max_bin);
}

QuantileMatrixBuilder::QuantileMatrixBuilder(DMatrix const& reference, int max_bin, Context const& ctx)
    : max_bin_(max_bin), cuts_(reference.Binned(ctx, max_bin)->SharedCuts()), present_(reference.Columns()) {}

void QuantileMatrixBuilder::Push(FeatureMatrix const& batch, Span<float const> weights, Context const& ctx) {
  batch.NeedValues("Quantising");
  CheckColumns(batch.Columns(), present_.size());
  Require<DataError>(weights.empty() || weights.size() == batch.Rows(),
                     "`weight` must have one weight for each row of a batch: got ", weights.size(), " for ",
                     batch.Rows(), " rows.");
  CheckSame(batch, weights, ctx);
  Require<DataError>(bins_ == nullptr, "There is a batch after the last pass. ", kSameBatches);
  if (cut_builder_) {
    cut_builder_->Push(batch, weights, ctx);
  } else if (bin_builder_) {
    bin_builder_->Append(batch, ctx);
  } else {
    rows_ += batch.Rows();
    CheckShape(rows_, batch.Columns());
    auto const present = CountPresent(batch, *cuts_, ctx);
    std::transform(present.begin(), present.end(), present_.begin(), present_.begin(), std::plus<>());
  }
}

void QuantileMatrixBuilder::CheckSame(FeatureMatrix const& batch, Span<float const> weights, Context const& ctx) {
  std::uint64_t const hash = HashRows(batch, weights, ctx);
  std::size_t const place = pushed_++;
  if (is_first_pass_) return batches_.push_back(hash);
  Require<DataError>(place < batches_.size(), "There is a batch ", place + 1, ", but the first pass had ",
                     batches_.size(), ". ", kSameBatches);
  Require<DataError>(hash == batches_[place], "Batch ", place + 1,
                     " is not what it was in the first pass: its values, weights or number of rows changed. ",
                     kSameBatches);
}

bool QuantileMatrixBuilder::EndPass(Context const& ctx) {
  Require<DataError>(is_first_pass_ || pushed_ == batches_.size(), "There are ", pushed_,
                     " batches, but the first pass had ", batches_.size(), ". ", kSameBatches);
  is_first_pass_ = false;
  pushed_ = 0;
  if (bin_builder_) {
    bins_ = bin_builder_->Finish(ctx);
    return false;
  }
  if (cut_builder_) {
    if (cut_builder_->EndPass(ctx)) return true;
    rows_ = cut_builder_->Rows();
    present_ = cut_builder_->Present();
    cuts_ = std::make_shared<Cuts const>(cut_builder_->Finish());
    cut_builder_.reset();
  }
  bin_builder_.emplace(cuts_, rows_, present_);
  return true;
}

std::shared_ptr<DMatrix> QuantileMatrixBuilder::Finish(Meta meta) {
  Ensure(bins_ != nullptr, "a quantised matrix is taken before its bins are made.");
  return std::make_shared<DMatrix>(std::move(bins_), max_bin_, std::move(meta));
}

}  // namespace xgbl
