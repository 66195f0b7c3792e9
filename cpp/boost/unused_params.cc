// SPDX-License-Identifier: Apache-2.0
#include "boost/unused_params.h"

#include <algorithm>

#include "base/error.h"
#include "boost/param_table.h"
#include "boost/updaters.h"
#include "objective/objective.h"

namespace xgbl {
namespace {

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

// What is to be set for a parameter of some tree methods; "" if the one in force is among them.
std::string NeededMethod(std::string const& name, std::string const& in_force) {
  Strings users;
  for (auto const& [method, entry] : Registry<TreeMethod>::Get().Entries()) {
    if (entry.Has(name)) users.push_back(method);
  }
  bool const is_used = std::find(users.begin(), users.end(), in_force) != users.end();
  return users.empty() || in_force.empty() || is_used ? "" : "`tree_method` " + Joined(users, " or ");
}

}  // namespace

std::string WhyUnused(std::string const& name, std::string const& value, ParamsInForce const& in_force) {
  auto const& [group, spec] = DeclarationOf(name);
  if (value == spec.default_text || Canonical(spec, value) == spec.default_text) return "";
  bool const of_trees = group == "tree" || spec.of_trees;
  bool const of_objectives = !of_trees && Registry<Objective>::Get().HasParam(name);
  ParamMap all = in_force.kind.Params();
  bool const of_this_kind = all.count(name) != 0;
  if (of_objectives && in_force.of_objective.count(name) == 0) {
    return Text("is not used by the objective `", in_force.objective, "`");
  }
  if (!of_this_kind && (of_trees ? !in_force.kind.GrowsTrees() : group == "booster")) {
    return Text("is not used by the booster `", in_force.boost.booster, "`");
  }
  for (auto const& params : {in_force.of_objective, TextOf(in_force.trees), TextOf(in_force.boost)}) {
    all.insert(params.begin(), params.end());
  }
  Strings missing;
  std::string const method = in_force.kind.GrowsTrees() ? NeededMethod(name, PlanOf(in_force.boost).method) : "";
  if (!method.empty()) missing.push_back(method);
  if (spec.has_needs && !spec.has_needs(all)) missing.push_back(spec.needs);
  return missing.empty() ? "" : "has no effect: it needs " + Joined(missing, ", and ");
}

}  // namespace xgbl
