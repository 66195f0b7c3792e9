// SPDX-License-Identifier: Apache-2.0
#include "model/dump_linear.h"

#include <array>
#include <charconv>

#include "base/error.h"
#include "base/span.h"

namespace xgbl {
namespace {

std::string SixDigits(float value) {
  std::array<char, 32> buffer{};
  auto const result = std::to_chars(buffer.data(), buffer.data() + buffer.size(), value, std::chars_format::general, 6);
  return {buffer.data(), result.ptr};
}

std::string Lines(Span<float const> values, std::string const& indent, std::string const& between) {
  std::string out;
  for (std::size_t i = 0; i < values.size(); ++i) {
    out += indent + SixDigits(values[i]) + (i + 1 < values.size() ? between : "") + "\n";
  }
  return out;
}

}  // namespace

std::string DumpLinear(LinearModel const& linear, std::size_t outputs, DumpFormat format) {
  Require<ParamError>(format != DumpFormat::kDot,
                      "`dump_format` dot draws trees, and a linear model has none. Use text or json.");
  Span<float const> const all(linear.weights);
  std::size_t const count = all.size() - outputs;
  Span<float const> const weights = all.Sub(0, count), biases = all.Sub(count, outputs);
  if (format == DumpFormat::kText) return "bias:\n" + Lines(biases, "", "") + "weight:\n" + Lines(weights, "", "");
  return "  { \"bias\": [\n" + Lines(biases, "      ", ",") + "    ],\n    \"weight\": [\n" +
         Lines(weights, "      ", ",") + "    ]\n  }";
}

}  // namespace xgbl
