// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cmath>

#include "base/error.h"
#include "base/numbers.h"
#include "ingest/text_lines.h"
#include "ingest/text_reader.h"

namespace xgbl {
namespace {

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

std::vector<std::string> CellsOf(std::string_view text) {
  std::vector<std::string> cells;
  std::optional<std::string_view> line = text;
  std::string_view cell;
  while (NextCell(&line, &cell)) cells.emplace_back(cell);
  return cells;
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
      column == static_cast<std::size_t>(options_.label_column) ? AddLabel(cell, part) : AddCell(cell, column, part);
    }
    Require<LineError>(column == width_, "it has ", column, " cells, but the first line has ", width_, ".");
  }

 private:
  static void AddLabel(std::string_view cell, CsvPart* part) {
    float value = 0;
    Require<LineError>(ParseFloat(cell, &value) && std::isfinite(value), "the label `", cell,
                       "` is not a finite number.");
    part->labels.push_back(value);
  }

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
  try {
    return CellsOf(first);
  } catch (LineError const& error) {
    lines.ThrowAt(first.data(), error.what());
  }
}

Matrix<float> JoinLabels(std::vector<CsvPart> const& parts) {
  Matrix<float> labels;
  for (CsvPart const& part : parts) labels.values.insert(labels.values.end(), part.labels.begin(), part.labels.end());
  labels.rows = labels.values.size();
  labels.columns = 1;
  return labels;
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
    part.cells = {};
  }
  return table;
}

}  // namespace

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

}  // namespace xgbl
