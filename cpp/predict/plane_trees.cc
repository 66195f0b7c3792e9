// SPDX-License-Identifier: Apache-2.0
#include "predict/plane_trees.h"

#include <algorithm>
#include <utility>

namespace xgbl {
namespace {

// Planes of a chapter, so that they stay in the second cache: 64 bytes each.
constexpr std::size_t kMostQuestions = 8192;
static_assert(kMostQuestions <= ListedSplit::kMostQuestions);
// Of a heap, where both sides of a leaf are the leaf: what its node asks does not matter.
constexpr Question kNoQuestion = 0xFFFFFFFFU;

std::uint32_t BitsFor(std::size_t leaves) {
  std::uint32_t bits = 1;
  while (std::size_t{1} << bits < leaves) ++bits;
  return bits;
}

// A heap asks all its nodes, a list parts the rows at each, which takes several times as long.
bool SuitsHeap(TreeShape const& shape) {
  return shape.levels <= kMostHeapLevels && (shape.levels <= 5 || std::size_t{1} << shape.levels <= 4 * shape.leaves);
}

}  // namespace

Questions::Questions(std::vector<Question> asked) : asked_(std::move(asked)) {
  std::sort(asked_.begin(), asked_.end());
  for (Question const question : asked_) {
    std::uint32_t const cell = question >> 8U;
    if (cells_.empty() || cells_.back().cell != cell) {
      cells_.push_back({cell, static_cast<std::uint32_t>(edges_.size()), 0});
    }
    ++cells_.back().count;
    edges_.push_back(static_cast<std::uint8_t>(question & 0xFFU));
  }
}

std::uint32_t Questions::PlaceOf(Question question) const {
  return static_cast<std::uint32_t>(std::lower_bound(asked_.begin(), asked_.end(), question) - asked_.begin());
}

void Questions::Answer(std::uint8_t const* codes, std::size_t block_bytes, std::size_t blocks, Context const& ctx,
                       std::uint64_t* planes) const {
  auto const compare = ServingKernels::Of(ctx.simd).compare_cell;
  for (Cell const& cell : cells_) {
    compare({codes + std::size_t{cell.cell} * kCodeRows, block_bytes, blocks, edges_.data() + cell.first, cell.count,
             planes + cell.first * WordsFor(blocks)});
  }
}

std::size_t PlaneTrees::PlaneWords(std::size_t blocks) const {
  std::size_t most = 1;
  for (Chapter const& chapter : chapters_) most = std::max(most, chapter.questions.size());
  return most * WordsFor(blocks);
}

void PlaneTrees::Add(std::size_t first, std::size_t end, BlockRows const& rows, std::uint64_t* planes,
                     Context const& ctx) const {
  for (Chapter const& chapter : chapters_) {
    std::size_t const from = std::max(first, chapter.begin), to = std::min(end, chapter.end);
    if (from >= to) continue;
    chapter.questions.Answer(rows.codes, rows.block_bytes, rows.blocks, ctx, planes);
    AddChapter(from, to, rows, planes, ctx);
  }
}

void PlaneTrees::AddChapter(std::size_t first, std::size_t end, BlockRows const& rows, std::uint64_t const* planes,
                            Context const& ctx) const {
  while (first < end) {
    bool const deep = deep_of_[first] >= 0;
    std::size_t stop = first + 1;
    while (stop < end && (deep_of_[stop] >= 0) == deep) ++stop;
    if (deep) {
      for (std::size_t t = first; t < stop; ++t) AddDeep(t, rows, planes, ctx);
    } else {
      ServingKernels::Of(ctx.simd).add_plane_trees(
          {trees_.data() + first, stop - first, planes, rows.count, rows.sums, rows.block_sums});
    }
    first = stop;
  }
}

void PlaneTrees::AddDeep(std::size_t t, BlockRows const& rows, std::uint64_t const* planes, Context const& ctx) const {
  PlaneTree const& tree = trees_[t];
  DeepTree const& deep = deep_[static_cast<std::size_t>(deep_of_[t])];
  DeepNode const* const nodes = deep.nodes.data();
  std::uint8_t exits[kPlaneRows], walking[kCodeRows];  // the latter have not arrived
  std::uint32_t at[kCodeRows];                         // by row
  ServingKernels::Of(ctx.simd).leaves_of(tree, planes, rows.blocks, exits);
  for (std::size_t block = 0; block < rows.blocks; ++block) {
    std::uint8_t const* const exit = exits + block * kCodeRows;
    std::size_t count = 0;
    for (std::size_t row = 0; row < kCodeRows; ++row) {
      at[row] = deep.exits[exit[row]];
      walking[count] = static_cast<std::uint8_t>(row);
      count += 1U ^ (deep.exit_leaf >> exit[row] & 1U);
    }
    std::uint8_t const* const codes = rows.codes + block * rows.block_bytes;
    for (std::size_t left = 0; count > 0; count = std::exchange(left, 0)) {  // one level; those that are left go on
      for (std::size_t i = 0; i < count; ++i) {
        std::uint8_t const row = walking[i];
        DeepNode const node = nodes[at[row]];
        unsigned const side = node.Side(codes[node.Cell() * kCodeRows + row]);
        at[row] = node.Child(side);
        walking[left] = row;
        left += 1U ^ node.LeafAt(side);
      }
    }
    float* const sums = rows.sums + block * rows.block_sums + tree.output * kCodeRows;
    for (std::size_t k = 0; k < tree.outputs; ++k) {
      float const* const values = deep.values.data() + k;
      for (std::size_t row = 0; row < kCodeRows; ++row) {
        sums[k * kCodeRows + row] += values[std::size_t{at[row]} * tree.outputs];
      }
    }
  }
}

double PlaneTrees::Cycles(std::size_t first, std::size_t end, std::size_t rows, Context const& ctx) const {
  auto const blocks = static_cast<double>((rows + kCodeRows - 1) / kCodeRows);
  double const each = ctx.simd == SimdLevel::kScalar ? 4 : 2.5 + blocks * (ctx.simd >= SimdLevel::kAvx512 ? 0.7 : 3);
  double cycles = 0;
  for (Chapter const& chapter : chapters_) {
    bool const met = std::max(first, chapter.begin) < std::min(end, chapter.end);
    if (met) cycles += each * static_cast<double>(chapter.questions.size());
  }
  for (std::size_t t = first; t < end; ++t) cycles += TreeCycles(t, rows, ctx);
  return cycles;
}

double PlaneTrees::TreeCycles(std::size_t t, std::size_t rows, Context const& ctx) const {
  PlaneTree const& tree = trees_[t];
  bool const wide = ctx.simd >= SimdLevel::kAvx512, scalar = ctx.simd == SimdLevel::kScalar;
  // A block or two are in smaller registers.
  double const alone = tree.splits > 0 ? 0.5 : 1;
  double const slower = rows <= 2 * kCodeRows ? alone : (wide ? 1 : (scalar ? 7 : 2.5));
  double const logic = tree.splits > 0 ? 8.0 * tree.splits : 1.5 * static_cast<double>(std::size_t{1} << tree.bits);
  double block = wide ? 10 + tree.outputs * (tree.bits < 7 ? 15.0 : 15.0 * (tree.bits - 5)) : 100 + 80.0 * tree.outputs;
  if (scalar) block += 64 * tree.bits;
  if (deep_of_[t] >= 0) block += 64 * (20 * deep_[static_cast<std::size_t>(deep_of_[t])].path + tree.outputs);
  return slower * logic + static_cast<double>((rows + kCodeRows - 1) / kCodeRows) * block;
}

// Lays trees out one after the other. Nodes have their question itself until a chapter is full, then its place.
class PlaneTrees::Writer {
 public:
  Writer(PlaneTrees* to, Model const& model, std::vector<TreeShape> const& shapes, CodeBook const& book)
      : to_(*to), model_(model), shapes_(shapes), book_(book), asked_(book.BlockBytes() / kCodeRows * 256, false) {}

