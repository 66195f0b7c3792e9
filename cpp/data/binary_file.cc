// SPDX-License-Identifier: Apache-2.0
// Layout: magic, version, then numbers and arrays in a fixed order, little endian, each array after its length; finally
// the checksum of all that. Cells are stored as rows of present cells or, if that takes no more room, as a table with
// NaN for missing ones. The data alone decide, so equal data give equal files whatever shape they had in memory.
#include <algorithm>
#include <array>
#include <istream>
#include <type_traits>

#include "base/checksum.h"
#include "base/error.h"
#include "base/file.h"
#include "data/dmatrix.h"
#include "ingest/fingerprint.h"

namespace xgbl {
namespace {

constexpr std::array<char, 8> kMagic{'x', 'g', 'b', 'l', 'D', 'a', 't', 'a'};
constexpr std::uint32_t kVersion = 1;
constexpr std::size_t kRecordChunkBytes = std::size_t{1} << 16U;

// Both archives take the same calls, so that one list of fields (see Fields) serves for writing and reading.
class Writer {
 public:
  explicit Writer(std::ostream& out) : out_(out) {}

  template <class T>
  void Plain(T const* values, std::size_t count) {
    constexpr std::size_t kChunk = kRecordChunkBytes / sizeof(T);
    std::array<char, kRecordChunkBytes> bytes;
    for (std::size_t first = 0; first < count; first += kChunk) {
      std::size_t const size = std::min(kChunk, count - first);
      for (std::size_t i = 0; i < size; ++i) EncodeLittle(values[first + i], bytes.data() + i * sizeof(T));
      sum_.Add(bytes.data(), size * sizeof(T));
      out_.write(bytes.data(), static_cast<std::streamsize>(size * sizeof(T)));
    }
  }

  template <class T>
  void Number(T const& value) {
    Plain(&value, 1);
  }

  template <class Sequence>  // a vector or a string
  void Array(Sequence const& values) {
    Number(static_cast<std::uint64_t>(values.size()));
    Plain(values.data(), values.size());
  }

  template <class T, class Each>
  void List(std::vector<T> const& items, Each&& each) {
    Number(static_cast<std::uint64_t>(items.size()));
    for (T const& item : items) each(item);
  }

  void Finish() { Number(sum_.Value()); }

 private:
  std::ostream& out_;
  Checksum sum_;
};

class Reader {
 public:
  Reader(std::istream& in, std::uint64_t size) : in_(in), left_(size) {}

  std::uint64_t Left() const { return left_; }

  // Refuses before memory is taken what the rest of the file cannot hold.
  std::size_t Room(std::uint64_t count, std::size_t item_bytes) const {
    Require<ModelError>(count <= left_ / item_bytes, "it is cut short or damaged: ", count, " items of ", item_bytes,
                        " bytes are announced where ", left_, " bytes are left");
    return static_cast<std::size_t>(count);
  }

  template <class T>
  void Plain(T* values, std::size_t count) {
    Room(count, sizeof(T));
    constexpr std::size_t kChunk = kRecordChunkBytes / sizeof(T);
    std::array<char, kRecordChunkBytes> bytes;
    for (std::size_t first = 0; first < count; first += kChunk) {
      std::size_t const size = std::min(kChunk, count - first);
      in_.read(bytes.data(), static_cast<std::streamsize>(size * sizeof(T)));
      Require<ModelError>(!in_.fail(), "it ends too early");
      sum_.Add(bytes.data(), size * sizeof(T));
      for (std::size_t i = 0; i < size; ++i) values[first + i] = DecodeLittle<T>(bytes.data() + i * sizeof(T));
    }
    left_ -= count * sizeof(T);
  }

  template <class T>
  void Number(T& value) {
    Plain(&value, 1);
  }

  template <class Sequence>  // a vector or a string
  void Array(Sequence& values) {
    std::uint64_t count = 0;
    Number(count);
    values.resize(Room(count, sizeof(values[0])));
    Plain(values.data(), values.size());
  }

