// SPDX-License-Identifier: Apache-2.0
#include "model/dump.h"

#include <array>
#include <charconv>
#include <cmath>
#include <string_view>

#include "base/error.h"
#include "base/numbers.h"
#include "base/params.h"
#include "model/field.h"

namespace xgbl {
namespace {

// Lines are indented by their depth, so that a chain of nodes takes the square of its length.
constexpr std::size_t kMaxDumpDepth = 10000;

std::string Digits(float value, std::chars_format form, int digits) {
  std::array<char, 64> buffer{};
  auto const result = std::to_chars(buffer.data(), buffer.data() + buffer.size(), value, form, digits);
  return {buffer.data(), result.ptr};
}

// Nine digits, which tell all float32 apart.
std::string NineDigits(float value) { return Digits(value, std::chars_format::general, 9); }

std::string Lines(Span<float const> values, std::string const& indent, std::string const& between) {
  std::string out;
  for (std::size_t i = 0; i < values.size(); ++i) {
    out += indent + Digits(values[i], std::chars_format::general, 6) + (i + 1 < values.size() ? between : "") + "\n";
  }
  return out;
}

// A linear model: biases first, then the weights feature by feature, all outputs of a feature side by side.
std::string DumpLinear(LinearModel const& linear, std::size_t outputs, DumpFormat format) {
  Require<ParamError>(format != DumpFormat::kDot,
                      "`dump_format` dot draws trees, and a linear model has none. Use text or json.");
  Span<float const> const all(linear.weights);
  std::size_t const count = all.size() - outputs;
  Span<float const> const weights = all.Sub(0, count), biases = all.Sub(count, outputs);
  if (format == DumpFormat::kText) return "bias:\n" + Lines(biases, "", "") + "weight:\n" + Lines(weights, "", "");
  return "  { \"bias\": [\n" + Lines(biases, "      ", ",") + "    ],\n    \"weight\": [\n" +
         Lines(weights, "      ", ",") + "    ]\n  }";
}

// How the nodes of a tree are worded.
class TreeWords {
 public:
  TreeWords(Tree const& tree, DumpOptions const& options) : tree_(tree), options_(options) {}

  enum class Test { kNumber, kIndicator, kCategories };
  // How the node's test reads. An indicator's test is shown as a number's if it keeps 0, 1 and missing values together:
  // the column then has more than two values.
  Test TestOf(NodeId node) const {
    if (tree_.categorical[Tree::At(node)] != 0) return Test::kCategories;
    bool const together = SideOf(node, 0) == SideOf(node, 1) && SideOf(node, 1) == Missing(node);
    return Type(node) == "i" && !together ? Test::kIndicator : Test::kNumber;
  }

  std::string Name(NodeId node) const {
    std::size_t const feature = tree_.feature[Tree::At(node)];
    return feature < options_.feature_names.size() ? Escaped(options_.feature_names[feature])
                                                   : "f" + std::to_string(feature);
  }

  std::string Threshold(NodeId node) const { return NineDigits(tree_.threshold[Tree::At(node)]); }

  // The threshold as the whole number that means the same for whole numbers, if the feature is of type int.
  std::string RoundedThreshold(NodeId node) const {
    if (Type(node) != "int") return Threshold(node);
    float const whole = std::ceil(tree_.threshold[Tree::At(node)]) + 0.0F;  // no minus zero
    return Digits(whole, std::chars_format::fixed, 0);
  }

  // The node's categories, such as "0,2,5".
  std::string CategoryList(NodeId node, std::string_view between) const {
    std::string out;
    for (std::int32_t const category : tree_.CategorySet(node)) {
      if (!out.empty()) out += between;
      out += std::to_string(category);
    }
    return out;
  }

  // The same by the names that the model knows; codes without a name stay.
  std::vector<std::string> CategoryNames(NodeId node, std::vector<Categories> const& categories) const {
    std::size_t const feature = tree_.feature[Tree::At(node)];
    Categories const known = feature < categories.size() ? categories[feature] : Categories{};
    std::vector<std::string> out;
    for (std::int32_t const category : tree_.CategorySet(node)) {
      auto const code = static_cast<std::size_t>(category);
      out.push_back(code < known.names.size()     ? Escaped(known.names[code])
                    : code < known.numbers.size() ? NumberText(known.numbers[code])
                                                  : std::to_string(category));
    }
    return out;
  }

