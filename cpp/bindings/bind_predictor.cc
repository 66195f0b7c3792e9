// SPDX-License-Identifier: Apache-2.0
#include <pybind11/numpy.h>
#include <pybind11/pybind11.h>
#include <pybind11/stl.h>

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <utility>

#include "bindings/bind.h"
#include "boost/booster.h"

namespace xgbl {
namespace py = pybind11;
namespace {

// What calls ask for, all but their rows.
struct Request {
  PredictionKind kind = PredictionKind::kValue;
  RoundRange rounds;
  float missing = kMissing;
  bool strict_shape = false;
};

PredictionKind KindOf(Learner const& learner, bool margin) {
  if (margin) return PredictionKind::kMargin;
  return learner.GetObjective().PredictsClass() ? PredictionKind::kClass : PredictionKind::kValue;
}

// The number types that rows of servers come in.
std::optional<ScalarType> TypeOf(py::array const& array) {
  if (py::array_t<float, 0>::check_(array)) return ScalarType::kFloat32;
  if (py::array_t<double, 0>::check_(array)) return ScalarType::kFloat64;
  if (py::array_t<std::int64_t, 0>::check_(array)) return ScalarType::kInt64;
  if (py::array_t<std::int32_t, 0>::check_(array)) return ScalarType::kInt32;
  return std::nullopt;
}

bool IsTable(py::array const& array, std::size_t columns) {
  return array.ndim() == 2 && static_cast<std::size_t>(array.shape(1)) == columns;
}

bool IsAligned(py::array const& array) { return reinterpret_cast<std::uintptr_t>(array.data()) % alignof(float) == 0; }

// The bytes from the first to the last element.
std::pair<std::uintptr_t, std::uintptr_t> ExtentOf(py::array const& array) {
  auto const first = reinterpret_cast<std::uintptr_t>(array.data());
  std::pair<std::uintptr_t, std::uintptr_t> extent(first, first);
  if (array.size() == 0) return extent;
  for (py::ssize_t i = 0; i < array.ndim(); ++i) {
    py::ssize_t const reach = (array.shape(i) - 1) * array.strides(i);
    (reach < 0 ? extent.first : extent.second) += static_cast<std::uintptr_t>(reach);
  }
  extent.second += static_cast<std::uintptr_t>(array.itemsize());
  return extent;
}

// Whether predictions can be written to `out` while rows are still read.
bool CanFill(py::object const& out, py::array const& rows) {
  if (!py::isinstance<py::array>(out)) return true;
  auto const to = py::reinterpret_borrow<py::array>(out);
  auto const a = ExtentOf(rows), b = ExtentOf(to);
  return IsAligned(to) && (a.second <= b.first || b.second <= a.first);
}

// A float32 array that can be read as it is.
std::optional<DenseTable> TableOf(py::array const& array, float missing) {
  constexpr auto kSize = static_cast<py::ssize_t>(sizeof(float));
  if (!IsAligned(array) || array.strides(0) % kSize != 0 || array.strides(1) % kSize != 0) return std::nullopt;
  DenseTable table;
  table.data = static_cast<float const*>(array.data());
  table.rows = static_cast<std::size_t>(array.shape(0));
  table.columns = static_cast<std::size_t>(array.shape(1));
  table.row_stride = array.strides(0) / kSize;
  table.column_stride = array.strides(1) / kSize;
  table.missing = missing;
  return table;
}

// The columns of an array of any number type.
ColumnTable ColumnsOf(py::array const& array, ScalarType type, float missing) {
  ColumnTable table;
  table.rows = static_cast<std::size_t>(array.shape(0));
  table.missing = missing;
  for (py::ssize_t column = 0; column < array.shape(1); ++column) {
    auto const* const data = static_cast<char const*>(array.data()) + column * array.strides(1);
    table.columns.push_back({data, type, array.strides(0)});
  }
  return table;
}

using Shape = std::array<py::ssize_t, 2>;

py::array NewArray(Shape const& shape, bool flat) {
  return flat ? py::array_t<float>(shape[0]) : py::array_t<float>(shape);
}

// `out` as the caller gave it, if the predictions fit it.
void CheckOut(py::array const& out, Shape const& shape, bool flat) {
  bool const fits = flat ? out.ndim() == 1 && out.shape(0) == shape[0]
                         : out.ndim() == 2 && out.shape(0) == shape[0] && out.shape(1) == shape[1];
  bool const usable = py::array_t<float, py::array::c_style>::check_(out) && out.writeable();
  if (fits && usable) return;
  throw DataError(Text("`out` must be a writable float32 array in C order of shape (", shape[0],
                       flat ? std::string() : Text(", ", shape[1]), "); got shape ",
                       py::str(out.attr("shape")).cast<std::string>(), " and dtype ",
                       py::str(out.dtype()).cast<std::string>(), "."));
}

// Predicts rows to `to`; false, and nothing there, if some have codes of categories that training did not have.
bool Fill(FrozenPredictor const& model, Request const& request, RowSource const& source, MatrixView<float> to) {
  auto const fill = [&](Interrupt const& interrupted) {
    if (!model.KnowsCodes(source, interrupted)) return false;
    DenseTable const* const table = source.Dense();
    if (table != nullptr && table->rows == 1 && model.IsQuick(1)) {
      model.PredictRow(table->data, table->column_stride, table->missing, request.kind, request.rounds, to.data());
    } else {
      model.Predict(source, request.kind, request.rounds, interrupted, to);
    }
    return true;
  };
  return model.IsQuick(source.Rows()) ? fill({}) : Interruptible(fill);
}

// Predictions of rows to an array, that of the caller if one is given, and whether training had margins for its rows.
// None if there are codes of categories to report.
py::object Answer(FrozenPredictor const& model, Request const& request, RowSource const& source,
                  py::object const& given) {
  std::size_t const columns = model.Columns(request.kind);
  bool const flat = columns == 1 && !request.strict_shape;
  Shape const shape{static_cast<py::ssize_t>(source.Rows()), static_cast<py::ssize_t>(columns)};
  bool const own = given.is_none();
  Require<DataError>(own || py::isinstance<py::array>(given), "`out` must be a numpy array.");
  py::array out = own ? NewArray(shape, flat) : py::reinterpret_borrow<py::array>(given);
  if (!own) CheckOut(out, shape, flat);
  MatrixView<float> const to(static_cast<float*>(out.mutable_data()), source.Rows(), columns);
  if (!Fill(model, request, source, to)) return py::none();
  return py::make_tuple(std::move(out), model.GetLearner().GetModel().facts.base_margin);
}

// None if the arrays cannot be read and filled as they are: it is for the general way then.
py::object Predict(FrozenPredictor const& model, Request const& request, py::array const& array,
                   py::object const& given) {
  if (!IsTable(array, model.GetLearner().GetModel().num_features)) return py::none();
  auto const type = TypeOf(array);
  if (!type || !CanFill(given, array)) return py::none();
  if (*type == ScalarType::kFloat32) {
    auto const table = TableOf(array, request.missing);
    if (table) return Answer(model, request, FeatureMatrix(*table), given);
  }
  return Answer(model, request, ColumnsOf(array, *type, request.missing), given);
}

// Of a booster's predictor, with what is always the same in the calls.
struct FrozenCall {
  std::shared_ptr<FrozenPredictor const> model;
  Request request;
};

Request RequestOf(FrozenPredictor const& model, bool margin, std::size_t begin, std::size_t end, float missing,
                  bool strict_shape) {
  ResolveTrees(model.GetLearner().GetModel(), {begin, end});
  return {KindOf(model.GetLearner(), margin), {begin, end}, missing, strict_shape};
}

// Layouts are made without the GIL; to give it up costs more than to look whether there are any.
std::shared_ptr<FrozenPredictor const> FrozenOf(Booster const& booster) {
  if (auto made = booster.FrozenIfMade()) return made;
  WithoutGil const released;
  return booster.Frozen();
}

py::object PredictArray(Booster const& booster, py::array const& array, bool margin, std::size_t begin, std::size_t end,
                        float missing, bool strict_shape) {
  auto const model = FrozenOf(booster);
  if (!model) return py::none();
  return Predict(*model, RequestOf(*model, margin, begin, end, missing, strict_shape), array, py::none());
}

// The same of rows that scipy holds.
py::object PredictCsr(Booster const& booster, std::array<py::array, 3> const& arrays, std::size_t columns, bool margin,
                      std::size_t begin, std::size_t end, float missing, bool strict_shape) {
  auto const model = FrozenOf(booster);
  if (!model || columns > model->GetLearner().GetModel().num_features) return py::none();
  std::array<ScalarArray, 3> parts;
  for (std::size_t i = 0; i < 3; ++i) {
    bool const gapless = (arrays[i].flags() & py::array::c_style) != 0 && arrays[i].ndim() == 1;
    auto const type = TypeOf(arrays[i]);
    bool const whole = type && *type != ScalarType::kFloat32 && *type != ScalarType::kFloat64;
    bool const aligned = reinterpret_cast<std::uintptr_t>(arrays[i].data()) % alignof(std::int64_t) == 0;
    if (!gapless || !type || !aligned || whole != (i < 2)) return py::none();
    parts[i] = {arrays[i].data(), static_cast<std::size_t>(arrays[i].size()), *type};
  }
  CsrView const rows(parts[0], parts[1], parts[2], columns, missing);
  return Answer(*model, RequestOf(*model, margin, begin, end, missing, strict_shape), rows, py::none());
}

std::unique_ptr<FrozenCall> Freeze(Booster const& booster, bool margin, std::size_t begin, std::size_t end,
                                   float missing, bool strict_shape) {
  auto model = FrozenOf(booster);
  if (!model) return nullptr;
  Request const request = RequestOf(*model, margin, begin, end, missing, strict_shape);
  return std::make_unique<FrozenCall>(FrozenCall{std::move(model), request});
}

}  // namespace

void BindPredictor(py::module_& module) {
  using py::arg;
  py::class_<FrozenCall>(module, "FrozenPredictor", py::is_final())
      .def(
          "predict",
          [](FrozenCall const& call, py::array const& array, py::object const& out) {
            return Predict(*call.model, call.request, array, out);
          },
          arg("data"), arg("out"));
  module.def("predict_array", &PredictArray, arg("booster"), arg("data"), arg("margin"), arg("begin"), arg("end"),
             arg("missing"), arg("strict_shape"));
  module.def("predict_csr", &PredictCsr, arg("booster"), arg("arrays"), arg("num_columns"), arg("margin"), arg("begin"),
             arg("end"), arg("missing"), arg("strict_shape"));
  module.def("freeze", &Freeze, arg("booster"), arg("margin"), arg("begin"), arg("end"), arg("missing"),
             arg("strict_shape"));
}

}  // namespace xgbl
