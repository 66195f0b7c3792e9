// SPDX-License-Identifier: Apache-2.0
#include "tree/finish.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <limits>
#include <utility>
#include <vector>

#include "parallel/parallel_for.h"
#include "tree/gain.h"

namespace xgbl {
namespace {

// The final number of each growing node; a node below a leaf of the final tree gets that leaf's.
struct Numbering {
  Tree tree;
  std::vector<NodeId> final_of;  // by growing node
  std::vector<NodeId> source;    // by final node
};

// Gains grow with the square of gradients and may pass a float's range; files and sums want finite ones.
float FiniteFloat(double value) {
  return static_cast<float>(std::min(value, static_cast<double>(std::numeric_limits<float>::max())));
}

Numbering BuildStructure(GrowingTree const& growing) {
  Numbering out;
  out.final_of.assign(growing.nodes.size(), kNoNode);
  out.final_of[0] = out.tree.AddNode(kNoNode);
  out.source.push_back(0);
  for (NodeId const node : growing.commits) {
    GrowingNode const& inner = growing[node];
    if (!inner.committed) continue;
    NodeId const id = out.final_of[Tree::At(node)];
    NodeId const left = out.tree.Split(id, inner.split.feature, inner.split.threshold, inner.split.missing_left);
    out.tree.gain[Tree::At(id)] = FiniteFloat(inner.split.gain);
    out.final_of[Tree::At(inner.left)] = left;
    out.final_of[Tree::At(inner.left) + 1] = left + 1;
    out.source.insert(out.source.end(), {inner.left, inner.left + 1});
  }
  for (std::size_t i = 1; i < growing.nodes.size(); ++i) {  // parents come before their children
    if (out.final_of[i] == kNoNode) out.final_of[i] = out.final_of[Tree::At(growing.nodes[i].parent)];
  }
  return out;
}

// Sums of a node's gradients and hessians on a grid so fine that rounding is far below a float's: as many bits as the
// number of rows leaves in 62. Integers, so that the order in which rows are added does not matter.
class FineSums {
 public:
  FineSums(OutputGradients const& gradients, Context const& ctx) : gradients_(gradients), ctx_(ctx) {
    int const bits = BitsForSum(gradients.rows);
    scale_ = ScaleFor(RangeOf(gradients, ctx), bits, bits);
  }

  FixedScale const& Scale() const { return scale_; }

  std::vector<FixedSum> ByLeaf(RowSampler const& rows, Span<NodeId const> leaf_of_row, std::size_t nodes) const {
    auto const threads = static_cast<std::size_t>(ctx_.threads);
    std::size_t const share = (leaf_of_row.size() + threads - 1) / threads;
    std::vector<std::vector<FixedSum>> parts(threads, std::vector<FixedSum>(nodes));
    ParallelTasks(ctx_, threads, [&](std::size_t part, int) {
      std::size_t const end = std::min(leaf_of_row.size(), (part + 1) * share);
      for (std::size_t row = part * share; row < end; ++row) {
        if (rows.Takes(row)) parts[part][Tree::At(leaf_of_row[row])] += Value(row);
      }
    });
    for (std::size_t part = 1; part < threads; ++part) {
      for (std::size_t i = 0; i < nodes; ++i) parts[0][i] += parts[part][i];
    }
    return std::move(parts[0]);
  }

 private:
  FixedSum Value(std::size_t row) const {
    auto const fixed = [](float value, double unit) {
      return static_cast<std::int64_t>(std::floor(static_cast<double>(value) / unit + 0.5));
    };
    return {fixed(gradients_.G(row), scale_.gradient_unit), fixed(gradients_.H(row), scale_.hessian_unit)};
  }

  OutputGradients const& gradients_;
  Context const& ctx_;
  FixedScale scale_;
};

// Leaves have their sums; inner nodes get those of their children, which always have higher numbers.
void SumUpwards(Tree const& tree, std::vector<FixedSum>* sums) {
  for (std::size_t i = tree.Size(); i-- > 1;) (*sums)[Tree::At(tree.parent[i])] += (*sums)[i];
}

void SetValues(TreeParam const& param, GrowingTree const& growing, std::vector<NodeId> const& source,
               std::vector<FixedSum> const& sums, FixedScale const& scale, Tree* tree) {
  GainRule const rule(param);
  for (std::size_t i = 0; i < tree->Size(); ++i) {
    double const gradient = scale.Gradient(sums[i]), hessian = scale.Hessian(sums[i]);
    auto const weight = static_cast<float>(rule.Weight(gradient, hessian, growing[source[i]].bounds));
    tree->cover[i] = static_cast<float>(hessian);
    tree->weight[i] = weight;
    bool const leaf = tree->IsLeaf(static_cast<NodeId>(i));
    tree->value[i] = leaf ? static_cast<float>(param.learning_rate) * weight : 0.0F;
  }
}

}  // namespace

GrownTree FinishTree(TreeTask const& task, RowSampler const& rows, GrowingTree const& growing,
                     Span<NodeId const> node_of_row) {
  Numbering numbering = BuildStructure(growing);
  GrownTree grown;
  grown.leaf_of_row.resize(node_of_row.size());
  ParallelBlocks(task.ctx, node_of_row.size(), std::size_t{1} << 16U, [&](std::size_t begin, std::size_t end) {
    for (std::size_t row = begin; row < end; ++row) {
      grown.leaf_of_row[row] = numbering.final_of[Tree::At(node_of_row[row])];
    }
  });
  FineSums const fine(task.gradients, task.ctx);
  std::vector<FixedSum> sums = fine.ByLeaf(rows, grown.leaf_of_row, numbering.tree.Size());
  SumUpwards(numbering.tree, &sums);
  SetValues(task.param, growing, numbering.source, sums, fine.Scale(), &numbering.tree);
  grown.tree = std::move(numbering.tree);
  return grown;
}

}  // namespace xgbl
