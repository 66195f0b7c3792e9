// SPDX-License-Identifier: Apache-2.0
#include "objective/log_link.h"
#include "objective/shared_params.h"

namespace xgbl {
namespace {

struct Tweedie : LogLink<PlainLoss<TweedieParam>> {
  static void Predict(LossKernels const& /*kernels*/, float const* margins, float* out, std::size_t n) {
    constexpr float kFar = 60.0F;
    std::transform(margins, margins + n, out, [=](float x) { return x < -kFar ? -kFar : (x > kFar ? kFar : x); });
  }
  float Gradient(float margin, float label) const { return OfMean(margin) - OfLabel(margin, label); }
  float Hessian(float margin, float label) const {
    return Positive((power - 1.0F) * OfLabel(margin, label) + (2.0F - power) * OfMean(margin));
  }
  static bool MeanIsBest() { return true; }
  void Prepare() { power = static_cast<float>(params.tweedie_variance_power); }

  float OfLabel(float margin, float label) const { return std::min(label * Exp((1.0F - power) * margin), kMost); }
  float OfMean(float margin) const { return Exp((2.0F - power) * margin); }

  float power = 1.5F;
};

class TweedieObjective : public Elementwise<Tweedie> {
 public:
  TweedieObjective() : Elementwise("reg:tweedie", "") {}

  std::string DefaultMetric() const override {
    return "tweedie-nloglik@" + PrintParam(GetLoss().params.tweedie_variance_power);
  }
};

auto const kTweedie = Register<Objective, TweedieObjective>(
                          "reg:tweedie", "Tweedie regression with a log link: for amounts of which many are 0.")
                          .Alias({"tweedie"})
                          .Params<TweedieParam>();

}  // namespace
}  // namespace xgbl
