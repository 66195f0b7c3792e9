// SPDX-License-Identifier: Apache-2.0
// What the three forms of a dump share: how a node is worded and the order of the nodes.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

#include "model/dump.h"
#include "tree/tree.h"

namespace xgbl {

class TreeWords {
 public:
  TreeWords(Tree const& tree, DumpOptions const& options) : tree_(tree), options_(options) {}

  enum class Test { kNumber, kIndicator, kCategories };
  /// How the node's test reads. An indicator's test is shown as a number's if it keeps 0, 1 and missing values
  /// together: the column then has more than two values.
  Test TestOf(NodeId node) const;
  std::string Name(NodeId node) const;
  /// The threshold with nine digits.
  std::string Threshold(NodeId node) const;
  /// The threshold as the whole number that means the same for whole numbers, if the feature is of type int.
  std::string RoundedThreshold(NodeId node) const;
  /// The node's categories, such as "0,2,5".
  std::string CategoryList(NodeId node, std::string_view between) const;
  /// The same by the names that the model knows; codes without a name stay.
  std::vector<std::string> CategoryNames(NodeId node, std::vector<Categories> const& categories) const;
  /// A number, or a list of them in brackets: all of them, or the first two and the last of a long one.
  std::string LeafValue(NodeId node, bool in_full) const;
  std::string Gain(NodeId node) const;
  std::string Cover(NodeId node) const;

  NodeId Left(NodeId node) const { return tree_.left[Tree::At(node)]; }
  NodeId Right(NodeId node) const { return tree_.right[Tree::At(node)]; }
  /// Where missing values go.
  NodeId Missing(NodeId node) const { return tree_.default_left[Tree::At(node)] != 0 ? Left(node) : Right(node); }
  /// Where rows go for which the node's test is true, and where the others go: a set of categories goes right, an
  /// indicator asks for 1. Where the present values of an indicator stay together, "no" is for the missing ones, as in
  /// XGBoost.
  NodeId Yes(NodeId node) const;
  NodeId No(NodeId node) const { return Yes(node) == Left(node) ? Right(node) : Left(node); }
  /// Where a number goes.
  NodeId SideOf(NodeId node, float value) const {
    return value < tree_.threshold[Tree::At(node)] ? Left(node) : Right(node);
  }

  bool IsLeaf(NodeId node) const { return tree_.IsLeaf(node); }
  bool WithStats() const { return options_.with_stats; }

 private:
  std::string_view Type(NodeId node) const;

  Tree const& tree_;
  DumpOptions const& options_;
};

/// Calls `enter(node, depth)` for every node in preorder and `leave(node, depth)` after the children of an inner node.
/// Needs no recursion, which a degenerate tree would drive too deep.
template <class Enter, class Leave>
void WalkTree(Tree const& tree, Enter&& enter, Leave&& leave) {
  struct Step {
    NodeId node;
    std::size_t depth;
    bool done;
  };
  std::vector<Step> steps{{0, 0, false}};
  while (!steps.empty()) {
    auto const [node, depth, done] = steps.back();
    steps.pop_back();
    if (done) {
      leave(node, depth);
      continue;
    }
    enter(node, depth);
    if (tree.IsLeaf(node)) continue;
    steps.push_back({node, depth, true});
    steps.push_back({tree.right[Tree::At(node)], depth + 1, false});
    steps.push_back({tree.left[Tree::At(node)], depth + 1, false});
  }
}

std::string DumpText(Tree const& tree, DumpOptions const& options);
std::string DumpJson(Tree const& tree, DumpOptions const& options);

/// The parts of a dot file that are the same for every tree.
struct DotStyle {
  DotStyle(ParamMap const& given, std::vector<Categories> const& categories);

  std::string graph;  // lines that set the attributes of the graph
  std::string missing_color = "#0000FF";
  std::string other_color = "#FF0000";
  std::string inner;  // attributes of inner nodes
  std::string leaf;
  std::vector<Categories> const* categories = nullptr;  // of the model, if nodes show their names in place of codes
};
std::string DumpDot(Tree const& tree, DumpOptions const& options, DotStyle const& style);

}  // namespace xgbl
