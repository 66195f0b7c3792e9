// SPDX-License-Identifier: Apache-2.0
#include <limits>

#include "objective/elementwise.h"

namespace xgbl {
namespace {

struct Hinge : PlainLoss<NoParam> {
  static constexpr char const* kLabels = "labels from 0 to 1";
  static constexpr char const* kLink = "step";

  static float Side(float label) { return 2.0F * label - 1.0F; }
  static bool Inside(float margin, float label) { return margin * Side(label) < 1.0F; }
  static float Gradient(float margin, float label) { return Inside(margin, label) ? -Side(label) : 0.0F; }
  static float Hessian(float margin, float label) {
    return Inside(margin, label) ? 1.0F : std::numeric_limits<float>::min();
  }
  static void Transform(LossKernels const& /*kernels*/, float* margins, std::size_t n) {
    std::transform(margins, margins + n, margins, [](float margin) { return margin > 0.0F ? 1.0F : 0.0F; });
  }
  static bool Allows(float label) { return label >= 0.0F && label <= 1.0F; }
};

auto const kHinge = Register<Objective, Elementwise<Hinge>>(
                        "binary:hinge", "Hinge loss for two classes; predicts the class, 0 or 1.", "error")
                        .Elsewhere({"hinge"});

}  // namespace
}  // namespace xgbl
