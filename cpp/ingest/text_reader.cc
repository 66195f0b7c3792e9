// SPDX-License-Identifier: Apache-2.0
#include "ingest/text_reader.h"

#include <algorithm>
#include <cmath>
#include <optional>
#include <utility>
#include <vector>

#include "base/error.h"
#include "base/file.h"
#include "base/numbers.h"
#include "parallel/parallel_for.h"

namespace xgbl {
namespace {

constexpr std::size_t kChunkBytes = std::size_t{1} << 20U;

// What is wrong with the line that is being parsed.
struct LineError : Error {
  using Error::Error;
};

// Parses the lines of a text file in parallel, in chunks that end with a line. Lines are only counted when there is an
// error. Of several errors the first in the file is reported, for any number of threads.
class TextLines {
 public:
  explicit TextLines(std::string const& path)
      : path_(path), text_(ReadWholeFile(path)), rest_(WithoutByteOrderMark(text_)) {}
  TextLines(TextLines const&) = delete;
  TextLines& operator=(TextLines const&) = delete;

  // The first line that is not blank; DataError if there is none.
  std::string_view First() const {
    std::string_view rest = rest_, line;
    bool const found = NextLine(&rest, &line);
    Require<DataError>(found, "The file `", path_, "` holds no data.");
    return line;
  }

  // Makes Parse begin after it.
  void SkipFirst() {
    std::string_view line;
    NextLine(&rest_, &line);
  }

  // Calls `parse(line, Part*)` for each line that is not blank, with one Part per chunk, and returns the parts in
  // order.
  template <class Part, class ParseLine>
  std::vector<Part> Parse(Context const& ctx, ParseLine const& parse) const {
    std::vector<std::string_view> const chunks = Chunks();
    std::vector<Part> parts(chunks.size());
    std::vector<std::pair<char const*, std::string>> failures(chunks.size());  // where, and what
    ParallelTasks(ctx, chunks.size(), [&](std::size_t i, int) {
      std::string_view rest = chunks[i], line;
      try {
        while (NextLine(&rest, &line)) parse(line, &parts[i]);
      } catch (LineError const& error) {
        failures[i] = {line.data(), error.what()};
      }
    });
    for (auto const& [where, what] : failures) {
      if (where != nullptr) ThrowAt(where, what);
    }
    return parts;
  }

  // Throws DataError with the path and the number of the line that `where` points into.
  [[noreturn]] void ThrowAt(char const* where, std::string const& what) const {
    auto const line = std::count(text_.data(), where, '\n') + 1;
    throw DataError(Text("`", path_, "`, line ", line, ": ", what));
  }

 private:
  // Takes the next line that is not blank off `rest`, without its end; false if there is none.
  static bool NextLine(std::string_view* rest, std::string_view* line) {
    while (!rest->empty()) {
      std::size_t const end = std::min(rest->find('\n'), rest->size());
      *line = Trim(rest->substr(0, end));
      rest->remove_prefix(std::min(end + 1, rest->size()));
      if (!line->empty()) return true;
    }
    return false;
  }

  std::vector<std::string_view> Chunks() const {
    std::vector<std::string_view> chunks;
    for (std::string_view rest = rest_; !rest.empty(); rest.remove_prefix(chunks.back().size())) {
      std::size_t const line_end = rest.find('\n', std::min(kChunkBytes, rest.size()) - 1);
      chunks.push_back(rest.substr(0, line_end == std::string_view::npos ? line_end : line_end + 1));
    }
    return chunks;
  }

  std::string path_;
  std::string text_;
  std::string_view rest_;
};

// Reads a float of any magnitude: too small ones become 0, too large ones infinity. False if it is no number.
bool ParseFloat(std::string_view text, float* out) {
  if (ParseNumber(text, out)) return true;
  double value = 0;
  if (!ParseNumber(text, &value)) return false;
  *out = static_cast<float>(value);
  return true;
}

float FiniteFloat(std::string_view text, char const* what) {
  float value = 0;
  Require<LineError>(ParseFloat(text, &value) && std::isfinite(value), "the ", what, " `", text,
                     "` is not a finite number.");
  return value;
}

template <class T>
void Append(std::vector<T> const& from, std::vector<T>* to) {
  to->insert(to->end(), from.begin(), from.end());
}

template <class Part>
Matrix<float> JoinLabels(std::vector<Part> const& parts) {
  Matrix<float> labels;
  for (Part const& part : parts) Append(part.labels, &labels.values);
  labels.rows = labels.values.size();
  labels.columns = 1;
  return labels;
}

// What one chunk of the file holds.
struct CsvPart {
  std::vector<float> labels;
  std::vector<float> cells;
};

// Takes the next cell off `line`, without blanks and quotes around it; false after the last one. A line that ends with
// a comma has an empty cell behind it.
bool NextCell(std::optional<std::string_view>* line, std::string_view* cell) {
  if (!*line) return false;
  std::string_view const text = **line;
  std::size_t const first = text.find_first_not_of(" \t");
  bool const quoted = first != std::string_view::npos && text[first] == '"';
  std::size_t const closing = quoted ? text.find('"', first + 1) : 0;
  Require<LineError>(closing != std::string_view::npos, "a quote is not closed.");
  std::size_t const comma = text.find(',', closing);
  *cell = Trim(text.substr(0, comma));
  if (quoted) {
    Require<LineError>(cell->back() == '"' && cell->size() == closing - first + 1,
                       "there is text beside the quotes of ", *cell, ".");
    *cell = cell->substr(1, cell->size() - 2);
  }
  *line = comma == std::string_view::npos ? std::nullopt : std::optional(text.substr(comma + 1));
  return true;
}

// Whether these are names: text in some cells and a number in none.
bool IsHeader(std::vector<std::string> const& cells) {
  float value = 0;
  bool const number =
      std::any_of(cells.begin(), cells.end(), [&](auto const& cell) { return ParseFloat(cell, &value); });
  bool const text = std::any_of(cells.begin(), cells.end(), [](auto const& cell) { return !cell.empty(); });
  return text && !number;
}

class CsvLines {
 public:
  CsvLines(TextOptions const& options, std::size_t width) : options_(options), width_(width) {}

