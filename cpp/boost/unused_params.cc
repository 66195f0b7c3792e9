// SPDX-License-Identifier: Apache-2.0
#include "boost/unused_params.h"

#include <algorithm>

#include "base/error.h"
#include "boost/updaters.h"
#include "objective/objective.h"

namespace xgbl {
namespace {

bool IsOfTrees(std::string const& name) {
  return Schema<TreeParam>::Get().Find(name) != nullptr || name == "tree_method" || name == "num_parallel_tree" ||
         name == "refresh_leaf";
}

bool IsOfObjectives(std::string const& name) {
  auto const& entries = Registry<Objective>::Get().Entries();
  return std::any_of(entries.begin(), entries.end(), [&](auto const& named) {
    auto const& params = named.second.params;
    return std::any_of(params.begin(), params.end(), [&](ParamSpec const& spec) { return spec.name == name; });
  });
}

bool IsUnusedByKind(std::string const& name, BoosterKind const& kind) {
  if (kind.Params().count(name) != 0) return false;
  if (IsOfTrees(name)) return !kind.GrowsTrees();
  return IsKindParam(name) && Schema<BoostParam>::Get().Find(name) == nullptr;
}

// What a tree parameter needs and does not have.
std::string MissingFor(std::string const& name, BoostParam const& boost, TreeParam const& trees) {
  UpdaterPlan const plan = PlanOf(boost);
  bool const of_goss = name == "top_rate" || name == "other_rate";
  if (of_goss && trees.sampling_method != "goss") return "`sampling_method` goss";
  if (name == "cut_proposal" && plan.method != "approx") return "`tree_method` approx";
  bool const of_bins = name == "cat_smooth" || name == "gradient_bits";
  if (of_bins && plan.method == "exact") return "`tree_method` hist or approx";
  bool const refreshes = std::find(plan.later.begin(), plan.later.end(), "refresh") != plan.later.end();
  if (name == "refresh_leaf" && !refreshes) return "the step refresh in `updater`";
  return "";
}

}  // namespace

std::string WhyUnused(std::string const& name, ParamsInForce const& in_force) {
  bool const only_of_objectives = IsOfObjectives(name) && !IsOfTrees(name);
  if (only_of_objectives && in_force.of_objective.count(name) == 0) {
    return Text("is not used by the objective `", in_force.objective, "`");
  }
  if (IsUnusedByKind(name, in_force.kind)) return Text("is not used by the booster `", in_force.boost.booster, "`");
  if (!in_force.kind.GrowsTrees()) return "";
  std::string const missing = MissingFor(name, in_force.boost, in_force.trees);
  return missing.empty() ? "" : Text("has no effect: it needs ", missing);
}

}  // namespace xgbl