  void AddAll() {
    for (std::size_t t = 0; t < model_.trees.size(); ++t) {
      begins_.push_back(Here());
      Lay(t);
      auto fresh = Fresh(begins_.back());
      if (t > chapter_begin_ && questions_.size() + fresh.size() > kMostQuestions) {
        Close(t);
        fresh = Fresh(begins_.back());
      }
      for (Question const question : fresh) asked_[question] = true;
      questions_.insert(questions_.end(), fresh.begin(), fresh.end());
    }
    Close(model_.trees.size());
    SetPointers();
  }

 private:
  struct Places {
    std::size_t heap, list, leaf;
  };

  struct Split {
    Question question;
    std::uint16_t left, right;
  };

  Places Here() const { return {to_.heaps_.size(), splits_.size(), to_.leaves_.End()}; }

  void Lay(std::size_t t) {
    Tree const& tree = *model_.trees[t];
    TreeShape const& shape = shapes_[t];
    PlaneTree laid;
    laid.output = tree.outputs == 1 ? static_cast<std::uint32_t>(model_.tree_output[t]) : 0;
    laid.outputs = static_cast<std::uint32_t>(tree.outputs);
    to_.deep_of_.push_back(-1);
    if (SuitsHeap(shape)) {
      laid.bits = std::max(1U, shape.levels);
      to_.leaves_.Add(tree, AddHeap(tree, laid.bits), LeafRoom(laid.bits), model_.TreeWeight(t));
    } else if (shape.leaves <= kMostListed) {
      laid.bits = BitsFor(shape.leaves);
      laid.splits = static_cast<std::uint32_t>(shape.leaves - 1);
      to_.leaves_.Add(tree, AddList(tree), LeafRoom(laid.bits), model_.TreeWeight(t));
    } else {
      laid.bits = kTopLevels;
      to_.deep_of_.back() = static_cast<std::int32_t>(to_.deep_.size());
      to_.deep_.push_back(Deepen(tree, shape.shares, AddHeap(tree, kTopLevels), model_.TreeWeight(t)));
    }
    to_.trees_.push_back(laid);
  }

