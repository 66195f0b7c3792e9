// SPDX-License-Identifier: Apache-2.0
// The parameter objects of a model file, shared by reading and writing.
#pragma once

#include <cstdint>
#include <string>

#include "model/record.h"

namespace xgbl {

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
