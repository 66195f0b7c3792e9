// SPDX-License-Identifier: Apache-2.0
#include "objective/levels.h"

#include "base/error.h"
#include "objective/label_checks.h"

namespace xgbl {

void LevelObjective::SetLevels(Doubles const& levels, bool must_rise) {
  for (double const level : levels) {
    Require<ParamError>(level >= 0 && level <= 1, "`", param_, "` must be made of numbers from 0 to 1; got ", level,
                        ".");
  }
  Require<ParamError>(!must_rise || std::is_sorted(levels.begin(), levels.end()), "`", param_,
                      "` must rise, since each level is predicted as the one before it plus something positive; got ",
                      PrintParam(levels), ".");
  levels_.assign(levels.begin(), levels.end());
}

std::vector<float> const& LevelObjective::Levels() const {
  Require<ParamError>(!levels_.empty(), "`", name_, "` needs `", param_,
                      "`, a number from 0 to 1 or a list of such numbers, one for each output of a target.");
  return levels_;
}

void LevelObjective::CheckLabels(Meta const& meta) const {
  Levels();
  CheckFiniteLabels(name_, meta);
}

}  // namespace xgbl
