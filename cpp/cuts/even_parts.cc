// SPDX-License-Identifier: Apache-2.0
#include "cuts/even_parts.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <utility>

namespace xgbl {
namespace {

constexpr std::size_t kFineness = 8;  // what XGBoost's sketch keeps, in multiples of the bins

// Neighbours none of which is heavy, with the heavy one that follows, if any.
struct Run {
  std::size_t begin = 0;
  std::size_t end = 0;  // the heavy one, or the number of weights
  std::uint64_t weight = 0;
  std::size_t parts = 0;
};

std::vector<Run> RunsBetween(Span<std::uint64_t const> weights, std::uint64_t heavy) {
  std::vector<Run> runs(1);
  for (std::size_t i = 0; i < weights.size(); ++i) {
    if (weights[i] > heavy) {
      runs.back().end = i;
      runs.push_back({i + 1, i + 1, 0, 0});
    } else {
      runs.back().weight += weights[i];
    }
  }
  runs.back().end = weights.size();
  return runs;
}

// Gives the runs their parts in proportion to their weights. Those too light for one get one all the same, unless that
// took too many from the others.
void ShareParts(std::size_t parts, std::vector<Run>* runs) {
  std::uint64_t total = 0;
  for (Run const& run : *runs) total += run.weight;
  double const half_share = static_cast<double>(total) / static_cast<double>(parts) * 0.5;
  auto const is_light = [&](Run const& run) { return static_cast<double>(run.weight) < half_share; };
  std::size_t light = 0;
  std::uint64_t light_weight = 0;
  for (Run const& run : *runs) {
    if (run.begin == run.end || !is_light(run)) continue;
    ++light;
    light_weight += run.weight;
  }
  bool const all = 4 * light <= parts;
  double const shared = static_cast<double>(all ? parts - light : parts);
  double const weight = static_cast<double>(all ? total - light_weight : total);
  std::uint64_t upto = 0;
  std::size_t given = 0;
  for (Run& run : *runs) {
    if (run.begin == run.end) continue;
    if (all && is_light(run)) {
      run.parts = 1;
      continue;
    }
    upto += run.weight;
    auto const due = weight > 0 ? static_cast<std::size_t>(static_cast<double>(upto) * shared / weight + 0.5) : parts;
    run.parts = due - given;
    given = due;
  }
}

// Appends where the parts of a run begin: where the sum comes nearest to each multiple of a part's share.
void SplitRun(Span<std::uint64_t const> weights, Run const& run, std::vector<std::size_t>* first) {
  first->push_back(run.begin);
  double const share = static_cast<double>(run.weight) / static_cast<double>(run.parts);
  std::uint64_t sum = 0;
  std::size_t next = run.begin;
  for (std::size_t part = 1; part < run.parts; ++part) {
    double const target = share * static_cast<double>(part);
    while (next < run.end && static_cast<double>(sum) + static_cast<double>(weights[next]) * 0.5 <= target) {
      sum += weights[next++];
    }
    if (next > first->back() && next < run.end) first->push_back(next);
  }
}

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

EqualShare ShareOf(Span<std::uint64_t const> weights, Span<std::uint8_t const> whole, std::size_t parts) {
  std::uint64_t const total = std::accumulate(weights.begin(), weights.end(), std::uint64_t{0});
  EqualShare share{total / parts, parts};
  for (;;) {
    std::uint64_t rest = total;
    std::size_t heavy = 0;
    for (std::size_t i = 0; i < weights.size(); ++i) {
      if (weights[i] <= share.weight || (!whole.empty() && whole[i] == 0)) continue;
      rest -= weights[i];
      ++heavy;
    }
    if (heavy == parts - share.parts) return share;
    share.parts = parts - heavy;
    share.weight = rest / share.parts;
  }
}

std::vector<std::size_t> PartsByWeight(Span<std::uint64_t const> weights, std::size_t parts) {
  std::vector<std::size_t> first;
  if (weights.size() <= parts) {
    first.resize(weights.size());
    std::iota(first.begin(), first.end(), std::size_t{0});
    return first;
  }
  EqualShare const share = ShareOf(weights, {}, parts);
  std::vector<Run> runs = RunsBetween(weights, share.weight);
  ShareParts(share.parts, &runs);
  for (Run const& run : runs) {
    if (run.parts > 0) SplitRun(weights, run, &first);
    if (run.end == weights.size()) break;
    // A run too light for a part of its own goes with the heavy one behind it.
    first.push_back(run.parts > 0 ? run.end : run.begin);
  }
  return first;
}

std::vector<std::size_t> PartsByRank(Span<std::uint64_t const> weights, std::size_t cells, std::size_t parts) {
  if (weights.size() <= parts) return PartsByWeight(weights, parts);
  std::size_t const fine = std::min(cells, kFineness * parts), room = SketchSize(cells, fine);
  std::vector<Ranked> ranked = RanksOf(weights);
  if (ranked.size() <= 2 * room) ranked = Thinned(Thinned(std::move(ranked), room), fine);
  ranked = Thinned(std::move(ranked), parts + 1);
  ranked.resize(std::min(ranked.size(), parts));  // all but the last value, if there is one too many
  if (4 * ranked.size() < 3 * parts) return PartsByWeight(weights, parts);
  std::vector<std::size_t> first;
  for (Ranked const& one : ranked) first.push_back(one.place);
  return first;
}

}  // namespace xgbl
