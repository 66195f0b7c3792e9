// SPDX-License-Identifier: Apache-2.0
#include <pybind11/numpy.h>
#include <pybind11/pybind11.h>
#include <pybind11/stl.h>

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "base/file.h"
#include "bindings/arrays.h"
#include "bindings/bind.h"
#include "bindings/categories.h"
#include "boost/booster.h"
#include "model/dump.h"
#include "model/xgboost_format.h"

namespace xgbl {
namespace py = pybind11;
namespace {

using MatrixPtr = std::shared_ptr<DMatrix>;

// Asks Python now and then whether a signal came, and lets its handler raise. The exception waits until the engine has
// unwound: only the thread that called in may see it.
class SignalWatch {
 public:
  bool operator()() {
    auto const now = std::chrono::steady_clock::now();
    if (now - last_ < std::chrono::milliseconds(100)) return false;
    last_ = now;
    py::gil_scoped_acquire const gil;
    return PyErr_CheckSignals() != 0;
  }

 private:
  std::chrono::steady_clock::time_point last_ = std::chrono::steady_clock::now();
};

// Runs a long call without the GIL; Ctrl-C ends it with Python's own exception.
template <class Call>
auto Interruptible(Booster* booster, Call&& call) {
  struct Watched {  // no longer than the call: others must not see its handler
    Booster* booster;
    ~Watched() { booster->SetInterrupt({}); }
  };
  booster->SetInterrupt(SignalWatch());
  Watched const watched{booster};
  try {
    py::gil_scoped_release const released;
    return call();
  } catch (Cancelled const&) {
    throw py::error_already_set();
  }
}

PredictionKind KindOf(std::string const& kind) {
  static std::map<std::string, PredictionKind> const kinds{
      {"value", PredictionKind::kValue}, {"margin", PredictionKind::kMargin}, {"class", PredictionKind::kClass}};
  auto const found = kinds.find(kind);
  Ensure(found != kinds.end(), "prediction kind ", kind);
  return found->second;
}

py::array Predict(Booster const& booster, MatrixPtr const& data, std::string const& kind, std::size_t begin,
                  std::size_t end) {
  if (kind == "leaf") {
    Matrix<std::int32_t> leaves;
    {
      py::gil_scoped_release const released;
      leaves = booster.Leaves(*data, {begin, end});
    }
    return ToNumpy(std::move(leaves));
  }
  Matrix<float> out;
  {
    py::gil_scoped_release const released;
    out = booster.Predict(*data, KindOf(kind), {begin, end});
  }
  return ToNumpy(std::move(out));
}

void Boost(Booster* booster, MatrixPtr const& data, FloatArray const& gradient, FloatArray const& hessian) {
  Gradients const gradients{ToMatrix(gradient), ToMatrix(hessian)};
  Interruptible(booster, [&] { booster->Boost(data, gradients); });
}

py::array TrainMargins(Booster* booster, MatrixPtr const& data) {
  MatrixView<float const> const view = Interruptible(booster, [&] { return booster->Margins(data); });
  Matrix<float> copy(view.rows(), view.columns());
  copy.values.assign(view.Flat().begin(), view.Flat().end());
  return ToNumpy(std::move(copy));
}

FileFormat FormatOf(std::string const& name) {
  Require<ParamError>(name == "json" || name == "ubj", "Unknown model format `", name, "`. Use json or ubj.");
  return name == "json" ? FileFormat::kJson : FileFormat::kUbjson;
}

std::unique_ptr<Booster> Slice(Booster const& booster, std::size_t begin, std::size_t end, std::size_t step) {
  auto sliced = std::make_unique<Booster>(booster);
  sliced->SetModel(booster.GetModel().Slice(begin, end, step));
  return sliced;
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
  return DumpModel(booster.GetModel(), options);
}

// One entry per node that can be reached from its tree's root, depth first, left before right.
struct NodeTable {
  std::vector<std::int32_t> tree, node, left, right, feature;
  std::vector<float> threshold, gain, cover, value;
  std::vector<std::uint8_t> default_left, categorical;

