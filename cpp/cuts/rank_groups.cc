// SPDX-License-Identifier: Apache-2.0
#include "cuts/rank_groups.h"

#include <algorithm>
#include <numeric>
#include <utility>

#include "cuts/weight_groups.h"

namespace xgbl {
namespace {

constexpr std::size_t kFineness = 8;  // what XGBoost's sketch keeps, in multiples of the bins

// A weight that is left, and what it stands between.
struct Ranked {
  std::size_t place = 0;
  double before = 0;  // the sum of all weights before it
  double upto = 0;    // and with it

  double Rank() const { return (before + upto) * 0.5; }
};

std::vector<Ranked> RanksOf(Span<std::uint64_t const> weights) {
  std::vector<Ranked> all;
  all.reserve(weights.size());
  std::uint64_t before = 0;
  for (std::size_t i = 0; i < weights.size(); before += weights[i++]) {
    all.push_back({i, static_cast<double>(before), static_cast<double>(before + weights[i])});
  }
  return all;
}

// Keeps the first, the last, and between them those whose ranks are nearest to equal steps: at most so many.
std::vector<Ranked> Thinned(std::vector<Ranked> all, std::size_t most) {
  if (all.size() <= most) return all;
  std::size_t const last = all.size() - 1, steps = most - 1;
  double const begin = all[0].upto, range = all[last].before - begin;
  std::vector<Ranked> kept{all[0]};
  std::size_t i = 1;
  for (std::size_t step = 1; step < steps; ++step) {
    double const target = begin + static_cast<double>(step) * range / static_cast<double>(steps);
    while (i < last && target >= all[i + 1].Rank()) ++i;
    if (i == last) break;
    Ranked const& nearest = target * 2 < all[i].upto + all[i + 1].before ? all[i] : all[i + 1];
    if (nearest.place != kept.back().place) kept.push_back(nearest);
  }
  if (kept.back().place != all[last].place) kept.push_back(all[last]);
  return kept;
}

// How many of the values XGBoost's sketch has room for before it thins them out.
std::size_t SketchSize(std::size_t cells, std::size_t fine) {
  for (std::size_t level = 1;; ++level) {
    std::size_t const size = std::min(cells, level * fine + 1);
    if ((size << level) >= cells) return size;
  }
}

}  // namespace

std::vector<std::size_t> GroupByRank(Span<std::uint64_t const> weights, std::size_t cells, std::size_t groups) {
  if (weights.size() <= groups) return GroupByWeight(weights, groups);
  std::size_t const fine = std::min(cells, kFineness * groups), room = SketchSize(cells, fine);
  std::vector<Ranked> ranked = RanksOf(weights);
  if (ranked.size() <= 2 * room) ranked = Thinned(Thinned(std::move(ranked), room), fine);
  ranked = Thinned(std::move(ranked), groups + 1);
  ranked.resize(std::min(ranked.size(), groups));  // all but the last value, if there is one too many
  if (4 * ranked.size() < 3 * groups) return GroupByWeight(weights, groups);
  std::vector<std::size_t> first;
  for (Ranked const& one : ranked) first.push_back(one.place);
  return first;
}

}  // namespace xgbl
