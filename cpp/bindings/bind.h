// SPDX-License-Identifier: Apache-2.0
// The parts of the extension module, one function a file.
#pragma once

#include <pybind11/pybind11.h>

namespace xgbl {

void BindErrors(pybind11::module_& module);
void BindParams(pybind11::module_& module);
void BindData(pybind11::module_& module);
void BindQuantile(pybind11::module_& module);
void BindBooster(pybind11::module_& module);
void BindPredictor(pybind11::module_& module);

}  // namespace xgbl
