// SPDX-License-Identifier: Apache-2.0
// What a booster is between two rounds: settings, and a model with its objective. A value: copies share trees and what
// the settings name. It predicts but does not train. A call that throws leaves it as it was.
// Const functions are safe to call from many threads at once.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "base/context.h"
#include "base/params.h"
#include "boost/booster_kind.h"
#include "boost/learner_param.h"
#include "data/dmatrix.h"
#include "metric/metric.h"
#include "model/model.h"
#include "objective/objective.h"
#include "predict/serving.h"
#include "tree/tree_param.h"

namespace xgbl {

/// What the user set, and what it names: objective, kind of booster and metrics. A value: copies share what is named.
/// What throws leaves it as it was.
struct Settings {
  using Pairs = std::vector<std::pair<std::string, std::string>>;
  using Metrics = std::vector<std::pair<std::string, std::shared_ptr<Metric const>>>;

  Pairs given;                                 // by the names that are declared
  std::map<std::string, std::string> written;  // these names as the user wrote them: perhaps aliases
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

enum class PredictionKind { kValue, kMargin, kClass };

class Learner {
 public:
  /// Checks all pairs, then sets them; throws ParamError and sets nothing if one is bad.
  void SetParams(Settings::Pairs const& given, MessageLog* log);
  Settings const& GetSettings() const { return settings_; }
  /// Group -> name -> value in force.
  std::map<std::string, ParamMap> Params() const;

  /// The objective in force; ParamError if this version does not have the loaded model's.
  Objective const& GetObjective() const;
  BoosterKind const& GetKind() const { return *settings_.kind; }

  /// Takes over a model and the parameters that it was made with.
  void SetModel(Model model);
  Model const& GetModel() const { return model_; }
  /// For changes that belong together: predictions between them may not see the later ones.
  Model& MutableModel() {
    serving_.Clear();
    return model_;
  }
  /// The content of a file: the model, or before its first round what the parameters say about it.
  Model ModelToSave() const;
  /// The same with another model that was made from this one.
  Learner With(Model model) const;
  /// What process_type=update takes its trees from; nullptr before its first round.
  Model const* Source() const { return source_.get(); }
  void EndUpdates() { source_.reset(); }
  /// Adds what training made; the objective's state is as the round left it.
  void Add(Round round, ObjectiveState const& state);
  /// Whether the model has its intercept: from its first round on.
  bool Started() const { return !model_.base_score.empty(); }
  /// The model before its first round: what it takes from the training data, and its intercept.
  Model StartModel(DMatrix const& train, bool needs_label, Context const& ctx) const;

  void CheckLabels(DMatrix const& train) const;
  void CheckFeatures(DMatrix const& data) const;

  /// `training`: as the next round's derivatives see it, without the trees that the round leaves out.
  Matrix<float> Predict(DMatrix const& data, PredictionKind kind, RoundRange rounds, bool training,
                        Interrupt const& interrupted) const;
  /// The margins that the next round starts from, if they are not those of the model.
  std::optional<Matrix<float>> MarginsApart(DMatrix const& data, Context const& ctx) const;
  Matrix<std::int32_t> Leaves(DMatrix const& data, RoundRange rounds, Interrupt const& interrupted) const;
  /// The trees of the model, which must not be linear, laid out for serving.
  std::shared_ptr<Serving const> ToServe() const { return serving_.Get(model_); }
  /// The margins before the first tree.
  Matrix<float> StartMargins(DMatrix const& data) const;
  /// The same by output, of rows without a base margin.
  std::vector<float> Starts(std::size_t outputs) const;
  /// The same, not rounded.
  Doubles Intercept(std::size_t outputs) const;
  /// Turns margins into predictions, rows x outputs or, of classes, rows x 1. The margins are spent; they may be `out`
  /// unless classes are asked for.
  void Decide(MatrixView<float> margins, PredictionKind kind, Context const& ctx, MatrixView<float> out) const;
  Matrix<float> Decided(Matrix<float> margins, PredictionKind kind, Context const& ctx) const;

 private:
  void AddModel(FeatureMatrix const& features, RoundRange trees, Context const& ctx, MatrixView<float> margins) const;
  void AdoptObjective(Settings const& next);
  std::size_t OutputsFor(DMatrix const& data) const;

  Settings settings_;
  Model model_;
  ServingCache serving_;  // of the model's trees
  std::shared_ptr<Model const> source_;
  bool trained_ = false;  // since it was made or a model was loaded
};

}  // namespace xgbl
