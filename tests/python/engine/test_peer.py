# SPDX-License-Identifier: Apache-2.0
"""The same data and parameters given to the installed xgboost."""

import json

import numpy as np
import pytest

import xgb_like as xgb

peer = pytest.importorskip("xgboost")
PEER_VERSION = tuple(int(part) for part in peer.__version__.split(".")[:2])
pytestmark = pytest.mark.peer

EXACT = {"tree_method": "exact", "nthread": 1, "max_depth": 5}


def data_set(name):
    rng = np.random.default_rng(3)
    features = rng.normal(size=(600, 6)).astype(np.float32)
    if name == "missing":
        features[rng.random(features.shape) < 0.3] = np.nan
    if name == "ties":
        features = np.round(features * 2)
    filled = np.nan_to_num(features)
    return features, (2 * filled[:, 0] - filled[:, 1] * filled[:, 2] + rng.normal(0, 0.1, 600)).astype(np.float32)


def both(params, features, label, rounds=5, **fields):
    return [
        library.train(params, library.DMatrix(features, label, **fields), rounds, verbose_eval=False)
        for library in (xgb, peer)
    ]


def trees(model):
    return json.loads(bytes(model.save_raw("json")))["learner"]["gradient_booster"]["model"]["trees"]


OBJECTIVES = [
    {"objective": "reg:squarederror"},
    {"objective": "binary:logistic"},
    {"objective": "binary:logistic", "scale_pos_weight": 2.5, "base_score": 0.3},
    {"objective": "multi:softprob", "num_class": 3},
]
REGULARISED = [
    {},
    {"lambda": 3, "alpha": 0.5, "gamma": 1},
    {"min_child_weight": 20, "max_delta_step": 0.2},
    {"monotone_constraints": "(1,-1,0,0,0,0)"},
    {"interaction_constraints": "[[0,1],[2,3,4]]"},
]


def labels(objective, label):
    if objective.startswith("binary"):
        return label > 0
    return np.digitize(label, [-1, 1]) if objective.startswith("multi") else label


@pytest.mark.parametrize("name", ["dense", "missing", "ties"])
@pytest.mark.parametrize("params", OBJECTIVES, ids=lambda p: "-".join(map(str, p.values())))
def test_exact_trees_are_equal(name, params):
    features, label = data_set(name)
    ours, theirs = both({**EXACT, **params}, features, labels(params["objective"], label))
    same = total = 0
    for one, other in zip(trees(ours), trees(theirs), strict=True):
        for part in ("split_indices", "split_conditions", "left_children"):
            pairs = list(zip(one[part], other[part], strict=False))
            total += max(len(one[part]), len(other[part]))
            same += sum(abs(a - b) <= 1e-5 * max(abs(b), 1) for a, b in pairs)
    assert same >= 0.99 * total


@pytest.mark.parametrize("params", REGULARISED, ids=str)
def test_regularised_models_predict_alike(params):
    features, label = data_set("missing")
    ours, theirs = both({**EXACT, **params}, features, label)
    np.testing.assert_allclose(
        ours.predict(xgb.DMatrix(features)), theirs.predict(peer.DMatrix(features)), rtol=1e-4, atol=1e-4
    )


@pytest.mark.skipif(PEER_VERSION < (3, 4), reason="constraints of vector leaves came with XGBoost 3.4")
@pytest.mark.parametrize("params", [{}, {"lambda": 3, "alpha": 5}, {"max_delta_step": 0.3}, {"max_leaves": 9}], ids=str)
@pytest.mark.parametrize("signs", [(1, 0, 0, 0, 0, 0), (-1, 1, 0, 0, 1, 0)], ids=str)
def test_constrained_vector_leaves_predict_alike(params, signs):
    rng = np.random.default_rng(5)
    features = rng.integers(0, 200, (1500, 6)).astype(np.float32) / 20
    features[rng.random(features.shape) < 0.1] = np.nan
    known = np.nan_to_num(features, nan=3)
    rising = np.sin(known[:, 0]) + known[:, 1]
    label = np.column_stack([rising, -rising / 3 + known[:, 4], known[:, 2]]) + rng.normal(size=(1500, 3))
    how = {"multi_strategy": "multi_output_tree", "monotone_constraints": signs, "base_score": 0.5, "nthread": 1}
    ours, theirs = both({"tree_method": "hist", "max_depth": 5, **how, **params}, features, label)
    np.testing.assert_allclose(
        ours.predict(xgb.DMatrix(features)), theirs.predict(peer.DMatrix(features)), rtol=1e-4, atol=1e-4
    )


