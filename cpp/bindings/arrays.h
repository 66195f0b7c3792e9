// SPDX-License-Identifier: Apache-2.0
// Converts the engine's types to and from those of Python. Arrays are handed over without a copy: they own the vector.
#pragma once

#include <pybind11/numpy.h>
#include <pybind11/pybind11.h>
#include <pybind11/stl.h>

#include <cstddef>
#include <memory>
#include <utility>
#include <vector>

#include "base/error.h"
#include "base/span.h"
#include "labels/meta.h"
#include "predict/row_reader.h"

namespace xgbl {

/// A float32 array in C order; other types and orders are converted.
using FloatArray = pybind11::array_t<float, pybind11::array::c_style | pybind11::array::forcecast>;

template <class T>
pybind11::array_t<T> ToNumpy(std::vector<T> values, std::vector<std::size_t> const& shape) {
  auto owner = std::make_unique<std::vector<T>>(std::move(values));
  T* const data = owner->data();
  pybind11::capsule const holder(owner.release(), [](void* held) { delete static_cast<std::vector<T>*>(held); });
  return pybind11::array_t<T>(shape, data, holder);
}

template <class T>
pybind11::array_t<T> ToNumpy(std::vector<T> values) {
  std::size_t const size = values.size();
  return ToNumpy(std::move(values), {size});
}

template <class T>
pybind11::array_t<T> ToNumpy(Matrix<T> matrix) {
  return ToNumpy(std::move(matrix.values), {matrix.rows, matrix.columns});
}

template <class T>
std::vector<T> ToVector(pybind11::array_t<T, pybind11::array::c_style | pybind11::array::forcecast> const& array) {
  return {array.data(), array.data() + array.size()};
}

/// A 2-D array as it is. The array must outlive the view.
inline MatrixView<float const> ViewOf(FloatArray const& array) {
  Ensure(array.ndim() == 2, "an array of ", array.ndim(), " dimensions in place of a matrix");
  return {array.data(), static_cast<std::size_t>(array.shape(0)), static_cast<std::size_t>(array.shape(1))};
}

/// A 2-D array, or a 1-D one as a single column.
inline Matrix<float> ToMatrix(FloatArray const& array) {
  Require<DataError>(array.ndim() == 1 || array.ndim() == 2, "Expected an array of 1 or 2 dimensions; got ",
                     array.ndim(), ".");
  Matrix<float> out;
  out.values = ToVector<float>(array);
  out.rows = static_cast<std::size_t>(array.shape(0));
  out.columns = array.ndim() == 2 ? static_cast<std::size_t>(array.shape(1)) : 1;
  return out;
}

/// Of each column None, a list of strings, or (list of numbers, dtype name).
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

/// Of each column whether it has labels of categories: thousands, which each round of training may ask about.
inline std::vector<bool> Labelled(std::vector<Categories> const& categories) {
  std::vector<bool> out;
  for (auto const& column : categories) out.push_back(!column.empty());
  return out;
}

/// The feature, its codes, and whether it is certain that training did not have them.
inline pybind11::list UnseenCodesToPython(std::vector<UnseenCodes> unseen) {
  pybind11::list out;
  for (auto& it : unseen) out.append(pybind11::make_tuple(it.feature, std::move(it.values), it.certain));
  return out;
}

}  // namespace xgbl
