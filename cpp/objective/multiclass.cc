// SPDX-License-Identifier: Apache-2.0
// Objectives that have one margin for each of `num_class` classes, and one label per row, its class. `base_score` is a
// margin. They work on blocks of whole rows.
#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <limits>
#include <numeric>
#include <string>
#include <utility>
#include <vector>

#include "base/math.h"
#include "labels/row_weights.h"
#include "objective/elementwise.h"
#include "objective/objective.h"
#include "parallel/parallel_for.h"
#include "parallel/reduce.h"
#include "simd/loss_kernels.h"

namespace xgbl {
namespace {

class Multiclass : public Objective {
 public:
  Multiclass(std::string name, bool predicts_class) : name_(std::move(name)), predicts_class_(predicts_class) {}

  void Configure(ParamMap const& params) override { param_ = ParamsFrom<ClassParam>(params); }
  ParamMap Params() const override { return TextOf(param_); }
  std::string DefaultMetric() const override { return "mlogloss"; }
  bool PredictsClass() const override { return predicts_class_; }

  int Outputs(Meta const& /*meta*/) const override {
    Require<ParamError>(param_.num_class >= 1, "`", name_, "` needs `num_class`, the number of classes; got ",
                        param_.num_class, ".");
    return param_.num_class;
  }

  void CheckLabels(Meta const& meta) const override {
    auto const classes = static_cast<float>(Outputs(meta));
    auto const& labels = meta.labels;
    Require<DataError>(labels.columns <= 1, "`", name_, "` needs one label a row; got ", labels.columns, ".");
    auto const bad = std::find_if_not(labels.values.begin(), labels.values.end(), [=](float label) {
      return label >= 0.0F && label < classes && label == std::floor(label);
    });
    if (bad != labels.values.end()) {
      throw DataError(Text("`", name_, "` with `num_class` ", param_.num_class,
                           " needs labels that are whole numbers from 0 to ", param_.num_class - 1, "; got ", *bad,
                           " in row ", bad - labels.values.begin(),
                           ". Number the classes from 0, or raise `num_class`."));
    }
    RowWeights(meta, labels.rows, name_);
  }

 protected:
  // Checks sizes, makes room, and calls `body(begin, end, weights)` for blocks of rows.
  template <class Body>
  void ForGradients(GradientTask const& task, bool by_output, Gradients* out, Body&& body) const {
    std::size_t const rows = task.margins.rows();
    Require<DataError>(task.meta.labels.values.size() == rows, "`", name_, "` needs one label for each of ", rows,
                       " rows; got ", task.meta.labels.values.size(), ".");
    RowWeights const weights(task.meta, rows, name_);
    out->Resize(rows, task.margins.columns(), by_output);
    ForRowBlocks(task.ctx, task.margins, [&](std::size_t begin, std::size_t end) { body(begin, end, weights); });
  }

  // The share of each class in the weight of all rows; 0 without rows.
  std::vector<double> Shares(Meta const& meta, Context const& ctx) const {
    CheckLabels(meta);
    auto const& labels = meta.labels.values;
    auto const classes = static_cast<std::size_t>(Outputs(meta));
    auto const add = [&](std::size_t begin, std::size_t end, std::int64_t const* weights, std::int64_t* sums) {
      for (std::size_t i = begin; i < end; ++i) {
        sums[static_cast<std::size_t>(labels[i])] += weights[i - begin];
        sums[classes] += weights[i - begin];
      }
    };
    auto shares = SumWeights(ctx, labels.size(), meta.weights, classes + 1, add);
    double const total = shares.back();
    shares.pop_back();
    RequireSomeWeight(!labels.empty(), total, name_);
    for (double& share : shares) share = total > 0 ? share / total : 0.0;
    return shares;
  }

  // Calls `body(begin, end)` for blocks of whole rows.
  template <class Body>
  static void ForRowBlocks(Context const& ctx, MatrixView<float const> margins, Body&& body) {
    constexpr std::size_t kSideBySide = ClassTask::kSideBySide, kBlockCells = kMostClassRows - kSideBySide;
    std::size_t const rows = kSideBySide + kBlockCells / std::max<std::size_t>(1, margins.columns());
    ParallelBlocks(ctx, margins.rows(), rows / kSideBySide * kSideBySide, std::forward<Body>(body));
  }

 private:
  std::string name_;
  bool predicts_class_;
  ClassParam param_;
};

constexpr double kLeastShare = 1e-6;  // keeps the log share of a class without rows finite

// Cross-entropy over classes. The hessian is twice the diagonal of the true one, 2 p (1 - p): with one tree per class
// the off-diagonal part would be lost, and twice the diagonal bounds it (Friedman, Hastie and Tibshirani 2000).
class Softmax : public Multiclass {
 public:
  using Multiclass::Multiclass;

