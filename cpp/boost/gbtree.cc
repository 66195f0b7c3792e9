// SPDX-License-Identifier: Apache-2.0
// Gradient boosting (Friedman 2001): a round adds trees that fit the gradients at the margins of all trees before.
#include "boost/booster_kind.h"

namespace xgbl {
namespace {

class GbTree : public PlainKind {
 public:
  void Check(KindSetting const& setting) const override {
    CheckTreesFit(setting);
    CheckGrowing(setting.boost);
  }
  Round Grow(RoundInput const& input, RoundMemory* memory) const override { return GrowRoundOfTrees(input, memory); }
};

auto const kGbTree = Register<BoosterKind, GbTree>("gbtree", "Gradient boosted trees.");

}  // namespace
}  // namespace xgbl
