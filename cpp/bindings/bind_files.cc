// SPDX-License-Identifier: Apache-2.0
// Files that Python writes whole or not at all.
#include <pybind11/pybind11.h>

#include <string>
#include <string_view>

#include "base/file.h"
#include "bindings/bind.h"

namespace xgbl {
namespace py = pybind11;
namespace {

void WriteFile(std::string const& path, py::bytes const& content) {
  std::string_view const view(content);
  py::gil_scoped_release const released;
  WriteFileAtomically(path, view, true);
}

}  // namespace

void BindFiles(py::module_& module) {
  module.def("write_file", &WriteFile, py::arg("path"), py::arg("content"));
  module.def("remove_abandoned_writes", &RemoveAbandonedWrites, py::arg("path"),
             py::call_guard<py::gil_scoped_release>());
}

}  // namespace xgbl
