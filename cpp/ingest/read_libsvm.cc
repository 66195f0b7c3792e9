// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cmath>

#include "base/error.h"
#include "base/numbers.h"
#include "ingest/text_lines.h"
#include "ingest/text_reader.h"

namespace xgbl {
namespace {

constexpr std::string_view kBlank = " \t";
constexpr std::string_view kGroupMark = "qid:";

// What one chunk of the file holds.
struct LibsvmPart {
  std::vector<float> labels;
  std::vector<float> weights;
  std::vector<std::int64_t> groups;
  std::vector<std::size_t> row_end;  // in `column`
  std::vector<std::uint32_t> column;
  std::vector<float> value;
  std::size_t columns = 0;
  bool has_weights = false;
  char const* with_group = nullptr;  // the first line that has a qid, and that has none
  char const* without_group = nullptr;
};

std::string_view NextToken(std::string_view* line) {
  std::size_t const begin = std::min(line->find_first_not_of(kBlank), line->size());
  std::size_t const end = std::min(line->find_first_of(kBlank, begin), line->size());
  std::string_view const token = line->substr(begin, end - begin);
  line->remove_prefix(end);
  return token;
}

float FiniteFloat(std::string_view text, char const* what) {
  float value = 0;
  Require<LineError>(ParseFloat(text, &value) && std::isfinite(value), "the ", what, " `", text,
                     "` is not a finite number.");
  return value;
}

class LibsvmLines {
 public:
  explicit LibsvmLines(TextOptions const& options) : options_(options) {}

  void operator()(std::string_view line, LibsvmPart* part) const {
    char const* const start = line.data();
    line = line.substr(0, line.find('#'));
    std::string_view token = NextToken(&line);
    if (token.empty()) return;
    AddLabel(token, part);
    token = NextToken(&line);
    bool const has_group = token.substr(0, kGroupMark.size()) == kGroupMark;
    AddGroup(has_group ? token.substr(kGroupMark.size()) : "0", part);
    char const*& seen = has_group ? part->with_group : part->without_group;
    if (seen == nullptr) seen = start;
    if (has_group) token = NextToken(&line);
    for (; !token.empty(); token = NextToken(&line)) AddCell(token, part);
    CloseRow(part);
  }

 private:
  static void AddLabel(std::string_view token, LibsvmPart* part) {
    std::size_t const colon = token.find(':');
    part->labels.push_back(FiniteFloat(token.substr(0, colon), "label"));
    bool const weighted = colon != std::string_view::npos;
    part->weights.push_back(weighted ? FiniteFloat(token.substr(colon + 1), "weight") : 1.0F);
    part->has_weights |= weighted;
  }

  static void AddGroup(std::string_view text, LibsvmPart* part) {
    std::int64_t group = 0;
    Require<LineError>(ParseNumber(text, &group), "the query number `qid:", text, "` is not an integer.");
    part->groups.push_back(group);
  }

  void AddCell(std::string_view token, LibsvmPart* part) const {
    std::size_t const colon = token.find(':');
    std::int64_t index = 0;
    Require<LineError>(ParseNumber(token.substr(0, colon), &index), "expected `index:value`, got `", token, "`.");
    int const first = options_.indexing_mode;
    std::int64_t const last = std::int64_t{std::numeric_limits<std::int32_t>::max()} - 1 + first;
    Require<LineError>(index >= first && index <= last, "the index of `", token,
                       "` is out of range: indices begin with ", first, " (`indexing_mode`) and go to ", last, ".");
    index -= first;
    float value = 1;
    bool const good = colon == std::string_view::npos || ParseFloat(token.substr(colon + 1), &value);
    Require<LineError>(good, "the value of `", token, "` is not a number.");
    part->columns = std::max(part->columns, static_cast<std::size_t>(index) + 1);
    if (std::isnan(value) || value == options_.missing) return;
    Require<LineError>(!std::isinf(value), "Input data contains `inf` or a value too large: `", token, "`.");
    part->column.push_back(static_cast<std::uint32_t>(index));
    part->value.push_back(value);
  }

  void CloseRow(LibsvmPart* part) const {
    std::size_t const begin = part->row_end.empty() ? 0 : part->row_end.back(), count = part->column.size() - begin;
    auto const twice = SortRow({part->column.data() + begin, count}, {part->value.data() + begin, count});
    Require<LineError>(!twice, "the index ", static_cast<std::int64_t>(twice.value_or(0)) + options_.indexing_mode,
                       " stands there more than once.");
    part->row_end.push_back(part->column.size());
  }

  TextOptions const& options_;
};

template <class T>
void Append(std::vector<T> const& from, std::vector<T>* to) {
  to->insert(to->end(), from.begin(), from.end());
}

// Either all rows have a query number or none has.
bool HasGroups(TextLines const& lines, std::vector<LibsvmPart> const& parts) {
  char const* with = nullptr;
  char const* without = nullptr;
  for (LibsvmPart const& part : parts) {
    if (with == nullptr) with = part.with_group;
    if (without == nullptr) without = part.without_group;
  }
  if (with == nullptr || without == nullptr) return with != nullptr;
  lines.ThrowAt(std::max(with, without), with < without ? "this row has no `qid:`, but rows before it have one."
                                                        : "this row has a `qid:`, but rows before it have none.");
}

// A query group is a run of rows with one number.
std::vector<std::uint32_t> GroupBegins(std::vector<std::int64_t> const& groups) {
  std::vector<std::uint32_t> begins;
  for (std::size_t row = 0; row < groups.size(); ++row) {
    if (row == 0 || groups[row] != groups[row - 1]) begins.push_back(static_cast<std::uint32_t>(row));
  }
  begins.push_back(static_cast<std::uint32_t>(groups.size()));
  return begins;
}

SparseRows JoinRows(std::vector<LibsvmPart> const& parts) {
  SparseRows rows;
  for (LibsvmPart const& part : parts) {
    std::size_t const before = rows.column.size();
    for (std::size_t const end : part.row_end) rows.row_begin.push_back(before + end);
    Append(part.column, &rows.column);
    Append(part.value, &rows.value);
    rows.columns = std::max(rows.columns, part.columns);
  }
  return rows;
}

}  // namespace

TextData ReadLibsvm(std::string const& path, TextOptions const& options, Context const& ctx) {
  Require<ParamError>(options.indexing_mode == 0 || options.indexing_mode == 1,
                      "`indexing_mode` must be 0 (the first column is 0) or 1; got ", options.indexing_mode, ".");
  TextLines const lines(path);
  auto const parts = lines.Parse<LibsvmPart>(ctx, LibsvmLines(options));
  SparseRows rows = JoinRows(parts);
  Require<DataError>(rows.rows() > 0, "The file `", path, "` holds no data.");
  CheckShape(rows.rows(), rows.columns);
  Meta meta;
  std::vector<float> weights;
  std::vector<std::int64_t> groups;
  bool has_weights = false;
  for (LibsvmPart const& part : parts) {
    Append(part.labels, &meta.labels.values);
    Append(part.weights, &weights);
    Append(part.groups, &groups);
    has_weights |= part.has_weights;
  }
  meta.labels.rows = meta.labels.values.size();
  meta.labels.columns = 1;
  if (has_weights) meta.weights = std::move(weights);
  if (HasGroups(lines, parts)) meta.group_begin = GroupBegins(groups);
  return {FeatureMatrix(std::move(rows)), std::move(meta)};
}

}  // namespace xgbl
