// SPDX-License-Identifier: Apache-2.0
// Categories of columns as Python values: None, a list of strings, or (list of numbers, dtype name). Unknown codes are
// reported as the feature, the codes, and whether it is certain that training did not have them.
#pragma once

#include <pybind11/pybind11.h>
#include <pybind11/stl.h>

#include <string>
#include <utility>
#include <vector>

#include "labels/meta.h"
#include "predict/unseen_codes.h"

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

inline pybind11::list UnseenCodesToPython(std::vector<UnseenCodes> unseen) {
  pybind11::list out;
  for (auto& it : unseen) out.append(pybind11::make_tuple(it.feature, std::move(it.values), it.certain));
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