  // Its leaves, from left to right; one above the last level stands there as often as there are places below it.
  std::vector<NodeId> AddHeap(Tree const& tree, std::uint32_t levels) {
    std::vector<NodeId> level{0};
    for (std::uint32_t depth = 0; depth < levels; ++depth) {
      std::vector<NodeId> next;
      for (NodeId const id : level) {
        bool const leaf = tree.IsLeaf(id);
        to_.heaps_.push_back(leaf ? kNoQuestion : book_.QuestionOf(tree, Tree::At(id)));
        next.push_back(leaf ? id : tree.left[Tree::At(id)]);
        next.push_back(leaf ? id : tree.right[Tree::At(id)]);
      }
      level = std::move(next);
    }
    return level;
  }

  // Its leaves by their number.
  std::vector<NodeId> AddList(Tree const& tree) {
    std::vector<NodeId> splits{0}, leaves;  // level by level, as what follows at once would wait for what it follows
    auto const place = [&](NodeId id) {
      auto& among = tree.IsLeaf(id) ? leaves : splits;
      among.push_back(id);
      return static_cast<std::uint16_t>(among.size() - 1 + (tree.IsLeaf(id) ? kMostListed : 0));
    };
    for (std::size_t i = 0; i < splits.size(); ++i) {  // NOLINT(modernize-loop-convert): there are more with each
      std::size_t const at = Tree::At(splits[i]);
      std::uint16_t const left = place(tree.left[at]), right = place(tree.right[at]);
      splits_.push_back({book_.QuestionOf(tree, at), left, right});
    }
    return leaves;
  }

