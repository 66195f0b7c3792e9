// SPDX-License-Identifier: Apache-2.0
#include "ingest/text_table.h"

#include <atomic>
#include <cmath>
#include <deque>
#include <limits>
#include <optional>
#include <unordered_map>
#include <utility>

#include "base/error.h"
#include "base/file.h"
#include "base/numbers.h"
#include "ingest/text_reader.h"
#include "parallel/parallel_for.h"

namespace xgbl {
namespace {

constexpr std::size_t kTableChunk = std::size_t{1} << 20U;
constexpr double kNoNumber = std::numeric_limits<double>::quiet_NaN();

// Chunks that end with a record. Only where there are quotes it takes a pass over the text to know where records end.
std::vector<std::string_view> ChunksOf(std::string_view body, char delimiter, Context const& ctx) {
  std::vector<std::string_view> chunks;
  bool const quotes = body.find('"') != std::string_view::npos;
  while (!body.empty()) {
    std::size_t size = body.size();
    if (quotes) {
      CheckInterrupt(ctx);
      RecordReader reader(body, delimiter);
      while (body.size() - reader.Rest().size() < kTableChunk && reader.Next([](std::size_t, std::string_view) {})) {
      }
      size -= reader.Rest().size();
    } else if (std::size_t const end = body.find('\n', std::min(kTableChunk, size) - 1); end < size) {
      size = end + 1;
    }
    chunks.push_back(body.substr(0, size));
    body.remove_prefix(size);
  }
  return chunks;
}

// Reads the cells of columns of numbers.
class NumberReader {
 public:
  explicit NumberReader(TextTableOptions const& options) : decimal_(options.decimal) {
    for (std::string const& text : options.missing) {
      double value = 0;
      ReadPlain(text, &value) ? missing_numbers_.push_back(value) : missing_texts_.push_back(text);
    }
  }

  // NaN for a missing cell; false if it holds something else than a number.
  bool operator()(std::string_view cell, double* value) const {
    if (ReadPlain(cell, value)) {
      for (double const missing : missing_numbers_) {
        if (*value == missing) *value = kNoNumber;
      }
      return true;
    }
    *value = kNoNumber;
    cell = Trim(cell);
    return cell.empty() || std::find(missing_texts_.begin(), missing_texts_.end(), cell) != missing_texts_.end();
  }

 private:
  bool ReadPlain(std::string_view cell, double* value) const {
    if (decimal_ == '.') return ParseNumber(cell, value);
    if (cell.find('.') != std::string_view::npos) return false;
    std::string swapped(cell);
    std::replace(swapped.begin(), swapped.end(), decimal_, '.');
    return ParseNumber(swapped, value);
  }

  char decimal_;
  std::vector<double> missing_numbers_;
  std::vector<std::string> missing_texts_;
};

// What is wrong with a record of a chunk.
struct Failure {
  std::size_t line = 0, last_line = 0, cells = 0;
};

// What a chunk holds: its columns of numbers, as far as they are some, and where its rows begin.
struct Part {
  std::vector<TextTableColumn> columns;
  std::vector<std::uint32_t> lines;  // from the first of the chunk
  std::size_t num_lines = 0;
  std::optional<Failure> failure;
};

struct Texts {
  std::vector<std::uint32_t> codes;
  std::deque<std::string> labels;  // whose addresses last
  std::unordered_map<std::string_view, std::uint32_t> known;

  void Add(std::string_view cell) { codes.push_back(CodeOf(cell)); }

