// SPDX-License-Identifier: Apache-2.0
// Cross-entropy over classes. The hessian is twice the diagonal of the true one, 2 p (1 - p): with one tree per class
// the off-diagonal part would be lost, and twice the diagonal bounds it (Friedman, Hastie and Tibshirani 2000).
#include <array>
#include <numeric>

#include "base/math.h"
#include "objective/multiclass.h"
#include "simd/loss_kernels.h"

namespace xgbl {
namespace {

constexpr double kLeastShare = 1e-6;  // keeps the log share of a class without rows finite

class Softmax : public Multiclass {
 public:
  using Multiclass::Multiclass;

  void Gradient(GradientTask const& task, Gradients* out) const override {
    std::size_t const classes = task.margins.columns();
    ForGradients(task, out, [&](std::size_t begin, std::size_t end, RowWeights const& weights) {
      std::array<float, kMostClassRows> weight;  // NOLINT(*-member-init)
      weights.Fill(begin, end, 1, weight.data());
      std::size_t const first = begin * classes;
      ClassTask const rows{task.margins.data() + first, end - begin, classes, task.meta.labels.values.data() + begin,
                           weight.data()};
      LossKernels::Of(task.ctx.simd)
          .softmax_gradients(rows, out->gradient.values.data() + first, out->hessian.values.data() + first);
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

}  // namespace
}  // namespace xgbl
