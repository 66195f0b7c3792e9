// SPDX-License-Identifier: Apache-2.0
#include "cuts/weight_groups.h"

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

// Gives the runs their groups in proportion to their weights. Those too light for one get one all the same, unless that
// took too many from the others.
void ShareGroups(std::size_t groups, std::vector<Run>* runs) {
  std::uint64_t total = 0;
  for (Run const& run : *runs) total += run.weight;
  double const half_share = static_cast<double>(total) / static_cast<double>(groups) * 0.5;
  auto const is_light = [&](Run const& run) { return static_cast<double>(run.weight) < half_share; };
  std::size_t light = 0;
  std::uint64_t light_weight = 0;
  for (Run const& run : *runs) {
    if (run.begin == run.end || !is_light(run)) continue;
    ++light;
    light_weight += run.weight;
  }
  bool const all = 4 * light <= groups;
  double const shared = static_cast<double>(all ? groups - light : groups);
  double const weight = static_cast<double>(all ? total - light_weight : total);
  std::uint64_t upto = 0;
  std::size_t given = 0;
  for (Run& run : *runs) {
    if (run.begin == run.end) continue;
    if (all && is_light(run)) {
      run.groups = 1;
      continue;
    }
    upto += run.weight;
    auto const due = weight > 0 ? static_cast<std::size_t>(static_cast<double>(upto) * shared / weight + 0.5) : groups;
    run.groups = due - given;
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
