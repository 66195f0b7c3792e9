// SPDX-License-Identifier: Apache-2.0
#include "predict/unseen_codes.h"

#include <atomic>
#include <cmath>
#include <cstdint>
#include <set>
#include <utility>

#include "parallel/parallel_for.h"

namespace xgbl {
namespace {

constexpr std::size_t kBlockRows = 4096;
constexpr std::size_t kOperations = 8;  // that a value takes, in small steps

std::vector<std::uint32_t> FeaturesOf(std::vector<KnownCodes> const& known) {
  std::vector<std::uint32_t> features;
  for (KnownCodes const& feature : known) features.push_back(static_cast<std::uint32_t>(feature.feature));
  return features;
}

// Calls `found(i, value)` for each value of rows [begin, end) that known[i] has not, row by row.
template <class Found>
void ForEachUnseen(std::vector<KnownCodes> const& known, Span<std::uint32_t const> features, RowSource const& rows,
                   std::size_t begin, std::size_t end, Found const& found) {
  ForEachRow(rows, features, begin, end, [&](std::size_t, float const* values) {
    for (std::size_t i = 0; i < known.size(); ++i) {
      if (!std::isnan(values[i]) && !Contains(known[i].codes, values[i])) found(i, values[i]);
    }
  });
}

// Calls `read(begin, end)` for blocks of all rows.
template <class Read>
void ForBlocks(std::vector<KnownCodes> const& known, RowSource const& rows, Context const& ctx, Read const& read) {
  if (known.empty()) return;
  if (rows.Rows() == 1) return read(0, 1);  // many a request of a server
  ParallelBlocks(ForWork(ctx, rows.Rows() * known.size() * kOperations), rows.Rows(), kBlockRows, read);
}

// Values, each once, in the order in which they were met.
struct Met {
  std::vector<float> values;
  std::set<float> known;

  void Add(float value) {
    if (known.insert(value).second) values.push_back(value);
  }
};

}  // namespace

bool HasKnownCodes(std::vector<KnownCodes> const& known, RowSource const& rows, Context const& ctx) {
  auto const features = FeaturesOf(known);
  std::atomic<bool> all{true};
  ForBlocks(known, rows, ctx, [&](std::size_t begin, std::size_t end) {
    if (!all.load(std::memory_order_relaxed)) return;
    ForEachUnseen(known, features, rows, begin, end,
                  [&](std::size_t, float) { all.store(false, std::memory_order_relaxed); });
  });
  return all;
}

std::vector<UnseenCodes> FindUnseenCodes(std::vector<KnownCodes> const& known, RowSource const& rows,
                                         Context const& ctx) {
  auto const features = FeaturesOf(known);
  std::vector<std::vector<Met>> blocks((rows.Rows() + kBlockRows - 1) / kBlockRows);
  ForBlocks(known, rows, ctx, [&](std::size_t begin, std::size_t end) {
    auto& met = blocks[begin / kBlockRows];
    ForEachUnseen(known, features, rows, begin, end, [&](std::size_t i, float value) {
      met.resize(known.size());
      met[i].Add(value);
    });
  });
  std::vector<Met> all(known.size());
  for (auto const& met : blocks) {
    for (std::size_t i = 0; i < met.size(); ++i) {
      for (float const value : met[i].values) all[i].Add(value);
    }
  }
  std::vector<UnseenCodes> unseen;
  for (std::size_t i = 0; i < known.size(); ++i) {
    if (!all[i].values.empty()) unseen.push_back({known[i].feature, std::move(all[i].values), known[i].certain});
  }
  return unseen;
}

}  // namespace xgbl
