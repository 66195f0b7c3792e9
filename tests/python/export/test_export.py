# SPDX-License-Identifier: Apache-2.0
"""Models as C and as ONNX, run and compared with the predictions of the models themselves."""

import ctypes
import shutil
import subprocess

import numpy as np
import pytest

import xgb_like as xgb
from xgb_like import _core
from xgb_like._cli import main
from xgb_like._export import _forest

compiler = shutil.which("cc") or shutil.which("gcc") or shutil.which("clang")
needs_compiler = pytest.mark.skipif(compiler is None, reason="there is no C compiler")


def run_c(text, folder, rows, outputs, name="model"):
    """Compile a file and predict each row; return margins and predictions, which may be fewer."""
    source, library = folder / "model.c", folder / "model.so"
    source.write_text(text, encoding="utf-8")
    strict = ["-std=c99", "-Wall", "-Wextra", "-pedantic", "-Werror"]
    subprocess.run([compiler, *strict, "-O1", "-shared", "-fPIC", "-o", library, source, "-lm"], check=True)
    loaded = ctypes.CDLL(str(library))
    found = []
    for kind in ("margins", "predict"):
        out = np.full((len(rows), outputs), np.nan, dtype=np.float32)
        for row, to in zip(np.ascontiguousarray(rows, dtype=np.float32), out, strict=True):
            getattr(loaded, f"{name}_{kind}")(ctypes.c_void_p(row.ctypes.data), ctypes.c_void_p(to.ctypes.data))
        found.append(out)
    return found


def run_onnx(booster, rows):
    pytest.importorskip("onnx", reason="onnx is not installed")
    runtime = pytest.importorskip("onnxruntime", reason="onnxruntime is not installed")
    options = runtime.SessionOptions()
    options.intra_op_num_threads = 1
    session = runtime.InferenceSession(
        xgb.export.to_onnx(booster).SerializeToString(), options, providers=["CPUExecutionProvider"]
    )
    return session.run(None, {"X": np.asarray(rows, dtype=np.float32)})[0]


def hostile(rows):
    """The rows, and some of odd values."""
    odd = np.array([0, -0.0, 1e-45, -1e-45, 3e38, -3e38, np.inf, -np.inf, np.nan], dtype=np.float32)
    draws = np.random.default_rng(0).choice(odd, size=(60, rows.shape[1]))
    return np.concatenate([rows, draws, np.full((1, rows.shape[1]), np.nan)]).astype(np.float32)


def labels_for(objective, label):
    if objective.startswith("multi:"):
        return np.digitize(label, [-1, 1])
    if objective.startswith(("reg:squared", "reg:abs", "reg:quantile", "reg:gaussian", "reg:huber")):
        return label
    return label > 0 if objective.startswith(("binary:", "reg:logistic")) else np.exp(label / 4)


OBJECTIVES = [
    *("reg:squarederror", "reg:absoluteerror", "reg:huber", "reg:logistic", "reg:gamma", "reg:tweedie"),
    *("binary:logistic", "binary:logitraw", "binary:hinge", "binary:focal", "binary:exponential"),
    *("count:poisson", "survival:cox", "multi:softprob", "multi:softmax", "multi:ova"),
]


def model_of(objective, holes, **params):
    features, label = holes
    classes = {"num_class": 3} if objective.startswith("multi:") else {}
    matrix = xgb.DMatrix(features, labels_for(objective, label))
    return xgb.train({"objective": objective, "max_depth": 4, "nthread": 1, **classes, **params}, matrix, 6)


@needs_compiler
@pytest.mark.parametrize("objective", OBJECTIVES)
def test_c_predicts_the_same(holes, tmp_path, objective):
    booster = model_of(objective, holes)
    rows = hostile(holes[0])
    margins, values = run_c(xgb.export.to_c(booster), tmp_path, rows, booster._handle.num_outputs())
    expected = booster.inplace_predict(rows, predict_type="margin", strict_shape=True)
    np.testing.assert_array_equal(margins, expected)
    expected = booster.inplace_predict(rows, strict_shape=True).reshape(len(rows), -1)
    np.testing.assert_allclose(values[:, : expected.shape[1]], expected, rtol=1e-6, atol=1e-37)


