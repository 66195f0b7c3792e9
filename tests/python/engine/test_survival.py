# SPDX-License-Identifier: Apache-2.0
"""Survival analysis: what may be given, and the numbers of xgboost and lifelines."""

import json

import numpy as np
import pytest

import xgb_like as xgb

DISTRIBUTIONS = ["normal", "logistic", "extreme"]
EXACT = {"tree_method": "exact", "nthread": 2, "max_depth": 4, "eta": 0.1}


@pytest.fixture(scope="module")
def table():
    """400 rows of every kind of bounds, times with ties, and the same as signed labels."""
    rng = np.random.default_rng(4)
    features = rng.normal(size=(400, 4)).astype(np.float32)
    time = (np.round(np.exp(features[:, 0] / 2 + rng.normal(0, 0.5, 400)) * 16) / 16 + 0.125).astype(np.float32)
    kind = rng.integers(0, 6, 400)
    return {
        "features": features,
        "time": time,
        "label": np.where(kind == 0, -time, time).astype(np.float32),
        "lower": np.where(kind == 1, 0, time).astype(np.float32),
        "upper": np.where(kind == 0, np.inf, np.where(kind == 2, time * 1.5, time)).astype(np.float32),
        "weight": rng.exponential(size=400).astype(np.float32),
        "margin": rng.normal(1, 1, 400).astype(np.float32),
    }


def bounded(library, table, **more):
    return library.DMatrix(
        table["features"], label_lower_bound=table["lower"], label_upper_bound=table["upper"], **more
    )


def matrix(library, objective, table, **more):
    if objective == "survival:aft":
        return bounded(library, table, **more)
    return library.DMatrix(table["features"], table["label"], **more)


def score(text):
    return [float(part.rsplit(":", 1)[1]) for part in text.split("\t")[1:]]


def test_bounds_need_no_labels(table):
    booster = xgb.train({"objective": "survival:aft"}, bounded(xgb, table), 3)
    data = bounded(xgb, table)
    assert booster.predict(data) == pytest.approx(np.exp(booster.predict(data, output_margin=True)), rel=1e-6)
    np.testing.assert_array_equal(booster.inplace_predict(table["features"]), booster.predict(data))
    assert booster.eval(data).startswith("[0]\teval-aft-nloglik:")
    assert booster.predict(xgb.DMatrix(table["features"])).shape == (400,)


def test_slices_keep_their_bounds(table):
    whole = bounded(xgb, table)
    part = whole.slice(np.arange(0, 400, 2))
    booster = xgb.train({"objective": "survival:aft", "eval_metric": ["aft-nloglik", "cindex"]}, part, 2)
    rows = {name: column[::2] for name, column in table.items()}
    assert booster.eval(part) == booster.eval(bounded(xgb, rows))


class Batches(xgb.DataIter):
    """The table in three batches, without labels."""

    def __init__(self, table):
        super().__init__()
        self.parts = [{name: np.array_split(column, 3)[i] for name, column in table.items()} for i in range(3)]
        self.position = 0

    def next(self, input_data):
        if self.position == len(self.parts):
            return False
        part = self.parts[self.position]
        input_data(data=part["features"], label_lower_bound=part["lower"], label_upper_bound=part["upper"])
        self.position += 1
        return True

    def reset(self):
        self.position = 0


def test_batches_and_quantile_matrices_bring_bounds(table):
    params = {"objective": "survival:aft", "max_depth": 3}
    expected = xgb.train(params, bounded(xgb, table), 3).save_raw()
    whole = xgb.QuantileDMatrix(table["features"], label_lower_bound=table["lower"], label_upper_bound=table["upper"])
    for data in (whole, xgb.QuantileDMatrix(Batches(table)), xgb.DMatrix(Batches(table))):
        assert xgb.train(params, data, 3).save_raw() == expected


@pytest.mark.parametrize(
    ("lower", "upper"), [(5, 3), (-1, 2), (np.inf, np.inf), (-2, -1)], ids=lambda bound: f"{bound:g}"
)
def test_bounds_without_a_time_are_refused(table, lower, upper):
    one, other = table["lower"].copy(), table["upper"].copy()
    one[7], other[7] = lower, upper
    data = xgb.DMatrix(table["features"], label_lower_bound=one, label_upper_bound=other)
    with pytest.raises(xgb.DataError, match="label_lower_bound.*row 7"):
        xgb.train({"objective": "survival:aft"}, data, 1)


def test_missing_and_nan_bounds_are_refused(table):
    params = {"objective": "survival:aft"}
    for given in ({"label": table["time"]}, {"label_lower_bound": table["lower"]}, {}):
        with pytest.raises(xgb.DataError, match="label_upper_bound"):
            xgb.train(params, xgb.DMatrix(table["features"], **given), 1)
    with pytest.raises(xgb.DataError, match="NaN"):
        bounded(xgb, {**table, "lower": np.full(400, np.nan)})


