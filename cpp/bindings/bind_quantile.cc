// SPDX-License-Identifier: Apache-2.0
#include <pybind11/numpy.h>
#include <pybind11/pybind11.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <utility>
#include <vector>

#include "bindings/arrays.h"
#include "bindings/bind.h"
#include "bindings/categories.h"
#include "bindings/interruptible.h"
#include "data/dmatrix.h"
#include "data/quantile_matrix.h"
#include "ingest/fingerprint.h"

namespace xgbl {
namespace py = pybind11;
namespace {

using MatrixPtr = std::shared_ptr<DMatrix>;

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

}  // namespace

void BindQuantile(py::module_& module) {
  using py::arg;
  auto matrix = py::reinterpret_borrow<py::class_<DMatrix, MatrixPtr>>(module.attr("DMatrix"));
  matrix.def("quantise", &QuantiseWhole, arg("max_bin"), arg("ref"), arg("nthread"))
      .def("unseen_codes", &UnseenCodesAmong, arg("data"), arg("max_bin"), arg("nthread"))
      .def("quantised_with", &DMatrix::QuantisedWith)
      .def("quantile_cut", &QuantileCut);
  py::class_<QuantileBuilder>(module, "QuantileBuilder", py::is_final())
      .def(py::init<DMatrix const&, int, DMatrix const*, int>(), arg("first"), arg("max_bin"), arg("ref"),
           arg("nthread"))
      .def("push", &QuantileBuilder::Push, arg("batch"))
      .def("end_pass", &QuantileBuilder::EndPass)
      .def("finish", &QuantileBuilder::Finish, py::call_guard<WithoutGil>());
}

}  // namespace xgbl
