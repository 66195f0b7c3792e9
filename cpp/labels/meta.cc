// SPDX-License-Identifier: Apache-2.0
#include "labels/meta.h"

#include <algorithm>
#include <array>
#include <set>
#include <string_view>

namespace xgbl {
namespace {

bool IsWeight(float value) { return std::isfinite(value) && value >= 0; }

// Throws with these texts around the first entry, of a matrix of so many columns, that is not `allowed`.
template <class Allowed>
void CheckEach(Span<float const> values, std::size_t columns, Allowed&& allowed, std::string const& wrong,
               char const* of, char const* advice) {
  auto const bad = std::find_if_not(values.begin(), values.end(), allowed);
  if (bad == values.end()) return;
  auto const entry = static_cast<std::size_t>(bad - values.begin()) / columns;
  throw DataError(Text(wrong, ": entry ", entry, of, " is ", *bad, ".", advice));
}

void CheckRows(std::size_t got, std::size_t rows, char const* field) {
  Require<DataError>(got == rows, "`", field, "` must have one entry for each row of the data: got ", got, " for ",
                     rows, " rows.");
}

// NaN is a target that is not known, where a row has others.
void CheckMatrix(Matrix<float> const& matrix, std::size_t rows, char const* field, bool may_miss,
                 std::string const& name, char const* advice) {
  if (matrix.empty()) return;
  CheckRows(matrix.rows, rows, field);
  Ensure(matrix.values.size() == matrix.rows * matrix.columns, field, " has a wrong size.");
  CheckEach(
      matrix.values, matrix.columns,
      [=](float value) { return std::isfinite(value) || (may_miss && std::isnan(value)); },
      name + " contains NaN, infinity or a value too large for float32", "", advice);
}

void CheckGroups(std::vector<std::uint32_t> const& begin, std::size_t rows) {
  if (begin.empty()) return;
  Require<DataError>(begin.front() == 0, "The first query group must begin at row 0; got ", begin.front(), ".");
  Require<DataError>(std::is_sorted(begin.begin(), begin.end()), "The first rows of query groups must not fall.");
  Require<DataError>(begin.back() == rows, "The sizes of the query groups add up to ", begin.back(),
                     ", but the data has ", rows, " rows. Give `group` or `qid` for all rows.");
}

void CheckWeights(Meta const& meta, std::size_t rows) {
  if (meta.weights.empty()) return;
  if (meta.group_begin.empty()) {
    Require<DataError>(meta.weights.size() == rows, "`weight` must have one sample weight for each row: got ",
                       meta.weights.size(), " for ", rows, " rows.");
  } else {
    std::size_t const groups = meta.group_begin.size() - 1;
    Require<DataError>(meta.weights.size() == groups,
                       "The size of `weight` must be equal to the number of query groups",
                       " when there are groups: got ", meta.weights.size(), " for ", groups, " groups.");
  }
  CheckEach(meta.weights, 1, IsWeight, "Weights must be positive values or 0, and finite", " of `weight`",
            " Drop such rows, or weigh them 0.");
}

void CheckBounds(std::vector<float> const& bounds, std::size_t rows, char const* field) {
  if (bounds.empty()) return;
  CheckRows(bounds.size(), rows, field);
  CheckEach(
      bounds, 1, [](float bound) { return !std::isnan(bound); }, Text("`", field, "` contains NaN"), "",
      " Use infinity for an open bound.");
}

void CheckFeatureWeights(std::vector<float> const& weights, std::size_t columns) {
  if (weights.empty()) return;
  Require<DataError>(weights.size() == columns, "`feature_weights` must have one entry for each column: got ",
                     weights.size(), " for ", columns, " columns.");
  CheckEach(weights, 1, IsWeight, "`feature_weights` must be finite and not negative", "", "");
}

void CheckCount(std::size_t got, std::size_t columns, char const* field) {
  Require<DataError>(got == 0 || got == columns, "`", field,
                     "` must have the same length as the number of data columns:", " expected ", columns, ", got ", got,
                     ".");
}

std::string Quoted(std::set<std::string> const& names) {
  std::string out;
  for (auto const& name : names) out += (out.empty() ? "['" : "', '") + name;
  return out + "']";
}

void CheckNames(std::vector<std::string> const& names, std::size_t columns) {
  CheckCount(names.size(), columns, "feature_names");
  std::set<std::string_view> seen;
  std::set<std::string> twice;
  for (auto const& name : names) {
    Require<DataError>(name.find_first_of("[]<") == std::string::npos,
                       "`feature_names` may not contain [, ] or <, which model dumps use: got `", name, "`.");
    if (!seen.insert(name).second) twice.insert(name);
  }
  if (!twice.empty()) throw DataError("`feature_names` must be unique. Duplicates found: " + Quoted(twice) + ".");
}

void CheckTypes(std::vector<std::string> const& types, std::size_t columns) {
  constexpr std::array<std::string_view, 5> kTypes{"int", "float", "i", "q", "c"};
  CheckCount(types.size(), columns, "feature_types");
  for (auto const& type : types) {
    Require<DataError>(std::find(kTypes.begin(), kTypes.end(), type) != kTypes.end(),
                       "All feature_types must be one of {int, float, i, q, c}; got `", type, "`.");
  }
}

// Rows of a matrix of so many columns.
std::vector<float> Pick(std::vector<float> const& values, std::size_t columns, Span<std::size_t const> rows) {
  std::vector<float> out;
  if (values.empty()) return out;
  out.reserve(rows.size() * columns);
  for (std::size_t const row : rows) {
    out.insert(out.end(), values.data() + row * columns, values.data() + (row + 1) * columns);
  }
  return out;
}

Matrix<float> Pick(Matrix<float> const& from, Span<std::size_t const> rows) {
  Matrix<float> out;
  if (from.empty()) return out;
  out.values = Pick(from.values, from.columns, rows);
  out.rows = rows.size();
  out.columns = from.columns;
  return out;
}

// Groups, and weights by group, of the picked rows.
void PickGroups(Meta const& from, Span<std::size_t const> rows, Meta* to) {
  auto const& begin = from.group_begin;
  std::size_t last = begin.size();
  for (std::size_t i = 0; i < rows.size(); ++i) {
    auto const after = std::upper_bound(begin.begin(), begin.end(), static_cast<std::uint32_t>(rows[i]));
    auto const group = static_cast<std::size_t>(after - begin.begin()) - 1;
    if (group == last) continue;
    last = group;
    to->group_begin.push_back(static_cast<std::uint32_t>(i));
    if (!from.weights.empty()) to->weights.push_back(from.weights[group]);
  }
  to->group_begin.push_back(static_cast<std::uint32_t>(rows.size()));
}

}  // namespace

void Meta::Check(std::size_t rows, std::size_t columns) const {
  CheckMatrix(labels, rows, "label", labels.columns > 1, "Label", " Drop such rows or fill in their labels.");
  CheckGroups(group_begin, rows);
  CheckWeights(*this, rows);
  CheckMatrix(base_margin, rows, "base_margin", false, "`base_margin`", "");
  CheckBounds(label_lower, rows, "label_lower_bound");
  CheckBounds(label_upper, rows, "label_upper_bound");
  CheckFeatureWeights(feature_weights, columns);
  CheckNames(feature_names, columns);
  CheckTypes(feature_types, columns);
  CheckCount(categories.size(), columns, "categories");
}

std::vector<std::uint8_t> Meta::CategoricalFlags(std::size_t columns) const {
  std::vector<std::uint8_t> flags(columns);
  for (std::size_t i = 0; i < feature_types.size(); ++i) flags[i] = feature_types[i] == "c" ? 1 : 0;
  return flags;
}

std::vector<float> Meta::WeightsByRow(std::size_t rows) const {
  if (weights.empty() || weights.size() + 1 != group_begin.size()) return {};
  std::vector<float> by_row(rows);
  for (std::size_t g = 0; g < weights.size(); ++g) {
    std::fill(by_row.data() + group_begin[g], by_row.data() + group_begin[g + 1], weights[g]);
  }
  return by_row;
}

Meta Meta::Slice(Span<std::size_t const> rows, bool allow_groups) const {
  Require<DataError>(
      group_begin.empty() || allow_groups,
      "slice does not support group structure by default: pass `allow_groups=True`, by which neighbouring"
      " rows of one query group stay one group.");
  Meta out;
  out.labels = Pick(labels, rows);
  out.base_margin = Pick(base_margin, rows);
  out.label_lower = Pick(label_lower, 1, rows);
  out.label_upper = Pick(label_upper, 1, rows);
  if (group_begin.empty()) {
    out.weights = Pick(weights, 1, rows);
  } else {
    PickGroups(*this, rows, &out);
  }
  out.feature_weights = feature_weights;
  out.feature_names = feature_names;
  out.feature_types = feature_types;
  out.categories = categories;
  return out;
}

}  // namespace xgbl
