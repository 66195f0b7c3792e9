// SPDX-License-Identifier: Apache-2.0
// The functions of base/math.h, without a namespace or includes of their own: math.h puts them into xgbl, and
// kernels of simd/ once more into the namespace of each instruction set, so that code compiled for one set is never
// linked where another is expected. Use base/math.h.
//
// Every function is free of branches, so that loops over it become vector code, and made of basic operations only, so
// that all sets give the same bits. Arguments are reduced to a short interval and a polynomial (interpolated at
// Chebyshev nodes) does the rest: exp as 2^n e^r with |r| <= ln(2)/2; log as n ln(2) + 2 artanh(s), s = (m-1)/(m+1),
// with the leading terms of the latter summed apart to keep their low bits (as Muller, Elementary Functions, chapters 4
// and 11).

template <class T>
struct Ieee;

template <>
struct Ieee<float> {
  using Bits = std::uint32_t;
  static constexpr unsigned kMantissaBits = 23;
  static constexpr Bits kBias = 127;
  static constexpr Bits kRootHalf = 0x3f3504f3;  // sqrt(0.5)
  static constexpr float kTwoToMantissa = 0x1p23F;
  static constexpr float kRound = 0x1.8p23F;  // adding it leaves the nearest integer in the low bits
  static constexpr float kLog2E = 0x1.715476p+0F;
  static constexpr float kLn2High = 0x1.62e4p-1F;  // few bits: its product with an exponent is exact
  static constexpr float kLn2Low = 0x1.7f7d1cp-20F;
  static constexpr float kExpLow = -104.5F;  // e^x is 0 from here down
  static constexpr float kExpHigh = 89.0F;   // and infinite from here up
  static constexpr float kExp[] = {0x1.0p-1F,     0x1.555556p-3F,  0x1.5554e8p-5F,
                                   0x1.1110ep-7F, 0x1.6d434ep-10F, 0x1.a12516p-13F};
  static constexpr float kLog[] = {0x1.555556p-1F, 0x1.9999ecp-2F, 0x1.245c1ep-2F, 0x1.ddd6c2p-3F};
};

template <>
struct Ieee<double> {
  using Bits = std::uint64_t;
  static constexpr unsigned kMantissaBits = 52;
  static constexpr Bits kBias = 1023;
  static constexpr Bits kRootHalf = 0x3fe6a09e667f3bcd;
  static constexpr double kTwoToMantissa = 0x1p52;
  static constexpr double kRound = 0x1.8p52;
  static constexpr double kLog2E = 0x1.71547652b82fep+0;
  static constexpr double kLn2High = 0x1.62e42fefa3p-1;
  static constexpr double kLn2Low = 0x1.3de6af278ece6p-42;
  static constexpr double kExpLow = -746.0;
  static constexpr double kExpHigh = 710.0;
  static constexpr double kExp[] = {0x1.0p-1,
                                    0x1.5555555555557p-3,
                                    0x1.5555555555556p-5,
                                    0x1.11111111100d3p-7,
                                    0x1.6c16c16c162cfp-10,
                                    0x1.a01a01abeccc3p-13,
                                    0x1.a01a01a6db488p-16,
                                    0x1.71de02225a2f3p-19,
                                    0x1.27e4db5bb725ap-22,
                                    0x1.af4e092e1705bp-26,
                                    0x1.1f7315649f2d7p-29};
  static constexpr double kLog[] = {0x1.5555555555555p-1, 0x1.9999999999a39p-2, 0x1.249249247693fp-2,
                                    0x1.c71c7201bd92dp-3, 0x1.745cf8daa3cc0p-3, 0x1.3b1c3e40daccap-3,
                                    0x1.0fbda7a866baap-3, 0x1.0c0d558a83378p-3};
};

template <class T>
inline typename Ieee<T>::Bits ToBits(T value) {
  typename Ieee<T>::Bits bits;
  std::memcpy(&bits, &value, sizeof(bits));
  return bits;
}

template <class T>
inline T FromBits(typename Ieee<T>::Bits bits) {
  T value;
  std::memcpy(&value, &bits, sizeof(value));
  return value;
}

/// floor(x + 0.5), which must fit. Code for all machines of a kind would call a function for std::floor, which takes
/// three times as long.
inline std::int64_t NearestInteger(double x) {
  double const above = x + 0.5;
  auto const towards_zero = static_cast<std::int64_t>(above);
  return towards_zero - (static_cast<double>(towards_zero) > above ? 1 : 0);
}

/// coefficients[0] + x * coefficients[1] + ...
template <class T, std::size_t N>
inline T Polynomial(T x, T const (&coefficients)[N]) {
  T sum = coefficients[N - 1];
  for (std::size_t i = N - 1; i-- > 0;) sum = sum * x + coefficients[i];
  return sum;
}

template <class T>
inline T Exp(T x) {
  using F = Ieee<T>;
  using Bits = typename F::Bits;
  T y = x < F::kExpLow ? F::kExpLow : x;
  y = y > F::kExpHigh ? F::kExpHigh : y;
  T const shifted = y * F::kLog2E + F::kRound;
  T const n = shifted - F::kRound;
  T const reduced = y - n * F::kLn2High;  // exact
  T const r = reduced - n * F::kLn2Low;
  T const lead = T(1) + r;
  // What the two lines above rounded away: without it the result is off by nearly 1 ulp.
  T const lost = (r - (lead - T(1))) + ((reduced - r) - n * F::kLn2Low);
  T const power = lead + (lost + r * r * Polynomial(r, F::kExp));
  // 2^n as a product of two normal numbers: n itself may lie outside their range.
  Bits const exponents = ToBits(shifted) - ToBits(F::kRound) + 2 * F::kBias;
  Bits const half = exponents >> 1U;
  T const result = power * FromBits<T>(half << F::kMantissaBits) * FromBits<T>((exponents - half) << F::kMantissaBits);
  return x != x ? std::numeric_limits<T>::quiet_NaN() : result;
}