  // A number, or a list of them in brackets: all of them, or the first two and the last of a long one.
  std::string LeafValue(NodeId node, bool in_full) const {
    auto const values = tree_.Value(node);
    if (values.size() == 1) return NineDigits(values[0]);
    std::string out;
    for (std::size_t k = 0; k < values.size(); ++k) {
      bool const shown = in_full || values.size() <= 3 || k < 2 || k + 1 == values.size();
      if (shown) out += (k == 0 ? "[" : ", ") + NineDigits(values[k]);
      if (!shown && k == 2) out += ", ...";
    }
    return out + "]";
  }

  // Gain, unless it is a leaf, and cover, each behind its word; "" without statistics.
  std::string Stats(NodeId node, std::string const& gain, std::string const& cover) const {
    if (!options_.with_stats) return "";
    std::size_t const at = Tree::At(node);
    return (IsLeaf(node) ? "" : gain + NineDigits(tree_.gain[at])) + cover + NineDigits(tree_.cover[at]);
  }

  bool IsLeaf(NodeId node) const { return tree_.IsLeaf(node); }
  NodeId Left(NodeId node) const { return tree_.left[Tree::At(node)]; }
  NodeId Right(NodeId node) const { return tree_.right[Tree::At(node)]; }
  // Where missing values go.
  NodeId Missing(NodeId node) const { return tree_.default_left[Tree::At(node)] != 0 ? Left(node) : Right(node); }
  // Where a number goes.
  NodeId SideOf(NodeId node, float value) const {
    return value < tree_.threshold[Tree::At(node)] ? Left(node) : Right(node);
  }
  // Where rows go for which the node's test is true, and where the others go: a set of categories goes right, an
  // indicator asks for 1. Where the present values of an indicator stay together, "no" is for the missing ones, as in
  // XGBoost.
  NodeId Yes(NodeId node) const {
    Test const test = TestOf(node);
    if (test == Test::kIndicator) return SideOf(node, 1);
    return test == Test::kCategories ? Right(node) : Left(node);
  }
  NodeId No(NodeId node) const { return Yes(node) == Left(node) ? Right(node) : Left(node); }

 private:
  std::string_view Type(NodeId node) const {
    std::size_t const feature = tree_.feature[Tree::At(node)];
    return feature < options_.feature_types.size() ? std::string_view(options_.feature_types[feature])
                                                   : std::string_view();
  }

