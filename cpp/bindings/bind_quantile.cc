// SPDX-License-Identifier: Apache-2.0
#include <pybind11/numpy.h>
#include <pybind11/pybind11.h>

#include <cstddef>
#include <cstdint>
#include <memory>
#include <utility>
#include <vector>

#include "bindings/arrays.h"
#include "bindings/bind.h"
#include "bindings/context.h"
#include "data/dmatrix.h"
#include "data/fingerprint.h"
#include "data/quantile_matrix.h"

namespace xgbl {
namespace py = pybind11;
namespace {

using MatrixPtr = std::shared_ptr<DMatrix>;

// A builder that knows the threads it was made for.
class QuantileBuilder {
 public:
  QuantileBuilder(DMatrix const& first, int max_bin, DMatrix const* reference, int nthread)
      : ctx_(ContextOf(nthread)), builder_(Start(first, max_bin, reference, ctx_)) {}

  void Push(DMatrix const& batch) {
    Meta const& meta = batch.Info();
    std::vector<float> const by_row = meta.WeightsByRow(batch.Rows());
    builder_.Push(batch.Features(), by_row.empty() ? meta.weights : by_row, ctx_);
  }
  bool EndPass() { return builder_.EndPass(ctx_); }
  MatrixPtr Finish() { return builder_.Finish({}); }

 private:
  static QuantileMatrixBuilder Start(DMatrix const& first, int max_bin, DMatrix const* reference, Context const& ctx) {
    if (reference == nullptr) return {first.Info().CategoricalFlags(first.Columns()), max_bin};
    CheckUnchanged(reference->Features(), ctx);
    return {*reference, max_bin, ctx};
  }

  Context ctx_;
  QuantileMatrixBuilder builder_;
};

MatrixPtr QuantiseWhole(DMatrix const& matrix, int max_bin, DMatrix const* reference, int nthread) {
  Context const ctx = ContextOf(nthread);
  if (reference != nullptr) CheckUnchanged(reference->Features(), ctx);
  return Quantise(matrix, max_bin, reference, ctx);
}

// Of each feature a number below its values and the upper ends of its bins, or its categories.
py::tuple QuantileCut(DMatrix const& matrix) {
  std::shared_ptr<Cuts const> const cuts = matrix.LatestCuts();
  Require<DataError>(cuts != nullptr, "The quantile cut has not been made yet. It is when a QuantileDMatrix is, ",
                     "or when a DMatrix is trained on with `tree_method=hist`.");
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

}  // namespace

void BindQuantile(py::module_& module) {
  using py::arg;
  using Released = py::call_guard<py::gil_scoped_release>;
  auto matrix = py::reinterpret_borrow<py::class_<DMatrix, MatrixPtr>>(module.attr("DMatrix"));
  matrix.def("quantise", &QuantiseWhole, arg("max_bin"), arg("ref"), arg("nthread"), Released())
      .def("quantised_with", &DMatrix::QuantisedWith)
      .def("quantile_cut", &QuantileCut);
  py::class_<QuantileBuilder>(module, "QuantileBuilder", py::is_final())
      .def(py::init<DMatrix const&, int, DMatrix const*, int>(), arg("first"), arg("max_bin"), arg("ref"),
           arg("nthread"), Released())
      .def("push", &QuantileBuilder::Push, arg("batch"), Released())
      .def("end_pass", &QuantileBuilder::EndPass, Released())
      .def("finish", &QuantileBuilder::Finish, Released());
}

}  // namespace xgbl
