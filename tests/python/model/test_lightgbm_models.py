# SPDX-License-Identifier: Apache-2.0
"""LightGBM's text models, read here, against LightGBM itself."""

import re
import warnings

import numpy as np
import pytest

import xgb_like as xgb
from xgb_like._cli import main

lgb = pytest.importorskip("lightgbm")
pytestmark = pytest.mark.peer

QUIET = {"verbose": -1, "num_threads": 1, "min_data_in_leaf": 3, "num_leaves": 12, "seed": 1}


def trained(params, features, label, rounds=15, **dataset):
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return lgb.train({**QUIET, **params}, lgb.Dataset(features, label, **dataset), rounds)


def loaded(model):
    return xgb.Booster(model_file=model.model_to_string().encode())


def agree(model, features):
    """Check that both predict the same, relative to the largest prediction where they cancel."""
    theirs = model.predict(features)
    ours = loaded(model).inplace_predict(features)
    assert ours.shape == theirs.shape
    np.testing.assert_allclose(ours, theirs, rtol=1e-6, atol=1e-6 * np.abs(theirs).max())


def hostile(model, columns):
    """Rows of values at, just below and just above thresholds, and of what is odd."""
    splits = model.trees_to_dataframe()["threshold"].dropna()
    near = np.array([split for split in splits if not isinstance(split, str) and abs(split) < 1e38], dtype=np.float32)
    odd = np.array(
        [0, -0.0, 1e-35, -1e-35, 1e-45, -1e-45, 1.1e-35, -1.1e-35, 3e38, -3e38, np.inf, -np.inf, np.nan],
        dtype=np.float32,
    )
    values = np.concatenate(
        [near, np.nextafter(near, np.float32(np.inf)), np.nextafter(near, -np.float32(np.inf)), odd]
    )
    return np.random.default_rng(2).choice(values, size=(500, columns))


@pytest.mark.parametrize(
    "params",
    [
        {"objective": "regression"},
        {"objective": "regression_l1"},
        {"objective": "huber", "alpha": 1.5},
        {"objective": "fair", "fair_c": 2},
        {"objective": "quantile", "alpha": 0.8},
        {"objective": "mape"},
        {"objective": "regression", "boosting": "dart", "drop_rate": 0.5},
        {"objective": "regression", "boosting": "rf", "bagging_freq": 1, "bagging_fraction": 0.5},
        {"objective": "regression", "data_sample_strategy": "goss"},
        {"objective": "regression", "boost_from_average": False, "learning_rate": 0.5},
        {"objective": "regression", "extra_trees": True, "path_smooth": 1},
    ],
)
def test_regression(holes, params):
    model = trained(params, *holes)
    agree(model, holes[0])
    agree(model, hostile(model, 5))


@pytest.mark.parametrize("objective", ["poisson", "gamma", "tweedie"])
def test_positive_labels(regression, objective):
    features, label = regression
    model = trained({"objective": objective}, features, np.exp(label / 4))
    agree(model, features)
    agree(model, hostile(model, 5))


@pytest.mark.parametrize(
    "params",
    [
        {"objective": "binary"},
        {"objective": "binary", "sigmoid": 0.3, "is_unbalance": True},
        {"objective": "cross_entropy"},
        {"objective": "binary", "boosting": "rf", "bagging_freq": 1, "bagging_fraction": 0.5},
    ],
)
def test_two_classes(binary, params):
    model = trained(params, *binary)
    agree(model, binary[0])
    agree(model, hostile(model, 5))


@pytest.mark.parametrize("params", [{"objective": "multiclass"}, {"objective": "multiclassova", "sigmoid": 2}])
def test_several_classes(classes, params):
    model = trained({**params, "num_class": 3}, *classes)
    agree(model, classes[0])
    assert loaded(model).num_boosted_rounds() == 15
    agree(model, hostile(model, 5))


@pytest.mark.parametrize("params", [{}, {"zero_as_missing": False}, {"objective": "multiclass", "num_class": 3}])
def test_splits_of_missing_from_present(params):
    rng = np.random.default_rng(0)
    features = rng.normal(size=(900, 3))
    features[rng.random(features.shape) < 0.3] = np.nan
    label = np.isnan(features[:, 0]) * 1.0 + np.isnan(features[:, 1])
    model = trained(params, features, label)
    assert "threshold=inf" in model.model_to_string()
    agree(model, hostile(model, 3))


