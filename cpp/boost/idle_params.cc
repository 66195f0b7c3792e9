// SPDX-License-Identifier: Apache-2.0
#include "boost/idle_params.h"

namespace xgbl {

std::string WhyIdle(std::string const& name, TreeParam const& param, std::string const& method) {
  bool const of_goss = name == "top_rate" || name == "other_rate";
  if (of_goss && param.sampling_method != "goss") return "it needs `sampling_method` goss";
  if (name == "cut_proposal" && method != "approx") return "it needs `tree_method` approx";
  // What XGBoost has, too, such as max_bin, is often given along with any method, and passed over there.
  bool const of_bins = name == "cat_smooth" || name == "gradient_bits";
  if (of_bins && method == "exact") return "it needs `tree_method` hist or approx";
  return "";
}

}  // namespace xgbl