@pytest.mark.parametrize("objective", OBJECTIVES)
def test_onnx_predicts_the_same(holes, objective):
    booster = model_of(objective, holes)
    rows = hostile(holes[0])
    expected = booster.inplace_predict(rows, strict_shape=True).reshape(len(rows), -1)
    np.testing.assert_allclose(run_onnx(booster, rows), expected, rtol=2e-5, atol=1e-7)


def variants(holes):
    """Boosters of kinds of their own, by name."""
    features, label = holes
    codes = features.copy()
    codes[:, 0] = np.arange(len(codes)) % 70
    types = ["c", "q", "q", "q", "q"]
    with_sets = xgb.DMatrix(codes, label + codes[:, 0] % 2, feature_types=types, enable_categorical=True)
    two = xgb.DMatrix(codes, np.c_[label, -label], feature_types=types, enable_categorical=True)
    plain, pair = xgb.DMatrix(features, label), xgb.DMatrix(features, np.c_[label, -label])
    vectors = {"multi_strategy": "multi_output_tree", "max_depth": 3}
    return {
        "categories": (xgb.train({"max_depth": 5, "max_cat_to_onehot": 1}, with_sets, 5), codes),
        "indicators": (xgb.train({"max_cat_to_onehot": 100}, with_sets, 5), codes),
        "vectors": (xgb.train(vectors, pair, 4), features),
        "vectors and categories": (xgb.train(vectors, two, 4), codes),
        "vectors and others": (_with_trees_of_one_output(xgb.train(vectors, pair, 2), pair), features),
        "dart": (xgb.train({"booster": "dart", "rate_drop": 0.5, "seed": 1}, plain, 8), features),
        "forest": (xgb.train({"num_parallel_tree": 3, "subsample": 0.5}, plain, 2), features),
        "leaf": (xgb.train({"gamma": 1e9}, plain, 2), features),
        "leaf beside sets": (xgb.train({"gamma": 30, "max_cat_to_onehot": 1}, with_sets, 12), codes),
    }


def _with_trees_of_one_output(booster, data):
    booster.set_param("multi_strategy", "one_output_per_tree")
    booster.update(data, booster.num_boosted_rounds())
    return booster


KINDS = [
    *("categories", "indicators", "vectors", "vectors and categories", "vectors and others"),
    *("dart", "forest", "leaf", "leaf beside sets"),
]


def with_odd_codes(rows):
    rows = hostile(rows)
    rows[::9, 0] = np.resize([-1, -0.5, 3.7, 69, 70, 1e6, 2**24, 3e9], len(rows[::9]))
    return rows


@pytest.mark.filterwarnings("ignore:Codes of categories")
@needs_compiler
@pytest.mark.parametrize("kind", KINDS)
def test_c_of_every_kind_of_tree(holes, tmp_path, kind):
    booster, rows = variants(holes)[kind]
    rows = with_odd_codes(rows)
    margins, _ = run_c(xgb.export.to_c(booster), tmp_path, rows, booster._handle.num_outputs())
    np.testing.assert_array_equal(margins, booster.inplace_predict(rows, strict_shape=True))


@pytest.mark.filterwarnings("ignore:Codes of categories")
@pytest.mark.parametrize("kind", KINDS)
def test_onnx_of_every_kind_of_tree(holes, kind):
    booster, rows = variants(holes)[kind]
    rows = with_odd_codes(rows)
    np.testing.assert_allclose(
        run_onnx(booster, rows), booster.inplace_predict(rows, strict_shape=True), rtol=1e-5, atol=1e-6
    )


def linear_model(holes):
    return xgb.train({"booster": "gblinear", "objective": "reg:squarederror"}, xgb.DMatrix(*holes), 5)


@needs_compiler
def test_c_of_linear_models(holes, tmp_path):
    booster, rows = linear_model(holes), holes[0]
    expected = booster.inplace_predict(rows, strict_shape=True)
    np.testing.assert_array_equal(run_c(xgb.export.to_c(booster), tmp_path, rows, 1)[1], expected)


