// SPDX-License-Identifier: Apache-2.0
// Dropouts meet multiple additive regression trees (Rashmi and Gilad-Bachrach, AISTATS 2015). A round leaves out some
// of the trees and fits new ones to what the others lack. The new and the dropped trees then share that part. Which
// trees are dropped is a function of (seed, round, tree) alone, so built-in and custom objectives see the same margins.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "base/params.h"
#include "model/model.h"

namespace xgbl {

struct DartParam {
  double rate_drop = 0;
  std::string sample_type = "uniform";
  std::string normalize_type = "tree";
  bool one_drop = false;
  double skip_drop = 0;

  bool MayDrop() const { return rate_drop > 0 || one_drop; }

  template <class F>
  static void Describe(F& field) {
    using P = DartParam;
    field("rate_drop", &P::rate_drop, "Share of the trees that a round of dart leaves out.")
        .Range(0, 1)
        .Needs("`skip_drop` below 1", [](P const& p) { return p.skip_drop < 1; })
        .Elsewhere({"drop_rate"});
    field("sample_type", &P::sample_type,
          "Which trees dart leaves out: each with the same probability, or in proportion to its weight.")
        .OneOf({"uniform", "weighted"})
        .Needs("`rate_drop` above 0 or `one_drop`, and `skip_drop` below 1",
               [](P const& p) { return p.MayDrop() && p.skip_drop < 1; });
    field("normalize_type", &P::normalize_type,
          "The weight of new trees of dart: as much as each dropped one, or as much as all of them together.")
        .OneOf({"tree", "forest"})
        .Needs("`rate_drop` above 0, and `skip_drop` below 1",  // one tree alone is weighed the same either way
               [](P const& p) { return p.rate_drop > 0 && p.skip_drop < 1; });
    field("one_drop", &P::one_drop, "Whether a round of dart leaves out at least one tree.")
        .Needs("`skip_drop` below 1", [](P const& p) { return p.skip_drop < 1; });
    field("skip_drop", &P::skip_drop, "Probability that a round of dart leaves out no tree, even with one_drop.")
        .Range(0, 1)
        .Needs("`rate_drop` above 0 or `one_drop`", [](P const& p) { return p.MayDrop(); });
  }
};

/// The trees that the model's next round leaves out, rising.
std::vector<std::size_t> DroppedTrees(DartParam const& param, Model const& model, std::uint64_t seed);

/// The weights of all trees, `fresh` new ones last, after a round that left out `dropped`, of which there is one at
/// least.
std::vector<float> Reweighted(DartParam const& param, Model const& model, std::vector<std::size_t> const& dropped,
                              std::size_t fresh, double learning_rate);

}  // namespace xgbl