template <class T>
inline T Log(T x) {
  using F = Ieee<T>;
  using Bits = typename F::Bits;
  constexpr T kInfinity = std::numeric_limits<T>::infinity();
  bool const tiny = x < std::numeric_limits<T>::min();
  Bits const bits = ToBits(tiny ? x * F::kTwoToMantissa : x) - F::kRootHalf;
  Bits const mantissa_mask = (Bits(1) << F::kMantissaBits) - 1;
  T const m = FromBits<T>((bits & mantissa_mask) + F::kRootHalf);  // in [sqrt(1/2), sqrt(2))
  // The exponent, moved to the low bits of a number whose unit is 1: vectors of 64-bit integers have no conversion.
  Bits const exponent = (bits + (F::kBias << F::kMantissaBits)) >> F::kMantissaBits;
  T const biased = FromBits<T>(exponent | ToBits(F::kTwoToMantissa)) - F::kTwoToMantissa;
  T const n = biased - (T(F::kBias) + (tiny ? T(F::kMantissaBits) : T(0)));

  T const f = m - T(1);
  T const s = f / (T(2) + f);
  T const z = s * s;
  T const half_square = T(0.5) * f * f;
  T const tail = s * (half_square + z * Polynomial(z, F::kLog));
  T result = n * F::kLn2High - ((half_square - (tail + n * F::kLn2Low)) - f);
  result = x == kInfinity ? kInfinity : result;
  result = x == T(0) ? -kInfinity : result;
  return x >= T(0) ? result : std::numeric_limits<T>::quiet_NaN();
}

/// log(1 + x), exact to the last bits where x is small.
template <class T>
inline T Log1p(T x) {
  constexpr T kInfinity = std::numeric_limits<T>::infinity();
  T const sum = T(1) + x;
  T const lost = (x - (sum - T(1))) / sum;
  T const result = Log(sum);
  return sum == T(0) || sum == kInfinity ? result : result + lost;
}

/// The error function, 2 / sqrt(pi) times the integral of exp(-t^2) from 0 to x, to 1e-15 of its value.
inline double Erf(double x) {
  constexpr double kSmall[] = {0x1.20dd750429b6dp+0,   -0x1.812746b0379e6p-2,  0x1.ce2f21a042b30p-4,
                               -0x1.b82ce31284e00p-6,  0x1.565bcd0dbaa38p-8,   -0x1.c02db3dac435fp-11,
                               0x1.f9a321d5b8e1ep-14,  -0x1.f4d1e3183f7aep-17, 0x1.b9df224ca4b97p-20,
                               -0x1.5f1ecb6f0764cp-23, 0x1.f7b4bf3b13964p-27,  -0x1.389d4f2641625p-30,
                               0x1.05ffd737fb32ep-34};
  // exp(y^2) (1 - erf(y)) for y from 1 to 6, by (y - kCenter) / (y + kCenter).
  constexpr double kLarge[] = {0x1.8c9eb68ff27d7p-3,   -0x1.6427851a620d2p-2,  0x1.ffc68def8d28fp-3,
                               -0x1.1e2ebefb60d92p-3,  0x1.d1951fb1c35bbp-5,   -0x1.c05d325094c35p-7,
                               -0x1.9249c2580aa2cp-13, 0x1.608cb7a8f19d6p-10,  -0x1.e264ff2ed1c42p-13,
                               -0x1.1537ebe81d660p-13, 0x1.56d028bdb499bp-15,  0x1.259280b02d412p-16,
                               -0x1.95b1b4215068ap-18, -0x1.a29cd161a2c49p-19, 0x1.804d3c94b4179p-21,
                               0x1.3daca338157d3p-21,  0x1.1c534b966b889p-25};
  constexpr double kCenter = 2.75;
  constexpr double kHigh = 6;  // erf is 1 from here up, rounded
  double const size = x < 0 ? -x : x;
  double const y = size < kHigh ? size : kHigh;
  double const small = y * Polynomial(y * y, kSmall);
  double const large = 1.0 - Exp(-y * y) * Polynomial((y - kCenter) / (y + kCenter), kLarge);
  double const result = y < 1.0 ? small : large;
  double const with_sign = x < 0 ? -result : result;
  return x != x || x == 0 ? x : with_sign;
}

/// 1 / (1 + exp(-x)).
template <class T>
inline T Sigmoid(T x) {
  T const small = Exp(x < T(0) ? x : -x);  // never overflows
  T const sum = T(1) + small;
  T const quotient = (x < T(0) ? small : T(1)) / sum;
  // What `sum` rounded away, over `sum` again: 1 / (1 + small) is near enough to 1 - small / 2 for a correction.
  T const lost = (small - (sum - T(1))) * (T(1) - T(0.5) * small);
  return quotient - quotient * lost;
}

/// log(1 + exp(x)).
template <class T>
inline T Softplus(T x) {
  return (x > T(0) ? x : T(0)) + Log1p(Exp(x > T(0) ? -x : x));
}
