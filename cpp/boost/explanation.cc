// SPDX-License-Identifier: Apache-2.0
#include "boost/explanation.h"

#include <algorithm>
#include <limits>
#include <utility>

#include "base/error.h"
#include "explain/explain.h"
#include "ingest/fingerprint.h"
#include "labels/row_weights.h"

namespace xgbl {
namespace {

// A model file may name any number of features, whose square need not be a number.
void CheckSize(std::size_t rows, std::size_t outputs, std::size_t width, bool square) {
  std::size_t room = std::numeric_limits<std::ptrdiff_t>::max() / sizeof(float);
  for (std::size_t const factor : {rows, outputs, width, square ? width : 1}) room /= std::max<std::size_t>(1, factor);
  Require<DataError>(room > 0, "An explanation of ", rows, " rows, ", outputs, " outputs and ", width - 1,
                     square ? " features by each other" : " features",
                     " does not fit the memory of any machine. Explain fewer rows at a time.");
}

// The starting margins stand in the last cell of each output.
Matrix<float> StartOf(Matrix<float> const& margins, std::size_t cells) {
  std::size_t const columns = margins.columns * cells;
  Matrix<float> out(margins.rows, columns);
  for (std::size_t i = 0; i < margins.values.size(); ++i) out.values[(i + 1) * cells - 1] = margins.values[i];
  return out;
}

void CheckBackground(Learner const& learner, ExplanationTask const& task) {
  Require<ParamError>(
      task.kind == ExplanationKind::kContributions,
      "`background` goes with `pred_contribs` alone, not with approximate contributions or interactions.");
  Require<DataError>(task.background->Rows() > 0, "`background` has no rows; at least one is needed.");
  learner.CheckFeatures(*task.background);
  RowWeights const weights(task.background->Info(), task.background->Rows(), "background");
  float most = 0;
  for (std::size_t row = 0; row < task.background->Rows(); ++row) most = std::max(most, weights[row]);
  RequireSomeWeight(true, double{most}, "background");
}

// Path contributions, moved to the diagonal.
Matrix<float> OnDiagonal(Matrix<float> const& contributions, std::size_t width) {
  std::size_t const outputs = contributions.columns / width;
  Matrix<float> out(contributions.rows, contributions.columns * width);
  for (std::size_t i = 0; i < contributions.rows * outputs; ++i) {
    for (std::size_t f = 0; f < width; ++f) {
      out.values[(i * width + f) * width + f] = contributions.values[i * width + f];
    }
  }
  return out;
}

}  // namespace

Explanation Explain(Learner const& learner, DMatrix const& data, ExplanationTask const& task,
                    Interrupt const& interrupted) {
  Model const& model = learner.GetModel();
  learner.CheckFeatures(data);
  if (task.background != nullptr) CheckBackground(learner, task);
  Context const ctx = learner.GetSettings().MakeContext(nullptr, interrupted);
  CheckUnchanged(data.Features(), ctx);
  RoundRange const trees = ResolveTrees(model, task.rounds);
  std::size_t const width = std::max(model.num_features, data.Columns()) + 1;
  bool const pairs = task.kind == ExplanationKind::kInteractions;
  bool const square = pairs || task.kind == ExplanationKind::kPathInteractions;
  CheckSize(data.Rows(), static_cast<std::size_t>(model.num_outputs), width, square);
  Matrix<float> out = StartOf(learner.StartMargins(data), pairs ? width * width : width);
  bool const empty = trees.begin >= trees.end && !model.linear;
  if (!empty && task.background != nullptr) {
    CheckUnchanged(task.background->Features(), ctx);
    Background const background(task.background->Features(), task.background->Info().weights);
    AddInterventional(model, data.Features(), background, trees, ctx, out.View());
  } else if (!empty && task.kind == ExplanationKind::kInteractions) {
    AddInteractions(model, data.Features(), trees, ctx, out.View());
  } else if (!empty && task.kind == ExplanationKind::kContributions) {
    AddContributions(model, data.Features(), trees, ctx, out.View());
  } else if (!empty) {
    AddPathContributions(model, data.Features(), trees, ctx, out.View());
  }
  if (task.kind == ExplanationKind::kPathInteractions) out = OnDiagonal(out, width);
  return {std::move(out), width, square};
}

Matrix<float> Marginals(Learner const& learner, DMatrix const& data, std::vector<std::uint32_t> const& known,
                        Interrupt const& interrupted) {
  Model const& model = learner.GetModel();
  learner.CheckFeatures(data);
  Context const ctx = learner.GetSettings().MakeContext(nullptr, interrupted);
  CheckUnchanged(data.Features(), ctx);
  Matrix<float> out = learner.StartMargins(data);
  AddMarginals(model, data.Features(), known, {0, model.trees.size()}, ctx, out.View());
  return out;
}

}  // namespace xgbl
