// SPDX-License-Identifier: Apache-2.0
// What the engine tells without data or a model: parameters, plug-ins, how it was built. Also files that Python writes
// whole or not at all.
#include <pybind11/pybind11.h>
#include <pybind11/stl.h>

#include <cmath>
#include <string>
#include <vector>

#include "base/file.h"
#include "bindings/bind.h"
#include "boost/booster_kind.h"
#include "boost/param_table.h"
#include "metric/metric.h"
#include "objective/objective.h"
#include "parallel/parallel_for.h"
#include "simd/level.h"
#include "tree/split_finder.h"

namespace xgbl {
namespace py = pybind11;
namespace {

py::object Bound(double value) { return std::isfinite(value) ? py::object(py::float_(value)) : py::none(); }

py::list ParamSpecs() {
  py::list out;
  for (auto const& [group, spec] : ParamTable()) {
    py::dict row;
    row["group"] = group;
    row["name"] = spec.name;
    row["type"] = spec.type;
    row["default"] = spec.default_text;
    row["low"] = Bound(spec.low);
    row["high"] = Bound(spec.high);
    row["low_open"] = spec.low_open;
    row["own"] = spec.own;
    row["choices"] = spec.choices;
    row["aliases"] = spec.aliases;
    row["doc"] = spec.doc;
    out.append(row);
  }
  return out;
}

void AddFacts(Objective const& /*objective*/, py::dict /*row*/) {}
void AddFacts(BoosterKind const& /*kind*/, py::dict /*row*/) {}
void AddFacts(Metric const& metric, py::dict row) { row["maximize"] = metric.HigherIsBetter(); }
void AddFacts(TreeMethod const& method, py::dict row) {
  row["updater"] = method.Updater() + (method.StopsEarly() ? "" : ",prune");
}

template <class Interface>
py::dict PlugIns() {
  py::dict out;
  for (auto const& [name, entry] : Registry<Interface>::Get().Entries()) {
    py::dict row;
    row["name"] = name;
    row["aliases"] = entry.aliases;
    row["doc"] = entry.doc;
    row["own"] = entry.own;
    row["twin"] = entry.twin;
    row["group"] = entry.group;
    AddFacts(*entry.make(), row);
    out[py::str(name)] = row;
  }
  return out;
}

py::dict BuildInfo() {
  py::dict info;
  info["version"] = XGBL_VERSION;
  info["USE_OPENMP"] = UsesOpenMp();
  info["USE_CUDA"] = false;
  info["USE_FEDERATED"] = false;
#if defined(__VERSION__)
  info["compiler"] = __VERSION__;
#endif
#if defined(__GNUC__) && !defined(__clang__)
  info["GCC_VERSION"] = std::vector<int>{__GNUC__, __GNUC_MINOR__, __GNUC_PATCHLEVEL__};
#endif
  std::vector<std::string> levels;
  for (SimdLevel const level : AvailableSimd()) levels.push_back(SimdName(level));
  info["simd_levels"] = levels;
  info["simd"] = SimdName(DefaultSimd());
  return info;
}

void WriteFile(std::string const& path, py::bytes const& content) {
  std::string_view const view(content);
  WithoutGil const released;
  WriteFileAtomically(path, view, true);
}

}  // namespace

void BindParams(py::module_& module) {
  module.def("param_specs", &ParamSpecs);
  module.def("inert_params", &InertParams);
  module.def("objectives", &PlugIns<Objective>);
  module.def("metrics", &PlugIns<Metric>);
  module.def("boosters", &PlugIns<BoosterKind>);
  module.def("tree_methods", &PlugIns<TreeMethod>);
  module.def("metric_is_maximized", [](std::string const& name) { return MakeMetric(name, {})->HigherIsBetter(); });
  module.def("build_info", &BuildInfo);
  module.def("thread_count", &ThreadCount);
  module.def("write_file", &WriteFile, py::arg("path"), py::arg("content"));
  module.def("remove_abandoned_writes", &RemoveAbandonedWrites, py::arg("path"), py::call_guard<WithoutGil>());
}

}  // namespace xgbl