  std::uint32_t CodeOf(std::string_view label) {
    auto const found = known.find(label);
    if (found != known.end()) return found->second;
    auto const code = static_cast<std::uint32_t>(labels.size());
    known.emplace(labels.emplace_back(label), code);
    return code;
  }
};

using Flags = std::vector<std::atomic<bool>>;

Part ReadNumbers(std::string_view chunk, TextTableOptions const& options, NumberReader const& read, Flags* is_text) {
  Part part;
  std::size_t const width = is_text->size();
  part.columns.resize(width);
  RecordReader reader(chunk, options.delimiter);
  auto const on_cell = [&](std::size_t column, std::string_view cell) {
    if (column >= width || (*is_text)[column].load(std::memory_order_relaxed)) return;
    double value = 0;
    if (!read(cell, &value)) {
      (*is_text)[column] = true;
      return;
    }
    TextTableColumn& own = part.columns[column];
    own.numbers.push_back(value);
    own.has_decimals = own.has_decimals || cell.find(options.decimal) != std::string_view::npos;
  };
  while (reader.Next(on_cell)) {
    if (reader.Cells() != width || reader.IsOpen()) {
      part.failure = {reader.Line(), reader.LinesRead(), reader.Cells()};
      return part;
    }
    part.lines.push_back(static_cast<std::uint32_t>(reader.Line()));
  }
  part.num_lines = reader.LinesRead();
  return part;
}

std::vector<Texts> ReadTexts(std::string_view chunk, char delimiter, Flags const& is_text) {
  std::vector<Texts> columns(is_text.size());
  RecordReader reader(chunk, delimiter);
  while (reader.Next([&](std::size_t column, std::string_view cell) {
    if (is_text[column].load(std::memory_order_relaxed)) columns[column].Add(cell);
  })) {
  }
  return columns;
}

[[noreturn]] void Throw(Failure const& failure, std::size_t before, std::size_t width, std::string const& name,
                        char delimiter) {
  std::size_t const line = before + failure.line + 1, last = before + failure.last_line;
  std::string const open = Text("A quote that is opened there stays open up to line ", last, ".");
  if (failure.cells == width) throw DataError(Text("Line ", line, " of ", name, " has no end. ", open));
  std::string const sign = delimiter == '\t' ? "tabs" : Text("`", delimiter, "`");
  std::string const cause = last > line ? open : Text("Cells are taken to be separated by ", sign, ".");
  throw DataError(
      Text("Line ", line, " of ", name, " has ", failure.cells, " cells; ", width, " were expected. ", cause));
}

std::vector<std::uint32_t> LinesOf(std::vector<Part> const& parts, std::size_t before, std::size_t width,
                                   std::string const& name, char delimiter) {
  std::vector<std::uint32_t> lines;
  for (Part const& part : parts) {
    if (part.failure) Throw(*part.failure, before, width, name, delimiter);
    for (auto const line : part.lines) lines.push_back(static_cast<std::uint32_t>(before + line + 1));
    before += part.num_lines;
  }
  return lines;
}

void JoinNumbers(std::vector<Part>* parts, std::size_t column, std::size_t rows, TextTableColumn* joined) {
  joined->numbers.reserve(rows);
  for (Part& part : *parts) {
    TextTableColumn const own = std::move(part.columns[column]);
    joined->numbers.insert(joined->numbers.end(), own.numbers.begin(), own.numbers.end());
    joined->has_decimals = joined->has_decimals || own.has_decimals;
  }
}

void JoinTexts(std::vector<std::vector<Texts>>* parts, std::size_t column, std::size_t rows, TextTableColumn* joined) {
  Texts all;
  all.codes.reserve(rows);
  for (auto& part : *parts) {
    Texts const texts = std::move(part[column]);
    std::vector<std::uint32_t> codes;
    for (std::string const& label : texts.labels) codes.push_back(all.CodeOf(label));
    for (auto const code : texts.codes) all.codes.push_back(codes[code]);
  }
  joined->is_text = true;
  joined->codes = std::move(all.codes);
  joined->labels.assign(std::make_move_iterator(all.labels.begin()), std::make_move_iterator(all.labels.end()));
}

}  // namespace

TextTable::TextTable(std::string const& path, std::string name)
    : name_(std::move(name)), text_(ReadWholeFile(path)), rest_(WithoutByteOrderMark(text_)) {
  std::size_t const zero = rest_.find('\0');
  if (zero == std::string_view::npos) return;
  auto const line = std::count(rest_.begin(), rest_.begin() + static_cast<std::ptrdiff_t>(zero), '\n') + 1;
  throw DataError(Text("Line ", line, " of ", name_, " has a zero byte, which no text in UTF-8 has: the file is in ",
                       "another encoding, such as UTF-16, no text, or damaged."));
}

std::vector<std::vector<std::string>> TextTable::Sample(char delimiter, std::size_t records) const {
  std::vector<std::vector<std::string>> sample;
  RecordReader reader(rest_, delimiter);
  for (std::vector<std::string> cells; sample.size() < records; cells.clear()) {
    if (!reader.Next([&](std::size_t, std::string_view cell) { cells.emplace_back(cell); })) break;
    sample.push_back(std::move(cells));
  }
  return sample;
}

TextTableColumns TextTable::Read(TextTableOptions const& options, Context const& ctx) const {
  RecordReader first(rest_, options.delimiter);
  first.Next([](std::size_t, std::string_view) {});
  std::size_t const width = first.Cells();
  auto const chunks = ChunksOf(options.header ? first.Rest() : rest_, options.delimiter, ctx);
  Flags is_text(width);
  for (auto const column : options.texts) is_text.at(column) = true;
  NumberReader const read(options);
  std::vector<Part> parts(chunks.size());
  ParallelTasks(ctx, chunks.size(),
                [&](std::size_t i, int) { parts[i] = ReadNumbers(chunks[i], options, read, &is_text); });
  TextTableColumns table;
  table.lines = LinesOf(parts, options.header ? first.LinesRead() : 0, width, name_, options.delimiter);
  std::vector<std::vector<Texts>> texts(chunks.size());
  if (std::any_of(is_text.begin(), is_text.end(), [](auto const& flag) { return flag.load(); })) {
    ParallelTasks(ctx, chunks.size(),
                  [&](std::size_t i, int) { texts[i] = ReadTexts(chunks[i], options.delimiter, is_text); });
  }
  table.columns.resize(width);
  std::size_t const rows = table.lines.size();
  ParallelTasks(ctx, width, [&](std::size_t i, int) {
    is_text[i] ? JoinTexts(&texts, i, rows, &table.columns[i]) : JoinNumbers(&parts, i, rows, &table.columns[i]);
  });
  return table;
}

}  // namespace xgbl
