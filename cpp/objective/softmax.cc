// SPDX-License-Identifier: Apache-2.0
// Cross-entropy over classes. The hessian is twice the diagonal of the true one, 2 p (1 - p): with one tree per class
// the off-diagonal part would be lost, and twice the diagonal bounds it (Friedman, Hastie and Tibshirani 2000).
#include <algorithm>
#include <cmath>
#include <cstddef>
#include <numeric>
#include <utility>

#include "base/math.h"
#include "data/row_weights.h"
#include "objective/objective.h"
#include "parallel/parallel_for.h"
#include "parallel/reduce.h"
#include "simd/kernels.h"

namespace xgbl {
namespace {

constexpr float kLeastHessian = 1e-16F;
constexpr double kLeastShare = 1e-6;  // keeps the log share of a class without rows finite
constexpr std::size_t kBlockCells = 4096;

// Probabilities of the rows of `margins`; `out` may be `margins`. The largest margin of a row is taken off first, so
// that nothing overflows.
void SoftmaxRows(Kernels const& kernels, MatrixView<float const> margins, float* out) {
  std::size_t const classes = margins.columns();
  for (std::size_t i = 0; i < margins.rows(); ++i) {
    auto const row = margins.Row(i);
    float const largest = *std::max_element(row.begin(), row.end());
    std::transform(row.begin(), row.end(), out + i * classes, [=](float margin) { return margin - largest; });
  }
  kernels.exp(out, out, margins.size());
  for (std::size_t i = 0; i < margins.rows(); ++i) {
    float* row = out + i * classes;
    auto const sum = static_cast<float>(std::accumulate(row, row + classes, 0.0));
    std::transform(row, row + classes, row, [=](float value) { return value / sum; });
  }
}

/// Calls `body(begin, end)` for blocks of whole rows.
template <class Body>
void ForRowBlocks(Context const& ctx, MatrixView<float const> margins, Body&& body) {
  std::size_t const rows = std::max<std::size_t>(1, kBlockCells / std::max<std::size_t>(1, margins.columns()));
  ParallelBlocks(ctx, margins.rows(), rows, std::forward<Body>(body));
}

class Softmax : public Objective {
 public:
  Softmax(std::string name, bool predicts_class) : name_(std::move(name)), predicts_class_(predicts_class) {}

  void Configure(ParamMap const& params) override { task_ = ParamsFrom<TaskParam>(params); }
  ParamMap Params() const override { return TextOf(task_); }
  std::string DefaultMetric() const override { return "mlogloss"; }
  bool PredictsClass() const override { return predicts_class_; }

  int Outputs(Meta const& /*meta*/) const override {
    Require<ParamError>(task_.num_class >= 1, "`", name_, "` needs `num_class`, the number of classes; got ",
                        task_.num_class, ".");
    return task_.num_class;
  }

  void CheckLabels(Meta const& meta) const override {
    auto const classes = static_cast<float>(Outputs(meta));
    auto const& labels = meta.labels;
    Require<DataError>(labels.columns <= 1, "`", name_, "` needs one label a row; got ", labels.columns, ".");
    auto const bad = std::find_if_not(labels.values.begin(), labels.values.end(), [=](float label) {
      return label >= 0.0F && label < classes && label == std::floor(label);
    });
    if (bad != labels.values.end()) {
      throw DataError(Text("`", name_, "` with `num_class` ", task_.num_class,
                           " needs labels that are whole numbers from 0 to ", task_.num_class - 1, "; got ", *bad,
                           " in row ", bad - labels.values.begin(), "."));
    }
    RowWeights(meta, labels.rows, name_);
  }

  void Gradient(GradientTask const& task, Gradients* out) const override {
    MatrixView<float const> const margins = task.margins;
    Meta const& meta = task.meta;
    Context const& ctx = task.ctx;
    std::size_t const classes = margins.columns();
    Require<DataError>(meta.labels.values.size() == margins.rows(), "`", name_, "` needs one label for each of ",
                       margins.rows(), " rows; got ", meta.labels.values.size(), ".");
    RowWeights const weights(meta, margins.rows(), name_);
    out->Resize(margins.rows(), classes);
    ForRowBlocks(ctx, margins, [&](std::size_t begin, std::size_t end) {
      float* gradient = out->gradient.values.data() + begin * classes;
      float* hessian = out->hessian.values.data() + begin * classes;
      SoftmaxRows(Simd(ctx), {margins.data() + begin * classes, end - begin, classes}, gradient);
      for (std::size_t i = begin; i < end; ++i, gradient += classes, hessian += classes) {
        RowGradients(meta.labels.values[i], weights[i], {gradient, classes}, hessian);
      }
    });
  }

  /// The logs of the classes' shares of the weight, moved so that they sum to 0.
  std::vector<double> Intercept(Meta const& meta, Context const& ctx) const override {
    CheckLabels(meta);
    auto const classes = static_cast<std::size_t>(Outputs(meta));
    auto const& labels = meta.labels.values;
    RowWeights const weights(meta, labels.size(), name_);
    auto best = SumVectors(ctx, labels.size(), classes, [&](std::size_t i, double* sums) {
      sums[static_cast<std::size_t>(labels[i])] += double{weights[i]};
    });
    double const total = std::accumulate(best.begin(), best.end(), 0.0);
    Require<DataError>(labels.empty() || total > 0, "All weights are 0; `", name_, "` needs one that is positive.");
    for (double& value : best) value = Log((total > 0 ? value / total : 0.0) + kLeastShare);
    double const mean = std::accumulate(best.begin(), best.end(), 0.0) / static_cast<double>(classes);
    for (double& value : best) value -= mean;
    return best;
  }

  void Transform(MatrixView<float> margins, Context const& ctx) const override {
    ForRowBlocks(ctx, margins, [&](std::size_t begin, std::size_t end) {
      float* first = margins.data() + begin * margins.columns();
      SoftmaxRows(Simd(ctx), {first, end - begin, margins.columns()}, first);
    });
  }

 private:
  // `row` holds probabilities and becomes the gradient.
  static void RowGradients(float label, float weight, Span<float> row, float* hessian) {
    for (std::size_t k = 0; k < row.size(); ++k) {
      float const p = row[k];
      float const curvature = 2.0F * p * (1.0F - p) * weight;
      hessian[k] = curvature > kLeastHessian ? curvature : kLeastHessian;
      row[k] = (static_cast<float>(k) == label ? p - 1.0F : p) * weight;
    }
  }

  std::string name_;
  bool predicts_class_;
  TaskParam task_;
};

Registration<Objective> const kSoftprob{"multi:softprob",
                                        {},
                                        "Cross-entropy over `num_class` classes; predicts the probability of each.",
                                        SpecsOf<TaskParam>(),
                                        [] { return std::make_unique<Softmax>("multi:softprob", false); }};

Registration<Objective> const kSoftmax{"multi:softmax",
                                       {},
                                       "Cross-entropy over `num_class` classes; predicts the most probable one.",
                                       SpecsOf<TaskParam>(),
                                       [] { return std::make_unique<Softmax>("multi:softmax", true); }};

}  // namespace
}  // namespace xgbl
