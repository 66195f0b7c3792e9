// SPDX-License-Identifier: Apache-2.0
// Categories of columns as Python values: None, a list of strings, or (list of numbers, dtype name).
#pragma once

#include <pybind11/pybind11.h>
#include <pybind11/stl.h>

#include <string>
#include <utility>
#include <vector>

#include "data/meta.h"

namespace xgbl {

inline pybind11::list CategoriesToPython(std::vector<Categories> const& categories) {
  pybind11::list out;
  for (auto const& column : categories) {
    if (column.empty()) {
      out.append(pybind11::none());
    } else if (!column.names.empty()) {
      out.append(column.names);
    } else {
      out.append(pybind11::make_tuple(column.numbers, column.number_type));
    }
  }
  return out;
}

inline std::vector<Categories> CategoriesFromPython(pybind11::list const& given) {
  std::vector<Categories> out;
  for (auto const& item : given) {
    Categories column;
    if (pybind11::isinstance<pybind11::tuple>(item)) {
      std::tie(column.numbers, column.number_type) = item.cast<std::pair<std::vector<double>, std::string>>();
    } else if (!item.is_none()) {
      column.names = item.cast<std::vector<std::string>>();
    }
    out.push_back(std::move(column));
  }
  return out;
}

}  // namespace xgbl
