// SPDX-License-Identifier: Apache-2.0
#include "boost/unused_params.h"

#include <algorithm>
#include <vector>

#include "base/error.h"
#include "boost/dart.h"
#include "boost/param_table.h"
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

// What decides whether parameters have an effect.
struct Situation {
  UpdaterPlan plan;
  TreeParam const& trees;
  ParamMap of_kind;
  ParamMap const& of_objective;
};

// Parameters that need something beside them.
struct Need {
  std::vector<std::string> params;
  std::string what;
  bool (*is_met)(Situation const&);
};

bool MayDrop(Situation const& in) {
  auto const dart = ParamsFrom<DartParam>(in.of_kind);
  return dart.MayDrop() && dart.skip_drop < 1;
}

// One tree alone is weighed the same either way.
bool MayDropSeveral(Situation const& in) { return MayDrop(in) && ParamsFrom<DartParam>(in.of_kind).rate_drop > 0; }

std::vector<Need> const& NeedsOfTrees() {
  static std::vector<Need> const needs{
      {{"top_rate", "other_rate"},
       "`sampling_method` goss",
       [](Situation const& in) { return in.trees.sampling_method == "goss"; }},
      {{"bagging_by_query"}, "`subsample` below 1", [](Situation const& in) { return in.trees.subsample < 1; }},
      {{"sampling_method"},
       "`subsample` below 1",
       [](Situation const& in) { return in.trees.sampling_method != "gradient_based" || in.trees.subsample < 1; }},
      {{"cut_proposal"}, "`tree_method` approx", [](Situation const& in) { return in.plan.method == "approx"; }},
      {{"max_bin", "max_cat_to_onehot", "max_cat_threshold", "cat_smooth", "gradient_bits", "max_cached_hist_node"},
       "`tree_method` hist or approx",
       [](Situation const& in) { return in.plan.method != "exact"; }},
      {{"refresh_leaf"},
       "the step refresh in `updater`",
       [](Situation const& in) {
         return std::find(in.plan.later.begin(), in.plan.later.end(), "refresh") != in.plan.later.end();
       }},
  };
  return needs;
}

std::vector<Need> const& NeedsOfKinds() {
  static std::vector<Need> const needs{
      {{"sample_type"}, "`rate_drop` above 0 or `one_drop`, and `skip_drop` below 1", &MayDrop},
      {{"normalize_type"}, "`rate_drop` above 0, and `skip_drop` below 1", &MayDropSeveral},
      {{"skip_drop"},
       "`rate_drop` above 0 or `one_drop`",
       [](Situation const& in) { return ParamsFrom<DartParam>(in.of_kind).MayDrop(); }},
      {{"rate_drop", "one_drop"},
       "`skip_drop` below 1",
       [](Situation const& in) { return ParamsFrom<DartParam>(in.of_kind).skip_drop < 1; }},
      {{"top_k"},
       "`feature_selector` greedy or thrifty",
       [](Situation const& in) {
         std::string const& selector = in.of_kind.at("feature_selector");
         return selector == "greedy" || selector == "thrifty";
       }},
  };
  return needs;
}

std::vector<Need> const& NeedsOfObjectives() {
  static std::vector<Need> const needs{
      {{"lambdarank_bias_norm"},
       "`lambdarank_unbiased`",
       [](Situation const& in) { return in.of_objective.at("lambdarank_unbiased") == PrintParam(true); }},
      {{"huber_delta"},
       "`huber_quantile` 0",
       [](Situation const& in) { return in.of_objective.at("huber_quantile") == PrintParam(0.0); }},
      {{"sort_quantiles"},
       "several levels in `quantile_alpha`",
       [](Situation const& in) { return in.of_objective.at("quantile_alpha").find(',') != std::string::npos; }},
  };
  return needs;
}

// Adds the first thing that a parameter needs and does not have.
void AddMissing(std::string const& name, std::vector<Need> const& needs, Situation const& situation,
                std::string* missing) {
  for (Need const& need : needs) {
    bool const speaks_of_it = std::find(need.params.begin(), need.params.end(), name) != need.params.end();
    if (!speaks_of_it || need.is_met(situation)) continue;
    *missing += (missing->empty() ? "" : ", and ") + need.what;
    return;
  }
}

// A value as defaults are written: "1.0" is 1, "True" is true. What it can't be is left as it is.
std::string Canonical(ParamSpec const& spec, std::string const& value) try {
  if (spec.type == "bool") {
    bool flag = false;
    ParseParam(spec, value, &flag);
    return PrintParam(flag);
  }
  if (spec.type != "int" && spec.type != "float") return value;
  double number = 0;
  ParseParam(spec, value, &number);
  return PrintParam(number);
} catch (ParamError const&) {
  return value;
}

}  // namespace

std::string WhyUnused(std::string const& name, ParamsInForce const& in_force) {
  bool const only_of_objectives = IsOfObjectives(name) && !IsOfTrees(name);
  if (only_of_objectives && in_force.of_objective.count(name) == 0) {
    return Text("is not used by the objective `", in_force.objective, "`");
  }
  if (IsUnusedByKind(name, in_force.kind)) return Text("is not used by the booster `", in_force.boost.booster, "`");
  Situation const situation{PlanOf(in_force.boost), in_force.trees, in_force.kind.Params(), in_force.of_objective};
  std::string missing;
  if (in_force.kind.GrowsTrees()) AddMissing(name, NeedsOfTrees(), situation, &missing);
  if (situation.of_kind.count(name) != 0) AddMissing(name, NeedsOfKinds(), situation, &missing);
  if (in_force.of_objective.count(name) != 0) AddMissing(name, NeedsOfObjectives(), situation, &missing);
  return missing.empty() ? "" : Text("has no effect: it needs ", missing);
}

bool SaysTheDefault(std::string const& name, std::string const& value) {
  auto const& table = ParamTable();
  return std::any_of(table.begin(), table.end(), [&](auto const& entry) {
    ParamSpec const& spec = entry.second;
    return spec.name == name && (value == spec.default_text || Canonical(spec, value) == spec.default_text);
  });
}

}  // namespace xgbl
