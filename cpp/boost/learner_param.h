// SPDX-License-Identifier: Apache-2.0
// Training parameters other than those of the trees and the objective.
#pragma once

#include <algorithm>
#include <cstdint>
#include <map>
#include <string>

#include "base/params.h"
#include "objective/objective.h"
#include "tree/split_finder.h"

namespace xgbl {

struct GeneralParam {
  int nthread = 0;
  std::int64_t seed = 0;
  bool seed_per_iteration = false;
  int verbosity = 1;
  bool validate_parameters = true;
  std::string device = "cpu";

  template <class F>
  static void Describe(F& field) {
    using P = GeneralParam;
    field("nthread", &P::nthread,
          "Threads to use; 0 or less means OMP_NUM_THREADS or, without it, all cores that the process may use. The "
          "model does not depend on it.")
        .Alias({"n_jobs"})
        .Elsewhere({"num_thread", "num_threads", "nthreads", "thread_count"});
    field("seed", &P::seed, "Seed of all random choices.").Alias({"random_state"}).Elsewhere({"random_seed"});
    field("seed_per_iteration", &P::seed_per_iteration,
          "Accepted for compatibility: every round has its own random numbers anyway.");
    field("verbosity", &P::verbosity,
          "0 is silent, 1 warns. On the logger `xgb_like`, or the standard error if logging is not set up, 2 also "
          "tells what a training begins with (method, rows, threads, bins and the time to make them) and which share "
          "of the cells exact training refined, 3 also how large each tree became.")
        .Range(0, 3);
    field("validate_parameters", &P::validate_parameters, "Accepted for compatibility: parameters are always checked.");
    field("device", &P::device, "Where to run; this engine runs on the CPU.").Elsewhere({"device_type", "task_type"});
  }
};

struct LearnerParam : ClassParam, TargetParam {
  std::string objective = "reg:squarederror";
  Doubles base_score;
  Strings eval_metric;
  bool disable_default_eval_metric = false;
  std::string multi_strategy = "one_output_per_tree";

  template <class F>
  static void Describe(F& field) {
    using P = LearnerParam;
    field("objective", &P::objective, "The loss to minimise.")
        .Elsewhere({"app", "application", "criterion", "loss", "loss_function", "objective_type"});
    field("base_score", &P::base_score,
          "Prediction before the first tree, one or one per output; estimated from the labels if not given.");
    ClassParam::Describe(field);
    TargetParam::Describe(field);
    field("eval_metric", &P::eval_metric, "Metrics for evaluation sets; the objective's own if not given.")
        .Elsewhere({"metric", "metric_types", "metrics"});
    field("disable_default_eval_metric", &P::disable_default_eval_metric, "No metric unless `eval_metric` names one.");
    field("multi_strategy", &P::multi_strategy,
          "How to model several outputs: a tree for each, or trees whose leaves have a value for each.")
        .OneOf({"one_output_per_tree", "multi_output_tree"});
  }
};

/// The tree methods by what XGBoost calls the updaters that do the same. It lists the methods in that order.
inline std::map<std::string, std::string> MethodsByUpdater() {
  std::map<std::string, std::string> methods;
  for (auto const& [name, method] : Registry<TreeMethod>::Get().Entries()) methods[method.make()->Updater()] = name;
  return methods;
}

struct BoostParam {
  std::string booster = "gbtree";
  std::string tree_method = "auto";
  Strings updater;
  std::string process_type = "default";
  int num_parallel_tree = 1;
  bool refresh_leaf = true;

  template <class F>
  static void Describe(F& field) {
    using P = BoostParam;
    Strings methods, updaters;
    std::string meanings;
    for (auto const& [updater, name] : MethodsByUpdater()) {
      auto const& method = *Registry<TreeMethod>::Get().Find(name);
      methods.push_back(name);
      methods.insert(methods.begin(), method.aliases.begin(), method.aliases.end());
      meanings += Text(" ", name, ": ", method.doc);
      updaters.push_back(Text(updater, " (", name, ")"));
    }
    field("booster", &P::booster, "The kind of model, and how a round changes it.")
        .Elsewhere({"boost", "boosting", "boosting_type"});
    field("tree_method", &P::tree_method, "Where to search for splits." + meanings).OneOf(methods).OfTrees();
    field("updater", &P::updater,
          Text("Steps that make a tree, instead of tree_method: one of ", Joined(updaters, ", "),
               ", then prune and refresh. With gblinear: coord_descent or shotgun."));
    field("process_type", &P::process_type,
          "Whether a round grows new trees, or changes those of the model's next round by `updater` (refresh, prune).")
        .OneOf({"default", "update"});
    field("refresh_leaf", &P::refresh_leaf,
          "Whether the step refresh updates leaf values, too, and not only gains and sums of hessians.")
        .OfTrees()
        .Needs("the step refresh in `updater`",
               [](P const& p) { return std::find(p.updater.begin(), p.updater.end(), "refresh") != p.updater.end(); });
    field("num_parallel_tree", &P::num_parallel_tree, "Trees per output and round: above 1 a boosted forest.")
        .Range(1)
        .OfTrees();
  }
};

}  // namespace xgbl
