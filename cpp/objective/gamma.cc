// SPDX-License-Identifier: Apache-2.0
#include "objective/log_link.h"

namespace xgbl {
namespace {

struct Gamma : LogLink<RegressionLoss> {
  static constexpr char const* kLabels = "finite labels above 0";

  static float Ratio(float mean, float label) { return std::min(label / mean, kMost); }
  static float Gradient(float mean, float label) { return 1.0F - Ratio(mean, label); }
  static float Hessian(float mean, float label) { return Positive(Ratio(mean, label)); }
  static bool Allows(float label) { return std::isfinite(label) && label > 0.0F; }
  static void CheckBaseScore(std::string const& name, double base_score) {
    Require<ParamError>(base_score > 0, "`base_score` must be a mean, above 0, for `", name, "`; got ", base_score,
                        ".");
  }
};

auto const kGamma =
    Register<Objective, Elementwise<Gamma>>(
        "reg:gamma", "Gamma regression with a log link: for positive amounts whose spread grows with their mean.",
        "gamma-deviance")
        .Alias({"gamma"})
        .Params<RegressionParam>();

}  // namespace
}  // namespace xgbl
