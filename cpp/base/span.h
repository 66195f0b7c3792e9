// SPDX-License-Identifier: Apache-2.0
// Views of memory that somebody else owns: a run of values, and a matrix in row order.
#pragma once

#include <cstddef>
#include <type_traits>
#include <vector>

namespace xgbl {

template <class T>
class Span {
 public:
  Span() = default;
  Span(T* data, std::size_t size) : data_(data), size_(size) {}
  template <class U, class = std::enable_if_t<std::is_same_v<std::remove_const_t<T>, U>>>
  Span(std::vector<U>& values) : Span(values.data(), values.size()) {}  // NOLINT(*-explicit-*)
  template <class U, class = std::enable_if_t<std::is_same_v<T, U const>>>
  Span(std::vector<U> const& values) : Span(values.data(), values.size()) {}  // NOLINT(*-explicit-*)
  template <class U, class = std::enable_if_t<std::is_same_v<T, U const>>>
  Span(Span<U> other) : Span(other.data(), other.size()) {}  // NOLINT(*-explicit-*)

  T* data() const { return data_; }
  std::size_t size() const { return size_; }
  bool empty() const { return size_ == 0; }
  T& operator[](std::size_t i) const { return data_[i]; }
  T* begin() const { return data_; }
  T* end() const { return data_ + size_; }
  Span Sub(std::size_t first, std::size_t count) const { return {data_ + first, count}; }

 private:
  T* data_ = nullptr;
  std::size_t size_ = 0;
};

/// A matrix in row order without gaps: `rows` x `columns`.
template <class T>
class MatrixView {
 public:
  MatrixView() = default;
  MatrixView(T* data, std::size_t rows, std::size_t columns) : data_(data), rows_(rows), columns_(columns) {}
  template <class U, class = std::enable_if_t<std::is_same_v<T, U const>>>
  MatrixView(MatrixView<U> other)  // NOLINT(*-explicit-*)
      : MatrixView(other.data(), other.rows(), other.columns()) {}

  T* data() const { return data_; }
  std::size_t rows() const { return rows_; }
  std::size_t columns() const { return columns_; }
  std::size_t size() const { return rows_ * columns_; }
  bool empty() const { return size() == 0; }
  T& operator()(std::size_t row, std::size_t column) const { return data_[row * columns_ + column]; }
  Span<T> Row(std::size_t row) const { return {data_ + row * columns_, columns_}; }
  Span<T> Flat() const { return {data_, size()}; }

 private:
  T* data_ = nullptr;
  std::size_t rows_ = 0;
  std::size_t columns_ = 0;
};

/// A matrix in row order that owns its values.
template <class T>
struct Matrix {
  std::vector<T> values;
  std::size_t rows = 0;
  std::size_t columns = 0;

  Matrix() = default;
  Matrix(std::size_t n, std::size_t k, T fill = T{}) : values(n * k, fill), rows(n), columns(k) {}
  bool empty() const { return values.empty(); }
  MatrixView<T> View() { return {values.data(), rows, columns}; }
  MatrixView<T const> View() const { return {values.data(), rows, columns}; }
};

}  // namespace xgbl
