// SPDX-License-Identifier: Apache-2.0
// A tree method, which lets another one find the splits.
#include "tree/split_finder.h"

namespace xgbl {
namespace {

class HandedOn final : public TreeMethod {
 public:
  std::string Updater() const override { return "grow_handed_on"; }
  bool StopsEarly() const override { return true; }
  bool ShrinksWeights() const override { return false; }
  std::unique_ptr<SplitFinder> Start(TreeTask const& task, ColumnSampler const& columns) const override {
    return Registry<TreeMethod>::Get().At("hist", "tree method").make()->Start(task, columns);
  }
};

auto const kHandedOn = Register<TreeMethod, HandedOn>("handed_on", "Splits are those of hist.").Params<BinParam>();

}  // namespace
}  // namespace xgbl
