// SPDX-License-Identifier: Apache-2.0

inline double Least(double a, double b) { return a < b ? a : b; }
inline double Most(double a, double b) { return a > b ? a : b; }

// What the score of a side has squared. Without L1 nobody need ask for the sign.
template <bool kHasAlpha>
XGBL_ALWAYS_INLINE double Shrink(double gradient, double alpha) {
  return kHasAlpha ? Most((gradient < 0 ? -gradient : gradient) - alpha, 0) : gradient;
}