  void Add(std::size_t tree_number, Tree const& from, NodeId id) {
    std::size_t const at = Tree::At(id);
    tree.push_back(static_cast<std::int32_t>(tree_number));
    node.push_back(id);
    left.push_back(from.left[at]);
    right.push_back(from.right[at]);
    feature.push_back(static_cast<std::int32_t>(from.feature[at]));
    threshold.push_back(from.threshold[at]);
    gain.push_back(from.gain[at]);
    cover.push_back(from.cover[at]);
    default_left.push_back(from.default_left[at]);
    categorical.push_back(from.categorical[at]);
    value.insert(value.end(), from.Value(id).begin(), from.Value(id).end());
  }
};

NodeTable CollectNodes(Model const& model) {
  NodeTable table;
  for (std::size_t t = 0; t < model.trees.size(); ++t) {
    Tree const& tree = *model.trees[t];
    std::vector<NodeId> open{0};
    while (!open.empty()) {
      NodeId const id = open.back();
      open.pop_back();
      table.Add(t, tree, id);
      if (!tree.IsLeaf(id)) open.insert(open.end(), {tree.right[Tree::At(id)], tree.left[Tree::At(id)]});
    }
  }
  return table;
}

py::dict Nodes(Booster const& booster) {
  NodeTable table = CollectNodes(booster.GetModel());
  std::size_t const size = table.node.size();
  std::size_t const width = size == 0 ? 1 : table.value.size() / size;
  py::dict out;
  out["value"] = ToNumpy(std::move(table.value), {size, width});
  out["tree"] = ToNumpy(std::move(table.tree));
  out["node"] = ToNumpy(std::move(table.node));
  out["left"] = ToNumpy(std::move(table.left));
  out["right"] = ToNumpy(std::move(table.right));
  out["feature"] = ToNumpy(std::move(table.feature));
  out["threshold"] = ToNumpy(std::move(table.threshold));
  out["gain"] = ToNumpy(std::move(table.gain));
  out["cover"] = ToNumpy(std::move(table.cover));
  out["default_left"] = ToNumpy(std::move(table.default_left));
  out["categorical"] = ToNumpy(std::move(table.categorical));
  return out;
}

std::vector<std::int32_t> CategorySet(Booster const& booster, std::size_t tree, NodeId node) {
  auto const& trees = booster.GetModel().trees;
  bool const known = tree < trees.size() && node >= 0 && Tree::At(node) < trees[tree]->Size();
  Require<ParamError>(known, "The model has no node ", node, " in a tree ", tree, ".");
  Span<std::int32_t const> const set = trees[tree]->CategorySet(node);
  return {set.begin(), set.end()};
}

using BoosterClass = py::class_<Booster>;

void BindTraining(BoosterClass& cls) {
  using py::arg;
  cls.def(py::init<>())
      .def("set_params", &Booster::SetParams, arg("params"))
      .def("params", &Booster::Params)
      .def("given_params", &Booster::GivenParams)
      .def("take_messages",
           [](Booster* b) {
             std::vector<std::pair<int, std::string>> out;
             for (auto& message : b->TakeMessages()) {
               out.emplace_back(static_cast<int>(message.level), std::move(message.text));
             }
             return out;
           })
      .def(
          "update", [](Booster* b, MatrixPtr const& data) { Interruptible(b, [&] { b->Update(data); }); },
          arg("dtrain"))
      .def("boost", &Boost, arg("dtrain"), arg("grad"), arg("hess"))
      .def("train_margins", &TrainMargins, arg("dtrain"))
      .def(
          "evaluate",
          [](Booster* b, MatrixPtr const& data) { return Interruptible(b, [&] { return b->Evaluate(data); }); },
          arg("data"))
      .def("metric_names", &Booster::MetricNames)
      .def("reset", &Booster::DropCaches)
      .def("predict", &Predict, arg("data"), arg("kind"), arg("begin"), arg("end"));
}

void BindModelFacts(BoosterClass& cls) {
  using py::arg;
  cls.def("num_boosted_rounds", [](Booster const& b) { return b.GetModel().Rounds(); })
      .def("num_features", [](Booster const& b) { return b.GetModel().num_features; })
      .def("num_outputs", [](Booster const& b) { return b.GetModel().num_outputs; })
      .def("num_trees", [](Booster const& b) { return b.GetModel().trees.size(); })
      .def("num_parallel_tree", [](Booster const& b) { return b.GetModel().num_parallel_tree; })
      .def("objective", [](Booster const& b) { return b.Params().at("learner").at("objective"); })
      .def("predicts_class", [](Booster const& b) { return b.GetObjective().PredictsClass(); })
      .def("base_score", [](Booster const& b) { return b.GetModel().base_score; })
      .def("attributes", [](Booster const& b) { return b.GetModel().attributes; })
      .def(
          "set_attributes",
          [](Booster* b, std::map<std::string, std::string> values) {
            b->MutableModel().attributes = std::move(values);
          },
          arg("values"))
      .def_property(
          "feature_names", [](Booster const& b) { return b.GetModel().feature_names; },
          [](Booster* b, std::vector<std::string> names) { b->MutableModel().feature_names = std::move(names); })
      .def_property(
          "feature_types", [](Booster const& b) { return b.GetModel().feature_types; },
          [](Booster* b, std::vector<std::string> types) { b->MutableModel().feature_types = std::move(types); })
      .def_property_readonly("categories", [](Booster const& b) { return CategoriesToPython(b.GetModel().categories); })
      .def("nodes", &Nodes)
      .def("category_set", &CategorySet, arg("tree"), arg("node"));
}

void BindModelFiles(BoosterClass& cls) {
  using py::arg;
  cls.def("slice", &Slice, arg("begin"), arg("end"), arg("step"))
      .def("copy", [](Booster const& b) { return std::make_unique<Booster>(b); })
      .def(
          "save_raw",
          [](Booster const& b, std::string const& format) {
            return py::bytes(WriteModel(b.GetModel(), FormatOf(format)));
          },
          arg("raw_format"))
      .def(
          "load_raw",
          [](Booster* b, py::bytes const& bytes) { b->SetModel(ReadModel(static_cast<std::string_view>(bytes))); },
          arg("data"))
      .def(
          "save_model",
          [](Booster const& b, std::string const& path, std::string const& format) {
            py::gil_scoped_release const released;
            WriteFileAtomically(path, WriteModel(b.GetModel(), FormatOf(format)));
          },
          arg("path"), arg("raw_format"))
      .def(
          "load_model",
          [](Booster* b, std::string const& path) {
            py::gil_scoped_release const released;
            b->SetModel(ReadModel(ReadWholeFile(path)));
          },
          arg("path"))
      .def("dump", &Dump, arg("dump_format"), arg("with_stats"), arg("feature_names"), arg("feature_types"),
           arg("dot"));
}

}  // namespace

void BindBooster(py::module_& module) {
  BoosterClass cls(module, "Booster", py::is_final());
  BindTraining(cls);
  BindModelFacts(cls);
  BindModelFiles(cls);
}

}  // namespace xgbl
