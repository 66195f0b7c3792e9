// SPDX-License-Identifier: Apache-2.0
#include "boost/round.h"

#include <algorithm>
#include <string>
#include <utility>

#include "base/error.h"
#include "boost/updaters.h"
#include "parallel/parallel_for.h"
#include "tree/grow.h"

namespace xgbl {
namespace {

constexpr std::size_t kRowBlock = std::size_t{1} << 16U;

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

// The same rows by the leaves of a tree that was pruned since.
LeafRows Regrouped(LeafRows const& old, std::size_t row_count, Tree const& tree) {
  std::vector<NodeId> leaf_of_row(row_count, 0);
  for (LeafRows::Leaf const& leaf : old.leaves) {
    NodeId node = leaf.node;
    for (NodeId above = tree.parent[Tree::At(node)]; above != kNoNode; above = tree.parent[Tree::At(above)]) {
      if (tree.IsLeaf(above)) node = above;
    }
    for (std::size_t i = leaf.begin; i < leaf.end; ++i) leaf_of_row[old.rows.data()[i]] = node;
  }
  std::vector<std::uint32_t> rows(old.rows.data(), old.rows.data() + old.rows.size());
  std::sort(rows.begin(), rows.end());
  return SortByLeaf(rows, false, leaf_of_row, tree.Size());
}

// Grows the trees of one round, one after the other.
class RoundGrower {
 public:
  explicit RoundGrower(RoundTask const& task)
      : task_(task),
        ctx_(ForWork(task.ctx, task.data.Rows() * task.data.Columns())),
        plan_(PlanOf(task.boost)),
        method_(Registry<TreeMethod>::Get().At(plan_.method, "tree method").make()),
        param_(task.tree) {
    param_.learning_rate /= static_cast<double>(task.boost.num_parallel_tree);  // the trees of a forest share one step
  }

  /// A tree for the outputs from `first`; `copy` numbers the trees of a forest.
  void Grow(std::vector<OutputColumn>* columns, std::size_t first, std::size_t copy, Round* round) const {
    std::size_t const outputs = task_.gradients.gradient.columns;
    auto const copies = static_cast<std::size_t>(task_.boost.num_parallel_tree);
    TreeKey const key{ctx_.seed, (task_.round * outputs + first) * copies + copy};
    std::vector<OutputGradients> views;
    for (auto const& column : *columns) views.push_back(column.View());
    RowSample const sample = SampleRows(param_, key, views, ctx_);
    for (std::size_t k = 0; k < columns->size(); ++k) {
      (*columns)[k].Scale(sample, ctx_);
      views[k] = (*columns)[k].View();
    }
    GrownTree grown =
        GrowTree({ctx_, task_.data, param_, sample, std::move(views), key}, *method_, plan_.prunes_at_once);
    TakeLaterSteps(first, &grown);
    if (task_.adjust) task_.adjust(&grown);
    AddLeaves(ctx_, grown.tree, grown.rows.sampled, first, round->margins.View());
    AddLeaves(ctx_, grown.tree, grown.rows.others, first, round->margins.View());
    round->trees.push_back(std::make_shared<Tree const>(std::move(grown.tree)));
    round->outputs.push_back(static_cast<std::int32_t>(first));
  }

  Context const& Threads() const { return ctx_; }

 private:
  // Unlike growing, they see all rows and no sampling.
  void TakeLaterSteps(std::size_t first, GrownTree* grown) const {
    for (auto const& step : plan_.later) {
      if (step == "refresh") {
        RefreshTree(ctx_, param_, task_.boost.refresh_leaf, ColumnsOf(task_.gradients, first, grown->tree.outputs),
                    {&grown->rows.sampled, &grown->rows.others}, &grown->tree);
        continue;
      }
      PruneTree(param_, &grown->tree);
      grown->rows.sampled = Regrouped(grown->rows.sampled, task_.data.Rows(), grown->tree);
      grown->rows.others = Regrouped(grown->rows.others, task_.data.Rows(), grown->tree);
    }
  }

  RoundTask const& task_;
  Context ctx_;
  UpdaterPlan plan_;
  std::unique_ptr<TreeMethod> method_;
  TreeParam param_;
};

}  // namespace

void CheckGrowing(BoostParam const& param) {
  if (param.updater.empty()) return;
  UpdaterPlan const plan = PlanOf(param);
  std::string const& first = param.updater.front();
  bool const grows_first = PlanOf({param.booster, param.tree_method, {first}}).growers == 1;
  Require<ParamError>(grows_first && !plan.is_linear,
                      "`updater` must begin with one of grow_colmaker, grow_histmaker and "
                      "grow_quantile_histmaker to make new trees; got `",
                      first, "`. Set `process_type` to `update` to change the trees of a model.");
  Require<ParamError>(plan.growers == 1, "`updater` names ", plan.growers,
                      " ways to grow a tree; name one of grow_colmaker, grow_histmaker and grow_quantile_histmaker.");
}

std::vector<OutputGradients> ColumnsOf(Gradients const& gradients, std::size_t first, int count) {
  std::size_t const rows = gradients.gradient.rows, outputs = gradients.gradient.columns;
  std::vector<OutputGradients> columns;
  for (std::size_t k = first; k < first + static_cast<std::size_t>(count); ++k) {
    columns.push_back({gradients.gradient.values.data() + k, gradients.hessian.values.data() + k, rows, outputs});
  }
  return columns;
}

void AddRound(Round round, Model* model) {
  if (round.starts_over) {
    Model bare = model->WithoutRounds();
    bare.AppendRound(std::move(round.trees), round.outputs);
    *model = std::move(bare);
  } else if (round.linear) {
    model->linear = std::move(round.linear);
  } else {
    model->AppendRound(std::move(round.trees), round.outputs);
  }
  if (!round.tree_weights.empty()) model->tree_weights = std::move(round.tree_weights);
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
