// SPDX-License-Identifier: Apache-2.0
#include "predict/unseen_codes.h"

#include <cmath>
#include <cstdint>
#include <set>

#include "predict/row_values.h"

namespace xgbl {
namespace {

// Calls `found(i, value)` for each value that known[i] has not, row by row.
template <class Found>
void ForEachUnseen(std::vector<KnownCodes> const& known, RowSource const& rows, Found const& found) {
  std::vector<std::uint32_t> used;
  for (KnownCodes const& feature : known) used.push_back(static_cast<std::uint32_t>(feature.feature));
  if (used.empty()) return;
  ForEachRow(rows, used, 0, rows.Rows(), [&](std::size_t, float const* values) {
    for (std::size_t i = 0; i < known.size(); ++i) {
      if (!std::isnan(values[i]) && !Contains(known[i].codes, values[i])) found(i, values[i]);
    }
  });
}

}  // namespace

bool HasKnownCodes(std::vector<KnownCodes> const& known, RowSource const& rows) {
  bool all = true;
  ForEachUnseen(known, rows, [&](std::size_t, float) { all = false; });
  return all;
}

std::vector<UnseenCodes> FindUnseenCodes(std::vector<KnownCodes> const& known, RowSource const& rows) {
  std::vector<std::vector<float>> values(known.size());
  std::vector<std::set<float>> met(known.size());
  ForEachUnseen(known, rows, [&](std::size_t i, float value) {
    if (met[i].insert(value).second) values[i].push_back(value);
  });
  std::vector<UnseenCodes> unseen;
  for (std::size_t i = 0; i < known.size(); ++i) {
    if (!values[i].empty()) unseen.push_back({known[i].feature, std::move(values[i]), known[i].certain});
  }
  return unseen;
}

}  // namespace xgbl
