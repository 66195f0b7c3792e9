// SPDX-License-Identifier: Apache-2.0
#include "boost/settings.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <map>
#include <utility>

#include "base/error.h"
#include "boost/param_table.h"
#include "boost/unused_params.h"
#include "boost/updaters.h"
#include "parallel/threads.h"
#include "simd/level.h"

namespace xgbl {
namespace {

constexpr char kDefaultForClasses[] = "multi:softmax";  // as xgboost has it, for objectives of the user's own, too

template <class Pairs>
void Replace(Pairs* pairs, std::string const& name, std::string const& value) {
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

template <class Pairs>
bool Has(Pairs const& pairs, std::string const& name) {
  return std::any_of(pairs.begin(), pairs.end(), [&](auto const& pair) { return pair.first == name; });
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
  std::map<std::string, std::string> seen;
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
    auto const [before, fresh] = seen.emplace(name, value);
    if (!fresh && before->second != value && !is_metric) {
      warnings.push_back(Text("Parameter `", name, "` is given twice, as `", before->second, "` and `", value,
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
  ParamsInForce const in_force{learner.objective, objective->Params(), *kind, boost, tree};
  for (auto const& [name, value] : given) {
    std::string const why = WhyUnused(name, value, in_force);
    if (!why.empty()) ctx.Warn(Text("Parameter `", name, "` ", why, "."));
  }
  std::size_t const signs = tree.monotone_constraints.size();
  if (!kind->GrowsTrees() || signs == 0 || signs >= features) return;
  ctx.Warn(Text("`monotone_constraints` has ", signs, signs == 1 ? " entry" : " entries", ", but the data have ",
                features, " features: the others, from number ", signs,
                " on, are free. Give one entry per feature, 0 where it is free."));
}

}  // namespace xgbl
