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
  void Prepare(std::vector<TreeTask>* tasks) const override { hist_->Prepare(tasks); }
  std::unique_ptr<SplitFinder> Start(TreeTask* task, ColumnSampler const& columns) const override {
    return hist_->Start(task, columns);
  }

 private:
  std::unique_ptr<TreeMethod> hist_ = Registry<TreeMethod>::Get().At("hist", "tree method").make();
};

auto const kHandedOn = Register<TreeMethod, HandedOn>("handed_on", "Splits are those of hist.").Params<BinParam>();

}  // namespace
}  // namespace xgbl
