// SPDX-License-Identifier: Apache-2.0
// A model's trees laid out for serving. There are three ways: a row walks through the nodes; a few rows are encoded one
// by one and meet trees as heaps of bytes; many rows are encoded 64 at a time and meet each tree as vectors. A fixed
// rule chooses by the model's shape, the number of rows and the instruction set. All ways give the bits of the plain
// walk (predictor.h): float32 sums in the order of the trees. Immutable and safe to use from many threads. Made in O(n
// log n) of the nodes, and kept by ServingCache.
#pragma once

#include <cstddef>
#include <memory>
#include <mutex>
#include <vector>

#include "base/context.h"
#include "base/span.h"
#include "model/model.h"
#include "predict/byte_trees.h"
#include "predict/code_book.h"
#include "predict/node_trees.h"
#include "predict/plane_trees.h"
#include "predict/row_reader.h"

namespace xgbl {

class Serving {
 public:
  /// `model` must not be linear.
  explicit Serving(Model const& model);
  Serving(Serving const&) = delete;
  Serving& operator=(Serving const&) = delete;

  /// As AddMargins() of predictor.h.
  void AddMargins(RowSource const& source, RoundRange trees, Context const& ctx, MatrixView<float> margins) const;
  /// The same of one row whose features lie `stride` values apart. Nothing is allocated for up to 512 used features and
  /// 64 outputs.
  void AddRow(float const* values, std::ptrdiff_t stride, float missing, RoundRange trees, Context const& ctx,
              float* margins) const;

  enum class Engine { kNodes, kBytes, kPlanes };
  /// Codes of a block, at most: a thread has some blocks, and a node has 22 bits for the number of its cell.
  static constexpr std::size_t kMostBlockBytes = std::size_t{1} << 23U;
  /// What takes how long, in about so many cycles.
  struct Plan {
    Engine engine;
    double cycles;
  };
  Plan Choose(std::size_t rows, RoundRange trees, Context const& ctx) const;
  /// Of an engine of the caller's choice, or by row where the model has no such layout (ByteTrees::Suits(),
  /// kMostBlockBytes).
  Plan PlanOf(Engine engine, std::size_t rows, RoundRange trees, Context const& ctx) const;
  /// As AddMargins(), by that engine.
  void AddWith(Engine engine, RowSource const& source, RoundRange trees, Context const& ctx,
               MatrixView<float> margins) const;

  /// About how many cycles all trees take for one row that goes to their deepest leaves.
  double MostCycles() const { return nodes_.MostCycles(); }
  /// One more than the last feature that the model splits on.
  std::size_t Features() const { return book_.Used().empty() ? 0 : book_.Used().back() + std::size_t{1}; }

 private:
  Serving(Model const& model, std::vector<TreeShape> const& shapes);

  Plan FewPlan(std::size_t rows, RoundRange trees, Context const& ctx) const;
  void Run(Plan const& plan, RowSource const& source, RoundRange trees, Context const& ctx,
           MatrixView<float> margins) const;
  std::size_t BlocksAtOnce(std::size_t rows, int threads) const;
  double CodingCycles(std::size_t blocks, Context const& ctx) const;
  void AddByNodes(RowSource const& source, RoundRange trees, std::size_t begin, std::size_t end,
                  MatrixView<float> margins) const;
  void AddByBytes(RowSource const& source, RoundRange trees, std::size_t begin, std::size_t end, Context const& ctx,
                  MatrixView<float> margins) const;
  class PlaneWorker;

  std::size_t outputs_;
  CodeBook book_;
  NodeTrees nodes_;
  std::unique_ptr<ByteTrees const> bytes_;    // none of models that do not suit it
  std::unique_ptr<PlaneTrees const> planes_;  // none of models beyond kMostBlockBytes
};

/// Makes a model's Serving when it is first asked for. A copy starts empty: what it belongs to may change.
class ServingCache {
 public:
  ServingCache() = default;
  ServingCache(ServingCache const& /*other*/) {}
  ServingCache& operator=(ServingCache const& other) {
    if (this != &other) Clear();
    return *this;
  }

  /// The caller sees to it that the model is the same every time, or else to Clear().
  std::shared_ptr<Serving const> Get(Model const& model) const;
  /// The same, but nullptr when it is first asked for few rows: the model may change before there are more, as it does
  /// in training, and the plain walk is done with them sooner.
  std::shared_ptr<Serving const> GetIfWorth(Model const& model, std::size_t rows) const;
  /// Not while others ask, as no change of what this belongs to is.
  void Clear() {
    serving_.reset();
    asked_ = false;
  }

 private:
  mutable std::mutex mutex_;  // of what follows
  mutable std::shared_ptr<Serving const> serving_;
  mutable bool asked_ = false;
};

}  // namespace xgbl
