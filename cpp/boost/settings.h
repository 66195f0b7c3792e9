// SPDX-License-Identifier: Apache-2.0
// What the user set, and what it names: objective, kind of booster and metrics. A value: copies share what is named.
// What throws leaves it as it was.
#pragma once

#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "base/context.h"
#include "base/params.h"
#include "boost/booster_kind.h"
#include "boost/learner_param.h"
#include "metric/metric.h"
#include "objective/objective.h"
#include "tree/tree_param.h"

namespace xgbl {

struct Settings {
  using Pairs = std::vector<std::pair<std::string, std::string>>;
  using Metrics = std::vector<std::pair<std::string, std::shared_ptr<Metric const>>>;

  Pairs given;
  GeneralParam general;
  LearnerParam learner;
  BoostParam boost;
  TreeParam tree;
  ParamMap plug_ins;  // as given, for the objective, metrics and the kind of booster, which take their own

  // Made of these by MakePlugins().
  std::shared_ptr<Objective const> objective;  // nullptr if that of a loaded model is not available
  std::shared_ptr<BoosterKind const> kind;
  Metrics metrics;  // the objective's own if no other is given

  Settings() { MakePlugins(""); }

  /// Checks all pairs, then sets them, and gives warnings; ParamError if one is bad. `started`: there is a model, whose
  /// objective stays. `trained`: metrics that come now stand beside the objective's own, as in XGBoost.
  Strings Set(Pairs const& pairs, bool started, bool trained);
  /// ParamError if there is no such thing, but for the objective that is `known`.
  void MakePlugins(std::string const& known);

  /// The parameters of trees in force: as set, or else as the objective wants them.
  TreeParam Trees() const;
  Strings MetricNames() const;
  Context MakeContext(MessageLog* log, Interrupt const& interrupted) const;
  /// Warns of parameters that the user set but nothing uses, and of those that leave out some of this many features.
  void WarnOfUnused(std::size_t features, Context const& ctx) const;

 private:
  void SetOne(std::string const& key, std::string const& name, std::string const& value);
};

}  // namespace xgbl