  void Gradient(GradientTask const& task, Gradients* out) const override {
    std::size_t const classes = task.margins.columns();
    ForGradients(task, true, out, [&](std::size_t begin, std::size_t end, RowWeights const& weights) {
      std::array<float, kMostClassRows> weight;  // NOLINT(*-member-init)
      weights.Fill(begin, end, 1, weight.data());
      ClassTask const rows{task.margins.data() + begin * classes, end - begin, classes,
                           task.meta.labels.values.data() + begin, weight.data()};
      LossKernels::Of(task.ctx.simd)
          .softmax_gradients(rows, out->gradient.values.data() + begin, out->hessian.values.data() + begin,
                             task.margins.rows());
    });
  }

  /// The logs of the classes' shares of the weight, moved so that they sum to 0.
  std::vector<double> Intercept(Meta const& meta, Context const& ctx) const override {
    auto best = Shares(meta, ctx);
    for (double& value : best) value = Log(value + kLeastShare);
    double const mean = std::accumulate(best.begin(), best.end(), 0.0) / static_cast<double>(best.size());
    for (double& value : best) value -= mean;
    return best;
  }

  void Transform(MatrixView<float> margins, Context const& ctx) const override {
    ForRowBlocks(ctx, margins, [&](std::size_t begin, std::size_t end) {
      float* first = margins.data() + begin * margins.columns();
      LossKernels::Of(ctx.simd).softmax({first, end - begin, margins.columns()}, first);
    });
  }

  std::string Link() const override { return PredictsClass() ? "class" : "softmax"; }
};

auto const kSoftprob =
    Register<Objective, Softmax>("multi:softprob",
                                 "Cross-entropy over `num_class` classes; predicts the probability of each.", false)
        .Params<ClassParam>()
        .Elsewhere({"multiclass", "softmax", "softprob", "multi_logloss"});

auto const kSoftmax =
    Register<Objective, Softmax>("multi:softmax",
                                 "Cross-entropy over `num_class` classes; predicts the most probable one.", true)
        .Params<ClassParam>();

// A logistic loss for each class against all others. The probabilities of a row are divided by their sum, as
// scikit-learn does it for one classifier a class, so that they can be compared with those of multi:softprob; the
// margin of a class stays what its own loss made of it.
class OneVsAll : public Multiclass {
 public:
  OneVsAll() : Multiclass("multi:ova", false) {}

  void Gradient(GradientTask const& task, Gradients* out) const override {
    std::size_t const classes = task.margins.columns();
    ForGradients(task, false, out, [&](std::size_t begin, std::size_t end, RowWeights const& weights) {
      float* gradient = out->gradient.values.data() + begin * classes;
      float* hessian = out->hessian.values.data() + begin * classes;
      LossKernels::Of(task.ctx.simd).sigmoid(task.margins.data() + begin * classes, gradient, (end - begin) * classes);
      for (std::size_t i = begin; i < end; ++i, gradient += classes, hessian += classes) {
        RowGradients(task.meta.labels.values[i], weights[i], {gradient, classes}, hessian);
      }
    });
  }

  /// The log-odds of each class's share of the weight.
  std::vector<double> Intercept(Meta const& meta, Context const& ctx) const override {
    auto best = Shares(meta, ctx);
    std::transform(best.begin(), best.end(), best.begin(), LogOdds);
    return best;
  }

  void Transform(MatrixView<float> margins, Context const& ctx) const override {
    ForRowBlocks(ctx, margins, [&](std::size_t begin, std::size_t end) {
      float* first = margins.data() + begin * margins.columns();
      LossKernels::Of(ctx.simd).sigmoid(first, first, (end - begin) * margins.columns());
      for (std::size_t i = begin; i < end; ++i) Normalise(margins.Row(i));
    });
  }

  std::string Link() const override { return "shares"; }

 private:
  // `row` holds probabilities and becomes the gradient.
  static void RowGradients(float label, float weight, Span<float> row, float* hessian) {
    bool const known = label >= 0.0F && label < static_cast<float>(row.size());
    std::size_t const own = known ? static_cast<std::size_t>(label) : 0;
    float const own_gradient = row[own] - (known ? 1.0F : 0.0F);
    for (std::size_t k = 0; k < row.size(); ++k) {
      hessian[k] = Positive(row[k] * (1.0F - row[k])) * weight;
      row[k] *= weight;
    }
    row[own] = own_gradient * weight;
  }

  // A row that no class wants is shared by all.
  static void Normalise(Span<float> row) {
    double const sum = std::accumulate(row.begin(), row.end(), 0.0);
    auto const least = static_cast<double>(std::numeric_limits<float>::min());
    float const even = 1.0F / static_cast<float>(row.size());
    for (float& p : row) p = sum < least ? even : static_cast<float>(double{p} / sum);
  }
};

auto const kOneVsAll = Register<Objective, OneVsAll>("multi:ova",
                                                     "Logistic loss of each of `num_class` classes against the rest; "
                                                     "predicts the probability of each, which sum to 1.")
                           .Alias({"multi:multiclassova", "multiclassova", "multiclass_ova", "ova"})
                           .Params<ClassParam>()
                           .Elsewhere({"multiclassonevsall"})
                           .Own();

}  // namespace
}  // namespace xgbl