def test_other_metrics_still_need_labels(table):
    data = bounded(xgb, table)
    booster = xgb.train({"objective": "survival:aft", "eval_metric": ["aft-nloglik", "rmse"]}, data, 1)
    with pytest.raises(xgb.DataError, match="no labels, and `rmse`"):
        booster.eval(data)


def test_cox_needs_labels_and_one_target(table):
    with pytest.raises(xgb.DataError, match="label"):
        xgb.train({"objective": "survival:cox"}, bounded(xgb, table), 1)
    data = xgb.DMatrix(table["features"], np.column_stack([table["label"]] * 2))
    with pytest.raises(xgb.DataError, match="one label a row"):
        xgb.train({"objective": "survival:cox"}, data, 1)


def test_bad_parameters_are_refused(table):
    for name, value in (("aft_loss_distribution", "weibull"), ("aft_loss_distribution_scale", 0), ("base_score", -1)):
        with pytest.raises(xgb.ParameterError, match=name):
            xgb.train({"objective": "survival:aft", name: value}, bounded(xgb, table), 1)


@pytest.mark.parametrize("objective", ["survival:cox", "survival:aft"])
@pytest.mark.parametrize("rows", [0, 1, 2])
@pytest.mark.filterwarnings("ignore:`dtrain` has no rows")
def test_few_rows_train(table, objective, rows):
    few = {name: column[:rows] for name, column in {**table, "label": table["time"]}.items()}
    data = matrix(xgb, objective, few)
    predicted = xgb.train({"objective": objective}, data, 2).predict(data)
    assert predicted.shape == (rows,)
    assert np.isfinite(predicted).all()


@pytest.mark.parametrize("objective", ["survival:cox", "survival:aft"])
def test_missing_constant_and_huge_features_train(table, objective):
    features = table["features"].copy()
    features[:, 0], features[:, 1], features[::2, 2] = np.nan, 1e38, 1e-42
    data = matrix(xgb, objective, {**table, "features": features})
    booster = xgb.train({"objective": objective}, data, 4)
    assert np.isfinite(booster.predict(data)).all()
    assert np.isfinite(score(booster.eval(data))).all()


@pytest.mark.parametrize("objective", ["survival:cox", "survival:aft"])
def test_threads_do_not_change_models(table, objective):
    rows = {name: np.concatenate([column] * 30) for name, column in table.items()}
    one, three = (
        xgb.train({"objective": objective, "nthread": n}, matrix(xgb, objective, rows), 3).save_raw() for n in (1, 3)
    )
    assert one == three


def test_concordance_rises_and_stops_training_at_its_best(table):
    params = {"objective": "survival:aft", "eval_metric": "cindex"}
    data, result = bounded(xgb, table), {}
    xgb.train(params, data, 20, evals=[(data, "train")], evals_result=result, verbose_eval=False)
    assert result["train"]["cindex"][-1] > max(0.8, result["train"]["cindex"][0])
    held_out = bounded(xgb, {**table, "features": table["features"][::-1]})
    booster = xgb.train(params, data, 50, evals=[(held_out, "out")], early_stopping_rounds=3, verbose_eval=False)
    assert booster.best_score == max(
        score(booster[: i + 1].eval(held_out))[0] for i in range(booster.best_iteration + 1)
    )


@pytest.mark.peer
def test_concordance_is_that_of_lifelines(table):
    utils = pytest.importorskip("lifelines.utils")
    predicted = np.round(table["margin"], 1)
    expected = utils.concordance_index(table["time"], predicted, table["label"] > 0)
    data = matrix(xgb, "survival:cox", table, base_margin=predicted)
    both = xgb.Booster({"objective": "survival:cox", "eval_metric": ["cindex", "cindex@time"]}, [data])
    assert score(both.eval(data)) == pytest.approx([1 - expected, expected], abs=1e-12)


@pytest.fixture(scope="module")
def peer():
    return pytest.importorskip("xgboost")


CASES = [
    {"objective": "survival:cox"},
    {"objective": "survival:cox", "base_score": 2.0},
    *({"objective": "survival:aft", "aft_loss_distribution": name} for name in DISTRIBUTIONS),
    *(
        {"objective": "survival:aft", "aft_loss_distribution": name, "aft_loss_distribution_scale": 0.7}
        for name in DISTRIBUTIONS
    ),
]
all_cases = pytest.mark.parametrize("params", CASES, ids=lambda case: "-".join(map(str, case.values())))


def both(peer, params, table, rounds, **more):
    return [
        library.train(params, matrix(library, params["objective"], table, **more), rounds, verbose_eval=False)
        for library in (xgb, peer)
    ]


@pytest.mark.peer
@pytest.mark.parametrize("weighted", [False, True])
@pytest.mark.parametrize("rounds", [1, 10])
@all_cases
def test_models_predict_as_those_of_xgboost(peer, table, params, rounds, weighted):
    ours, theirs = both(peer, {**EXACT, **params}, table, rounds, weight=table["weight"] if weighted else None)
    expected = theirs.predict(peer.DMatrix(table["features"]))
    np.testing.assert_allclose(ours.predict(xgb.DMatrix(table["features"])), expected, rtol=1e-5)


