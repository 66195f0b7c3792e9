// SPDX-License-Identifier: Apache-2.0
// An objective with parameters of its own, and below it its sample for the laws.
#include "objective/elementwise.h"
#include "objective/sample_objectives.h"

namespace xgbl {
namespace {

struct LopsidedParam {
  double lopsided_factor = 3;
  bool lopsided_above = false;

  template <class F>
  static void Describe(F& field) {
    using P = LopsidedParam;
    field("lopsided_factor", &P::lopsided_factor, "What an error of one side counts for.").Range(0.001, 1000);
    field("lopsided_above", &P::lopsided_above, "Whether that side is above the label.")
        .Needs("another `lopsided_factor` than 1", [](P const& p) { return p.lopsided_factor != 1; });
  }
};

struct Lopsided : PlainLoss<LopsidedParam> {
  static constexpr bool kSolvesStart = true;

  float Gradient(float prediction, float label) const { return Hessian(prediction, label) * (prediction - label); }
  float Hessian(float prediction, float label) const {
    return (prediction > label) == params.lopsided_above ? static_cast<float>(params.lopsided_factor) : 1.0F;
  }
};

auto const kLopsided =
    Register<Objective, Elementwise<Lopsided>>("reg:lopsided", "Squared error that counts more on one side.", "rmse")
        .Alias({"lopsided"})
        .Elsewhere({"asymmetric_mse"})
        .Params<LopsidedParam>()
        .Own("reg:squarederror");

auto const kSample = ObjectiveSamples().emplace("reg:lopsided", [] {
  ObjectiveSample sample;
  sample.loss = [](Span<double const> x, float y) {
    double const error = x[0] - double{y};
    return error * error / 2 * (error > 0 ? 1 : 3);
  };
  return sample;
}());

}  // namespace
}  // namespace xgbl
