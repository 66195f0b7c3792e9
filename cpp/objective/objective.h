// SPDX-License-Identifier: Apache-2.0
// An objective: what training minimises. Its life:
//   1. Registry<Objective> makes it; Configure() gives it the parameters that the user set.
//   2. Once per training set: CheckLabels(), Outputs(), and Intercept() unless `base_score` is given.
//   3. Every round: Gradient(), from the margins of all rows; FitLeaf() for each new leaf if FitsLeaves().
//   4. For predictions: Transform(), for metrics: TransformForMetrics(), in place.
// All of it is const after Configure() and safe to call from several threads. Results are the same bits for any number
// of threads and any instruction set: exp and log come from base/math.h and simd/, never from the C library.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "base/context.h"
#include "base/params.h"
#include "base/registry.h"
#include "base/span.h"
#include "labels/meta.h"

namespace xgbl {

/// First and second derivative of the loss with respect to the margins, each rows x outputs; somebody else's.
struct GradientView {
  MatrixView<float const> gradient;
  MatrixView<float const> hessian;
  bool by_output = false;  // the values of an output stand together, and not those of a row
};

/// The same, owned.
struct Gradients {
  Matrix<float> gradient;
  Matrix<float> hessian;
  bool by_output = false;  // as an objective likes it: trees take one output after the other

  GradientView View() const { return {gradient.View(), hessian.View(), by_output}; }
  void Resize(std::size_t rows, std::size_t outputs, bool output_by_output = false) {
    by_output = output_by_output;
    if (gradient.rows == rows && gradient.columns == outputs) return;
    gradient = Matrix<float>(rows, outputs);
    hessian = Matrix<float>(rows, outputs);
  }
};

/// What an objective learns beside the trees and keeps in the model, by name: position biases of ranking.
using ObjectiveState = std::map<std::string, std::vector<float>>;

/// What the derivatives of a round are taken from.
struct GradientTask {
  MatrixView<float const> margins;
  Meta const& meta;
  Context const& ctx;
  std::size_t round = 0;            // counted from the model's first; random choices depend on it and on ctx.seed
  ObjectiveState* state = nullptr;  // as the last round left it; kept when the round completes
};

/// The rows of one leaf, and their margins before the tree.
struct LeafTask {
  MatrixView<float const> margins;
  Meta const& meta;
  Span<std::uint32_t const> rows;
  std::size_t output;
  ObjectiveState const* state = nullptr;  // as Gradient() left it in this round
};

/// What the user set of the learning task and objectives may need.
struct ClassParam {
  static constexpr char const* kGroup = "softmax_multiclass_param";
  int num_class = 0;

  template <class F>
  static void Describe(F& field) {
    field("num_class", &ClassParam::num_class, "Number of classes of a multi-class objective.")
        .Range(0, kMaxOutputs)
        .Elsewhere({"classes_count", "num_classes"});
  }
};

struct TargetParam {
  int num_target = 1;

  template <class F>
  static void Describe(F& field) {
    field("num_target", &TargetParam::num_target,
          "Number of targets, for custom objectives; otherwise the number of columns of the label.")
        .Range(1, kMaxOutputs);
  }
};

class Objective {
 public:
  virtual ~Objective() = default;

  /// Takes its own parameters from `params` and ignores all others.
  virtual void Configure(ParamMap const& /*params*/) {}
  /// Its own parameters, as text.
  virtual ParamMap Params() const { return {}; }

  virtual std::string DefaultMetric() const = 0;
  /// Parameters of trees that have other defaults with this objective.
  virtual ParamMap TreeDefaults() const { return {}; }
  /// Margins per row.
  virtual int Outputs(Meta const& meta) const = 0;
  /// Whether each row of training data must have a label; else CheckLabels() says which fields it learns from.
  virtual bool NeedsLabels() const { return true; }
  /// Throws DataError if the labels are not what the loss is defined on.
  virtual void CheckLabels(Meta const& meta) const = 0;
  /// Gives `out` its size and sets all of it, whatever was there.
  virtual void Gradient(GradientTask const& task, Gradients* out) const = 0;

  /// Whether leaves get the value of FitLeaf() (times the learning rate) instead of the Newton step.
  virtual bool FitsLeaves() const { return false; }
  /// What to add to the margins of a leaf's rows to minimise their loss; 0 without rows.
  virtual double FitLeaf(LeafTask const& /*task*/) const { return 0; }

  /// The best constant prediction per output, in the space that `base_score` has (a probability for logistic loss).
  virtual std::vector<double> Intercept(Meta const& meta, Context const& ctx) const = 0;
  /// `base_score` to margin.
  virtual double ToMargin(double base_score) const { return base_score; }
  /// The margins of base scores, one an output; for objectives whose outputs depend on one another.
  virtual std::vector<double> ToMargins(std::vector<double> base_scores) const {
    for (double& score : base_scores) score = ToMargin(score);
    return base_scores;
  }
  /// Throws ParamError if `base_score` has no margin.
  virtual void CheckBaseScore(double /*base_score*/) const {}

  /// Margins to predictions, in place.
  virtual void Transform(MatrixView<float> margins, Context const& ctx) const = 0;
  /// Margins to what metrics get, in place: predictions, unless they would lose what the metrics need.
  virtual void TransformForMetrics(MatrixView<float> margins, Context const& ctx) const { Transform(margins, ctx); }
  /// How exports are to compute Transform(), in the words of `python/xgb_like/_export`; "": they can't.
  virtual std::string Link() const { return ""; }
  /// Whether predict() gives the class with the largest prediction instead of all predictions.
  virtual bool PredictsClass() const { return false; }
};

/// The objective of that name, configured; a ParamError names the nearest if there is none.
inline std::unique_ptr<Objective> MakeObjective(std::string const& name, ParamMap const& params) {
  auto objective = Registry<Objective>::Get().At(name, "objective").make();
  objective->Configure(params);
  return objective;
}

}  // namespace xgbl