@pytest.mark.parametrize("objective", ["lambdarank", "rank_xendcg"])
def test_ranking(classes, objective):
    model = trained({"objective": objective}, *classes, group=[30] * 10)
    agree(model, classes[0])


@pytest.mark.parametrize("outputs", [1, 3])
def test_objectives_of_ones_own_predict_margins(regression, outputs):
    def square(scores, data):
        targets = np.resize(data.get_label(), scores.shape if outputs == 1 else scores.T.shape)
        return scores - (targets if outputs == 1 else targets.T), np.ones_like(scores)

    model = trained({"objective": square, "num_class": outputs}, *regression)
    agree(model, regression[0])


@pytest.mark.filterwarnings("ignore:Codes of categories")
@pytest.mark.parametrize(
    "params", [{}, {"use_missing": False}, {"max_cat_to_onehot": 60}, {"max_cat_threshold": 4, "cat_smooth": 1}]
)
def test_categories_by_code(holes, params):
    features, label = holes
    features = features.copy()
    codes = np.random.default_rng(3).integers(0, 50, size=(300, 2))
    features[:, :2] = codes
    features[::7, 1] = np.nan
    model = trained({**params, "min_data_per_group": 1}, features, label + codes[:, 0] % 3, categorical_feature=[0, 1])
    assert re.search("num_cat=[1-9]", model.model_to_string())
    agree(model, features)
    odd = features.copy()
    odd[:, 0] = np.resize([-1, 51, 1e6, 3.5, np.nan, np.inf, 2**24 + 2, 1e10], 300)
    agree(model, odd[odd[:, 0] < 1e9])
    assert loaded(model).feature_types == ["c", "c", "q", "q", "q"]


@pytest.mark.parametrize("kind", ["text", "whole"])
def test_categories_of_frames(regression, kind):
    pandas = pytest.importorskip("pandas")
    features, label = regression
    codes = np.random.default_rng(3).integers(0, 6, size=300)
    values = np.array(["z", "y", "x", "é", "b", "a"])[codes] if kind == "text" else codes * 10 + 5
    frame = pandas.DataFrame({"a": features[:, 0], "c": pandas.Series(values).astype("category"), "b": features[:, 1]})
    model = trained({"min_data_per_group": 1}, frame, label + codes % 2)
    agree(model, frame)
    shuffled = frame.assign(c=frame["c"].cat.reorder_categories(list(frame["c"].cat.categories)[::-1]))
    agree(model, shuffled)
    agree(model, frame.assign(c=pandas.Series(values[:1].repeat(300)).astype("category")))
    assert loaded(model).feature_names == ["a", "c", "b"]


def test_names(regression):
    features, label = regression
    assert loaded(trained({}, features, label)).feature_names is None
    names = ["é", "b", "日本", "Column_3", "e"]
    assert loaded(trained({}, features, label, feature_name=names)).feature_names == names


def test_zeros_for_missing_cells_are_refused_where_they_matter(regression):
    features, label = regression
    features = np.where(np.abs(features) < 0.5, 0, features)
    with pytest.raises(xgb.ModelFormatError, match="zero_as_missing"):
        loaded(trained({"zero_as_missing": True}, features, label))


@pytest.mark.parametrize("shape", [(40, 1), (40, 3)])
def test_a_constant_label_and_columns_without_values(shape):
    features = np.random.default_rng(0).normal(size=shape).astype(np.float32)
    features[:, -1] = np.nan
    agree(trained({}, features, np.full(len(features), 2.5)), features)
    agree(trained({}, features, features[:, 0] if shape[1] > 1 else np.arange(len(features))), features)


def test_contributions_and_importances_are_theirs(holes):
    model = trained({"objective": "binary"}, holes[0], holes[1] > 0)
    ours = loaded(model)
    found = ours.predict(xgb.DMatrix(holes[0]), pred_contribs=True)
    np.testing.assert_allclose(found, model.predict(holes[0], pred_contrib=True), rtol=1e-4, atol=1e-5)
    splits = ours.get_score(importance_type="weight")
    assert [splits[f"f{i}"] for i in range(5)] == model.feature_importance("split").tolist()


