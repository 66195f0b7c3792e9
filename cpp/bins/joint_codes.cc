// SPDX-License-Identifier: Apache-2.0
#include "bins/joint_codes.h"

#include <algorithm>
#include <iterator>
#include <numeric>
#include <tuple>
#include <utility>

#include "parallel/parallel_for.h"

namespace xgbl {
namespace {

constexpr std::size_t kMostJointCodes = 256;
// Sums of codes are of use if there are many more rows.
constexpr std::size_t kRowsPerCode = 64;
constexpr std::size_t kSampledRows = 1024;
constexpr std::size_t kJoinTaskRows = std::size_t{1} << 15U;
// Groups that a column is tried with, the newest ones.
constexpr std::size_t kOpenGroups = 16;
// Each that joins has the combinations written anew.
constexpr std::size_t kMostColumns = 256;
// A group is full when so many columns in all of the rows had more combinations than in the sample.
constexpr int kMostFailures = 4;

using Codes = std::vector<std::uint8_t>;

// Which combinations of two columns occur: [first * columns of the second + second].
using Pairs = std::vector<std::uint8_t>;

void Mark(std::uint8_t const* first, CodedColumn const& second, std::size_t begin, std::size_t end, Pairs* pairs) {
  std::uint8_t* const seen = pairs->data();
  for (std::size_t row = begin; row < end; ++row) seen[first[row] * second.codes + second.code[row]] = 1;
}

std::size_t Count(Pairs const& pairs) {
  return static_cast<std::size_t>(std::count(pairs.begin(), pairs.end(), std::uint8_t{1}));
}

struct Group {
  JointColumn joint;
  std::uint8_t const* code;  // of the rows: the first column's, until others join it
  Codes sample;
  int failures = 0;

  Pairs None(CodedColumn const& with) const { return Pairs(std::size_t{joint.codes} * with.codes); }
};

class Joiner {
 public:
  Joiner(Span<CodedColumn const> columns, std::size_t rows, Context const& ctx)
      : columns_(columns),
        rows_(rows),
        most_codes_(std::min(kMostJointCodes, rows / kRowsPerCode)),
        ctx_(ForWork(ctx, rows)) {}

  std::vector<JointColumn> Join() {
    for (std::uint32_t column = 0; column < columns_.size(); ++column) Take(column);
    std::vector<JointColumn> joint;
    for (Group& group : groups_) {
      if (group.joint.columns.size() >= kFewestJoined) joint.push_back(std::move(group.joint));
    }
    return joint;
  }

 private:
  void Take(std::uint32_t column) {
    CodedColumn const own = columns_[column];
    Codes const sample = Sample(own);
    for (Group* const group : BestFirst({sample.data(), own.codes})) {
      Pairs const pairs = PairsOf(group->code, own, group->None(own));
      if (Count(pairs) <= most_codes_) return Add(column, sample, pairs, group);
      ++group->failures;
    }
    Open(column, sample);
  }

  Codes Sample(CodedColumn const& column) const {
    std::size_t const step = std::max<std::size_t>(rows_ / kSampledRows, 1);
    Codes sample;
    for (std::size_t row = 0; row < rows_; row += step) sample.push_back(column.code[row]);
    return sample;
  }

  // Open groups in whose sample there is room, those first where combinations multiply least.
  std::vector<Group*> BestFirst(CodedColumn const& sample) {
    using Rank = std::tuple<double, double>;
    std::vector<std::pair<Rank, Group*>> ranked;
    std::size_t open = 0;
    for (auto group = groups_.rbegin(); group != groups_.rend() && open < kOpenGroups; ++group) {
      if (group->failures == kMostFailures || group->joint.columns.size() == kMostColumns) continue;
      ++open;
      Pairs pairs = group->None(sample);
      Mark(group->sample.data(), sample, 0, group->sample.size(), &pairs);
      std::size_t const count = Count(pairs);
      auto const before = static_cast<double>(group->joint.codes);
      if (count <= most_codes_) ranked.push_back({{static_cast<double>(count) / before, -before}, &*group});
    }
    std::stable_sort(ranked.begin(), ranked.end(), [](auto const& a, auto const& b) { return a.first < b.first; });
    std::vector<Group*> best;
    for (auto const& [rank, group] : ranked) best.push_back(group);
    return best;
  }

  // In all rows; `none` is what no pair was seen of.
  Pairs PairsOf(std::uint8_t const* first, CodedColumn const& second, Pairs const& none) const {
    std::vector<Pairs> seen(static_cast<std::size_t>(std::max(ctx_.threads, 1)), none);
    ParallelTasks(ctx_, (rows_ + kJoinTaskRows - 1) / kJoinTaskRows, [&](std::size_t task, int thread) {
      std::size_t const begin = task * kJoinTaskRows, end = std::min(rows_, begin + kJoinTaskRows);
      Mark(first, second, begin, end, &seen[static_cast<std::size_t>(thread)]);
    });
    for (std::size_t i = 1; i < seen.size(); ++i) {
      std::transform(seen[0].begin(), seen[0].end(), seen[i].begin(), seen[0].begin(),
                     [](std::uint8_t a, std::uint8_t b) { return static_cast<std::uint8_t>(a | b); });
    }
    return std::move(seen[0]);
  }

  void Add(std::uint32_t column, Codes const& sample, Pairs const& pairs, Group* group) {
    CodedColumn const own = columns_[column];
    JointColumn& joint = group->joint;
    std::size_t const width = joint.columns.size();
    Codes number(pairs.size()), code_of;
    std::uint32_t codes = 0;
    for (std::size_t pair = 0; pair < pairs.size(); ++pair) {
      if (pairs[pair] == 0) continue;
      number[pair] = static_cast<std::uint8_t>(codes++);
      auto const before = joint.code_of.begin() + static_cast<std::ptrdiff_t>(pair / own.codes * width);
      std::copy_n(before, width, std::back_inserter(code_of));
      code_of.push_back(static_cast<std::uint8_t>(pair % own.codes));
    }
    if (joint.code.empty()) joint.code = Buffer<std::uint8_t>(rows_, Pages::kAny);
    ParallelBlocks(ctx_, rows_, kJoinTaskRows, [&](std::size_t begin, std::size_t end) {
      for (std::size_t i = begin; i < end; ++i) joint.code[i] = number[group->code[i] * own.codes + own.code[i]];
    });
    group->code = joint.code.data();
    for (std::size_t i = 0; i < sample.size(); ++i) group->sample[i] = number[group->sample[i] * own.codes + sample[i]];
    joint.columns.push_back(column);
    joint.codes = codes;
    joint.code_of = std::move(code_of);
  }

  void Open(std::uint32_t column, Codes const& sample) {
    CodedColumn const own = columns_[column];
    Group group{};
    group.joint.columns = {column};
    group.joint.codes = own.codes;
    group.joint.code_of.resize(own.codes);
    std::iota(group.joint.code_of.begin(), group.joint.code_of.end(), std::uint8_t{0});
    group.code = own.code;
    group.sample = sample;
    groups_.push_back(std::move(group));
  }

  Span<CodedColumn const> columns_;
  std::size_t rows_;
  std::size_t most_codes_;
  Context ctx_;
  std::vector<Group> groups_;
};

}  // namespace

std::vector<JointColumn> JoinColumns(Span<CodedColumn const> columns, std::size_t rows, Context const& ctx) {
  return Joiner(columns, rows, ctx).Join();
}

}  // namespace xgbl
