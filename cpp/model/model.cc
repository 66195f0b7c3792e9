// SPDX-License-Identifier: Apache-2.0
#include "model/model.h"

#include <algorithm>
#include <utility>

#include "base/error.h"

namespace xgbl {

namespace {

// Twice the room each time, as reserve() alone would copy everything in every round.
template <class T>
void MakeRoom(std::vector<T>* items, std::size_t more) {
  std::size_t const needed = items->size() + more;
  if (needed > items->capacity()) items->reserve(std::max(needed, 2 * items->capacity()));
}

}  // namespace

void Model::AppendRound(std::vector<std::shared_ptr<Tree const>> round, std::vector<std::int32_t> const& outputs) {
  Ensure(round.size() == outputs.size(), round.size(), " trees of a round come with ", outputs.size(), " outputs.");
  MakeRoom(&trees, round.size());  // what follows cannot fail half-way
  MakeRoom(&tree_output, round.size());
  MakeRoom(&round_begin, 1);
  if (!tree_weights.empty()) tree_weights.resize(trees.size() + round.size(), 1.0F);
  trees.insert(trees.end(), std::make_move_iterator(round.begin()), std::make_move_iterator(round.end()));
  tree_output.insert(tree_output.end(), outputs.begin(), outputs.end());
  round_begin.push_back(trees.size());
}

Model Model::WithoutRounds() const {
  Model bare = *this;
  bare.trees.clear();
  bare.tree_output.clear();
  bare.round_begin = {0};
  bare.tree_weights.clear();
  bare.linear = nullptr;
  bare.earlier_states.clear();
  return bare;
}

Model Model::Slice(std::size_t begin, std::size_t end, std::size_t step) const {
  Require<ParamError>(step >= 1, "The step of a slice must be >= 1; got ", step, ".");
  Require<ParamError>(begin < end && end <= Rounds(), "A slice must be a range of rounds within [0, ", Rounds(),
                      "]; got [", begin, ", ", end, ").");
  Require<ParamError>(!linear, "A linear model cannot be sliced: its rounds all change the same weights.");
  Model slice = WithoutRounds();
  if (begin == 0 && step == 1) {  // else rounds have other numbers
    slice.earlier_states.insert(earlier_states.begin(), earlier_states.lower_bound(end));
  }
  slice.attributes.erase("best_iteration");  // they speak of the rounds of the whole model
  slice.attributes.erase("best_score");
  for (std::size_t round = begin; round < end; round += step) {
    for (std::size_t tree = round_begin[round]; tree < round_begin[round + 1]; ++tree) {
      slice.trees.push_back(trees[tree]);
      slice.tree_output.push_back(tree_output[tree]);
      if (!tree_weights.empty()) slice.tree_weights.push_back(tree_weights[tree]);
    }
    slice.round_begin.push_back(slice.trees.size());
    if (step > end - round) break;  // adding the step might wrap round
  }
  return slice;
}

RoundRange ResolveTrees(Model const& model, RoundRange rounds) {
  std::size_t const end = rounds.end == 0 ? model.Rounds() : rounds.end;
  bool const all = rounds.begin == 0 && rounds.end == 0;
  Require<ParamError>(all || (rounds.begin < end && end <= model.Rounds()),
                      "Invalid `iteration_range`: it must lie within the ", model.Rounds(),
                      " rounds of the model and not be empty; got (", rounds.begin, ", ", rounds.end,
                      "). Use (0, 0) for all rounds.");
  Require<ParamError>(!model.linear || rounds.begin == 0, "`iteration_range` of a linear model must begin with 0; got ",
                      rounds.begin, ". Its rounds all change the same weights.");
  if (model.linear) return {0, 0};
  return {model.round_begin[rounds.begin], model.round_begin[end]};
}

}  // namespace xgbl
