// SPDX-License-Identifier: Apache-2.0
#include "hist/sibling_histograms.h"

#include <algorithm>
#include <iterator>

namespace xgbl {
namespace {

using Family = SiblingHistograms::Family;

bool Has(Span<NodeId const> nodes, NodeId node) { return std::find(nodes.begin(), nodes.end(), node) != nodes.end(); }

std::vector<Family> FamiliesOf(GrowingTree const& tree, std::vector<NodeId> const& nodes) {
  std::vector<Family> families;
  for (std::size_t i = 0; i < nodes.size(); ++i) {
    NodeId const parent = tree[nodes[i]].parent;
    if (families.empty() || parent == kNoNode || families.back().parent != parent) {
      families.push_back({parent, parent == kNoNode ? nodes[i] : tree[parent].left, i, {}, {}, kNoNode});
    }
    Family& family = families.back();
    family.wanted = Span<NodeId const>(nodes).Sub(family.place, i + 1 - family.place);
  }
  return families;
}

}  // namespace

SiblingHistograms::SiblingHistograms(TreeParam const& param, BinnedMatrix const& bins,
                                     Span<PackedGradients const> gradients, RowPartition const& rows, int threads,
                                     Use const& use)
    : use_(use),
      max_depth_(param.max_depth),
      bins_(bins),
      gradients_(gradients),
      rows_(rows),
      builders_(static_cast<std::size_t>(std::max(threads, 1))),
      cells_per_row_(BuilderOf(kEveryThread)->CellsPerRow()),
      narrow_bytes_(builders_[0]->Bytes(kNarrowRows)) {
  std::size_t const wide_bytes = std::max<std::size_t>(builders_[0]->Bytes(2 * kNarrowRows), 1);
  std::size_t const fits = std::max<std::size_t>(kMostBytes / use.trees_at_once / wide_bytes, 4);
  room_ = std::min(static_cast<std::size_t>(param.max_cached_hist_node), fits);
}

// Memory that was used is used again by the share that it belongs to.
HistogramBuilder* SiblingHistograms::BuilderOf(int share) {
  auto& builder = builders_[static_cast<std::size_t>(std::max(share, 0))];
  if (!builder) builder = std::make_unique<HistogramBuilder>(bins_, gradients_, use_.by_sign);
  return builder.get();
}

std::vector<Split> SiblingHistograms::Evaluate(GrowingTree const& tree, std::vector<NodeId> const& nodes,
                                               Search const& search) {
  nodes_.resize(std::max(nodes_.size(), tree.nodes.size()));
  std::vector<Split> splits(nodes.size());
  std::vector<Family> families = FamiliesOf(tree, nodes);
  std::size_t const fit = use_.batch_bytes / use_.trees_at_once / (2 * narrow_bytes_ + 1);
  std::size_t const at_a_time = std::max<std::size_t>(fit, 1);
  for (std::size_t begin = 0; begin < families.size(); begin += at_a_time) {
    auto const batch = Span<Family>(families).Sub(begin, std::min(at_a_time, families.size() - begin));
    for (Family& family : batch) Plan(&family);
    search(batch, &splits);
    for (Family const& family : batch) Keep(tree, family, splits);
  }
  DropParents();
  return splits;
}

void SiblingHistograms::Plan(Family* family) {
  bool const is_root = family->parent == kNoNode;
  if (is_root && !(*this)[family->first].Empty()) return;
  std::copy_if(family->wanted.begin(), family->wanted.end(), std::back_inserter(family->built),
               [&](NodeId node) { return Needs(node); });
  if (is_root || (*this)[family->parent].Empty()) return;
  bool const first_is_light = rows_.Count(family->first) <= rows_.Count(family->first + 1);
  NodeId const light = family->first + (first_is_light ? 0 : 1), heavy = 2 * family->first + 1 - light;
  if (!Has(family->built, heavy)) return;
  family->built = {light};
  family->heir = heavy;
  Forget(family->parent);
}

void SiblingHistograms::Build(Span<Family const> families, Context const& ctx, int share) {
  std::vector<NodeId> built;
  std::vector<HistogramBuilder::Difference> differences;
  for (Family const& family : families) {
    built.insert(built.end(), family.built.begin(), family.built.end());
    for (auto const& nodes : {Span<NodeId const>(family.built), family.wanted}) {
      for (NodeId const node : nodes) At(node).share = share;
    }
    if (family.heir == kNoNode) continue;
    Histogram* const parent = &At(family.parent).histogram;
    differences.push_back({parent, &At(family.built[0]).histogram, rows_.Count(family.heir)});
  }
  HistogramBuilder* const builder = BuilderOf(share);
  FromRows(built, builder, ctx);
  builder->Subtract(differences, ctx);
  for (Family const& family : families) {
    if (family.heir != kNoNode) At(family.heir).histogram = std::move(At(family.parent).histogram);
  }
}

void SiblingHistograms::FromRows(Span<NodeId const> nodes, HistogramBuilder* builder, Context const& ctx) {
  std::vector<HistogramBuilder::Job> jobs;
  for (NodeId const node : nodes) {
    bool const all = rows_.AllRows(node);
    jobs.push_back({all ? Span<std::uint32_t const>{} : rows_.Rows(node), all, &At(node).histogram});
  }
  builder->Build(jobs, ctx);
}

void SiblingHistograms::Keep(GrowingTree const& tree, Family const& family, std::vector<Split> const& splits) {
  for (NodeId const node : family.built) {  // it may have been for its sibling's sake alone
    if (!Has(family.wanted, node)) Drop(node);
  }
  for (std::size_t i = 0; i < family.wanted.size(); ++i) {
    NodeId const node = family.wanted[i];
    bool const keep = splits[family.place + i].Valid() && WorthKeeping(node, tree[node].depth);
    if (!keep) {
      Drop(node);
      continue;
    }
    At(node).kept = true;
    ++used_;
  }
}

// Nobody asks for the histogram of a node without grandchildren, and of few rows one is made sooner than another one is
// subtracted from its parent's.
bool SiblingHistograms::WorthKeeping(NodeId node, int depth) const {
  bool const has_grandchildren = max_depth_ == 0 || depth + 1 < max_depth_;
  if ((*this)[node].Empty() || !has_grandchildren || used_ >= room_) return false;
  if (use_.update_cost == 0) return true;
  double const cost = static_cast<double>(rows_.Count(node)) * cells_per_row_ * use_.update_cost;
  return Needs(node) && cost > static_cast<double>(narrow_bytes_);
}

// The histogram is about to become that of a child, or nobody's.
void SiblingHistograms::Forget(NodeId node) {
  if (std::exchange(At(node).kept, false)) --used_;
}

void SiblingHistograms::Drop(NodeId node) {
  Forget(node);
  Node& own = At(node);
  if (!own.histogram.Empty()) BuilderOf(own.share)->Release(&own.histogram);
}

void SiblingHistograms::WereSplit(std::vector<NodeId> const& nodes) {
  DropParents();
  parents_ = nodes;
}

// Their children were evaluated, or will not be.
void SiblingHistograms::DropParents() {
  for (NodeId const parent : parents_) Drop(parent);
  parents_.clear();
}

}  // namespace xgbl