  void operator()(std::string_view text, CsvPart* part) const {
    std::optional<std::string_view> line = text;
    std::string_view cell;
    std::size_t column = 0;
    for (; NextCell(&line, &cell); ++column) {
      if (column >= width_) continue;
      if (column == static_cast<std::size_t>(options_.label_column)) {
        part->labels.push_back(FiniteFloat(cell, "label"));
      } else {
        AddCell(cell, column, part);
      }
    }
    Require<LineError>(column == width_, "it has ", column, " cells, but the first line has ", width_, ".");
  }

 private:
  void AddCell(std::string_view cell, std::size_t column, CsvPart* part) const {
    float value = kMissing;
    Require<LineError>(cell.empty() || ParseFloat(cell, &value), "cell ", column, ", `", cell,
                       "`, is not a number. Only a first line in which no cell is a number holds names.");
    if (value == options_.missing) value = kMissing;
    Require<LineError>(!std::isinf(value), "Input data contains `inf` or a value too large: cell ", column, ", `", cell,
                       "`.");
    part->cells.push_back(value);
  }

  TextOptions const& options_;
  std::size_t width_;
};

std::vector<std::string> FirstCells(TextLines const& lines) {
  std::string_view const first = lines.First();
  std::vector<std::string> cells;
  std::optional<std::string_view> line = first;
  std::string_view cell;
  try {
    while (NextCell(&line, &cell)) cells.emplace_back(cell);
    return cells;
  } catch (LineError const& error) {
    lines.ThrowAt(first.data(), error.what());
  }
}

DenseTable JoinCells(std::vector<CsvPart>* parts, std::size_t columns) {
  std::size_t total = 0;
  for (CsvPart const& part : *parts) total += part.cells.size();
  std::size_t const rows = total / columns;
  CheckShape(rows, columns);
  float* to = nullptr;
  DenseTable table = NewTable(rows, columns, &to);
  for (CsvPart& part : *parts) {
    to = std::copy(part.cells.begin(), part.cells.end(), to);
    std::vector<float>().swap(part.cells);
  }
  return table;
}

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

std::string_view WithoutByteOrderMark(std::string_view text) {
  return text.substr(0, 3) == "\xEF\xBB\xBF" ? text.substr(3) : text;
}

TextData ReadCsv(std::string const& path, TextOptions const& options, Context const& ctx) {
  TextLines lines(path);
  std::vector<std::string> names = FirstCells(lines);
  std::size_t const width = names.size();
  bool const labelled = options.label_column >= 0;
  auto const label = static_cast<std::size_t>(std::max(0, options.label_column));
  Require<DataError>(!labelled || label < width, "`label_column` is ", label, ", but `", path, "` has only ", width,
                     " columns.");
  Require<DataError>(width > 1 || !labelled, "The file `", path, "` has no column beside the label.");
  Meta meta;
  if (IsHeader(names)) {
    lines.SkipFirst();
    if (labelled) names.erase(names.begin() + options.label_column);
    meta.feature_names = std::move(names);
  }
  auto parts = lines.Parse<CsvPart>(ctx, CsvLines(options, width));
  if (labelled) meta.labels = JoinLabels(parts);
  return {FeatureMatrix(JoinCells(&parts, labelled ? width - 1 : width)), std::move(meta)};
}

TextData ReadLibsvm(std::string const& path, TextOptions const& options, Context const& ctx) {
  Require<ParamError>(options.indexing_mode == 0 || options.indexing_mode == 1,
                      "`indexing_mode` must be 0 (the first column is 0) or 1; got ", options.indexing_mode, ".");
  TextLines const lines(path);
  auto const parts = lines.Parse<LibsvmPart>(ctx, LibsvmLines(options));
  SparseRows rows = JoinRows(parts);
  Require<DataError>(rows.rows() > 0, "The file `", path, "` holds no data.");
  CheckShape(rows.rows(), rows.columns);
  Meta meta;
  meta.labels = JoinLabels(parts);
  std::vector<float> weights;
  std::vector<std::int64_t> groups;
  bool has_weights = false;
  for (LibsvmPart const& part : parts) {
    Append(part.weights, &weights);
    Append(part.groups, &groups);
    has_weights |= part.has_weights;
  }
  if (has_weights) meta.weights = std::move(weights);
  if (HasGroups(lines, parts)) meta.group_begin = GroupBegins(groups);
  return {FeatureMatrix(std::move(rows)), std::move(meta)};
}

}  // namespace xgbl