  Tree const& tree_;
  DumpOptions const& options_;
};

// Calls `enter(node, depth)` for every node in preorder and `leave(node, depth)` after the children of an inner node.
// Needs no recursion, which a degenerate tree would drive too deep.
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

void CheckDepth(Tree const& tree) {
  auto const check = [](NodeId /*node*/, std::size_t depth) {
    Require<ParamError>(depth <= kMaxDumpDepth, "A tree deeper than ", kMaxDumpDepth,
                        " levels cannot be dumped as text.");
  };
  WalkTree(tree, check, check);
}

// Readers of XGBoost's dumps take missing values of an indicator for "no" unless they are told otherwise.
bool MissingIsTold(TreeWords const& words, NodeId node) {
  return words.TestOf(node) != TreeWords::Test::kIndicator || words.Missing(node) != words.No(node);
}

std::string TextLine(TreeWords const& words, NodeId node, std::string const& indent) {
  std::string const end = words.Stats(node, ",gain=", ",cover=") + "\n";
  if (words.IsLeaf(node)) return Text(indent, node, ":leaf=", words.LeafValue(node, false), end);
  std::string const yes_no = Text("] yes=", words.Yes(node), ",no=", words.No(node));
  std::string const missing = Text(",missing=", words.Missing(node));
  switch (words.TestOf(node)) {
    case TreeWords::Test::kIndicator:
      return Text(node, ":[", words.Name(node), yes_no, MissingIsTold(words, node) ? missing : "", end);
    case TreeWords::Test::kCategories:
      return Text(indent, node, ":[", words.Name(node), ":{", words.CategoryList(node, ","), "}", yes_no, missing, end);
    case TreeWords::Test::kNumber:
      break;
  }
  return Text(indent, node, ":[", words.Name(node), "<", words.RoundedThreshold(node), yes_no, missing, end);
}

std::string JsonCondition(TreeWords const& words, NodeId node) {
  switch (words.TestOf(node)) {
    case TreeWords::Test::kIndicator:
      return "";
    case TreeWords::Test::kCategories:
      return ", \"split_condition\": [" + words.CategoryList(node, ", ") + "]";
    case TreeWords::Test::kNumber:
      break;
  }
  std::string const number = words.RoundedThreshold(node);
  // A split of all present values from the missing ones may have no finite threshold: written as in model files.
  std::string const text = number == "inf" ? "Infinity" : number == "-inf" ? "-Infinity" : number;
  return ", \"split_condition\": " + text;
}

std::string JsonNode(TreeWords const& words, NodeId node, std::size_t depth) {
  std::string const head = Text("{ \"nodeid\": ", node);
  std::string const stats = words.Stats(node, ", \"gain\": ", ", \"cover\": ");
  if (words.IsLeaf(node)) {
    return Text(head, ", \"leaf\": ", words.LeafValue(node, true), " ", stats, stats.empty() ? "}" : " }");
  }
  std::string const missing = MissingIsTold(words, node) ? Text(", \"missing\": ", words.Missing(node)) : "";
  return Text(head, ", \"depth\": ", depth, ", \"split\": \"", words.Name(node), "\"", JsonCondition(words, node),
              ", \"yes\": ", words.Yes(node), ", \"no\": ", words.No(node), missing, " ", stats, ", \"children\": [");
}

std::string DumpAsText(Tree const& tree, DumpOptions const& options) {
  TreeWords const words(tree, options);
  std::string out;
  WalkTree(
      tree, [&](NodeId node, std::size_t depth) { out += TextLine(words, node, std::string(depth, '\t')); },
      [](NodeId, std::size_t) {});
  return out;
}

std::string DumpAsJson(Tree const& tree, DumpOptions const& options) {
  TreeWords const words(tree, options);
  std::string out;
  char const* before = "";
  auto const enter = [&](NodeId node, std::size_t depth) {
    out += before + std::string(2 * (depth + 1), ' ') + JsonNode(words, node, depth);
    before = tree.IsLeaf(node) ? ", \n" : "\n";
  };
  auto const leave = [&](NodeId, std::size_t depth) {
    out += "\n" + std::string(2 * (depth + 1), ' ') + "]}";
    before = ", \n";
  };
  WalkTree(tree, enter, leave);
  return out;
}

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

// The parts of a dot file that are the same for every tree.
struct DotStyle {
  DotStyle(ParamMap const& given, std::vector<Categories> const& all_categories) {
    std::vector<std::string> const known = {"rankdir",       "graph_attrs",           "yes_color",
                                            "no_color",      "condition_node_params", "leaf_node_params",
                                            "category_names"};
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

  std::string graph;  // lines that set the attributes of the graph
  std::string missing_color = "#0000FF";
  std::string other_color = "#FF0000";
  std::string inner;  // attributes of inner nodes
  std::string leaf;
  std::vector<Categories> const* categories = nullptr;  // of the model, if nodes show their names in place of codes
};
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

std::string DumpAsDot(Tree const& tree, DumpOptions const& options, DotStyle const& style) {
  TreeWords const words(tree, options);
  std::string out = "digraph {\n    graph [ rankdir=TB ]\n" + style.graph;
  auto const enter = [&](NodeId node, std::size_t) {
    bool const is_leaf = tree.IsLeaf(node);
    out += Text("\n    ", node, " [ label=\"", Label(words, node, style), words.Stats(node, "\ngain=", "\ncover="),
                "\"", is_leaf ? style.leaf : style.inner, " ]\n");
    if (!is_leaf) out += Edge(words, node, words.Left(node), style) + Edge(words, node, words.Right(node), style);
  };
  WalkTree(tree, enter, [](NodeId, std::size_t) {});
  return out + "}";
}

}  // namespace

std::vector<std::string> DumpModel(Model const& model, DumpOptions const& options) {
  if (model.linear) return {DumpLinear(*model.linear, static_cast<std::size_t>(model.num_outputs), options.format)};
  DotStyle const style(options.dot, model.categories);
  std::vector<std::string> texts;
  for (auto const& tree : model.trees) {
    CheckDepth(*tree);
    switch (options.format) {
      case DumpFormat::kText:
        texts.push_back(DumpAsText(*tree, options));
        break;
      case DumpFormat::kJson:
        texts.push_back(DumpAsJson(*tree, options));
        break;
      case DumpFormat::kDot:
        texts.push_back(DumpAsDot(*tree, options, style));
        break;
    }
  }
  return texts;
}

}  // namespace xgbl
