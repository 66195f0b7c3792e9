// SPDX-License-Identifier: Apache-2.0
// The hessian is enlarged by exp(max_delta_step). It then bounds that of all margins within this distance, so no such
// step makes the loss worse.
#include "objective/log_link.h"

namespace xgbl {
namespace {

struct PoissonParam {
  static constexpr char const* kGroup = "poisson_regression_param";
  double max_delta_step = 0.7;

  template <class F>
  static void Describe(F& field) {
    field("max_delta_step", &PoissonParam::max_delta_step,
          "Largest absolute leaf value before shrinkage; the hessian is multiplied by its exponential.")
        .Range(0);
  }
};

struct Poisson : LogLink<PlainLoss<PoissonParam>> {
  static float Gradient(float mean, float label) { return mean - label; }
  float Hessian(float mean, float /*label*/) const { return Positive(mean * factor); }
  static bool MeanIsBest() { return true; }
  void Prepare() { factor = std::min(Exp(static_cast<float>(params.max_delta_step)), kMostFactor); }

  static constexpr float kMostFactor = 1e7F;
  float factor = 1;
};

class PoissonObjective : public Elementwise<Poisson> {
 public:
  PoissonObjective() : Elementwise("count:poisson", "poisson-nloglik") {}

  /// Leaves are limited, too, unless the user says otherwise.
  ParamMap TreeDefaults() const override { return Params(); }
};

auto const kPoisson =
    Register<Objective, PoissonObjective>("count:poisson", "Poisson regression with a log link: for counts.")
        .Alias({"poisson"})
        .Params<PoissonParam>();

}  // namespace
}  // namespace xgbl
