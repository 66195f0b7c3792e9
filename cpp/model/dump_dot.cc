// SPDX-License-Identifier: Apache-2.0
#include "base/error.h"
#include "base/suggest.h"
#include "model/dump_tree.h"
#include "model/field.h"

namespace xgbl {
namespace {

// A JSON object of texts, each as `before` name="value" `after`.
std::string Attributes(std::string const& json, std::string const& before, std::string const& after) {
  Value object = ParseJson(json);
  Field const attributes(&object);
  std::string out;
  for (auto const& member : attributes.Members()) {
    std::string const name = member.first.Text();
    out += before + name + "=\"" + Escaped(attributes[name].Text()) + "\"" + after;
  }
  return out;
}

std::string Label(TreeWords const& words, NodeId node) {
  if (words.IsLeaf(node)) return "leaf=" + words.LeafValue(node, false);
  switch (words.TestOf(node)) {
    case TreeWords::Test::kIndicator:
      return words.Name(node);
    case TreeWords::Test::kCategories:
      return words.Name(node) + ":{" + words.CategoryList(node, ",") + "}";
    case TreeWords::Test::kNumber:
      break;
  }
  return words.Name(node) + "<" + words.Threshold(node);
}

std::string Stats(TreeWords const& words, NodeId node) {
  if (!words.WithStats()) return "";
  std::string const gain = words.IsLeaf(node) ? "" : "\ngain=" + words.Gain(node);
  return gain + "\ncover=" + words.Cover(node);
}

std::string Edge(TreeWords const& words, NodeId from, NodeId to, DotStyle const& style) {
  bool const missing = words.Missing(from) == to;
  bool const right_is_yes = words.TestOf(from) == TreeWords::Test::kCategories;
  bool const yes = (words.Right(from) == to) == right_is_yes;
  return Text("    ", from, " -> ", to, " [label=\"", yes ? "yes" : "no", missing ? ", missing" : "", "\" color=\"",
              missing ? style.missing_color : style.other_color, "\"]\n");
}

}  // namespace

DotStyle::DotStyle(ParamMap const& given) {
  std::vector<std::string> const known = {"rankdir",  "graph_attrs",           "yes_color",
                                          "no_color", "condition_node_params", "leaf_node_params"};
  for (auto const& [name, text] : given) {
    if (name == "rankdir") {
      graph += "    graph [ rankdir=\"" + Escaped(text) + "\" ]\n";
    } else if (name == "graph_attrs") {
      graph += Attributes(text, "    graph [ ", " ]\n");
    } else if (name == "yes_color") {
      missing_color = Escaped(text);
    } else if (name == "no_color") {
      other_color = Escaped(text);
    } else if (name == "condition_node_params") {
      inner = Attributes(text, " ", "");
    } else if (name == "leaf_node_params") {
      leaf = Attributes(text, " ", "");
    } else {
      throw ParamError(Text("Unknown parameter `", name, "` of the dot format.", DidYouMean(name, known)));
    }
  }
}

std::string DumpDot(Tree const& tree, DumpOptions const& options, DotStyle const& style) {
  TreeWords const words(tree, options);
  std::string out = "digraph {\n    graph [ rankdir=TB ]\n" + style.graph;
  auto const enter = [&](NodeId node, std::size_t) {
    bool const is_leaf = tree.IsLeaf(node);
    out += Text("\n    ", node, " [ label=\"", Label(words, node), Stats(words, node), "\"",
                is_leaf ? style.leaf : style.inner, " ]\n");
    if (!is_leaf) out += Edge(words, node, words.Left(node), style) + Edge(words, node, words.Right(node), style);
  };
  WalkTree(tree, enter, [](NodeId, std::size_t) {});
  return out + "}";
}

}  // namespace xgbl
