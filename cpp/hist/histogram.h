// SPDX-License-Identifier: Apache-2.0
// Sums of gradients and hessians per bin of each feature, over the rows of a node. One plane of bins per output, in the
// numbering of BinnedMatrix::HistogramBins().
// For up to kNarrowRows rows, a bin of narrow gradients is one 64-bit integer, (gradient << 32) + hessian. One addition
// updates both, and histograms are subtracted as they are. Larger nodes, and wide gradients, have two integers per bin.
// All arithmetic is on integers, so it does not matter which thread adds which rows.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "base/context.h"
#include "base/span.h"
#include "bins/binned_matrix.h"
#include "hist/histogram_loops.h"
#include "hist/packed_gradients.h"
#include "parallel/buffer.h"

namespace xgbl {

/// The histogram of one node; movable, empty until built.
class Histogram {
 public:
  bool Empty() const { return bins_.empty(); }
  bool Packed() const { return packed_; }
  /// Of one output; the form that Packed() tells.
  std::int64_t const* PackedPlane(std::size_t output) const { return bins_.data() + output * plane_; }
  FixedSum const* WidePlane(std::size_t output) const {
    return reinterpret_cast<FixedSum const*>(bins_.data()) + output * plane_;
  }

  FixedSum Bin(std::size_t output, std::size_t bin) const {
    return packed_ ? Unpack(PackedPlane(output)[bin]) : WidePlane(output)[bin];
  }

  /// A wide one of one output, all of it 0.
  static Histogram Zero(std::size_t plane) {
    Histogram out;
    out.bins_ = Buffer<std::int64_t>(2 * plane);
    out.plane_ = plane;
    std::fill_n(out.bins_.data(), out.bins_.size(), 0);
    return out;
  }
  std::int64_t* WideWords() { return bins_.data(); }

  static std::int64_t Pack(FixedSum sum) { return sum.gradient * (std::int64_t{1} << 32U) + sum.hessian; }
  static FixedSum Unpack(std::int64_t bin) { return {bin >> 32U, bin & std::int64_t{0xFFFFFFFF}}; }

 private:
  friend class HistogramBuilder;
  Buffer<std::int64_t> bins_;
  std::size_t plane_ = 0;  // bins per output
  bool packed_ = false;
};

struct HistogramTarget;

class HistogramBuilder {
 public:
  /// The matrix and the gradients, one per output and all of one form, must outlive the builder. `by_sign`: bin 2 b has
  /// the rows of bin b whose gradient is 0 or more, bin 2 b + 1 the others.
  HistogramBuilder(BinnedMatrix const& bins, Span<PackedGradients const> outputs, bool by_sign = false);

  struct Job {
    Span<std::uint32_t const> rows;  // rising
    bool all_rows = false;           // the rows are 0, 1, 2 …: no list is read
    Histogram* out = nullptr;
  };

  /// Fills the histogram of every job, all in one parallel region.
  void Build(Span<Job const> jobs, Context const& ctx);

  struct Difference {
    Histogram* parent = nullptr;  // becomes the other child's
    Histogram const* child = nullptr;
    std::size_t rows = 0;  // of the other child: no fewer than of this one
  };
  void Subtract(Span<Difference const> differences, Context const& ctx);

  /// Gives a histogram's memory back for later ones.
  void Release(Histogram* histogram);
  /// How many bins per row is added to, on average.
  double CellsPerRow() const;
  /// Bytes of the histogram of a node with so many rows.
  std::size_t Bytes(std::size_t rows) const { return Words(PackedFor(rows)) * sizeof(std::int64_t); }

 private:
  bool PackedFor(std::size_t rows) const { return !wide_ && rows <= kNarrowRows; }
  std::size_t Words(bool packed) const { return plane_ * outputs_.size() * (packed ? 1 : 2); }
  Histogram New(bool packed);
  std::vector<HistogramTarget> TargetsOf(Span<Job const> jobs);
  std::int64_t* ThreadBins(int thread, std::size_t words);

  BinnedMatrix const* bins_;
  Span<PackedGradients const> outputs_;
  std::size_t plane_;
  bool wide_ = false;
  std::vector<HistogramPiece> pieces_;
  std::array<std::vector<Buffer<std::int64_t>>, 2> free_;  // wide ones, packed ones
  std::vector<Buffer<std::int64_t>> thread_bins_;          // all zero when not in use
};

// Sums and differences, bin by bin. Packed bins and the words of wide ones are added and subtracted as plain integers.
// Overflow in between does not matter, because the results fit. Ranges do not overlap.

/// sum += part, then part = 0.
void FlushWords(std::int64_t* part, std::size_t words, std::int64_t* sum);
/// The same, from packed bins to wide ones.
void FlushPackedToWide(std::int64_t* part, std::size_t bins, std::int64_t* sum);

/// Adds the sums of a piece's joint codes to the bins that each stands for. `stride`: words from code to code.
void AddJointCodes(HistogramPiece const& piece, std::int64_t const* sums, std::size_t stride, bool packed,
                   std::int64_t* out, bool out_packed);

/// wide += sums that are `stride` words apart: packed ones, or two integers each.
void AddLanesToWide(std::int64_t const* sums, std::size_t stride, bool packed, std::size_t bins, std::int64_t* wide);

/// from -= what.
void SubtractWords(std::int64_t* from, std::int64_t const* what, std::size_t words);
/// wide -= packed.
void SubtractPackedFromWide(std::int64_t* wide, std::int64_t const* packed, std::size_t bins);

/// packed = wide - what; the difference must fit.
void PackWideMinusPacked(std::int64_t const* wide, std::int64_t const* what, std::size_t bins, std::int64_t* packed);

}  // namespace xgbl
