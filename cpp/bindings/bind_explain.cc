// SPDX-License-Identifier: Apache-2.0
#include <pybind11/numpy.h>
#include <pybind11/pybind11.h>
#include <pybind11/stl.h>

#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "bindings/arrays.h"
#include "bindings/bind.h"
#include "bindings/interruptible.h"
#include "boost/explanation.h"
#include "explain/explain.h"

namespace xgbl {
namespace py = pybind11;
namespace {

using MatrixPtr = std::shared_ptr<DMatrix>;

ExplanationKind ExplanationNamed(std::string const& kind) {
  static std::map<std::string, ExplanationKind> const kinds{{"contributions", ExplanationKind::kContributions},
                                                            {"path_contributions", ExplanationKind::kPathContributions},
                                                            {"interactions", ExplanationKind::kInteractions},
                                                            {"path_interactions", ExplanationKind::kPathInteractions}};
  auto const found = kinds.find(kind);
  Ensure(found != kinds.end(), "explanation kind ", kind);
  return found->second;
}

py::array Explained(Booster const& booster, MatrixPtr const& data, std::string const& kind, std::size_t begin,
                    std::size_t end, MatrixPtr const& background) {
  ExplanationTask const task{ExplanationNamed(kind), {begin, end}, background.get()};
  Explanation found = Interruptible(
      [&](Interrupt const& interrupted) { return Explain(*booster.Snapshot(), *data, task, interrupted); });
  std::size_t const outputs = found.values.columns / (found.square ? found.width * found.width : found.width);
  std::vector<std::size_t> shape{found.values.rows, outputs, found.width};
  if (found.square) shape.push_back(found.width);
  return ToNumpy(std::move(found.values.values), shape);
}

py::array MarginsKnowing(Booster const& booster, MatrixPtr const& data, std::vector<std::uint32_t> const& known) {
  return ToNumpy(Interruptible(
      [&](Interrupt const& interrupted) { return Marginals(*booster.Snapshot(), *data, known, interrupted); }));
}

// Each feature: number, whether it is categorical, edges, values (steps x outputs), value if missing.
py::list StepsOf(Booster const& booster) {
  auto steps = Interruptible([&](Interrupt const&) {
    auto const snapshot = booster.Snapshot();
    return DependenceSteps(snapshot->GetModel(), {0, snapshot->GetModel().trees.size()});
  });
  py::list out;
  for (auto& one : steps) {
    std::size_t const outputs = one.missing.size(), count = one.values.size() / outputs;
    out.append(py::make_tuple(one.feature, one.categorical, ToNumpy(std::move(one.edges)),
                              ToNumpy(std::move(one.values), {count, outputs}), ToNumpy(std::move(one.missing))));
  }
  return out;
}

}  // namespace

void BindExplain(py::class_<Booster>& cls) {
  using py::arg;
  cls.def("explain", &Explained, arg("data"), arg("kind"), arg("begin"), arg("end"), arg("background"))
      .def("marginals", &MarginsKnowing, arg("data"), arg("known"))
      .def("dependence_steps", &StepsOf);
}

}  // namespace xgbl
