// SPDX-License-Identifier: Apache-2.0
#include "model/linear_schema.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "base/error.h"

namespace xgbl {

Value SaveLinear(LinearModel const& linear) {
  Value::Object model;
  model.emplace("boosted_rounds", static_cast<std::int64_t>(linear.rounds));
  model.emplace("weights", linear.weights);
  Value::Object booster;
  booster.emplace("model", std::move(model));
  booster.emplace("name", "gblinear");
  return booster;
}

LinearModel LoadLinear(Field const& booster, std::size_t num_features, std::size_t num_outputs) {
  Field const model = booster["model"];
  LinearModel linear;
  linear.weights = model["weights"].NumbersOf<float>();
  std::size_t const expected = (num_features + 1) * num_outputs;
  if (linear.weights.size() != expected) {
    model.Fail(Text("must have ", expected, " weights, for ", num_features, " features and the bias, ", num_outputs,
                    " each; it has ", linear.weights.size()));
  }
  bool const finite =
      std::all_of(linear.weights.begin(), linear.weights.end(), [](float w) { return std::isfinite(w); });
  if (!finite) model.Fail("must have finite weights");
  constexpr std::int64_t kMost = std::numeric_limits<std::int32_t>::max();
  // Files before 1.4 do not count rounds.
  bool const counted = model.Has("boosted_rounds");
  linear.rounds = counted ? static_cast<std::size_t>(model["boosted_rounds"].Whole(0, kMost)) : 1;
  return linear;
}

}  // namespace xgbl