  DeepTree Deepen(Tree const& tree, std::vector<float> const& shares, std::vector<NodeId> const& exits,
                  float weight) const {
    DeepTree deep;
    std::vector<NodeId> order;
    for (std::size_t i = 0; i < exits.size(); ++i) {
      bool const repeated = i > 0 && exits[i] == exits[i - 1];
      if (!repeated) order.push_back(exits[i]);
      deep.exits[i] = static_cast<std::uint32_t>(order.size() - 1);
      deep.exit_leaf |= std::uint64_t{tree.IsLeaf(exits[i]) ? 1U : 0U} << i;
    }
    for (std::size_t place = 0; place < order.size(); ++place) {
      NodeId const id = order[place];
      for (float const value : tree.Value(id)) deep.values.push_back(weight * value);
      if (tree.IsLeaf(id)) {
        deep.nodes.emplace_back();
        continue;
      }
      deep.path += double{shares[Tree::At(id)]};
      NodeId const left = tree.left[Tree::At(id)], right = tree.right[Tree::At(id)];
      deep.nodes.emplace_back(book_.QuestionOf(tree, Tree::At(id)), static_cast<std::uint32_t>(order.size()),
                              tree.IsLeaf(left), tree.IsLeaf(right));
      order.insert(order.end(), {left, right});
    }
    return deep;
  }

  // What is asked from there on, and nowhere in the chapter.
  std::vector<Question> Fresh(Places const& from) const {
    std::vector<Question> fresh(to_.heaps_.begin() + static_cast<std::ptrdiff_t>(from.heap), to_.heaps_.end());
    for (std::size_t i = from.list; i < splits_.size(); ++i) fresh.push_back(splits_[i].question);
    auto const known = [&](Question question) { return question == kNoQuestion || asked_[question]; };
    fresh.erase(std::remove_if(fresh.begin(), fresh.end(), known), fresh.end());
    std::sort(fresh.begin(), fresh.end());
    fresh.erase(std::unique(fresh.begin(), fresh.end()), fresh.end());
    return fresh;
  }

  // Ends the chapter before a tree.
  void Close(std::size_t end) {
    if (end == chapter_begin_) return;
    for (Question const question : questions_) asked_[question] = false;
    Questions questions(std::exchange(questions_, {}));
    auto const place = [&](Question question) { return question == kNoQuestion ? 0 : questions.PlaceOf(question); };
    Places const from = begins_[chapter_begin_], to = end < begins_.size() ? begins_[end] : Here();
    for (std::size_t i = from.heap; i < to.heap; ++i) to_.heaps_[i] = place(to_.heaps_[i]);
    for (std::size_t i = from.list; i < to.list; ++i) {
      to_.lists_.push_back(ListedSplit::Of(place(splits_[i].question), splits_[i].left, splits_[i].right));
    }
    to_.chapters_.push_back({chapter_begin_, end, std::move(questions)});
    chapter_begin_ = end;
  }

  void SetPointers() {
    for (std::size_t t = 0; t < begins_.size(); ++t) {
      PlaneTree& tree = to_.trees_[t];
      tree.leaves = to_.leaves_.From(begins_[t].leaf);
      if (tree.splits > 0) {
        tree.list = to_.lists_.data() + begins_[t].list;
      } else {
        tree.heap = to_.heaps_.data() + begins_[t].heap;
      }
    }
  }

  PlaneTrees& to_;
  Model const& model_;
  std::vector<TreeShape> const& shapes_;
  CodeBook const& book_;
  std::vector<Places> begins_;  // by tree
  std::vector<Split> splits_;   // of lists
  std::vector<bool> asked_;     // by question, in the chapter
  std::vector<Question> questions_;
  std::size_t chapter_begin_ = 0;
};

PlaneTrees::PlaneTrees(Model const& model, std::vector<TreeShape> const& shapes, CodeBook const& book) {
  Writer(this, model, shapes, book).AddAll();
}

}  // namespace xgbl
