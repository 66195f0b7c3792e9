// SPDX-License-Identifier: Apache-2.0
// The two forms that read from the root down: a line per node, and nested JSON objects.
#include "base/error.h"
#include "model/dump_tree.h"

namespace xgbl {
namespace {

// Readers of XGBoost's dumps take missing values of an indicator for "no" unless they are told otherwise.
bool MissingIsTold(TreeWords const& words, NodeId node) {
  return words.TestOf(node) != TreeWords::Test::kIndicator || words.Missing(node) != words.No(node);
}

std::string TextStats(TreeWords const& words, NodeId node) {
  if (!words.WithStats()) return "";
  std::string const gain = words.IsLeaf(node) ? "" : ",gain=" + words.Gain(node);
  return gain + ",cover=" + words.Cover(node);
}

std::string TextLine(TreeWords const& words, NodeId node, std::string const& indent) {
  if (words.IsLeaf(node))
    return Text(indent, node, ":leaf=", words.LeafValue(node, false), TextStats(words, node), "\n");
  std::string const yes_no = Text("] yes=", words.Yes(node), ",no=", words.No(node));
  std::string const missing = Text(",missing=", words.Missing(node));
  std::string const end = TextStats(words, node) + "\n";
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

std::string JsonStats(TreeWords const& words, NodeId node) {
  if (!words.WithStats()) return "";
  std::string const gain = words.IsLeaf(node) ? "" : ", \"gain\": " + words.Gain(node);
  return gain + ", \"cover\": " + words.Cover(node);
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
  if (words.IsLeaf(node)) {
    return Text(head, ", \"leaf\": ", words.LeafValue(node, true), " ", JsonStats(words, node),
                words.WithStats() ? " }" : "}");
  }
  std::string const missing = MissingIsTold(words, node) ? Text(", \"missing\": ", words.Missing(node)) : "";
  return Text(head, ", \"depth\": ", depth, ", \"split\": \"", words.Name(node), "\"", JsonCondition(words, node),
              ", \"yes\": ", words.Yes(node), ", \"no\": ", words.No(node), missing, " ", JsonStats(words, node),
              ", \"children\": [");
}

}  // namespace

std::string DumpText(Tree const& tree, DumpOptions const& options) {
  TreeWords const words(tree, options);
  std::string out;
  WalkTree(
      tree, [&](NodeId node, std::size_t depth) { out += TextLine(words, node, std::string(depth, '\t')); },
      [](NodeId, std::size_t) {});
  return out;
}

std::string DumpJson(Tree const& tree, DumpOptions const& options) {
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

}  // namespace xgbl
