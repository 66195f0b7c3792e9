// SPDX-License-Identifier: Apache-2.0
#include "model/xgboost_schema.h"

#include <cmath>
#include <limits>
#include <utility>

#include "base/error.h"

namespace xgbl {
namespace {

constexpr std::int32_t kNoParent = 2147483647;     // of a root, if leaves are scalar; else -1
constexpr std::int32_t kDeletedNode = 2147483647;  // in split_indices

struct TreeParamRecord {
  std::int64_t num_deleted = 0, num_feature = 0, num_nodes = 0, size_leaf_vector = 1;

  template <class F>
  static void Describe(F& field) {
    field("num_deleted", &TreeParamRecord::num_deleted, Presence::kNewer);
    field("num_feature", &TreeParamRecord::num_feature);
    field("num_nodes", &TreeParamRecord::num_nodes);
    field("size_leaf_vector", &TreeParamRecord::size_leaf_vector);
  }
};

struct TreeRecord {
  Numbers<float> base_weights, leaf_weights, loss_changes, split_conditions, sum_hessian;
  Numbers<std::int32_t> left_children, right_children, parents, split_indices;
  Numbers<std::uint8_t> default_left, split_type;
  Numbers<std::int32_t> categories, categories_nodes;
  Numbers<std::int64_t> categories_segments, categories_sizes;

