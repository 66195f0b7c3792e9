// SPDX-License-Identifier: Apache-2.0
// A trained model: trees, intercept and what is needed to use them (objective, names, types, categories, attributes).
// It knows nothing of training. Trees of one round stand together; round r has the trees
// [round_begin[r], round_begin[r + 1]), and tree t adds to output tree_output[t] (a vector-leaf tree to all outputs).
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "base/params.h"
#include "data/meta.h"
#include "tree/tree.h"

namespace xgbl {

struct Model {
  std::string objective = "reg:squarederror";
  ParamMap objective_params;                                  // as the objective's Params() gives them
  std::map<std::string, std::vector<float>> objective_state;  // what it learned beside the trees
  std::size_t num_features = 0;
  int num_outputs = 1;            // margins per row
  int num_class = 0;              // 0 unless the objective is multi-class
  int num_target = 1;             // columns of the label
  std::vector<float> base_score;  // one, or one per output, in the objective's base_score space; empty: not yet known
  int num_parallel_tree = 1;

  std::vector<std::shared_ptr<Tree const>> trees;
  std::vector<std::int32_t> tree_output;
  std::vector<std::size_t> round_begin{0};

  std::vector<std::string> feature_names;
  std::vector<std::string> feature_types;
  std::vector<Categories> categories;
  std::map<std::string, std::string> attributes;

  std::size_t Rounds() const { return round_begin.size() - 1; }
  void AppendRound(std::vector<std::shared_ptr<Tree const>> round, std::vector<std::int32_t> const& outputs);
  /// The model of rounds begin, begin + step, … below end.
  Model Slice(std::size_t begin, std::size_t end, std::size_t step) const;
};

/// A run of rounds; end 0 means all.
struct RoundRange {
  std::size_t begin = 0;
  std::size_t end = 0;
};

/// The trees of a range; ParamError if it reaches beyond the model or begins at or after its end.
RoundRange ResolveTrees(Model const& model, RoundRange rounds);

}  // namespace xgbl