  template <class T, class Each>
  void List(std::vector<T>& items, Each&& each) {
    std::uint64_t count = 0;
    Number(count);
    items.resize(Room(count, 8));  // an item has at least a length
    for (T& item : items) each(item);
  }

  void Finish() {
    std::uint64_t const expected = sum_.Value();
    std::uint64_t found = 0;
    Number(found);
    Require<ModelError>(left_ == 0, "it is damaged: ", left_, " bytes are left over");
    Require<ModelError>(
        found == expected,
        "it is damaged: its checksum is wrong. Restore it from a copy, or make it anew from its source");
  }

 private:
  std::istream& in_;
  std::uint64_t left_;
  Checksum sum_;
};

template <class Archive, class Table>
void MatrixField(Archive& archive, Table& matrix) {
  std::uint64_t columns = matrix.columns;
  archive.Number(columns);
  archive.Array(matrix.values);
  if constexpr (!std::is_const_v<Table>) {
    bool const good = columns == 0 ? matrix.values.empty() : matrix.values.size() % columns == 0;
    Require<ModelError>(good, "a matrix in it has a wrong size");
    matrix.columns = static_cast<std::size_t>(columns);
    matrix.rows = columns == 0 ? 0 : matrix.values.size() / matrix.columns;
  }
}

template <class Archive, class Record>
void Fields(Archive& archive, Record& meta) {
  MatrixField(archive, meta.labels);
  MatrixField(archive, meta.base_margin);
  archive.Array(meta.weights);
  archive.Array(meta.label_lower);
  archive.Array(meta.label_upper);
  archive.Array(meta.feature_weights);
  archive.Array(meta.group_begin);
  auto const text = [&](auto& item) { archive.Array(item); };
  archive.List(meta.feature_names, text);
  archive.List(meta.feature_types, text);
  archive.List(meta.categories, [&](auto& feature) {
    archive.List(feature.names, text);
    archive.Array(feature.numbers);
    archive.Array(feature.number_type);
  });
}

bool StoredAsTable(std::uint64_t rows, std::uint64_t columns, std::uint64_t present) {
  return present >= rows * columns / 2;  // 4 bytes per cell against 8 per present cell
}

void WriteTable(FeatureMatrix const& features, Writer& writer) {
  std::vector<float> line(features.Rows() == 0 ? 0 : features.Columns());  // without rows there may be any number
  for (std::size_t row = 0; row < features.Rows(); ++row) {
    std::fill(line.begin(), line.end(), kMissing);
    features.ForEachPresent(row, [&](std::size_t column, float value) { line[column] = value; });
    writer.Plain(line.data(), line.size());
  }
}

void WriteRows(FeatureMatrix const& features, Writer& writer) {
  std::vector<std::uint32_t> columns;
  std::vector<float> values;
  for (std::size_t row = 0; row < features.Rows(); ++row) {
    columns.clear();
    values.clear();
    features.ForEachPresent(row, [&](std::size_t column, float value) {
      columns.push_back(static_cast<std::uint32_t>(column));
      values.push_back(value);
    });
    writer.Number(static_cast<std::uint32_t>(columns.size()));
    writer.Plain(columns.data(), columns.size());
    writer.Plain(values.data(), values.size());
  }
}

DenseTable ReadTable(std::size_t rows, std::size_t columns, Reader& reader) {
  Require<ModelError>(columns == 0 || rows <= reader.Left() / sizeof(float) / columns,
                      "it is cut short or damaged: its table does not fit into it");
  float* cells = nullptr;
  DenseTable table = NewTable(rows, columns, &cells);
  reader.Plain(cells, rows * columns);
  return table;
}

SparseRows ReadRows(std::size_t rows, std::size_t columns, std::uint64_t present, Reader& reader) {
  SparseRows out;
  out.columns = columns;
  out.row_begin.reserve(reader.Room(rows, sizeof(std::uint32_t)) + 1);
  out.column.reserve(reader.Room(present, sizeof(std::uint32_t) + sizeof(float)));
  out.value.reserve(out.column.capacity());
  for (std::size_t row = 0; row < rows; ++row) {
    std::uint32_t count = 0;
    reader.Number(count);
    std::size_t const first = out.column.size();
    Require<ModelError>(count <= present - first, "it is damaged: row ", row, " has too many cells");
    out.column.resize(first + count);
    out.value.resize(first + count);
    reader.Plain(out.column.data() + first, count);
    reader.Plain(out.value.data() + first, count);
    bool good = count == 0 || out.column.back() < columns;
    for (std::size_t k = first; k < first + count; ++k) {
      good = good && !std::isnan(out.value[k]) && (k == first || out.column[k - 1] < out.column[k]);
    }
    Require<ModelError>(good, "it is damaged: the cells of row ", row, " are out of order");
    out.row_begin.push_back(first + count);
  }
  Require<ModelError>(out.column.size() == present, "it is damaged: it has too few cells");
  return out;
}

std::shared_ptr<DMatrix> Read(std::istream& in, std::uint64_t size) {
  Reader reader(in, size);
  std::array<char, kMagic.size()> magic{};
  reader.Plain(magic.data(), magic.size());
  Require<ModelError>(magic == kMagic,
                      "it is no matrix that `save_binary` of xgb_like wrote. Matrices saved by XGBoost",
                      " have a format of their own: make the DMatrix from its source");
  std::uint32_t version = 0;
  std::uint64_t rows = 0, columns = 0, present = 0;
  reader.Number(version);
  Require<ModelError>(version == kVersion, "it is of version ", version, ", this release reads version ", kVersion);
  reader.Number(rows);
  reader.Number(columns);
  reader.Number(present);
  CheckShape(rows, columns);
  Require<ModelError>(columns == 0 ? present == 0 : present / columns <= rows, "it is damaged: it has too many cells");
  FeatureMatrix features = StoredAsTable(rows, columns, present)
                               ? FeatureMatrix(ReadTable(rows, columns, reader))
                               : FeatureMatrix(ReadRows(rows, columns, present, reader));
  Meta meta;
  Fields(reader, meta);
  reader.Finish();
  return std::make_shared<DMatrix>(std::move(features), std::move(meta));
}

}  // namespace

void SaveBinary(DMatrix const& matrix, std::string const& path) {
  matrix.Features().NeedValues("A binary file");
  CheckUnchanged(matrix.Features(), Context{});
  std::uint64_t const rows = matrix.Rows(), columns = matrix.Columns(), present = matrix.Present();
  WriteFileAtomically(path, [&](std::ostream& out) {
    Writer writer(out);
    writer.Plain(kMagic.data(), kMagic.size());
    writer.Number(kVersion);
    writer.Number(rows);
    writer.Number(columns);
    writer.Number(present);
    StoredAsTable(rows, columns, present) ? WriteTable(matrix.Features(), writer)
                                          : WriteRows(matrix.Features(), writer);
    Fields(writer, matrix.Info());
    writer.Finish();
  });
}

std::shared_ptr<DMatrix> LoadBinary(std::string const& path) {
  std::ifstream in = OpenFile(path);
  auto const end = in.seekg(0, std::ios::end).tellg();
  in.seekg(0);
  Require<FileError>(in.good() && end >= 0, "Cannot read `", path, "`: it is no regular file.");
  try {
    return Read(in, static_cast<std::uint64_t>(end));
  } catch (Error const& error) {
    std::string reason = error.what();
    if (reason.back() == '.') reason.pop_back();
    throw ModelError(Text("Cannot load the matrix `", path, "`: ", reason, "."));
  }
}

bool IsBinaryMatrix(std::string const& path) {
  std::ifstream in = OpenFile(path);
  std::array<char, kMagic.size()> magic{};
  in.read(magic.data(), magic.size());
  return in.good() && magic == kMagic;
}

}  // namespace xgbl
