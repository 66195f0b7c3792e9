// SPDX-License-Identifier: Apache-2.0
#include <pybind11/numpy.h>
#include <pybind11/pybind11.h>

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <utility>

#include "bindings/bind.h"
#include "bindings/context.h"
#include "bindings/interruptible.h"
#include "boost/booster.h"
#include "data/ingest_dense.h"

namespace xgbl {
namespace py = pybind11;
namespace {

constexpr std::size_t kSmallTable = 10'000;  // cells

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

std::optional<DenseTable> Converted(py::array const& array, ScalarType type, float missing) {
  DenseSource source;
  source.data = array.data();
  source.type = type;
  source.rows = static_cast<std::size_t>(array.shape(0));
  source.columns = static_cast<std::size_t>(array.shape(1));
  source.row_stride = array.strides(0);
  source.column_stride = array.strides(1);
  IngestOptions options;
  options.missing = missing;
  options.check_infinity = options.guard = false;
  if (source.rows * source.columns < kSmallTable) return IngestDense(source, options, {});
  py::gil_scoped_release const released;
  return IngestDense(source, options, ContextOf(0));
}

// A view of an array that can be read as it is, or a copy in float32.
std::optional<DenseTable> TableOf(py::array const& array, std::size_t columns, float missing) {
  constexpr auto kSize = static_cast<py::ssize_t>(sizeof(float));
  bool const fits = array.ndim() == 2 && static_cast<std::size_t>(array.shape(1)) == columns;
  auto const type = fits ? TypeOf(array) : std::nullopt;
  if (!type) return std::nullopt;
  if (*type != ScalarType::kFloat32) return Converted(array, *type, missing);
  bool const aligned = reinterpret_cast<std::uintptr_t>(array.data()) % alignof(float) == 0;
  if (!aligned || array.strides(0) % kSize != 0 || array.strides(1) % kSize != 0) return std::nullopt;
  DenseTable table;
  table.data = static_cast<float const*>(array.data());
  table.rows = static_cast<std::size_t>(array.shape(0));
  table.columns = columns;
  table.row_stride = array.strides(0) / kSize;
  table.column_stride = array.strides(1) / kSize;
  table.missing = missing;
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

// None if the array needs more than a look: it is for the general way then.
py::object Predict(FrozenPredictor const& model, Request const& request, py::array const& array,
                   py::object const& given) {
  auto const table = TableOf(array, model.GetLearner().GetModel().num_features, request.missing);
  if (!table) return py::none();
  std::size_t const columns = model.Columns(request.kind);
  bool const flat = columns == 1 && !request.strict_shape;
  Shape const shape{array.shape(0), static_cast<py::ssize_t>(columns)};
  bool const own = given.is_none();
  Require<DataError>(own || py::isinstance<py::array>(given), "`out` must be a numpy array.");
  py::array out = own ? NewArray(shape, flat) : py::reinterpret_borrow<py::array>(given);
  if (!own) CheckOut(out, shape, flat);
  auto* const to = static_cast<float*>(out.mutable_data());
  if (table->rows == 1 && model.IsQuick(1)) {
    model.PredictRow(table->data, table->column_stride, table->missing, request.kind, request.rounds, to);
    return std::move(out);
  }
  MatrixView<float> const view(to, table->rows, columns);
  if (model.IsQuick(table->rows)) {
    model.Predict(FeatureMatrix(*table), request.kind, request.rounds, {}, view);
    return std::move(out);
  }
  Interruptible([&](Interrupt const& interrupted) {
    model.Predict(FeatureMatrix(*table), request.kind, request.rounds, interrupted, view);
  });
  return std::move(out);
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

py::object PredictArray(Booster const& booster, py::array const& array, bool margin, std::size_t begin, std::size_t end,
                        float missing, bool strict_shape) {
  auto const model = booster.Frozen();
  if (!model) return py::none();
  return Predict(*model, RequestOf(*model, margin, begin, end, missing, strict_shape), array, py::none());
}

std::unique_ptr<FrozenCall> Freeze(Booster const& booster, bool margin, std::size_t begin, std::size_t end,
                                   float missing, bool strict_shape) {
  std::shared_ptr<FrozenPredictor const> model;
  {
    py::gil_scoped_release const released;
    model = booster.Frozen();
  }
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
  module.def("freeze", &Freeze, arg("booster"), arg("margin"), arg("begin"), arg("end"), arg("missing"),
             arg("strict_shape"));
}

}  // namespace xgbl
