// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <map>
#include <utility>

#include "base/error.h"
#include "boost/learner.h"
#include "boost/param_table.h"
#include "boost/updaters.h"
#include "parallel/parallel_for.h"
#include "simd/level.h"

namespace xgbl {
namespace {

constexpr char kDefaultForClasses[] = "multi:softmax";  // as xgboost has it, for objectives of the user's own, too

void Replace(Settings::Pairs* pairs, std::string const& name, std::string const& value) {
  auto const found = std::find_if(pairs->begin(), pairs->end(), [&](auto const& pair) { return pair.first == name; });
  if (found == pairs->end()) {
    pairs->emplace_back(name, value);
  } else {
    found->second = value;
  }
}

void AddMetrics(std::string const& text, Strings* metrics) {
  Strings more;
  ParseParam(Schema<LearnerParam>::Get().Find("eval_metric")->spec, text, &more);
  for (auto const& metric : more) {
    if (std::find(metrics->begin(), metrics->end(), metric) == metrics->end()) metrics->push_back(metric);
  }
}

bool Has(Settings::Pairs const& pairs, std::string const& name) {
  return std::any_of(pairs.begin(), pairs.end(), [&](auto const& pair) { return pair.first == name; });
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

// What is to be set for a parameter of some tree methods; "" if the one in force is among them.
std::string NeededMethod(std::string const& name, std::string const& in_force) {
  Strings users;
  for (auto const& [updater, method] : MethodsByUpdater()) {
    if (Registry<TreeMethod>::Get().Find(method)->Has(name)) users.insert(users.begin(), method);
  }
  bool const is_used = std::find(users.begin(), users.end(), in_force) != users.end();
  return users.empty() || in_force.empty() || is_used ? "" : "`tree_method` " + Joined(users, " or ");
}

// Why a parameter has no effect, because it belongs to an objective, booster, tree method or option that was not
// chosen: the end of a sentence that begins with its name. Empty if it may have one, or if `value` is the default.
std::string WhyUnused(std::string const& name, std::string const& value, Settings const& in_force) {
  auto const& [group, spec] = DeclarationOf(name);
  if (value == spec.default_text || Canonical(spec, value) == spec.default_text) return "";
  BoosterKind const& kind = *in_force.kind;
  ParamMap all = kind.Params();
  ParamMap const of_objective = in_force.objective->Params();
  bool const of_this_kind = all.count(name) != 0, of_trees = group == "tree" || spec.of_trees;
  if (!of_trees && Registry<Objective>::Get().HasParam(name) && of_objective.count(name) == 0) {
    return Text("is not used by the objective `", in_force.learner.objective, "`");
  }
  if (!of_this_kind && (of_trees ? !kind.GrowsTrees() : group == "booster")) {
    return Text("is not used by the booster `", in_force.boost.booster, "`");
  }
  for (auto const& params : {of_objective, TextOf(in_force.tree), TextOf(in_force.boost)}) {
    all.insert(params.begin(), params.end());
  }
  Strings missing;
  std::string const method = kind.GrowsTrees() ? NeededMethod(name, PlanOf(in_force.boost).method) : "";
  if (!method.empty()) missing.push_back(method);
  if (spec.has_needs && !spec.has_needs(all)) missing.push_back(spec.needs);
  return missing.empty() ? "" : "has no effect: it needs " + Joined(missing, ", and ");
}

// Without an objective several classes mean the most probable one, unless a loaded model has another.
void ChooseObjective(LearnerParam* learner) {
  if (learner->objective == LearnerParam().objective && learner->num_class > 1) learner->objective = kDefaultForClasses;
}

}  // namespace

void Settings::SetOne(std::string const& key, std::string const& name, std::string const& value) {
  if (name == "eval_metric") return AddMetrics(value, &learner.eval_metric);  // repeated: all of them
  SetParam(general, key, value);
  SetParam(learner, key, value);
  SetParam(boost, key, value);
  SetParam(tree, key, value);
  plug_ins[name] = value;
}

Strings Settings::Set(Pairs const& pairs, bool started, bool trained) {
  Settings next = *this;
  Strings warnings;
  std::map<std::string, std::pair<std::string, std::string>> seen;  // names as written, and values
  for (auto const& [key, value] : pairs) {
    std::string const name = CanonicalName(key);
    if (name.empty()) {
      warnings.push_back(Text("Parameter `", key, "` has no effect: ", InertParams().at(key), "."));
      continue;
    }
    bool const is_metric = name == "eval_metric";
    if (is_metric && trained && next.learner.eval_metric.empty() && !next.learner.disable_default_eval_metric) {
      next.learner.eval_metric = MetricNames();
      for (auto const& metric : next.learner.eval_metric) next.given.emplace_back(name, metric);
    }
    next.SetOne(key, name, value);
    next.written[name] = key;
    auto const [word, before] = seen.emplace(name, std::make_pair(key, value)).first->second;
    if (before != value && !is_metric) {
      warnings.push_back(Text("Parameter `", word, "` is given twice, as `", before, "` and",
                              word == key ? "" : Text(", under the name `", key, "`,"), " `", value,
                              "`: the last value counts."));
    }
    if (!is_metric) {
      Replace(&next.given, name, value);
    } else if (std::find(next.given.begin(), next.given.end(), std::make_pair(name, value)) == next.given.end()) {
      next.given.emplace_back(name, value);
    }
  }
  if (next.general.device != "cpu" && next.general.device != general.device) {
    warnings.push_back(Text("Parameter `device` has no effect: there is no GPU code here, `", next.general.device,
                            "` runs on the CPU."));
  }
  if (!started && !Has(next.given, "objective")) ChooseObjective(&next.learner);
  CheckUpdaterNames(next.boost.updater);
  *this = std::move(next);
  return warnings;
}

void Settings::MakePlugins(std::string const& known) {
  bool const available = Registry<Objective>::Get().Find(known) != nullptr;
  bool const loaded = !known.empty() && !available && learner.objective == known;
  std::shared_ptr<Objective const> next;
  if (!loaded) next = MakeObjective(learner.objective, plug_ins);
  Strings names = learner.eval_metric;
  bool const defaults = names.empty() && !learner.disable_default_eval_metric;
  if (defaults && next) names.push_back(next->DefaultMetric());
  Metrics next_metrics;
  ParamMap params = plug_ins;
  params["objective"] = learner.objective;
  for (auto const& name : names) next_metrics.emplace_back(name, MakeMetric(name, params, defaults));
  kind = MakeBoosterKind(boost, plug_ins);
  objective = std::move(next);
  metrics = std::move(next_metrics);
}

TreeParam Settings::Trees() const {
  TreeParam trees = tree;
  if (!objective) return trees;
  for (auto const& choice : objective->TreeDefaults()) {
    if (!Has(given, choice.first)) SetParam(trees, choice.first, choice.second);
  }
  return trees;
}

Strings Settings::MetricNames() const {
  Strings names;
  for (auto const& [name, metric] : metrics) names.push_back(name);
  return names;
}

Context Settings::MakeContext(MessageLog* log, Interrupt const& interrupted) const {
  Context ctx;
  ctx.threads = ThreadCount(general.nthread);
  ctx.simd = DefaultSimd();
  ctx.seed = static_cast<std::uint64_t>(general.seed);
  ctx.log = log;
  if (log != nullptr) {
    ctx.verbosity = Has(given, "verbosity") ? general.verbosity : log->DefaultVerbosity();
  }
  ctx.interrupted = interrupted;
  return ctx;
}

void Settings::WarnOfUnused(std::size_t features, Context const& ctx) const {
  for (auto const& [name, value] : given) {
    std::string const why = WhyUnused(name, value, *this);
    if (!why.empty()) ctx.Warn(Text("Parameter `", written.at(name), "` ", why, "."));
  }
  std::size_t const signs = tree.monotone_constraints.size();
  if (!kind->GrowsTrees() || signs == 0 || signs >= features) return;
  ctx.Warn(Text("`monotone_constraints` has ", signs, signs == 1 ? " entry" : " entries", ", but the data have ",
                features, " features: the others, from number ", signs,
                " on, are free. Give one entry per feature, 0 where it is free."));
}

}  // namespace xgbl
