// SPDX-License-Identifier: Apache-2.0
// Gradients as integers. Integer addition is associative, so a sum, and every split chosen by it, is the same for any
// number of threads, block size or lane width. The unit is a power of two, chosen per tree from the largest magnitude.
// Gradients get as many bits as the number of rows leaves in an int64 sum (42 for a million rows), so that outliers do
// not take the precision of all others. Hessians get 30 bits, and a positive one never becomes zero.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "base/context.h"
#include "base/math.h"
#include "base/span.h"

namespace xgbl {

struct FixedPair {
  std::int64_t gradient = 0;
  std::int32_t hessian = 0;
};

struct FixedSum {
  std::int64_t gradient = 0;
  std::int64_t hessian = 0;

  FixedSum& operator+=(FixedPair other) {
    gradient += other.gradient;
    hessian += other.hessian;
    return *this;
  }
  FixedSum& operator+=(FixedSum other) {
    gradient += other.gradient;
    hessian += other.hessian;
    return *this;
  }
  friend FixedSum operator+(FixedSum a, FixedSum b) { return a += b; }
  friend FixedSum operator-(FixedSum a, FixedSum b) { return {a.gradient - b.gradient, a.hessian - b.hessian}; }
  friend bool operator==(FixedSum a, FixedSum b) { return a.gradient == b.gradient && a.hessian == b.hessian; }
};

/// Sums of several outputs, one each. One alone, as most trees have it, takes no memory of its own: a scan makes
/// thousands of them.
class FixedSums {
 public:
  explicit FixedSums(std::size_t outputs = 0) : size_(outputs), many_(outputs > 1 ? outputs : 0) {}
  FixedSums(FixedSum only) : size_(1), one_(only) {}  // NOLINT(google-explicit-constructor)

  std::size_t size() const { return size_; }
  FixedSum* begin() { return size_ > 1 ? many_.data() : &one_; }
  FixedSum const* begin() const { return size_ > 1 ? many_.data() : &one_; }
  FixedSum const* end() const { return begin() + size_; }
  FixedSum& operator[](std::size_t output) { return begin()[output]; }
  FixedSum operator[](std::size_t output) const { return begin()[output]; }
  friend bool operator==(FixedSums const& a, FixedSums const& b) {
    return std::equal(a.begin(), a.end(), b.begin(), b.end());
  }

 private:
  std::size_t size_;
  FixedSum one_;
  std::vector<FixedSum> many_;
};

inline FixedSums Plus(FixedSums sums, FixedSums const& more) {
  for (std::size_t k = 0; k < sums.size(); ++k) sums[k] += more[k];
  return sums;
}
inline FixedSums Minus(FixedSums sums, FixedSums const& less) {
  for (std::size_t k = 0; k < sums.size(); ++k) sums[k] = sums[k] - less[k];
  return sums;
}

/// What one unit of the integers is worth.
struct FixedScale {
  double gradient_unit = 1;
  double hessian_unit = 1;

  double Gradient(FixedSum sum) const { return static_cast<double>(sum.gradient) * gradient_unit; }
  double Hessian(FixedSum sum) const { return static_cast<double>(sum.hessian) * hessian_unit; }
};

/// The derivatives of one output: values `stride` apart, beginning at the output's own.
struct OutputGradients {
  float const* gradient = nullptr;
  float const* hessian = nullptr;
  std::size_t rows = 0;
  std::size_t stride = 1;

  float G(std::size_t row) const { return gradient[row * stride]; }
  float H(std::size_t row) const { return hessian[row * stride]; }
};

/// Floats of one sign are ordered as their bits are; comparing those finds NaN and infinity, too, and in loops that the
/// compiler makes vector code of.
constexpr std::uint32_t kSignBit = 0x80000000U, kInfinite = 0x7F800000U;
inline std::uint32_t Magnitude(float value) { return ToBits(value) & ~kSignBit; }

/// The largest magnitudes; throws DataError if a derivative is NaN or infinite.
struct GradientRange {
  float gradient = 0;
  float hessian = 0;
};
GradientRange RangeOf(OutputGradients const& gradients, Context const& ctx);

/// Units in which magnitudes up to those of the range fit so many bits.
FixedScale ScaleFor(GradientRange range, int gradient_bits, int hessian_bits);

/// The bits that a value may have so that the sum of so many stays below 2^62.
int BitsForSum(std::size_t rows);

/// The nearest integer of units, which must fit; a unit must be a power of two, so that nothing but a sum rounds.
inline std::int64_t NearestUnit(float value, double unit) {
  return NearestInteger(static_cast<double>(value) * (1 / unit));
}

/// A positive hessian stays positive.
inline FixedPair Quantise(float gradient, float hessian, FixedScale const& scale) {
  FixedPair pair{NearestUnit(gradient, scale.gradient_unit),
                 static_cast<std::int32_t>(NearestUnit(hessian, scale.hessian_unit))};
  if (hessian > 0 && pair.hessian == 0) pair.hessian = 1;
  return pair;
}

}  // namespace xgbl
