// SPDX-License-Identifier: Apache-2.0
#include "objective/position_bias.h"

#include <utility>

#include "base/math.h"

namespace xgbl {
namespace {

constexpr char kHigh[] = "ti+";
constexpr char kLow[] = "tj-";
constexpr double kLeastLoss = 1e-16;  // what is less has too few clicks to be divided by

std::vector<float> Biases(std::size_t positions, ObjectiveState const* state, char const* name) {
  std::vector<float> biases;
  if (state != nullptr && state->count(name) != 0) biases = state->at(name);
  biases.resize(positions, 1.0F);
  return biases;
}

float Factor(float bias) { return double{bias} >= kLeastLoss ? 1.0F / bias : 0.0F; }

void Move(std::vector<double>* from, ExactSums* to) {
  for (std::size_t i = 0; i < from->size(); ++i) {
    double const loss = std::exchange((*from)[i], 0.0);
    if (loss != 0) (*to)[i] += loss;
  }
}

// (loss / loss of the first position) ^ (1 / (1 + norm)); as before if the first has none.
std::vector<float> Ratios(std::vector<double> const& losses, double norm, std::vector<float> biases) {
  if (losses.empty() || losses[0] < kLeastLoss) return biases;
  for (std::size_t i = 0; i < losses.size(); ++i) {
    double const ratio = losses[i] / losses[0];
    biases[i] = ratio > 0 ? static_cast<float>(Exp(Log(ratio) / (1 + norm))) : 0.0F;
  }
  return biases;
}

}  // namespace

PositionBias::LossSums& PositionBias::LossSums::operator+=(LossSums const& other) {
  high += other.high;
  low += other.low;
  return *this;
}

void PositionBias::LossSums::Take(Losses* losses) {
  Move(&losses->high, &high);
  Move(&losses->low, &low);
}

PositionBias::PositionBias(std::size_t positions, ObjectiveState const* state)
    : high_(Biases(positions, state, kHigh)), low_(Biases(positions, state, kLow)) {}

void PositionBias::Fill(Span<std::uint32_t const> positions, float* high, float* low) const {
  for (std::size_t i = 0; i < positions.size(); ++i) {
    std::size_t const at = positions[i];
    high[i] = at < high_.size() ? Factor(high_[at]) : 0.0F;
    low[i] = at < low_.size() ? Factor(low_[at]) : 0.0F;
  }
}

void PositionBias::Add(std::size_t high, std::size_t low, double loss, Losses* losses) const {
  losses->high[high] += loss * double{Factor(low_[low])};
  losses->low[low] += loss * double{Factor(high_[high])};
}

void PositionBias::Learn(LossSums const& losses, double norm, ObjectiveState* state) const {
  (*state)[kHigh] = Ratios(losses.high.Values(), norm, high_);
  (*state)[kLow] = Ratios(losses.low.Values(), norm, low_);
}

}  // namespace xgbl
