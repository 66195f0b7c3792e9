// SPDX-License-Identifier: Apache-2.0
// Sums per bin of several outputs side by side. Included by kernels.inl, once per instruction set.

// All of the sum before a bin is written, so that the additions are one.
inline void AddLane(std::int64_t const* value, std::int64_t* bin) {
  std::int64_t sum[LaneTask::kLanes];
  for (std::size_t k = 0; k < LaneTask::kLanes; ++k) sum[k] = bin[k] + value[k];
  for (std::size_t k = 0; k < LaneTask::kLanes; ++k) bin[k] = sum[k];
}

inline void AddLanes(LaneTask const& task) {
  constexpr std::size_t kLanes = LaneTask::kLanes;
  std::uint8_t const *const first = task.codes[0], *const second = task.codes[1];
  std::int64_t *const first_bins = task.bins[0], *const second_bins = task.bins[1];
  std::int64_t const* const values = task.values;
  std::size_t const count = task.count;
  for (std::size_t i = 0; i < count; ++i) {
    AddLane(values + kLanes * i, first_bins + kLanes * first[i]);
    AddLane(values + kLanes * i, second_bins + kLanes * second[i]);
  }
}