def test_onnx_of_linear_models(holes):
    booster, rows = linear_model(holes), holes[0]
    expected = booster.inplace_predict(rows, strict_shape=True)
    np.testing.assert_allclose(run_onnx(booster, rows), expected, rtol=1e-5, atol=1e-6)


@needs_compiler
def test_rounds_after_the_best_are_left_out(holes, tmp_path):
    matrix = xgb.DMatrix(*holes)
    other = xgb.DMatrix(holes[0], -holes[1])
    booster = xgb.train({}, matrix, 9, evals=[(other, "other")], early_stopping_rounds=3, verbose_eval=False)
    assert booster.best_iteration < booster.num_boosted_rounds() - 1
    margins, _ = run_c(xgb.export.to_c(booster), tmp_path, holes[0], 1)
    np.testing.assert_array_equal(margins[:, 0], booster.inplace_predict(holes[0]))


@needs_compiler
def test_names_of_the_functions_and_of_features(regression, tmp_path):
    names = ["*/ int x;", "b\nc", "é", "/*", "\\"]
    booster = xgb.train({}, xgb.DMatrix(*regression, feature_names=names), 2)
    text = xgb.export.to_c(booster, name="price")
    margins, _ = run_c(text, tmp_path, regression[0], 1, name="price")
    np.testing.assert_array_equal(margins[:, 0], booster.inplace_predict(regression[0]))
    with pytest.raises(xgb.ParameterError, match="`name` must be a name in C"):
        xgb.export.to_c(booster, name="a b")


LEVELS = {
    "sorted quantiles": {"objective": "reg:quantileerror", "quantile_alpha": [0.1, 0.9, 0.5]},
    "quantiles": {"objective": "reg:quantileerror", "quantile_alpha": [0.1, 0.9, 0.5], "sort_quantiles": False},
    "expectiles": {"objective": "reg:expectileerror", "expectile_alpha": [0.1, 0.5, 0.9]},
    "one level": {"objective": "reg:quantileerror", "quantile_alpha": 0.3},
    "variances": {"objective": "reg:gaussian"},
}


def model_of_levels(kind, targets, holes):
    features, label = holes
    matrix = xgb.DMatrix(features, np.c_[label, -3 * label][:, :targets])
    return xgb.train({**LEVELS[kind], "max_depth": 6, "eta": 1, "nthread": 1}, matrix, 4)


@pytest.mark.parametrize("targets", [1, 2])
@pytest.mark.parametrize("kind", LEVELS)
def test_some_outputs_that_belong_together_have_a_last_step(holes, kind, targets):
    booster = model_of_levels(kind, targets, holes)
    margins, values = (booster.inplace_predict(hostile(holes[0]), predict_type=what) for what in ("margin", "value"))
    assert np.array_equal(margins, values) == (kind in ("quantiles", "one level"))


@needs_compiler
@pytest.mark.parametrize("targets", [1, 2])
@pytest.mark.parametrize("kind", LEVELS)
def test_c_of_outputs_that_belong_together(holes, tmp_path, kind, targets):
    booster, rows = model_of_levels(kind, targets, holes), hostile(holes[0])
    expected = booster.inplace_predict(rows, strict_shape=True)
    _, found = run_c(xgb.export.to_c(booster), tmp_path, rows, expected.shape[1])
    np.testing.assert_allclose(found, expected, rtol=1e-6, atol=1e-37)


@pytest.mark.parametrize("targets", [1, 2])
@pytest.mark.parametrize("kind", LEVELS)
def test_onnx_of_outputs_that_belong_together(holes, kind, targets):
    booster, rows = model_of_levels(kind, targets, holes), hostile(holes[0])
    expected = booster.inplace_predict(rows, strict_shape=True)
    np.testing.assert_allclose(run_onnx(booster, rows), expected, rtol=2e-5, atol=1e-5)


