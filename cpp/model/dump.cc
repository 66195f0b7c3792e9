// SPDX-License-Identifier: Apache-2.0
#include "model/dump.h"

#include <array>
#include <charconv>
#include <cmath>

#include "base/error.h"
#include "base/numbers.h"
#include "base/span.h"
#include "model/archive.h"
#include "model/dump_tree.h"

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

std::string WholeText(float value) { return Digits(value, std::chars_format::fixed, 0); }

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

void CheckDepth(Tree const& tree) {
  auto const check = [](NodeId /*node*/, std::size_t depth) {
    Require<ParamError>(depth <= kMaxDumpDepth, "A tree deeper than ", kMaxDumpDepth,
                        " levels cannot be dumped as text.");
  };
  WalkTree(tree, check, check);
}

}  // namespace

std::string_view TreeWords::Type(NodeId node) const {
  std::size_t const feature = tree_.feature[Tree::At(node)];
  return feature < options_.feature_types.size() ? std::string_view(options_.feature_types[feature])
                                                 : std::string_view();
}

TreeWords::Test TreeWords::TestOf(NodeId node) const {
  if (tree_.categorical[Tree::At(node)] != 0) return Test::kCategories;
  bool const together = SideOf(node, 0) == SideOf(node, 1) && SideOf(node, 1) == Missing(node);
  return Type(node) == "i" && !together ? Test::kIndicator : Test::kNumber;
}

std::string TreeWords::Name(NodeId node) const {
  std::size_t const feature = tree_.feature[Tree::At(node)];
  return feature < options_.feature_names.size() ? Escaped(options_.feature_names[feature])
                                                 : "f" + std::to_string(feature);
}

std::string TreeWords::Threshold(NodeId node) const { return NineDigits(tree_.threshold[Tree::At(node)]); }

std::string TreeWords::RoundedThreshold(NodeId node) const {
  if (Type(node) != "int") return Threshold(node);
  return WholeText(std::ceil(tree_.threshold[Tree::At(node)]) + 0.0F);  // no minus zero
}

std::vector<std::string> TreeWords::CategoryNames(NodeId node, std::vector<Categories> const& categories) const {
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

std::string TreeWords::CategoryList(NodeId node, std::string_view between) const {
  std::string out;
  for (std::int32_t const category : tree_.CategorySet(node)) {
    if (!out.empty()) out += between;
    out += std::to_string(category);
  }
  return out;
}

std::string TreeWords::LeafValue(NodeId node, bool in_full) const {
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

std::string TreeWords::Gain(NodeId node) const { return NineDigits(tree_.gain[Tree::At(node)]); }
std::string TreeWords::Cover(NodeId node) const { return NineDigits(tree_.cover[Tree::At(node)]); }

NodeId TreeWords::Yes(NodeId node) const {
  switch (TestOf(node)) {
    case Test::kCategories:
      return Right(node);
    case Test::kIndicator:
      return SideOf(node, 1);
    case Test::kNumber:
      break;
  }
  return Left(node);
}

std::vector<std::string> DumpModel(Model const& model, DumpOptions const& options) {
  if (model.linear) return {DumpLinear(*model.linear, static_cast<std::size_t>(model.num_outputs), options.format)};
  DotStyle const style(options.dot, model.categories);
  std::vector<std::string> texts;
  for (auto const& tree : model.trees) {
    CheckDepth(*tree);
    switch (options.format) {
      case DumpFormat::kText:
        texts.push_back(DumpText(*tree, options));
        break;
      case DumpFormat::kJson:
        texts.push_back(DumpJson(*tree, options));
        break;
      case DumpFormat::kDot:
        texts.push_back(DumpDot(*tree, options, style));
        break;
    }
  }
  return texts;
}

}  // namespace xgbl