def test_what_is_read_is_written_and_trained_on(regression):
    features, label = regression
    ours = loaded(trained({}, features, label))
    again = xgb.Booster(model_file=ours.save_raw("json"))
    np.testing.assert_array_equal(again.inplace_predict(features), ours.inplace_predict(features))
    more = xgb.train({"eta": 0.1}, xgb.DMatrix(features, label), 5, xgb_model=ours)
    assert more.num_boosted_rounds() == 20
    assert np.mean((more.inplace_predict(features) - label) ** 2) < np.mean(
        (ours.inplace_predict(features) - label) ** 2
    )


def test_the_command_converts(regression, tmp_path, capsys):
    model = trained({}, *regression)
    model.save_model(tmp_path / "model.txt")
    assert main(["convert", str(tmp_path / "model.txt"), str(tmp_path / "model.ubj")]) == 0
    found = xgb.Booster(model_file=tmp_path / "model.ubj").inplace_predict(regression[0])
    np.testing.assert_allclose(found, model.predict(regression[0]), rtol=1e-6, atol=1e-6)
    assert "15 rounds" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("params", "cause"),
    [
        ({"linear_tree": True}, "linear_tree"),
        ({"reg_sqrt": True}, "reg_sqrt"),
        ({"objective": "cross_entropy_lambda"}, "cross_entropy_lambda, whose predictions no objective here makes"),
    ],
)
def test_what_has_no_counterpart_is_refused(binary, params, cause):
    model = trained(params, *binary, rounds=2)
    with pytest.raises(xgb.ModelFormatError, match=cause):
        loaded(model)


@pytest.fixture(scope="module")
def text():
    features = np.random.default_rng(0).normal(size=(60, 3))
    features[:, 2] = np.arange(60) % 6
    label = features[:, 0] + features[:, 2] % 2
    params = {"num_leaves": 4, "min_data_per_group": 1, "cat_smooth": 1}
    return trained(params, features, label, rounds=2, categorical_feature=[2]).model_to_string()


def outcome(data):
    """Read and use a file, which may be refused."""
    try:
        model = xgb.Booster(model_file=data)
    except xgb.ModelFormatError as error:
        return str(error)
    model.inplace_predict(np.zeros((2, model.num_features()), dtype=np.float32), validate_features=False)
    return "read"


def test_truncated_files_are_refused(text):
    data = text.encode()
    end = data.index(b"end of trees") + len("end of trees")
    assert outcome(data[:end]) == "read"
    assert all(outcome(data[:size]) != "read" for size in range(1, end))


def test_altered_files_are_read_or_refused(text):
    data = text[: text.index("feature_importances")].encode()
    draw = np.random.default_rng(0)
    for at in range(len(data)):
        for byte in (data[at] ^ 1, data[at] ^ 0x10, draw.integers(256), ord("\n"), ord("9"), ord("-")):
            outcome(data[:at] + bytes([byte]) + data[at + 1 :])
        outcome(data[:at] + data[at + 1 :])


@pytest.mark.parametrize(
    ("old", "new", "cause"),
    [
        ("version=v4", "version=v2", "version v2"),
        ("num_leaves=4", "num_leaves=1000000000", "must have 1000000000 items in `leaf_value`; got 4"),
        ("num_leaves=4", "num_leaves=0", "whole numbers from 1"),
        ("\nleaf_value=", "\nleaf_value=nan ", "4 items"),
        ("\nleaf_value=", "\nleaf_value=x", "finite numbers in `leaf_value`; got x"),
        ("\nleft_child=", "\nleft_child=9 ", "3 items"),
        ("max_feature_idx=2", "max_feature_idx=1", "names 3 features"),
        ("num_tree_per_iteration=1", "num_tree_per_iteration=2", "2 trees in a round"),
        ("objective=regression", "objective=lasso", "objective lasso"),
        ("Tree=1", "Tree=7", "tree 1 is called Tree=7"),
        ("tree_sizes=", "tree_sizes=3 ", "of another number"),
        ("is_linear=0", "is_linear=1", "linear_tree"),
    ],
)
def test_refusals_say_why(text, old, new, cause):
    assert old in text
    assert cause in outcome(text.replace(old, new, 1).encode())


def test_lines_may_end_as_on_windows(text):
    assert outcome(text.replace("\n", "\r\n").encode()) == "read"
