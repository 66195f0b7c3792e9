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

inline void SoftmaxGradients(ClassTask const& task, float* gradient, float* hessian) {
  constexpr float kLeastHessian = 1e-16F;
  float sums[kMostClassRows];
  ScaledExponentials(task, gradient, sums);
  for (std::size_t i = 0; i < task.rows; ++i, gradient += task.classes, hessian += task.classes) {
    float const sum = sums[i], weight = task.weights[i], label = task.labels[i];
    bool const known = label >= 0.0F && label < static_cast<float>(task.classes);
    std::size_t const own = known ? static_cast<std::size_t>(label) : 0;
    float const own_gradient = gradient[own] / sum - (known ? 1.0F : 0.0F);
    XGBL_INDEPENDENT
    for (std::size_t k = 0; k < task.classes; ++k) {
      float const p = gradient[k] / sum;
      float const curvature = 2.0F * p * (1.0F - p) * weight;
      hessian[k] = curvature > kLeastHessian ? curvature : kLeastHessian;
      gradient[k] = p * weight;
    }
    gradient[own] = own_gradient * weight;
  }
}

template <float (*kFunction)(float)>
inline void OfEach(float const* x, float* out, std::size_t n) {
  XGBL_INDEPENDENT
  for (std::size_t i = 0; i < n; ++i) out[i] = kFunction(x[i]);
}

constexpr LossKernels kTable = {OfEach<Sigmoid>, OfEach<Exp>, OfEach<Log>, SoftmaxOf, SoftmaxGradients};
