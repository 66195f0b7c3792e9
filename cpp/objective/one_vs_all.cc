// SPDX-License-Identifier: Apache-2.0
// A logistic loss for each class against all others. The probabilities of a row are divided by their sum, as
// scikit-learn does it for one classifier a class, so that they can be compared with those of multi:softprob; the
// margin of a class stays what its own loss made of it.
#include <limits>
#include <numeric>

#include "objective/multiclass.h"
#include "objective/probability_link.h"
#include "simd/loss_kernels.h"

namespace xgbl {
namespace {

class OneVsAll : public Multiclass {
 public:
  OneVsAll() : Multiclass("multi:ova", false) {}

  void Gradient(GradientTask const& task, Gradients* out) const override {
    std::size_t const classes = task.margins.columns();
    ForGradients(task, out, [&](std::size_t begin, std::size_t end, RowWeights const& weights) {
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
