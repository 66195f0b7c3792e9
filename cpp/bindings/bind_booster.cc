// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/file.h"
#include "bindings/arrays.h"
#include "bindings/bind.h"
#include "boost/booster.h"
#include "boost/combine.h"
#include "boost/explanation.h"
#include "explain/explain.h"
#include "model/dump.h"
#include "model/model.h"
#include "model/xgboost_format.h"

namespace xgbl {
namespace py = pybind11;
namespace {

using MatrixPtr = std::shared_ptr<DMatrix>;
using EditOfModel = std::function<void(Model*)> const&;

// A method that tells something about a booster: what `reader(learner)` returns.
template <class Reader>
auto Fact(Reader reader) {
  return [reader](Booster const& booster) { return booster.Read(reader); };
}

template <class Reader>
auto ModelFact(Reader reader) {
  return Fact([reader](Learner const& learner) { return std::invoke(reader, learner.GetModel()); });
}

// A method that changes a booster or waits for its turn; it is asked now and then whether Ctrl-C came.
template <class... Args, class Method>
auto InTurn(Method method) {
  return [method](Booster* booster, Args... args) {
    return Interruptible([&](Interrupt const& interrupted) { return (booster->*method)(args..., interrupted); });
  };
}

// A method that sets a member of the model.
template <class Member>
auto ModelSetter(Member Model::* member) {
  return [member](Booster* booster, Member value) {
    auto const edit = InTurn<EditOfModel>(&Booster::EditModel);
    edit(booster, [&](Model* model) { model->*member = std::move(value); });
  };
}

template <class Kind>
Kind Named(std::map<std::string, Kind> const& kinds, std::string const& name) {
  auto const found = kinds.find(name);
  Ensure(found != kinds.end(), "kind ", name);
  return found->second;
}

PredictionKind KindOf(std::string const& kind) {
  static std::map<std::string, PredictionKind> const kinds{
      {"value", PredictionKind::kValue}, {"margin", PredictionKind::kMargin}, {"class", PredictionKind::kClass}};
  return Named(kinds, kind);
}

py::array Predict(Booster const& booster, MatrixPtr const& data, std::string const& kind, std::size_t begin,
                  std::size_t end, bool training) {
  RoundRange const rounds{begin, end};
  if (kind == "leaf") {
    return ToNumpy(Interruptible(
        [&](Interrupt const& interrupted) { return booster.Snapshot()->Leaves(*data, rounds, interrupted); }));
  }
  return ToNumpy(Interruptible([&](Interrupt const& interrupted) {
    return booster.Predict(*data, KindOf(kind), rounds, training, interrupted);
  }));
}

using Derivatives = std::pair<FloatArray, FloatArray>;  // the arrays are kept while the engine reads them

GradientView BothOf(Derivatives const& arrays) { return {ViewOf(arrays.first), ViewOf(arrays.second)}; }

void Boost(Booster* booster, MatrixPtr const& data, Derivatives const& derivatives,
           std::optional<Derivatives> const& split) {
  GradientView const gradients = BothOf(derivatives);
  GradientView const chosen_by = split ? BothOf(*split) : GradientView();
  Interruptible([&](Interrupt const& interrupted) { booster->Boost(data, gradients, chosen_by, interrupted); });
}

py::array TrainMargins(Booster* booster, MatrixPtr const& data) {
  return ToNumpy(InTurn<MatrixPtr const&>(&Booster::Margins)(booster, data));
}

py::array KnownPredictions(Booster* booster, MatrixPtr const& data, std::string const& kind) {
  return ToNumpy(InTurn<MatrixPtr const&, PredictionKind>(&Booster::KnownPredictions)(booster, data, KindOf(kind)));
}

FileFormat FormatOf(std::string const& name) {
  Require<ParamError>(name == "json" || name == "ubj", "Unknown model format `", name, "`. Use json or ubj.");
  return name == "json" ? FileFormat::kJson : FileFormat::kUbjson;
}

std::string Write(Booster const& booster, std::string const& format) {
  return WriteModel(booster.Snapshot()->ModelToSave(), FormatOf(format));
}

py::bytes SaveRaw(Booster const& booster, std::string const& format) {
  std::string bytes;
  {
    WithoutGil const released;
    bytes = Write(booster, format);
  }
  return bytes;
}

void LoadRaw(Booster* booster, py::bytes const& bytes) {
  std::string_view const view(bytes);
  Interruptible([&](Interrupt const& interrupted) { booster->SetModel(ReadModel(view), interrupted); });
}

void SaveModel(Booster const& booster, std::string const& path, std::string const& format) {
  WithoutGil const released;
  WriteFileAtomically(path, Write(booster, format));
}

void LoadModel(Booster* booster, std::string const& path) {
  Interruptible([&](Interrupt const& interrupted) { booster->SetModel(ReadModel(ReadWholeFile(path)), interrupted); });
}

std::unique_ptr<Booster> Slice(Booster const& booster, std::size_t begin, std::size_t end, std::size_t step) {
  auto const snapshot = booster.Snapshot();
  return std::make_unique<Booster>(snapshot->With(snapshot->GetModel().Slice(begin, end, step)));
}

std::unique_ptr<Booster> Merge(Booster const& booster, Booster const& other, bool add_intercept) {
  WithoutGil const released;
  auto const first = booster.Snapshot(), second = other.Snapshot();
  return std::make_unique<Booster>(first->With(Merged(*first, *second, add_intercept)));
}

std::unique_ptr<Booster> Refit(Booster const& booster, MatrixPtr const& data, double decay) {
  return Interruptible([&](Interrupt const& interrupted) {
    auto const snapshot = booster.Snapshot();
    Context const ctx = snapshot->GetSettings().MakeContext(nullptr, interrupted);
    return std::make_unique<Booster>(snapshot->With(Refitted(*snapshot, *data, decay, ctx)));
  });
}

void SetLeafValue(Booster* booster, std::size_t tree, NodeId leaf, std::vector<float> const& values) {
  auto const set = [&](Model* model) { SetLeaf(model, tree, leaf, values); };
  auto const edit = InTurn<EditOfModel>(&Booster::EditTrees);
  edit(booster, set);
}

std::vector<std::string> Dump(Booster const& booster, std::string const& format, bool with_stats,
                              std::vector<std::string> names, std::vector<std::string> types, ParamMap dot) {
  static std::map<std::string, DumpFormat> const formats{
      {"text", DumpFormat::kText}, {"json", DumpFormat::kJson}, {"dot", DumpFormat::kDot}};
  auto const found = formats.find(format);
  Require<ParamError>(found != formats.end(), "`dump_format` must be one of text, json, dot; got `", format, "`.");
  DumpOptions options;
  options.format = found->second;
  options.with_stats = with_stats;
  options.feature_names = std::move(names);
  options.feature_types = std::move(types);
  options.dot = std::move(dot);
  WithoutGil const released;
  return DumpModel(booster.Snapshot()->GetModel(), options);
}

// One entry per node that can be reached from its tree's root, depth first, left before right.
py::dict Nodes(Booster const& booster) {
  auto const snapshot = booster.Snapshot();
  auto const& trees = snapshot->GetModel().trees;
  std::vector<std::pair<std::int32_t, NodeId>> nodes;  // and their trees
  std::size_t width = 1;  // values of a node: those of the widest leaf, 0 where a tree has fewer
  for (std::size_t t = 0; t < trees.size(); ++t) {
    width = std::max(width, static_cast<std::size_t>(trees[t]->outputs));
    for (NodeId const id : ReachableNodes(*trees[t])) nodes.emplace_back(static_cast<std::int32_t>(t), id);
  }
  py::dict out;
  auto const add = [&](char const* name, auto const& of) {
    std::vector<std::decay_t<decltype(of(0, *trees[0], NodeId{}))>> values;
    values.reserve(nodes.size());
    for (auto const& [tree, id] : nodes) values.push_back(of(tree, *trees[static_cast<std::size_t>(tree)], id));
    out[name] = ToNumpy(std::move(values));
  };
  auto const add_field = [&](char const* name, auto Tree::* field) {
    add(name, [&](std::int32_t, Tree const& tree, NodeId id) { return (tree.*field)[Tree::At(id)]; });
  };
  std::vector<float> value;
  for (auto const& [tree, id] : nodes) {
    auto const of_node = trees[static_cast<std::size_t>(tree)]->Value(id);
    value.insert(value.end(), of_node.begin(), of_node.end());
    value.resize((value.size() + width - 1) / width * width);
  }
  out["value"] = ToNumpy(std::move(value), {nodes.size(), width});
  add("tree", [](std::int32_t number, Tree const&, NodeId) { return number; });
  add("node", [](std::int32_t, Tree const&, NodeId id) { return id; });
  add_field("left", &Tree::left);
  add_field("right", &Tree::right);
  add("feature",
      [](std::int32_t, Tree const& tree, NodeId id) { return static_cast<std::int32_t>(tree.feature[Tree::At(id)]); });
  add_field("threshold", &Tree::threshold);
  add_field("gain", &Tree::gain);
  add_field("cover", &Tree::cover);
  add_field("default_left", &Tree::default_left);
  add_field("categorical", &Tree::categorical);
  return out;
}

std::vector<std::int32_t> CategorySet(Booster const& booster, std::size_t tree, NodeId node) {
  return booster.Read([&](Learner const& learner) {
    auto const& trees = learner.GetModel().trees;
    bool const known = tree < trees.size() && node >= 0 && Tree::At(node) < trees[tree]->Size();
    Require<ParamError>(known, "The model has no node ", node, " in a tree ", tree, ".");
    Span<std::int32_t const> const set = trees[tree]->CategorySet(node);
    return std::vector<std::int32_t>(set.begin(), set.end());
  });
}

// None for trees; else (features + 1) x outputs, the biases last.
py::object LinearWeights(Booster const& booster) {
  auto const snapshot = booster.Snapshot();
  Model const& model = snapshot->GetModel();
  if (!model.linear) return py::none();
  auto const outputs = static_cast<std::size_t>(model.num_outputs);
  return ToNumpy(std::vector<float>(model.linear->weights), {model.linear->weights.size() / outputs, outputs});
}

std::vector<std::size_t> TreesPerRound(Model const& model) {
  std::vector<std::size_t> sizes;
  for (std::size_t r = 0; r + 1 < model.round_begin.size(); ++r)
    sizes.push_back(model.round_begin[r + 1] - model.round_begin[r]);
  return sizes;
}

std::vector<bool> VectorTrees(Model const& model) {
  std::vector<bool> found;
  for (auto const& tree : model.trees) found.push_back(tree->outputs > 1);
  return found;
}

std::vector<std::pair<int, std::string>> TakeMessages(Booster* booster) {
  std::vector<std::pair<int, std::string>> out;
  for (auto& message : booster->TakeMessages()) {
    out.emplace_back(static_cast<int>(message.level), std::move(message.text));
  }
  return out;
}

std::vector<KnownCodes> CodesKnownTo(Booster const& booster) {
  if (auto const frozen = booster.FrozenIfMade()) return frozen->Codes();
  return KnownCodesOf(booster.Snapshot()->GetModel());  // not under the lock: it may read all nodes
}

py::list UnseenCodesIn(Booster const& booster, DMatrix const& data) {
  return UnseenCodesToPython(Interruptible([&](Interrupt const& interrupted) {
    auto known = CodesKnownTo(booster);
    known.erase(
        std::remove_if(known.begin(), known.end(), [&](auto const& it) { return it.feature >= data.Columns(); }),
        known.end());
    if (known.empty()) return std::vector<UnseenCodes>{};
    Context const ctx =
        booster.Read([&](Learner const& learner) { return learner.GetSettings().MakeContext(nullptr, interrupted); });
    return FindUnseenCodes(known, data.PassingFeatures(ctx), ctx);
  }));
}

py::array Explained(Booster const& booster, MatrixPtr const& data, std::string const& kind, std::size_t begin,
                    std::size_t end, MatrixPtr const& background) {
  static std::map<std::string, ExplanationKind> const kinds{{"contributions", ExplanationKind::kContributions},
                                                            {"path_contributions", ExplanationKind::kPathContributions},
                                                            {"interactions", ExplanationKind::kInteractions},
                                                            {"path_interactions", ExplanationKind::kPathInteractions}};
  ExplanationTask const task{Named(kinds, kind), {begin, end}, background.get()};
  Explanation found = Interruptible(
      [&](Interrupt const& interrupted) { return Explain(*booster.Snapshot(), *data, task, interrupted); });
  std::size_t const outputs = found.values.columns / (found.square ? found.width * found.width : found.width);
  std::vector<std::size_t> shape{found.values.rows, outputs, found.width};
  if (found.square) shape.push_back(found.width);
  return ToNumpy(std::move(found.values.values), shape);
}

py::array MarginsKnowing(Booster const& booster, MatrixPtr const& data, std::vector<std::uint32_t> const& known) {
  return ToNumpy(Interruptible(
      [&](Interrupt const& interrupted) { return Marginals(*booster.Snapshot(), *data, known, interrupted); }));
}

// Each feature: number, whether it is categorical, edges, values (steps x outputs), value if missing.
py::list StepsOf(Booster const& booster) {
  auto steps = Interruptible([&](Interrupt const&) {
    auto const snapshot = booster.Snapshot();
    return DependenceSteps(snapshot->GetModel(), {0, snapshot->GetModel().trees.size()});
  });
  py::list out;
  for (auto& one : steps) {
    std::size_t const outputs = one.missing.size(), count = one.values.size() / outputs;
    out.append(py::make_tuple(one.feature, one.categorical, ToNumpy(std::move(one.edges)),
                              ToNumpy(std::move(one.values), {count, outputs}), ToNumpy(std::move(one.missing))));
  }
  return out;
}

using BoosterClass = py::class_<Booster>;

void BindTraining(BoosterClass& cls) {
  using py::arg;
  cls.def(py::init<>())
      .def("set_params", InTurn<Booster::Pairs const&>(&Booster::SetParams), arg("params"))
      .def("params", Fact(&Learner::Params))
      .def("given_params", Fact([](Learner const& learner) { return learner.GetSettings().given; }))
      .def("take_messages", &TakeMessages)
      .def("set_default_verbosity", &Booster::SetDefaultVerbosity, arg("verbosity"))
      .def("update", InTurn<MatrixPtr const&>(&Booster::Update), arg("dtrain"))
      .def("boost", &Boost, arg("dtrain"), arg("derivatives"), arg("split"))
      .def("train_margins", &TrainMargins, arg("dtrain"))
      .def("evaluate", InTurn<MatrixPtr const&>(&Booster::Evaluate), arg("data"))
      .def("known_predictions", &KnownPredictions, arg("data"), arg("kind"))
      .def("metric_names", Fact([](Learner const& learner) { return learner.GetSettings().MetricNames(); }))
      .def("reset", InTurn<>(&Booster::DropCaches))
      .def("predict", &Predict, arg("data"), arg("kind"), arg("begin"), arg("end"), arg("training"));
}

// Where one of the two has none there is nothing to compare.
bool HasLabelsOf(Booster const& booster, DMatrix const& data) {
  auto const none = [](std::vector<Categories> const& labels) {
    return std::all_of(labels.begin(), labels.end(), [](Categories const& column) { return column.empty(); });
  };
  auto const& theirs = data.Info().categories;
  return booster.Read([&](Learner const& learner) {
    auto const& ours = learner.GetModel().categories;
    return none(ours) || none(theirs) || ours == theirs;
  });
}

void BindModelFacts(BoosterClass& cls) {
  using py::arg;
  cls.def("num_boosted_rounds", ModelFact(&Model::Rounds))
      .def("num_features", ModelFact(&Model::num_features))
      .def("num_outputs", ModelFact(&Model::num_outputs))
      .def("num_trees", ModelFact([](Model const& model) { return model.trees.size(); }))
      .def("trees_per_round", ModelFact(&TreesPerRound))
      .def("num_parallel_tree", ModelFact(&Model::num_parallel_tree))
      .def("objective", Fact([](Learner const& learner) { return learner.GetSettings().learner.objective; }))
      .def("link", Fact([](Learner const& learner) { return learner.GetObjective().Link(); }))
      .def("predicts_class", Fact([](Learner const& learner) { return learner.GetObjective().PredictsClass(); }))
      .def("base_score", ModelFact(&Model::base_score))
      .def("start_margins", Fact([](Learner const& learner) {
             return learner.Starts(static_cast<std::size_t>(learner.GetModel().num_outputs));
           }))
      .def("attributes", ModelFact(&Model::attributes))
      .def("set_attributes", ModelSetter(&Model::attributes), arg("values"))
      .def_property("feature_names", ModelFact(&Model::feature_names), ModelSetter(&Model::feature_names))
      .def_property("feature_types", ModelFact(&Model::feature_types), ModelSetter(&Model::feature_types))
      .def_property_readonly(
          "categories",
          [](Booster const& b) {
            return CategoriesToPython(b.Read([](Learner const& learner) { return learner.GetModel().categories; }));
          })
      .def("labelled", ModelFact([](Model const& model) { return Labelled(model.categories); }))
      .def("has_labels_of", &HasLabelsOf, arg("data"))
      .def("unseen_codes", &UnseenCodesIn, arg("data"))
      .def(
          "split_by_sets", [](Booster const& b) { return SplitBySets(b.Snapshot()->GetModel()); },
          py::call_guard<WithoutGil>())
      .def("began_from_margins", ModelFact([](Model const& model) { return model.facts.base_margin; }))
      .def("vector_trees", ModelFact(&VectorTrees))
      .def("tree_outputs", ModelFact(&Model::tree_output))
      .def("tree_weights", ModelFact([](Model const& model) { return model.tree_weights; }))
      .def("linear_weights", &LinearWeights)
      .def("is_linear", ModelFact([](Model const& model) { return model.linear != nullptr; }))
      .def("nodes", &Nodes)
      .def("category_set", &CategorySet, arg("tree"), arg("node"));
}

void BindModelFiles(BoosterClass& cls) {
  using py::arg;
  cls.def("slice", &Slice, arg("begin"), arg("end"), arg("step"))
      .def("merge", &Merge, arg("other"), arg("add_intercept"))
      .def("refit", &Refit, arg("data"), arg("decay"))
      .def("roll_back",
           [](Booster* b) {
             Interruptible([&](Interrupt const& interrupted) { b->EditTrees(&RollBack, interrupted); });
           })
      .def("set_leaf", &SetLeafValue, arg("tree"), arg("leaf"), arg("values"))
      .def("copy", [](Booster const& b) { return std::make_unique<Booster>(b); })
      .def("save_raw", &SaveRaw, arg("raw_format"))
      .def("load_raw", &LoadRaw, arg("data"))
      .def("save_model", &SaveModel, arg("path"), arg("raw_format"))
      .def("load_model", &LoadModel, arg("path"))
      .def("dump", &Dump, arg("dump_format"), arg("with_stats"), arg("feature_names"), arg("feature_types"),
           arg("dot"));
}

void BindExplanations(BoosterClass& cls) {
  using py::arg;
  cls.def("explain", &Explained, arg("data"), arg("kind"), arg("begin"), arg("end"), arg("background"))
      .def("marginals", &MarginsKnowing, arg("data"), arg("known"))
      .def("dependence_steps", &StepsOf);
}

}  // namespace

void BindBooster(py::module_& module) {
  BoosterClass cls(module, "Booster", py::is_final());
  BindTraining(cls);
  BindModelFacts(cls);
  BindModelFiles(cls);
  BindExplanations(cls);
}

}  // namespace xgbl
