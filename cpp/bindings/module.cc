// SPDX-License-Identifier: Apache-2.0
#include "bindings/bind.h"

PYBIND11_MODULE(_core, module) {
  module.doc() = "The C++ engine of xgb_like.";
  module.attr("__version__") = XGBL_VERSION;
  xgbl::BindErrors(module);
  xgbl::BindParams(module);
  xgbl::BindData(module);
  xgbl::BindTable(module);
  xgbl::BindQuantile(module);
  xgbl::BindBooster(module);
  xgbl::BindPredictor(module);
}
