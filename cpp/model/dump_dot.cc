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

// "{Bern, Oslo, Rome}", with a new line where one would be longer than the others by far.
std::string NameList(std::vector<std::string> const& names) {
  constexpr std::size_t kLine = 60;
  std::string out = "{";
  std::size_t begin = 0;  // of the line
  for (std::size_t i = 0; i < names.size(); ++i) {
    if (i > 0) out += ",";
    bool const wrapped = i > 0 && out.size() - begin + names[i].size() > kLine;
    if (wrapped) begin = out.size();
    out += (i == 0 ? "" : wrapped ? "\n" : " ") + names[i];
  }
  return out + "}";
}

std::string Label(TreeWords const& words, NodeId node, DotStyle const& style) {
  if (words.IsLeaf(node)) return "leaf=" + words.LeafValue(node, false);
  switch (words.TestOf(node)) {
    case TreeWords::Test::kIndicator:
      return words.Name(node);
    case TreeWords::Test::kCategories:
      return style.categories != nullptr
                 ? words.Name(node) + " in " + NameList(words.CategoryNames(node, *style.categories))
                 : words.Name(node) + ":{" + words.CategoryList(node, ",") + "}";
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

// Which rows of an inner node go to a child. All present values of an indicator may go the same way.
std::string Rows(TreeWords const& words, NodeId from, NodeId to) {
  bool const yes = words.Yes(from) == to;
  bool const both = words.TestOf(from) == TreeWords::Test::kIndicator && words.SideOf(from, 0) == words.Yes(from);
  bool const missing = words.Missing(from) == to;
  std::string const present = yes ? (both ? "yes, no" : "yes") : (both ? "" : "no");
  return present + (missing ? (present.empty() ? "missing" : ", missing") : "");
}

std::string Edge(TreeWords const& words, NodeId from, NodeId to, DotStyle const& style) {
  bool const missing = words.Missing(from) == to;
  return Text("    ", from, " -> ", to, " [label=\"", Rows(words, from, to), "\" color=\"",
              missing ? style.missing_color : style.other_color, "\"]\n");
}

}  // namespace

DotStyle::DotStyle(ParamMap const& given, std::vector<Categories> const& all_categories) {
  std::vector<std::string> const known = {
      "rankdir", "graph_attrs", "yes_color", "no_color", "condition_node_params", "leaf_node_params", "category_names"};
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
    } else if (name == "category_names") {
      ParamSpec spec;
      spec.name = name;
      bool asked = false;
      ParseParam(spec, text, &asked);
      if (asked) categories = &all_categories;
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
    out += Text("\n    ", node, " [ label=\"", Label(words, node, style), Stats(words, node), "\"",
                is_leaf ? style.leaf : style.inner, " ]\n");
    if (!is_leaf) out += Edge(words, node, words.Left(node), style) + Edge(words, node, words.Right(node), style);
  };
  WalkTree(tree, enter, [](NodeId, std::size_t) {});
  return out + "}";
}

}  // namespace xgbl