@pytest.mark.peer
@pytest.mark.parametrize("margin", [-40, -7, -3, 0, 3, 6, 8, 9.5, 40])
@all_cases
def test_leaves_of_extreme_margins_are_those_of_xgboost(peer, table, params, margin):
    if abs(margin) > 3:
        pytest.importorskip("xgboost", minversion="3.4")  # derivatives of earlier versions vanish there
    fields = {"base_margin": table["margin"] + np.float32(margin)}
    ours, theirs = both(peer, {**EXACT, **params, "max_depth": 2}, table, 1, **fields)
    for part in ("base_weights", "sum_hessian"):
        one, other = (
            json.loads(bytes(model.save_raw("json")))["learner"]["gradient_booster"]["model"]["trees"][0][part]
            for model in (ours, theirs)
        )
        np.testing.assert_allclose(one, other, rtol=3e-5, atol=1e-12)


@pytest.mark.peer
@pytest.mark.parametrize("weighted", [False, True])
@all_cases
def test_metrics_are_those_of_xgboost(peer, table, params, weighted):
    metrics = ["aft-nloglik", "interval-regression-accuracy"] if "aft" in params["objective"] else ["cox-nloglik"]
    known = {"weight": table["weight"] if weighted else None, "base_margin": table["margin"]}
    scores = []
    for library in (xgb, peer):
        data = matrix(library, params["objective"], table, **known)
        scores.append(score(library.Booster({**params, "eval_metric": metrics}, [data]).eval(data)))
    assert scores[0] == pytest.approx(scores[1], rel=1e-6)


@pytest.mark.peer
@pytest.mark.parametrize("weighted", [False, True])
@all_cases
def test_base_scores_are_those_of_xgboost(peer, table, params, weighted):
    known = {"weight": table["weight"] if weighted else None}
    ours, theirs = (
        float(json.loads(model.save_config())["learner"]["learner_model_param"]["base_score"].strip("[]"))
        for model in both(peer, {**params, "max_depth": 1}, table, 1, **known)
    )
    assert ours == pytest.approx(theirs, rel=1e-6)


@pytest.mark.peer
@all_cases
def test_models_go_both_ways(peer, table, params):
    ours, theirs = both(peer, {**EXACT, **params}, table, 4)
    here, there = xgb.DMatrix(table["features"]), peer.DMatrix(table["features"])
    loaded = peer.Booster(model_file=bytearray(ours.save_raw("json")))
    np.testing.assert_allclose(loaded.predict(there), ours.predict(here), rtol=1e-6)
    loaded = xgb.Booster(model_file=theirs.save_raw("ubj"))
    np.testing.assert_allclose(loaded.predict(here), theirs.predict(there), rtol=1e-6)
    data = matrix(xgb, params["objective"], table)
    assert xgb.Booster(model_file=ours.save_raw()).eval(data) == ours.eval(data)


REAL = ["surv_veteran", "surv_gbsg2", "surv_metabric", "surv_rott2", "surv_flchain"]


def real_rows(folder, name):
    pd = pytest.importorskip("pandas")
    pytest.importorskip("pyarrow")
    frame = pd.read_parquet(folder / f"{name}.parquet").sample(frac=1, random_state=1)
    time, end, _ = (frame.pop(column).to_numpy() for column in ("__lower__", "__upper__", "__event__"))
    time = np.maximum(time, 0.5)
    coded = frame.apply(lambda column: column if column.dtype.kind in "fiu" else column.astype("category").cat.codes)
    return {
        "features": coded.to_numpy(np.float32),
        "lower": time,
        "upper": np.where(np.isinf(end), np.inf, time),
        "label": np.where(np.isinf(end), -time, time),
    }


@pytest.mark.peer
@pytest.mark.parametrize("objective", ["survival:cox", "survival:aft"])
@pytest.mark.parametrize("name", REAL)
def test_real_tables_are_ordered_as_well_as_by_xgboost(peer, data_folder, name, objective):
    rows = real_rows(data_folder, name)
    cut = len(rows["label"]) * 4 // 5
    train, test = ({key: column[part] for key, column in rows.items()} for part in (slice(cut), slice(cut, None)))
    params = {"objective": objective, "eta": 0.1, "max_depth": 4, "tree_method": "hist"}
    indices = []
    for library in (xgb, peer):
        model = library.train(params, matrix(library, objective, train), 50)
        margin = model.predict(matrix(library, objective, test), output_margin=True)
        data = matrix(xgb, objective, test, base_margin=margin)
        indices.append(score(xgb.Booster({**params, "eval_metric": "cindex"}, [data]).eval(data))[0])
    assert indices[0] > max(0.55, indices[1] * 0.99)  # some 400 test rows
