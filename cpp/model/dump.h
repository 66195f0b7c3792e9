// SPDX-License-Identifier: Apache-2.0
// Trees as text for people, in XGBoost's forms: indented text, nested JSON, and dot for graphviz. A linear model is one
// text of biases and weights, never dot.
#pragma once

#include <string>
#include <vector>

#include "model/model.h"

namespace xgbl {

enum class DumpFormat { kText, kJson, kDot };

struct DumpOptions {
  DumpFormat format = DumpFormat::kText;
  bool with_stats = false;
  std::vector<std::string> feature_names;  // empty: f0, f1, …
  std::vector<std::string> feature_types;  // empty: all numeric
  // rankdir, yes_color, no_color; category_names: true or false; as JSON objects: graph_attrs, condition_node_params,
  // leaf_node_params
  ParamMap dot;
};

/// One text per tree, or a single one.
std::vector<std::string> DumpModel(Model const& model, DumpOptions const& options);

}  // namespace xgbl
