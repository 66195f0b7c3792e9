# SPDX-License-Identifier: Apache-2.0
"""Programs that read XGBoost's model files read ours: treelite by itself, onnxmltools by means of XGBoost."""

import numpy as np
import pytest

import xgb_like as xgb

pytestmark = [pytest.mark.peer, pytest.mark.filterwarnings("ignore")]  # theirs are of no interest here
# Objectives that XGBoost has, and what else makes files look different.
MODELS = {
    "squared error": {"objective": "reg:squarederror"},
    "absolute error": {"objective": "reg:absoluteerror"},
    "quantiles": {"objective": "reg:quantileerror", "quantile_alpha": 0.5},
    "logistic": {"objective": "binary:logistic"},
    "hinge": {"objective": "binary:hinge"},
    "classes": {"objective": "multi:softprob", "num_class": 3},
    "vector leaves": {"objective": "multi:softprob", "num_class": 3, "multi_strategy": "multi_output_tree"},
    "counts": {"objective": "count:poisson"},
    "gamma": {"objective": "reg:gamma"},
    "tweedie": {"objective": "reg:tweedie"},
    "ranking": {"objective": "rank:ndcg"},
    "survival": {"objective": "survival:cox"},
    "dart": {"objective": "reg:squarederror", "booster": "dart", "rate_drop": 0.3},
    "forest": {"objective": "reg:squarederror", "num_parallel_tree": 3, "subsample": 0.5},
}
TO_ONNX = ("squared error", "logistic", "classes", "counts", "gamma")


def trained(name, holes):
    features, label = holes
    params = {"max_depth": 4, "nthread": 1, **MODELS[name]}
    if "num_class" in params:
        label = np.digitize(label, [-1, 1])
    elif params["objective"].startswith(("binary:", "rank:")):
        label = label > 0
    elif name in ("counts", "gamma", "tweedie", "survival"):
        label = np.exp(label / 4)
    data = xgb.DMatrix(features, label, qid=np.arange(300) // 10 if name == "ranking" else None)
    return xgb.train(params, data, 5), data


def read_by_treelite(booster, path, rows):
    treelite = pytest.importorskip("treelite", minversion="4.8")  # knows all of these objectives
    booster.save_model(path)
    known = {"json": "json", "ubj": "ubjson"}
    model = treelite.frontend.load_xgboost_model(str(path), format_choice=known[path.suffix[1:]])
    return np.asarray(treelite.gtil.predict(model, rows)).reshape(len(rows), -1)


@pytest.mark.parametrize("ending", ["json", "ubj"])
@pytest.mark.parametrize("name", MODELS)
def test_treelite_predicts_the_same(holes, tmp_path, name, ending):
    booster, data = trained(name, holes)
    found = read_by_treelite(booster, tmp_path / f"model.{ending}", holes[0])
    np.testing.assert_allclose(found, booster.predict(data).reshape(300, -1), rtol=1e-5, atol=1e-6)


def test_treelite_reads_categories(tmp_path):
    draw = np.random.default_rng(0)
    rows = np.column_stack([draw.integers(0, 8, 300), draw.normal(size=300)]).astype(np.float32)
    data = xgb.DMatrix(rows, np.sin(rows[:, 0]) * 3 + rows[:, 1], feature_types=["c", "q"])
    booster = xgb.train({"max_depth": 4, "max_cat_to_onehot": 1, "nthread": 1}, data, 5)
    found = read_by_treelite(booster, tmp_path / "model.json", rows)
    np.testing.assert_allclose(found[:, 0], booster.predict(data), rtol=1e-5, atol=1e-6)


@pytest.mark.parametrize("name", TO_ONNX)
def test_onnxmltools_converts_what_xgboost_loads(holes, tmp_path, name):
    real, runtime = pytest.importorskip("xgboost"), pytest.importorskip("onnxruntime")
    convert = pytest.importorskip("onnxmltools").convert_xgboost
    types = pytest.importorskip("onnxmltools.convert.common.data_types")
    booster, data = trained(name, holes)
    booster.save_model(tmp_path / "model.json")
    inputs = [("X", types.FloatTensorType([None, 5]))]
    text = convert(real.Booster(model_file=tmp_path / "model.json"), initial_types=inputs, target_opset=15)
    session = runtime.InferenceSession(text.SerializeToString(), providers=["CPUExecutionProvider"])
    found = np.asarray(session.run(None, {"X": holes[0]})[-1]).reshape(300, -1)
    expected = booster.predict(data).reshape(300, -1)
    np.testing.assert_allclose(found[:, -expected.shape[1] :], expected, rtol=1e-5, atol=1e-6)


@pytest.mark.parametrize("name", ["absolute error", "quantiles"])
def test_what_xgboost_has_no_name_for_is_kept(holes, name):
    booster, data = trained(name, holes)
    booster.set_param("leaf_estimation_method", "newton")
    booster.update(data, 5)
    again = xgb.Booster(model_file=booster.save_raw("json"))
    assert again.attributes() == booster.attributes()
    assert again.save_raw() == booster.save_raw()
    assert '"leaf_estimation_method":"newton"' in again.save_config()
