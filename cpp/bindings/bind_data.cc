// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "bindings/arrays.h"
#include "bindings/bind.h"
#include "data/dmatrix.h"
#include "data/quantile_matrix.h"
#include "ingest/arrays.h"
#include "ingest/fingerprint.h"
#include "ingest/text_reader.h"
#include "ingest/text_table.h"
#include "parallel/parallel_for.h"

namespace xgbl {
namespace py = pybind11;
namespace {

using MatrixPtr = std::shared_ptr<DMatrix>;

constexpr std::size_t kTaskRows = 1024;

ScalarType ScalarTypeOf(py::array const& array) {
  char const kind = array.dtype().kind();
  auto const size = array.dtype().itemsize();
  auto const pick = [&](std::vector<ScalarType> const& types, py::ssize_t smallest) {
    for (auto const type : types) {
      if (smallest == size) return type;
      smallest *= 2;
    }
    throw DataError(Text("Arrays of dtype ", py::str(array.dtype()).cast<std::string>(),
                         " cannot be used. Convert to float32 or float64."));
  };
  if (kind == 'b') return ScalarType::kBool;
  if (kind == 'i') return pick({ScalarType::kInt8, ScalarType::kInt16, ScalarType::kInt32, ScalarType::kInt64}, 1);
  if (kind == 'u') return pick({ScalarType::kUint8, ScalarType::kUint16, ScalarType::kUint32, ScalarType::kUint64}, 1);
  if (kind == 'f') return pick({ScalarType::kFloat16, ScalarType::kFloat32, ScalarType::kFloat64}, 2);
  return pick({}, 0);
}

// Keeps a Python object alive; the last owner may be any thread.
std::shared_ptr<void const> Hold(py::object object) {
  auto* held = new py::object(std::move(object));
  return {held, [](void const* owner) {
            py::gil_scoped_acquire const gil;
            delete static_cast<py::object const*>(owner);
          }};
}

// What is no lasting matrix is of use while its owner holds it still: a batch, or the rows of one call to predict.
IngestOptions OptionsOf(float missing, std::string const& use) {
  Ensure(use == "matrix" || use == "batch" || use == "call", "use of arrays ", use);
  IngestOptions options;
  options.missing = missing;
  options.check_infinity = use != "call";
  options.guard = use == "matrix";
  if (!options.guard) options.copied_bytes = 0;
  return options;
}

MatrixPtr FromDense(py::array const& array, float missing, int nthread, std::string const& use) {
  Require<DataError>(array.ndim() == 2, "Features must be an array of 2 dimensions; got ", array.ndim(), ".");
  DenseSource source;
  source.data = array.data();
  source.type = ScalarTypeOf(array);
  source.rows = static_cast<std::size_t>(array.shape(0));
  source.columns = static_cast<std::size_t>(array.shape(1));
  source.row_stride = array.strides(0);
  source.column_stride = array.strides(1);
  source.owner = Hold(array);
  return Interruptible([&](Interrupt const& interrupted) {
    DenseTable table = IngestDense(source, OptionsOf(missing, use), ContextOf(nthread, interrupted));
    return std::make_shared<DMatrix>(FeatureMatrix(std::move(table)), Meta{});
  });
}

using Ingest = SparseTable (*)(SparseSource const&, IngestOptions const&, Context const&);

template <Ingest ingest>
MatrixPtr FromSparse(py::array indptr, py::array indices, py::array values, std::size_t width, float missing,
                     int nthread, std::string const& use) {
  auto const contiguous = [](py::array* array) {
    *array = py::module_::import("numpy").attr("ascontiguousarray")(*array);
    return ScalarArray{array->data(), static_cast<std::size_t>(array->size()), ScalarTypeOf(*array)};
  };
  SparseSource source;
  source.offsets = contiguous(&indptr);
  source.indices = contiguous(&indices);
  source.values = contiguous(&values);
  source.width = width;
  source.owner = Hold(py::make_tuple(indices, values));
  return Interruptible([&](Interrupt const& interrupted) {
    SparseTable table = ingest(source, OptionsOf(missing, use), ContextOf(nthread, interrupted));
    return std::make_shared<DMatrix>(FeatureMatrix(std::move(table)), Meta{});
  });
}

MatrixPtr FromText(std::string const& path, std::string const& format, int label_column, int indexing_mode,
                   float missing, int nthread) {
  bool const csv = format == "csv";
  Require<DataError>(csv || format == "libsvm", "The format of a text file must be libsvm or csv; got `", format, "`.");
  TextOptions options;
  options.label_column = label_column;
  options.indexing_mode = indexing_mode;
  options.missing = missing;
  return Interruptible([&](Interrupt const& interrupted) {
    Context const ctx = ContextOf(nthread, interrupted);
    TextData data = csv ? ReadCsv(path, options, ctx) : ReadLibsvm(path, options, ctx);
    return std::make_shared<DMatrix>(std::move(data.features), std::move(data.meta));
  });
}

py::tuple ToCsr(DMatrix const& matrix) {
  std::vector<std::uint64_t> begin{0};
  std::vector<std::uint32_t> columns;
  std::vector<float> values;
  Interruptible([&](Interrupt const& interrupted) {
    Context const ctx = ContextOf(0, interrupted);
    FeatureMatrix const features = matrix.PassingFeatures(ctx);
    CheckUnchanged(features, ctx);
    begin.reserve(matrix.Rows() + 1);
    PacedCheck pace(ctx);
    for (std::size_t row = 0; row < matrix.Rows(); ++row) {
      features.ForEachPresent(row, [&](std::size_t column, float value) {
        columns.push_back(static_cast<std::uint32_t>(column));
        values.push_back(value);
      });
      begin.push_back(columns.size());
      pace.Step(matrix.Columns());
    }
  });
  return py::make_tuple(ToNumpy(std::move(begin)), ToNumpy(std::move(columns)), ToNumpy(std::move(values)));
}

std::size_t CountPresent(DMatrix const& matrix) {
  return Interruptible([&](Interrupt const& interrupted) {
    Context const ctx = ContextOf(0, interrupted);
    matrix.CheckUnchanged(ctx);
    return matrix.Present(ctx);
  });
}

// None unless the matrix is a table.
py::object ToDense(DMatrix const& matrix) {
  if (!matrix.IsDense()) return py::none();
  std::vector<float> cells;
  Interruptible([&](Interrupt const& interrupted) {
    Context const ctx = ContextOf(0, interrupted);
    FeatureMatrix const features = matrix.PassingFeatures(ctx);
    CheckUnchanged(features, ctx);
    DenseTable const& table = *features.Dense();
    cells.resize(table.rows * table.columns);
    ParallelBlocks(ctx, table.rows, kTaskRows, [&](std::size_t begin, std::size_t end) {
      float* to = cells.data() + begin * table.columns;
      for (std::size_t row = begin; row < end; ++row) {
        for (std::size_t column = 0; column < table.columns; ++column) *to++ = table.At(row, column);
      }
    });
  });
  return ToNumpy(std::move(cells), {matrix.Rows(), matrix.Columns()});
}

// The fields of Meta that are float32, by the names that users know.
std::vector<float> Meta::* VectorField(std::string const& field) {
  if (field == "weight") return &Meta::weights;
  if (field == "label_lower_bound") return &Meta::label_lower;
  if (field == "label_upper_bound") return &Meta::label_upper;
  if (field == "feature_weights") return &Meta::feature_weights;
  return nullptr;
}

Matrix<float> Meta::* MatrixField(std::string const& field) {
  if (field == "label") return &Meta::labels;
  if (field == "base_margin") return &Meta::base_margin;
  throw DataError(Text("Unknown field `", field,
                       "`. Known: label, weight, base_margin, label_lower_bound, label_upper_bound, feature_weights."));
}

py::array_t<float> GetFloatInfo(DMatrix const& matrix, std::string const& field) {
  if (auto const vector = VectorField(field)) return ToNumpy(std::vector<float>(matrix.Info().*vector));
  return ToNumpy(Matrix<float>(matrix.Info().*MatrixField(field)));
}

template <class Field>
auto InfoField(Field Meta::* field) {
  return [field](DMatrix const& matrix) { return matrix.Info().*field; };
}

template <class Field>
auto InfoSetter(Field Meta::* field) {
  return [field](DMatrix* matrix, Field values) {
    Meta meta = matrix->Info();
    meta.*field = std::move(values);
    matrix->SetInfo(std::move(meta));
  };
}

void SetFloatInfo(DMatrix* matrix, std::string const& field, FloatArray const& values) {
  if (auto const vector = VectorField(field)) return InfoSetter(vector)(matrix, ToVector<float>(values));
  InfoSetter(MatrixField(field))(matrix, values.size() == 0 ? Matrix<float>{} : ToMatrix(values));
}

using RowArray = py::array_t<std::int64_t, py::array::c_style | py::array::forcecast>;

std::vector<std::size_t> RowsOf(DMatrix const& matrix, RowArray const& rows) {
  std::vector<std::size_t> chosen;
  for (auto const row : ToVector<std::int64_t>(rows)) {
    Require<DataError>(row >= 0 && static_cast<std::size_t>(row) < matrix.Rows(), "Row ", row,
                       " is not in the matrix, which has ", matrix.Rows(), " rows.");
    chosen.push_back(static_cast<std::size_t>(row));
  }
  return chosen;
}

MatrixPtr SliceRows(DMatrix const& matrix, RowArray const& rows, bool allow_groups) {
  std::vector<std::size_t> const chosen = RowsOf(matrix, rows);
  return Interruptible(
      [&](Interrupt const& interrupted) { return matrix.Slice(chosen, allow_groups, ContextOf(0, interrupted)); });
}

MatrixPtr Refer(DMatrix const& matrix, RowArray const& rows, bool allow_groups) {
  std::vector<std::size_t> const chosen = RowsOf(matrix, rows);
  WithoutGil const released;
  return matrix.Refer(chosen, allow_groups);
}

std::vector<Categories> CategoriesFromPython(py::list const& given) {
  std::vector<Categories> out;
  for (auto const& item : given) {
    Categories column;
    if (py::isinstance<py::tuple>(item)) {
      std::tie(column.numbers, column.number_type) = item.cast<std::pair<std::vector<double>, std::string>>();
    } else if (!item.is_none()) {
      column.names = item.cast<std::vector<std::string>>();
    }
    out.push_back(std::move(column));
  }
  return out;
}

// A builder that knows the threads it was made for.
class QuantileBuilder {
 public:
  QuantileBuilder(DMatrix const& first, int max_bin, DMatrix const* reference, int nthread)
      : nthread_(nthread), builder_(Interruptible([&](Interrupt const& interrupted) {
          return Start(first, max_bin, reference, ContextOf(nthread, interrupted));
        })) {}