def test_an_objective_whose_last_step_is_not_known_is_refused(booster, monkeypatch):
    monkeypatch.setattr(_core.Booster, "link", lambda _: "")
    with pytest.raises(xgb.ParameterError, match="`reg:squarederror` cannot be exported"):
        xgb.export.to_c(booster)


@pytest.mark.parametrize("name", xgb.export.__all__)
def test_what_has_no_rounds_is_refused(name):
    if name == "to_onnx":
        pytest.importorskip("onnx", reason="onnx is not installed")
    with pytest.raises(xgb.ParameterError, match="no rounds yet"):
        getattr(xgb.export, name)(xgb.Booster())


def test_estimators_are_taken(binary):
    model = xgb.XGBClassifier(n_estimators=2).fit(*binary)
    assert xgb.export.to_c(model) == xgb.export.to_c(model.get_booster())


def test_the_command_writes_both(regression, tmp_path):
    pytest.importorskip("onnx", reason="onnx is not installed")
    booster = xgb.train({}, xgb.DMatrix(*regression), 2)
    booster.save_model(tmp_path / "model.ubj")
    for output in ("model.c", "model.onnx", "--to=c model.txt"):
        words = output.split()
        assert main(["convert", str(tmp_path / "model.ubj"), *words[:-1], str(tmp_path / words[-1])]) == 0
    assert (tmp_path / "model.txt").read_text() == (tmp_path / "model.c").read_text() == xgb.export.to_c(booster)
    assert (tmp_path / "model.onnx").read_bytes() == xgb.export.to_onnx(booster).SerializeToString()


SHAP_MODELS = {
    "numbers": {},
    "shares": {"objective": "binary:logistic"},
    "classes": {"objective": "multi:softprob", "num_class": 3},
    "vectors": {"multi_strategy": "multi_output_tree"},
    "dart": {"booster": "dart", "rate_drop": 0.5},
    "forest": {"num_parallel_tree": 3, "subsample": 0.5},
}


def contributions_of(booster, rows, background=None):
    """Contributions in the form of shap: rows x features [x outputs], and the bias."""
    found = booster.predict(xgb.DMatrix(rows), pred_contribs=True, background=background)
    found = np.moveaxis(found, 1, 2) if found.ndim == 3 else found
    return found[:, :-1], found[0, -1]


def shap_model(kind, holes):
    features, label = holes
    labels = {"shares": label > 0, "classes": np.digitize(label, [-1, 1]), "vectors": np.c_[label, -label]}
    return xgb.train({**SHAP_MODELS[kind], "max_depth": 4}, xgb.DMatrix(features, labels.get(kind, label)), 6)


def at_thresholds(booster, features):
    """A row for each split, of medians but for its own cell, which is the threshold."""
    trees = _forest.forest_of(booster).trees
    cuts = [cut for tree in trees for left, *cut in zip(tree.left, tree.feature, tree.threshold, strict=True) if left]
    rows = np.tile(np.nanmedian(features, axis=0), (len(cuts), 1)).astype(np.float32)
    for row, (feature, threshold) in zip(rows, cuts, strict=True):
        row[feature] = threshold
    return rows


def margins_by_walks(model, rows):
    """What a reader of the dict of shap comes to: its comparison is <=, and NaN takes the default child."""
    margins = np.tile(model["base_offset"], (len(rows), 1))
    for number, row in enumerate(rows.astype(model["input_dtype"])):
        for tree in model["trees"]:
            node = 0
            while tree["children_left"][node] >= 0:
                cell = row[tree["features"][node]]
                left = "children_left" if cell <= tree["thresholds"][node] else "children_right"
                node = tree["children_default" if np.isnan(cell) else left][node]
            margins[number] += tree["values"][node]
    return margins


@pytest.mark.parametrize("kind", SHAP_MODELS)
def test_walks_through_what_shap_is_given_end_in_the_same_margins(holes, kind):
    booster = shap_model(kind, holes)
    rows = np.concatenate([hostile(holes[0]), at_thresholds(booster, holes[0])])
    expected = booster.inplace_predict(rows, predict_type="margin", strict_shape=True)
    np.testing.assert_allclose(margins_by_walks(xgb.export.to_shap(booster), rows), expected, rtol=1e-5, atol=1e-5)


