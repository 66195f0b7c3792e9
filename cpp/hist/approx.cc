// SPDX-License-Identifier: Apache-2.0
// `tree_method=approx`: candidates are proposed anew for every tree, at the quantiles weighted by its hessians (Chen
// and Guestrin 2016, algorithm 2: the global variant; the local one proposes them for every node). The matrix is binned
// once, finely. For every tree the fine bins are weighted by the hessians and grouped. If all rows count the same, as
// for squared error, the candidates are the same for every tree, and those of `hist`.
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <utility>
#include <vector>

#include "base/error.h"
#include "bins/binned_matrix_builder.h"
#include "cuts/cuts.h"
#include "hist/histogram.h"
#include "hist/histogram_finder.h"

namespace xgbl {
namespace {

class ApproxMethod final : public TreeMethod {
 public:
  std::string Updater() const override { return "grow_histmaker"; }
  bool StopsEarly() const override { return true; }
  void Prepare(std::vector<TreeTask>* tasks) const override {
    for (TreeTask& task : *tasks) {
      Require<ParamError>(
          task.data.QuantisedWith() == 0,
          "`tree_method` approx needs the values of the features, which a quantised matrix does not keep. "
          "Only the `hist` tree method works on it; or use a DMatrix.");
      int const max_bin = task.param.max_bin;
      if (task.param.cut_proposal == "global" && RowsCountTheSame(task)) {
        task.views.bins = task.data.Binned(task.ctx, max_bin);
      } else {
        task.views.fine_bins = task.data.FinelyBinned(task.ctx, std::min(max_bin * kFineBins, kMostFineBins));
      }
    }
  }

  std::unique_ptr<SplitFinder> Start(TreeTask* task, ColumnSampler const& columns) const override {
    TreeRoot root{PackFor(*task), {}};
    auto const& fine = task->views.fine_bins;
    if (!fine) return MakeHistogramFinder(*task, columns, task->views.bins, std::move(root), false);
    if (task->param.cut_proposal == "local") return MakeHistogramFinder(*task, columns, fine, std::move(root), true);
    auto const weights = Weights(*task, *fine, root.gradients);
    auto const cuts = std::make_shared<Cuts const>(GroupCuts(fine->GetCuts(), weights, task->param.max_bin));
    task->data.NoteCuts(cuts);
    return MakeHistogramFinder(*task, columns, Regroup(*fine, cuts, task->ctx), std::move(root), false);
  }

 private:
  static constexpr int kFineBins = 16;  // for each bin of the tree
  static constexpr int kMostFineBins = 65535;
  static constexpr double kNarrowUnits = 256;  // of a weight in one unit of the coarsest hessians, if these are narrow

  // Hessians are 1, and rows have no weights, by which the cuts of `hist` would go. Other equal hessians, as those of
  // the first round of logistic loss, are rarely equal for long: bins for them alone would not be worth their making.
  static bool RowsCountTheSame(TreeTask const& task) {
    if (!task.rows.all || !task.data.Info().weights.empty()) return false;
    auto const is_one = [](OutputGradients const& output) {
      for (std::size_t row = 0; row < output.rows; ++row) {
        if (output.H(row) != 1.0F) return false;
      }
      return true;
    };
    return std::all_of(task.gradients.begin(), task.gradients.end(), is_one);
  }

  // The sum of the hessians in each fine bin, over all outputs, in units so small that rounding does not matter: only
  // ratios count.
  static std::vector<std::uint64_t> Weights(TreeTask const& task, BinnedMatrix const& fine,
                                            std::vector<PackedGradients> const& gradients) {
    HistogramBuilder builder(fine, gradients);
    Histogram histogram;
    HistogramBuilder::Job const job{task.rows.rows, task.rows.all, &histogram};
    builder.Build({&job, 1}, task.ctx);
    double largest = 0;
    for (PackedGradients const& output : gradients) largest = std::max(largest, output.scale.hessian_unit);
    double const per_unit = (gradients[0].wide ? 1 : kNarrowUnits) / largest;
    std::vector<std::uint64_t> weights;
    for (std::size_t feature = 0; feature < fine.Columns(); ++feature) {
      BinPlace const& place = fine.Place(feature);
      for (std::uint32_t bin = 0; bin < place.bins; ++bin) {
        double sum = 0;
        for (std::size_t k = 0; k < gradients.size(); ++k) {
          sum += gradients[k].scale.Hessian(histogram.Bin(k, place.histogram + bin)) * per_unit;
        }
        weights.push_back(static_cast<std::uint64_t>(std::max(sum, 0.0)));
      }
    }
    return weights;
  }
};

auto const kApprox =
    Register<TreeMethod, ApproxMethod>("approx", "Candidates are quantiles weighted by the hessians of each tree.")
        .Params<BinParam>()
        .Params<ProposalParam>();

}  // namespace
}  // namespace xgbl