  // After an interrupt in the middle of a step the builder is of no use: rows may be half counted.
  void Push(DMatrix const& batch) {
    Interruptible([&](Interrupt const& interrupted) {
      Meta const& meta = batch.Info();
      std::vector<float> const by_row = meta.WeightsByRow(batch.Rows());
      builder_.Push(batch.Features(), by_row.empty() ? meta.weights : by_row, ContextOf(nthread_, interrupted));
    });
  }
  bool EndPass() {
    return Interruptible(
        [&](Interrupt const& interrupted) { return builder_.EndPass(ContextOf(nthread_, interrupted)); });
  }
  MatrixPtr Finish() { return builder_.Finish({}); }

 private:
  static QuantileMatrixBuilder Start(DMatrix const& first, int max_bin, DMatrix const* reference, Context const& ctx) {
    if (reference == nullptr) return {first.Info().CategoricalFlags(first.Columns()), max_bin};
    CheckUnchanged(reference->Features(), ctx);
    return {*reference, max_bin, ctx};
  }

  int nthread_;
  QuantileMatrixBuilder builder_;
};

MatrixPtr QuantiseWhole(DMatrix const& matrix, int max_bin, DMatrix const* reference, int nthread) {
  return Interruptible([&](Interrupt const& interrupted) {
    Context const ctx = ContextOf(nthread, interrupted);
    if (reference != nullptr) CheckUnchanged(reference->Features(), ctx);
    return Quantise(matrix, max_bin, reference, ctx);
  });
}

// As Booster.unseen_codes, of categories without labels and a matrix whose bins are to be used.
py::list UnseenCodesAmong(DMatrix const& reference, DMatrix const& data, int max_bin, int nthread) {
  return UnseenCodesToPython(Interruptible([&](Interrupt const& interrupted) {
    Meta const& info = reference.Info();
    auto const flags = info.CategoricalFlags(reference.Columns());
    if (std::find(flags.begin(), flags.end(), 1) == flags.end()) return std::vector<UnseenCodes>{};
    std::vector<KnownCodes> known;
    Context const ctx = ContextOf(nthread, interrupted);
    auto const bins = reference.Binned(ctx, max_bin);
    for (std::size_t i = 0; i < std::min(flags.size(), data.Columns()); ++i) {
      bool const labelled = i < info.categories.size() && !info.categories[i].empty();
      if (flags[i] == 0 || labelled) continue;
      Span<float const> const codes = bins->GetCuts().Upper(i);
      known.push_back({i, CodeSetOf(std::vector<std::int32_t>(codes.begin(), codes.end())), true});
    }
    return known.empty() ? std::vector<UnseenCodes>{} : FindUnseenCodes(known, data.PassingFeatures(ctx), ctx);
  }));
}

// Of each feature a number below its values and the upper ends of its bins, or its categories.
py::tuple QuantileCut(DMatrix const& matrix) {
  std::shared_ptr<Cuts const> const cuts = matrix.LatestCuts();
  Require<DataError>(cuts != nullptr, "The quantile cut has not been made yet. It is when a QuantileDMatrix is, ",
                     "or when a DMatrix is trained on with `tree_method` hist, or approx with `cut_proposal=global`.");
  std::vector<std::uint64_t> begin{0};
  std::vector<float> values;
  for (std::size_t feature = 0; feature < cuts->Columns(); ++feature) {
    if (cuts->categorical[feature] == 0) values.push_back(cuts->lowest[feature]);
    Span<float const> const upper = cuts->Upper(feature);
    values.insert(values.end(), upper.begin(), upper.end());
    begin.push_back(values.size());
  }
  return py::make_tuple(ToNumpy(std::move(begin)), ToNumpy(std::move(values)));
}

// A column as (numbers, has decimals) or (codes, labels).
py::tuple ColumnToPython(TextTableColumn&& column) {
  if (!column.is_text) return py::make_tuple(ToNumpy(std::move(column.numbers)), column.has_decimals);
  return py::make_tuple(ToNumpy(std::move(column.codes)), std::move(column.labels));
}

py::tuple ReadTable(TextTable const& table, char delimiter, char decimal, bool header, std::vector<std::string> missing,
                    std::vector<std::size_t> texts, int nthread) {
  TextTableOptions const options{delimiter, decimal, header, std::move(missing), std::move(texts)};
  TextTableColumns read =
      Interruptible([&](Interrupt const& interrupted) { return table.Read(options, ContextOf(nthread, interrupted)); });
  py::list columns;
  for (auto& column : read.columns) columns.append(ColumnToPython(std::move(column)));
  return py::make_tuple(columns, ToNumpy(std::move(read.lines)));
}

}  // namespace

void BindData(py::module_& module) {
  using py::arg;
  py::class_<DMatrix, MatrixPtr>(module, "DMatrix", py::is_final())
      .def_static("from_dense", &FromDense, arg("data"), arg("missing"), arg("nthread"), arg("use"))
      .def_static("from_csr", &FromSparse<&IngestCsr>, arg("indptr"), arg("indices"), arg("values"), arg("num_columns"),
                  arg("missing"), arg("nthread"), arg("use"))
      .def_static("from_csc", &FromSparse<&IngestCsc>, arg("indptr"), arg("indices"), arg("values"), arg("num_rows"),
                  arg("missing"), arg("nthread"), arg("use"))
      .def_static("from_text", &FromText, arg("path"), arg("text_format"), arg("label_column"), arg("indexing_mode"),
                  arg("missing"), arg("nthread"))
      .def_static("from_binary", &LoadBinary, arg("path"), py::call_guard<WithoutGil>())
      .def_static("is_binary", &IsBinaryMatrix, arg("path"))
      .def("save_binary", &SaveBinary, arg("path"), py::call_guard<WithoutGil>())
      .def("num_row", &DMatrix::Rows)
      .def("num_col", &DMatrix::Columns)
      .def("num_nonmissing", &CountPresent)
      .def("to_csr", &ToCsr)
      .def("to_dense", &ToDense)
      .def("slice", &SliceRows, arg("rows"), arg("allow_groups"))
      .def("refer", &Refer, arg("rows"), arg("allow_groups"))
      .def("get_float_info", &GetFloatInfo, arg("field"))
      .def("set_float_info", &SetFloatInfo, arg("field"), arg("values"))
      .def("get_group_ptr", [](DMatrix const& m) { return ToNumpy(std::vector<std::uint32_t>(m.Info().group_begin)); })
      .def(
          "set_group_ptr",
          [](DMatrix* m, py::array_t<std::uint32_t, py::array::c_style | py::array::forcecast> const& begin) {
            InfoSetter (&Meta::group_begin)(m, ToVector<std::uint32_t>(begin));
          },
          arg("begin"))
      .def_property("feature_names", InfoField(&Meta::feature_names), InfoSetter(&Meta::feature_names))
      .def_property("feature_types", InfoField(&Meta::feature_types), InfoSetter(&Meta::feature_types))
      .def_property(
          "categories", [](DMatrix const& m) { return CategoriesToPython(m.Info().categories); },
          [](DMatrix* m, py::list const& given) { InfoSetter (&Meta::categories)(m, CategoriesFromPython(given)); })
      .def("labelled", [](DMatrix const& m) { return Labelled(m.Info().categories); })
      .def("quantise", &QuantiseWhole, arg("max_bin"), arg("ref"), arg("nthread"))
      .def("unseen_codes", &UnseenCodesAmong, arg("data"), arg("max_bin"), arg("nthread"))
      .def("quantised_with", &DMatrix::QuantisedWith)
      .def("quantile_cut", &QuantileCut);
  py::class_<QuantileBuilder>(module, "QuantileBuilder", py::is_final())
      .def(py::init<DMatrix const&, int, DMatrix const*, int>(), arg("first"), arg("max_bin"), arg("ref"),
           arg("nthread"))
      .def("push", &QuantileBuilder::Push, arg("batch"))
      .def("end_pass", &QuantileBuilder::EndPass)
      .def("finish", &QuantileBuilder::Finish, py::call_guard<WithoutGil>());
  py::class_<TextTable>(module, "TextTable", py::is_final())
      .def(py::init<std::string const&, std::string>(), arg("path"), arg("name"), py::call_guard<WithoutGil>())
      .def("sample", &TextTable::Sample, arg("delimiter"), arg("records"))
      .def("read", &ReadTable, arg("delimiter"), arg("decimal"), arg("header"), arg("missing"), arg("texts"),
           arg("nthread"));
}

}  // namespace xgbl
