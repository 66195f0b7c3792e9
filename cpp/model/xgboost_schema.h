// SPDX-License-Identifier: Apache-2.0
// The parts of a model file in XGBoost's schema, shared by reading and writing.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "labels/meta.h"
#include "model/model.h"
#include "model/record.h"
#include "tree/tree.h"

namespace xgbl {

/// A tree as an object of a model file. Reads what every version of xgboost since 1.0 wrote; the resulting tree has
/// passed CheckTree. Writes what the newest version writes.
Value SaveTree(Tree const& tree, std::size_t index, std::size_t num_features);
Tree LoadTree(Field const& object, std::size_t num_features);

/// The categories of the training data as the object `cats` of a model file.
Value SaveCategories(std::vector<Categories> const& features);
std::vector<Categories> LoadCategories(Field const& object);

/// The objective as an object of a model file: its name, and its parameters in groups that xgboost names. In a Model
/// they are flat; a parameter of an unknown group is called "group/name". Arrays next to the groups are what the
/// objective learned in addition to the trees. SaveAttributes has the parameters that are kept elsewhere.
Value SaveObjective(Model const& model);
void LoadObjective(Field const& object, Model* model);

/// The attributes in a model file. Some are the user's. Others, under names of our own, hold what xgboost's readers
/// would refuse as unknown members: parameters that xgboost's objectives have only here, and what the model remembers
/// of its training data. Whether a parameter of this objective is an attribute in a file; to other objectives it is one
/// of the user's.
bool IsKeptAsAttribute(std::string const& name, std::string const& objective);

Value SaveAttributes(Model const& model);
/// After LoadObjective().
void LoadAttributes(Field const& object, Model* model);

struct LearnerModelRecord {
  std::string base_score;
  std::int64_t boost_from_average = 1, num_class = 0, num_feature = 0, num_target = 1;

  template <class F>
  static void Describe(F& field) {
    field("base_score", &LearnerModelRecord::base_score);
    field("boost_from_average", &LearnerModelRecord::boost_from_average, Presence::kNewer);
    field("num_class", &LearnerModelRecord::num_class);
    field("num_feature", &LearnerModelRecord::num_feature);
    field("num_target", &LearnerModelRecord::num_target, Presence::kNewer);
  }
};

struct ForestRecord {
  std::int64_t num_parallel_tree = 1, num_trees = 0;

  template <class F>
  static void Describe(F& field) {
    field("num_parallel_tree", &ForestRecord::num_parallel_tree, Presence::kNewer);
    field("num_trees", &ForestRecord::num_trees);
  }
};

}  // namespace xgbl
