// SPDX-License-Identifier: Apache-2.0
// A trained model: trees or linear weights, the intercept, and what is needed to use them (objective, names, types,
// categories, attributes). It knows nothing of training. The trees of a round stand together: round r has the trees
// [round_begin[r], round_begin[r + 1]). Tree t adds to output tree_output[t]; a vector-leaf tree adds to all outputs. A
// linear model has no trees, and does not tell its rounds apart.
#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>
#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "base/params.h"
#include "labels/meta.h"
#include "tree/tree.h"

namespace xgbl {

/// Codes of categories as rising ranges with gaps between them. A range includes both ends.
struct CodeRange {
  std::int32_t first = 0;
  std::int32_t last = 0;
  bool operator==(CodeRange const& other) const { return first == other.first && last == other.last; }
};
using CodeSet = std::vector<CodeRange>;

constexpr std::int32_t kMostCode = (1 << 24) - 1;  // codes are float32: beyond it neighbours become equal

/// Whether a value is one of the codes.
bool Contains(CodeSet const& codes, float value);
/// The set of these codes, which rise.
CodeSet CodeSetOf(std::vector<std::int32_t> const& codes);
CodeSet Union(CodeSet const& a, CodeSet const& b);

/// What a model remembers of its training data, to detect data that do not match: the codes of categories without
/// labels, and whether boosting began from margins that came with the rows. In files these are attributes, which
/// xgboost keeps without knowing them.
struct TrainingFacts {
  bool base_margin = false;
  std::map<std::size_t, CodeSet> codes;  // by feature; one that is not here has labels, or nobody knows its codes

  bool operator==(TrainingFacts const& other) const { return base_margin == other.base_margin && codes == other.codes; }
};

/// Features and their codes as text, "0:0-4,7;3:0-1", and back; false if the text is none, or not of `features`.
std::string CodesText(std::map<std::size_t, CodeSet> const& codes);
bool ParseCodes(std::string_view text, std::size_t features, std::map<std::size_t, CodeSet>* codes);

struct LinearModel {
  std::vector<float> weights;  // (features + 1) x outputs in row order, the last row the biases
  std::size_t rounds = 0;
  float last_step = std::numeric_limits<float>::infinity();  // largest change of a weight in the last round
};

struct Model {
  std::string objective = "reg:squarederror";
  ParamMap objective_params;                                  // as the objective's Params() gives them
  std::map<std::string, std::vector<float>> objective_state;  // what it learned beside the trees
  // By round, what that was before it, as far as it changed; not part of files. To take rounds back.
  std::map<std::size_t, std::map<std::string, std::vector<float>>> earlier_states;
  std::size_t num_features = 0;
  int num_outputs = 1;            // margins per row
  int num_class = 0;              // 0 unless the objective is multi-class
  int num_target = 1;             // columns of the label
  std::vector<float> base_score;  // one, or one per output, in the objective's base_score space; empty: not yet known
  int num_parallel_tree = 1;

  std::vector<std::shared_ptr<Tree const>> trees;
  std::vector<std::int32_t> tree_output;
  std::vector<std::size_t> round_begin{0};
  std::vector<float> tree_weights;            // by tree, a factor on its leaves; empty: all 1
  std::shared_ptr<LinearModel const> linear;  // nullptr unless the model is linear

  std::vector<std::string> feature_names;
  std::vector<std::string> feature_types;
  std::vector<Categories> categories;
  std::map<std::string, std::string> attributes;
  TrainingFacts facts;

  std::size_t Rounds() const { return linear ? linear->rounds : round_begin.size() - 1; }
  float TreeWeight(std::size_t tree) const { return tree_weights.empty() ? 1.0F : tree_weights[tree]; }
  void AppendRound(std::vector<std::shared_ptr<Tree const>> round, std::vector<std::int32_t> const& outputs);
  /// All but the trees or linear weights: the model before its first round.
  Model WithoutRounds() const;
  /// The model of rounds begin, begin + step, … below end; ParamError if it is linear.
  Model Slice(std::size_t begin, std::size_t end, std::size_t step) const;
};

/// A run of rounds; end 0 means all.
struct RoundRange {
  std::size_t begin = 0;
  std::size_t end = 0;
};

/// The trees of a range; ParamError if it reaches beyond the model or begins at or after its end, or if it begins
/// within a linear model.
RoundRange ResolveTrees(Model const& model, RoundRange rounds);

/// Which category codes a model knows from its training. Our own files list them, and so do labels. Files of xgboost do
/// not: they only have the sets that trees split by, and codes up to the highest one in those sets count as known.
struct KnownCodes {
  std::size_t feature = 0;
  CodeSet codes;
  bool certain = true;  // whether they are the training data's, and not those of the splits
};

/// Of each feature that the model takes for categories, rising; none of a linear model.
std::vector<KnownCodes> KnownCodesOf(Model const& model);
/// Whether a split of the model asks for a category, by feature. Features without such a split may be absent.
std::vector<bool> SplitBySets(Model const& model);

}  // namespace xgbl
