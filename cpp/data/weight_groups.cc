// SPDX-License-Identifier: Apache-2.0
#include "data/weight_groups.h"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace xgbl {
namespace {

// Neighbours none of which is heavy, with the heavy one that follows, if any.
struct Run {
  std::size_t begin = 0;
  std::size_t end = 0;  // the heavy one, or the number of weights
  std::uint64_t weight = 0;
  std::size_t groups = 0;
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

// Gives every run its groups: in proportion to its weight, and at least one if there are enough for all.
void ShareGroups(std::size_t groups, std::vector<Run>* runs) {
  auto const filled = static_cast<std::size_t>(
      std::count_if(runs->begin(), runs->end(), [](Run const& run) { return run.begin < run.end; }));
  std::size_t const sure = filled <= groups ? 1 : 0;
  std::uint64_t total = 0;
  for (Run const& run : *runs) total += run.weight;
  double const per_weight =
      total == 0 ? 0 : static_cast<double>(groups - sure * filled) / static_cast<double>(total);
  std::uint64_t upto = 0;
  std::size_t given = 0;
  for (Run& run : *runs) {
    if (run.begin == run.end) continue;
    upto += run.weight;
    auto const due = static_cast<std::size_t>(static_cast<double>(upto) * per_weight + 0.5);
    run.groups = sure + due - given;
    given = due;
  }
}

// Appends where the groups of a run begin: where the sum comes nearest to each multiple of a group's share.
void SplitRun(Span<std::uint64_t const> weights, Run const& run, std::vector<std::size_t>* first) {
  first->push_back(run.begin);
  double const share = static_cast<double>(run.weight) / static_cast<double>(run.groups);
  std::uint64_t sum = 0;
  std::size_t next = run.begin;
  for (std::size_t group = 1; group < run.groups; ++group) {
    double const target = share * static_cast<double>(group);
    while (next < run.end && static_cast<double>(sum) + static_cast<double>(weights[next]) * 0.5 <= target) {
      sum += weights[next++];
    }
    if (next > first->back() && next < run.end) first->push_back(next);
  }
}

}  // namespace

EqualShare ShareOf(Span<std::uint64_t const> weights, Span<std::uint8_t const> whole, std::size_t groups) {
  std::uint64_t const total = std::accumulate(weights.begin(), weights.end(), std::uint64_t{0});
  EqualShare share{total / groups, groups};
  for (;;) {
    std::uint64_t rest = total;
    std::size_t heavy = 0;
    for (std::size_t i = 0; i < weights.size(); ++i) {
      if (weights[i] <= share.weight || (!whole.empty() && whole[i] == 0)) continue;
      rest -= weights[i];
      ++heavy;
    }
    if (heavy == groups - share.groups) return share;
    share.groups = groups - heavy;
    share.weight = rest / share.groups;
  }
}

std::vector<std::size_t> GroupByWeight(Span<std::uint64_t const> weights, std::size_t groups) {
  std::vector<std::size_t> first;
  if (weights.size() <= groups) {
    first.resize(weights.size());
    std::iota(first.begin(), first.end(), std::size_t{0});
    return first;
  }
  EqualShare const share = ShareOf(weights, {}, groups);
  std::vector<Run> runs = RunsBetween(weights, share.weight);
  ShareGroups(share.groups, &runs);
  for (Run const& run : runs) {
    if (run.groups > 0) SplitRun(weights, run, &first);
    if (run.end == weights.size()) break;
    // A run too light for a group of its own goes with the heavy one behind it.
    first.push_back(run.groups > 0 ? run.end : run.begin);
  }
  return first;
}

}  // namespace xgbl
