// SPDX-License-Identifier: Apache-2.0
// Partial dependence on every single feature, exact and in one pass over the model. Knowing the feature at one of its
// splits changes the mean of that node to that of a child. This holds for the values that earlier splits on the feature
// let through, with the weight that splits on other features leave. So each split adds to two intervals of the
// feature's values, or to sets of categories. O(nodes x depth).
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "model/model.h"
#include "predict/node_trees.h"

namespace xgbl {

/// A function of one feature that is constant between edges; relative to the mean of the model.
struct FeatureSteps {
  std::uint32_t feature = 0;
  bool categorical = false;
  std::vector<float> edges;     // rising; an edge belongs to the interval above it
  std::vector<double> values;   // (edges + 1) x outputs; of categories one more than the highest in any set, for others
  std::vector<double> missing;  // outputs
};

/// Of the features that trees split on, rising. ParamError if the model is linear.
std::vector<FeatureSteps> DependenceSteps(Model const& model, RoundRange trees);

}  // namespace xgbl