@pytest.mark.parametrize("form", ["json", "ubj"])
@pytest.mark.parametrize("params", OBJECTIVES, ids=lambda p: "-".join(map(str, p.values())))
def test_models_go_both_ways(params, form):
    features, label = data_set("missing")
    ours, theirs = both({**EXACT, **params}, features, labels(params["objective"], label))
    expected = ours.predict(xgb.DMatrix(features))
    loaded = peer.Booster(model_file=bytearray(ours.save_raw(form)))
    np.testing.assert_allclose(loaded.predict(peer.DMatrix(features)), expected, rtol=1e-6, atol=1e-6)
    expected = theirs.predict(peer.DMatrix(features))
    loaded = xgb.Booster(model_file=theirs.save_raw(form))
    np.testing.assert_allclose(loaded.predict(xgb.DMatrix(features)), expected, rtol=1e-6, atol=1e-6)


def test_a_model_of_theirs_shows_the_same():
    pd = pytest.importorskip("pandas")
    features, label = data_set("missing")
    kinds = {"feature_names": list("abcdef"), "feature_types": ["q", "int", "q", "float", "q", "q"]}
    theirs = peer.train(EXACT, peer.DMatrix(np.round(features * 3), label, **kinds), 4)
    ours = xgb.Booster(model_file=theirs.save_raw())
    for form in ("text", "json", "dot"):
        assert ours.get_dump(dump_format=form) == theirs.get_dump(dump_format=form)
    for kind in ("weight", "gain", "cover", "total_gain", "total_cover"):
        one, other = ours.get_score(importance_type=kind), theirs.get_score(importance_type=kind)
        assert one == pytest.approx(other, rel=1e-5)
    table, other = ours.trees_to_dataframe(), theirs.trees_to_dataframe()
    for column in other.columns:  # Target came with XGBoost 3.4
        if pd.api.types.is_numeric_dtype(table[column]):
            right = pd.to_numeric(other[column]).astype("Float64").to_numpy(float, na_value=np.nan)
            np.testing.assert_allclose(table[column], right, rtol=1e-5, err_msg=column)
        else:
            one, two = (frame[column].astype(object).where(frame[column].notna(), "") for frame in (table, other))
            assert one.tolist() == two.tolist(), column
    for feature in "ab":
        table = ours.get_split_value_histogram(feature, as_pandas=False)
        np.testing.assert_allclose(table, theirs.get_split_value_histogram(feature, as_pandas=False), rtol=1e-6)


TABLES = {
    "one target": {},
    "classes": {"objective": "multi:softprob", "num_class": 3},
    "classes as vectors": {"objective": "multi:softprob", "num_class": 3, "multi_strategy": "multi_output_tree"},
    "targets": {},
    "vectors": {"multi_strategy": "multi_output_tree"},
    "categories": {},
}


