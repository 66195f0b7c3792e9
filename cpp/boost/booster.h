// SPDX-License-Identifier: Apache-2.0
// Training and using a model: parameters, model, objective, metrics and the margins of known matrices in one object.
// One Update() is a round: margins, gradient, one tree per output and parallel tree, margins brought up to date. It
// either completes or leaves the booster as it was. Predicting is const and safe from many threads at once.
#pragma once

#include <functional>
#include <map>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "base/context.h"
#include "base/params.h"
#include "boost/learner_param.h"
#include "boost/margin_cache.h"
#include "data/dmatrix.h"
#include "metric/metric.h"
#include "model/model.h"
#include "objective/objective.h"
#include "tree/split_finder.h"
#include "tree/tree_param.h"

namespace xgbl {

enum class PredictionKind { kValue, kMargin, kClass };

class Booster {
 public:
  using Data = std::shared_ptr<DMatrix const>;
  using Pairs = std::vector<std::pair<std::string, std::string>>;
  using Score = std::pair<std::string, double>;

  Booster();
  Booster(Booster const& other);

  /// Checks all pairs, then sets them; throws ParamError and sets nothing if one is bad.
  void SetParams(Pairs const& given);
  Pairs const& GivenParams() const { return given_; }
  /// Group -> name -> value in force.
  std::map<std::string, ParamMap> Params() const;

  void Update(Data const& train);
  /// A round on derivatives from outside, rows x outputs.
  void Boost(Data const& train, Gradients const& gradients);
  /// The margins of a matrix after all rounds, from the cache where they are known.
  MatrixView<float const> Margins(Data const& data);
  std::vector<Score> Evaluate(Data const& data);
  /// The metrics in force, the objective's own included if no other is given.
  Strings MetricNames() const;

  Matrix<float> Predict(DMatrix const& data, PredictionKind kind, RoundRange rounds) const;
  Matrix<std::int32_t> Leaves(DMatrix const& data, RoundRange rounds) const;

  Model const& GetModel() const { return model_; }
  Model& MutableModel() { return model_; }
  void SetModel(Model model);
  void DropCaches() { cache_.Clear(); }

  /// The objective in force; ParamError if this version does not have the loaded model's.
  Objective const& GetObjective() const;
  std::vector<MessageLog::Message> TakeMessages() { return log_.Take(); }
  /// Asked now and then during training; true ends the call with Cancelled.
  void SetInterrupt(std::function<bool()> interrupted) { interrupted_ = std::move(interrupted); }

 private:
  struct Settings {
    GeneralParam general;
    LearnerParam learner;
    BoostParam boost;
    TreeParam tree;
    ParamMap objective;  // of all objectives, as given
  };

  class StartGuard;
  static void SetOne(Settings* settings, std::string const& key, std::string const& name, std::string const& value);
  void MakeObjectiveAndMetrics();
  void AdoptObjective();
  Context MakeContext(MessageLog* log) const;

  MarginCache::Entry& PrepareTraining(Data const& train, bool needs_label, Context const& ctx);
  void CheckLabels(DMatrix const& train) const;
  bool Started() const { return !model_.base_score.empty(); }
  Model StartModel(DMatrix const& train, bool needs_label, Context const& ctx) const;
  void WarnOfUnused(Context const& ctx) const;
  void GrowRound(DMatrix const& train, Gradients const& gradients, Context const& ctx, MarginCache::Entry* cached);

  MarginCache::Entry& CachedMargins(Data const& data, Context const& ctx);
  std::size_t OutputsFor(DMatrix const& data) const;
  Matrix<float> StartMargins(DMatrix const& data) const;
  void CheckFeatures(DMatrix const& data) const;
  void Decide(Matrix<float>* margins, PredictionKind kind, Context const& ctx) const;

  Pairs given_;
  Settings settings_;
  Model model_;
  std::shared_ptr<Objective const> objective_;  // nullptr if the model's is not available
  std::vector<std::pair<std::string, std::shared_ptr<Metric const>>> metrics_;
  MarginCache cache_;
  MessageLog log_;
  std::function<bool()> interrupted_;
};

}  // namespace xgbl
