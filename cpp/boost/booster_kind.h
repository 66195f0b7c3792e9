// SPDX-License-Identifier: Apache-2.0
// A kind of booster: what a round does to the model. Its life:
//   1. Registry<BoosterKind> makes it by the name that `booster` gives; Configure() hands it its own parameters.
//   2. Every round: Check(), TrainingWeights() for the margins that derivatives are taken from, then Grow().
// It keeps nothing between rounds. A round is a function of parameters, model and data, so continued training gives
// what uninterrupted training would have given. All of it is const after Configure().
// A kind is one .cc file that registers itself, as objectives do.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "base/error.h"
#include "base/params.h"
#include "base/registry.h"
#include "boost/learner_param.h"
#include "boost/round.h"
#include "data/dmatrix.h"
#include "model/model.h"

namespace xgbl {

/// What a kind of booster is asked to work with.
struct KindSetting {
  LearnerParam const& learner;
  BoostParam const& boost;
  Model const& model;
  DMatrix const& data;
};

/// Where training stands before a round.
struct TrainingState {
  Model const& model;
  bool updating;  // whether rounds of the model have been updated already; see process_type
  std::uint64_t seed;
};

class BoosterKind {
 public:
  virtual ~BoosterKind() = default;

  /// Takes its own parameters from `params` and ignores all others.
  virtual void Configure(ParamMap const& /*params*/) {}
  /// Its own parameters, as text.
  virtual ParamMap Params() const { return {}; }

  /// Throws ParamError or DataError if it cannot go on from there.
  virtual void Check(KindSetting const& setting) const = 0;
  /// Whether parameters of trees apply to it.
  virtual bool GrowsTrees() const { return true; }
  /// The intercept when the user gives none; nothing: the objective's.
  virtual std::optional<double> BaseScore() const { return std::nullopt; }
  /// Whether it follows gradients and hessians; else it makes its own of margins and labels.
  virtual bool FollowsGradients() const { return true; }
  /// The weight of each tree in the margins that the next round starts from; empty means the weights in the model.
  virtual std::vector<float> TrainingWeights(TrainingState const& /*state*/) const { return {}; }
  virtual Round Grow(RoundInput const& input, RoundMemory* memory) const = 0;
};

/// The kind that the parameters ask for, configured. `own` has the parameters that kinds declare.
std::unique_ptr<BoosterKind> MakeBoosterKind(BoostParam const& boost, ParamMap const& own);

/// Throws ParamError if the model is linear: a kind that makes trees cannot go on from it.
inline void CheckTreesFit(KindSetting const& setting) {
  Require<ParamError>(!setting.model.linear, "The model is linear, and `booster` ", setting.boost.booster,
                      " cannot add trees to it. Go on with `booster` gblinear, or train a new model.");
}

}  // namespace xgbl