@pytest.mark.skipif(PEER_VERSION < (3, 4), reason="the column Target came with XGBoost 3.4")
@pytest.mark.parametrize("name", TABLES)
def test_nodes_have_the_columns_types_and_covers_of_xgboost(name):
    pd = pytest.importorskip("pandas")
    rng = np.random.default_rng(6)
    features = rng.integers(0, 12, (800, 3)).astype(np.float32)
    label = np.column_stack([features[:, 0], features[:, 1] % 3 * 2, -features[:, 0] + features[:, 2]])
    if "classes" in name:
        label = np.digitize(features[:, 0] + features[:, 1] % 3, [4, 9])
    elif name in ("one target", "categories"):
        label = label[:, 0] + label[:, 1]
    fields = {"feature_types": ["q", "c", "int"], "enable_categorical": True} if name == "categories" else {}
    params = {"max_depth": 3, "tree_method": "hist", "nthread": 1, **TABLES[name]}
    ours, theirs = both(params, features, label, 2, **fields)
    table, other = ours.trees_to_dataframe(), theirs.trees_to_dataframe()
    assert table.dtypes.to_dict() == other.dtypes.to_dict()
    assert list(table.columns) == list(other.columns)
    for column in ("Split", "Gain", "Cover"):
        assert np.allclose(table.pop(column).astype(float), other.pop(column).astype(float), 1e-4, 1e-5, True), column
    pd.testing.assert_frame_equal(table, other)
    for kind in ("cover", "total_cover"):
        score, expected = ours.get_score(importance_type=kind), theirs.get_score(importance_type=kind)
        assert score == pytest.approx(expected, rel=1e-5)
    for one, another in zip(trees(ours), trees(theirs), strict=True):
        assert one["sum_hessian"] == pytest.approx(another["sum_hessian"], rel=1e-5)


def keys(node):
    return {name: keys(value) for name, value in node.items()} if isinstance(node, dict) else None


def test_configurations_have_their_keys():
    features, label = data_set("dense")
    ours, theirs = (json.loads(model.save_config())["learner"] for model in both(EXACT, features, label))
    for learner in (ours, theirs):
        learner["generic_param"].pop("rng_state", None)  # of newer ones only
    theirs["gradient_booster"].pop("dart_train_param", None)
    assert keys(ours) == keys(theirs)


def test_a_configuration_of_theirs_loads():
    features, label = data_set("dense")
    theirs = peer.train({**EXACT, "eta": 0.125, "lambda": 2.5, "max_depth": 3}, peer.DMatrix(features, label), 1)
    booster = xgb.Booster()
    booster.load_config(theirs.save_config())
    tree = json.loads(booster.save_config())["learner"]["gradient_booster"]["tree_train_param"]
    assert (tree["eta"], tree["lambda"], tree["max_depth"], tree["subsample"]) == ("0.125", "2.5", "3", "1")


def test_training_continues_from_a_model_of_theirs():
    features, label = data_set("missing")
    whole = peer.train(EXACT, peer.DMatrix(features, label), 6)
    half = peer.train(EXACT, peer.DMatrix(features, label), 3)
    more = xgb.train(EXACT, xgb.DMatrix(features, label), 3, xgb_model=half.save_raw())
    np.testing.assert_allclose(
        more.predict(xgb.DMatrix(features)), whole.predict(peer.DMatrix(features)), rtol=1e-4, atol=1e-4
    )


@pytest.mark.parametrize("name", ["california_housing", "bike_hour"])
def test_real_tables_train_to_the_same_quality(data_folder, name):
    pd = pytest.importorskip("pandas")
    pytest.importorskip("pyarrow")
    table = pd.read_parquet(data_folder / f"{name}.parquet").select_dtypes("number").astype("float32").head(8000)
    features, label = table.iloc[:, :-1].to_numpy(), table.iloc[:, -1].to_numpy()
    logs = []
    for library in (xgb, peer):
        test = library.DMatrix(features[6000:], label[6000:])
        log = {}
        library.train(
            EXACT,
            library.DMatrix(features[:6000], label[:6000]),
            30,
            evals=[(test, "t")],
            evals_result=log,
            verbose_eval=False,
        )
        logs.append(log["t"]["rmse"])
    assert logs[0][0] == pytest.approx(logs[1][0], rel=1e-5)
    assert logs[0][-1] <= 1.005 * logs[1][-1]
