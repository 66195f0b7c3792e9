// SPDX-License-Identifier: Apache-2.0
// The parts of the extension module, one function per file.
#pragma once

#include <pybind11/pybind11.h>

#include "boost/booster.h"

namespace xgbl {

void BindErrors(pybind11::module_& module);
void BindParams(pybind11::module_& module);
void BindData(pybind11::module_& module);
void BindTable(pybind11::module_& module);
void BindQuantile(pybind11::module_& module);
void BindBooster(pybind11::module_& module);
/// What explains a booster's predictions, as methods of its class.
void BindExplain(pybind11::class_<Booster>& cls);
void BindPredictor(pybind11::module_& module);

}  // namespace xgbl
