// SPDX-License-Identifier: Apache-2.0
#include "boost/round.h"

#include <algorithm>
#include <map>
#include <string>
#include <utility>

#include "base/error.h"
#include "parallel/parallel_for.h"
#include "tree/grow.h"

namespace xgbl {
namespace {

constexpr std::size_t kRowBlock = std::size_t{1} << 16U;

bool Has(Strings const& updaters, std::string const& name) {
  return std::find(updaters.begin(), updaters.end(), name) != updaters.end();
}

// What each leaf adds to the margins of its rows, in the output(s) from `first`.
void AddLeaves(Context const& ctx, Tree const& tree, LeafRows const& rows, std::size_t first,
               MatrixView<float> margins) {
  rows.ForEachPiece(ctx, [&](LeafRows::Leaf const& leaf, Span<std::uint32_t const> piece) {
    Span<float const> const values = tree.Value(leaf.node);
    for (std::size_t k = 0; k < values.size(); ++k) {
      for (std::uint32_t const row : piece) margins(row, first + k) += values[k];
    }
  });
}

// The derivatives of one output, made contiguous, and multiplied where the sample says so.
class OutputColumn {
 public:
  OutputColumn(Gradients const& gradients, std::size_t output, Context const& ctx) {
    std::size_t const rows = gradients.gradient.rows, outputs = gradients.gradient.columns;
    view_ = {gradients.gradient.values.data() + output, gradients.hessian.values.data() + output, rows, outputs};
    if (outputs > 1) Copy(ctx);
  }

  void Scale(RowSample const& sample, Context const& ctx) {
    if (sample.multiplier.empty()) return;
    if (gradient_.empty()) Copy(ctx);
    ParallelBlocks(ctx, sample.rows.size(), kRowBlock, [&](std::size_t begin, std::size_t end) {
      for (std::size_t i = begin; i < end; ++i) {
        gradient_[sample.rows[i]] *= sample.multiplier[i];
        hessian_[sample.rows[i]] *= sample.multiplier[i];
      }
    });
  }

  OutputGradients const& View() const { return view_; }

 private:
  void Copy(Context const& ctx) {
    gradient_.resize(view_.rows);
    hessian_.resize(view_.rows);
    ParallelBlocks(ctx, view_.rows, kRowBlock, [&](std::size_t begin, std::size_t end) {
      for (std::size_t row = begin; row < end; ++row) {
        gradient_[row] = view_.G(row);
        hessian_[row] = view_.H(row);
      }
    });
    view_ = {gradient_.data(), hessian_.data(), view_.rows, 1};
  }

  OutputGradients view_;
  std::vector<float> gradient_, hessian_;  // empty: the view is of the user's
};

// Tree methods by what XGBoost calls the updaters that do the same.
std::map<std::string, std::string> const kGrowers{
    {"grow_colmaker", "exact"}, {"grow_histmaker", "approx"}, {"grow_quantile_histmaker", "hist"}};

std::string MethodOf(BoostParam const& param) {
  for (auto const& name : param.updater) {
    auto const grower = kGrowers.find(name);
    if (grower != kGrowers.end()) return grower->second;
  }
  return param.tree_method == "auto" ? "hist" : param.tree_method;
}

// Grows the trees of one round, one after the other.
class RoundGrower {
 public:
  explicit RoundGrower(RoundTask const& task)
      : task_(task),
        ctx_(ForWork(task.ctx, task.data.Rows() * task.data.Columns())),
        method_(Registry<TreeMethod>::Get().At(MethodOf(task.boost), "tree method").make()),
        param_(task.tree),
        prune_(task.boost.updater.empty() || Has(task.boost.updater, "prune")) {
    param_.learning_rate /= static_cast<double>(task.boost.num_parallel_tree);  // the trees of a forest share one step
  }

  /// A tree for the outputs from `first`; `copy` numbers the trees of a forest.
  void Grow(std::vector<OutputColumn>* columns, std::size_t first, std::size_t copy, Round* round) const {
    std::size_t const outputs = task_.gradients.gradient.columns;
    auto const copies = static_cast<std::size_t>(task_.boost.num_parallel_tree);
    TreeKey const key{ctx_.seed, (task_.round * outputs + first) * copies + copy};
    std::vector<OutputGradients> views;
    for (auto const& column : *columns) views.push_back(column.View());
    RowSample const sample = SampleRows(param_, key, views, ctx_, task_.data.Info().group_begin);
    for (std::size_t k = 0; k < columns->size(); ++k) {
      (*columns)[k].Scale(sample, ctx_);
      views[k] = (*columns)[k].View();
    }
    GrownTree grown = GrowTree({ctx_, task_.data, param_, sample, std::move(views), key}, *method_, prune_);
    AddLeaves(ctx_, grown.tree, grown.rows.sampled, first, round->margins.View());
    AddLeaves(ctx_, grown.tree, grown.rows.others, first, round->margins.View());
    round->trees.push_back(std::make_shared<Tree const>(std::move(grown.tree)));
    round->outputs.push_back(static_cast<std::int32_t>(first));
  }

  Context const& Threads() const { return ctx_; }

 private:
  RoundTask const& task_;
  Context ctx_;
  std::unique_ptr<TreeMethod> method_;
  TreeParam param_;
  bool prune_;
};

}  // namespace

void CheckUpdaters(BoostParam const& param) {
  for (auto const& name : param.updater) {
    Require<ParamError>(kGrowers.count(name) != 0 || name == "prune",
                        "`updater` must be made of grow_colmaker, grow_histmaker, grow_quantile_histmaker and prune; "
                        "got `",
                        name, "`.");
  }
  auto const growers = std::count_if(param.updater.begin(), param.updater.end(),
                                     [](std::string const& name) { return kGrowers.count(name) != 0; });
  Require<ParamError>(param.updater.empty() || growers == 1, "`updater` names ", growers,
                      " ways to grow a tree; name one of grow_colmaker, grow_histmaker and grow_quantile_histmaker.");
}

Round GrowRoundOfTrees(RoundTask const& task) {
  RoundGrower const grower(task);
  std::size_t const outputs = task.gradients.gradient.columns;
  std::size_t const width = task.vector_leaves ? outputs : 1;
  Round round;
  round.margins = task.margins;
  for (std::size_t first = 0; first < outputs; first += width) {
    for (int copy = 0; copy < task.boost.num_parallel_tree; ++copy) {
      std::vector<OutputColumn> columns;
      for (std::size_t k = 0; k < width; ++k) columns.emplace_back(task.gradients, first + k, grower.Threads());
      grower.Grow(&columns, first, static_cast<std::size_t>(copy), &round);
    }
  }
  return round;
}

}  // namespace xgbl
