// SPDX-License-Identifier: Apache-2.0
#include "boost/booster_kind.h"

#include <algorithm>

#include "base/error.h"
#include "boost/dart.h"

namespace xgbl {

std::unique_ptr<BoosterKind> MakeBoosterKind(BoostParam const& boost, ParamMap const& own) {
  auto const* entry = &Registry<BoosterKind>::Get().At(boost.booster, "booster");
  // As in xgboost since 3.4: dropped trees are used if they are asked for.
  bool const drops = entry->name == "gbtree" && ParamsFrom<DartParam>(own).MayDrop();
  if (drops) entry = &Registry<BoosterKind>::Get().At("dart", "booster");
  std::unique_ptr<BoosterKind> kind = boost.process_type == "update" ? MakeTreeUpdate() : entry->make();
  kind->Configure(own);
  return kind;
}

void CheckTreesFit(KindSetting const& setting) {
  Require<ParamError>(!setting.model.linear, "The model is linear, and `booster` ", setting.boost.booster,
                      " cannot add trees to it. Go on with `booster` gblinear, or train a new model.");
}

}  // namespace xgbl
