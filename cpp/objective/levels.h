// SPDX-License-Identifier: Apache-2.0
// Shared by objectives that predict several levels, such as quantiles, of the distribution of each label. The output of
// level a of target k is k * levels + a.
#pragma once

#include <algorithm>
#include <cstddef>
#include <string>
#include <utility>
#include <vector>

#include "base/params.h"
#include "objective/objective.h"

namespace xgbl {

class LevelObjective : public Objective {
 public:
  /// `param` is the parameter that gives the levels.
  LevelObjective(std::string name, std::string param) : name_(std::move(name)), param_(std::move(param)) {}

  int Outputs(Meta const& meta) const override { return static_cast<int>(Targets(meta) * Levels().size()); }
  void CheckLabels(Meta const& meta) const override;

 protected:
  /// Those given, checked to be from 0 to 1; empty: not given.
  void SetLevels(Doubles const& levels, bool must_rise);
  /// ParamError if none are given.
  std::vector<float> const& Levels() const;
  std::string const& Name() const { return name_; }
  static std::size_t Targets(Meta const& meta) { return std::max<std::size_t>(1, meta.labels.columns); }

 private:
  std::string name_;
  std::string param_;
  std::vector<float> levels_;  // in float, as models are trained elsewhere
};

}  // namespace xgbl
