// SPDX-License-Identifier: Apache-2.0
// Splits terms by adding and subtracting a large number (Rump, Ogita and Oishi 2008). Between 2^k and 2^(k + 1) the
// bits of a double count multiples of 2^(k - 52), so sums of them are sums of integers, which have no order.

#include "base/math_functions.inl"

// 1.5 times a power of two, from the exponent as it stands in the bits.
inline double Splitter(std::uint64_t exponent) { return FromBits<double>(exponent << 52U | std::uint64_t{1} << 51U); }

constexpr std::uint64_t kSize = ~std::uint64_t{0} >> 1U;  // all but the sign

inline std::uint64_t LargestExponent(double const* terms, std::size_t n) {
  std::int64_t largest = 0;
  for (std::size_t i = 0; i < n; ++i) {
    auto const size = static_cast<std::int64_t>(ToBits(terms[i]) & kSize);
    largest = size > largest ? size : largest;
  }
  return static_cast<std::uint64_t>(largest) >> 52U;
}

inline SplitSum Split(double const* terms, std::size_t n, double* rest) {
  constexpr std::uint64_t kLeast = 120, kMost = 2040;  // beyond these, a splitter or its unit is no normal number
  SplitSum sum;
  std::uint64_t const exponent = LargestExponent(terms, n);
  sum.good = exponent >= kLeast && exponent <= kMost;
  if (!sum.good) return sum;
  std::uint64_t const above_all = exponent + 2;
  double const coarse = Splitter(above_all),
               fine = Splitter(above_all - 52);  // half a unit of the one is below the other
  std::uint64_t high = 0, low = 0, left = 0;
  XGBL_INDEPENDENT
  for (std::size_t i = 0; i < n; ++i) {
    double const above = coarse + terms[i], small = terms[i] - (above - coarse);
    double const below = fine + small, smallest = small - (below - fine);
    high += ToBits(above);
    low += ToBits(below);
    left |= ToBits(smallest);
    rest[i] = smallest;
  }
  sum.high = static_cast<std::int64_t>(high - n * ToBits(coarse));
  sum.low = static_cast<std::int64_t>(low - n * ToBits(fine));
  sum.exponent = static_cast<unsigned>(above_all) - 1;
  sum.rest = (left & kSize) != 0;
  return sum;
}

inline TakenUnits TakeUnits(double* terms, std::size_t n, std::int64_t* units) {
  std::uint64_t const exponent = LargestExponent(terms, n) + 2;
  double const splitter = Splitter(exponent);
  std::uint64_t left = 0;
  XGBL_INDEPENDENT
  for (std::size_t i = 0; i < n; ++i) {
    double const above = terms[i] + splitter, small = terms[i] - (above - splitter);
    units[i] = static_cast<std::int64_t>(ToBits(above) - ToBits(splitter));
    left |= ToBits(small);
    terms[i] = small;
  }
  return {static_cast<unsigned>(exponent) - 1, (left & kSize) != 0};
}

constexpr SumKernels kTable = {Split, TakeUnits};
