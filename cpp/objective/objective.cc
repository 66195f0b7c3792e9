// SPDX-License-Identifier: Apache-2.0
#include "objective/objective.h"

namespace xgbl {

std::unique_ptr<Objective> MakeObjective(std::string const& name, ParamMap const& params) {
  auto objective = Registry<Objective>::Get().At(name, "objective").make();
  objective->Configure(params);
  return objective;
}

}  // namespace xgbl
