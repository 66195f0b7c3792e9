// SPDX-License-Identifier: Apache-2.0
#include "boost/frozen_predictor.h"

#include <algorithm>
#include <utility>

#include "base/error.h"

namespace xgbl {
namespace {

constexpr double kCodeCycles = 20;  // to look whether training had a code

}  // namespace

FrozenPredictor::FrozenPredictor(std::shared_ptr<Learner const> learner)
    : learner_(std::move(learner)),
      serving_(learner_->ToServe()),
      starts_(learner_->Starts(static_cast<std::size_t>(learner_->GetModel().num_outputs))),
      codes_(KnownCodesOf(learner_->GetModel())),
      ctx_(learner_->GetSettings().MakeContext(nullptr, {})),
      row_cycles_(serving_->MostCycles() + kCodeCycles * static_cast<double>(codes_.size())) {}

bool FrozenPredictor::KnowsCodes(RowSource const& source, Interrupt const& interrupted) const {
  if (codes_.empty()) return true;
  Context ctx = ctx_;
  ctx.interrupted = interrupted;
  return HasKnownCodes(codes_, source, ctx);
}

std::size_t FrozenPredictor::Columns(PredictionKind kind) const {
  return kind == PredictionKind::kClass ? 1 : starts_.size();
}

void FrozenPredictor::Predict(RowSource const& source, PredictionKind kind, RoundRange rounds,
                              Interrupt const& interrupted, MatrixView<float> out) const {
  Ensure(out.rows() == source.Rows() && out.columns() == Columns(kind), "Predictions of ", out.rows(), " x ",
         out.columns(), " are asked of ", source.Rows(), " rows.");
  RoundRange const trees = ResolveTrees(learner_->GetModel(), rounds);
  Context ctx = ctx_;
  ctx.interrupted = interrupted;
  Matrix<float> apart;
  MatrixView<float> margins = out;
  if (out.columns() != starts_.size()) {
    apart = Matrix<float>(out.rows(), starts_.size());
    margins = apart.View();
  }
  for (std::size_t row = 0; row < margins.rows(); ++row) {
    std::copy(starts_.begin(), starts_.end(), margins.Row(row).begin());
  }
  if (trees.begin < trees.end) serving_->AddMargins(source, trees, ctx, margins);
  learner_->Decide(margins, kind, ctx, out);
}

void FrozenPredictor::PredictRow(float const* values, std::ptrdiff_t stride, float missing, PredictionKind kind,
                                 RoundRange rounds, float* out) const {
  RoundRange const trees = ResolveTrees(learner_->GetModel(), rounds);
  bool const apart = Columns(kind) != starts_.size();
  std::vector<float> many(apart ? starts_.size() : 0);
  float* const margins = apart ? many.data() : out;
  std::copy(starts_.begin(), starts_.end(), margins);
  if (trees.begin < trees.end) serving_->AddRow(values, stride, missing, trees, ctx_, margins);
  learner_->Decide({margins, 1, starts_.size()}, kind, ctx_, {out, 1, Columns(kind)});
}

}  // namespace xgbl