  template <class F>
  static void Describe(F& field) {
    field("base_weights", &TreeRecord::base_weights);
    field("categories", &TreeRecord::categories, Presence::kNewer);
    field("categories_nodes", &TreeRecord::categories_nodes, Presence::kNewer);
    field("categories_segments", &TreeRecord::categories_segments, Presence::kNewer);
    field("categories_sizes", &TreeRecord::categories_sizes, Presence::kNewer);
    field("default_left", &TreeRecord::default_left);
    field("leaf_weights", &TreeRecord::leaf_weights, Presence::kUnlessEmpty);
    field("left_children", &TreeRecord::left_children);
    field("loss_changes", &TreeRecord::loss_changes, Presence::kNewer);
    field("parents", &TreeRecord::parents);
    field("right_children", &TreeRecord::right_children);
    field("split_conditions", &TreeRecord::split_conditions);
    field("split_indices", &TreeRecord::split_indices);
    field("split_type", &TreeRecord::split_type, Presence::kNewer);
    field("sum_hessian", &TreeRecord::sum_hessian, Presence::kNewer);
  }
};

// Gives the arrays that older files lack and checks that all have one entry per node.
void FitToNodes(Field const& object, TreeRecord* tree) {
  std::size_t const size = tree->left_children.size();
  if (tree->split_type.empty()) tree->split_type.resize(size);
  if (tree->loss_changes.empty()) tree->loss_changes.resize(size);
  if (tree->sum_hessian.empty()) tree->sum_hessian.resize(size);
  for (std::size_t const other :
       {tree->right_children.size(), tree->parents.size(), tree->split_indices.size(), tree->split_conditions.size(),
        tree->default_left.size(), tree->split_type.size(), tree->loss_changes.size(), tree->sum_hessian.size()}) {
    if (other != size) object.Fail("must have arrays of one length");
  }
}

// Scalar leaves keep their value where inner nodes have the threshold. Vectors stand in leaf_weights, and a leaf's
// right child says which of them is its own; before 3.2 they were the base_weights of the leaf.
void LoadValues(Field const& object, TreeRecord const& record, Tree* tree) {
  std::size_t const outputs = static_cast<std::size_t>(tree->outputs);
  bool const apart = !record.leaf_weights.empty();
  tree->value.assign(tree->weight.size(), 0.0F);
  if (outputs == 1) {
    for (std::size_t i = 0; i < tree->Size(); ++i) {
      float const held = tree->threshold[i];
      bool const leaf = tree->left[i] == kNoNode;
      tree->value[i] = leaf ? held : 0.0F;
      tree->threshold[i] = leaf ? 0.0F : held;
    }
    return;
  }
  for (std::size_t i = 0; i < tree->Size(); ++i) {
    if (tree->left[i] != kNoNode) continue;
    auto const& source = apart ? record.leaf_weights : record.base_weights;
    std::size_t const from = apart ? static_cast<std::size_t>(tree->right[i]) : i;
    if (from >= source.size() / outputs) object.Fail(Text("has no leaf vector ", tree->right[i]));
    tree->right[i] = kNoNode;
    for (std::size_t k = 0; k < outputs; ++k) tree->value[i * outputs + k] = source[from * outputs + k];
  }
}

void LoadCategories(Field const& object, TreeRecord const& record, Tree* tree) {
  std::size_t const sets = record.categories_nodes.size();
  if (record.categories_segments.size() != sets || record.categories_sizes.size() != sets) {
    object.Fail("must have as many categories_segments and categories_sizes as categories_nodes");
  }
  if (sets == 0) return;
  tree->category = record.categories;
  tree->category_begin.assign(tree->Size() + 1, 0);
  std::int64_t begin = 0;
  for (std::size_t i = 0; i < sets; ++i) {
    auto const node = static_cast<std::size_t>(record.categories_nodes[i]);
    std::int64_t const count = record.categories_sizes[i];
    bool const rising = i == 0 || record.categories_nodes[i - 1] < record.categories_nodes[i];
    bool const fits = record.categories_segments[i] == begin && count >= 0 &&
                      count <= static_cast<std::int64_t>(record.categories.size()) - begin;
    if (!rising || !fits || node >= tree->Size() || tree->categorical[node] == 0) {
      object.Fail(Text("has categories that do not fit its node ", record.categories_nodes[i]));
    }
    begin += count;
    tree->category_begin[node + 1] = static_cast<std::size_t>(count);
  }
  for (std::size_t i = 0; i < tree->Size(); ++i) tree->category_begin[i + 1] += tree->category_begin[i];
}

// What is written in place of the threshold that a set of categories has no use for; older versions wrote NaN.
void NameThresholds(Tree* tree) {
  for (std::size_t i = 0; i < tree->Size(); ++i) {
    bool const unused = tree->categorical[i] != 0 || tree->outputs > 1;
    if (unused && std::isnan(tree->threshold[i])) tree->threshold[i] = std::numeric_limits<float>::denorm_min();
  }
}

// Whether every node is a child of one before it, as in most files: then none was deleted.
bool StandsInOrder(Tree const& tree) {
  bool good = true;
  for (std::size_t i = 1; i < tree.Size(); ++i) {
    auto const node = static_cast<NodeId>(i);
    NodeId const parent = tree.parent[i];
    bool const before = parent >= 0 && parent < node;
    std::size_t const at = before ? Tree::At(parent) : 0;
    bool const left = tree.left[at] == node, right = tree.right[at] == node;  // both: no branch would be foreseen
    good = good && before && (left || right);
  }
  return good;
}

void CutDeletedNodes(Tree* tree) {
  if (StandsInOrder(*tree)) return;
  std::vector<bool> reached(tree->Size(), false);
  for (NodeId const node : ReachableNodes(*tree)) reached[Tree::At(node)] = true;
  for (std::size_t i = 0; i < tree->Size(); ++i) {
    if (!reached[i]) tree->left[i] = tree->right[i] = kNoNode;
  }
}

void SaveLeafVectors(Tree const& tree, TreeRecord* record) {
  std::int32_t leaf = 0;
  for (std::size_t i = 0; i < tree.Size(); ++i) {
    auto const node = static_cast<NodeId>(i);
    if (!tree.IsLeaf(node)) continue;
    record->right_children[i] = leaf++;
    auto const value = tree.Value(node);
    record->leaf_weights.insert(record->leaf_weights.end(), value.begin(), value.end());
    // Versions before 3.2 know no leaf_weights and take these.
    std::copy(value.begin(), value.end(), record->base_weights.begin() + static_cast<std::ptrdiff_t>(i * value.size()));
  }
}

void SaveCategories(Tree const& tree, TreeRecord* record) {
  if (tree.category_begin.empty()) return;
  record->categories = tree.category;
  for (std::size_t i = 0; i < tree.Size(); ++i) {
    if (tree.categorical[i] == 0) continue;
    record->categories_nodes.push_back(static_cast<std::int32_t>(i));
    record->categories_segments.push_back(static_cast<std::int64_t>(tree.category_begin[i]));
    record->categories_sizes.push_back(static_cast<std::int64_t>(tree.category_begin[i + 1] - tree.category_begin[i]));
  }
}

TreeRecord ToRecord(Tree const& tree, std::vector<NodeId> const& reachable) {
  TreeRecord record;
  record.base_weights = tree.weight;
  record.loss_changes = tree.gain;
  record.sum_hessian = tree.cover;
  record.split_conditions = tree.threshold;
  record.left_children = tree.left;
  record.right_children = tree.right;
  record.parents = tree.parent;
  record.default_left = tree.default_left;
  record.split_type = tree.categorical;
  record.split_indices.assign(tree.Size(), kDeletedNode);
  for (NodeId const node : reachable) {
    record.split_indices[Tree::At(node)] = static_cast<std::int32_t>(tree.feature[Tree::At(node)]);
  }
  SaveCategories(tree, &record);
  if (tree.outputs > 1) {
    SaveLeafVectors(tree, &record);
    return record;
  }
  record.parents.front() = kNoParent;
  for (std::size_t i = 0; i < tree.Size(); ++i) {
    if (tree.left[i] == kNoNode) record.split_conditions[i] = tree.value[i];
  }
  return record;
}

}  // namespace

Value SaveTree(Tree const& tree, std::size_t index, std::size_t num_features) {
  auto const reachable = ReachableNodes(tree);
  TreeParamRecord param;
  param.num_deleted = static_cast<std::int64_t>(tree.Size() - reachable.size());
  param.num_feature = static_cast<std::int64_t>(num_features);
  param.num_nodes = static_cast<std::int64_t>(tree.Size());
  param.size_leaf_vector = tree.outputs;
  Value::Object object = Save(ToRecord(tree, reachable));
  object.emplace("id", static_cast<std::int64_t>(index));
  object.emplace("tree_param", Save(param));
  return object;
}

Tree LoadTree(Field const& object, std::size_t num_features) {
  auto record = Load<TreeRecord>(object);
  auto const param = Load<TreeParamRecord>(object["tree_param"]);
  FitToNodes(object, &record);
  std::size_t const size = record.left_children.size();
  auto const outputs = static_cast<std::size_t>(std::max<std::int64_t>(1, param.size_leaf_vector));
  bool const fits = record.base_weights.size() % outputs == 0 && record.base_weights.size() / outputs == size;
  if (static_cast<std::size_t>(param.num_nodes) != size || !fits) {
    object.Fail(Text("must have `num_nodes` = ", param.num_nodes, " nodes and as many base_weights; it has ", size));
  }
  Tree tree;
  tree.outputs = static_cast<int>(outputs);
  tree.left = std::move(record.left_children);
  tree.right = std::move(record.right_children);
  tree.parent = std::move(record.parents);
  tree.feature.assign(record.split_indices.begin(), record.split_indices.end());
  tree.threshold = std::move(record.split_conditions);
  tree.default_left = std::move(record.default_left);
  tree.categorical = std::move(record.split_type);
  tree.gain = std::move(record.loss_changes);
  tree.cover = std::move(record.sum_hessian);
  tree.weight = outputs == 1 ? std::move(record.base_weights) : record.base_weights;
  if (size != 0 && tree.parent[0] == kNoParent) tree.parent[0] = kNoNode;
  LoadCategories(object, record, &tree);
  LoadValues(object, record, &tree);
  NameThresholds(&tree);
  CheckTree(tree, num_features);
  CutDeletedNodes(&tree);
  return tree;
}

}  // namespace xgbl