@pytest.mark.parametrize("kind", SHAP_MODELS)
def test_shap_has_the_same_values(holes, kind):
    shap = pytest.importorskip("shap")
    features, booster = holes[0], shap_model(kind, holes)
    explainer = shap.TreeExplainer(xgb.export.to_shap(booster))
    expected, bias = contributions_of(booster, features)
    np.testing.assert_allclose(explainer.shap_values(features), expected, atol=1e-5)
    np.testing.assert_allclose(explainer.expected_value, np.atleast_1d(bias), atol=1e-5)
    others = features[~np.isnan(features).any(axis=1)]
    explainer = shap.TreeExplainer(xgb.export.to_shap(booster), others)
    expected, bias = contributions_of(booster, features, xgb.DMatrix(others))
    np.testing.assert_allclose(explainer(features).values, expected, atol=1e-5)
    np.testing.assert_allclose(explainer.expected_value, bias, atol=1e-5)


def test_shap_explains_probabilities_of_estimators(binary):
    shap = pytest.importorskip("shap")
    model = xgb.XGBClassifier(n_estimators=9, early_stopping_rounds=1)
    model.fit(*binary, eval_set=[(-binary[0], binary[1])], verbose=False)
    found = shap.TreeExplainer(xgb.export.to_shap(model), binary[0][:50], model_output="probability")(binary[0])
    np.testing.assert_allclose(
        found.values.sum(axis=1) + found.base_values, model.predict_proba(binary[0])[:, 1], atol=1e-5
    )


def test_shap_values_of_cells_at_thresholds(holes):
    shap = pytest.importorskip("shap")
    booster = model_of("reg:squarederror", holes)
    rows = at_thresholds(booster, holes[0])
    found = shap.TreeExplainer(xgb.export.to_shap(booster)).shap_values(rows)
    np.testing.assert_allclose(found, contributions_of(booster, rows)[0], atol=1e-5)


def test_models_that_shap_has_no_form_for_are_refused(holes):
    for booster, text in (
        (xgb.train({"booster": "gblinear"}, xgb.DMatrix(*holes), 1), "is linear"),
        (variants(holes)["categories"][0], "splits on categories"),
    ):
        with pytest.raises(
            xgb.ParameterError, match=rf"`booster` {text}.*explain\.TreeExplainer\(model\).*pred_contribs=True"
        ):
            xgb.export.to_shap(booster)


@needs_compiler
def test_c_lists_categories_and_their_codes(tmp_path):
    pandas = pytest.importorskip("pandas")
    labels = ["red", "*/ int x; /*", 'a "b"\\', "bl\nue", "?\u200b"]
    frame = pandas.DataFrame(
        {
            "size": np.arange(20.0),
            "co/*lour": pandas.Categorical.from_codes(np.arange(20) % 5, labels),
            "number": pandas.Categorical.from_codes(np.arange(20) % 2, [10, -3]),
        }
    )
    booster = xgb.train({"min_child_weight": 0}, xgb.DMatrix(frame, np.arange(20) % 5), 2)
    text = xgb.export.to_c(booster)
    comment = text[: text.index("#include")]
    for line in ("0 size\n", "1 co  lour, a category:", '0 "red"', "2 number, a category:", "0 10\n", "1 -3\n"):
        assert line in comment
    assert comment.count("*/") == text.count("/* reg:squarederror") == 1
    rows = np.column_stack([np.arange(20.0), np.arange(20) % 5, np.arange(20) % 2])
    margins, _ = run_c(text, tmp_path, rows, 1)
    np.testing.assert_array_equal(margins[:, 0], booster.predict(xgb.DMatrix(frame), output_margin=True))


def test_c_says_which_codes_are_categories_without_labels():
    matrix = xgb.DMatrix(np.array([[0.0, 1], [1, 2], [2, 3]]), [1, 2, 3], feature_types=["c", "q"])
    assert "0 f0, a category\n     1 f1\n" in xgb.export.to_c(xgb.train({}, matrix, 1))
