// SPDX-License-Identifier: Apache-2.0
#include "objective/elementwise.h"

namespace xgbl {
namespace {

struct FairParam {
  double fair_c = 1;

  template <class F>
  static void Describe(F& field) {
    field("fair_c", &FairParam::fair_c, "Slope of Fair's loss far from the label; larger errors count little more.")
        .Above(0);
  }
};

struct Fair : PlainLoss<FairParam> {
  static constexpr bool kSolvesStart = true;

  // c / (c + |error|), which is 1 at the label.
  float Share(float error) const { return c / ((error < 0.0F ? -error : error) + c); }
  float Gradient(float prediction, float label) const {
    float const error = prediction - label;
    return error * Share(error);
  }
  float Hessian(float prediction, float label) const {
    float const share = Share(prediction - label);
    return Positive(share * share);
  }
  void Prepare() { c = static_cast<float>(params.fair_c); }

  float c = 1;
};

auto const kFair = Register<Objective, Elementwise<Fair>>("reg:fair",
                                                          "Fair's loss, c^2 (e / c - log(1 + e / c)) of the absolute "
                                                          "error e: smooth, and nearly absolute for large errors.",
                                                          "mae")
                       .Alias({"fair"})
                       .Params<FairParam>()
                       .Own("reg:squarederror");

}  // namespace
}  // namespace xgbl
