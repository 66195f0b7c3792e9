// SPDX-License-Identifier: Apache-2.0
// Cross-entropy over classes.
//
// The maximum and the sum of a row are chains of steps that each wait for the last one, so those of several rows run
// side by side. What is between them has no chains and treats all cells alike.

#include "base/math_functions.inl"

constexpr std::size_t kChains = 8;

// `Rows` rows less the largest of each: nothing overflows in their exponentials.
template <std::size_t Rows>
inline void TakeOffLargest(float const* x, std::size_t classes, float* out) {
  float largest[Rows];
  for (std::size_t r = 0; r < Rows; ++r) largest[r] = x[r * classes];
  for (std::size_t k = 1; k < classes; ++k) {
    for (std::size_t r = 0; r < Rows; ++r) {
      float const value = x[r * classes + k];
      largest[r] = largest[r] < value ? value : largest[r];
    }
  }
  for (std::size_t r = 0; r < Rows; ++r) {
    XGBL_INDEPENDENT
    for (std::size_t k = 0; k < classes; ++k) out[r * classes + k] = x[r * classes + k] - largest[r];
  }
}

template <std::size_t Rows>
inline void RowSums(float const* x, std::size_t classes, float* sums) {
  double sum[Rows] = {};
  for (std::size_t k = 0; k < classes; ++k) {
    for (std::size_t r = 0; r < Rows; ++r) sum[r] += static_cast<double>(x[r * classes + k]);
  }
  for (std::size_t r = 0; r < Rows; ++r) sums[r] = static_cast<float>(sum[r]);
}

// Exponentials of rows less the largest, and their sums.
inline void ScaledExponentials(ClassTask const& task, float* out, float* sums) {
  std::size_t const rows = task.rows, classes = task.classes, whole = rows / kChains * kChains;
  for (std::size_t i = 0; i < whole; i += kChains) {
    TakeOffLargest<kChains>(task.margins + i * classes, classes, out + i * classes);
  }
  for (std::size_t i = whole; i < rows; ++i) {
    TakeOffLargest<1>(task.margins + i * classes, classes, out + i * classes);
  }
  XGBL_INDEPENDENT
  for (std::size_t i = 0; i < rows * classes; ++i) out[i] = Exp(out[i]);
  for (std::size_t i = 0; i < whole; i += kChains) RowSums<kChains>(out + i * classes, classes, sums + i);
  for (std::size_t i = whole; i < rows; ++i) RowSums<1>(out + i * classes, classes, sums + i);
}

inline void SoftmaxOf(ClassTask const& task, float* probability) {
  float sums[kMostClassRows];
  ScaledExponentials(task, probability, sums);
  for (std::size_t i = 0; i < task.rows; ++i, probability += task.classes) {
    float const sum = sums[i];
    XGBL_INDEPENDENT
    for (std::size_t k = 0; k < task.classes; ++k) probability[k] = probability[k] / sum;
  }
}

// Of some rows from `row` on, side by side: all steps treat the rows of a class alike. `gradient` serves as scratch.
template <std::size_t Rows>
inline void GradientsOfRows(ClassTask const& task, std::size_t row, float* gradient, float* hessian,
                            std::size_t stride) {
  constexpr float kLeastHessian = 1e-16F;
  std::size_t const classes = task.classes;
  float const *const margins = task.margins + row * classes, *const weight = task.weights + row;
  float largest[Rows], sum[Rows], own_gradient[Rows];
  double wide_sum[Rows] = {};
  std::size_t own[Rows];
  for (std::size_t r = 0; r < Rows; ++r) largest[r] = margins[r * classes];
  for (std::size_t k = 0; k < classes; ++k) {
    float* const of_class = gradient + k * stride;
    for (std::size_t r = 0; r < Rows; ++r) {
      float const value = margins[r * classes + k];
      of_class[r] = value;
      largest[r] = largest[r] < value ? value : largest[r];
    }
  }
  for (std::size_t k = 0; k < classes; ++k) {
    float* const of_class = gradient + k * stride;
    XGBL_INDEPENDENT
    for (std::size_t r = 0; r < Rows; ++r) of_class[r] = Exp(of_class[r] - largest[r]);
    for (std::size_t r = 0; r < Rows; ++r) wide_sum[r] += static_cast<double>(of_class[r]);
  }
  for (std::size_t r = 0; r < Rows; ++r) {
    sum[r] = static_cast<float>(wide_sum[r]);
    float const label = task.labels[row + r];
    bool const known = label >= 0.0F && label < static_cast<float>(classes);
    own[r] = known ? static_cast<std::size_t>(label) : 0;
    own_gradient[r] = (gradient[own[r] * stride + r] / sum[r] - (known ? 1.0F : 0.0F)) * weight[r];
  }
  for (std::size_t k = 0; k < classes; ++k) {
    float *const g = gradient + k * stride, *const h = hessian + k * stride;
    XGBL_INDEPENDENT
    for (std::size_t r = 0; r < Rows; ++r) {
      float const p = g[r] / sum[r];
      float const curvature = 2.0F * p * (1.0F - p) * weight[r];
      h[r] = curvature > kLeastHessian ? curvature : kLeastHessian;
      g[r] = p * weight[r];
    }
  }
  for (std::size_t r = 0; r < Rows; ++r) gradient[own[r] * stride + r] = own_gradient[r];
}

inline void SoftmaxGradients(ClassTask const& task, float* gradient, float* hessian, std::size_t stride) {
  constexpr std::size_t kSideBySide = ClassTask::kSideBySide;
  std::size_t row = 0;
  for (; row + kSideBySide <= task.rows; row += kSideBySide) {
    GradientsOfRows<kSideBySide>(task, row, gradient + row, hessian + row, stride);
  }
  for (; row < task.rows; ++row) GradientsOfRows<1>(task, row, gradient + row, hessian + row, stride);
}

template <float (*kFunction)(float)>
inline void OfEach(float const* x, float* out, std::size_t n) {
  XGBL_INDEPENDENT
  for (std::size_t i = 0; i < n; ++i) out[i] = kFunction(x[i]);
}

constexpr LossKernels kTable = {OfEach<Sigmoid>, OfEach<Exp>, OfEach<Log>, SoftmaxOf, SoftmaxGradients};
