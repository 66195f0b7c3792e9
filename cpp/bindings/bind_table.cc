// SPDX-License-Identifier: Apache-2.0
#include <pybind11/numpy.h>
#include <pybind11/pybind11.h>
#include <pybind11/stl.h>

#include <cstddef>
#include <string>
#include <utility>
#include <vector>

#include "bindings/arrays.h"
#include "bindings/bind.h"
#include "bindings/interruptible.h"
#include "ingest/text_table.h"

namespace xgbl {
namespace py = pybind11;
namespace {

// A column as (numbers, has decimals) or (codes, labels).
py::tuple ColumnToPython(TextTableColumn&& column) {
  if (!column.is_text) return py::make_tuple(ToNumpy(std::move(column.numbers)), column.has_decimals);
  return py::make_tuple(ToNumpy(std::move(column.codes)), std::move(column.labels));
}

py::tuple Read(TextTable const& table, char delimiter, char decimal, bool header, std::vector<std::string> missing,
               std::vector<std::size_t> texts, int nthread) {
  TextTableOptions const options{delimiter, decimal, header, std::move(missing), std::move(texts)};
  TextTableColumns read =
      Interruptible([&](Interrupt const& interrupted) { return table.Read(options, ContextOf(nthread, interrupted)); });
  py::list columns;
  for (auto& column : read.columns) columns.append(ColumnToPython(std::move(column)));
  return py::make_tuple(columns, ToNumpy(std::move(read.lines)));
}

}  // namespace

void BindTable(py::module_& module) {
  using py::arg;
  py::class_<TextTable>(module, "TextTable", py::is_final())
      .def(py::init<std::string const&, std::string>(), arg("path"), arg("name"), py::call_guard<WithoutGil>())
      .def("sample", &TextTable::Sample, arg("delimiter"), arg("records"))
      .def("read", &Read, arg("delimiter"), arg("decimal"), arg("header"), arg("missing"), arg("texts"),
           arg("nthread"));
}

}  // namespace xgbl
