// SPDX-License-Identifier: Apache-2.0
#include "predict/code_book.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "predict/node_trees.h"

namespace xgbl {
namespace {

// Nothing is below minus infinity, nor below what is not a number.
float EdgeOf(Tree const& tree, std::size_t node) {
  float const threshold = tree.threshold[node];
  return std::isnan(threshold) ? -std::numeric_limits<float>::infinity() : threshold;
}

template <class Visit>
void ForEachSplit(Model const& model, Visit const& visit) {
  for (auto const& tree : model.trees) {
    for (NodeId const id : ReachableNodes(*tree)) {
      if (!tree->IsLeaf(id)) visit(*tree, Tree::At(id));
    }
  }
}

}  // namespace

std::size_t CodeBook::Labels::PlaceOf(float value) const {
  if (!(value >= 0.0F && value < 16777216.0F)) return categories.size();
  auto const category = static_cast<std::int32_t>(value);
  auto const found = std::lower_bound(categories.begin(), categories.end(), category);
  bool const known = found != categories.end() && *found == category;
  return known ? static_cast<std::size_t>(found - categories.begin()) : categories.size();
}

CodeBook::Labels::Code CodeBook::Labels::CodeOf(float value) const {
  if (std::isnan(value)) return {0, kMissingCode};
  std::size_t const place = PlaceOf(value);
  if (place == categories.size()) return {0, kOther};
  return {static_cast<std::uint32_t>(place / kRun), static_cast<std::uint8_t>(place % kRun)};
}

CodeBook::CodeBook(Model const& model) : used_(UsedFeatures(model, {0, model.trees.size()})) {
  CollectNumbers(model);
  CollectSets(model);
  block_bytes_ = std::max(block_bytes_, std::size_t{cells_} * kCodeRows);
  for (auto const& column : numbers_) {
    std::size_t const begin = tables_.size();
    table_begin_.push_back(begin);
    tables_.resize(begin + EdgeTableSize(column.count));
    FillEdgeTable(Edges(column).data(), column.count, tables_.data() + begin);
  }
}

std::uint32_t CodeBook::IndexOf(std::uint32_t feature) const {
  return static_cast<std::uint32_t>(std::lower_bound(used_.begin(), used_.end(), feature) - used_.begin());
}

std::uint32_t CodeBook::NewCell() { return static_cast<std::uint32_t>(kCodeRows) * cells_++; }

void CodeBook::CollectNumbers(Model const& model) {
  std::vector<std::vector<float>> by_feature(used_.size());
  ForEachSplit(model, [&](Tree const& tree, std::size_t node) {
    if (tree.categorical[node] == 0) by_feature[IndexOf(tree.feature[node])].push_back(EdgeOf(tree, node));
  });
  for (auto& edges : by_feature) {
    std::sort(edges.begin(), edges.end());
    edges.erase(std::unique(edges.begin(), edges.end()), edges.end());
    edge_begin_.push_back(edges_.size());
    column_begin_.push_back(numbers_.size());
    for (std::size_t first = 0; first < edges.size(); first += kMostEdges) {
      Numbers column;
      column.used = static_cast<std::uint32_t>(edge_begin_.size() - 1);
      column.first = static_cast<std::uint32_t>(edges_.size() + first);
      column.count = static_cast<std::uint32_t>(std::min(kMostEdges, edges.size() - first));
      numbers_.push_back(column);
    }
    edges_.insert(edges_.end(), edges.begin(), edges.end());
  }
  edge_begin_.push_back(edges_.size());
  ForEachSplit(model, [&](Tree const& tree, std::size_t node) {
    if (tree.categorical[node] != 0) return;
    std::uint32_t const index = IndexOf(tree.feature[node]);
    Numbers& column = numbers_[column_begin_[index] + PlaceOf(tree, node) / kMostEdges];
    std::uint32_t& cell = tree.default_left[node] != 0 ? column.low : column.high;
    if (cell == kNoCell) cell = NewCell();
  });
}

// The place of a node's threshold among those of its feature.
std::size_t CodeBook::PlaceOf(Tree const& tree, std::size_t node) const {
  std::uint32_t const index = IndexOf(tree.feature[node]);
  auto const* const begin = edges_.data() + edge_begin_[index];
  auto const* const end = edges_.data() + edge_begin_[index + 1];
  return static_cast<std::size_t>(std::lower_bound(begin, end, EdgeOf(tree, node)) - begin);
}

CodeBook::SetKey CodeBook::KeyOf(Tree const& tree, std::size_t node) {
  auto const set = tree.CategorySet(static_cast<NodeId>(node));
  return {tree.feature[node], tree.default_left[node] != 0, {set.begin(), set.end()}};
}

void CodeBook::CollectSets(Model const& model) {
  std::map<std::uint32_t, std::vector<std::int32_t>> by_feature;
  ForEachSplit(model, [&](Tree const& tree, std::size_t node) {
    if (tree.categorical[node] == 0) return;
    SetKey key = KeyOf(tree, node);
    auto& known = by_feature[IndexOf(tree.feature[node])];
    if (set_cell_.count(key) != 0) return;
    auto const& set = std::get<2>(key);
    known.insert(known.end(), set.begin(), set.end());
    set_cell_.emplace(std::move(key), NewCell());
  });
  for (auto& [index, categories] : by_feature) {
    std::sort(categories.begin(), categories.end());
    categories.erase(std::unique(categories.begin(), categories.end()), categories.end());
    Labels column;
    column.used = index;
    column.first_run = static_cast<std::uint32_t>(runs_);
    column.categories = std::move(categories);
    runs_ += column.Runs();
    labels_.push_back(std::move(column));
  }
  for (auto const& [key, cell] : set_cell_) AddSet(key, cell);
}

void CodeBook::AddSet(SetKey const& key, std::uint32_t cell) {
  auto const& [feature, missing_left, set] = key;
  std::uint32_t const index = IndexOf(feature);
  auto const column = std::lower_bound(labels_.begin(), labels_.end(), index,
                                       [](Labels const& labels, std::uint32_t used) { return labels.used < used; });
  std::size_t const first = pieces_.size();
  auto const add = [&](std::size_t run, std::size_t code) {
    auto const number = static_cast<std::uint32_t>(column->first_run + run);
    if (pieces_.size() == first || pieces_.back().run != number) pieces_.push_back({number, cell, {}});
    std::uint8_t& byte = pieces_.back().bits[code / 8];
    byte = static_cast<std::uint8_t>(byte | 1U << code % 8);
  };
  if (!missing_left) add(0, Labels::kMissingCode);
  for (std::int32_t const category : set) {
    std::size_t const place = column->PlaceOf(static_cast<float>(category));
    add(place / Labels::kRun, place % Labels::kRun);
  }
}

Question CodeBook::QuestionOf(Tree const& tree, std::size_t node) const {
  auto const ask = [](std::size_t cell, std::size_t edge) {
    return static_cast<Question>(cell / kCodeRows << 8U | edge);
  };
  if (tree.categorical[node] != 0) return ask(set_cell_.at(KeyOf(tree, node)), 1);
  std::size_t const place = PlaceOf(tree, node);
  Numbers const& column = numbers_[column_begin_[IndexOf(tree.feature[node])] + place / kMostEdges];
  return ask(tree.default_left[node] != 0 ? column.low : column.high, place % kMostEdges + 1);
}

}  // namespace xgbl
